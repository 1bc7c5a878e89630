// SPDX-License-Identifier: MIT
//! Columns of Arrow, through the C data interface and its PyCapsules.

use std::collections::HashMap;
use std::ffi::{c_int, CStr};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::ffi::{from_ffi, to_ffi, FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{ByteArrayType, ByteViewType};
use arrow_array::{downcast_integer, make_array, new_empty_array, AnyDictionaryArray, Array, ArrayRef};
use arrow_array::{FixedSizeBinaryArray, GenericByteArray, GenericByteViewArray, NullArray};
use arrow_buffer::{ArrowNativeType, Buffer, NullBuffer};
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, DataType};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use simhash_doc::{Fingerprint, Label};

use crate::errors::{wrong_type, wrong_type_named};
use crate::fingerprint::read_label;
use crate::threads::{map, read_threads, Watch};

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

fn failed(error: ArrowError) -> PyErr {
    PyValueError::new_err(format!("column: {error}"))
}

// ------------------------------------------------------------------------------------------------------ import

/// An array from its parts.
///
/// # Safety
/// As [`from_ffi`]: the array is of this schema.
unsafe fn make(array: FFI_ArrowArray, schema: &FFI_ArrowSchema) -> PyResult<ArrayRef> {
    if schema.format() == "n" {
        // Some libraries give such an array a buffer, which `from_ffi` refuses.
        return Ok(Arc::new(NullArray::new(array.len())));
    }
    // SAFETY: as above.
    Ok(make_array(unsafe { from_ffi(array, schema) }.map_err(failed)?))
}

/// The array in two capsules, which are empty after it.
fn import_array(schema: &Bound<'_, PyAny>, array: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let schema = schema.cast::<PyCapsule>()?.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
    let array = array.cast::<PyCapsule>()?.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
    // SAFETY: capsules of these names hold such a schema and such an array (Arrow PyCapsule interface).
    unsafe {
        let array = std::ptr::replace(array.as_ptr(), FFI_ArrowArray::empty());
        make(array, schema.as_ref())
    }
}

/// Calls a function of a stream, which returns 0 or the number of an error.
fn call_stream<T>(
    stream: &mut FFI_ArrowArrayStream,
    function: Option<unsafe extern "C" fn(*mut FFI_ArrowArrayStream, *mut T) -> c_int>,
    mut out: T,
) -> PyResult<T> {
    let function = function.ok_or_else(|| PyValueError::new_err("column: the stream is used up"))?;
    // SAFETY: the function is one of this stream, and `out` is empty.
    let code = unsafe { function(stream, &mut out) };
    if code == 0 {
        return Ok(out);
    }
    // SAFETY: the message is valid until the next call, and copied here.
    let message = stream.get_last_error().and_then(|last| unsafe {
        let message = last(stream);
        (!message.is_null()).then(|| CStr::from_ptr(message).to_string_lossy().into_owned())
    });
    Err(PyValueError::new_err(format!("column: {}", message.unwrap_or_else(|| format!("error {code}")))))
}

/// All arrays of the stream in a capsule, which is empty after it; an empty array of its type if there are none.
fn import_stream(capsule: &Bound<'_, PyAny>) -> PyResult<Vec<ArrayRef>> {
    let pointer = capsule.cast::<PyCapsule>()?.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: a capsule of this name holds such a stream (Arrow PyCapsule interface).
    let mut stream = unsafe { FFI_ArrowArrayStream::from_raw(pointer.as_ptr()) };
    let function = stream.get_schema();
    let schema = call_stream(&mut stream, function, FFI_ArrowSchema::empty())?;
    let mut arrays = Vec::new();
    loop {
        let function = stream.get_next();
        let array = call_stream(&mut stream, function, FFI_ArrowArray::empty())?;
        if array.is_released() {
            break;
        }
        // SAFETY: the array and the schema are of the same stream.
        arrays.push(unsafe { make(array, &schema) }?);
    }
    if arrays.is_empty() {
        arrays.push(new_empty_array(&DataType::try_from(&schema).map_err(failed)?));
    }
    Ok(arrays)
}

/// The arrays of an object with the Arrow PyCapsule interface, at least one.
pub fn import(column: &Bound<'_, PyAny>) -> PyResult<Vec<ArrayRef>> {
    if let Some(export) = column.getattr_opt("__arrow_c_array__")? {
        let (schema, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) = export.call0()?.extract()?;
        return Ok(vec![import_array(&schema, &array)?]);
    }
    match column.getattr_opt("__arrow_c_stream__")? {
        Some(export) => import_stream(&export.call0()?),
        None => Err(wrong_type("column", "an object with __arrow_c_array__ or __arrow_c_stream__", column)),
    }
}

// -------------------------------------------------------------------------------------------------------- texts

/// The texts of an array, as bytes because nobody has checked that they are UTF-8. Offsets are checked here: those of
/// another library may lead anywhere.
enum Texts<'a> {
    Short { offsets: &'a [i32], bytes: &'a [u8] },
    Long { offsets: &'a [i64], bytes: &'a [u8] },
    Views { views: &'a [u8], buffers: &'a [Buffer] },
    None,
}

impl<'a> Texts<'a> {
    /// The texts of an array; none of an array of another type.
    fn of(array: &'a ArrayRef) -> Option<Texts<'a>> {
        fn short<T: ByteArrayType<Offset = i32>>(array: &GenericByteArray<T>) -> Texts<'_> {
            Texts::Short { offsets: array.value_offsets(), bytes: array.value_data() }
        }
        fn long<T: ByteArrayType<Offset = i64>>(array: &GenericByteArray<T>) -> Texts<'_> {
            Texts::Long { offsets: array.value_offsets(), bytes: array.value_data() }
        }
        fn views<T: ByteViewType>(array: &GenericByteViewArray<T>) -> Texts<'_> {
            Texts::Views { views: array.views().inner().as_slice(), buffers: array.data_buffers() }
        }
        Some(match array.data_type() {
            DataType::Utf8 => short(array.as_string::<i32>()),
            DataType::Binary => short(array.as_binary::<i32>()),
            DataType::LargeUtf8 => long(array.as_string::<i64>()),
            DataType::LargeBinary => long(array.as_binary::<i64>()),
            DataType::Utf8View => views(array.as_string_view()),
            DataType::BinaryView => views(array.as_binary_view()),
            DataType::Null => Texts::None,
            _ => return None,
        })
    }

    /// The text in a row; none if that is not within the array.
    fn get(&self, row: usize) -> Option<&'a [u8]> {
        fn slice<'b, T: Copy + TryInto<usize>>(offsets: &[T], bytes: &'b [u8], row: usize) -> Option<&'b [u8]> {
            let place = |row: usize| (*offsets.get(row)?).try_into().ok();
            bytes.get(place(row)?..place(row + 1)?)
        }
        match self {
            Texts::Short { offsets, bytes } => slice(offsets, bytes, row),
            Texts::Long { offsets, bytes } => slice(offsets, bytes, row),
            Texts::Views { views, buffers } => {
                let view = views.get(16 * row..16 * row + 16)?;
                let field = |at: usize| view[at..at + 4].try_into().ok().map(|four| u32::from_ne_bytes(four) as usize);
                let (size, buffer, start) = (field(0)?, field(8)?, field(12)?);
                match size {
                    0..=12 => view.get(4..4 + size),
                    _ => buffers.get(buffer)?.get(start..start + size),
                }
            }
            Texts::None => None,
        }
    }
}

/// The exception for an array of another type.
fn not_text(py: Python<'_>, array: &ArrayRef) -> PyErr {
    let name = array.data_type().to_string();
    wrong_type_named(py, "column", "strings or binary, plain or in a dictionary", &name)
}

/// The texts of arrays; null is none.
pub fn texts_of<'a>(py: Python<'_>, arrays: &'a [ArrayRef]) -> PyResult<Vec<Option<&'a [u8]>>> {
    let mut all = Vec::new();
    for array in arrays {
        let (values, keys) = match array.as_any_dictionary_opt() {
            Some(dictionary) => (dictionary.values(), Some(keys_of(dictionary))),
            None => (array, None),
        };
        let texts = Texts::of(values).ok_or_else(|| not_text(py, array))?;
        for row in 0..array.len() {
            let place = keys.as_ref().map_or(Some(row), |keys| keys.get(row).copied());
            let place = place.filter(|&place| array.is_valid(row) && place < values.len() && values.is_valid(place));
            let text = place.and_then(|place| texts.get(place));
            if text.is_none() && place.is_some() && !matches!(texts, Texts::None) {
                return Err(PyValueError::new_err(format!("column: the offsets of row {row} are not within the text")));
            }
            all.push(text);
        }
    }
    Ok(all)
}

// ------------------------------------------------------------------------------------------------------ compute

/// The results for the documents of a column, some of which occur more than once.
pub struct Work<'a, R> {
    threads: usize,
    work: &'a (dyn Fn(&[u8], &mut Watch<'_>) -> R + Sync),
    /// The last dictionary with the results for its entries: the chunks of a column often share one.
    dictionary: Option<(ArrayData, HashMap<usize, R>)>,
}

impl<'a, R: Clone + Default + Send> Work<'a, R> {
    pub fn new(threads: usize, work: &'a (dyn Fn(&[u8], &mut Watch<'_>) -> R + Sync)) -> Work<'a, R> {
        Work { threads, work, dictionary: None }
    }

    /// An array for each chunk of a column, made of its results.
    pub fn of_column(
        mut self,
        column: &Bound<'_, PyAny>,
        to_array: impl Fn(&[R]) -> Result<ArrayRef, ArrowError>,
    ) -> PyResult<Vec<Chunk>> {
        let chunk = |array: &ArrayRef| {
            let rows: Vec<usize> = (0..array.len()).collect();
            to_array(&self.of_rows(column.py(), array, &rows)?).map(Chunk).map_err(failed)
        };
        import(column)?.iter().map(chunk).collect()
    }

    /// The results for some rows of an array; the default for null.
    fn of_rows(&mut self, py: Python<'_>, array: &ArrayRef, rows: &[usize]) -> PyResult<Vec<R>> {
        if matches!(array.data_type(), DataType::Dictionary(_, _)) {
            return self.of_dictionary(py, array, rows);
        }
        let texts = Texts::of(array).ok_or_else(|| not_text(py, array))?;
        let text = |&row: &usize| {
            let text = texts.get(row).filter(|_| array.is_valid(row));
            match text {
                None if array.is_valid(row) && !matches!(texts, Texts::None) => {
                    Err(PyValueError::new_err(format!("column: the offsets of row {row} are not within the text")))
                }
                _ => Ok(text),
            }
        };
        let texts = rows.iter().map(text).collect::<PyResult<Vec<_>>>()?;
        map(py, &texts, self.threads, |text, watch| text.map(|text| (self.work)(text, watch)).unwrap_or_default())
    }

    /// Only the entries that occur are computed, each once.
    fn of_dictionary(&mut self, py: Python<'_>, array: &ArrayRef, rows: &[usize]) -> PyResult<Vec<R>> {
        let dictionary = array.as_any_dictionary();
        let values = dictionary.values();
        let keys = keys_of(dictionary);
        let key = |&row: &usize| keys.get(row).filter(|_| array.is_valid(row));
        if let Some(row) = rows.iter().find(|row| key(row).is_some_and(|&key| key >= values.len())) {
            return Err(PyValueError::new_err(format!("column: the key of row {row} is not within the dictionary")));
        }
        let data = values.to_data();
        let mut known = match self.dictionary.take() {
            Some((last, known)) if last.ptr_eq(&data) => known,
            _ => HashMap::new(),
        };
        let mut missing: Vec<usize> =
            rows.iter().filter_map(key).filter(|key| !known.contains_key(key)).copied().collect();
        missing.sort_unstable();
        missing.dedup();
        let found = self.of_rows(py, values, &missing)?;
        known.extend(missing.into_iter().zip(found));
        let results = rows.iter().map(|row| key(row).and_then(|key| known.get(key)).cloned().unwrap_or_default());
        let results = results.collect();
        self.dictionary = Some((data, known));
        Ok(results)
    }
}

/// The keys of a dictionary as they are: those of another library may lead anywhere.
fn keys_of(dictionary: &dyn AnyDictionaryArray) -> Vec<usize> {
    macro_rules! read {
        ($type:ty) => {
            dictionary.keys().as_primitive::<$type>().values().iter().map(|key| key.as_usize()).collect()
        };
    }
    downcast_integer! {
        dictionary.keys().data_type() => (read),
        _ => Vec::new(),
    }
}

/// A column of 8 or 32 bytes, in network byte order.
pub fn to_column(found: &[Option<Fingerprint>], label: Label) -> Result<ArrayRef, ArrowError> {
    let width = 8 * label.words();
    let mut bytes = Vec::with_capacity(found.len() * width);
    for each in found {
        match each {
            Some(found) => bytes.extend(found.words().iter().flat_map(|word| word.to_be_bytes())),
            None => bytes.resize(bytes.len() + width, 0),
        }
    }
    let nulls = NullBuffer::from_iter(found.iter().map(Option::is_some));
    Ok(Arc::new(FixedSizeBinaryArray::try_new(width as i32, Buffer::from_vec(bytes), Some(nulls))?))
}

// ------------------------------------------------------------------------------------------------------- export

/// An array that other libraries read through the Arrow PyCapsule interface.
#[pyclass(frozen, module = "simhash_doc._native")]
pub struct Chunk(ArrayRef);

#[pymethods]
impl Chunk {
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema; // the interface allows an answer of the type that there is
        let (array, schema) = to_ffi(&self.0.to_data()).map_err(failed)?;
        let schema = PyCapsule::new_with_value(py, schema, SCHEMA)?;
        let array = PyCapsule::new_with_value(py, array, ARRAY)?;
        PyTuple::new(py, [schema, array])
    }
}

/// The fingerprints of a column, an array for each of its chunks.
#[pyfunction]
pub fn fingerprint_chunks(
    column: &Bound<'_, PyAny>,
    label: &Bound<'_, PyAny>,
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Chunk>> {
    let label = read_label(label)?;
    let fingerprint = |text: &[u8], watch: &mut Watch<'_>| watch.fingerprint(text, label);
    Work::new(read_threads(threads)?, &fingerprint).of_column(column, |found| to_column(found, label))
}
