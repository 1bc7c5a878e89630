// SPDX-License-Identifier: MIT
//! What tells apart documents that share most of their words (VER-4, VER-5).

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::mem;

use crate::residue::{fold_case, Kind, Kinds};
use crate::text::{flags, mask, normalise, BLOCK, JOINED};

/// The largest number of pieces in a first line, and the number of lines with pieces that have to follow it.
const MAX_TITLE: usize = 15;
const MIN_LINES: usize = 2;

/// From so many pieces on, a document is not short.
const SHORT: usize = 60;

/// Why two documents are different although they share most of their words (VER-5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// Their first lines.
    Title,
    /// Their numbers.
    Numbers,
    /// The words of short documents.
    Words,
}

/// So many of `size` numbers have to be in another document that has no fewer.
pub(super) fn needed_numbers(size: usize) -> usize {
    size - size / 10
}

/// Hashes with a random key, ascending and distinct.
#[derive(Default)]
pub(super) struct Marks {
    /// The second and further ones of the same value have hashes of their own.
    pub(super) numbers: Vec<u64>,
    /// The first line; 0 if none counts.
    pub(super) title: u64,
    pub(super) title_pieces: Vec<u64>,
    /// The lines that may be the first line of another document.
    pub(super) lines: Vec<u64>,
    /// Of a short document.
    pub(super) pieces: Option<Vec<u64>>,
}

/// Makes hashes with a random key.
pub(super) struct Marker {
    kinds: &'static Kinds,
    seed: u64,
}

struct Scan {
    kinds: &'static Kinds,
    marks: Marks,
    pieces: Vec<u64>,
    /// The number of lines with pieces behind the title; none before it.
    lines_after: Option<usize>,
    count: usize,
    piece: Bytes,
    is_joined: bool,
    number: Bytes,
    line: u64,
    line_pieces: usize,
    /// The document is not short and has no first line that counts.
    only_numbers: bool,
}

fn mix(hash: u64, value: u64) -> u64 {
    let wide = u128::from(hash ^ value) * 0x9E37_79B9_7F4A_7C15;
    (wide as u64) ^ (wide >> 64) as u64
}

/// A hash is never 0.
fn end(hash: u64) -> u64 {
    (hash ^ hash >> 32).wrapping_mul(0xBF58_476D_1CE4_E5B9).max(1)
}

/// A hash of bytes other than 0 that come one by one, by eight.
struct Bytes {
    seed: u64,
    hash: u64,
    eight: u64,
    count: u32,
}

impl Bytes {
    fn new(seed: u64) -> Bytes {
        Bytes { seed, hash: seed, eight: 0, count: 0 }
    }

    /// Adds a character, an ASCII one in lower case.
    fn add(&mut self, c: char) {
        if c.is_ascii() {
            return self.add_byte(c as u8 | LOWER as u8);
        }
        c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| self.add_byte(byte));
    }

    fn add_byte(&mut self, byte: u8) {
        self.eight |= u64::from(byte) << (8 * (self.count % 8));
        self.count += 1;
        if self.count % 8 == 0 {
            self.hash = mix(self.hash, mem::take(&mut self.eight));
        }
    }

    /// The hash, if there are bytes. The next byte is the first one again.
    fn take(&mut self) -> Option<u64> {
        let Bytes { seed, hash, eight, count } = *self;
        *self = Bytes::new(seed);
        (count > 0).then(|| end(if eight == 0 { hash } else { mix(hash, eight) }))
    }
}

/// In each byte of eight: the bit that makes ASCII letters lower case, changes no digit, and makes of `_` what is no letter; the bit
/// that letters and `_` have, but digits do not; the bit that ASCII does not have.
const LOWER: u64 = 0x2020_2020_2020_2020;
const NO_DIGIT: u64 = 0x4040_4040_4040_4040;
const NO_ASCII: u64 = 0x8080_8080_8080_8080;

impl Scan {
    fn end_number(&mut self) {
        self.marks.numbers.extend(self.number.take());
    }

    fn end_piece(&mut self) {
        self.end_number();
        if let Some(piece) = self.piece.take() {
            self.add_piece(piece);
        }
    }

    fn add_piece(&mut self, piece: u64) {
        self.line = mix(self.line, piece);
        self.line_pieces += 1;
        if self.lines_after.is_none() && self.line_pieces <= MAX_TITLE {
            self.marks.title_pieces.push(piece);
        }
        if self.count < SHORT {
            self.pieces.push(piece);
        }
        self.count += 1;
        let is_first = self.lines_after.is_none();
        let has_no_title = if is_first { self.line_pieces > MAX_TITLE } else { self.marks.title == 0 };
        self.only_numbers = has_no_title && self.count > SHORT;
    }

    fn end_line(&mut self) {
        if self.line_pieces > 0 {
            let line = end(self.line);
            let counts = self.line_pieces <= MAX_TITLE;
            match &mut self.lines_after {
                None => self.marks.title = if counts { line } else { 0 },
                Some(_) if counts => self.marks.lines.push(line),
                Some(_) => {}
            }
            self.lines_after = Some(self.lines_after.map_or(0, |lines| lines + 1));
        }
        self.line = 0;
        self.line_pieces = 0;
    }

    fn add(&mut self, c: char) {
        match self.kinds.of(c) {
            Kind::Letter => {
                self.end_number();
                let is_alone = !c.is_ascii() && flags(c.into()) & JOINED != 0;
                if self.is_joined || is_alone {
                    self.end_piece();
                }
                self.is_joined = is_alone;
                self.piece.add(if c.is_ascii() { c } else { fold_case(c) });
            }
            Kind::Digit => {
                if self.is_joined {
                    self.end_piece();
                }
                self.is_joined = false;
                let digit = self.kinds.ascii_digit(c);
                self.piece.add(digit);
                self.number.add(digit);
            }
            Kind::Mark if self.piece.count > 0 => {
                self.end_number();
                self.piece.add(c);
            }
            _ => self.end_piece(),
        }
    }

    /// Adds a run of ASCII letters, ASCII digits, `_` and characters of several bytes.
    #[inline(always)]
    fn add_run(&mut self, text: &str, start: usize, to: usize) {
        let bytes = text.as_bytes();
        let (mut any, mut digits) = (0, 0);
        for at in (start..to).step_by(8) {
            let (eight, used) = eight_at(bytes, at, to);
            any |= eight;
            digits |= !eight & NO_DIGIT & used;
        }
        let is_mixed = digits != 0 && any & NO_DIGIT != 0;
        if any & NO_ASCII != 0 || is_mixed || bytes[start] == b'_' {
            text[start..to].chars().for_each(|c| self.add(c));
            return self.end_piece();
        }
        if self.only_numbers && digits == 0 {
            return;
        }
        let eights = (start..to).step_by(8).map(|at| eight_at(bytes, at, to));
        let hash = end(eights.fold(self.piece.seed, |hash, (eight, used)| mix(hash, eight | LOWER & used)));
        if digits != 0 {
            self.marks.numbers.push(hash);
        }
        if !self.only_numbers {
            self.add_piece(hash);
        }
    }

    /// Adds lines. The last one goes on.
    fn add_lines(&mut self, text: &str) {
        let (mut start, mut open) = (0, 0);
        for (number, bytes) in text.as_bytes().chunks(BLOCK).enumerate() {
            let mut block = [b' '; BLOCK];
            block[..bytes.len()].copy_from_slice(bytes);
            let inside = mask(&block.map(|byte| {
                let letter = (byte | 0x20).wrapping_sub(b'a') < 26;
                letter | (byte.wrapping_sub(b'0') < 10) | (byte == b'_') | (byte >= 0x80)
            }));
            let line_ends = mask(&block.map(|byte| (byte == b'\n') | (byte == b'\r')));
            let edges = inside ^ (inside << 1 | open);
            open = inside >> 63;
            let mut places = edges | line_ends;
            while places != 0 {
                let at = BLOCK * number + places.trailing_zeros() as usize;
                let place = places & places.wrapping_neg();
                places ^= place;
                if inside & place != 0 {
                    start = at;
                    continue;
                }
                if edges & place != 0 {
                    self.add_run(text, start, at);
                }
                if line_ends & place != 0 {
                    self.end_line();
                }
            }
        }
        if open != 0 {
            self.add_run(text, start, text.len());
        }
    }
}

/// Up to eight bytes, with zeros behind them, and ones in the place of each.
#[inline(always)]
fn eight_at(text: &[u8], at: usize, end: usize) -> (u64, u64) {
    let used = u64::MAX >> (64 - 8 * (end - at).min(8));
    let eight = match text[at..].get(..8).map(<[u8; 8]>::try_from) {
        Some(Ok(eight)) => u64::from_le_bytes(eight),
        _ => text[at..].iter().rev().fold(0, |eight, &byte| eight << 8 | u64::from(byte)),
    };
    (eight & used, used)
}

const LINE_ENDS: [char; 2] = ['\n', '\r'];

/// The place behind front matter: the lines between a first line `---` and the next one.
fn front_matter_end(text: &str) -> usize {
    let is_fence = |line: &str| {
        let line = line.strip_suffix(LINE_ENDS).unwrap_or(line);
        line.strip_prefix("---").is_some_and(|rest| rest.trim_matches([' ', '\t']).is_empty())
    };
    let mut lines = text.split_inclusive(LINE_ENDS);
    match lines.next() {
        Some(first) if first.ends_with(LINE_ENDS) && is_fence(first) => {
            let mut at = first.len();
            for line in lines {
                at += line.len();
                if is_fence(line) {
                    return at;
                }
            }
            0
        }
        _ => 0,
    }
}

fn distinct(mut list: Vec<u64>) -> Vec<u64> {
    list.sort_unstable();
    list.dedup();
    list
}

impl Marker {
    pub(super) fn new() -> Marker {
        Marker { kinds: Kinds::get(), seed: RandomState::new().build_hasher().finish() | 1 }
    }

    /// Begins a document with at least so many pieces.
    fn scan(&self, count: usize) -> Scan {
        Scan {
            kinds: self.kinds,
            marks: Marks::default(),
            pieces: Vec::new(),
            lines_after: None,
            count,
            piece: Bytes::new(self.seed),
            is_joined: false,
            number: Bytes::new(self.seed),
            line: 0,
            line_pieces: 0,
            only_numbers: false,
        }
    }

    /// The marks of a document with so many tokens, none of which is more than a piece.
    pub(super) fn mark(&self, text: &str, tokens: usize) -> Marks {
        let text = normalise(text);
        let mut scan = self.scan(if tokens >= SHORT { SHORT } else { 0 });
        let start = if text.starts_with('-') { front_matter_end(&text) } else { 0 };
        if start > 0 {
            // What comes before is no first line.
            scan.add_lines(&text[..start]);
            scan.end_line();
            (scan.lines_after, scan.only_numbers) = (None, false);
            (scan.marks.title, scan.marks.title_pieces, scan.marks.lines) = (0, Vec::new(), Vec::new());
        }
        scan.add_lines(&text[start..]);
        scan.end_line();
        let Scan { mut marks, pieces, lines_after, count, .. } = scan;
        if marks.title == 0 || lines_after.unwrap_or(0) < MIN_LINES {
            (marks.title, marks.title_pieces, marks.lines) = (0, Vec::new(), Vec::new());
        }
        marks.title_pieces = distinct(marks.title_pieces);
        marks.lines = distinct(marks.lines);
        marks.pieces = (count < SHORT).then(|| distinct(pieces));
        distinguish(&mut marks.numbers);
        marks
    }
}

/// Gives the second and further ones of the same value hashes of their own.
fn distinguish(list: &mut [u64]) {
    list.sort_unstable();
    let (mut value, mut repeated) = (0, 0);
    for each in &mut *list {
        if *each == value {
            repeated += 1;
            *each = end(mix(value ^ 0x5bd1_e995, repeated));
        } else {
            (value, repeated) = (*each, 0);
        }
    }
    list.sort_unstable();
}

/// True if two ascending lists have so many elements in common.
fn have_common(a: &[u64], b: &[u64], mut needed: usize) -> bool {
    let (mut at, mut at_other) = (0, 0);
    while needed > 0 {
        if a.len() - at < needed || b.len() - at_other < needed {
            return false;
        }
        let order = a[at].cmp(&b[at_other]);
        needed -= usize::from(order.is_eq());
        at += usize::from(order.is_le());
        at_other += usize::from(order.is_ge());
    }
    true
}

/// True if each of two lists has an element that the other one lacks.
fn differ_both_ways(a: &[u64], b: &[u64]) -> bool {
    !have_common(a, b, a.len().min(b.len()))
}

/// VER-5
pub(super) fn reason_of(a: &Marks, b: &Marks) -> Option<Reason> {
    let have_titles = a.title != 0 && b.title != 0;
    if have_titles
        && differ_both_ways(&a.title_pieces, &b.title_pieces)
        && a.lines.binary_search(&b.title).is_err()
        && b.lines.binary_search(&a.title).is_err()
    {
        return Some(Reason::Title);
    }
    if !have_common(&a.numbers, &b.numbers, needed_numbers(a.numbers.len().min(b.numbers.len()))) {
        return Some(Reason::Numbers);
    }
    match (&a.pieces, &b.pieces) {
        (Some(x), Some(y)) if !have_titles && differ_both_ways(x, y) => Some(Reason::Words),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Marker;

    /// Runs of any length, at any place of a block, of bytes that are read by eight and of others.
    #[test]
    fn a_run_has_the_marks_of_its_characters() {
        const ALPHABETS: [&str; 7] = ["abcXYZ", "0123", "a1_", "_", "é1\u{212A}", "漢字a", "٣x"];
        let marker = Marker::new();
        for alphabet in ALPHABETS {
            for length in 0..=26 {
                let run: String = alphabet.chars().cycle().take(length).collect();
                for before in 0..=66 {
                    let text = ".".repeat(before) + &run + "\n" + &run + " 7 " + &run;
                    let (mut by_run, mut by_character) = (marker.scan(0), marker.scan(0));
                    by_run.add_lines(&text);
                    for c in text.chars() {
                        by_character.add(c);
                        if c == '\n' {
                            by_character.end_line();
                        }
                    }
                    by_character.end_piece();
                    by_run.end_line();
                    by_character.end_line();
                    assert_eq!(by_run.pieces, by_character.pieces, "pieces of {text:?}");
                    let [run, character] = [by_run.marks, by_character.marks];
                    assert_eq!(run.numbers, character.numbers, "numbers of {text:?}");
                    assert_eq!((run.title, run.lines), (character.title, character.lines), "lines of {text:?}");
                }
            }
        }
    }
}
