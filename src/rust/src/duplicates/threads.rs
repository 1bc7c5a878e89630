// SPDX-License-Identifier: MIT
//! Work in several threads, which another one can stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// So many items are taken together at most.
const MAX_TAKEN: usize = 64;

pub(super) struct Run<'a> {
    pub(super) threads: usize,
    pub(super) stop: &'a AtomicBool,
}

impl Run<'_> {
    pub(super) fn goes_on(&self) -> bool {
        !self.stop.load(Ordering::Relaxed)
    }
}

/// Applies a function to all items. Once the run is stopped, the results of the others are missing.
pub(super) fn map<T: Sync, R: Send>(items: &[T], run: &Run<'_>, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    map_with(items, run, || (), |(), item| work(item))
}

/// As `map`, with what each thread makes for itself.
pub(super) fn map_with<'t, T: Sync, R: Send, S>(
    items: &'t [T],
    run: &Run<'_>,
    begin: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &'t T) -> R + Sync,
) -> Vec<R> {
    let size = (items.len() / (8 * run.threads)).clamp(1, MAX_TAKEN);
    let (chunks, done) = (Mutex::new(items.chunks(size).enumerate()), Mutex::new(Vec::new()));
    let take = || chunks.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work_all = || {
        let mut own = begin();
        while let Some((place, items)) = take().filter(|_| run.goes_on()) {
            let results: Vec<R> = items.iter().map(|item| work(&mut own, item)).collect();
            done.lock().unwrap_or_else(PoisonError::into_inner).push((place, results));
        }
    };
    thread::scope(|scope| {
        for _ in 1..run.threads.min(1 + items.len() / size) {
            // Where the system allows no more threads, the others do the work.
            if thread::Builder::new().spawn_scoped(scope, work_all).is_err() {
                break;
            }
        }
        work_all();
    });
    let mut results = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_unstable_by_key(|&(place, _)| place);
    results.into_iter().flat_map(|(_, results)| results).collect()
}
