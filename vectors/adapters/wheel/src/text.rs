// SPDX-License-Identifier: MIT
//! Texts of Python, and the fingerprint of one.

use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyByteArray, PyBytes, PyString};
use simhash_doc::steps::decode_utf16;
use simhash_doc::Label;

use crate::errors::wrong_type;
use crate::fingerprint::{read_label, Fingerprint};

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
    /// Reads a document; `None` is one without a fingerprint.
    pub fn read(value: &Bound<'_, PyAny>, place: impl Fn() -> String) -> PyResult<Option<Text>> {
        if value.is_none() {
            return Ok(None);
        }
        Text::read_some(value).unwrap_or_else(|| Err(wrong_type(&place(), "str, bytes or None", value))).map(Some)
    }

    /// Reads a document that is not `None`; none for an object of another type.
    fn read_some(value: &Bound<'_, PyAny>) -> Option<PyResult<Text>> {
        if let Ok(string) = value.cast::<PyString>() {
            return Some(match PyBackedStr::try_from(string.clone()) {
                Ok(text) => Ok(Text::Str(text)),
                Err(_) => to_units(string).map(|units| Text::Decoded(decode_utf16(&units))),
            });
        }
        if let Ok(bytes) = value.cast::<PyBytes>() {
            return Some(Ok(Text::Bytes(bytes.clone().into())));
        }
        value.cast::<PyByteArray>().ok().map(|bytes| Ok(Text::Bytes(bytes.clone().into())))
    }

    fn len(&self) -> usize {
        match self {
            Text::Str(text) => text.len(),
            Text::Bytes(bytes) => bytes.len(),
            Text::Decoded(text) => text.len(),
        }
    }

    pub fn fingerprint(&self, label: Label) -> Option<simhash_doc::Fingerprint> {
        match self {
            Text::Str(text) => simhash_doc::fingerprint(text, label),
            Text::Bytes(bytes) => simhash_doc::fingerprint_bytes(bytes, label),
            Text::Decoded(text) => simhash_doc::fingerprint(text, label),
        }
    }
}

/// The 16-bit units of a string that holds surrogates.
fn to_units(string: &Bound<'_, PyString>) -> PyResult<Vec<u16>> {
    let encoded = string.call_method1("encode", ("utf-16-le", "surrogatepass"))?;
    let bytes = encoded.cast::<PyBytes>()?.as_bytes();
    Ok(bytes.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]])).collect())
}

/// The fingerprint of a text (steps 1 to 9), or `None` if it has no tokens.
#[pyfunction]
#[pyo3(signature = (text, label = None), text_signature = "(text, label='simhash-doc')")]
pub fn fingerprint(
    py: Python<'_>,
    text: &Bound<'_, PyAny>,
    label: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<Fingerprint>> {
    let expected = || Err(wrong_type("text", "str or bytes", text));
    let document = Text::read_some(text).unwrap_or_else(expected)?;
    let label = label.map_or(Ok(Label::default()), read_label)?;
    let found =
        if document.len() < LARGE { document.fingerprint(label) } else { py.detach(|| document.fingerprint(label)) };
    Ok(found.map(Fingerprint))
}

/// The kind of the parts of a document.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Str,
    Bytes,
}

/// The fingerprint of a document that comes in parts.
#[pyclass(module = "simhash_doc")]
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
    #[pyo3(signature = (label = None), text_signature = "(label='simhash-doc')")]
    fn new(label: Option<&Bound<'_, PyAny>>) -> PyResult<Fingerprinter> {
        let label = label.map_or(Ok(Label::default()), read_label)?;
        Ok(Fingerprinter { parts: simhash_doc::Fingerprinter::new(label), label, kind: None, waiting: None })
    }

    /// The label.
    #[getter]
    fn label(&self) -> &'static str {
        self.label.as_str()
    }

    /// Takes the next part, str or bytes, cut anywhere; returns the fingerprinter.
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
        slf.add(part.py(), &text);
        Ok(slf)
    }

    /// The fingerprint of all parts so far, or None if they have no tokens.
    fn digest(&self, py: Python<'_>) -> Option<Fingerprint> {
        let mut parts = self.parts.clone();
        if self.waiting.is_some() {
            parts.update("\u{FFFD}".as_bytes());
        }
        py.detach(|| parts.finish()).map(Fingerprint)
    }
}

impl Fingerprinter {
    fn add(&mut self, py: Python<'_>, text: &Text) {
        let bytes: &[u8] = match text {
            Text::Str(text) => text.as_bytes(),
            Text::Bytes(bytes) => bytes,
            Text::Decoded(text) => text.as_bytes(),
        };
        let parts = &mut self.parts;
        if bytes.len() < LARGE {
            parts.update(bytes);
        } else {
            py.detach(|| parts.update(bytes));
        }
    }
}
