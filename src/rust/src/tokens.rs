// SPDX-License-Identifier: MIT
//! Steps 5 and 6: tokens.

use alloc::vec::Vec;
use core::ops::Range;

use crate::hash::LIST;
use crate::text::{classify_all, code_point, flags, ones, Masks, BLOCK, JOINED, LETTER, MARK, WORD};
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

/// So many edges are handed over at most: two for each token of a list that is hashed together.
pub(crate) const EDGES: usize = 2 * LIST;
/// So many edges are written together.
const TOGETHER: usize = 8;

/// The places where tokens begin and end, handed over many at a time.
struct Edges<'a, F> {
    text: &'a [u8],
    blocks: &'a [Masks],
    list: &'a mut [usize; EDGES],
    count: usize,
    has_joined: bool,
    tokens: F,
}

impl<F: FnMut(&[u8], &[usize])> Edges<'_, F> {
    /// Makes room for the edges of a block, and for the end of the text.
    #[inline(always)]
    fn make_room(&mut self) {
        if self.count > EDGES - BLOCK - TOGETHER {
            self.hand_over();
        }
    }

    /// Hands over the tokens in the list. A last one that has not ended stays.
    #[inline(always)]
    fn hand_over(&mut self) {
        let tokens = self.count / 2 * 2;
        if self.has_joined {
            self.hand_over_pairs(tokens);
        } else {
            (self.tokens)(self.text, &self.list[..tokens]);
        }
        self.list[0] = self.list[tokens % EDGES];
        self.count -= tokens;
        self.has_joined &= self.count > 0;
    }

    /// BIG-2 to BIG-4
    fn hand_over_pairs(&mut self, tokens: usize) {
        let Edges { text, blocks, .. } = *self;
        let (mut list, mut count) = ([0; EDGES], 0);
        let mut add = |start, end| {
            list[count..count + 2].copy_from_slice(&[start, end]);
            count += 2;
            if count == EDGES {
                (self.tokens)(text, &list);
                count = 0;
            }
        };
        for token in self.list[..tokens].chunks_exact(2) {
            let (start, end) = (token[0], token[1]);
            if is_joined(blocks, start, end) {
                for_each_pair(text, start..end, &mut |_, start, end| add(start, end));
            } else {
                add(start, end);
            }
        }
        (self.tokens)(text, &list[..count]);
    }

    /// Adds the edges of a block at `at`.
    #[inline(always)]
    fn add(&mut self, at: usize, mut edges: u64) {
        let end = self.count + edges.count_ones() as usize;
        while edges != 0 {
            // Without a branch after each, which cannot be predicted. Those behind the last are written again.
            for edge in &mut self.list[self.count..][..TOGETHER] {
                *edge = at + edges.trailing_zeros() as usize;
                edges &= edges.wrapping_sub(1);
            }
            self.count += TOGETHER;
        }
        self.count = end;
    }
}

/// Whether a token has joined characters.
fn is_joined(blocks: &[Masks], start: usize, end: usize) -> bool {
    let first = start / BLOCK;
    (first..).zip(&blocks[first..(end + BLOCK - 1) / BLOCK]).any(|(number, block)| {
        let at = number * BLOCK;
        block.joined & ones(end - at) & !ones(start.saturating_sub(at)) != 0
    })
}

/// TOK-1 to TOK-5, and BIG-1 to BIG-4 if `pairs` is set: calls `tokens` with the text and the places where tokens begin and
/// end in turn. `blocks` has the classes of its characters; `list` is room.
#[inline(always)]
pub(crate) fn for_tokens(
    text: &str,
    blocks: &[Masks],
    list: &mut [usize; EDGES],
    pairs: bool,
    tokens: impl FnMut(&[u8], &[usize]),
) {
    let bytes = text.as_bytes();
    let mut edges = Edges { text: bytes, blocks, list, count: 0, has_joined: false, tokens };
    let (mut open, mut bare) = (0, 0); // 1 if a token goes on, and if it has no letters yet
    for (number, block) in blocks.iter().enumerate() {
        let Masks { word, letter, joined } = *block;
        edges.make_room();
        edges.has_joined |= pairs && joined != 0;
        let behind_word = word << 1 | open;
        let mut changes = word ^ behind_word;
        // TOK-3: from the start of a token, a carry runs through all but letters, to the end of the token if it has none.
        let no_letter = word & !letter;
        let (sum, carry) = no_letter.overflowing_add((changes | bare) & no_letter);
        let mut ends = (sum & !no_letter | bare) & !word;
        while ends != 0 {
            let end = ends & ends.wrapping_neg();
            let before = changes & (end - 1);
            if before == 0 {
                edges.count -= 1; // it began in a block before
                changes &= !end;
            } else {
                changes &= !(end | 1 << before.ilog2());
            }
            ends &= ends - 1;
        }
        edges.add(number * BLOCK, changes);
        (open, bare) = (word >> 63, carry.into());
    }
    if bare != 0 {
        edges.count -= 1;
    } else if open != 0 {
        edges.add(bytes.len(), 1);
    }
    edges.hand_over();
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
#[must_use]
pub fn tokenise(text: &str, label: Label) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut blocks = Vec::new();
    classify_all(text, &mut blocks);
    for_tokens(text, &blocks, &mut [0; EDGES], label != Label::SimhashDoc, |_, edges| {
        tokens.extend(edges.chunks_exact(2).map(|token| &text[token[0]..token[1]]));
    });
    tokens
}

#[cfg(test)]
mod tests {
    use super::{flags, tokenise, ASCII, SEVERAL};
    use crate::text::{LETTER, WORD};
    use crate::Label;

    #[test]
    fn ascii_has_its_classes() {
        for byte in 0..=255_u8 {
            let expected = if byte < 128 { flags(byte.into()) & (WORD | LETTER) } else { SEVERAL };
            assert_eq!(ASCII[usize::from(byte)], expected, "{byte:#04x}");
        }
    }

    #[test]
    fn a_list_of_any_length_has_room_for_a_block_of_the_shortest_tokens() {
        for longer in 0..64 {
            let text = "ab ".repeat(longer) + &"a ".repeat(600) + &"a".repeat(64);
            assert_eq!(tokenise(&text, Label::SimhashDoc).len(), longer + 601, "behind {longer} longer tokens");
        }
    }
}
