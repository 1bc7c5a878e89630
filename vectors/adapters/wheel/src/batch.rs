// SPDX-License-Identifier: MIT
//! Many documents at once, in several threads.

use std::sync::Mutex;
use std::thread;

use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyString};
use simhash_doc::{Error, Label};

use crate::errors::{refused, wrong_type};
use crate::fingerprint::{read_label, Fingerprint};
use crate::text::Text;

/// The most documents that a thread takes at a time.
const MAX_TAKEN: usize = 64;

/// Signals are handled after so many documents.
const BETWEEN_SIGNALS: usize = 4096;

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

/// Applies a function to all items, without the lock of the interpreter.
///
/// # Errors
/// That of a signal, such as an interrupt from the keyboard, which ends the work soon.
pub fn map<T: Sync, R: Clone + Default + Send>(
    py: Python<'_>,
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> R + Send + Sync,
) -> PyResult<Vec<R>> {
    let mut results = Vec::with_capacity(items.len());
    for part in items.chunks(BETWEEN_SIGNALS) {
        results.append(&mut py.detach(|| map_part(part, threads, &work)));
        py.check_signals()?;
    }
    Ok(results)
}

/// The threads end with the call: none is left for a fork to lose.
fn map_part<T: Sync, R: Clone + Default + Send>(
    items: &[T],
    threads: usize,
    work: &(impl Fn(&T) -> R + Sync),
) -> Vec<R> {
    let mut results = vec![R::default(); items.len()];
    let size = (items.len() / (8 * threads)).clamp(1, MAX_TAKEN);
    let chunks = Mutex::new(items.chunks(size).zip(results.chunks_mut(size)));
    let take = || chunks.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).next();
    let run = || {
        while let Some((items, results)) = take() {
            for (item, result) in items.iter().zip(results) {
                *result = work(item);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(items.len().div_ceil(size)) {
            // Where the system allows no more threads, the others do the work.
            if thread::Builder::new().spawn_scoped(scope, run).is_err() {
                break;
            }
        }
        run();
    });
    results
}

/// The fingerprints of the documents that an iterable of Python yields.
fn fingerprint_all(
    texts: &Bound<'_, PyAny>,
    label: Label,
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Option<simhash_doc::Fingerprint>>> {
    let threads = read_threads(threads)?;
    // A string is iterable, and a document for each of its characters is not what anyone means.
    let is_one = texts.is_instance_of::<PyString>() || texts.is_instance_of::<PyBytes>();
    let Some(items) = texts.try_iter().ok().filter(|_| !is_one) else {
        return Err(wrong_type("texts", "an iterable of texts", texts));
    };
    let read = |(i, item): (usize, PyResult<Bound<'_, PyAny>>)| Text::read(&item?, || format!("texts[{i}]"));
    let texts_read = items.enumerate().map(read).collect::<PyResult<Vec<Option<Text>>>>()?;
    map(texts.py(), &texts_read, threads, |text| text.as_ref()?.fingerprint(label))
}

/// The fingerprints of many documents, in their order; None for None, and for a document without tokens.
#[pyfunction]
#[pyo3(signature = (texts, label = None, threads = None), text_signature = "(texts, label='simhash-doc', threads=None)")]
pub fn fingerprints(
    texts: &Bound<'_, PyAny>,
    label: Option<&Bound<'_, PyAny>>,
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Option<Fingerprint>>> {
    let label = label.map_or(Ok(Label::default()), read_label)?;
    let found = fingerprint_all(texts, label, threads)?;
    Ok(found.into_iter().map(|found| found.map(Fingerprint)).collect())
}

/// The same as bytes: 8 in the order of the machine or 32 in network byte order for each document, and a byte that is 1
/// for a document without a fingerprint.
#[pyfunction]
pub fn fingerprint_words<'py>(
    texts: &Bound<'py, PyAny>,
    label: &Bound<'py, PyAny>,
    threads: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Bound<'py, PyByteArray>, Bound<'py, PyByteArray>)> {
    let label = read_label(label)?;
    let found = fingerprint_all(texts, label, threads)?;
    let mut bytes = Vec::with_capacity(found.len() * 8 * label.words());
    for each in &found {
        match each.as_ref().map(|found| found.words()) {
            None => bytes.resize(bytes.len() + 8 * label.words(), 0),
            Some([word]) => bytes.extend(word.to_ne_bytes()),
            Some(words) => bytes.extend(words.iter().flat_map(|word| word.to_be_bytes())),
        }
    }
    let missing: Vec<u8> = found.iter().map(|found| found.is_none().into()).collect();
    Ok((PyByteArray::new(texts.py(), &bytes), PyByteArray::new(texts.py(), &missing)))
}
