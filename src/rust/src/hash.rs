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

/// The bits of the first bytes of two little-endian numbers, by the number of bytes.
const MASKS: [(u64, u32); 13] = {
    let mut masks = [(u64::MAX, u32::MAX); 13];
    let mut length = 0;
    while length < 12 {
        masks[length] = match length {
            0..=7 => ((1 << (8 * length)) - 1, 0),
            _ => (u64::MAX, (1 << (8 * (length - 8))) - 1),
        };
        length += 1;
    }
    masks
};

/// The last 1 to 12 bytes of a token, with zeros behind them.
#[inline(always)]
fn read_last(text: &[u8], start: usize, end: usize) -> (u64, u32) {
    match text[start..].get(..12).map(<&[u8; 12]>::try_from) {
        Some(Ok(first)) => {
            let ((low, high), (low_mask, high_mask)) = (read(first), MASKS[(end - start).min(12)]);
            (low & low_mask, high & high_mask)
        }
        _ => read_end(&text[start..end]),
    }
}

/// HSH-3: lookup3 (`hashlittle2`) of bytes with two initial values, as (c, b).
#[must_use]
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
#[must_use]
pub fn token_hash(token: &[u8]) -> u64 {
    join(lookup3(token, 0, 0))
}

/// The most tokens that are read before the short ones among them are hashed: a processor waits for bytes that it has just
/// written.
pub(crate) const LIST: usize = 256;

/// Tokens of 1 to 12 bytes, as the numbers that are hashed, and their hashes.
#[derive(Clone, Debug)]
pub(crate) struct Short {
    length: [u32; LIST],
    a: [u32; LIST],
    b: [u32; LIST],
    c: [u32; LIST],
    hashes: [u64; LIST],
}

impl Short {
    pub(crate) const fn new() -> Short {
        Short { length: [0; LIST], a: [0; LIST], b: [0; LIST], c: [0; LIST], hashes: [0; LIST] }
    }

    /// HSH-1, HSH-2: the hashes of up to [`LIST`] tokens, which begin and end at `edges` in turn, in any order.
    pub(crate) fn hash_all(&mut self, text: &[u8], edges: &[usize]) -> &[u64] {
        let tokens = LIST.min(edges.len() / 2);
        let count = self.read(text, &edges[..2 * tokens]);
        self.hash_first(count);
        self.hashes.copy_within(LIST - (tokens - count).., count);
        &self.hashes[..tokens]
    }

    /// Reads the tokens: the hashes of long ones are the last in the list. The answer is the number of short ones.
    fn read(&mut self, text: &[u8], edges: &[usize]) -> usize {
        let (mut count, mut rest) = (0, LIST);
        for token in edges.chunks_exact(2) {
            let (start, end) = (token[0], token[1]);
            if (end - start).wrapping_sub(1) >= 12 {
                rest -= 1;
                self.hashes[rest % LIST] = long_hash(text, start, end);
                continue;
            }
            let (low, high) = read_last(text, start, end);
            let at = count % LIST;
            self.length[at] = (end - start) as u32;
            self.a[at] = low as u32;
            self.b[at] = (low >> 32) as u32;
            self.c[at] = high;
            count += 1;
        }
        count
    }

    /// Hashes so many short tokens, without branches, so that several are hashed at a time.
    fn hash_first(&mut self, count: usize) {
        let numbers = self.b.iter_mut().zip(&mut self.c);
        for ((&length, &a), (b, c)) in self.length[..count].iter().zip(&self.a).zip(numbers) {
            let State { a: start, .. } = State::new(length as usize, 0, 0);
            let state = State { a: start.wrapping_add(a), b: start.wrapping_add(*b), c: start.wrapping_add(*c) };
            (*c, *b) = state.end();
        }
        for (hash, (&c, &b)) in self.hashes[..count].iter_mut().zip(self.c.iter().zip(&self.b)) {
            *hash = join((c, b));
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::{token_hash, Short, LIST};

    #[test]
    fn tokens_hashed_together_have_their_own_hashes() {
        let text: [u8; 64] = core::array::from_fn(|i| (i * 37 + 11) as u8);
        let places = (0..64).flat_map(|start| (start + 1..=64).map(move |end| (start, end)));
        let places: Vec<_> = places.collect();
        let mut expected: Vec<u64> = places.iter().map(|&(start, end)| token_hash(&text[start..end])).collect();
        let (mut short, mut found) = (Short::new(), Vec::new());
        for places in places.chunks(LIST) {
            let edges: Vec<_> = places.iter().flat_map(|&(start, end)| [start, end]).collect();
            found.extend_from_slice(short.hash_all(&text, &edges));
        }
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected);
    }
}
