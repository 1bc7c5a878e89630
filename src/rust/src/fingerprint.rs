// SPDX-License-Identifier: MIT
//! Step 9: labels, fingerprints and their forms.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::{Error, MAX_WORDS};

/// LAB-3: one of the registered labels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// `simhash-doc`: 64 bits, words as tokens.
    #[default]
    SimhashDoc,
    /// `simhash-doc+bg1`: 64 bits, pairs of characters in scripts without spaces.
    SimhashDocBg1,
    /// `minhash-doc`: 64 bits, pairs as in `bg1`.
    MinhashDoc,
    /// `minhash-doc-256`: 256 bits, of which the first 64 are those of `minhash-doc`.
    MinhashDoc256,
}

impl Label {
    /// All labels.
    pub const ALL: [Label; 4] = [Label::SimhashDoc, Label::SimhashDocBg1, Label::MinhashDoc, Label::MinhashDoc256];

    /// The label as it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Label::SimhashDoc => "simhash-doc",
            Label::SimhashDocBg1 => "simhash-doc+bg1",
            Label::MinhashDoc => "minhash-doc",
            Label::MinhashDoc256 => "minhash-doc-256",
        }
    }

    /// True for the labels of minhash-doc.
    #[must_use]
    pub fn is_minhash(self) -> bool {
        matches!(self, Label::MinhashDoc | Label::MinhashDoc256)
    }

    /// The number of words of 64 bits in a fingerprint.
    #[must_use]
    pub fn words(self) -> usize {
        if self == Label::MinhashDoc256 {
            MAX_WORDS
        } else {
            1
        }
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Label {
    type Err = Error;

    /// LAB-1, LAB-2: case is ignored for A to Z only.
    fn from_str(s: &str) -> Result<Label, Error> {
        Label::ALL.into_iter().find(|label| label.as_str().eq_ignore_ascii_case(s)).ok_or(Error::InvalidLabel)
    }
}

/// 64 or 256 bits with their label. A document without a fingerprint is `None` (SIM-1, MIN-6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint {
    label: Label,
    words: [u64; MAX_WORDS], // those that the label does not have are 0
}

impl Fingerprint {
    /// A fingerprint of its words of 64 bits: four under `minhash-doc-256`, otherwise one.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for another number of words.
    pub fn new(label: Label, words: &[u64]) -> Result<Fingerprint, Error> {
        if words.len() != label.words() {
            return Err(Error::OutOfRange);
        }
        let mut all = [0; MAX_WORDS];
        all[..words.len()].copy_from_slice(words);
        Ok(Fingerprint { label, words: all })
    }

    /// A fingerprint of its 8 or 32 bytes, in network byte order.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for another number of bytes.
    pub fn from_bytes(label: Label, bytes: &[u8]) -> Result<Fingerprint, Error> {
        let word = |chunk: &[u8]| chunk.try_into().map(u64::from_be_bytes).map_err(|_| Error::OutOfRange);
        let words: Result<Vec<u64>, Error> = bytes.chunks(8).map(word).collect();
        Fingerprint::new(label, &words?)
    }

    /// SER-2 to SER-5, MIN-9: read the bare form, of any case, perhaps with `===` or `====` behind it.
    ///
    /// # Errors
    /// [`Error::InvalidFingerprint`]
    pub fn from_bare(label: Label, s: &str) -> Result<Fingerprint, Error> {
        let (digits, padding) = if label.words() == 1 { (13, "===") } else { (52, "====") };
        let s = if s.len() == digits + padding.len() { s.strip_suffix(padding).unwrap_or(s) } else { s };
        if s.len() != digits {
            return Err(Error::InvalidFingerprint);
        }
        let (mut words, mut bits) = ([0; MAX_WORDS], 0);
        for byte in s.bytes() {
            let value = ALPHABET.iter().position(|&digit| digit == byte.to_ascii_uppercase());
            let value = value.ok_or(Error::InvalidFingerprint)?;
            for bit in (0..5).rev().map(|shift| (value >> shift & 1) as u64) {
                match words[..label.words()].get_mut(bits / 64) {
                    Some(word) => *word |= bit << (63 - bits % 64),
                    None if bit == 0 => {}
                    None => return Err(Error::InvalidFingerprint), // SER-4: a spare bit
                }
                bits += 1;
            }
        }
        Ok(Fingerprint { label, words })
    }

    /// SER-6, MIN-9: read the hexadecimal form.
    ///
    /// # Errors
    /// [`Error::InvalidFingerprint`]
    pub fn from_hex(label: Label, s: &str) -> Result<Fingerprint, Error> {
        if s.len() != 16 * label.words() || !s.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(Error::InvalidFingerprint);
        }
        let word = |w| u64::from_str_radix(&s[16 * w..16 * w + 16], 16).map_err(|_| Error::InvalidFingerprint);
        Fingerprint::new(label, &(0..label.words()).map(word).collect::<Result<Vec<_>, _>>()?)
    }

    /// The label.
    #[must_use]
    pub fn label(&self) -> Label {
        self.label
    }

    /// The words of 64 bits, the most significant first.
    #[must_use]
    pub fn words(&self) -> &[u64] {
        &self.words[..self.label.words()]
    }

    /// The 8 or 32 bytes, in network byte order.
    #[must_use]
    pub fn to_bytes(self) -> Vec<u8> {
        self.words().iter().flat_map(|word| word.to_be_bytes()).collect()
    }

    /// SER-1, MIN-9: the bare form.
    #[must_use]
    pub fn to_bare(&self) -> String {
        let bits = 64 * self.label.words();
        let bit = |i: usize| if i < bits { (self.words[i / 64] >> (63 - i % 64) & 1) as usize } else { 0 };
        let value = |group: usize| (group..group + 5).fold(0, |value, i| value << 1 | bit(i));
        (0..bits).step_by(5).map(|group| char::from(ALPHABET[value(group)])).collect()
    }

    /// SER-6, MIN-9: the hexadecimal form.
    #[must_use]
    pub fn to_hex(&self) -> String {
        self.words().iter().map(|word| alloc::format!("{word:016x}")).collect()
    }

    /// MIN-8: the `minhash-doc` fingerprint of a document with this one of `minhash-doc-256`.
    ///
    /// # Errors
    /// [`Error::LabelMismatch`] for another label.
    pub fn truncate(&self) -> Result<Fingerprint, Error> {
        if self.label != Label::MinhashDoc256 {
            return Err(Error::LabelMismatch);
        }
        Fingerprint::new(Label::MinhashDoc, &self.words[..1])
    }
}

impl fmt::Display for Fingerprint {
    /// SER-7: the labelled form.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:{}", self.label, self.to_bare())
    }
}

impl FromStr for Fingerprint {
    type Err = Error;

    /// LAB-2, LAB-4: the labelled form only.
    fn from_str(s: &str) -> Result<Fingerprint, Error> {
        let (label, bare) = s.split_once(':').ok_or(Error::InvalidLabel)?;
        Fingerprint::from_bare(label.parse()?, bare)
    }
}

const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
