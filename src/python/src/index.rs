// SPDX-License-Identifier: MIT
//! Step 11: an index in memory.

use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use simhash_doc::Error;

use crate::errors::{refused, wrong_type};
use crate::fingerprint::{read_operand, Fingerprint, LabelArgument};

/// Entries in memory; `simhash_doc.Index` adds files.
#[pyclass(frozen, subclass, module = "simhash_doc._native")]
pub struct MemoryIndex(RwLock<simhash_doc::Index>);

/// Reads an identifier; a lone surrogate cannot be stored.
fn read_id<'a>(id: &'a Bound<'_, PyAny>) -> PyResult<&'a str> {
    let text = id.cast::<PyString>().map_err(|_| wrong_type("id", "str", id))?;
    let expected =
        || refused(id.py(), Error::OutOfRange, "id: expected a string of 1 to 500 bytes in UTF-8".to_owned());
    let text = text.to_str().map_err(|_| expected())?;
    Some(text).filter(|text| (1..=500).contains(&text.len())).ok_or_else(expected)
}

impl MemoryIndex {
    fn read(&self) -> RwLockReadGuard<'_, simhash_doc::Index> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self, id: &Bound<'_, PyAny>) -> Option<Fingerprint> {
        let id = id.cast::<PyString>().ok()?;
        self.read().get(id.to_str().ok()?).map(Fingerprint)
    }

    fn refused(&self, py: Python<'_>, error: Error) -> PyErr {
        let expected = match error {
            Error::LabelMismatch => format!("fingerprint: expected one of {}", self.read().label().as_str()),
            _ => "k: expected 0 to 64".to_owned(),
        };
        refused(py, error, expected)
    }
}

#[pymethods]
impl MemoryIndex {
    #[new]
    #[pyo3(signature = (label = LabelArgument::Missing), text_signature = "(label='simhash-doc')")]
    fn new(label: LabelArgument<'_>) -> PyResult<MemoryIndex> {
        Ok(MemoryIndex(RwLock::new(simhash_doc::Index::new(label.read()?))))
    }

    /// The label of all entries.
    #[getter]
    fn label(&self) -> &'static str {
        self.read().label().as_str()
    }

    /// Adds an entry, or replaces the one with the same id. Returns whether it is new.
    fn add(&self, py: Python<'_>, id: &Bound<'_, PyAny>, fingerprint: &Bound<'_, PyAny>) -> PyResult<bool> {
        let (id, fingerprint) = (read_id(id)?, read_operand("fingerprint", fingerprint)?);
        let added = self.0.write().unwrap_or_else(PoisonError::into_inner).add(id, Some(fingerprint));
        added.map_err(|error| self.refused(py, error))
    }

    /// Removes an entry. Returns whether there was one.
    fn remove(&self, id: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.0.write().unwrap_or_else(PoisonError::into_inner).remove(read_id(id)?))
    }

    fn matches(
        &self,
        py: Python<'_>,
        fingerprint: &Bound<'_, PyAny>,
        k: u32,
        limit: Option<usize>,
    ) -> PyResult<Vec<(String, u32, Fingerprint)>> {
        let query = read_operand("fingerprint", fingerprint)?;
        let found = py.detach(|| {
            let index = self.read();
            let found = index.lookup(Some(query), k)?.into_iter().take(limit.unwrap_or(usize::MAX));
            Ok(found.map(|each| (each.id.to_owned(), each.distance, Fingerprint(each.fingerprint))).collect())
        });
        found.map_err(|error| self.refused(py, error))
    }

    /// The entries, in the order of the bytes of their ids.
    fn items(&self) -> Vec<(String, Fingerprint)> {
        self.read().iter().map(|(id, fingerprint)| (id.to_owned(), Fingerprint(fingerprint))).collect()
    }

    fn __len__(&self) -> usize {
        self.read().len()
    }

    fn __contains__(&self, id: &Bound<'_, PyAny>) -> bool {
        self.get(id).is_some()
    }

    fn __getitem__(&self, id: &Bound<'_, PyAny>) -> PyResult<Fingerprint> {
        self.get(id).ok_or_else(|| PyKeyError::new_err(id.clone().unbind()))
    }
}
