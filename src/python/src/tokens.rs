// SPDX-License-Identifier: MIT
//! The tokens of a document with their counts, and what they leave out: what the overlap of documents is computed from.

use std::sync::Arc;

use arrow_array::builder::{Int32Builder, Int64Builder, ListBuilder};
use arrow_array::{ArrayRef, Int64Array, StructArray};
use arrow_schema::{ArrowError, DataType, Field, Fields};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use simhash_doc::residue::{Residue, NAMES};
use simhash_doc::steps::{decode, normalise, simhash, token_hash, tokenise, MinHash};
use simhash_doc::{Fingerprint, Label};

use crate::column::{to_column, Chunk, Work};
use crate::errors::wrong_type;
use crate::fingerprint::read_label;
use crate::text::Text;
use crate::threads::{detached, Watch};
use crate::{fingerprint, threads};

/// Texts are read in pieces of about so many bytes.
const PIECE: usize = 1 << 16;

/// The hashes of the tokens of a document under its label, sorted, with their counts, and the residue.
#[derive(Clone, Default)]
pub struct Tokens {
    fingerprint: Option<Fingerprint>,
    counts: Vec<(u64, i32)>,
    residue: [u64; NAMES.len()],
}

impl Tokens {
    /// Reads UTF-8; none for work that has ended.
    fn of(bytes: &[u8], label: Label, watch: &mut Watch<'_>) -> Option<Tokens> {
        let mut residue = Residue::new();
        let mut hashes = Vec::new();
        let text = decode(bytes);
        let mut rest = &*text;
        while !rest.is_empty() {
            let (piece, others) = rest.split_at(cut(rest));
            if !watch.goes_on(2 * piece.len()) {
                return None;
            }
            add_piece(piece, label, &mut residue, &mut hashes);
            rest = others;
        }
        hashes.sort_unstable();
        let counts: Vec<(u64, i32)> = hashes.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as i32)).collect();
        let fingerprint = match MinHash::new(label) {
            Ok(mut minhash) => {
                counts.iter().for_each(|&(hash, _)| minhash.add(hash));
                minhash.fingerprint()
            }
            Err(_) => simhash(&hashes).and_then(|bits| Fingerprint::new(label, &[bits]).ok()),
        };
        Some(Tokens { fingerprint, counts, residue: residue.finish() })
    }
}

/// The end of a piece: behind white space, where a text can be cut (Annex C).
fn cut(text: &str) -> usize {
    let is_space = |&byte: &u8| byte <= b' ';
    let (Some(piece), bytes) = (text.as_bytes().get(..PIECE), text.as_bytes()) else { return text.len() };
    let before = piece.iter().rposition(&is_space);
    let behind = || bytes[PIECE..].iter().position(&is_space).map(|at| PIECE + at);
    before.or_else(behind).map_or(text.len(), |at| at + 1)
}

fn add_piece(piece: &str, label: Label, residue: &mut Residue, hashes: &mut Vec<u64>) {
    residue.add(&normalise(piece), |stripped| {
        hashes.extend(tokenise(stripped, label).into_iter().map(|token| token_hash(token.as_bytes())));
    });
}

type Found = (Option<fingerprint::Fingerprint>, Py<PyDict>, [u64; NAMES.len()]);

/// The tokens of a text: the fingerprint, the counts of the hashes, and the residue.
#[pyfunction]
pub fn count_tokens(py: Python<'_>, text: &Bound<'_, PyAny>, label: &Bound<'_, PyAny>) -> PyResult<Found> {
    let document = Text::read_some(text).unwrap_or_else(|| Err(wrong_type("text", "str or bytes", text)))?;
    let label = read_label(label)?;
    let found = detached(py, |watch| Tokens::of(document.as_bytes(), label, watch))?;
    let Tokens { fingerprint, counts, residue } = found.unwrap_or_default();
    let dictionary = PyDict::new(py);
    for (hash, count) in counts {
        dictionary.set_item(hash, count)?;
    }
    Ok((fingerprint.map(fingerprint::Fingerprint), dictionary.unbind(), residue))
}

/// The tokens of the texts of a column, an array for each of its chunks.
#[pyfunction]
pub fn token_chunks(
    column: &Bound<'_, PyAny>,
    label: &Bound<'_, PyAny>,
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Chunk>> {
    let label = read_label(label)?;
    let read = |text: &[u8], watch: &mut Watch<'_>| Tokens::of(text, label, watch);
    Work::new(threads::read_threads(threads)?, &read).of_column(column, |found| to_struct(found, label))
}

/// An array of structures, with numbers of 64 bits as signed ones. All fields of a missing document are null.
fn to_struct(found: &[Option<Tokens>], label: Label) -> Result<ArrayRef, ArrowError> {
    let (mut hashes, mut counts) = (ListBuilder::new(Int64Builder::new()), ListBuilder::new(Int32Builder::new()));
    for each in found {
        for &(hash, count) in each.iter().flat_map(|each| &each.counts) {
            hashes.values().append_value(hash as i64);
            counts.values().append_value(count);
        }
        if i32::try_from(hashes.values_ref().values_slice().len()).is_err() {
            let message = "more than 2**31 tokens: expected smaller chunks";
            return Err(ArrowError::InvalidArgumentError(message.to_owned()));
        }
        hashes.append(each.is_some());
        counts.append(each.is_some());
    }
    let digests = |at: usize| {
        let values: Int64Array = found.iter().map(|each| Some(each.as_ref()?.residue[at] as i64)).collect();
        Arc::new(values) as ArrayRef
    };
    let fields: Fields = NAMES.map(|name| Field::new(name, DataType::Int64, true)).to_vec().into();
    let missing = found.iter().map(Option::is_some).collect();
    let residue = StructArray::try_new(fields, (0..NAMES.len()).map(digests).collect(), Some(missing))?;
    let fingerprints: Vec<_> = found.iter().map(|each| each.as_ref()?.fingerprint).collect();
    let columns = [
        ("fingerprint", to_column(&fingerprints, label)?),
        ("hashes", Arc::new(hashes.finish())),
        ("counts", Arc::new(counts.finish())),
        ("residue", Arc::new(residue)),
    ];
    let fields: Fields =
        columns.iter().map(|(name, array)| Field::new(*name, array.data_type().clone(), true)).collect();
    Ok(Arc::new(StructArray::try_new(fields, columns.map(|(_, array)| array).to_vec(), None)?))
}
