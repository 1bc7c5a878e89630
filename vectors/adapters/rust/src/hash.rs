// SPDX-License-Identifier: MIT
//! Step 7: the hash of a token.

/// The state of lookup3 with the rounds between two blocks and at the end.
#[derive(Clone, Copy)]
struct State {
    a: u32,
    b: u32,
    c: u32,
}

impl State {
    #[inline(always)]
    fn new(length: usize, pc: u32, pb: u32) -> State {
        let a = 0xDEAD_BEEF_u32.wrapping_add(length as u32).wrapping_add(pc); // the length modulo 2^32
        State { a, b: a, c: a.wrapping_add(pb) }
    }

    #[inline(always)]
    fn add(&mut self, low: u64, high: u32) {
        self.a = self.a.wrapping_add(low as u32);
        self.b = self.b.wrapping_add((low >> 32) as u32);
        self.c = self.c.wrapping_add(high);
    }

    #[inline(always)]
    fn mix(&mut self) {
        let step = |x: &mut u32, y: &mut u32, z: u32, bits: u32| {
            *x = x.wrapping_sub(*y) ^ y.rotate_left(bits);
            *y = y.wrapping_add(z);
        };
        let State { a, b, c } = self;
        step(a, c, *b, 4);
        step(b, a, *c, 6);
        step(c, b, *a, 8);
        step(a, c, *b, 16);
        step(b, a, *c, 19);
        step(c, b, *a, 4);
    }

    #[inline(always)]
    fn end(mut self) -> (u32, u32) {
        let step = |x: &mut u32, y: u32, bits: u32| *x = (*x ^ y).wrapping_sub(y.rotate_left(bits));
        let State { a, b, c } = &mut self;
        step(c, *b, 14);
        step(a, *c, 11);
        step(b, *a, 25);
        step(c, *b, 16);
        step(a, *c, 4);
        step(b, *a, 14);
        step(c, *b, 24);
        (*c, *b)
    }
}

/// The first 12 bytes as two little-endian numbers.
#[inline(always)]
fn read(bytes: &[u8; 12]) -> (u64, u32) {
    let [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11] = *bytes;
    (u64::from_le_bytes([b0, b1, b2, b3, b4, b5, b6, b7]), u32::from_le_bytes([b8, b9, b10, b11]))
}

/// At most 12 bytes, with zeros behind them, at the end of a text.
#[cold]
#[inline(never)]
fn read_end(bytes: &[u8]) -> (u64, u32) {
    let mut all = [0; 12];
    all[..bytes.len()].copy_from_slice(bytes);
    read(&all)
}

/// The last 1 to 12 bytes of a token, with zeros behind them.
#[inline(always)]
fn read_last(text: &[u8], start: usize, end: usize) -> (u64, u32) {
    let length = end - start;
    match text[start..].get(..12).map(<&[u8; 12]>::try_from) {
        Some(Ok(first)) => {
            let (low, high) = read(first);
            let low = low & u64::MAX >> (64 - 8 * length.min(8));
            (low, high & ((1_u64 << (8 * (length.max(8) - 8))) - 1) as u32)
        }
        _ => read_end(&text[start..end]),
    }
}

/// HSH-3: lookup3 (`hashlittle2`) of bytes with two initial values, as (c, b).
pub fn lookup3(bytes: &[u8], pc: u32, pb: u32) -> (u32, u32) {
    lookup3_in(bytes, 0, bytes.len(), pc, pb)
}

#[inline(always)]
fn lookup3_in(text: &[u8], mut start: usize, end: usize, pc: u32, pb: u32) -> (u32, u32) {
    let mut state = State::new(end - start, pc, pb);
    if start == end {
        return (state.c, state.b);
    }
    while end - start > 12 {
        // The last 1 to 12 bytes stay.
        let (low, high) = read_last(text, start, start + 12);
        state.add(low, high);
        state.mix();
        start += 12;
    }
    let (low, high) = read_last(text, start, end);
    state.add(low, high);
    state.end()
}

/// The hash of the token `text[start..end]` of more than 12 bytes, or of none.
fn long_hash(text: &[u8], start: usize, end: usize) -> u64 {
    join(lookup3_in(text, start, end, 0, 0))
}

#[inline(always)]
fn join((c, b): (u32, u32)) -> u64 {
    u64::from(b) << 32 | u64::from(c)
}

/// HSH-1, HSH-2: the hash of a token.
///
/// ```
/// assert_eq!(simhash_doc::steps::token_hash(b"fox"), simhash_doc::steps::token_hash("fox".as_bytes()));
/// ```
pub fn token_hash(token: &[u8]) -> u64 {
    join(lookup3(token, 0, 0))
}

/// How many short tokens are hashed together.
pub(crate) const BATCH: usize = 8;

/// Tokens of 1 to 12 bytes that wait for others, to be hashed together.
#[derive(Clone, Debug)]
pub(crate) struct Batch {
    length: [u32; BATCH],
    a: [u32; BATCH],
    b: [u32; BATCH],
    c: [u32; BATCH],
    count: usize,
}

impl Batch {
    pub(crate) const fn new() -> Batch {
        Batch { length: [0; BATCH], a: [0; BATCH], b: [0; BATCH], c: [0; BATCH], count: 0 }
    }

    /// Adds the token `text[start..end]`. The answer is the hash of a long token, or the hashes of a batch that is full.
    #[inline(always)]
    pub(crate) fn add(&mut self, text: &[u8], start: usize, end: usize) -> Hashes {
        let length = end - start;
        if length.wrapping_sub(1) >= 12 {
            return Hashes::One(long_hash(text, start, end));
        }
        let (low, high) = read_last(text, start, end);
        let at = self.count % BATCH;
        self.length[at] = length as u32;
        self.a[at] = low as u32;
        self.b[at] = (low >> 32) as u32;
        self.c[at] = high;
        self.count += 1;
        if self.count < BATCH {
            return Hashes::None;
        }
        self.count = 0;
        Hashes::Full(self.hashes())
    }

    /// The hashes of all places, also of those that are not taken.
    #[inline(always)]
    fn hashes(&self) -> [u64; BATCH] {
        let (mut a, mut b, mut c) = (self.a, self.b, self.c);
        for i in 0..BATCH {
            let start = 0xDEAD_BEEF_u32.wrapping_add(self.length[i]);
            a[i] = a[i].wrapping_add(start);
            b[i] = b[i].wrapping_add(start);
            c[i] = c[i].wrapping_add(start);
        }
        let step = |x: &mut [u32; BATCH], y: &[u32; BATCH], bits: u32| {
            for i in 0..BATCH {
                x[i] = (x[i] ^ y[i]).wrapping_sub(y[i].rotate_left(bits));
            }
        };
        step(&mut c, &b, 14);
        step(&mut a, &c, 11);
        step(&mut b, &a, 25);
        step(&mut c, &b, 16);
        step(&mut a, &c, 4);
        step(&mut b, &a, 14);
        step(&mut c, &b, 24);
        core::array::from_fn(|i| join((c[i], b[i])))
    }

    /// The hashes of the tokens that still wait.
    pub(crate) fn rest(&mut self) -> impl Iterator<Item = u64> {
        let count = core::mem::take(&mut self.count);
        self.hashes().into_iter().take(count)
    }
}

/// What a token has completed.
pub(crate) enum Hashes {
    None,
    One(u64),
    Full([u64; BATCH]),
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::{token_hash, Batch, Hashes};

    #[test]
    fn tokens_hashed_together_have_their_own_hashes() {
        let text: [u8; 64] = core::array::from_fn(|i| (i * 37 + 11) as u8);
        let places = (0..64).flat_map(|start| (start + 1..=64).map(move |end| (start, end)));
        let mut batch = Batch::new();
        let (mut found, mut expected) = (Vec::new(), Vec::new());
        for (start, end) in places {
            expected.push(token_hash(&text[start..end]));
            match batch.add(&text, start, end) {
                Hashes::None => {}
                Hashes::One(hash) => found.push(hash),
                Hashes::Full(hashes) => found.extend(hashes),
            }
        }
        found.extend(batch.rest());
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected);
    }
}
