// SPDX-License-Identifier: MIT
//! Many documents at once, in several threads.

use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyString};
use simhash_doc::Label;

use crate::errors::wrong_type;
use crate::fingerprint::{read_label, Fingerprint, LabelArgument};
use crate::text::Text;
use crate::threads::{map, read_threads};

/// Signals are handled after so many items that are read from an iterator.
const BETWEEN_SIGNALS_OF_ITEMS: usize = 1 << 16;

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
    let read = |(i, item): (usize, PyResult<Bound<'_, PyAny>>)| {
        if i % BETWEEN_SIGNALS_OF_ITEMS == 0 {
            texts.py().check_signals()?; // an iterator that is not written in Python handles none
        }
        Text::read(&item?, || format!("texts[{i}]"))
    };
    let texts_read = items.enumerate().map(read).collect::<PyResult<Vec<Option<Text>>>>()?;
    map(texts.py(), &texts_read, threads, |text, watch| watch.fingerprint(text.as_ref()?.as_bytes(), label))
}

/// Computes the fingerprints of many documents in several threads, without the lock of the interpreter.
///
/// texts: all are read before the first is computed. None, NaN and pandas.NA have no fingerprint.
/// label: one of LABELS, in any case.
/// threads: how many to use at most; one for each processor if None.
///
/// Raises TypeError for an item of another type, and SimhashDocError for an unknown label or a number below 1.
#[pyfunction]
#[pyo3(signature = (texts, label = LabelArgument::default(), threads = None), text_signature = "(texts, label='simhash-doc', threads=None)")]
pub fn fingerprints(
    texts: &Bound<'_, PyAny>,
    label: LabelArgument<'_>,
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Option<Fingerprint>>> {
    let label = label.read()?;
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
