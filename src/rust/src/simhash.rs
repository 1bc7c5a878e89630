// SPDX-License-Identifier: MIT
//! Step 8 of simhash-doc: counters for 64 bits.

/// So many hashes are counted beside each other, each in a lane of its own.
const LANES: usize = 8;
/// So many hashes are counted together: eight in each lane.
const BATCH: usize = 8 * LANES;
/// The digits of a lane, and the batches that they can count.
const DIGITS: usize = 8;
const BATCHES: usize = ((1 << DIGITS) - 1) / 8;

/// The number of ones at each of 64 positions, as binary digits: `digits[d]` has digit `d` of all 64 numbers.
#[derive(Clone, Debug)]
pub(crate) struct Counters {
    digits: [u64; 64],
    count: u64,
    /// The digits of each lane, of what is not in `digits` yet.
    lanes: [[u64; LANES]; DIGITS],
    batches: usize, // in `lanes`
    waiting: [u64; BATCH],
    taken: usize, // of `waiting`
}

/// The sum and the carry of three digits.
#[inline(always)]
fn add3(a: u64, b: u64, c: u64) -> (u64, u64) {
    let either = a ^ b;
    (either ^ c, a & b | either & c)
}

/// Adds eight numbers of 0 or 1 to three digits. The answer has the carry.
#[inline(always)]
fn add8([ones, twos, fours]: [u64; 3], [h0, h1, h2, h3, h4, h5, h6, h7]: [u64; 8]) -> ([u64; 3], u64) {
    let (ones, twos_a) = add3(ones, h0, h1);
    let (ones, twos_b) = add3(ones, h2, h3);
    let (ones, twos_c) = add3(ones, h4, h5);
    let (ones, twos_d) = add3(ones, h6, h7);
    let (twos, fours_a) = add3(twos, twos_a, twos_b);
    let (twos, fours_b) = add3(twos, twos_c, twos_d);
    let (fours, eights) = add3(fours, fours_a, fours_b);
    ([ones, twos, fours], eights)
}

impl Counters {
    pub(crate) const fn new() -> Counters {
        let lanes = [[0; LANES]; DIGITS];
        Counters { digits: [0; 64], count: 0, lanes, batches: 0, waiting: [0; BATCH], taken: 0 }
    }

    /// SIM-2: add token hashes.
    #[inline(always)]
    pub(crate) fn add_all(&mut self, mut hashes: &[u64]) {
        self.count += hashes.len() as u64;
        if self.taken > 0 {
            let (first, rest) = hashes.split_at(hashes.len().min(BATCH - self.taken));
            self.wait(first);
            hashes = rest;
        }
        let mut batches = hashes.chunks_exact(BATCH);
        for batch in &mut batches {
            self.add_batch(batch.try_into().unwrap_or(&[0; BATCH]));
        }
        self.wait(batches.remainder());
    }

    /// Adds hashes to those that wait for a batch to be full.
    #[inline(always)]
    fn wait(&mut self, hashes: &[u64]) {
        let end = self.taken + hashes.len();
        self.waiting[self.taken..end].copy_from_slice(hashes);
        self.taken = end;
        if end == BATCH {
            self.taken = 0;
            let batch = self.waiting;
            self.add_batch(&batch);
        }
    }

    fn add_batch(&mut self, hashes: &[u64; BATCH]) {
        if self.batches == BATCHES {
            self.empty_lanes();
        }
        self.batches += 1;
        for lane in 0..LANES {
            let eight = core::array::from_fn(|i| hashes[LANES * i + lane]);
            let low = [self.lanes[0][lane], self.lanes[1][lane], self.lanes[2][lane]];
            let (low, mut carry) = add8(low, eight);
            for (digit, low) in self.lanes.iter_mut().zip(low) {
                digit[lane] = low;
            }
            for digit in &mut self.lanes[3..] {
                (digit[lane], carry) = (digit[lane] ^ carry, digit[lane] & carry);
            }
        }
    }

    /// Adds the lanes to the digits.
    fn empty_lanes(&mut self) {
        for (first, lanes) in core::mem::take(&mut self.lanes).into_iter().enumerate() {
            let low = [self.digits[first], self.digits[first + 1], self.digits[first + 2]];
            let (low, carry) = add8(low, lanes);
            self.digits[first..first + 3].copy_from_slice(&low);
            self.carry(first + 3, carry);
        }
        self.batches = 0;
    }

    #[inline(always)]
    fn carry(&mut self, first: usize, mut carry: u64) {
        for digit in &mut self.digits[first..] {
            if carry == 0 {
                break;
            }
            (*digit, carry) = (*digit ^ carry, *digit & carry);
        }
    }

    /// Takes what waits. Returns the digits that can be other than 0.
    fn settle(&mut self) -> &[u64] {
        let taken = core::mem::take(&mut self.taken);
        if taken > 0 {
            self.waiting[taken..].fill(0); // which adds no ones
            let batch = self.waiting;
            self.add_batch(&batch);
        }
        self.empty_lanes();
        &self.digits[..64 - self.count.leading_zeros() as usize]
    }

    /// SIM-2, SIM-3: the counters, that of the most significant bit first.
    pub(crate) fn values(mut self) -> [i64; 64] {
        self.settle();
        core::array::from_fn(|bit| {
            let digits = self.digits.iter().enumerate();
            let ones: i64 = digits.map(|(d, digit)| ((digit >> (63 - bit) & 1) as i64) << d).sum();
            2 * ones - self.count as i64 // a bit 1 adds 1, a bit 0 subtracts 1
        })
    }

    /// SIM-4, SIM-1: the bits of the fingerprint, or `None` without hashes. A counter is positive if more than half of
    /// the hashes have a one: all 64 numbers of ones are compared with the half at once, from their highest digits on.
    pub(crate) fn bits(mut self) -> Option<u64> {
        self.settle();
        let half = self.count / 2;
        let (mut greater, mut equal) = (0, u64::MAX);
        for (d, &digit) in self.settle().iter().enumerate().rev() {
            if half >> d & 1 == 0 {
                greater |= equal & digit;
                equal &= !digit;
            } else {
                equal &= digit;
            }
        }
        (self.count > 0).then_some(greater)
    }
}

fn all(hashes: &[u64]) -> Counters {
    let mut counters = Counters::new();
    counters.add_all(hashes);
    counters
}

/// SIM-2, SIM-3: the counters of token hashes, that of the most significant bit first.
#[must_use]
pub fn counters(hashes: &[u64]) -> [i64; 64] {
    all(hashes).values()
}

/// SIM-4, SIM-1: the bits of the fingerprint of token hashes, or `None` without hashes.
#[must_use]
pub fn simhash(hashes: &[u64]) -> Option<u64> {
    all(hashes).bits()
}
