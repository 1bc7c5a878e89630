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
    core::iter::successors(first, move |&mask: &u32| {
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
    /// Of all bits.
    pub distance: u32,
    /// The identifier of the entry.
    pub id: &'a str,
    /// The fingerprint of the entry.
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

    /// An index without entries.
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
            let permuted = |of: Fingerprint| permute(of.words()[number / 16], number as u32 % 16);
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
                for probe in probes(query.words()[number / 16], number as u32 % 16, k)? {
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
        Some(fingerprint).filter(|_| fingerprint.label() == self.label).ok_or(Error::LabelMismatch)
    }
}
