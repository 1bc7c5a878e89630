// SPDX-License-Identifier: MIT
//! Step 10: compare.

use crate::{Error, Fingerprint};

/// CMP-7: the distance to filter by where none is given.
pub const DEFAULT_DISTANCE: u32 = 3;

/// CMP-6, CMP-5
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// At most 1 bit of 64, or 5 of 256.
    Close,
    /// At most 6 bits of 64, or 25 of 256.
    Loose,
    /// More.
    None,
}

/// An answer of [`compare`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// The number of bits that differ.
    pub distance: u32,
    /// 1 for no bit that differs, 0 for all.
    pub similarity: f64,
    /// CMP-6, CMP-5
    pub verdict: Verdict,
}

/// CMP-3: the distance of two words.
#[must_use]
pub fn distance(a: u64, b: u64) -> u32 {
    (a ^ b).count_ones()
}

/// The distances of the words of two fingerprints.
pub(crate) fn distances<'a>(a: &'a Fingerprint, b: &'a Fingerprint) -> impl Iterator<Item = u32> + 'a {
    a.words().iter().zip(b.words()).map(|(&a, &b)| distance(a, b))
}

/// CMP-1 to CMP-6, MIN-10: compare two documents by their fingerprints.
///
/// # Errors
/// [`Error::NoFingerprint`] if one of them has none, [`Error::LabelMismatch`] if their labels differ.
pub fn compare(a: Option<Fingerprint>, b: Option<Fingerprint>) -> Result<Comparison, Error> {
    let (a, b) = a.zip(b).ok_or(Error::NoFingerprint)?;
    if a.label() != b.label() {
        return Err(Error::LabelMismatch);
    }
    let distance = distances(&a, &b).sum();
    let (bits, close, loose) = if a.words().len() == 1 { (64.0, 1, 6) } else { (256.0, 5, 25) };
    let verdict = if distance <= close {
        Verdict::Close
    } else if distance <= loose {
        Verdict::Loose
    } else {
        Verdict::None
    };
    Ok(Comparison { distance, similarity: 1.0 - f64::from(distance) / bits, verdict })
}
