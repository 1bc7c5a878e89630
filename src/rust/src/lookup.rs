// SPDX-License-Identifier: MIT
//! Step 11: the tables, and an index in memory.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use crate::compare::distances;
use crate::{Error, Fingerprint, Label};

/// The parts of `bits` of the given width, other than part `i`, joined in their order.
fn without(bits: u64, parts: u32, width: u32, i: u32) -> u64 {
    let below = (parts - 1 - i) * width;
    bits >> below >> width << below | bits & ((1 << below) - 1)
}

/// TAB-1 to TAB-4: the permuted fingerprint in table 0 to 15; here and below, of 256 bits that of a word (MIN-11).
///
/// # Errors
/// [`Error::OutOfRange`] for another table.
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
///
/// # Errors
/// As [`permute`].
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
///
/// # Errors
/// As [`permute`].
pub fn key(bits: u64, table: u32) -> Result<u32, Error> {
    Ok((permute(bits, table)? >> 36) as u32)
}

/// All numbers of `width` bits with exactly `ones` bits 1, ascending.
fn masks(width: u32, ones: u32) -> impl Iterator<Item = u32> {
    let first = if ones <= width { Some((1 << ones) - 1) } else { None };
    core::iter::successors(first, move |&mask: &u32| {
        let lowest = mask & mask.wrapping_neg();
        let carried = mask + lowest;
        let next = if mask == 0 { 1 << width } else { carried | ((carried ^ mask) / lowest) >> 2 };
        Some(next).filter(|&next| next < 1 << width)
    })
}

/// LKP-5: the probes of a table, ascending. Their number grows fast: 1,847 for `k` = 8, 2^28 for `k` = 64.
///
/// # Errors
/// [`Error::OutOfRange`] for a table above 15 or `k` above 64.
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
    /// Of all bits.
    pub distance: u32,
    /// The identifier of the entry.
    pub id: &'a str,
    /// The fingerprint of the entry.
    pub fingerprint: Fingerprint,
}

/// The place of an entry in an [`Index`].
type Slot = u32;

/// A set of entries of one label, in memory. Answers are complete for every distance (LKP-4).
///
/// Two words that differ in `k` bits differ in at most `k / 4` bits of one of their four blocks of 16 bits. So each block has a table, and
/// is looked up with so many bits flipped.
#[derive(Clone, Debug)]
pub struct Index {
    label: Label,
    ids: BTreeMap<Arc<str>, Slot>,
    entries: Vec<Option<(Arc<str>, Fingerprint)>>,
    free: Vec<Slot>,
    blocks: Vec<BTreeSet<(u16, Slot)>>, // four of word 0 first
}

/// The block of a table of [`Index::blocks`].
fn block(fingerprint: &Fingerprint, table: usize) -> u16 {
    (fingerprint.words()[table / 4] >> (16 * (table % 4))) as u16
}

impl Index {
    /// LKP-4: the distance up to which an index answers.
    pub const COMPLETE_TO: u32 = 64;

    /// An index without entries.
    #[must_use]
    pub fn new(label: Label) -> Index {
        let blocks = vec![BTreeSet::new(); 4 * label.words()];
        Index { label, ids: BTreeMap::new(), entries: Vec::new(), free: Vec::new(), blocks }
    }

    /// The label of all entries.
    #[must_use]
    pub fn label(&self) -> Label {
        self.label
    }

    /// The number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// True if the index has no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The fingerprint of an entry.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<Fingerprint> {
        Some(self.entry(*self.ids.get(id)?)?.1)
    }

    /// All entries, in the order of their identifiers.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Fingerprint)> {
        self.ids.iter().filter_map(|(id, &slot)| Some((&**id, self.entry(slot)?.1)))
    }

    /// Add an entry, or replace the one with the same identifier. Returns whether it is new.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for an empty identifier or more than 2^32 entries, [`Error::NoFingerprint`] (LKP-1), [`Error::LabelMismatch`].
    pub fn add(&mut self, id: &str, fingerprint: Option<Fingerprint>) -> Result<bool, Error> {
        if id.is_empty() {
            return Err(Error::OutOfRange);
        }
        let fingerprint = self.check(fingerprint.ok_or(Error::NoFingerprint)?)?;
        let slot = match self.free.last() {
            Some(&slot) => slot,
            None => Slot::try_from(self.entries.len()).map_err(|_| Error::OutOfRange)?,
        };
        let is_new = !self.remove(id);
        let slot = self.free.pop().unwrap_or(slot);
        let id: Arc<str> = id.into();
        if slot as usize == self.entries.len() {
            self.entries.push(None);
        }
        self.entries[slot as usize] = Some((id.clone(), fingerprint));
        self.ids.insert(id, slot);
        for (table, rows) in self.blocks.iter_mut().enumerate() {
            rows.insert((block(&fingerprint, table), slot));
        }
        Ok(is_new)
    }

    /// Remove an entry. Returns whether there was one.
    pub fn remove(&mut self, id: &str) -> bool {
        let Some(slot) = self.ids.remove(id) else { return false };
        let Some((_, fingerprint)) = self.entries[slot as usize].take() else { return false };
        for (table, rows) in self.blocks.iter_mut().enumerate() {
            rows.remove(&(block(&fingerprint, table), slot));
        }
        self.free.push(slot);
        true
    }

    /// LKP-1 to LKP-6: all entries within distance `k`, the nearest first. Under `minhash-doc-256`, those with a word
    /// within `k` of the same word of the query, and with the distance of all bits (MIN-11).
    ///
    /// # Errors
    /// [`Error::NoFingerprint`], [`Error::OutOfRange`] for `k` above 64, [`Error::LabelMismatch`].
    pub fn lookup(&self, query: Option<Fingerprint>, k: u32) -> Result<Vec<Match<'_>>, Error> {
        let query = query.ok_or(Error::NoFingerprint)?;
        if k > Index::COMPLETE_TO {
            return Err(Error::OutOfRange);
        }
        let query = self.check(query)?;
        let flips: Vec<u32> = if k < 12 { (0..=k / 4).flat_map(|ones| masks(16, ones)).collect() } else { Vec::new() };
        let mut found: Vec<Slot> = Vec::new();
        // With fewer entries than probes, or with a large distance, reading all entries is cheaper.
        if flips.is_empty() || self.entries.len() < self.blocks.len() * flips.len() {
            let slots = 0..self.entries.len() as Slot;
            found.extend(slots.filter(|&slot| self.is_found(slot, &query, k)));
        } else {
            for (table, rows) in self.blocks.iter().enumerate() {
                let own = block(&query, table);
                let probes = flips.iter().map(|&flip| own ^ flip as u16);
                let candidates = probes.flat_map(|probe| rows.range((probe, 0)..=(probe, Slot::MAX)));
                found.extend(candidates.map(|&(_, slot)| slot).filter(|&slot| self.is_found(slot, &query, k)));
            }
            found.sort_unstable();
            found.dedup();
        }
        let to_match = |slot: Slot| {
            let (id, fingerprint) = self.entry(slot)?;
            let distance = distances(fingerprint, &query).sum();
            Some(Match { distance, id, fingerprint: *fingerprint })
        };
        let mut matches: Vec<Match<'_>> = found.into_iter().filter_map(to_match).collect();
        matches.sort_unstable();
        Ok(matches)
    }

    fn entry(&self, slot: Slot) -> Option<&(Arc<str>, Fingerprint)> {
        self.entries[slot as usize].as_ref()
    }

    fn is_found(&self, slot: Slot, query: &Fingerprint, k: u32) -> bool {
        self.entry(slot).is_some_and(|(_, fingerprint)| distances(fingerprint, query).any(|distance| distance <= k))
    }

    /// CMP-2
    fn check(&self, fingerprint: Fingerprint) -> Result<Fingerprint, Error> {
        Some(fingerprint).filter(|_| fingerprint.label() == self.label).ok_or(Error::LabelMismatch)
    }
}
