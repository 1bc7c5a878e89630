// SPDX-License-Identifier: MIT
//! The documents of a component that are kept, found by what they must have in common with one that they match.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};
use std::slice;

use super::marks::{needed_numbers, Marks};
use super::near::{Near, Words};
use super::rare::TokenFilter;
use super::FEW;

/// Takes a mark as its own hash: it is one already, with a random key.
#[derive(Default)]
struct Own(u64);

impl Hasher for Own {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0 << 8 | u64::from(byte);
        }
    }

    fn write_u64(&mut self, mark: u64) {
        self.0 = mark;
    }
}

type ByMark<T> = HashMap<u64, T, BuildHasherDefault<Own>>;
type Lists = ByMark<Vec<u32>>;
type Counts = ByMark<u32>;

/// Sets, found by those with enough elements in common with another one. Of n elements, n - needed + 1 cannot all be missing: the
/// rarest ones of the smaller set are looked up among all elements of the larger one.
#[derive(Default)]
struct Sets {
    all: Lists,
    rarest: Lists,
}

/// The number of documents that are listed in the time that one takes to be found by its tokens.
const LISTED: usize = 8;

/// A bit for each of the numbers of a document, and their count.
#[derive(Clone, Copy)]
struct Bits(Words, usize);

impl Bits {
    fn new(numbers: &[u64]) -> Bits {
        let mut bits = [0; 4];
        for number in numbers {
            bits[(number >> 6) as usize % 4] |= 1 << (number % 64);
        }
        Bits(bits, numbers.len())
    }

    /// False if one of two documents misses too many numbers of the other one, which has no more.
    fn may_match(&self, other: &Bits) -> bool {
        let (few, many) = if self.1 < other.1 { (self, other) } else { (other, self) };
        let missing: u32 = few.0.iter().zip(&many.0).map(|(few, many)| (few & !many).count_ones()).sum();
        missing as usize <= few.1 - needed_numbers(few.1)
    }
}

/// A set and its rarest elements.
#[derive(Default)]
struct Sorted<'a> {
    all: &'a [u64],
    rarest: Vec<u64>,
}

impl<'a> Sorted<'a> {
    fn new(all: &'a [u64], counts: &Counts, needed: usize) -> Sorted<'a> {
        let mut sorted: Vec<(u32, u64)> =
            all.iter().map(|each| (counts.get(each).copied().unwrap_or(0), *each)).collect();
        let size = all.len() - needed + 1;
        if size < sorted.len() {
            sorted.select_nth_unstable(size);
        }
        Sorted { all, rarest: sorted.into_iter().take(size).map(|(_, each)| each).collect() }
    }
}

impl Sets {
    fn add(&mut self, set: &Sorted<'_>, place: u32) {
        for each in set.all {
            self.all.entry(*each).or_default().push(place);
        }
        for each in &set.rarest {
            self.rarest.entry(*each).or_default().push(place);
        }
    }

    fn lists(&self, set: &Sorted<'_>) -> Vec<&[u32]> {
        let all = set.rarest.iter().filter_map(|each| self.all.get(each));
        all.chain(set.all.iter().filter_map(|each| self.rarest.get(each))).map(Vec::as_slice).collect()
    }
}

/// What documents are found by.
#[derive(Default)]
struct Facts<'a> {
    place: Option<u32>,
    numbers: Sorted<'a>,
    pieces: Sorted<'a>,
    title_pieces: Sorted<'a>,
}

#[derive(Default)]
struct Part {
    numbers: Sets,
    pieces: Sets,
    title_pieces: Sets,
    titles: Lists,
    lines: Lists,
}

/// Documents are divided by whether they have a first line, numbers, and few words. In each part the candidates are looked up by
/// what leaves the fewest; only where both documents have nothing of the kind, all near ones are candidates. Where these are too many,
/// those with enough tokens in common are found by their rarest ones.
pub(super) struct Kept<'a> {
    marks: Vec<&'a Marks>,
    is_checked: bool,
    near: &'a mut Near,
    titles: Counts,
    numbers: Counts,
    pieces: Counts,
    title_pieces: Counts,
    bits: Vec<Bits>,
    parts: BTreeMap<u8, Part>,
    /// The part of each document that is kept.
    homes: Vec<Option<u8>>,
    /// The search in which each was last found.
    seen: Vec<u32>,
    search: u32,
    filter: TokenFilter,
    likely: Likely,
    facts: Facts<'a>,
}

/// The documents that were last found by their fingerprints or tokens.
#[derive(Default)]
struct Likely {
    place: Option<u32>,
    found: Vec<u32>,
}

impl Likely {
    fn get(&mut self, place: u32, near: &mut Near, filter: &mut TokenFilter, homes: &[Option<u8>]) -> &[u32] {
        if self.place.replace(place) != Some(place) {
            let mut found = filter.find(near, place as usize, 0, place as usize);
            found.retain(|&(each, _)| homes[each].is_some());
            self.found = found.into_iter().map(|(each, _)| each as u32).collect();
            self.found.sort_unstable();
        }
        &self.found
    }
}

fn count_each<'a>(sets: impl Iterator<Item = &'a [u64]>) -> Counts {
    let mut counts = Counts::default();
    sets.flatten().for_each(|&each| *counts.entry(each).or_default() += 1);
    counts
}

fn pieces_of(marks: &Marks) -> &[u64] {
    marks.pieces.as_deref().unwrap_or_default()
}

fn part_of(marks: &Marks) -> u8 {
    u8::from(marks.title != 0) | u8::from(!marks.numbers.is_empty()) << 1 | u8::from(marks.pieces.is_some()) << 2
}

impl<'a> Kept<'a> {
    pub(super) fn new(marks: Vec<&'a Marks>, is_checked: bool, near: &'a mut Near) -> Kept<'a> {
        Kept {
            titles: count_each(marks.iter().map(|marks| slice::from_ref(&marks.title))),
            numbers: count_each(marks.iter().map(|marks| &marks.numbers[..])),
            pieces: count_each(marks.iter().map(|marks| pieces_of(marks))),
            title_pieces: count_each(marks.iter().map(|marks| &marks.title_pieces[..])),
            bits: marks.iter().map(|marks| Bits::new(&marks.numbers)).collect(),
            parts: BTreeMap::new(),
            homes: vec![None; marks.len()],
            seen: vec![0; marks.len()],
            search: 0,
            marks,
            is_checked,
            near,
            filter: TokenFilter::default(),
            likely: Likely::default(),
            facts: Facts::default(),
        }
    }

    /// Finds candidates also by their rarest tokens, once there are many.
    pub(super) fn grow<'t>(&mut self, min_overlap: f64, texts: impl ExactSizeIterator<Item = &'t [u64]> + Clone) {
        let Kept { filter, homes, .. } = self;
        filter
            .grow(min_overlap, texts, || (0..).zip(&*homes).filter_map(|(place, part)| part.map(|_| place)).collect());
    }

    /// Sorts the marks of a document.
    fn read(&mut self, place: u32) {
        if self.facts.place == Some(place) {
            return;
        }
        let Marks { numbers, pieces, title_pieces, .. } = self.marks[place as usize];
        let pieces = pieces.as_deref().unwrap_or_default();
        self.facts = Facts {
            place: Some(place),
            numbers: Sorted::new(numbers, &self.numbers, needed_numbers(numbers.len())),
            pieces: Sorted::new(pieces, &self.pieces, pieces.len()),
            title_pieces: Sorted::new(title_pieces, &self.title_pieces, title_pieces.len()),
        };
    }

    pub(super) fn add(&mut self, place: u32) {
        if let Some(index) = &mut self.filter.index {
            index.add(place);
        }
        self.read(place);
        let own = self.marks[place as usize];
        let part = self.parts.entry(part_of(own)).or_default();
        self.homes[place as usize] = Some(part_of(own));
        part.numbers.add(&self.facts.numbers, place);
        part.pieces.add(&self.facts.pieces, place);
        part.title_pieces.add(&self.facts.title_pieces, place);
        if own.title != 0 {
            part.titles.entry(own.title).or_default().push(place);
        }
        for line in own.lines.iter().filter(|line| self.titles.contains_key(line)) {
            part.lines.entry(*line).or_default().push(place);
        }
    }

    /// The places of candidates, ascending.
    pub(super) fn candidates(&mut self, place: u32) -> Vec<u32> {
        if self.is_checked {
            self.read(place);
        }
        let own = self.marks[place as usize];
        let (mut found, mut excluded) = (Vec::new(), 0);
        self.search += 1;
        for (name, part) in &self.parts {
            let both = if self.is_checked { name & part_of(own) } else { 0 };
            let mut lists: Vec<Vec<&[u32]>> = Vec::new();
            if both & 1 != 0 {
                let mut titles = part.title_pieces.lists(&self.facts.title_pieces);
                titles.extend(part.lines.get(&own.title).map(Vec::as_slice));
                titles.extend(own.lines.iter().filter_map(|line| part.titles.get(line)).map(Vec::as_slice));
                lists.push(titles);
            }
            if both & 2 != 0 {
                lists.push(part.numbers.lists(&self.facts.numbers));
            }
            if both & 5 == 4 {
                lists.push(part.pieces.lists(&self.facts.pieces));
            }
            let length = |lists: &Vec<&[u32]>| lists.iter().map(|list| list.len()).sum::<usize>();
            let fewest = lists.into_iter().min_by_key(length);
            let most = FEW.max(LISTED * self.likely.found.len());
            let numbers = self.bits[place as usize];
            let may_match = |each: u32, bits: &[Bits]| both & 2 == 0 || numbers.may_match(&bits[each as usize]);
            match fewest.filter(|lists| self.filter.index.is_none() || length(lists) <= most) {
                Some(list) => {
                    for &each in list.into_iter().flatten() {
                        if std::mem::replace(&mut self.seen[each as usize], self.search) == self.search {
                            continue;
                        }
                        if may_match(each, &self.bits) {
                            found.push(each);
                        } else {
                            excluded += 1;
                        }
                    }
                }
                None => {
                    let all = self.likely.get(place, self.near, &mut self.filter, &self.homes);
                    let of_part = all.iter().filter(|&&each| self.homes[each as usize] == Some(*name));
                    found.extend(of_part.filter(|&&each| may_match(each, &self.bits)));
                }
            }
        }
        self.filter.note(found.len() + excluded);
        found.sort_unstable();
        found
    }

    /// The places of documents that may overlap enough, whatever their marks are, ascending.
    pub(super) fn near_ones(&mut self, place: u32) -> &[u32] {
        self.likely.get(place, self.near, &mut self.filter, &self.homes)
    }
}
