// SPDX-License-Identifier: MIT
//! Step 8 of minhash-doc: bins and their winning draws.

use alloc::vec::Vec;

use crate::text::mask;
use crate::{Error, Fingerprint, Label, MAX_WORDS};

const BINS: usize = 64;
const ROUNDS: usize = 64;
const DRAWS: usize = ROUNDS + BINS; // of an element, for a word
/// So many elements are drawn for together, round by round: rounds that no bin needs are not reached.
const BLOCK: usize = 512;

/// MIN-2, without its last step
#[inline(always)]
fn output(x: u64, n: usize) -> u64 {
    let z = x.wrapping_add((n as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB)
}

/// The last step of MIN-2, which leaves the upper bits as they are.
#[inline(always)]
fn end(z: u64) -> u64 {
    z ^ z >> 31
}

fn bin_of(y: u64) -> usize {
    (y >> 58) as usize
}

/// MIN-2: S(x, n), draw `n`, 0 to 511, of the element `x`.
///
/// # Errors
/// [`Error::OutOfRange`] for another `n`.
pub fn draw(x: u64, n: u32) -> Result<u64, Error> {
    Some(n as usize).filter(|&n| n < MAX_WORDS * DRAWS).map(|n| end(output(x, n))).ok_or(Error::OutOfRange)
}

/// The places of the bits that are set, ascending.
fn ones(bits: u64) -> impl Iterator<Item = usize> {
    let next = |&bits: &u64| Some(bits & bits.wrapping_sub(1));
    core::iter::successors(Some(bits), next).take_while(|&bits| bits != 0).map(|bits| bits.trailing_zeros() as usize)
}

/// The bins of a word, each with the round and the number of its winning draw.
#[derive(Clone, Debug)]
struct Word {
    rounds: [u8; BINS],
    numbers: [u64; BINS],
}

impl Word {
    const EMPTY: Word = Word { rounds: [DRAWS as u8; BINS], numbers: [u64::MAX; BINS] };

    /// MIN-3, MIN-4: the draws of elements, of which the first has the number `first`.
    fn add(&mut self, elements: &[u64], first: usize, drawn: &mut [u64; BLOCK]) {
        let is_new = self.rounds == Word::EMPTY.rounds;
        // Without branches: which bin a draw is of cannot be predicted.
        let (mut first_round, mut bins) = (Word::EMPTY, 0_u64);
        let Word { rounds, numbers } = if is_new { &mut *self } else { &mut first_round };
        for &element in elements {
            let y = end(output(element, first));
            let bin = bin_of(y);
            numbers[bin] = numbers[bin].min(y);
            rounds[bin] = 0;
            bins |= 1 << bin;
        }
        if !is_new {
            ones(bins).for_each(|bin| self.offer(bin, 0, first_round.numbers[bin]));
        }
        // The bins that a draw of the next round can win.
        let mut open = !bins;
        for round in 1..ROUNDS {
            if !is_new {
                let lost = ones(open).filter(|&bin| usize::from(self.rounds[bin]) < round);
                open &= !lost.fold(0, |lost, bin| lost | 1 << bin);
            }
            if open == 0 {
                return;
            }
            let mut size = 0;
            let mut add = |element| {
                let z = output(element, first + round);
                drawn[size % BLOCK] = z;
                size += (open >> bin_of(z) & 1) as usize;
            };
            let fours = elements.chunks_exact(4);
            fours.remainder().iter().for_each(|&element| add(element));
            fours.for_each(|four| four.iter().for_each(|&element| add(element)));
            for &z in &drawn[..size] {
                let (bin, y) = (bin_of(z), end(z));
                open &= !(1 << bin);
                if is_new {
                    self.rounds[bin] = round as u8;
                    self.numbers[bin] = self.numbers[bin].min(y);
                } else {
                    self.offer(bin, round, y);
                }
            }
        }
        for bin in ones(open).filter(|&bin| usize::from(self.rounds[bin]) >= ROUNDS).collect::<Vec<_>>() {
            for &element in elements {
                self.offer(bin, ROUNDS + bin, end(output(element, first + ROUNDS + bin)));
            }
        }
    }

    #[inline(always)]
    fn offer(&mut self, bin: usize, round: usize, y: u64) {
        let before = usize::from(self.rounds[bin]);
        if round < before || round == before && y < self.numbers[bin] {
            self.rounds[bin] = round as u8;
            self.numbers[bin] = y;
        }
    }
}

/// The fingerprint of token hashes that come one by one, in any order and with repetitions, in constant memory.
#[derive(Clone, Debug)]
pub struct MinHash {
    label: Label,
    words: Vec<Word>,
    waiting: Vec<u64>,
    is_empty: bool,
}

impl MinHash {
    /// No token hashes yet.
    ///
    /// # Errors
    /// [`Error::InvalidLabel`] if the label is not one of minhash-doc.
    pub fn new(label: Label) -> Result<MinHash, Error> {
        if !label.is_minhash() {
            return Err(Error::InvalidLabel);
        }
        let words = core::iter::repeat(Word::EMPTY).take(label.words()).collect();
        Ok(MinHash { label, words, waiting: Vec::new(), is_empty: true })
    }

    /// MIN-1: add a token hash.
    #[inline]
    pub fn add(&mut self, hash: u64) {
        self.add_all(&[hash]);
    }

    /// MIN-1: add token hashes.
    #[inline]
    pub(crate) fn add_all(&mut self, hashes: &[u64]) {
        self.is_empty &= hashes.is_empty();
        self.waiting.extend_from_slice(hashes);
        if self.waiting.len() >= BLOCK {
            self.settle();
        }
    }

    /// Forgets all hashes.
    #[cfg(feature = "std")]
    pub(crate) fn restart(&mut self) {
        self.words.fill(Word::EMPTY);
        self.waiting.clear();
        self.is_empty = true;
    }

    fn settle(&mut self) {
        let mut drawn = [0; BLOCK];
        for block in self.waiting.chunks(BLOCK) {
            for (number, word) in self.words.iter_mut().enumerate() {
                word.add(block, number * DRAWS, &mut drawn);
            }
        }
        self.waiting.clear();
    }

    /// The lower halves of the winning draws, bin 0 of word 0 first.
    #[cfg(feature = "std")]
    pub(crate) fn lower_draws(&mut self) -> impl Iterator<Item = u32> + '_ {
        self.settle();
        self.words.iter().flat_map(|word| word.numbers.iter().map(|&number| number as u32))
    }

    /// The winning draws, bin 0 of word 0 first; none without hashes.
    pub fn draws(&mut self) -> Vec<u64> {
        self.settle();
        let words = if self.is_empty { &[] } else { &self.words[..] };
        words.iter().flat_map(|word| word.numbers).collect()
    }

    /// MIN-5 to MIN-7: the fingerprint of all hashes up to now, or none without hashes.
    pub fn fingerprint(&mut self) -> Option<Fingerprint> {
        self.settle();
        if self.is_empty {
            return None;
        }
        let mut words = [0; MAX_WORDS];
        for (bits, word) in words.iter_mut().zip(&self.words) {
            *bits = mask(&word.numbers.map(|number| number & 1 == 1)).reverse_bits();
        }
        Fingerprint::new(self.label, &words[..self.label.words()]).ok()
    }
}
