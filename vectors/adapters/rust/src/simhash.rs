// SPDX-License-Identifier: MIT
//! Step 8 of simhash-doc: counters for 64 bits.

/// The number of ones at each of 64 positions, as binary digits: `digits[d]` has digit `d` of all 64 numbers.
#[derive(Clone, Debug)]
pub(crate) struct Counters {
    digits: [u64; 64],
    count: u64,
    waiting: [u64; 8],
    taken: usize, // of `waiting`
}

/// The sum and the carry of three digits.
#[inline(always)]
fn add3(a: u64, b: u64, c: u64) -> (u64, u64) {
    let either = a ^ b;
    (either ^ c, a & b | either & c)
}

impl Counters {
    pub(crate) const fn new() -> Counters {
        Counters { digits: [0; 64], count: 0, waiting: [0; 8], taken: 0 }
    }

    /// SIM-2: add a token hash.
    #[inline(always)]
    fn add(&mut self, hash: u64) {
        self.waiting[self.taken] = hash;
        self.taken += 1;
        if self.taken == 8 {
            self.taken = 0;
            self.add_eight(self.waiting);
        }
    }

    /// SIM-2: add token hashes.
    #[inline(always)]
    pub(crate) fn add_all(&mut self, hashes: &[u64]) {
        match hashes.try_into() {
            Ok(eight) => self.add_eight(eight),
            Err(_) => hashes.iter().for_each(|&hash| self.add(hash)),
        }
    }

    /// SIM-2: add eight token hashes.
    #[inline(always)]
    fn add_eight(&mut self, [h0, h1, h2, h3, h4, h5, h6, h7]: [u64; 8]) {
        self.count += 8;
        let (ones, twos_a) = add3(self.digits[0], h0, h1);
        let (ones, twos_b) = add3(ones, h2, h3);
        let (ones, twos_c) = add3(ones, h4, h5);
        let (ones, twos_d) = add3(ones, h6, h7);
        let (twos, fours_a) = add3(self.digits[1], twos_a, twos_b);
        let (twos, fours_b) = add3(twos, twos_c, twos_d);
        let (fours, eights) = add3(self.digits[2], fours_a, fours_b);
        (self.digits[0], self.digits[1], self.digits[2]) = (ones, twos, fours);
        self.carry(3, eights);
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
        for i in 0..core::mem::take(&mut self.taken) {
            self.carry(0, self.waiting[i]);
            self.count += 1;
        }
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

    /// SIM-4, SIM-1: the bits of the fingerprint, or none if there are no hashes. A counter is positive if more than half of
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
    hashes.chunks(8).for_each(|some| counters.add_all(some));
    counters
}

/// SIM-2, SIM-3: the counters of token hashes, that of the most significant bit first.
pub fn counters(hashes: &[u64]) -> [i64; 64] {
    all(hashes).values()
}

/// SIM-4, SIM-1: the bits of the fingerprint of token hashes, or none if there are no hashes.
pub fn simhash(hashes: &[u64]) -> Option<u64> {
    all(hashes).bits()
}
