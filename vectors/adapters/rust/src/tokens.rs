// SPDX-License-Identifier: MIT
//! Steps 5 and 6: tokens.

use alloc::vec::Vec;
use core::ops::Range;

use crate::text::{flags, JOINED, LETTER, MARK, WORD};
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

/// The code point of several bytes at a position of a text, and the position behind it.
#[inline(always)]
fn code_point(text: &[u8], at: usize) -> (u32, usize) {
    let byte = |i: usize| u32::from(text[at + i]);
    match text[at] {
        0..=0xDF => ((byte(0) & 0x1F) << 6 | byte(1) & 0x3F, at + 2),
        0xE0..=0xEF => ((byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | byte(2) & 0x3F, at + 3),
        _ => ((byte(0) & 7) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | byte(3) & 0x3F, at + 4),
    }
}

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

/// TOK-1 to TOK-5, and BIG-1 to BIG-4 if `pairs` is set: calls `token` with the place of each token.
#[inline(always)]
pub(crate) fn for_each_token(text: &str, pairs: bool, mut token: impl FnMut(&[u8], usize, usize)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let (mut all, mut next) = character(bytes, at);
        if all & WORD == 0 {
            at = next;
            continue;
        }
        let start = at;
        loop {
            at = next;
            if at == bytes.len() {
                break;
            }
            let (one, after) = character(bytes, at);
            if one & WORD == 0 {
                next = after;
                break;
            }
            all |= one;
            next = after;
        }
        if all & LETTER != 0 {
            if pairs && all & JOINED != 0 {
                for_each_pair(text, start..at, &mut token);
            } else {
                token(bytes, start, at);
            }
        }
        at = next.max(at);
    }
}

/// BIG-2 to BIG-4: the pairs of a token with joined characters, and the runs between them.
fn for_each_pair(text: &str, place: Range<usize>, token: &mut impl FnMut(&[u8], usize, usize)) {
    let bytes = text.as_bytes();
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
    for_each_token(text, label != Label::SimhashDoc, |_, start, end| tokens.push(&text[start..end]));
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
