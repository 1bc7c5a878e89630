// SPDX-License-Identifier: MIT
//! Near-duplicates among the texts of lists and columns.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{channel, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use arrow_array::ArrayRef;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use simhash_doc::duplicates::{self, Difference, Keep, Options, Reason};
use simhash_doc::Error;

use crate::column::{import, texts_of};
use crate::errors::{refused, wrong_type};
use crate::spool::{Spool, Writer};
use crate::text::Text;
use crate::threads::read_threads;

/// The texts of a list, of a column, or of an iterator.
enum Texts {
    Items(Vec<Option<Text>>),
    Column(Vec<ArrayRef>),
    Spooled(Spool),
}

impl Texts {
    /// Reads texts. Those of an iterator are written to a file as soon as they have more than `max_held` bytes.
    fn read(name: &str, texts: &Bound<'_, PyAny>, max_held: usize) -> PyResult<Texts> {
        if texts.hasattr("__arrow_c_array__")? || texts.hasattr("__arrow_c_stream__")? {
            return import(texts).map(Texts::Column);
        }
        let is_one = texts.is_instance_of::<PyString>() || texts.is_instance_of::<PyBytes>();
        let Some(items) = texts.try_iter().ok().filter(|_| !is_one) else {
            return Err(wrong_type(name, "an iterable of texts", texts));
        };
        let is_iterator = items.is(texts);
        let (mut held, mut size, mut writer) = (Vec::new(), 0, None);
        for (i, item) in items.enumerate() {
            let text = Text::read(&item?, || format!("{name}[{i}]"))?;
            let Some(writer) = &mut writer else {
                size += text.as_ref().map_or(0, |text| text.as_bytes().len());
                held.push(text);
                if is_iterator && size > max_held {
                    let mut begun = Writer::new()?;
                    held.drain(..).try_for_each(|text| begun.add(text.as_ref().map(Text::as_bytes)))?;
                    writer = Some(begun);
                }
                continue;
            };
            writer.add(text.as_ref().map(Text::as_bytes))?;
        }
        Ok(match writer {
            Some(writer) => Texts::Spooled(writer.finish()?),
            None => Texts::Items(held),
        })
    }

    fn bytes(&self, py: Python<'_>) -> PyResult<Vec<Option<&[u8]>>> {
        match self {
            Texts::Items(items) => Ok(items.iter().map(|text| text.as_ref().map(Text::as_bytes)).collect()),
            Texts::Column(arrays) => texts_of(py, arrays),
            Texts::Spooled(spool) => Ok(spool.texts()),
        }
    }
}

/// Works in threads of its own while this one handles signals, which end the work.
fn watched<R: Send>(py: Python<'_>, work: impl FnOnce(&AtomicBool) -> R + Send) -> PyResult<R> {
    let (stop, mut error) = (AtomicBool::new(false), Ok(()));
    let result = py.detach(|| {
        thread::scope(|scope| {
            // Nothing is sent: the channel closes when the work has ended.
            let (sender, receiver) = channel::<()>();
            let stop = &stop;
            let worker = scope.spawn(move || {
                let _open = sender;
                work(stop)
            });
            while receiver.recv_timeout(Duration::from_millis(20)) == Err(RecvTimeoutError::Timeout) {
                if error.is_ok() {
                    error = Python::attach(|py| py.check_signals());
                    stop.store(error.is_err(), Ordering::Relaxed);
                }
            }
            worker.join()
        })
    });
    error?;
    result.map_err(|_| PyRuntimeError::new_err("a thread has failed"))
}

/// The options of a search as Python gives them.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Settings<'py> {
    min_overlap: f64,
    ignore_numbers: bool,
    keep: String,
    verify: bool,
    threads: Bound<'py, PyAny>,
    max_held: usize,
}

impl Settings<'_> {
    fn options(&self, references: usize) -> PyResult<Options<'static>> {
        let py = self.threads.py();
        let keep = match &*self.keep {
            "first" => Keep::First,
            "longest" => Keep::Longest,
            other => {
                return Err(refused(
                    py,
                    Error::OutOfRange,
                    format!("keep: expected \"first\" or \"longest\"; got {other:?}"),
                ))
            }
        };
        if !(0.0..=1.0).contains(&self.min_overlap) {
            let message = format!("min_overlap: expected 0 to 1; got {}", self.min_overlap);
            return Err(refused(py, Error::OutOfRange, message));
        }
        let threads = read_threads(Some(&self.threads).filter(|threads| !threads.is_none()))?;
        let (verify, ignores_differences) = (self.verify, self.ignore_numbers);
        let min_overlap = self.min_overlap;
        Ok(Options { min_overlap, ignores_differences, keep, verify, references, threads, stop: None })
    }
}

fn too_many(py: Python<'_>) -> PyErr {
    refused(py, Error::OutOfRange, "texts: expected fewer than 2**32 - 1".to_owned())
}

/// The rows that are removed, those that are kept in their place, the distances and the overlaps: lists of numbers, since Python
/// collects garbage while it makes tuples.
type Removed = (Vec<usize>, Vec<usize>, Vec<u32>, Vec<Option<f64>>);
type Different = (Vec<usize>, Vec<&'static str>);

/// The rows that are kept, those that are removed, and those that are kept for a reason.
#[pyfunction]
pub fn dedupe_texts(
    py: Python<'_>,
    texts: &Bound<'_, PyAny>,
    against: Option<&Bound<'_, PyAny>>,
    settings: Settings<'_>,
) -> PyResult<(Vec<usize>, Removed, Different)> {
    let references = against.map(|against| Texts::read("against", against, settings.max_held)).transpose()?;
    let texts = Texts::read("rows", texts, settings.max_held)?;
    let mut all = references.as_ref().map_or_else(|| Ok(Vec::new()), |texts| texts.bytes(py))?;
    let before = all.len();
    let options = settings.options(before)?;
    all.extend(texts.bytes(py)?);
    if references.is_some() && before == 0 {
        return Ok(((0..all.len()).collect(), Removed::default(), Different::default()));
    }
    let rows = watched(py, |stop| duplicates::dedupe(&all, &Options { stop: Some(stop), ..options }))?;
    let rows = rows.map_err(|_| too_many(py))?;
    let (mut kept, mut removed, mut different) = (Vec::new(), Removed::default(), Different::default());
    for (row, found) in rows.iter().enumerate().skip(before) {
        if found.kept == row {
            kept.push(row - before);
        } else {
            removed.extend([(row - before, found.kept, found.distance, found.overlap)]);
        }
        different.extend(found.differs.map(|reason| (row - before, name_of(reason))));
    }
    Ok((kept, removed, different))
}

fn name_of(reason: Reason) -> &'static str {
    match reason {
        Reason::Title => "title",
        Reason::Numbers => "numbers",
        Reason::Words => "words",
    }
}

type Matched = (usize, usize, u32, Option<f64>, Vec<&'static str>);

/// The matches of groups, or all pairs.
#[pyfunction]
pub fn find_matches(
    py: Python<'_>,
    texts: &Bound<'_, PyAny>,
    in_groups: bool,
    settings: Settings<'_>,
) -> PyResult<Vec<Matched>> {
    let texts = Texts::read("rows", texts, settings.max_held)?;
    let (all, options) = (texts.bytes(py)?, settings.options(0)?);
    let find = if in_groups { duplicates::find_duplicates } else { duplicates::find_pairs };
    let found = watched(py, |stop| find(&all, &Options { stop: Some(stop), ..options }))?.map_err(|_| too_many(py))?;
    let name = |difference: &Difference| match difference {
        Difference::Numbers => "numbers",
        Difference::Locators => "locators",
        Difference::Characters => "characters",
        Difference::Order => "order",
    };
    let differs = |all: &[Difference]| all.iter().map(name).collect();
    Ok(found.iter().map(|each| (each.kept, each.other, each.distance, each.overlap, differs(&each.differs))).collect())
}
