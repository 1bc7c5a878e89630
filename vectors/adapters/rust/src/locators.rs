// SPDX-License-Identifier: MIT
//! Step 4: strip locators.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

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

const BLOCK: usize = 32;
/// What is read for a block: with the byte before it and the three behind it.
const WINDOW: usize = BLOCK + 4;

/// The signs of locators in a block, one at least within each locator: a colon behind a letter and before something else than
/// a space, or before two slashes; an at sign between other characters; a slash behind a digit; the point of `www.`; or, for
/// a run of at least 32 hexadecimal digits and hyphens, the 16 bytes from a multiple of 16 on that it fills.
#[inline(always)]
fn signs(window: &[u8; WINDOW]) -> Option<[u8; BLOCK]> {
    let (mut marks, mut others) = ([0_u8; BLOCK], [0_u8; 2]);
    for i in 0..BLOCK {
        let (before, byte, behind) = (window[i], window[i + 1], window[i + 2]);
        let letter = u8::from((before | 0x20).wrapping_sub(b'a') < 26);
        let digit = u8::from(before.wrapping_sub(b'0') < 10);
        let between = u8::from(before > b' ') & u8::from(behind > b' ');
        let slashes = u8::from(behind == b'/') & u8::from(window[i + 3] == b'/');
        let w = |i: usize| u8::from(window[i] | 0x20 == b'w');
        marks[i] = u8::from(byte == b':') & (letter & between | slashes)
            | u8::from(byte == b'@') & between
            | u8::from(byte == b'/') & digit
            | w(i + 1) & w(i + 2) & w(i + 3) & u8::from(window[i + 4] == b'.');
    }
    for (other, half) in others.iter_mut().zip(window[1..].chunks_exact(BLOCK / 2)) {
        for &byte in half {
            let digit = u8::from(byte.wrapping_sub(b'0') < 10);
            let letter = u8::from((byte | 0x20).wrapping_sub(b'a') < 6);
            *other |= 1 ^ (digit | letter | u8::from(byte == b'-'));
        }
    }
    for (half, other) in others.iter().enumerate() {
        marks[half * (BLOCK / 2)] |= 1 ^ other;
    }
    (marks.iter().fold(0, |all, mark| all | mark) != 0).then_some(marks)
}

/// The bytes around a block, with spaces before and behind the text.
#[inline(always)]
fn window(bytes: &[u8], at: usize, padded: &mut [u8; WINDOW]) {
    let (skipped, from) = if at == 0 { (1, 0) } else { (0, at - 1) };
    let here = &bytes[from..bytes.len().min(from + WINDOW - skipped)];
    padded.fill(b' ');
    padded[skipped..skipped + here.len()].copy_from_slice(here);
}

/// LOC-1 to LOC-14: replace each locator by one space. The input is an output of [`normalise`](crate::steps::normalise).
///
/// A text without locators is not copied.
pub fn strip_locators(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut copied = 0;
    for_locators(text, |place| {
        out.push_str(&text[copied..place.start]);
        out.push(' '); // LOC-4
        copied = place.end;
    });
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// LOC-1 to LOC-3: the places of the locators, in bytes. The input is an output of [`normalise`](crate::steps::normalise).
pub fn locators(text: &str) -> Vec<Range<usize>> {
    let mut places = Vec::new();
    for_locators(text, |place| places.push(place));
    places
}

/// A locator lies within a run of characters of the grammar, so that only runs with a sign of one are read closely.
#[inline(always)]
pub(crate) fn for_locators(text: &str, mut locator: impl FnMut(Range<usize>)) {
    let bytes = text.as_bytes();
    let mut done = 0;
    let mut padded = [b' '; WINDOW];
    for at in (0..bytes.len()).step_by(BLOCK) {
        let found = match bytes.get(at.wrapping_sub(1)..at + WINDOW - 1).map(<&[u8; WINDOW]>::try_from) {
            Some(Ok(here)) => signs(here),
            _ => {
                window(bytes, at, &mut padded);
                signs(&padded)
            }
        };
        let Some(marks) = found else { continue };
        for sign in (at..).zip(marks).filter(|&(_, mark)| mark != 0).map(|(sign, _)| sign) {
            if sign < done {
                continue;
            }
            let before = bytes[done..sign].iter().rev().take_while(|&&byte| is_in(byte, URIC)).count();
            let end = sign + bytes[sign..].iter().take_while(|&&byte| is_in(byte, URIC)).count();
            for_locators_of_run(bytes, sign - before..end, &mut locator);
            done = end;
        }
    }
}

/// The locators of a run of characters of the grammar.
fn for_locators_of_run(text: &[u8], place: Range<usize>, locator: &mut impl FnMut(Range<usize>)) {
    let start = place.start;
    let run = &text[place];
    let mut locators = Locators { text: run, scheme_fails: 0, doi_fails: 0, mail_fails: 0 };
    let mut at = 0;
    while at < run.len() {
        let may_start = at == 0 || !locators.is(at - 1, ALNUM); // LOC-1, LOC-2
        match if may_start { locators.longest(at) } else { None } {
            Some(found) => {
                locator(start + at..start + found);
                at = found;
            }
            None => at += 1,
        }
    }
}
