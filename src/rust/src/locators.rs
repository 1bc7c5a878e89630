// SPDX-License-Identifier: MIT
//! Step 4: strip locators.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::text::{classify_all, mask, Masks, BLOCK};

// LOC-13: the sets of the grammar. They hold ASCII only, so the bytes of UTF-8 serve as code points. Each is a bit.
type Set = u8;
const LETTER: Set = 1;
const DIGIT: Set = 2;
const ALNUM: Set = LETTER | DIGIT;
const HEX: Set = 4;
const SCHEME: Set = 8;
const URIC: Set = 16;
const LOCAL: Set = 32;
const LABEL: Set = 64;

/// The sets that a byte is in.
static SETS: [u8; 256] = {
    const fn has(set: &[u8], byte: u8) -> bool {
        let mut at = 0;
        while at < set.len() && set[at] != byte {
            at += 1;
        }
        at < set.len()
    }
    let mut sets = [0; 256];
    let mut i = 0;
    while i < 256 {
        let byte = i as u8;
        let alnum = byte.is_ascii_alphanumeric();
        sets[i] = if byte.is_ascii_alphabetic() { LETTER } else { 0 }
            | if byte.is_ascii_digit() { DIGIT } else { 0 }
            | if byte.is_ascii_hexdigit() { HEX } else { 0 }
            | if alnum || has(b"+.-", byte) { SCHEME } else { 0 }
            | if alnum || has(b"-._~%:/?#[]@!$&'()*+,;=", byte) { URIC } else { 0 }
            | if alnum || has(b"._%+-", byte) { LOCAL } else { 0 }
            | if alnum || byte == b'-' { LABEL } else { 0 };
        i += 1;
    }
    sets
};

#[inline(always)]
fn is_in(byte: u8, set: Set) -> bool {
    SETS[usize::from(byte)] & set != 0
}

/// The number of bytes of one set at the start of a text, counted by four.
#[inline(always)]
fn count_first(text: &[u8], set: Set) -> usize {
    let is_whole = |four: &&[u8]| four.iter().fold(set, |all, &byte| all & SETS[usize::from(byte)]) != 0;
    let count = 4 * text.chunks_exact(4).take_while(is_whole).count();
    count + text[count..].iter().take_while(|&&byte| is_in(byte, set)).count()
}

/// LOC-6 and LOC-7: what stands before `1*uric` in forms 2 and 3.
const PREFIXES: [&[u8]; 19] = [
    b"www.", b"ark:", b"arxiv:", b"cid:", b"data:", b"did:", b"doi:", b"hdl:", b"info:", b"isbn:", b"issn:",
    b"magnet:", b"mailto:", b"orcid:", b"pmcid:", b"pmid:", b"swh:", b"tel:", b"urn:",
];

/// LOC-14: a run of characters of the grammar, with the ends up to which forms 1, 4 and 5 are known to fail, so that nothing is
/// read again and again.
struct Locators<'a> {
    text: &'a [u8],
    has_colon: bool,
    has_at_sign: bool,
    scheme_fails: usize,
    doi_fails: usize,
    mail_fails: usize,
}

impl Locators<'_> {
    #[inline(always)]
    fn is(&self, at: usize, set: Set) -> bool {
        self.text.get(at).is_some_and(|&byte| is_in(byte, set))
    }

    /// The end of `*set` at a position.
    #[inline(always)]
    fn run(&self, at: usize, set: Set) -> usize {
        at + self.text.get(at..).unwrap_or(&[]).iter().take_while(|&&byte| is_in(byte, set)).count()
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
        core::iter::successors(Some(at), |&end| self.then(end, b".", set)).last().unwrap_or(at)
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

    /// The end of `1*uric` at a position: that of the run.
    fn rest(&self, at: usize) -> Option<usize> {
        Some(self.text.len()).filter(|&end| end > at)
    }

    /// LOC-5
    fn with_scheme(&mut self, at: usize) -> Option<usize> {
        if at < self.scheme_fails || !self.has_colon || !self.is(at, LETTER) {
            return None;
        }
        self.scheme_fails = self.run(at, SCHEME);
        let end = self.scheme_fails + 3;
        self.rest(end).filter(|_| self.text[..end].ends_with(b"://"))
    }

    /// LOC-6, LOC-7. [`Locators::with_scheme`] knows where a colon can be: all characters before it are of the set that it reads.
    fn with_prefix(&self, at: usize) -> Option<usize> {
        if self.text.get(self.scheme_fails) != Some(&b':') && !matches!(self.text[at], b'W' | b'w') {
            return None;
        }
        let end = self.run(at, LETTER) + 1;
        let found = self.text.get(at..end).filter(|found| found.ends_with(b":") || found.ends_with(b"."))?;
        PREFIXES.iter().find(|prefix| prefix.eq_ignore_ascii_case(found)).and_then(|_| self.rest(end))
    }

    /// LOC-8
    fn doi(&mut self, at: usize) -> Option<usize> {
        if at < self.doi_fails {
            return None;
        }
        let digits = self.then(at, b"10.", DIGIT).filter(|end| (4..=9).contains(&(end - at - 3)))?;
        self.doi_fails = self.dotted(digits, DIGIT);
        let end = self.doi_fails + 1;
        self.rest(end).filter(|_| self.text[..end].ends_with(b"/"))
    }

    /// LOC-9
    fn mail(&mut self, at: usize) -> Option<usize> {
        if at < self.mail_fails || !self.has_at_sign {
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
        Some(at + 36).filter(|&end| matches(8) && (0..36).all(matches) && !self.is(end, ALNUM))
    }

    /// LOC-11, LOC-12
    fn digest(&self, at: usize) -> Option<usize> {
        if !self.is(at + 31, HEX) {
            return None;
        }
        let end = self.run(at, HEX);
        let has_digit = || (at..end).any(|i| self.is(i, DIGIT));
        Some(end).filter(|_| end - at >= 32 && !self.is(end, ALNUM) && has_digit())
    }
}

/// Whether a block has one of [`separators`].
#[inline(always)]
fn has_separators(block: &[u8; BLOCK]) -> bool {
    let found = block.iter().fold(false, |found, &byte| found | is_separator(byte));
    found | block.chunks_exact(2).fold(false, |found, pair| found | is_ww(pair[0], pair[1]))
}

#[inline(always)]
fn is_separator(byte: u8) -> bool {
    (byte == b':') | (byte == b'@') | (byte == b'/')
}

#[inline(always)]
fn is_ww(first: u8, second: u8) -> bool {
    u16::from_le_bytes([first, second]) | 0x2020 == u16::from_le_bytes(*b"ww")
}

/// The colons, at signs and slashes in a block, and the first letters of `www.`.
#[inline(never)]
fn separators(block: &[u8; BLOCK]) -> u64 {
    let w = mask(&block.map(|byte| byte | 0x20 == b'w'));
    mask(&block.map(is_separator)) | w & w >> 1
}

/// Whether a separator is the sign of a locator: a colon behind a letter and before something else than a space, or before
/// two slashes; an at sign between other characters; or a slash behind a digit.
#[inline(always)]
fn is_sign(text: &[u8], at: usize) -> bool {
    let before = text[..at].last().copied().unwrap_or(b' ');
    let behind = text[at..].get(1).copied().unwrap_or(b' ');
    match text[at] {
        b':' => before.is_ascii_alphabetic() && behind > b' ' || text[at..].starts_with(b"://"),
        b'@' => before > b' ' && behind > b' ',
        b'/' => before.is_ascii_digit(),
        _ => true,
    }
}

/// The places in a text where words end, as masks, up to now: those of the last block, and those of them that are five
/// behind another.
struct HexSigns {
    word: u64,
    ends: u64,
    fifth: u64,
}

impl HexSigns {
    /// The signs of forms 5 and 6 in the next block: a hyphen as the last of four with four characters of a word between
    /// them, or 16 bytes of a word from a multiple of 16 on.
    #[inline(always)]
    fn next(&mut self, word: u64) -> u64 {
        let ends = !word & (word << 1 | self.word >> 63);
        let fifth = ends & (ends << 5 | self.ends >> 59);
        let fourth = fifth & (fifth << 10 | self.fifth >> 54);
        *self = HexSigns { word, ends, fifth };
        let sixteen = [8, 4, 2, 1].iter().fold(word, |all, distance| all & all >> distance);
        fourth | sixteen & 0x0001_0001_0001_0001
    }
}

/// LOC-1 to LOC-14: replace each locator by one space. The input is an output of [`normalise`](crate::steps::normalise).
///
/// A text without locators is not copied.
#[must_use]
pub fn strip_locators(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut copied = 0;
    for place in locators(text) {
        out.push_str(&text[copied..place.start]);
        out.push(' '); // LOC-4
        copied = place.end;
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// LOC-1 to LOC-3: the places of the locators, in bytes. The input is an output of [`normalise`](crate::steps::normalise).
#[must_use]
pub fn locators(text: &str) -> Vec<Range<usize>> {
    let (mut places, mut blocks) = (Vec::new(), Vec::new());
    classify_all(text, &mut blocks);
    for_locators(text, &mut blocks, |_, place| places.push(place));
    places
}

/// A locator lies within a run of characters of the grammar, so that only runs with a sign of one are read closely.
/// `blocks` has the classes of the characters; `locator` may change those of a locator.
#[inline(always)]
pub(crate) fn for_locators(text: &str, blocks: &mut [Masks], mut locator: impl FnMut(&mut [Masks], Range<usize>)) {
    let bytes = text.as_bytes();
    let mut done = 0;
    let mut hex = HexSigns { word: 0, ends: 0, fifth: 0 };
    for number in 0..blocks.len() {
        let at = number * BLOCK;
        let mut marks = hex.next(blocks[number].word);
        marks = if marks == 0 { 0 } else { hex_only(&bytes[at..], marks) };
        marks |= match bytes[at..].get(..BLOCK).map(<&[u8; BLOCK]>::try_from) {
            Some(Ok(block)) if !has_separators(block) => 0,
            Some(Ok(block)) => separators(block),
            _ => {
                let mut block = [b' '; BLOCK];
                block[..bytes.len() - at].copy_from_slice(&bytes[at..]);
                separators(&block)
            }
        };
        while marks != 0 {
            let sign = at + marks.trailing_zeros() as usize;
            marks &= marks - 1;
            if sign < done || !is_sign(bytes, sign) {
                continue;
            }
            let before = bytes[done..sign].iter().rev().take_while(|&&byte| is_in(byte, URIC)).count();
            let end = sign + count_first(&bytes[sign..], URIC);
            for_locators_of_run(bytes, sign - before..end, |place| locator(blocks, place));
            done = end;
        }
    }
}

/// The marks at hyphens and at hexadecimal digits.
#[cold]
fn hex_only(bytes: &[u8], mut marks: u64) -> u64 {
    let mut found = 0;
    while marks != 0 {
        let at = marks.trailing_zeros();
        if bytes.get(at as usize).is_some_and(|&byte| byte == b'-' || is_in(byte, HEX)) {
            found |= 1 << at;
        }
        marks &= marks - 1;
    }
    found
}

/// The locators of a run of characters of the grammar.
fn for_locators_of_run(text: &[u8], place: Range<usize>, mut locator: impl FnMut(Range<usize>)) {
    let start = place.start;
    let run = &text[place];
    let (has_colon, has_at_sign) = (run.contains(&b':'), run.contains(&b'@'));
    let mut locators = Locators { text: run, has_colon, has_at_sign, scheme_fails: 0, doi_fails: 0, mail_fails: 0 };
    let mut at = 0;
    while at < run.len() {
        if let Some(found) = locators.longest(at) {
            locator(start + at..start + found);
            at = found;
            if !locators.is(at - 1, ALNUM) {
                continue;
            }
        }
        at = locators.run(at, ALNUM) + 1; // LOC-1, LOC-2: not behind one of these
    }
}
