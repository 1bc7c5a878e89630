// SPDX-License-Identifier: MIT
//! Steps 9 and 10: fingerprints as Python objects, and their comparison.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyInt, PyList, PyMemoryView, PyString, PyTuple};
use simhash_doc::{Error, Label, Verdict};

use crate::errors::{refused, wrong_type};

type Bits = simhash_doc::Fingerprint;

/// The number of words of 64 bits in the longest fingerprint.
const MAX_WORDS: usize = 4;

/// Reads a label in any case (LAB-2).
pub fn read_label(value: &Bound<'_, PyAny>) -> PyResult<Label> {
    let text = read_string("label", value)?;
    text.parse().map_err(|error| {
        let labels = Label::ALL.map(Label::as_str).join(", ");
        refused(value.py(), error, format!("label: expected one of {labels}; got {}", quote(&text)))
    })
}

/// An argument for a label that has a default. `None` is not the default but a value of the wrong type.
#[derive(Default)]
pub enum LabelArgument<'py> {
    #[default]
    Missing,
    Given(Bound<'py, PyAny>),
}

impl<'py> FromPyObject<'_, 'py> for LabelArgument<'py> {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<LabelArgument<'py>> {
        Ok(LabelArgument::Given(value.to_owned()))
    }
}

impl LabelArgument<'_> {
    pub fn read(&self) -> PyResult<Label> {
        match self {
            LabelArgument::Missing => Ok(Label::default()),
            LabelArgument::Given(value) => read_label(value),
        }
    }
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

/// A copy of the bytes of an object that may change while other threads read them; none for one without any.
pub fn read_buffer<'py>(value: &Bound<'py, PyAny>) -> Option<PyResult<Bound<'py, PyBytes>>> {
    let has_bytes = value.is_instance_of::<PyByteArray>() || value.is_instance_of::<PyMemoryView>();
    has_bytes.then(|| Ok(value.py().get_type::<PyBytes>().call1((value,))?.cast_into()?))
}

/// Bytes, or a copy of those of a bytearray or memoryview; none for another object.
fn read_bytes<'py>(value: &Bound<'py, PyAny>) -> Option<PyResult<Bound<'py, PyBytes>>> {
    match value.cast::<PyBytes>() {
        Ok(bytes) => Some(Ok(bytes.clone())),
        Err(_) => read_buffer(value),
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

/// 64 or 256 bits with their label. It can be compared, hashed, ordered and pickled.
///
/// `str` is the labelled form, `bytes` are 8 or 32 in network byte order, `int` is their number.
#[pyclass(frozen, eq, ord, hash, module = "simhash_doc")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(pub Bits);

#[pymethods]
impl Fingerprint {
    /// Reads the labelled form, such as "minhash-doc:EZEFOEQ2U2YJ6" (LAB-4).
    #[staticmethod]
    fn parse(text: &Bound<'_, PyAny>) -> PyResult<Fingerprint> {
        read_labelled("text", text).map(Fingerprint)
    }

    /// Reads the bare form: 13 or 52 characters of base32, in any case (SER-2).
    #[staticmethod]
    #[pyo3(signature = (text, label))]
    fn from_bare(text: &Bound<'_, PyAny>, label: &Bound<'_, PyAny>) -> PyResult<Fingerprint> {
        read_form(text, label, Bits::from_bare, (13, 52), "characters of base32")
    }

    /// Reads 16 or 64 hexadecimal digits (SER-6).
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
        let copy = read_bytes(data).unwrap_or_else(|| Err(wrong_type("data", "bytes", data)))?;
        let bytes = copy.as_bytes();
        let found = Bits::from_bytes(label, bytes).map_err(|error| {
            let message = format!("data: expected {} bytes; got {}", 8 * label.words(), bytes.len());
            refused(data.py(), error, message)
        })?;
        Ok(Fingerprint(found))
    }

    /// Reads a number of 64 or 256 bits, such as an item of `fingerprint_array`.
    #[staticmethod]
    #[pyo3(signature = (number, label))]
    fn from_int(number: &Bound<'_, PyAny>, label: &Bound<'_, PyAny>) -> PyResult<Fingerprint> {
        let label = read_label(label)?;
        let words = read_number("number", "int", label.words(), number)?;
        let found = Bits::new(label, &words[MAX_WORDS - label.words()..]);
        Ok(Fingerprint(found.map_err(|error| refused(number.py(), error, "number".to_owned()))?))
    }

    /// The label.
    #[getter]
    fn label(&self) -> &'static str {
        self.0.label().as_str()
    }

    /// The 13 or 52 characters without the label (SER-1).
    #[getter]
    fn bare(&self) -> String {
        self.0.to_bare()
    }

    /// 16 or 64 hexadecimal digits (SER-6).
    #[getter]
    fn hex(&self) -> String {
        self.0.to_hex()
    }

    /// The fingerprint of the same document under minhash-doc, of one under minhash-doc-256 (MIN-8).
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

    fn __format__<'py>(&self, py: Python<'py>, spec: &str) -> PyResult<Bound<'py, PyAny>> {
        PyString::new(py, &self.__str__()).call_method1("__format__", (spec,))
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

/// An operand of [`compare`]: a fingerprint or its labelled form.
pub fn read_operand(place: &str, value: &Bound<'_, PyAny>) -> PyResult<Bits> {
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

/// Reads a number of 64 bits for each of the words, as four words.
fn read_number(place: &str, expected: &str, words: usize, value: &Bound<'_, PyAny>) -> PyResult<[u64; MAX_WORDS]> {
    // Also the integers of NumPy.
    let number = value.call_method0("__index__").map_err(|_| wrong_type(place, expected, value))?;
    let bytes = number.call_method1("to_bytes", (8 * words, "big")).map_err(|_| {
        let message = format!("{place}: expected an int of 0 to 2**{} - 1; got {number}", 64 * words);
        refused(value.py(), Error::OutOfRange, message)
    })?;
    let mut all = [0; MAX_WORDS];
    for (word, eight) in all[MAX_WORDS - words..].iter_mut().zip(bytes.cast::<PyBytes>()?.as_bytes().chunks_exact(8)) {
        *word = u64::from_be_bytes(eight.try_into().unwrap_or_default());
    }
    Ok(all)
}

/// The bytes of a row of `fingerprint_array`, or of a list of them; none for another object.
fn read_row<'py>(place: &str, value: &Bound<'py, PyAny>) -> Option<PyResult<Bound<'py, PyBytes>>> {
    let is_array = value.getattr("shape").and_then(|shape| shape.len()).is_ok_and(|axes| axes == 1);
    let list = match value.getattr("tolist") {
        Ok(to_list) if is_array => to_list.call0(),
        _ if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() => Ok(value.clone()),
        _ => return None,
    };
    let read = |list: Bound<'py, PyAny>| {
        if list.try_iter()?.any(|item| item.is_ok_and(|item| item.is_none())) {
            let message = format!("{place}: expected a fingerprint; got a masked row, a document without one");
            return Err(refused(value.py(), Error::NoFingerprint, message));
        }
        let bytes = value.py().get_type::<PyBytes>().call1((list,));
        Ok(bytes.map_err(|_| wrong_type(place, "bytes, or 8 or 32 numbers of 0 to 255", value))?.cast_into()?)
    };
    Some(list.and_then(read))
}

/// An operand of [`distance`] without a label: 8 or 32 bytes, or a number of up to 256 bits. The length is that of the
/// bytes; a number has none.
fn read_bits(place: &str, value: &Bound<'_, PyAny>) -> PyResult<([u64; MAX_WORDS], Option<usize>)> {
    let Some(bytes) = read_bytes(value).or_else(|| read_row(place, value)) else {
        let is_word = value.getattr_opt("dtype")?.is_some();
        return Ok((read_number(place, "Fingerprint, str, bytes or int", MAX_WORDS, value)?, is_word.then_some(8)));
    };
    let bytes = bytes?;
    let length = bytes.as_bytes().len();
    if length != 8 && length != 32 {
        let message = format!("{place}: expected 8 or 32 bytes, or an int; got {length} bytes");
        return Err(refused(value.py(), Error::OutOfRange, message));
    }
    let number = value.py().get_type::<PyInt>().call_method1("from_bytes", (bytes, "big"))?;
    Ok((read_number(place, "int", MAX_WORDS, &number)?, Some(length)))
}

fn compare_bits(py: Python<'_>, a: Bits, b: Bits) -> PyResult<simhash_doc::Comparison> {
    simhash_doc::compare(Some(a), Some(b)).map_err(|error| {
        let message = format!("b: expected a fingerprint of {} like a; got one of {}", a.label(), b.label());
        refused(py, error, message)
    })
}

/// Compares two fingerprints of one label (step 10): their distance, similarity and verdict.
#[pyfunction]
pub fn compare_values(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<(u32, f64, &'static str)> {
    let (a_bits, b_bits) = if has_label(a) || has_label(b) {
        (read_operand("a", a)?, read_operand("b", b)?)
    } else {
        let (a_words, b_words, length) = read_both(a, b)?;
        let label = if length == 8 { Label::MinhashDoc } else { Label::MinhashDoc256 };
        let read = |words: [u64; MAX_WORDS]| {
            let bits = Bits::new(label, &words[MAX_WORDS - label.words()..]);
            bits.map_err(|error| refused(a.py(), error, "a".to_owned()))
        };
        (read(a_words)?, read(b_words)?)
    };
    let found = compare_bits(a.py(), a_bits, b_bits)?;
    let verdict = match found.verdict {
        Verdict::Close => "close",
        Verdict::Loose => "loose",
        Verdict::None => "none",
    };
    Ok((found.distance, found.similarity, verdict))
}

/// Counts the bits in which two fingerprints differ (CMP-3).
///
/// a, b: both with a label, as for compare; or both without, as 8 or 32 bytes, a row of fingerprint_array or a list of them,
/// or an int of up to 256 bits.
///
/// Raises SimhashDocError if one is malformed or None, or if they have different labels or lengths.
#[pyfunction]
pub fn distance(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<u32> {
    match (has_label(a), has_label(b)) {
        (true, true) => Ok(compare_bits(a.py(), read_operand("a", a)?, read_operand("b", b)?)?.distance),
        (false, false) => distance_of_bits(a, b),
        (true, false) => Err(wrong_type("b", "a fingerprint with a label, like a", b)),
        (false, true) => Err(wrong_type("b", "bytes or int, like a", b)),
    }
}

fn has_label(value: &Bound<'_, PyAny>) -> bool {
    value.is_instance_of::<Fingerprint>() || value.is_instance_of::<PyString>() || value.is_none()
}

fn distance_of_bits(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<u32> {
    let (a_words, b_words, _) = read_both(a, b)?;
    Ok(a_words.iter().zip(b_words).map(|(&a, b)| simhash_doc::steps::distance(a, b)).sum())
}

type Both = ([u64; MAX_WORDS], [u64; MAX_WORDS], usize);

/// Two operands without a label, and their number of bytes: 8 for numbers of 64 bits.
fn read_both(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<Both> {
    let ((a_words, a_length), (b_words, b_length)) = (read_bits("a", a)?, read_bits("b", b)?);
    let length = a_length.or(b_length);
    let exceeds = |words: [u64; MAX_WORDS]| length == Some(8) && words[..MAX_WORDS - 1] != [0; MAX_WORDS - 1];
    if b_length.is_some() && b_length != length || exceeds(a_words) || exceeds(b_words) {
        let message = "b: expected as many bits as a; one has 64 and the other 256".to_owned();
        return Err(refused(a.py(), Error::LabelMismatch, message));
    }
    let is_short = |words: [u64; MAX_WORDS]| words[..MAX_WORDS - 1] == [0; MAX_WORDS - 1];
    let guess = if is_short(a_words) && is_short(b_words) { 8 } else { 32 };
    Ok((a_words, b_words, length.unwrap_or(guess)))
}
