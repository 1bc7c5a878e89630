// SPDX-License-Identifier: MIT
//! Steps 9 and 10: fingerprints as Python objects, and their comparison.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyString};
use simhash_doc::{Error, Label, Verdict};

use crate::errors::{refused, wrong_type};

type Bits = simhash_doc::Fingerprint;

/// Reads a label in any case (LAB-2).
pub fn read_label(value: &Bound<'_, PyAny>) -> PyResult<Label> {
    let text = read_string("label", value)?;
    text.parse().map_err(|error| {
        let labels = Label::ALL.map(Label::as_str).join(", ");
        refused(value.py(), error, format!("label: expected one of {labels}; got {}", quote(&text)))
    })
}

/// A string; lone surrogates become U+FFFD, which no form of a fingerprint and no label has.
fn read_string<'a>(place: &str, value: &'a Bound<'_, PyAny>) -> PyResult<Cow<'a, str>> {
    match value.cast::<PyString>() {
        Ok(text) => Ok(text.to_string_lossy()),
        Err(_) => Err(wrong_type(place, "str", value)),
    }
}

/// A string as part of a message, cut where it is long.
fn quote(text: &str) -> String {
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// Reads the labelled form.
fn read_labelled(place: &str, value: &Bound<'_, PyAny>) -> PyResult<Bits> {
    let text = read_string(place, value)?;
    text.parse().map_err(|error| {
        let expected = match error {
            Error::InvalidLabel => "a registered label, a colon and a fingerprint",
            _ => "13 characters of base32 behind the label, or 52 behind minhash-doc-256",
        };
        refused(value.py(), error, format!("{place}: expected {expected}; got {}", quote(&text)))
    })
}

/// Reads the bare or the hexadecimal form of a fingerprint.
fn read_form(
    text: &Bound<'_, PyAny>,
    label: &Bound<'_, PyAny>,
    read: fn(Label, &str) -> Result<Bits, Error>,
    (short, long): (usize, usize),
    digits: &str,
) -> PyResult<Fingerprint> {
    let label = read_label(label)?;
    let string = read_string("text", text)?;
    let found = read(label, &string).map_err(|error| {
        let length = if label.words() == 1 { short } else { long };
        let message = format!("text: expected a fingerprint of {length} {digits}; got {}", quote(&string));
        refused(text.py(), error, message)
    })?;
    Ok(Fingerprint(found))
}

/// A fingerprint with its label.
#[pyclass(frozen, eq, ord, hash, module = "simhash_doc")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(pub Bits);

#[pymethods]
impl Fingerprint {
    /// Reads the labelled form.
    #[staticmethod]
    fn parse(text: &Bound<'_, PyAny>) -> PyResult<Fingerprint> {
        read_labelled("text", text).map(Fingerprint)
    }

    /// Reads the bare form: 13 or 52 characters of base32, in any case.
    #[staticmethod]
    #[pyo3(signature = (text, label))]
    fn from_bare(text: &Bound<'_, PyAny>, label: &Bound<'_, PyAny>) -> PyResult<Fingerprint> {
        read_form(text, label, Bits::from_bare, (13, 52), "characters of base32")
    }

    /// Reads 16 or 64 hexadecimal digits.
    #[staticmethod]
    #[pyo3(signature = (text, label))]
    fn from_hex(text: &Bound<'_, PyAny>, label: &Bound<'_, PyAny>) -> PyResult<Fingerprint> {
        read_form(text, label, Bits::from_hex, (16, 64), "hexadecimal digits")
    }

    /// Reads 8 or 32 bytes in network byte order.
    #[staticmethod]
    #[pyo3(signature = (data, label))]
    fn from_bytes(data: &Bound<'_, PyAny>, label: &Bound<'_, PyAny>) -> PyResult<Fingerprint> {
        let label = read_label(label)?;
        let bytes = data.cast::<PyBytes>().map_err(|_| wrong_type("data", "bytes", data))?.as_bytes();
        let found = Bits::from_bytes(label, bytes).map_err(|error| {
            let message = format!("data: expected {} bytes; got {}", 8 * label.words(), bytes.len());
            refused(data.py(), error, message)
        })?;
        Ok(Fingerprint(found))
    }

    /// The label.
    #[getter]
    fn label(&self) -> &'static str {
        self.0.label().as_str()
    }

    /// The characters without the label.
    #[getter]
    fn bare(&self) -> String {
        self.0.to_bare()
    }

    /// 16 or 64 hexadecimal digits.
    #[getter]
    fn hex(&self) -> String {
        self.0.to_hex()
    }

    /// The fingerprint under minhash-doc of one under minhash-doc-256.
    fn truncate(&self, py: Python<'_>) -> PyResult<Fingerprint> {
        let found = self.0.truncate().map_err(|error| {
            refused(py, error, format!("expected a fingerprint of minhash-doc-256; got {}", self.label()))
        })?;
        Ok(Fingerprint(found))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Fingerprint.parse('{}')", self.0)
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_bytes())
    }

    fn __int__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.get_type::<PyInt>().call_method1("from_bytes", (PyBytes::new(py, &self.0.to_bytes()), "big"))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr("parse")?, (slf.get().__str__(),)))
    }
}

/// The answer of [`compare`].
#[pyclass(frozen, eq, get_all, module = "simhash_doc")]
#[derive(Clone, Copy, PartialEq)]
pub struct Comparison {
    distance: u32,
    similarity: f64,
    verdict: &'static str,
}

#[pymethods]
impl Comparison {
    fn __repr__(&self) -> String {
        let Comparison { distance, similarity, verdict } = self;
        format!("Comparison(distance={distance}, similarity={similarity:?}, verdict='{verdict}')")
    }
}

/// An operand of [`compare`]: a fingerprint or its labelled form.
fn read_operand(place: &str, value: &Bound<'_, PyAny>) -> PyResult<Bits> {
    if let Ok(fingerprint) = value.cast::<Fingerprint>() {
        return Ok(fingerprint.get().0);
    }
    if value.is_none() {
        let message = format!("{place}: expected a fingerprint; got None, a document without one");
        return Err(refused(value.py(), Error::NoFingerprint, message));
    }
    if !value.is_instance_of::<PyString>() {
        return Err(wrong_type(place, "Fingerprint or its labelled form, a str", value));
    }
    read_labelled(place, value)
}

/// An operand of [`distance`] without a label: 8 or 32 bytes, or a number of 64 bits.
fn read_bits(place: &str, value: &Bound<'_, PyAny>) -> PyResult<Bits> {
    let out_of_range = |got: String| {
        let message = format!("{place}: expected 8 or 32 bytes, or an int of 0 to 2**64 - 1; got {got}");
        refused(value.py(), Error::OutOfRange, message)
    };
    if let Ok(bytes) = value.cast::<PyBytes>() {
        let bytes = bytes.as_bytes();
        let label = if bytes.len() == 32 { Label::MinhashDoc256 } else { Label::SimhashDoc };
        return Bits::from_bytes(label, bytes).map_err(|_| out_of_range(format!("{} bytes", bytes.len())));
    }
    // Also the integers of NumPy.
    let Ok(number) = value.call_method0("__index__") else {
        return Err(wrong_type(place, "Fingerprint, str, bytes or int", value));
    };
    let word: u64 = number.extract().map_err(|_| out_of_range(number.to_string()))?;
    Bits::new(Label::SimhashDoc, &[word]).map_err(|_| out_of_range(number.to_string()))
}

fn compare_bits(py: Python<'_>, a: Bits, b: Bits) -> PyResult<simhash_doc::Comparison> {
    simhash_doc::compare(Some(a), Some(b)).map_err(|error| {
        let message = format!("b: expected a fingerprint of {} like a; got one of {}", a.label(), b.label());
        refused(py, error, message)
    })
}

/// Compares two fingerprints of one label (step 10).
#[pyfunction]
pub fn compare(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<Comparison> {
    let (a_bits, b_bits) = (read_operand("a", a)?, read_operand("b", b)?);
    let found = compare_bits(a.py(), a_bits, b_bits)?;
    let verdict = match found.verdict {
        Verdict::Close => "close",
        Verdict::Loose => "loose",
        Verdict::None => "none",
    };
    Ok(Comparison { distance: found.distance, similarity: found.similarity, verdict })
}

/// Counts the bits in which two fingerprints differ (CMP-3).
#[pyfunction]
pub fn distance(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<u32> {
    let read = |place, value: &Bound<'_, PyAny>| {
        let has_label = value.is_instance_of::<Fingerprint>() || value.is_instance_of::<PyString>() || value.is_none();
        let bits = if has_label { read_operand(place, value)? } else { read_bits(place, value)? };
        PyResult::Ok((bits, has_label))
    };
    let ((a_bits, a_has_label), (b_bits, b_has_label)) = (read("a", a)?, read("b", b)?);
    if a_has_label != b_has_label {
        let expected = if a_has_label { "a fingerprint with a label, like a" } else { "bytes or int, like a" };
        return Err(wrong_type("b", expected, b));
    }
    if !a_has_label && a_bits.label() != b_bits.label() {
        let message = "b: expected as many bits as a; one has 64 and the other 256".to_owned();
        return Err(refused(a.py(), Error::LabelMismatch, message));
    }
    Ok(compare_bits(a.py(), a_bits, b_bits)?.distance)
}
