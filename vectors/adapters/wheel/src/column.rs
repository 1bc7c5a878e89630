// SPDX-License-Identifier: MIT
//! Columns of Arrow, through the C data interface and its PyCapsules.

use std::ffi::{c_int, CStr};

use arrow_array::cast::AsArray;
use arrow_array::ffi::{from_ffi, to_ffi, FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{make_array, Array, ArrayAccessor, ArrayRef, FixedSizeBinaryArray};
use arrow_buffer::{Buffer, NullBuffer};
use arrow_schema::{ArrowError, DataType};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use simhash_doc::{fingerprint_bytes, Fingerprint, Label};

use crate::batch::{map, read_threads};
use crate::errors::{wrong_type, wrong_type_named};
use crate::fingerprint::read_label;

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

fn failed(error: ArrowError) -> PyErr {
    PyValueError::new_err(format!("column: {error}"))
}

// ------------------------------------------------------------------------------------------------------ import

/// The array in two capsules, which are empty after it.
fn import_array(schema: &Bound<'_, PyAny>, array: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let schema = schema.cast::<PyCapsule>()?.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
    let array = array.cast::<PyCapsule>()?.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
    // SAFETY: capsules of these names hold such a schema and such an array (Arrow PyCapsule interface).
    let data = unsafe {
        let array = std::ptr::replace(array.as_ptr(), FFI_ArrowArray::empty());
        from_ffi(array, schema.as_ref())
    };
    Ok(make_array(data.map_err(failed)?))
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

/// All arrays of the stream in a capsule, which is empty after it.
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
            return Ok(arrays);
        }
        // SAFETY: the array and the schema are of the same stream.
        arrays.push(make_array(unsafe { from_ffi(array, &schema) }.map_err(failed)?));
    }
}

/// The arrays of an object with the Arrow PyCapsule interface.
fn import(column: &Bound<'_, PyAny>) -> PyResult<Vec<ArrayRef>> {
    if let Some(export) = column.getattr_opt("__arrow_c_array__")? {
        let (schema, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) = export.call0()?.extract()?;
        return Ok(vec![import_array(&schema, &array)?]);
    }
    match column.getattr_opt("__arrow_c_stream__")? {
        Some(export) => import_stream(&export.call0()?),
        None => Err(wrong_type("column", "an object with __arrow_c_array__ or __arrow_c_stream__", column)),
    }
}

// ------------------------------------------------------------------------------------------------------ compute

type Found = Vec<Option<Fingerprint>>;

/// The label and the number of threads.
#[derive(Clone, Copy)]
struct How {
    label: Label,
    threads: usize,
}

/// The fingerprints of the values of an array.
fn of_values<'a, A>(py: Python<'_>, array: A, How { label, threads }: How) -> PyResult<Found>
where
    A: ArrayAccessor + 'a,
    A::Item: AsRef<[u8]> + Sync,
{
    let values: Vec<_> = (0..array.len()).map(|i| array.is_valid(i).then(|| array.value(i))).collect();
    // As bytes, because nobody has checked that they are UTF-8.
    map(py, &values, threads, |value| fingerprint_bytes(value.as_ref()?.as_ref(), label))
}

/// The fingerprints of an array of texts; none for an array of another type.
fn of_array(py: Python<'_>, array: &ArrayRef, how: How) -> PyResult<Option<Found>> {
    let found = match array.data_type() {
        DataType::Utf8 => of_values(py, array.as_string::<i32>(), how)?,
        DataType::LargeUtf8 => of_values(py, array.as_string::<i64>(), how)?,
        DataType::Utf8View => of_values(py, array.as_string_view(), how)?,
        DataType::Binary => of_values(py, array.as_binary::<i32>(), how)?,
        DataType::LargeBinary => of_values(py, array.as_binary::<i64>(), how)?,
        DataType::BinaryView => of_values(py, array.as_binary_view(), how)?,
        DataType::Null => vec![None; array.len()],
        DataType::Dictionary(_, _) => {
            let dictionary = array.as_any_dictionary();
            let Some(found) = of_array(py, dictionary.values(), how)? else { return Ok(None) };
            if found.is_empty() {
                return Ok(Some(vec![None; array.len()]));
            }
            let keys = dictionary.normalized_keys();
            let value = |(i, &key): (usize, &usize)| if array.is_valid(i) { found[key] } else { None };
            keys.iter().enumerate().map(value).collect()
        }
        _ => return Ok(None),
    };
    Ok(Some(found))
}

/// A column of 8 or 32 bytes, in network byte order.
fn to_column(found: &Found, label: Label) -> Result<FixedSizeBinaryArray, ArrowError> {
    let width = 8 * label.words();
    let mut bytes = Vec::with_capacity(found.len() * width);
    for each in found {
        match each {
            Some(found) => bytes.extend(found.words().iter().flat_map(|word| word.to_be_bytes())),
            None => bytes.resize(bytes.len() + width, 0),
        }
    }
    let nulls = NullBuffer::from_iter(found.iter().map(Option::is_some));
    FixedSizeBinaryArray::try_new(width as i32, Buffer::from_vec(bytes), Some(nulls))
}

// ------------------------------------------------------------------------------------------------------- export

/// An array that other libraries read through the Arrow PyCapsule interface.
#[pyclass(frozen, module = "simhash_doc._native")]
pub struct Chunk(FixedSizeBinaryArray);

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
    let how = How { label: read_label(label)?, threads: read_threads(threads)? };
    let chunk = |array: &ArrayRef| {
        let found = of_array(column.py(), array, how)?.ok_or_else(|| {
            let name = array.data_type().to_string();
            wrong_type_named(column.py(), "column", "strings or binary, plain or in a dictionary", &name)
        })?;
        to_column(&found, how.label).map(Chunk).map_err(failed)
    };
    import(column)?.iter().map(chunk).collect()
}
