// SPDX-License-Identifier: MIT
//! Steps 5 and 6: tokens.

use alloc::vec::Vec;
use core::ops::Range;

use crate::hash::LIST;
use crate::text::{code_point, flags, flags_of_block, whole_characters, BLOCK, JOINED, LETTER, MARK, WORD};
use crate::Label;

/// The bits of ASCII characters; that of other bytes says that a character has several.
const ASCII: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let c = byte as u8;
        table[byte] = if c.is_ascii_alphabetic() {
            WORD | LETTER
        } else if c.is_ascii_digit() || c == b'_' {
            WORD
        } else if c.is_ascii() {
            0
        } else {
            SEVERAL
        };
        byte += 1;
    }
    table
};
const SEVERAL: u8 = 128;

/// The bits of the character at a position of a text, and the position behind it.
#[inline(always)]
fn character(text: &[u8], at: usize) -> (u8, usize) {
    match ASCII[usize::from(text[at])] {
        SEVERAL => {
            let (code_point, next) = code_point(text, at);
            (flags(code_point), next)
        }
        ascii => (ascii, at + 1),
    }
}

/// Bits of the characters of 64 bytes, that of the first in the lowest place.
struct Masks {
    word: u64,
    letter: u64,
    /// The number of bytes; those behind are read again.
    size: usize,
}

/// The lowest bits of 64 bytes.
#[inline(always)]
fn gather(bytes: &[u8; BLOCK]) -> u64 {
    let mut mask = 0;
    for (i, eight) in bytes.chunks_exact(8).enumerate() {
        let eight: [u8; 8] = eight.try_into().unwrap_or_default();
        mask |= u64::from_le_bytes(eight).wrapping_mul(0x0102_0408_1020_4080) >> 56 << (8 * i);
    }
    mask
}

/// The masks of a block of ASCII.
#[inline(always)]
fn masks_of_ascii(block: &[u8; BLOCK]) -> Masks {
    let (mut word, mut letter) = ([0; BLOCK], [0; BLOCK]);
    for i in 0..BLOCK {
        let byte = block[i];
        letter[i] = u8::from((byte | 0x20).wrapping_sub(b'a') < 26);
        word[i] = letter[i] | u8::from(byte.wrapping_sub(b'0') < 10) | u8::from(byte == b'_');
    }
    Masks { word: gather(&word), letter: gather(&letter), size: BLOCK }
}

/// The masks of a block, unless a character has three bytes or more, or is joined.
#[inline(always)]
fn masks(block: &[u8; BLOCK]) -> Option<Masks> {
    if block.iter().fold(0, |all, byte| all | byte) < 0x80 {
        return Some(masks_of_ascii(block));
    }
    let flags = flags_of_block(block)?;
    if flags.iter().fold(0, |all, bits| all | bits) & JOINED != 0 {
        return None;
    }
    let size = whole_characters(block);
    let word = gather(&flags.map(|bits| bits & WORD)) & mask_below(size as u32);
    let letter = gather(&flags.map(|bits| (bits / LETTER) & 1));
    Some(Masks { word, letter, size })
}

/// The places of tokens, handed over many at a time.
struct Places<'a, F> {
    text: &'a [u8],
    list: [(usize, usize); LIST],
    count: usize,
    tokens: F,
}

/// So many tokens end in a block at most.
const IN_BLOCK: usize = BLOCK / 2;

impl<F: FnMut(&[u8], &[(usize, usize)])> Places<'_, F> {
    /// Hands over what is in the list if there is no room for so many more.
    #[inline(always)]
    fn make_room(&mut self, tokens: usize) {
        if self.count + tokens > LIST {
            (self.tokens)(self.text, &self.list[..self.count]);
            self.count = 0;
        }
    }

    #[inline(always)]
    fn add(&mut self, start: usize, end: usize) {
        self.make_room(1);
        self.list[self.count] = (start, end);
        self.count += 1;
    }

    /// TOK-3, and BIG-2 to BIG-4 if there are joined characters.
    fn close(&mut self, start: usize, end: usize, bits: u8, pairs: bool) {
        if bits & LETTER == 0 {
            return;
        }
        if pairs && bits & JOINED != 0 {
            for_each_pair(self.text, start..end, &mut |_, start, end| self.add(start, end));
        } else {
            self.add(start, end);
        }
    }
}

/// A token that is being read; without bits there is none.
#[derive(Clone, Copy)]
struct Open {
    start: usize,
    bits: u8,
}

const NONE: Open = Open { start: 0, bits: 0 };

/// TOK-1 to TOK-5, and BIG-1 to BIG-4 if `pairs` is set: calls `tokens` with the text and the places of tokens in it.
#[inline(always)]
pub(crate) fn for_tokens(text: &str, pairs: bool, tokens: impl FnMut(&[u8], &[(usize, usize)])) {
    let bytes = text.as_bytes();
    let mut places = Places { text: bytes, list: [(0, 0); LIST], count: 0, tokens };
    let mut open = NONE;
    let mut at = 0;
    while at < bytes.len() {
        if let Some(Ok(block)) = bytes[at..].get(..BLOCK).map(<&[u8; BLOCK]>::try_from) {
            if let Some(masks) = masks(block) {
                open = read_block(&masks, at, open, pairs, &mut places);
                at += masks.size;
                continue;
            }
        }
        let end = bytes.len().min(at + BLOCK);
        while at < end {
            let (bits, next) = character(bytes, at);
            if bits & WORD != 0 {
                open = Open { start: if open.bits == 0 { at } else { open.start }, bits: open.bits | bits };
            } else if open.bits != 0 {
                places.close(open.start, at, open.bits, pairs);
                open = NONE;
            }
            at = next;
        }
    }
    places.close(open.start, bytes.len(), open.bits, pairs);
    places.make_room(LIST + 1);
}

/// The tokens that end in a block. The answer is the one that does not.
#[inline(always)]
fn read_block<F: FnMut(&[u8], &[(usize, usize)])>(
    masks: &Masks,
    at: usize,
    open: Open,
    pairs: bool,
    places: &mut Places<F>,
) -> Open {
    let mut rest = masks.word;
    if open.bits != 0 {
        let end = rest.trailing_ones();
        let letters = masks.letter & mask_below(end);
        let bits = open.bits | if letters != 0 { WORD | LETTER } else { WORD };
        if end as usize == masks.size {
            return Open { start: open.start, bits };
        }
        places.close(open.start, at + end as usize, bits, pairs);
        rest &= !mask_below(end);
    }
    places.make_room(IN_BLOCK);
    while rest != 0 {
        let start = rest.trailing_zeros();
        let from = rest | mask_below(start);
        let end = from.trailing_ones();
        let letters = masks.letter & rest & mask_below(end);
        if end as usize == masks.size {
            return Open { start: at + start as usize, bits: if letters != 0 { WORD | LETTER } else { WORD } };
        }
        places.list[places.count % LIST] = (at + start as usize, at + end as usize);
        places.count += usize::from(letters != 0); // TOK-3
        rest &= !mask_below(end);
    }
    NONE
}

#[inline(always)]
fn mask_below(bit: u32) -> u64 {
    if bit < 64 {
        (1 << bit) - 1
    } else {
        u64::MAX
    }
}

/// BIG-2 to BIG-4: the pairs of a token with joined characters, and the runs between them.
fn for_each_pair(bytes: &[u8], place: Range<usize>, token: &mut impl FnMut(&[u8], usize, usize)) {
    let mut is_behind_unit = false;
    let (mut start, mut at) = (place.start, place.start);
    let (mut kind, mut all): (Option<bool>, u8) = (None, 0); // of the part: whether it is a unit, and the bits of its characters
    while at <= place.end {
        let (bits, next) = if at < place.end { character(bytes, at) } else { (0, at + 1) };
        let joined = bits & JOINED != 0;
        let goes_on = match kind {
            None => false,
            Some(unit) => at < place.end && !joined && (bits & MARK != 0 || !unit),
        };
        if goes_on {
            all |= bits;
        } else {
            if let Some(unit) = kind {
                end_of_part(bytes, start..at, place.end, [is_behind_unit, unit, joined], all, token);
                is_behind_unit = unit;
            }
            (start, kind, all) = (at, Some(joined), bits);
        }
        at = next;
    }
}

/// A part of a token has ended: a unit begins a pair with the unit behind it (BIG-3), or is a token if it has no unit on
/// either side; a run of others is a token if it has a letter (BIG-4).
fn end_of_part(
    bytes: &[u8],
    part: Range<usize>,
    end: usize,
    [behind_unit, unit, before_unit]: [bool; 3],
    all: u8,
    token: &mut impl FnMut(&[u8], usize, usize),
) {
    if unit && before_unit {
        let mut next = character(bytes, part.end).1;
        while next < end {
            let (bits, after) = character(bytes, next);
            if bits & JOINED != 0 || bits & MARK == 0 {
                break;
            }
            next = after;
        }
        token(bytes, part.start, next);
    } else if unit && !behind_unit || !unit && all & LETTER != 0 {
        token(bytes, part.start, part.end);
    }
}

/// TOK-1 to TOK-5: the tokens in their order. The input is an output of [`strip_locators`](crate::steps::strip_locators).
/// Under all labels but `simhash-doc`, the tokens of BIG-1 to BIG-4 in the order of their first code points.
pub fn tokenise(text: &str, label: Label) -> Vec<&str> {
    let mut tokens = Vec::new();
    for_tokens(text, label != Label::SimhashDoc, |_, places| {
        tokens.extend(places.iter().map(|&(start, end)| &text[start..end]));
    });
    tokens
}

#[cfg(test)]
mod tests {
    use super::{flags, ASCII, SEVERAL};
    use crate::text::{LETTER, WORD};

    #[test]
    fn ascii_has_its_classes() {
        for byte in 0..=255_u8 {
            let expected = if byte < 128 { flags(byte.into()) & (WORD | LETTER) } else { SEVERAL };
            assert_eq!(ASCII[usize::from(byte)], expected, "{byte:#04x}");
        }
    }
}
