// SPDX-License-Identifier: MIT
//! The documents of a component that are kept, found by what they must have in common with one that they match.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::marks::{needed_numbers, Marks};
use super::near::Near;
use super::rare::TokenFilter;
use super::FEW;

type Lists = HashMap<u64, Vec<u32>>;

/// Sets, found by those with enough elements in common with another one. Of n elements, n - needed + 1 cannot all be missing: the
/// rarest ones of the smaller set are looked up among all elements of the larger one.
#[derive(Default)]
struct Sets {
    all: Lists,
    rarest: Lists,
}

type Counts = HashMap<u64, u32>;

fn rarest_of(set: &[u64], counts: &Counts, needed: usize) -> Vec<u64> {
    let mut sorted = set.to_vec();
    sorted.sort_by_key(|each| counts.get(each));
    sorted.truncate(set.len() - needed + 1);
    sorted
}

impl Sets {
    fn add(&mut self, set: &[u64], counts: &Counts, needed: usize, place: u32) {
        for each in set {
            self.all.entry(*each).or_default().push(place);
        }
        for each in if set.is_empty() { Vec::new() } else { rarest_of(set, counts, needed) } {
            self.rarest.entry(each).or_default().push(place);
        }
    }

    fn lists(&self, set: &[u64], counts: &Counts, needed: usize) -> Vec<&[u32]> {
        let rarest = rarest_of(set, counts, needed);
        let all = rarest.iter().filter_map(|each| self.all.get(each));
        all.chain(set.iter().filter_map(|each| self.rarest.get(each))).map(Vec::as_slice).collect()
    }
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
    titles: HashSet<u64>,
    numbers: Counts,
    pieces: Counts,
    title_pieces: Counts,
    parts: BTreeMap<u8, Part>,
    /// The part of each document that is kept.
    homes: Vec<Option<u8>>,
    /// The search in which each was last found.
    seen: Vec<u32>,
    search: u32,
    filter: TokenFilter,
    likely: Likely,
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
    let mut counts = Counts::new();
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
            titles: marks.iter().map(|marks| marks.title).collect(),
            numbers: count_each(marks.iter().map(|marks| &marks.numbers[..])),
            pieces: count_each(marks.iter().map(|marks| pieces_of(marks))),
            title_pieces: count_each(marks.iter().map(|marks| &marks.title_pieces[..])),
            parts: BTreeMap::new(),
            homes: vec![None; marks.len()],
            seen: vec![0; marks.len()],
            search: 0,
            marks,
            is_checked,
            near,
            filter: TokenFilter::default(),
            likely: Likely::default(),
        }
    }

    /// Finds candidates also by their rarest tokens, once there are many.
    pub(super) fn grow<'t>(&mut self, min_overlap: f64, texts: impl ExactSizeIterator<Item = &'t [u64]> + Clone) {
        let Kept { filter, homes, .. } = self;
        filter
            .grow(min_overlap, texts, || (0..).zip(&*homes).filter_map(|(place, part)| part.map(|_| place)).collect());
    }

    pub(super) fn add(&mut self, place: u32) {
        if let Some(index) = &mut self.filter.index {
            index.add(place);
        }
        let own = self.marks[place as usize];
        let part = self.parts.entry(part_of(own)).or_default();
        self.homes[place as usize] = Some(part_of(own));
        part.numbers.add(&own.numbers, &self.numbers, needed_numbers(own.numbers.len()), place);
        part.pieces.add(pieces_of(own), &self.pieces, pieces_of(own).len(), place);
        part.title_pieces.add(&own.title_pieces, &self.title_pieces, own.title_pieces.len(), place);
        if own.title != 0 {
            part.titles.entry(own.title).or_default().push(place);
        }
        for line in own.lines.iter().filter(|line| self.titles.contains(line)) {
            part.lines.entry(*line).or_default().push(place);
        }
    }

    /// The places of candidates, ascending.
    pub(super) fn candidates(&mut self, place: u32) -> Vec<u32> {
        let own = self.marks[place as usize];
        let mut found = Vec::new();
        self.search += 1;
        for (name, part) in &self.parts {
            let both = if self.is_checked { name & part_of(own) } else { 0 };
            let mut lists: Vec<Vec<&[u32]>> = Vec::new();
            if both & 1 != 0 {
                let mut titles = part.title_pieces.lists(&own.title_pieces, &self.title_pieces, own.title_pieces.len());
                titles.extend(part.lines.get(&own.title).map(Vec::as_slice));
                titles.extend(own.lines.iter().filter_map(|line| part.titles.get(line)).map(Vec::as_slice));
                lists.push(titles);
            }
            if both & 2 != 0 {
                lists.push(part.numbers.lists(&own.numbers, &self.numbers, needed_numbers(own.numbers.len())));
            }
            if both & 5 == 4 {
                lists.push(part.pieces.lists(pieces_of(own), &self.pieces, pieces_of(own).len()));
            }
            let length = |lists: &Vec<&[u32]>| lists.iter().map(|list| list.len()).sum::<usize>();
            let fewest = lists.into_iter().min_by_key(length);
            match fewest.filter(|lists| self.filter.index.is_none() || length(lists) <= FEW) {
                Some(list) => {
                    for &each in list.into_iter().flatten() {
                        if std::mem::replace(&mut self.seen[each as usize], self.search) != self.search {
                            found.push(each);
                        }
                    }
                }
                None => {
                    let all = self.likely.get(place, self.near, &mut self.filter, &self.homes);
                    found.extend(all.iter().filter(|&&each| self.homes[each as usize] == Some(*name)));
                }
            }
        }
        self.filter.note(found.len());
        found.sort_unstable();
        found
    }

    /// The places of documents that may overlap enough, whatever their marks are, ascending.
    pub(super) fn near_ones(&mut self, place: u32) -> &[u32] {
        self.likely.get(place, self.near, &mut self.filter, &self.homes)
    }
}
