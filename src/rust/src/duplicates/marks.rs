// SPDX-License-Identifier: MIT
//! What tells apart documents that share most of their words (VER-4, VER-5).

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::mem;

use crate::residue::{fold_case, Kind, Kinds};
use crate::text::{flags, normalise, JOINED};

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
    marks: Marks,
    seed: u64,
    pieces: Vec<u64>,
    /// The number of lines with pieces behind the title; none before it.
    lines_after: Option<usize>,
    count: usize,
    piece: u64,
    is_joined: bool,
    number: u64,
    line: u64,
    line_pieces: usize,
}

fn mix(hash: u64, value: u64) -> u64 {
    let mixed = (hash ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ mixed >> 29
}

/// A hash is never 0.
fn end(hash: u64) -> u64 {
    (hash ^ hash >> 32).wrapping_mul(0xBF58_476D_1CE4_E5B9).max(1)
}

impl Scan {
    fn end_number(&mut self) {
        if self.number != 0 {
            self.marks.numbers.push(end(self.number));
        }
        self.number = 0;
    }

    fn end_piece(&mut self) {
        self.end_number();
        if self.piece == 0 {
            return;
        }
        let piece = end(mem::take(&mut self.piece));
        self.line = mix(self.line, piece);
        self.line_pieces += 1;
        if self.lines_after.is_none() && self.line_pieces <= MAX_TITLE {
            self.marks.title_pieces.push(piece);
        }
        if self.count < SHORT {
            self.pieces.push(piece);
        }
        self.count += 1;
    }

    fn end_line(&mut self) {
        self.end_piece();
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
        self.line = self.seed;
        self.line_pieces = 0;
    }

    fn begin(hash: u64, seed: u64) -> u64 {
        if hash == 0 {
            seed
        } else {
            hash
        }
    }

    fn add(&mut self, kind: Kind, c: char, kinds: &Kinds) {
        let point = u64::from(u32::from(c));
        match kind {
            Kind::Letter => {
                self.end_number();
                let is_alone = !c.is_ascii() && flags(c.into()) & JOINED != 0;
                if self.is_joined || is_alone {
                    self.end_piece();
                }
                self.is_joined = is_alone;
                let lower = if c.is_ascii() { c.to_ascii_lowercase() } else { fold_case(c) };
                self.piece = mix(Scan::begin(self.piece, self.seed), u64::from(u32::from(lower)));
            }
            Kind::Digit => {
                if self.is_joined {
                    self.end_piece();
                }
                self.is_joined = false;
                let digit = u64::from(u32::from(kinds.ascii_digit(c)));
                self.piece = mix(Scan::begin(self.piece, self.seed), digit);
                self.number = mix(Scan::begin(self.number, self.seed), digit);
            }
            Kind::Mark if self.piece != 0 => {
                self.end_number();
                self.piece = mix(self.piece, point);
            }
            _ => self.end_piece(),
        }
    }
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

/// Finds a byte, reading many at a time where there is none.
fn find_byte(text: &str, is_wanted: impl Fn(u8) -> bool) -> Option<usize> {
    const BLOCK: usize = 64;
    if text.bytes().next().is_some_and(&is_wanted) {
        return Some(0);
    }
    let has_one = |block: &[u8]| block.iter().fold(false, |any, &byte| any | is_wanted(byte));
    let at = BLOCK * text.as_bytes().chunks(BLOCK).position(has_one)?;
    text.as_bytes()[at..].iter().position(|&byte| is_wanted(byte)).map(|place| at + place)
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

    /// Of a document that is not short and has no first line, only numbers count.
    fn scan_numbers(&self, scan: &mut Scan, text: &str) {
        let mut rest = text;
        // Of a character of several bytes, the first is found.
        while let Some(at) = find_byte(rest, |byte| (byte.wrapping_sub(b'0') < 10) | !byte.is_ascii()) {
            let end = rest[at..].find(|c: char| self.kinds.of(c) != Kind::Digit).map_or(rest.len(), |end| at + end);
            rest[at..end].chars().for_each(|c| scan.add(Kind::Digit, c, self.kinds));
            scan.end_piece();
            rest = &rest[end..];
            let mut others = rest.chars();
            if at == end {
                others.next();
            }
            rest = others.as_str();
        }
        scan.marks.title_pieces.clear();
        distinguish(&mut scan.marks.numbers);
    }

    /// The marks of a document with so many tokens, none of which is more than a piece.
    pub(super) fn mark(&self, text: &str, tokens: usize) -> Marks {
        let text = normalise(text);
        let count = if tokens >= SHORT { SHORT } else { 0 };
        let mut scan = Scan {
            marks: Marks::default(),
            seed: self.seed,
            pieces: Vec::new(),
            lines_after: None,
            count,
            piece: 0,
            is_joined: false,
            number: 0,
            line: self.seed,
            line_pieces: 0,
        };
        if count == SHORT && find_byte(&text, |byte| (byte == b'\n') | (byte == b'\r')).is_none() {
            self.scan_numbers(&mut scan, &text);
            return scan.marks;
        }
        let start = if text.starts_with('-') { front_matter_end(&text) } else { 0 };
        for (at, c) in text.char_indices() {
            if at == start && start > 0 {
                // What comes before is no first line.
                scan.end_line();
                scan.lines_after = None;
                scan.marks.title = 0;
                scan.marks.title_pieces.clear();
                scan.marks.lines.clear();
            }
            match c {
                '\n' | '\r' => {
                    scan.end_line();
                    if count == SHORT && scan.lines_after == Some(0) && scan.marks.title == 0 && at >= start {
                        // The first line is too long to count.
                        self.scan_numbers(&mut scan, &text[at..]);
                        return scan.marks;
                    }
                }
                _ => scan.add(self.kinds.of(c), c, self.kinds),
            }
        }
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
