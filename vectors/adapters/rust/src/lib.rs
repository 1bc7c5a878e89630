// SPDX-License-Identifier: MIT
//! simhash-doc and minhash-doc 0.1.0: similarity fingerprints for documents.
//!
//! The functions follow the steps of the specification; the rules they implement are named in their comments.
//!
//! ```
//! use simhash_doc::{compare, fingerprint, Fingerprint, Index, Label, Verdict};
//!
//! let fox = fingerprint("The quick brown fox jumps over the lazy dog.", Label::MinhashDoc);
//! assert_eq!(fox.unwrap().to_string(), "minhash-doc:EZEFOEQ2U2YJ6");
//! assert_eq!(fingerprint("1, 2, 3", Label::MinhashDoc), None); // no letters, no fingerprint
//!
//! let read: Fingerprint = "minhash-doc:EZEFOEQ2U2YJ6".parse().unwrap();
//! assert_eq!(compare(fox, Some(read)).unwrap().verdict, Verdict::Close);
//!
//! let mut index = Index::new(Label::MinhashDoc);
//! index.add("fox.txt", fox).unwrap();
//! assert_eq!(index.lookup(fox, 3).unwrap()[0].id, "fox.txt");
//! ```
#![forbid(unsafe_code)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

use unicode_normalization::{is_nfc_quick, IsNormalized, UnicodeNormalization};

/// The octets of `spec/word-classes.txt` and of `spec/bigrams/bg1.txt`; `build.rs` brings them to OUT_DIR.
pub const WORD_CLASSES: &str = include_str!(concat!(env!("OUT_DIR"), "/word-classes.txt"));
pub const BIGRAMS: &str = include_str!(concat!(env!("OUT_DIR"), "/bg1.txt"));

/// The version of the Unicode data that [`normalise`] uses for NFC.
pub use unicode_normalization::UNICODE_VERSION;

/// CMP-7: the distance to filter by where none is given.
pub const DEFAULT_DISTANCE: u32 = 3;

/// The error codes of the specification, except `wrong-type`, which the type system excludes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Error {
    OutOfRange,
    InvalidFingerprint,
    InvalidLabel,
    LabelMismatch,
    NoFingerprint,
}

impl Error {
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

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl std::error::Error for Error {}

// ---------------------------------------------------------------------------------------------- step 1: decode

/// DEC-1 to DEC-3: octets as UTF-8, without the first byte order mark; one U+FFFD for each maximal ill-formed sequence.
pub fn decode(octets: &[u8]) -> String {
    String::from_utf8_lossy(octets.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(octets)).into_owned()
}

/// DEC-4: 16-bit units; one U+FFFD for each lone surrogate.
pub fn decode_utf16(units: &[u16]) -> String {
    String::from_utf16_lossy(units)
}

// -------------------------------------------------------------------------------------------- step 2: classify

/// CLS-2 to CLS-6: the class of a code point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    Letter,
    Word,
    Break,
    Ignorable,
    Unassigned,
}

impl Class {
    pub fn name(self) -> &'static str {
        match self {
            Class::Letter => "letter",
            Class::Word => "word",
            Class::Break => "break",
            Class::Ignorable => "ignorable",
            Class::Unassigned => "unassigned",
        }
    }
}

/// What BIG-1 says of a code point.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Joined,
    Mark,
    Other,
}

/// Reads lines `FIRST..LAST;NAME` into one value for each code point.
fn read_table<T: Copy>(file: &str, rest: T, value: impl Fn(&str) -> Option<T>) -> Vec<T> {
    let mut table = vec![rest; 0x110000];
    for line in file.lines().filter(|line| !line.starts_with('#')) {
        let range = || {
            let (points, name) = line.split_once(';')?;
            let (first, last) = points.split_once("..")?;
            let point = |digits| usize::from_str_radix(digits, 16).ok();
            Some((point(first)?, point(last)?, value(name)?))
        };
        let (first, last, value) = range().expect("a line of a table of the specification");
        table[first..=last].fill(value);
    }
    table
}

/// CLS-1: the table of classes, with the code point as the position.
fn classes() -> &'static [Class] {
    static TABLE: OnceLock<Vec<Class>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let all = [Class::Letter, Class::Word, Class::Break, Class::Ignorable, Class::Unassigned];
        read_table(WORD_CLASSES, Class::Break, |name| all.into_iter().find(|class| class.name() == name))
    })
}

/// BIG-1: the table of joined code points and marks.
fn kinds() -> &'static [Kind] {
    static TABLE: OnceLock<Vec<Kind>> = OnceLock::new();
    TABLE.get_or_init(|| {
        read_table(BIGRAMS, Kind::Other, |name| match name {
            "joined" => Some(Kind::Joined),
            "mark" => Some(Kind::Mark),
            _ => None,
        })
    })
}

/// CLS-1: the class of a code point, given as a number because surrogates have a class too.
pub fn classify(code_point: u32) -> Result<Class, Error> {
    classes().get(code_point as usize).copied().ok_or(Error::OutOfRange)
}

// ------------------------------------------------------------------------------------------- step 3: normalise

/// NRM-1 to NRM-4: replace unassigned code points, delete ignorable ones, then NFC.
pub fn normalise(text: &str) -> String {
    let classes = classes();
    let kept = |c: char| match classes[c as usize] {
        Class::Unassigned => Some('\u{FFFD}'),
        Class::Ignorable => None,
        _ => Some(c),
    };
    let assigned: String = text.chars().filter_map(kept).collect();
    match is_nfc_quick(assigned.chars()) {
        IsNormalized::Yes => assigned,
        _ => assigned.nfc().collect(),
    }
}

// -------------------------------------------------------------------------------------- step 4: strip locators

// LOC-13: the sets of the grammar. They hold ASCII only, so the octets of UTF-8 serve as code points.
type Set = fn(u8) -> bool;
const LETTER: Set = |o| o.is_ascii_alphabetic();
const DIGIT: Set = |o| o.is_ascii_digit();
const ALNUM: Set = |o| o.is_ascii_alphanumeric();
const HEX: Set = |o| o.is_ascii_hexdigit();
const SCHEME: Set = |o| o.is_ascii_alphanumeric() || b"+.-".contains(&o);
const URIC: Set = |o| o.is_ascii_alphanumeric() || b"-._~%:/?#[]@!$&'()*+,;=".contains(&o);
const LOCAL: Set = |o| o.is_ascii_alphanumeric() || b"._%+-".contains(&o);
const LABEL: Set = |o| o.is_ascii_alphanumeric() || o == b'-';

/// LOC-6 and LOC-7: what stands before `1*uric` in forms 2 and 3.
const PREFIXES: [&[u8]; 19] = [
    b"www.", b"ark:", b"arxiv:", b"cid:", b"data:", b"did:", b"doi:", b"hdl:", b"info:", b"isbn:", b"issn:",
    b"magnet:", b"mailto:", b"orcid:", b"pmcid:", b"pmid:", b"swh:", b"tel:", b"urn:",
];

/// LOC-14: a text with the ends up to which forms 1, 4 and 5 are known to fail, so that no run is read again and again.
struct Locators<'a> {
    text: &'a [u8],
    scheme_fails: usize,
    doi_fails: usize,
    mail_fails: usize,
}

impl Locators<'_> {
    #[inline(always)]
    fn is(&self, at: usize, set: Set) -> bool {
        self.text.get(at).is_some_and(|&octet| set(octet))
    }

    /// The end of `*set` at a position.
    #[inline(always)]
    fn run(&self, at: usize, set: Set) -> usize {
        at + self.text.get(at..).unwrap_or(&[]).iter().take_while(|&&octet| set(octet)).count()
    }

    /// The end of `1*set` at a position.
    fn some(&self, at: usize, set: Set) -> Option<usize> {
        Some(self.run(at, set)).filter(|&end| end > at)
    }

    /// The end of `literal 1*set` at a position, the literal in any case.
    fn then(&self, at: usize, literal: &[u8], set: Set) -> Option<usize> {
        let end = at + literal.len();
        if self.text.get(at..end)?.eq_ignore_ascii_case(literal) {
            self.some(end, set)
        } else {
            None // and the set is not read, or time would be quadratic
        }
    }

    /// The end of `*( "." 1*set )` at a position.
    fn dotted(&self, at: usize, set: Set) -> usize {
        std::iter::successors(Some(at), |&end| self.then(end, b".", set)).last().unwrap_or(at)
    }

    /// LOC-3: the end of the longest match of the first form that matches.
    fn longest(&mut self, at: usize) -> Option<usize> {
        if !self.is(at, LOCAL) {
            return None; // every form begins with a character of this set
        }
        self.with_scheme(at)
            .or_else(|| self.with_prefix(at))
            .or_else(|| self.doi(at))
            .or_else(|| self.mail(at))
            .or_else(|| self.uuid(at))
            .or_else(|| self.digest(at))
    }

    /// LOC-5
    fn with_scheme(&mut self, at: usize) -> Option<usize> {
        if at < self.scheme_fails || !self.is(at, LETTER) {
            return None;
        }
        self.scheme_fails = self.run(at, SCHEME);
        self.then(self.scheme_fails, b"://", URIC)
    }

    /// LOC-6, LOC-7
    fn with_prefix(&self, at: usize) -> Option<usize> {
        let end = self.run(at, LETTER) + 1;
        let found = self.text.get(at..end).filter(|found| found.ends_with(b":") || found.ends_with(b"."))?;
        PREFIXES.iter().find(|prefix| prefix.eq_ignore_ascii_case(found)).and_then(|_| self.some(end, URIC))
    }

    /// LOC-8
    fn doi(&mut self, at: usize) -> Option<usize> {
        if at < self.doi_fails {
            return None;
        }
        let digits = self.then(at, b"10.", DIGIT).filter(|end| (4..=9).contains(&(end - at - 3)))?;
        self.doi_fails = self.dotted(digits, DIGIT);
        self.then(self.doi_fails, b"/", URIC)
    }

    /// LOC-9
    fn mail(&mut self, at: usize) -> Option<usize> {
        if at < self.mail_fails {
            return None;
        }
        self.mail_fails = self.some(at, LOCAL)?;
        let first = self.then(self.mail_fails, b"@", LABEL)?;
        Some(self.dotted(first, LABEL)).filter(|&end| end > first)
    }

    /// LOC-10, LOC-12
    fn uuid(&self, at: usize) -> Option<usize> {
        let matches = |i| match i {
            8 | 13 | 18 | 23 => self.text.get(at + i) == Some(&b'-'),
            _ => self.is(at + i, HEX),
        };
        Some(at + 36).filter(|&end| (0..36).all(matches) && !self.is(end, ALNUM))
    }

    /// LOC-11, LOC-12
    fn digest(&self, at: usize) -> Option<usize> {
        let end = self.run(at, HEX);
        let has_digit = || (at..end).any(|i| self.is(i, DIGIT));
        Some(end).filter(|_| end - at >= 32 && !self.is(end, ALNUM) && has_digit())
    }
}

/// LOC-1 to LOC-14: replace each locator by one space. The input is an output of [`normalise`].
pub fn strip_locators(text: &str) -> String {
    let mut locators = Locators { text: text.as_bytes(), scheme_fails: 0, doi_fails: 0, mail_fails: 0 };
    let mut out = String::with_capacity(text.len());
    let (mut at, mut copied) = (0, 0);
    while at < text.len() {
        let may_start = at == 0 || !locators.is(at - 1, ALNUM); // LOC-1, LOC-2
        match if may_start { locators.longest(at) } else { None } {
            Some(end) => {
                out.push_str(&text[copied..at]);
                out.push(' '); // LOC-4
                at = end;
                copied = end;
            }
            None => at += 1,
        }
    }
    out.push_str(&text[copied..]);
    out
}

// -------------------------------------------------------------------------------------------- step 5: tokenise

/// TOK-1 to TOK-5: the tokens in their order. The input is an output of [`strip_locators`].
/// Under all labels but `simhash-doc`, the tokens of BIG-1 to BIG-4 in the order of their first code points.
pub fn tokenise(text: &str, label: Label) -> Vec<&str> {
    let classes = classes();
    let is_break = |c: char| !matches!(classes[c as usize], Class::Letter | Class::Word);
    let mut tokens = Vec::new();
    for run in text.split(is_break).filter(|run| has_letter(run)) {
        if label != Label::SimhashDoc {
            add_pairs(run, &mut tokens);
        } else {
            tokens.push(run);
        }
    }
    tokens
}

/// TOK-3
fn has_letter(run: &str) -> bool {
    run.chars().any(|c| classes()[c as usize] == Class::Letter)
}

/// BIG-2 to BIG-4
fn add_pairs<'a>(token: &'a str, tokens: &mut Vec<&'a str>) {
    let mut parts: Vec<(usize, bool)> = Vec::new(); // BIG-2: starts of units (true) and of runs of others (false)
    for (at, c) in token.char_indices() {
        match (kinds()[c as usize], parts.last()) {
            (Kind::Joined, _) => parts.push((at, true)),
            (Kind::Mark, Some(_)) | (Kind::Other, Some((_, false))) => {}
            _ => parts.push((at, false)),
        }
    }
    parts.push((token.len(), false));
    for (i, next) in parts.windows(2).enumerate() {
        match (next[0], next[1]) {
            ((start, true), (_, true)) => tokens.push(&token[start..parts[i + 2].0]), // BIG-3: a pair
            ((start, true), (end, false)) if i == 0 || !parts[i - 1].1 => tokens.push(&token[start..end]),
            ((start, false), (end, _)) if has_letter(&token[start..end]) => tokens.push(&token[start..end]), // BIG-4
            _ => {}
        }
    }
}

// ------------------------------------------------------------------------------------------------ step 7: hash

/// HSH-3: lookup3 (`hashlittle2`) of octets with two initial values, as (c, b).
pub fn lookup3(octets: &[u8], pc: u32, pb: u32) -> (u32, u32) {
    let mut a = 0xDEAD_BEEF_u32.wrapping_add(octets.len() as u32).wrapping_add(pc); // the length modulo 2^32
    let mut b = a;
    let mut c = a.wrapping_add(pb);
    if octets.is_empty() {
        return (c, b);
    }
    let add = |x: &mut u32, word: &[u8]| {
        *x = x.wrapping_add(u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
    };
    let (blocks, tail) = octets.split_at((octets.len() - 1) / 12 * 12); // the last 1 to 12 octets are the tail
    for block in blocks.chunks_exact(12) {
        add(&mut a, &block[0..4]);
        add(&mut b, &block[4..8]);
        add(&mut c, &block[8..12]);
        let mix = |x: &mut u32, y: &mut u32, z: u32, bits: u32| {
            *x = x.wrapping_sub(*y) ^ y.rotate_left(bits);
            *y = y.wrapping_add(z);
        };
        mix(&mut a, &mut c, b, 4);
        mix(&mut b, &mut a, c, 6);
        mix(&mut c, &mut b, a, 8);
        mix(&mut a, &mut c, b, 16);
        mix(&mut b, &mut a, c, 19);
        mix(&mut c, &mut b, a, 4);
    }
    let mut last = [0; 12];
    last[..tail.len()].copy_from_slice(tail);
    add(&mut a, &last[0..4]);
    add(&mut b, &last[4..8]);
    add(&mut c, &last[8..12]);
    let end = |x: &mut u32, y: u32, bits: u32| *x = (*x ^ y).wrapping_sub(y.rotate_left(bits));
    end(&mut c, b, 14);
    end(&mut a, c, 11);
    end(&mut b, a, 25);
    end(&mut c, b, 16);
    end(&mut a, c, 4);
    end(&mut b, a, 14);
    end(&mut c, b, 24);
    (c, b)
}

/// HSH-1, HSH-2: the hash of a token.
pub fn token_hash(octets: &[u8]) -> u64 {
    let (c, b) = lookup3(octets, 0, 0);
    u64::from(b) << 32 | u64::from(c)
}

// --------------------------------------------------------------------------------------------- step 8: simhash

/// SIM-2, SIM-3: the counters, that of the most significant bit first.
pub fn counters(hashes: &[u64]) -> [i64; 64] {
    let mut ones = [0_i64; 64];
    for hash in hashes {
        for (bit, ones) in ones.iter_mut().enumerate() {
            *ones += (hash >> (63 - bit) & 1) as i64;
        }
    }
    ones.map(|ones| 2 * ones - hashes.len() as i64) // a bit 1 adds 1, a bit 0 subtracts 1
}

/// SIM-4, SIM-1: the bits of the fingerprint of token hashes, or none if there are no hashes.
pub fn simhash(hashes: &[u64]) -> Option<u64> {
    if hashes.is_empty() {
        return None;
    }
    Some(counters(hashes).iter().fold(0, |bits, &counter| bits << 1 | u64::from(counter > 0)))
}

// ---------------------------------------------------------------------------- minhash, in the place of step 8

const BINS: usize = 64;
const ROUNDS: usize = 64;
const DRAWS: usize = ROUNDS + BINS; // of an element, for a word
const MAX_WORDS: usize = 4;

/// MIN-2
#[inline(always)]
fn output(x: u64, n: usize) -> u64 {
    let z = x.wrapping_add((n as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

/// MIN-2: S(x, n), draw `n`, 0 to 511, of the element `x`.
pub fn draw(x: u64, n: u32) -> Result<u64, Error> {
    Some(n as usize).filter(|&n| n < MAX_WORDS * DRAWS).map(|n| output(x, n)).ok_or(Error::OutOfRange)
}

/// The bins of a word, each with its winning draw as (round, number).
#[derive(Clone, Debug)]
struct Word {
    winners: [(usize, u64); BINS],
    last_round: usize, // the latest of a winner; a draw of a later round cannot win
}

impl Word {
    const EMPTY: Word = Word { winners: [(DRAWS, 0); BINS], last_round: DRAWS - 1 };

    /// MIN-3, MIN-4: the draws of an element, of which the first has the number `first`.
    fn add(&mut self, element: u64, first: usize) {
        let mut round = 0;
        while round <= self.last_round {
            let y = output(element, first + round);
            let bin = if round < ROUNDS { (y >> 58) as usize } else { round - ROUNDS };
            let before = self.winners[bin];
            if (round, y) < before {
                self.winners[bin] = (round, y);
                if before.0 >= self.last_round {
                    let last = self.winners.iter().map(|winner| winner.0).max();
                    self.last_round = last.unwrap_or_default().min(DRAWS - 1);
                }
            }
            round += 1;
        }
    }
}

/// The fingerprint of token hashes that come one by one, in any order and with repetitions, in constant memory.
#[derive(Clone, Debug)]
pub struct MinHash {
    label: Label,
    words: Vec<Word>,
    is_empty: bool,
}

impl MinHash {
    /// The label is one of minhash-doc.
    pub fn new(label: Label) -> Result<MinHash, Error> {
        if !label.is_minhash() {
            return Err(Error::InvalidLabel);
        }
        Ok(MinHash { label, words: vec![Word::EMPTY; label.words()], is_empty: true })
    }

    /// MIN-1: add a token hash.
    pub fn add(&mut self, hash: u64) {
        self.is_empty = false;
        for (number, word) in self.words.iter_mut().enumerate() {
            word.add(hash, number * DRAWS);
        }
    }

    /// The winning draws, bin 0 of word 0 first; none without hashes.
    pub fn draws(&self) -> Vec<u64> {
        let words = if self.is_empty { &[] } else { &self.words[..] };
        words.iter().flat_map(|word| word.winners.iter().map(|winner| winner.1)).collect()
    }

    /// MIN-5 to MIN-7: the fingerprint of all hashes up to now, or none without hashes.
    pub fn fingerprint(&self) -> Option<Fingerprint> {
        let bits = |word: &Word| word.winners.iter().fold(0, |bits, winner| bits << 1 | winner.1 & 1);
        let words: Vec<u64> = self.words.iter().map(bits).collect();
        Fingerprint::new(self.label, &words).ok().filter(|_| !self.is_empty)
    }
}

// --------------------------------------------------------------------------------------------------- the whole

/// Steps 3 to 8: the fingerprint of a text, or none if it has no tokens (SIM-1, MIN-6).
pub fn fingerprint(text: &str, label: Label) -> Option<Fingerprint> {
    let stripped = strip_locators(&normalise(text));
    let hashes = tokenise(&stripped, label).into_iter().map(|token| token_hash(token.as_bytes()));
    if let Ok(mut minhash) = MinHash::new(label) {
        hashes.for_each(|hash| minhash.add(hash));
        return minhash.fingerprint();
    }
    let hashes: Vec<u64> = hashes.collect();
    simhash(&hashes).and_then(|bits| Fingerprint::new(label, &[bits]).ok())
}

/// Steps 1 to 8: the fingerprint of the octets of a text, or none.
pub fn fingerprint_of_octets(octets: &[u8], label: Label) -> Option<Fingerprint> {
    fingerprint(&decode(octets), label)
}

// ------------------------------------------------------------------------------------------- step 9: serialise

/// LAB-3: one of the registered labels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    #[default]
    SimhashDoc,
    SimhashDocBg1,
    MinhashDoc,
    MinhashDoc256,
}

impl Label {
    pub const ALL: [Label; 4] = [Label::SimhashDoc, Label::SimhashDocBg1, Label::MinhashDoc, Label::MinhashDoc256];

    pub fn as_str(self) -> &'static str {
        match self {
            Label::SimhashDoc => "simhash-doc",
            Label::SimhashDocBg1 => "simhash-doc+bg1",
            Label::MinhashDoc => "minhash-doc",
            Label::MinhashDoc256 => "minhash-doc-256",
        }
    }

    /// Whether it is a label of minhash-doc.
    pub fn is_minhash(self) -> bool {
        matches!(self, Label::MinhashDoc | Label::MinhashDoc256)
    }

    /// The number of words of 64 bits in a fingerprint.
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
    pub fn new(label: Label, words: &[u64]) -> Result<Fingerprint, Error> {
        if words.len() != label.words() {
            return Err(Error::OutOfRange);
        }
        let mut all = [0; MAX_WORDS];
        all[..words.len()].copy_from_slice(words);
        Ok(Fingerprint { label, words: all })
    }

    /// A fingerprint of its 8 or 32 octets, in network byte order.
    pub fn from_octets(label: Label, octets: &[u8]) -> Result<Fingerprint, Error> {
        let words: Result<Vec<u64>, Error> = octets.chunks(8).map(from_octets).collect();
        Fingerprint::new(label, &words?)
    }

    /// SER-2 to SER-5, MIN-9: read the bare form, of any case, perhaps with `===` or `====` behind it.
    pub fn from_bare(label: Label, s: &str) -> Result<Fingerprint, Error> {
        let (digits, padding) = if label.words() == 1 { (13, "===") } else { (52, "====") };
        let s = if s.len() == digits + padding.len() { s.strip_suffix(padding).unwrap_or(s) } else { s };
        if s.len() != digits {
            return Err(Error::InvalidFingerprint);
        }
        let (mut words, mut bits) = ([0; MAX_WORDS], 0);
        for octet in s.bytes() {
            let value = ALPHABET.iter().position(|&digit| digit == octet.to_ascii_uppercase());
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
    pub fn from_hex(label: Label, s: &str) -> Result<Fingerprint, Error> {
        if s.len() != 16 * label.words() || !s.bytes().all(|octet| octet.is_ascii_hexdigit()) {
            return Err(Error::InvalidFingerprint);
        }
        let word = |w| u64::from_str_radix(&s[16 * w..16 * w + 16], 16).map_err(|_| Error::InvalidFingerprint);
        Fingerprint::new(label, &(0..label.words()).map(word).collect::<Result<Vec<_>, _>>()?)
    }

    pub fn label(&self) -> Label {
        self.label
    }

    /// The words of 64 bits, the most significant first.
    pub fn words(&self) -> &[u64] {
        &self.words[..self.label.words()]
    }

    /// The 8 or 32 octets, in network byte order.
    pub fn octets(&self) -> Vec<u8> {
        self.words().iter().flat_map(|word| word.to_be_bytes()).collect()
    }

    /// SER-1, MIN-9: the bare form.
    pub fn to_bare(&self) -> String {
        let bits = 64 * self.label.words();
        let bit = |i: usize| if i < bits { (self.words[i / 64] >> (63 - i % 64) & 1) as usize } else { 0 };
        let value = |group: usize| (group..group + 5).fold(0, |value, i| value << 1 | bit(i));
        (0..bits).step_by(5).map(|group| char::from(ALPHABET[value(group)])).collect()
    }

    /// SER-6, MIN-9: the hexadecimal form.
    pub fn to_hex(&self) -> String {
        self.words().iter().map(|&word| to_hex(word)).collect()
    }

    /// MIN-8: the `minhash-doc` fingerprint of a document with this one of `minhash-doc-256`; other labels are refused.
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

/// The 16 hexadecimal digits of a number.
pub fn to_hex(bits: u64) -> String {
    format!("{bits:016x}")
}

/// A number of 64 bits from its octets, in network byte order; `u64::to_be_bytes` is the inverse.
pub fn from_octets(octets: &[u8]) -> Result<u64, Error> {
    octets.try_into().map(u64::from_be_bytes).map_err(|_| Error::OutOfRange)
}

// --------------------------------------------------------------------------------------------- step 10: compare

/// CMP-6, CMP-5
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    Close,
    Loose,
    None,
}

/// An answer of [`compare`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    pub distance: u32,
    pub similarity: f64,
    pub verdict: Verdict,
}

/// CMP-3: the distance of two words.
pub fn distance(a: u64, b: u64) -> u32 {
    (a ^ b).count_ones()
}

/// The distances of the words of two fingerprints.
fn distances<'a>(a: &'a Fingerprint, b: &'a Fingerprint) -> impl Iterator<Item = u32> + 'a {
    a.words().iter().zip(b.words()).map(|(&a, &b)| distance(a, b))
}

/// CMP-1 to CMP-6, MIN-10: compare two documents by their fingerprints.
pub fn compare(a: Option<Fingerprint>, b: Option<Fingerprint>) -> Result<Comparison, Error> {
    let (a, b) = a.zip(b).ok_or(Error::NoFingerprint)?;
    if a.label != b.label {
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

// ---------------------------------------------------------------------------------------------- step 11: lookup

/// The parts of `bits` of the given width, other than part `i`, joined in their order.
fn without(bits: u64, parts: u32, width: u32, i: u32) -> u64 {
    let below = (parts - 1 - i) * width;
    bits >> below >> width << below | bits & ((1 << below) - 1)
}

/// TAB-1 to TAB-4: the permuted fingerprint in table 0 to 15; here and below, of 256 bits that of a word (MIN-11).
pub fn permute(bits: u64, table: u32) -> Result<u64, Error> {
    if table > 15 {
        return Err(Error::OutOfRange);
    }
    let (i, j) = (table / 4, table % 4);
    let block = bits >> (48 - 16 * i) & 0xFFFF;
    let others = without(bits, 4, 16, i);
    let sub_block = others >> (36 - 12 * j) & 0xFFF;
    Ok(block << 48 | sub_block << 36 | without(others, 4, 12, j))
}

/// TAB-4: the inverse of [`permute`].
pub fn unpermute(permuted: u64, table: u32) -> Result<u64, Error> {
    if table > 15 {
        return Err(Error::OutOfRange);
    }
    // Puts `part` before the lowest `below` bits of `rest`.
    let insert = |rest: u64, part: u64, width: u32, below: u32| {
        let low = rest & ((1 << below) - 1);
        (rest >> below) << below << width | part << below | low
    };
    let (i, j) = (table / 4, table % 4);
    let others = insert(permuted & 0xF_FFFF_FFFF, permuted >> 36 & 0xFFF, 12, 36 - 12 * j);
    Ok(insert(others, permuted >> 48, 16, 48 - 16 * i))
}

/// TAB-3: the key in table 0 to 15.
pub fn key(bits: u64, table: u32) -> Result<u32, Error> {
    Ok((permute(bits, table)? >> 36) as u32)
}

/// All numbers of `width` bits with exactly `ones` bits 1, ascending.
fn masks(width: u32, ones: u32) -> impl Iterator<Item = u32> {
    let first = if ones <= width { Some((1 << ones) - 1) } else { None };
    std::iter::successors(first, move |&mask: &u32| {
        let lowest = mask & mask.wrapping_neg();
        let carried = mask + lowest;
        let next = if mask == 0 { 1 << width } else { carried | ((carried ^ mask) / lowest) >> 2 };
        Some(next).filter(|&next| next < 1 << width)
    })
}

/// LKP-5: the probes of a table, ascending. Their number grows fast: 1,847 for `k` = 8, 2^28 for `k` = 64.
pub fn probes(bits: u64, table: u32, k: u32) -> Result<Vec<u32>, Error> {
    let key = key(bits, table)?;
    if k > 64 {
        return Err(Error::OutOfRange);
    }
    let mut probes = Vec::new();
    for e1 in 0..=k / 4 {
        for e2 in 0..=(k - e1) / 4 {
            for m1 in masks(16, e1) {
                probes.extend(masks(12, e2).map(|m2| key ^ (m1 << 12 | m2)));
            }
        }
    }
    probes.sort_unstable();
    Ok(probes)
}

/// A row of an answer of [`Index::lookup`]; the order of the members is that of LKP-3.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Match<'a> {
    pub distance: u32,
    pub id: &'a str,
    pub fingerprint: Fingerprint,
}

/// A set of entries of one label, in memory, with 16 tables for each word. Answers are complete for every distance (LKP-4).
#[derive(Clone, Debug)]
pub struct Index {
    label: Label,
    entries: BTreeMap<Arc<str>, Fingerprint>,
    tables: Vec<BTreeSet<(u64, Arc<str>)>>, // TAB-5: permuted words with their identifiers, 16 tables of word 0 first
}

impl Index {
    /// LKP-4: the distance up to which an index answers.
    pub const COMPLETE_TO: u32 = 64;

    pub fn new(label: Label) -> Index {
        Index { label, entries: BTreeMap::new(), tables: vec![BTreeSet::new(); 16 * label.words()] }
    }

    /// Add an entry, or replace the one with the same identifier.
    pub fn add(&mut self, id: &str, fingerprint: Option<Fingerprint>) -> Result<(), Error> {
        if id.is_empty() {
            return Err(Error::OutOfRange);
        }
        let fingerprint = self.check(fingerprint.ok_or(Error::NoFingerprint)?)?; // LKP-1
        let id: Arc<str> = id.into();
        let old = self.entries.insert(id.clone(), fingerprint);
        for (number, rows) in self.tables.iter_mut().enumerate() {
            let permuted = |of: Fingerprint| permute(of.words[number / 16], number as u32 % 16);
            if let Some(old) = old {
                rows.remove(&(permuted(old)?, id.clone()));
            }
            rows.insert((permuted(fingerprint)?, id.clone()));
        }
        Ok(())
    }

    /// LKP-1 to LKP-6: all entries within distance `k`, the nearest first. Under `minhash-doc-256`, those with a word
    /// within `k` of the same word of the query, and with the distance of all bits (MIN-11).
    pub fn lookup<'a>(&'a self, query: Option<Fingerprint>, k: u32) -> Result<Vec<Match<'a>>, Error> {
        let query = query.ok_or(Error::NoFingerprint)?;
        if k > Index::COMPLETE_TO {
            return Err(Error::OutOfRange);
        }
        let query = self.check(query)?;
        let is_found = |fingerprint: &Fingerprint| distances(fingerprint, &query).any(|distance| distance <= k);
        let to_match = |(id, &fingerprint): (&'a Arc<str>, &Fingerprint)| Match {
            distance: distances(&fingerprint, &query).sum(),
            id,
            fingerprint,
        };
        let mut matches = BTreeSet::new();
        // With fewer entries than probes in all tables, or with a large distance, reading all entries is cheaper.
        if k > 7 || self.entries.len() < [16, 464, 3536, 3536, 3536][k.saturating_sub(3) as usize] {
            matches.extend(self.entries.iter().filter(|(_, fingerprint)| is_found(fingerprint)).map(to_match));
        } else {
            for (number, rows) in self.tables.iter().enumerate() {
                for probe in probes(query.words[number / 16], number as u32 % 16, k)? {
                    let rows = rows.range((u64::from(probe) << 36, Arc::from(""))..);
                    let candidates = rows.take_while(|(permuted, _)| permuted >> 36 == u64::from(probe));
                    let entries = candidates.filter_map(|(_, id)| self.entries.get_key_value(id));
                    matches.extend(entries.filter(|(_, fingerprint)| is_found(fingerprint)).map(to_match));
                }
            }
        }
        Ok(matches.into_iter().collect())
    }

    /// CMP-2
    fn check(&self, fingerprint: Fingerprint) -> Result<Fingerprint, Error> {
        Some(fingerprint).filter(|_| fingerprint.label == self.label).ok_or(Error::LabelMismatch)
    }
}
