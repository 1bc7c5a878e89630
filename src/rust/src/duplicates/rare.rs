// SPDX-License-Identifier: MIT
//! Documents found by their rarest tokens.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

use super::near::{distance, Near, Words};

/// The largest number of bits of the number of counters: tokens that share one seem more frequent than they are, which does no harm.
const COUNTER_BITS: u32 = 20;

/// The factor from one class of sizes to the next.
const CLASS: f64 = 1.2;

/// The tolerance for sizes that are computed from an overlap.
const TOLERANCE: f64 = 1e-6;

fn class_of(size: f64) -> u32 {
    (size.ln() / CLASS.ln()) as u32
}

/// The number of candidates for each document from which on an index takes less time than they do.
const MAX_CANDIDATES: usize = 32;

/// The tokens looked at, beyond one for each document, from which on they take longer than to compare all fingerprints.
const MIN_STEPS: u64 = 1 << 12;

/// Makes an index of documents by their rarest tokens, once so many candidates were found in another way that it pays.
#[derive(Default)]
pub(super) struct TokenFilter {
    pub(super) index: Option<RareTokens>,
    /// The number of candidates that were found without the index.
    candidates: usize,
    /// The number of documents in the index, summed over all searches.
    compared: u64,
    is_scan: bool,
}

impl TokenFilter {
    pub(super) fn note(&mut self, candidates: usize) {
        self.candidates += candidates;
    }

    /// Makes the index if it pays, and adds the documents at some places, ascending.
    pub(super) fn grow<'t>(
        &mut self,
        min_overlap: f64,
        texts: impl ExactSizeIterator<Item = &'t [u64]> + Clone,
        places: impl FnOnce() -> Vec<u32>,
    ) {
        if min_overlap > 0.0 && self.index.is_none() && self.candidates > MAX_CANDIDATES * texts.len() {
            let mut index = RareTokens::new(min_overlap, texts);
            for place in places() {
                index.add(place);
            }
            self.index = Some(index);
        }
    }

    /// The places from `from` up to `to` of those near one, with their distances, ascending once there is an index: then without
    /// those that cannot overlap enough. Where no tokens are rare, all fingerprints are compared.
    pub(super) fn find(&mut self, near: &mut Near, own: usize, from: usize, to: usize) -> Vec<(usize, u32)> {
        let Some(index) = &mut self.index else {
            let found = near.find(own, from, to);
            self.candidates += found.len();
            return found;
        };
        self.compared += index.added.len() as u64;
        self.is_scan |= index.steps > MIN_STEPS + self.compared;
        let with_distance = |other: u32| Some(other as usize).zip(near.distance(own, other as usize));
        if self.is_scan {
            let [first, last] = [from, to].map(|end| index.added.partition_point(|&each| (each as usize) < end));
            let others = index.added[first..last].iter().filter(|&&other| other as usize != own);
            let found = others.filter_map(|&other| with_distance(other));
            return found.filter(|&(other, _)| index.may_overlap(own, other)).collect();
        }
        let mut found = index.find(own as u32);
        found.retain(|&other| (from..to).contains(&(other as usize)) && other as usize != own);
        found.sort_unstable();
        found.into_iter().filter_map(with_distance).collect()
    }
}

/// Hashes of the sorted tokens of a document: the second and further ones of the same value have others, since they are rarer.
fn elements<'t>(tokens: &'t [u64], hash_of: impl Fn(u64) -> u32 + 't) -> impl Iterator<Item = u32> + 't {
    let (mut last, mut offset) = (None, 0_u32);
    tokens.iter().map(move |&token| {
        offset = if last.replace(token) == Some(token) { offset.wrapping_add(0x9e37_79b9) } else { 0 };
        hash_of(token).wrapping_add(offset)
    })
}

/// A token of a document, and the number of tokens before it, from the rarest to the most frequent one.
type Place = (u32, u32);

#[derive(Clone, Copy, Default)]
struct Entry {
    hash: u32,
    owner: u32,
    size: u32,
    reach: u32,
}

/// An index of documents that finds all whose overlap with another one is at least `min_overlap`, greater than 0, and some others.
///
/// Two documents of a and b tokens with the overlap t have n = (a + b) * t / (1 + t) tokens in common or more. In both, sorted from the
/// rarest to the most frequent one, n tokens or more follow the first common one or are that one. So one at place i of a document leads
/// only to documents of at most (a - i) * (1 + t) / t - a tokens: its reach. By the classes of their reaches, most tokens of a template
/// are not looked at. Of the documents that are found, those are left out that differ in the parities of more sums of tokens than
/// the a + b - 2 * n tokens that are not common can change.
pub(super) struct RareTokens {
    min_overlap: f64,
    seed: u64,
    sizes: Vec<u32>,
    parities: Vec<Words>,
    /// The rarest tokens of each document, except those that no other one has.
    rarest: Vec<Box<[Place]>>,
    /// The places of the first and of the next entry of each slot.
    slots: Vec<(u32, u32)>,
    entries: Vec<Entry>,
    shift: u32,
    /// The slots of a query, each with the token and its reach.
    read: Vec<(u32, u32, (u32, u32))>,
    /// The query in which each document was last hit.
    seen: Vec<u32>,
    query: u32,
    /// The number of tokens that were looked at.
    steps: u64,
    /// The documents in the index.
    added: Vec<u32>,
}

impl RareTokens {
    fn new<'t>(min_overlap: f64, texts: impl Iterator<Item = &'t [u64]> + Clone) -> RareTokens {
        let seed = RandomState::new().build_hasher().finish() | 1;
        let hash_of = |token: u64| ((token ^ token >> 32).wrapping_mul(seed) >> 32) as u32;
        let tokens: usize = texts.clone().map(<[u64]>::len).sum();
        let bits = (2 * tokens).next_power_of_two().trailing_zeros().clamp(1, COUNTER_BITS);
        let mut counts = vec![0_u32; 1 << bits];
        let counter = |hash: u32| (hash >> (32 - bits)) as usize;
        for element in texts.clone().flat_map(|tokens| elements(tokens, hash_of)) {
            let count = &mut counts[counter(element)];
            *count = count.saturating_add(1);
        }
        let sizes = texts.clone().map(|tokens| tokens.len() as u32).collect();
        let parities = texts.clone().map(|tokens| {
            tokens.iter().fold(Words::default(), |mut bits, &token| {
                let bit = hash_of(token).wrapping_mul(0x9e37_79b9) >> 24;
                bits[bit as usize >> 6] ^= 1 << (bit & 63);
                bits
            })
        });
        let mut found = RareTokens {
            min_overlap,
            seed,
            sizes,
            parities: parities.collect(),
            rarest: Vec::new(),
            slots: Vec::new(),
            entries: Vec::new(),
            shift: 0,
            read: Vec::new(),
            seen: Vec::new(),
            query: 0,
            steps: 0,
            added: Vec::new(),
        };
        let mut room = Vec::new();
        let rarest = texts.map(|tokens| {
            room.clear();
            room.extend(elements(tokens, hash_of).map(|element| (counts[counter(element)], element)));
            let (size, fewest) = (tokens.len() as u32, min_overlap * tokens.len() as f64);
            let rare = (0..size).take_while(|&place| found.reach(size, place) >= fewest).count();
            if rare < room.len() {
                room.select_nth_unstable(rare);
            }
            let room = &mut room[..rare];
            room.sort_unstable();
            let places = (0..).zip(&*room);
            places.filter(|(_, (count, _))| *count > 1).map(|(place, &(_, element))| (element, place)).collect()
        });
        found.rarest = rarest.collect();
        let total = found.rarest.iter().map(|list| list.len()).sum::<usize>();
        found.shift = (total + 1).next_power_of_two().trailing_zeros().max(1);
        let mut slots = vec![(0, 0); 1 << found.shift];
        for (list, &size) in found.rarest.iter().zip(&found.sizes) {
            for &(hash, place) in list {
                slots[found.slot(hash, class_of(found.reach(size, place)))].1 += 1;
            }
        }
        let mut sum = 0;
        for slot in &mut slots {
            let count = slot.1;
            *slot = (sum, sum);
            sum += count;
        }
        found.slots = slots;
        found.entries = vec![Entry::default(); total];
        found.seen = vec![0; found.sizes.len()];
        found
    }

    fn reach(&self, tokens: u32, place: u32) -> f64 {
        let (t, tokens) = (self.min_overlap, f64::from(tokens));
        (tokens / t).min((tokens - f64::from(place)) * (1.0 + t) / t - tokens) + TOLERANCE
    }

    /// The slots of one token for consecutive classes are beside each other.
    fn slot(&self, hash: u32, class: u32) -> usize {
        let mixed = u64::from(hash).wrapping_mul(self.seed ^ 0x9E37_79B9_7F4A_7C14);
        let first = (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> (64 - self.shift);
        (first as usize + class as usize) & ((1 << self.shift) - 1)
    }

    /// True if the parities of two documents permit the overlap.
    fn may_overlap(&self, a: usize, b: usize) -> bool {
        let tokens = f64::from(self.sizes[a] + self.sizes[b]);
        let most = tokens * (1.0 - self.min_overlap) / (1.0 + self.min_overlap) + TOLERANCE;
        f64::from(distance(&self.parities[a], &self.parities[b])) <= most
    }

    pub(super) fn add(&mut self, owner: u32) {
        self.added.push(owner);
        let size = self.sizes[owner as usize];
        for at in 0..self.rarest[owner as usize].len() {
            let (hash, place) = self.rarest[owner as usize][at];
            let reach = self.reach(size, place);
            let slot = self.slot(hash, class_of(reach));
            self.entries[self.slots[slot].1 as usize] = Entry { hash, owner, size, reach: reach as u32 };
            self.slots[slot].1 += 1;
        }
    }

    /// The documents that were added, in any order.
    fn find(&mut self, place: u32) -> Vec<u32> {
        let own = self.sizes[place as usize];
        let size = f64::from(own);
        let classes = class_of(size)..=class_of(size / self.min_overlap.powi(2) + 1.0);
        let mut found = Vec::new();
        self.query += 1;
        // First, all slots are read: memory is slow, but gives many at a time.
        let mut slots = std::mem::take(&mut self.read);
        slots.clear();
        for &(hash, at) in &self.rarest[place as usize] {
            let reach = self.reach(own, at);
            let of_class = |class| (hash, reach as u32, self.slots[self.slot(hash, class)]);
            slots.extend(classes.clone().map(of_class));
        }
        for &(hash, reach, (start, end)) in &slots {
            let entries = &self.entries[start as usize..end as usize];
            self.steps += entries.len() as u64;
            for entry in entries {
                if entry.hash != hash || entry.reach < own || entry.size > reach {
                    continue;
                }
                let other = entry.owner as usize;
                if self.seen[other] != self.query && self.may_overlap(place as usize, other) {
                    found.push(entry.owner);
                }
                self.seen[other] = self.query;
            }
        }
        self.read = slots;
        found
    }
}
