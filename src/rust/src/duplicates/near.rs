// SPDX-License-Identifier: MIT
//! Fingerprints of 256 bits that are near each other, and the connected components of their pairs.

use std::collections::HashMap;
use std::ops::Range;

use super::threads::{map, Run};

pub(super) type Words = [u64; 4];

/// Up to so many fingerprints, all pairs are compared: for components, and for the neighbours of one.
const MAX_LINKED: usize = 2048;
const MAX_COMPARED: usize = 8192;

/// The largest distances of candidates that are verified, for an overlap of 0.8 or more and for any, and of matches that are not:
/// a loose match (MIN-10).
const VERIFIED: u32 = 48;
const MAX_VERIFIED: u32 = 100;
const UNVERIFIED: u32 = 25;

/// The share of pairs that may be missed at the distance up to which they must be found.
const MISSED: f64 = 0.001;

/// If not all pairs within `k` must be found, a key is at least so much longer that few fingerprints share one by chance.
const MAX_SHARED_BITS: u32 = 6;

/// From so many members of a bucket on, those that are linked already are not compared.
const MIN_SORTED: usize = 24;

pub(super) fn distance(a: &Words, b: &Words) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum()
}

/// The greatest distance to be expected of two documents that overlap enough, from the sums of their tokens and of their
/// distinct tokens: three standard deviations above the mean.
pub(super) fn distance_limit(tokens: f64, distinct: f64, min_overlap: f64) -> f64 {
    let different = (tokens * (1.0 - min_overlap)) / (1.0 + min_overlap);
    let similarity = ((distinct - different) / (distinct + different)).max(0.0);
    let odds = (1.0 - similarity) / 2.0;
    256.0 * odds + 3.0 * (256.0 * odds * (1.0 - odds)).sqrt()
}

/// Some bits of a fingerprint, which group those that share them.
type Key = Words;

/// The number of winning draws (MIN-4) in a band, and of bands.
const DRAWS: usize = 7;
const BANDS: usize = 36;

/// Hashes of the winning draws of seven bins each. Two documents with the share s of their distinct tokens in common have the
/// same draws in one with odds of s^7; for 0.8, one pair in 5,000 shares no band.
pub(super) type Bands = [u16; BANDS];

/// Bands take the place of keys from this overlap on, and for more than so many different fingerprints, of which too many would
/// share a key.
pub(super) const MIN_BANDED_OVERLAP: f64 = 0.8;
pub(super) const MIN_BANDED: usize = 262_144;

/// The bands of the lower halves of winning draws.
pub(super) fn bands_of(draws: impl Iterator<Item = u32>) -> Bands {
    let (mut bands, mut sums) = ([0; BANDS], [0_u32; BANDS + 1]);
    for (bin, draw) in draws.enumerate() {
        let sum = &mut sums[bin / DRAWS];
        *sum = sum.wrapping_mul(BAND_FACTOR).wrapping_add(draw);
    }
    for (band, sum) in bands.iter_mut().zip(sums) {
        *band = (sum.wrapping_mul(BAND_FACTOR) >> 16) as u16;
    }
    bands
}

/// The bits of the bins of each band.
fn keys_of_bands() -> Vec<Key> {
    let key_of = |band| {
        let mut key = [0; 4];
        for bin in DRAWS * band..DRAWS * (band + 1) {
            key[bin / 64] |= 1_u64 << (63 - bin % 64);
        }
        key
    };
    (0..BANDS).map(key_of).collect()
}

/// The distance up to which pairs are looked for.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    pub(super) k: u32,
    /// The distance up to which they must be found. Farther ones take shorter keys and more comparisons.
    pub(super) sure: u32,
}

impl Reach {
    /// The reach for texts that are verified: up to 22 bits, or more, beyond the distance to be expected of two that overlap so
    /// much, 0 to 1.
    pub(super) fn verified(min_overlap: f64) -> Reach {
        let expected = 128.0 * (1.0 - min_overlap);
        let margin = f64::from(VERIFIED) - 128.0 * (1.0 - 0.8);
        let k = ((expected + margin).round() as u32).clamp(VERIFIED, MAX_VERIFIED);
        Reach { k, sure: k.min(expected.round() as u32) }
    }

    /// The reach for fingerprints that are compared alone.
    pub(super) fn exact() -> Reach {
        Reach { k: UNVERIFIED, sure: UNVERIFIED }
    }
}

/// Chooses the bits of each key by xorshift32, the same ones in every run. Two fingerprints at distance d share a key with
/// odds of (1 - d / 256)^bits.
fn keys_for(size: usize, Reach { k, sure }: Reach) -> Vec<Key> {
    // More keys make each one more expensive. Of pairs 26 bits apart, one in 330,000 shares no key of the shortest.
    let (keys, bits) = match size {
        0..=65_536 => (72, 17),
        65_537..=262_144 => (128, 20),
        262_145..=3_000_000 => (128, 24),
        _ => (96, 24),
    };
    let shared = (1.0 - MISSED.powf(1.0 / f64::from(keys))).ln();
    let longest = if sure == 0 { bits } else { (shared / (1.0 - f64::from(sure) / 256.0).ln()) as u32 };
    let shortest = if sure < k { ((size as f64).log2().ceil() as u32).saturating_sub(MAX_SHARED_BITS) } else { 4 };
    let bits = bits.min(longest.max(shortest).max(4));
    let mut state = 0x9e37_79b9_u32;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    let mut choose = || {
        let mut key = [0; 4];
        while key.iter().map(|lane: &u64| lane.count_ones()).sum::<u32>() < bits {
            let bit = random() >> 24;
            key[bit as usize >> 6] |= 1 << (bit & 63);
        }
        key
    };
    (0..keys).map(|_| choose()).collect()
}

const FACTORS: [[u32; 2]; 4] =
    [[0x9e37_79b1, 0x85eb_ca6b], [0xc2b2_ae35, 0x27d4_eb2f], [0x7feb_352d, 0x1656_67b1], [0xd3a2_646d, 0xfd70_46c5]];
const BAND_FACTOR: u32 = 0x2c1b_3c6d;

/// Hashes the bits of a key, and a band if there is one: a sum of products of 32-bit lanes, the same as in the other
/// implementation, so that the results are too.
fn hash_of(words: &Words, key: &Key, band: u16) -> u32 {
    let mut hash = u32::from(band).wrapping_mul(BAND_FACTOR);
    for ((word, bits), [low, high]) in words.iter().zip(key).zip(FACTORS) {
        let lanes = word & bits;
        hash = hash.wrapping_add((lanes as u32).wrapping_mul(low));
        hash = hash.wrapping_add(((lanes >> 32) as u32).wrapping_mul(high));
    }
    (hash ^ hash >> 15).wrapping_mul(0x846c_a68b)
}

/// Union-find, in which the smallest member of a set is its root.
#[derive(Clone)]
struct Linker(Vec<u32>);

impl Linker {
    fn root(&mut self, mut i: u32) -> u32 {
        while self.0[i as usize] != i {
            self.0[i as usize] = self.0[self.0[i as usize] as usize];
            i = self.0[i as usize];
        }
        i
    }

    /// Makes the root of each member its parent.
    fn flatten(&mut self) {
        for i in 0..self.0.len() {
            self.0[i] = self.0[self.0[i] as usize];
        }
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}

/// The connected components, of two members or more, of the pairs within `k`, in the order of their first members. A pair is
/// missed if no key is shared by its fingerprints, nor by those of others that link them. `bands` is empty or has those of each
/// document.
pub(super) fn components<'a>(
    all: impl ExactSizeIterator<Item = &'a Words>,
    bands: &[Bands],
    reach: Reach,
    run: &Run<'_>,
) -> Vec<Vec<u32>> {
    let mut first: HashMap<&Words, u32> = HashMap::with_capacity(all.len());
    let (mut once, mut places): (Vec<Words>, Vec<u32>) = (Vec::new(), Vec::new());
    let numbers: Vec<u32> = (0..)
        .zip(all)
        .map(|(place, words)| {
            *first.entry(words).or_insert_with(|| {
                once.push(*words);
                places.push(place);
                once.len() as u32 - 1
            })
        })
        .collect();
    let mut linker = Linker((0..once.len() as u32).collect());
    if once.len() <= MAX_LINKED {
        link_sorted(&once, &(0..once.len() as u32).collect::<Vec<_>>(), reach.k, &mut linker);
    } else {
        let has_bands = !bands.is_empty() && once.len() > MIN_BANDED;
        let keys = if has_bands { keys_of_bands() } else { keys_for(once.len(), reach) };
        let band_of = |number: usize, band: usize| if has_bands { bands[places[number] as usize][band] } else { 0 };
        let keys: Vec<(usize, Key)> = keys.into_iter().enumerate().collect();
        let parts: Vec<&[(usize, Key)]> = keys.chunks(1 + (keys.len() - 1) / run.threads).collect();
        let linked = map(&parts, run, |part| {
            let mut linker = linker.clone();
            Chains::new(once.len()).link(&once, band_of, part, reach.k, &mut linker, run);
            linker
        });
        for (i, part) in linked.into_iter().flat_map(|part| (0..).zip(part.0)) {
            linker.join(i, part);
        }
    }
    linker.flatten();
    let mut firsts = vec![u32::MAX; once.len()];
    let mut members: HashMap<u32, Vec<u32>> = HashMap::new();
    for (i, number) in (0..).zip(numbers) {
        let first = &mut firsts[linker.0[number as usize] as usize];
        if *first == u32::MAX {
            *first = i;
        } else {
            members.entry(*first).or_insert_with(|| vec![*first]).push(i);
        }
    }
    let mut found: Vec<Vec<u32>> = members.into_values().collect();
    found.sort_unstable();
    found
}

/// The average number of members that are compared at a time: so few that the processor keeps what they need near.
const PART: usize = 1024;

/// The counters of a part: so many that few members seem to share a key.
const COUNTS: usize = 16 * PART;

/// So many keys are made of a fingerprint at a time.
const KEYS: usize = 4;

/// From so many pairs on, they are compared.
const MAX_PAIRS: usize = 1 << 12;

/// Finds members that share keys.
struct Chains {
    /// The hashes of some keys of each member.
    hashes: [Vec<u32>; KEYS],
    /// The end of each part in `sorted`, and the members by parts: the hash of the key above the number.
    ends: Vec<u32>,
    sorted: Vec<u64>,
    /// Of a part, the numbers of members by their hashes, and those that share one.
    counts: Box<[u8; COUNTS]>,
    shared: Vec<u64>,
    /// The last place of each chain, in a hash table. Places count from 1; 0 is none.
    last: Vec<u32>,
    /// The place before each one in its chain, and how many there are.
    chain: Vec<(u32, u32)>,
    /// Pairs to compare.
    pairs: Vec<(u32, u32)>,
}

fn split(keyed: u64) -> (u32, u32) {
    ((keyed >> 32) as u32, keyed as u32)
}

/// Keeps some items of a list, without a branch for each, which could not be predicted.
fn select<T: Copy>(list: &mut Vec<T>, is_wanted: impl Fn(&T) -> bool) {
    let mut size = 0;
    for at in 0..list.len() {
        let each = list[at];
        list[size] = each;
        size += usize::from(is_wanted(&each));
    }
    list.truncate(size);
}

impl Chains {
    fn new(size: usize) -> Chains {
        let parts = (size / PART + 1).next_power_of_two().max(2);
        Chains {
            hashes: std::array::from_fn(|_| vec![0; size]),
            ends: vec![0; parts],
            sorted: vec![0; size],
            counts: Box::new([0; COUNTS]),
            shared: Vec::new(),
            last: Vec::new(),
            chain: Vec::new(),
            pairs: Vec::new(),
        }
    }

    /// Links those of some different fingerprints that share a key and are near each other.
    fn link(
        &mut self,
        all: &[Words],
        band_of: impl Fn(usize, usize) -> u16,
        keys: &[(usize, Key)],
        k: u32,
        linker: &mut Linker,
        run: &Run<'_>,
    ) {
        for keys in keys.chunks(KEYS).take_while(|_| run.goes_on()) {
            for first in (0..all.len()).step_by(PART) {
                let part = first..all.len().min(first + PART);
                for (hashes, (number, key)) in self.hashes.iter_mut().zip(keys) {
                    for (place, hash) in part.clone().zip(&mut hashes[part.clone()]) {
                        *hash = hash_of(&all[place], key, band_of(place, *number));
                    }
                }
            }
            for key in 0..keys.len() {
                linker.flatten();
                self.sort(key);
                let mut start = 0;
                for part in 0..self.ends.len() {
                    let end = self.ends[part] as usize;
                    self.link_part(all, start..end, k, linker);
                    start = end;
                }
                self.compare(all, k, linker);
            }
        }
    }

    /// Sorts members into parts by the upper bits of the hashes of a key.
    fn sort(&mut self, key: usize) {
        let shift = 32 - self.ends.len().trailing_zeros();
        self.ends.fill(0);
        for hash in &self.hashes[key] {
            self.ends[(hash >> shift) as usize] += 1;
        }
        let mut sum = 0;
        for end in &mut self.ends {
            (*end, sum) = (sum, sum + *end);
        }
        // Filling moves the start of each part to its end.
        for (index, &hash) in (0..).zip(&self.hashes[key]) {
            let place = &mut self.ends[(hash >> shift) as usize];
            self.sorted[*place as usize] = u64::from(hash) << 32 | index;
            *place += 1;
        }
    }

    /// Finds the pairs of a part.
    fn link_part(&mut self, all: &[Words], part: Range<usize>, k: u32, linker: &mut Linker) {
        let part = &self.sorted[part];
        self.counts.fill(0);
        for &keyed in part {
            let count = &mut self.counts[split(keyed).0 as usize % COUNTS];
            *count = count.saturating_add(1);
        }
        if self.shared.len() < part.len() {
            self.shared.resize(part.len(), 0);
        }
        let mut size = 0;
        for &keyed in part {
            self.shared[size] = keyed;
            size += usize::from(self.counts[split(keyed).0 as usize % COUNTS] > 1);
        }
        let shared = &self.shared[..size];
        let mask = (2 * shared.len() + 1).next_power_of_two() - 1;
        let mut large = Vec::new();
        self.last.clear();
        self.last.resize(mask + 1, 0);
        self.chain.resize(part.len() + 1, (0, 0));
        for (place, &keyed) in (1..).zip(shared) {
            let (hash, index) = split(keyed);
            let mut slot = hash as usize & mask;
            while self.last[slot] != 0 && split(shared[self.last[slot] as usize - 1]).0 != hash {
                slot = (slot + 1) & mask;
            }
            let mut at = std::mem::replace(&mut self.last[slot], place) as usize;
            let count = if at == 0 { 0 } else { self.chain[at].1 + 1 };
            self.chain[place as usize] = (at as u32, count);
            if count as usize >= MIN_SORTED {
                if count as usize == MIN_SORTED {
                    large.push(slot);
                }
                continue;
            }
            while at != 0 {
                self.pairs.push((index, split(shared[at - 1]).1));
                at = self.chain[at].0 as usize;
            }
        }
        for slot in large {
            let first = Some(self.last[slot]);
            let places = std::iter::successors(first, |&at| Some(self.chain[at as usize].0).filter(|&at| at != 0));
            let list: Vec<u32> = places.map(|at| split(shared[at as usize - 1]).1).collect();
            link_sorted(all, &list, k, linker);
        }
        if self.pairs.len() > MAX_PAIRS {
            self.compare(all, k, linker);
        }
    }

    /// Links the members of pairs that are near each other.
    fn compare(&mut self, all: &[Words], k: u32, linker: &mut Linker) {
        let is_new = |&(a, b): &(u32, u32)| linker.0[a as usize] != linker.0[b as usize];
        select(&mut self.pairs, is_new);
        select(&mut self.pairs, |&(a, b)| distance(&all[a as usize], &all[b as usize]) <= k);
        for (a, b) in self.pairs.drain(..) {
            linker.join(a, b);
        }
    }
}

/// Links those of some fingerprints that are near each other, of which many may be linked already.
fn link_sorted(all: &[Words], members: &[u32], k: u32, linker: &mut Linker) {
    let mut sets: HashMap<u32, Vec<u32>> = HashMap::new();
    for &member in members {
        sets.entry(linker.root(member)).or_default().push(member);
    }
    let sets: Vec<Vec<u32>> = sets.into_values().collect();
    let is_near = |a: &u32, b: &u32| distance(&all[*a as usize], &all[*b as usize]) <= k;
    for (i, set) in sets.iter().enumerate() {
        for other in &sets[..i] {
            if linker.root(set[0]) != linker.root(other[0]) && set.iter().any(|a| other.iter().any(|b| is_near(a, b))) {
                linker.join(set[0], other[0]);
            }
        }
    }
}

/// Finds the fingerprints near a given one in a component. Among many it misses pairs that share no key.
pub(super) struct Near {
    all: Vec<Words>,
    k: u32,
    tables: Vec<(Key, Vec<u32>, Vec<u32>)>,
    shift: u32,
    /// The query in which each was last seen.
    seen: Vec<u32>,
    query: u32,
}

impl Near {
    pub(super) fn new(all: Vec<Words>, reach: Reach) -> Near {
        let size = all.len();
        let is_small = size <= MAX_COMPARED;
        let keys = if is_small { Vec::new() } else { keys_for(size, reach) };
        // A short key has few values.
        let values = 2 + keys.first().map_or(0, |key| key.iter().map(|lane| lane.count_ones()).sum());
        let bits = (usize::BITS - 1 - (size + 1).leading_zeros() + 2).clamp(4, 22).min(values);
        let shift = 32 - bits;
        let table = |key: Key| {
            let hashes: Vec<usize> = all.iter().map(|words| (hash_of(words, &key, 0) >> shift) as usize).collect();
            let mut starts = vec![0; (1 << bits) + 1];
            for &bucket in &hashes {
                starts[bucket + 1] += 1;
            }
            for bucket in 1..starts.len() {
                starts[bucket] += starts[bucket - 1];
            }
            let (mut next, mut order) = (starts.clone(), vec![0; size]);
            for (i, bucket) in (0..).zip(hashes) {
                order[next[bucket] as usize] = i;
                next[bucket] += 1;
            }
            (key, starts, order)
        };
        let tables = keys.into_iter().map(table).collect();
        Near { k: reach.k, tables, shift, seen: vec![0; size], query: 0, all }
    }

    /// The distance of two fingerprints that are near each other.
    pub(super) fn distance(&self, a: usize, b: usize) -> Option<u32> {
        Some(distance(&self.all[a], &self.all[b])).filter(|&distance| distance <= self.k)
    }

    /// The places from `from` up to `to` of those near one, with their distances.
    pub(super) fn find(&mut self, own: usize, from: usize, to: usize) -> Vec<(usize, u32)> {
        self.query += 1;
        let Near { all, k, tables, shift, seen, query } = self;
        let words = all[own];
        let near = |other: usize| Some((other, distance(&words, &all[other]))).filter(|&(_, distance)| distance <= *k);
        let bucket = |key: &Key, starts: &[u32]| {
            let bucket = (hash_of(&words, key, 0) >> *shift) as usize;
            starts[bucket] as usize..starts[bucket + 1] as usize
        };
        // Where most fingerprints share keys, comparing all takes less time.
        let shared: usize = tables.iter().map(|(key, starts, _)| bucket(key, starts).len()).sum();
        if tables.is_empty() || shared > all.len() {
            return (from..to).filter(|&other| other != own).filter_map(near).collect();
        }
        let mut found = Vec::new();
        for (key, starts, order) in tables {
            for &other in &order[bucket(key, starts)] {
                let other = other as usize;
                if (from..to).contains(&other) && other != own && seen[other] != *query {
                    seen[other] = *query;
                    found.extend(near(other));
                }
            }
        }
        found
    }
}
