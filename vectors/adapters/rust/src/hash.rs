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

/// HSH-3: lookup3 (`hashlittle2`) of bytes with two initial values, as (c, b).
pub fn lookup3(bytes: &[u8], pc: u32, pb: u32) -> (u32, u32) {
    let mut state = State::new(bytes.len(), pc, pb);
    if bytes.is_empty() {
        return (state.c, state.b);
    }
    let (blocks, tail) = bytes.split_at((bytes.len() - 1) / 12 * 12); // the last 1 to 12 bytes are the tail
    let mut last = [0; 12];
    for block in blocks.chunks_exact(12) {
        last.copy_from_slice(block);
        let (low, high) = read(&last);
        state.add(low, high);
        state.mix();
    }
    last = [0; 12];
    last[..tail.len()].copy_from_slice(tail);
    let (low, high) = read(&last);
    state.add(low, high);
    state.end()
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

/// The hash of the token `text[start..end]`. With 12 bytes of text from its start on, a short token is read without a copy.
#[inline(always)]
pub(crate) fn token_hash_in(text: &[u8], start: usize, end: usize) -> u64 {
    let length = end - start;
    match text.get(start..).and_then(|rest| rest.get(..12)) {
        Some(first) if length.wrapping_sub(1) < 12 => {
            let mut bytes = [0; 12];
            bytes.copy_from_slice(first);
            let (low, high) = read(&bytes);
            let mut state = State::new(length, 0, 0);
            if length <= 8 {
                state.add(low & u64::MAX >> (64 - 8 * length), 0);
            } else {
                state.add(low, high & u32::MAX >> (96 - 8 * length));
            }
            join(state.end())
        }
        _ => token_hash(&text[start..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::{token_hash, token_hash_in};

    #[test]
    fn a_token_within_a_text_has_its_own_hash() {
        let text: [u8; 64] = core::array::from_fn(|i| (i * 37 + 11) as u8);
        for start in 0..64 {
            for end in start..=64 {
                assert_eq!(token_hash_in(&text, start, end), token_hash(&text[start..end]), "{start}..{end}");
            }
        }
    }
}
