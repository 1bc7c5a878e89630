// SPDX-License-Identifier: MIT
//! Texts of Python, and the fingerprint of one.

use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyBytes, PyFloat, PyString};
use simhash_doc::steps::decode_utf16;
use simhash_doc::Label;

use crate::errors::wrong_type;
use crate::fingerprint::{read_buffer, Fingerprint, LabelArgument};
use crate::threads::detached;

/// From so many bytes on, the lock of the interpreter is released: for less, that takes longer than it gains.
const LARGE: usize = 2048;

/// A document. It keeps the Python object, so that other threads can read it without the lock of the interpreter.
pub enum Text {
    Str(PyBackedStr),
    Bytes(PyBackedBytes),
    /// A text that had surrogates.
    Decoded(String),
}

impl Text {
    /// Reads a document; one that is missing has no fingerprint.
    pub fn read(value: &Bound<'_, PyAny>, place: impl Fn() -> String) -> PyResult<Option<Text>> {
        if value.is_none() {
            return Ok(None);
        }
        match Text::read_some(value) {
            Some(text) => text.map(Some),
            None if is_missing(value)? => Ok(None),
            None => Err(wrong_type(&place(), "str, bytes or None", value)),
        }
    }

    /// Reads a document that is not `None`; none for an object of another type.
    pub fn read_some(value: &Bound<'_, PyAny>) -> Option<PyResult<Text>> {
        if let Ok(string) = value.cast::<PyString>() {
            return Some(match PyBackedStr::try_from(string.clone()) {
                Ok(text) => Ok(Text::Str(text)),
                Err(_) => to_units(string).map(|units| Text::Decoded(decode_utf16(&units))),
            });
        }
        if let Ok(bytes) = value.cast::<PyBytes>() {
            return Some(Ok(Text::Bytes(bytes.clone().into())));
        }
        read_buffer(value).map(|bytes| Ok(Text::Bytes(bytes?.into())))
    }

    /// The document as UTF-8. A byte order mark at the start of a string is deleted in any case (CLS-5, NRM-2).
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Text::Str(text) => text.as_bytes(),
            Text::Bytes(bytes) => bytes,
            Text::Decoded(text) => text.as_bytes(),
        }
    }
}

/// True for NaN and `pandas.NA`, which stand for missing strings.
fn is_missing(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    if let Ok(number) = value.cast::<PyFloat>() {
        return Ok(number.value().is_nan());
    }
    match value.py().import("sys")?.getattr("modules")?.get_item("pandas") {
        Ok(pandas) => Ok(pandas.getattr_opt("NA")?.is_some_and(|missing| missing.is(value))),
        Err(_) => Ok(false),
    }
}

/// The 16-bit units of a string that holds surrogates.
fn to_units(string: &Bound<'_, PyString>) -> PyResult<Vec<u16>> {
    let encoded = string.call_method1("encode", ("utf-16-le", "surrogatepass"))?;
    let bytes = encoded.cast::<PyBytes>()?.as_bytes();
    Ok(bytes.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]])).collect())
}

/// Computes the fingerprint of a document (steps 1 to 9), or None if it has no tokens (SIM-1, MIN-6).
///
/// text: a str, or bytes in UTF-8. Lone surrogates and ill-formed UTF-8 are read as U+FFFD (DEC-2, DEC-4).
/// label: one of LABELS, in any case.
///
/// Raises TypeError for another type, and SimhashDocError for an unknown label.
#[pyfunction]
#[pyo3(signature = (text, label = LabelArgument::default()), text_signature = "(text, label='simhash-doc')")]
pub fn fingerprint(py: Python<'_>, text: &Bound<'_, PyAny>, label: LabelArgument<'_>) -> PyResult<Option<Fingerprint>> {
    let expected = || Err(wrong_type("text", "str or bytes", text));
    let document = Text::read_some(text).unwrap_or_else(expected)?;
    let label = label.read()?;
    let bytes = document.as_bytes();
    let found = if bytes.len() < LARGE {
        simhash_doc::fingerprint_bytes(bytes, label)
    } else {
        detached(py, |watch| watch.fingerprint(bytes, label))?
    };
    Ok(found.map(Fingerprint))
}

/// The kind of the parts of a document.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Str,
    Bytes,
}

/// The fingerprint of a document that comes in parts, in memory bounded by its longest passage without white space.
///
/// Two threads that call one at the same time get a RuntimeError. After an exception, begin again with another one.
#[pyclass(module = "simhash_doc")]
#[derive(Clone)]
pub struct Fingerprinter {
    parts: simhash_doc::Fingerprinter,
    label: Label,
    kind: Option<Kind>,
    /// A leading surrogate at the end of the last part, which may make a pair with the next one (DEC-4).
    waiting: Option<u16>,
}

#[pymethods]
impl Fingerprinter {
    #[new]
    #[pyo3(signature = (label = LabelArgument::default()), text_signature = "(label='simhash-doc')")]
    fn new(label: LabelArgument<'_>) -> PyResult<Fingerprinter> {
        let label = label.read()?;
        Ok(Fingerprinter { parts: simhash_doc::Fingerprinter::new(label), label, kind: None, waiting: None })
    }

    /// The label.
    #[getter]
    fn label(&self) -> &'static str {
        self.label.as_str()
    }

    /// Takes the next part, cut anywhere, and returns the fingerprinter. All parts are str, or all are bytes.
    fn update<'py>(mut slf: PyRefMut<'py, Self>, part: &Bound<'py, PyAny>) -> PyResult<PyRefMut<'py, Self>> {
        let is_str = part.is_instance_of::<PyString>();
        let expected = match slf.kind {
            None => "str or bytes",
            Some(Kind::Str) => "str like the parts before",
            Some(Kind::Bytes) => "bytes like the parts before",
        };
        let kind = if is_str { Kind::Str } else { Kind::Bytes };
        if slf.kind.is_some_and(|before| before != kind) {
            return Err(wrong_type("part", expected, part));
        }
        let mut text = Text::read_some(part).unwrap_or_else(|| Err(wrong_type("part", expected, part)))?;
        slf.kind = Some(kind);
        if is_str && (slf.waiting.is_some() || matches!(text, Text::Decoded(_))) {
            let mut units: Vec<u16> = slf.waiting.take().into_iter().collect();
            units.extend(to_units(part.cast()?)?);
            slf.waiting = units.pop_if(|unit| (0xD800..0xDC00).contains(unit));
            text = Text::Decoded(decode_utf16(&units));
        }
        slf.add(part.py(), &text)?;
        Ok(slf)
    }

    /// The fingerprint of all parts so far, or None if they have no tokens. More parts may follow.
    fn digest(&self, py: Python<'_>) -> Option<Fingerprint> {
        let mut parts = self.parts.clone();
        if self.waiting.is_some() {
            parts.update("\u{FFFD}".as_bytes());
        }
        py.detach(|| parts.finish()).map(Fingerprint)
    }

    /// A fingerprinter of the same parts, to which others can be added.
    fn copy(&self) -> Fingerprinter {
        self.clone()
    }
}

impl Fingerprinter {
    fn add(&mut self, py: Python<'_>, text: &Text) -> PyResult<()> {
        let (parts, bytes) = (&mut self.parts, text.as_bytes());
        if bytes.len() < LARGE {
            parts.update(bytes);
            return Ok(());
        }
        detached(py, |watch| watch.update(parts, bytes)).map(|_| ())
    }
}
