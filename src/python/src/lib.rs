// SPDX-License-Identifier: MIT
//! The native half of the Python package `simhash_doc`: a thin layer over the crate `simhash-doc`.

mod batch;
mod column;
mod duplicates;
mod errors;
mod fingerprint;
mod index;
mod spool;
mod text;
mod threads;
mod tokens;

use pyo3::prelude::*;

/// `simhash_doc._native`; its functions are documented in `_native.pyi`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::batch::{fingerprint_words, fingerprints};
    #[pymodule_export]
    use crate::column::{fingerprint_chunks, Chunk};
    #[pymodule_export]
    use crate::duplicates::{dedupe_texts, find_matches};
    #[pymodule_export]
    use crate::errors::SimhashDocError;
    #[pymodule_export]
    use crate::fingerprint::{compare_values, distance, Fingerprint};
    #[pymodule_export]
    use crate::index::MemoryIndex;
    #[pymodule_export]
    use crate::text::{fingerprint, Fingerprinter};
    #[pymodule_export]
    use crate::tokens::{count_tokens, token_chunks};

    #[pymodule_export]
    const LABELS: (&str, &str, &str, &str) = ("simhash-doc", "simhash-doc+bg1", "minhash-doc", "minhash-doc-256");
    #[pymodule_export]
    const UNICODE_VERSION: (u8, u8, u8) = simhash_doc::steps::UNICODE_VERSION;
    #[pymodule_export]
    const DEFAULT_DISTANCE: u32 = simhash_doc::DEFAULT_DISTANCE;
}
