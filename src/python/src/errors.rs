// SPDX-License-Identifier: MIT
//! Errors: the codes of the specification as Python exceptions.

use pyo3::create_exception;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use simhash_doc::Error;

create_exception!(
    simhash_doc,
    SimhashDocError,
    PyValueError,
    "A value that an operation refuses. A TypeError of this package has the same attribute, `wrong-type`."
);

/// The exception for a refused value. The message says where the value is, what was expected and what it was.
pub fn refused(py: Python<'_>, error: Error, message: String) -> PyErr {
    with_code(py, SimhashDocError::new_err(message), error.code())
}

/// The exception for a value of the wrong type, for example `texts[3]: expected str, bytes or None, got int`.
pub fn wrong_type(place: &str, expected: &str, value: &Bound<'_, PyAny>) -> PyErr {
    let name = match value.get_type().fully_qualified_name() {
        _ if value.is_none() => "None".to_owned(),
        Ok(name) => name.to_string(),
        Err(_) => "another type".to_owned(),
    };
    wrong_type_named(value.py(), place, expected, &name)
}

/// The same for a value whose type has a name of its own.
pub fn wrong_type_named(py: Python<'_>, place: &str, expected: &str, name: &str) -> PyErr {
    with_code(py, PyTypeError::new_err(format!("{place}: expected {expected}, got {name}")), "wrong-type")
}

fn with_code(py: Python<'_>, error: PyErr, code: &str) -> PyErr {
    match error.value(py).setattr("code", code) {
        Ok(()) => error,
        Err(other) => other,
    }
}
