// SPDX-License-Identifier: MIT
#![doc = include_str!("../README.md")]
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::pedantic)]
// Inlining and bitwise operators are measured; casts fit or cut on purpose; the others do not make this code clearer.
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::format_collect,
    clippy::inline_always,
    clippy::needless_bitwise_bool,
    clippy::similar_names,
    clippy::single_match_else,
    clippy::struct_excessive_bools
)]

extern crate alloc;

mod compare;
#[cfg(feature = "std")]
pub mod duplicates;
mod fingerprint;
mod fingerprinter;
mod hash;
mod locators;
mod lookup;
mod minhash;
#[cfg(feature = "std")]
pub mod residue;
mod simhash;
mod tables;
mod text;
mod tokens;

pub use compare::{compare, Comparison, Verdict, DEFAULT_DISTANCE};
pub use fingerprint::{Fingerprint, Label};
pub use fingerprinter::{fingerprint, fingerprint_bytes, Fingerprinter};
pub use lookup::{Index, Match};

/// The steps of the specification, one by one: for other ways to count, and for the conformance suite.
pub mod steps {
    pub use crate::compare::distance;
    pub use crate::hash::{lookup3, token_hash};
    pub use crate::locators::{locators, strip_locators};
    pub use crate::lookup::{key, permute, probes, unpermute};
    pub use crate::minhash::{draw, MinHash};
    pub use crate::simhash::{counters, simhash};
    pub use crate::text::{classify, decode, decode_utf16, normalise, Class};
    pub use crate::tokens::tokenise;
    /// The version of the Unicode data that [`normalise`] uses for NFC.
    pub use unicode_normalization::UNICODE_VERSION;
}

/// The number of words of 64 bits in the longest fingerprint.
const MAX_WORDS: usize = 4;

/// The error codes of the specification, except `wrong-type`, which the type system excludes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Error {
    /// A number or a length is not one of those that are expected.
    OutOfRange,
    /// A text is not a valid fingerprint.
    InvalidFingerprint,
    /// A text is no registered label.
    InvalidLabel,
    /// Fingerprints of different labels, or of one that the operation does not have.
    LabelMismatch,
    /// A document without tokens has no fingerprint.
    NoFingerprint,
}

impl Error {
    /// The code as the specification writes it.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Error::OutOfRange => "out-of-range",
            Error::InvalidFingerprint => "invalid-fingerprint",
            Error::InvalidLabel => "invalid-label",
            Error::LabelMismatch => "label-mismatch",
            Error::NoFingerprint => "no-fingerprint",
        }
    }
}

impl core::fmt::Display for Error {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.code())
    }
}

#[cfg(feature = "std")]
impl std::error::Error for Error {}
