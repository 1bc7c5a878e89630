// SPDX-License-Identifier: MIT
//! Work without the lock of the interpreter, in one thread or several, which a signal ends.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{channel, RecvTimeoutError};
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use simhash_doc::{Error, Fingerprinter, Label};

use crate::errors::{refused, wrong_type};

/// The most documents that a thread takes at a time.
const MAX_TAKEN: usize = 64;

/// Signals are handled after so many bytes, some hundredths of a second.
const BETWEEN_SIGNALS: usize = 1 << 22;
/// What a document takes besides its text, in bytes that take as long.
const DOCUMENT: usize = 64;
/// Larger documents are read in parts.
const PART: usize = 1 << 20;

/// The number of threads to use: without one given, one for each processor that the process may use.
pub fn read_threads(threads: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
    let Some(threads) = threads else {
        return Ok(thread::available_parallelism().map_or(1, |count| count.get()));
    };
    let number = threads.call_method0("__index__").map_err(|_| wrong_type("threads", "int or None", threads))?;
    let count = number.extract::<usize>().ok().filter(|&count| count > 0);
    count.ok_or_else(|| {
        refused(threads.py(), Error::OutOfRange, format!("threads: expected 1 or more, or None; got {number}"))
    })
}

/// The work of a thread that a signal ends: that of the caller handles signals, and the others end with it.
pub struct Watch<'a> {
    ended: &'a AtomicBool,
    /// The exception of a signal; only the caller has a place for it.
    error: Option<&'a mut PyResult<()>>,
    bytes: usize,
}

impl Watch<'_> {
    /// Counts work that is about to be done; false if it is not to be done, because a signal has ended the call.
    pub fn goes_on(&mut self, bytes: usize) -> bool {
        self.bytes += bytes;
        if self.bytes >= BETWEEN_SIGNALS {
            self.bytes = 0;
            self.handle_signals();
        }
        !self.ended.load(Ordering::Relaxed)
    }

    fn handle_signals(&mut self) {
        if let Some(place) = self.error.as_mut().filter(|place| place.is_ok()) {
            **place = Python::attach(|py| py.check_signals());
            self.ended.fetch_or(place.is_err(), Ordering::Relaxed);
        }
    }

    /// The fingerprint of UTF-8, in parts if it is large; none also for work that has ended.
    pub fn fingerprint(&mut self, text: &[u8], label: Label) -> Option<simhash_doc::Fingerprint> {
        if text.len() <= PART {
            return self.goes_on(DOCUMENT + text.len()).then(|| simhash_doc::fingerprint_bytes(text, label)).flatten();
        }
        let mut parts = Fingerprinter::new(label);
        self.update(&mut parts, text).then(|| parts.finish()).flatten()
    }

    /// Adds UTF-8 to a document; false if that has ended before all was added.
    pub fn update(&mut self, parts: &mut Fingerprinter, text: &[u8]) -> bool {
        text.chunks(PART).all(|part| {
            let goes_on = self.goes_on(part.len());
            if goes_on {
                parts.update(part);
            }
            goes_on
        })
    }
}

/// Works without the lock of the interpreter.
///
/// # Errors
/// That of a signal, such as an interrupt from the keyboard, which ends the work soon.
pub fn detached<R: Send>(py: Python<'_>, work: impl FnOnce(&mut Watch<'_>) -> R + Send) -> PyResult<R> {
    let mut error = Ok(());
    let result = py.detach(|| work(&mut Watch { ended: &AtomicBool::new(false), error: Some(&mut error), bytes: 0 }));
    error.map(|()| result)
}

/// Applies a function to all items, without the lock of the interpreter.
///
/// # Errors
/// As those of [`detached`].
pub fn map<T: Sync, R: Clone + Default + Send>(
    py: Python<'_>,
    items: &[T],
    threads: usize,
    work: impl Fn(&T, &mut Watch<'_>) -> R + Send + Sync,
) -> PyResult<Vec<R>> {
    detached(py, |watch| map_watched(items, threads, &work, watch))
}

/// The threads end with the call: none is left for a fork to lose.
fn map_watched<T: Sync, R: Clone + Default + Send>(
    items: &[T],
    threads: usize,
    work: &(impl Fn(&T, &mut Watch<'_>) -> R + Sync),
    watch: &mut Watch<'_>,
) -> Vec<R> {
    let mut results = vec![R::default(); items.len()];
    let size = (items.len() / (8 * threads)).clamp(1, MAX_TAKEN);
    let chunks = Mutex::new(items.chunks(size).zip(results.chunks_mut(size)));
    let take = || chunks.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).next();
    let run = |watch: &mut Watch<'_>| {
        while let Some((items, results)) = take().filter(|_| watch.goes_on(0)) {
            for (item, result) in items.iter().zip(results) {
                *result = work(item, watch);
            }
        }
    };
    let ended = watch.ended;
    thread::scope(|scope| {
        // Nothing is sent: the channel closes when all threads have ended.
        let (sender, receiver) = channel::<()>();
        for _ in 1..threads.min(items.len().div_ceil(size)) {
            let sender = sender.clone();
            let run = move || {
                let _open = sender;
                run(&mut Watch { ended, error: None, bytes: 0 });
            };
            // Where the system allows no more threads, the others do the work.
            if thread::Builder::new().spawn_scoped(scope, run).is_err() {
                break;
            }
        }
        drop(sender);
        run(watch);
        while receiver.recv_timeout(Duration::from_millis(20)) == Err(RecvTimeoutError::Timeout) {
            watch.handle_signals();
        }
    });
    results
}
