// SPDX-License-Identifier: MIT
//! Steps 1 to 3: decode, classify, normalise.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use unicode_normalization::{is_nfc_quick, IsNormalized, UnicodeNormalization};

use crate::tables::{BLOCKS, INDEX, TWO};
use crate::Error;

// The bits of a code point in the tables.
pub(crate) const WORD: u8 = 1; // a letter, or of the class word
pub(crate) const LETTER: u8 = 2;
pub(crate) const JOINED: u8 = 4; // BIG-1
pub(crate) const MARK: u8 = 8; // BIG-1
pub(crate) const IGNORABLE: u8 = 16;
pub(crate) const UNASSIGNED: u8 = 32;
pub(crate) const STABLE: u8 = 64; // kept by NRM-1 to NRM-3, and NFC neither changes it nor joins it to what is before

/// The bits of a code point up to 10FFFF.
#[inline(always)]
pub(crate) fn flags(code_point: u32) -> u8 {
    let block = usize::from(INDEX[code_point as usize >> 8]);
    BLOCKS[block << 8 | code_point as usize & 0xFF]
}

/// DEC-1 to DEC-3: bytes as UTF-8, without the first byte order mark; one U+FFFD for each maximal ill-formed sequence.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    // Much sooner than `from_utf8_lossy`, where nothing is ill-formed.
    core::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// DEC-4: 16-bit units; one U+FFFD for each lone surrogate.
#[must_use]
pub fn decode_utf16(units: &[u16]) -> String {
    String::from_utf16_lossy(units)
}

/// CLS-2 to CLS-6: the class of a code point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// CLS-2
    Letter,
    /// CLS-3
    Word,
    /// CLS-4
    Break,
    /// CLS-5
    Ignorable,
    /// CLS-6
    Unassigned,
}

impl Class {
    /// The name that the tables of the specification use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Class::Letter => "letter",
            Class::Word => "word",
            Class::Break => "break",
            Class::Ignorable => "ignorable",
            Class::Unassigned => "unassigned",
        }
    }
}

/// CLS-1: the class of a code point, given as a number because surrogates have a class too.
///
/// # Errors
/// [`Error::OutOfRange`] above 10FFFF.
pub fn classify(code_point: u32) -> Result<Class, Error> {
    if code_point > 0x0010_FFFF {
        return Err(Error::OutOfRange);
    }
    let flags = flags(code_point);
    Ok(match flags & (WORD | LETTER | IGNORABLE | UNASSIGNED) {
        0 => Class::Break,
        WORD => Class::Word,
        IGNORABLE => Class::Ignorable,
        UNASSIGNED => Class::Unassigned,
        _ => Class::Letter,
    })
}

/// So many bytes are read together.
pub(crate) const BLOCK: usize = 64;
/// What is read for a block: with the bytes behind it that its last character may have.
const WINDOW: usize = BLOCK + 3;

/// The classes of the characters of a block, with a bit for each of their bytes, that of the first in the lowest place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Masks {
    pub(crate) word: u64,
    pub(crate) letter: u64,
    pub(crate) joined: u64,
}

/// The lowest bits of 64 bytes: those of each eight are laid beside those of the others, and the square of 8 x 8 is turned.
#[inline(always)]
fn gather(bytes: &[u8; BLOCK]) -> u64 {
    let mut square = 0;
    for (row, eight) in bytes.chunks_exact(8).enumerate() {
        square |= u64::from_le_bytes(eight.try_into().unwrap_or_default()) << row;
    }
    for (bits, distance) in [(0x00AA_00AA_00AA_00AA, 7), (0x0000_CCCC_0000_CCCC, 14), (0xF0F0_F0F0, 28)] {
        let changed = (square ^ square >> distance) & bits;
        square ^= changed ^ changed << distance;
    }
    square
}

/// A bit for each one of 64 answers.
#[inline(always)]
pub(crate) fn mask(answers: &[bool; BLOCK]) -> u64 {
    gather(&answers.map(u8::from))
}

/// Step 2 for a whole text: replaces `blocks` by the classes of its characters. The answer is whether all are stable.
pub(crate) fn classify_all(text: &str, blocks: &mut Vec<Masks>) -> bool {
    let bytes = text.as_bytes();
    let (mut padded, mut places, mut every) = ([0; WINDOW], [0; WINDOW], STABLE);
    blocks.clear();
    blocks.extend((0..bytes.len()).step_by(BLOCK).map(|at| {
        let window = match bytes[at..].get(..WINDOW).map(<&[u8; WINDOW]>::try_from) {
            Some(Ok(window)) => window,
            _ => {
                padded.fill(0);
                padded[..bytes.len() - at].copy_from_slice(&bytes[at..]);
                &padded
            }
        };
        let block: &[u8; BLOCK] = window[..BLOCK].try_into().unwrap_or(&[0; BLOCK]);
        if block.iter().fold(0, |all, byte| all | byte) < 0x80 {
            return masks(&flags_of_ascii(block), WORD | LETTER);
        }
        let begun = [places[BLOCK], places[BLOCK + 1], places[BLOCK + 2]];
        places = [0; WINDOW];
        places[..BLOCK].copy_from_slice(&flags_of_ascii(block));
        places[..3].iter_mut().zip(begun).for_each(|(place, bits)| *place |= bits);
        let (any, all) = flags_of_others(window, &mut places);
        every &= all;
        masks(places[..BLOCK].try_into().unwrap_or(&[0; BLOCK]), any | begun[0])
    }));
    every & STABLE != 0
}

/// The masks of a block from the bits of its characters, of which `any` has all.
#[inline(always)]
fn masks(places: &[u8; BLOCK], any: u8) -> Masks {
    let mask = |bit: u8| gather(&places.map(|bits| (bits / bit) & 1));
    Masks { word: mask(WORD), letter: mask(LETTER), joined: if any & JOINED == 0 { 0 } else { mask(JOINED) } }
}

/// The bits of each ASCII character of a block, and 0 for other bytes.
#[inline(always)]
fn flags_of_ascii(block: &[u8; BLOCK]) -> [u8; BLOCK] {
    block.map(|byte| {
        let letter = u8::from((byte | 0x20).wrapping_sub(b'a') < 26);
        let digit = u8::from(byte.wrapping_sub(b'0') < 10);
        (letter * (WORD | LETTER)) | digit | u8::from(byte == b'_')
    })
}

/// Writes the bits of each character of several bytes to the places of all of them, also of those in the next block. The
/// answers are the bits that any and all of these characters have.
#[inline(always)]
fn flags_of_others(window: &[u8; WINDOW], places: &mut [u8; WINDOW]) -> (u8, u8) {
    let mut first = mask(&core::array::from_fn(|i| window[i] >= 0xC0));
    let (mut any, mut all) = (0, u8::MAX);
    while first != 0 {
        let at = first.trailing_zeros() as usize % BLOCK;
        let low = |i: usize| u32::from(window[at + i] & 0x3F);
        let bits = match window[at] {
            byte @ 0..=0xDF => TWO[usize::from(byte & 0x1F) << 6 | low(1) as usize],
            byte @ 0xE0..=0xEF => {
                let bits = flags(u32::from(byte & 0x0F) << 12 | low(1) << 6 | low(2));
                places[at + 2] = bits;
                bits
            }
            byte => {
                let bits = flags(u32::from(byte & 7) << 18 | low(1) << 12 | low(2) << 6 | low(3));
                (places[at + 2], places[at + 3]) = (bits, bits);
                bits
            }
        };
        (places[at], places[at + 1]) = (bits, bits);
        any |= bits;
        all &= bits;
        first &= first - 1;
    }
    (any, all)
}

/// Makes breaks of the bytes of a place.
pub(crate) fn clear(blocks: &mut [Masks], place: Range<usize>) {
    let first = place.start / BLOCK;
    for (number, block) in (first..).zip(&mut blocks[first..(place.end + BLOCK - 1) / BLOCK]) {
        let at = number * BLOCK;
        let kept = !(ones(place.end - at) & !ones(place.start.saturating_sub(at)));
        *block = Masks { word: block.word & kept, letter: block.letter & kept, joined: block.joined & kept };
    }
}

/// So many ones in the lowest places, 64 at most.
#[inline(always)]
pub(crate) fn ones(count: usize) -> u64 {
    if count < BLOCK {
        (1 << count) - 1
    } else {
        u64::MAX
    }
}

/// Reads stable characters from `at` on: where the last of them begins, or `last` without any, and where they end.
#[inline(always)]
fn stable_prefix(bytes: &[u8], mut last: usize, mut at: usize) -> (usize, usize) {
    while at < bytes.len() {
        let block = bytes[at..].get(..BLOCK);
        if block.is_some_and(|block| block.iter().fold(0, |all, byte| all | byte) < 0x80) {
            (last, at) = (at + BLOCK - 1, at + BLOCK);
            continue;
        }
        let end = bytes.len().min(at + BLOCK);
        while at < end {
            let (bits, next) = match bytes[at] {
                0..=0x7F => (STABLE, at + 1),
                _ => {
                    let (code_point, next) = code_point(bytes, at);
                    (flags(code_point), next)
                }
            };
            if bits & STABLE == 0 {
                return (last, at);
            }
            (last, at) = (at, next);
        }
    }
    (last, at)
}

/// The code point of several bytes at a position of a text, and the position behind it.
#[inline(always)]
pub(crate) fn code_point(text: &[u8], at: usize) -> (u32, usize) {
    let low = |i: usize| u32::from(text[at + i] & 0x3F);
    match text[at] {
        first @ 0..=0xDF => (u32::from(first & 0x1F) << 6 | low(1), at + 2),
        first @ 0xE0..=0xEF => (u32::from(first & 0x0F) << 12 | low(1) << 6 | low(2), at + 3),
        first => (u32::from(first & 7) << 18 | low(1) << 12 | low(2) << 6 | low(3), at + 4),
    }
}

/// NRM-1 to NRM-4: replace unassigned code points, delete ignorable ones, then NFC.
///
/// A text that is normal already is not copied.
pub fn normalise(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut piece = String::new();
    let (mut copied, mut last, mut at) = (0, 0, 0); // `last` is where the last stable character begins
    while at < text.len() {
        (last, at) = stable_prefix(text.as_bytes(), last, at);
        let others = text[at..].chars().take_while(|&c| flags(c.into()) & STABLE == 0);
        let end = at + others.map(char::len_utf8).sum::<usize>();
        if end == at {
            break;
        }
        if let Some(normal) = normalise_piece(&text[last..end], &mut piece) {
            out.push_str(&text[copied..last]);
            out.push_str(normal);
            copied = end;
        }
        // A character that is no longer there cannot be joined to what follows, which is stable.
        (last, at) = (end, end);
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// A stable character and what follows it up to the next one; none if it is normal already.
fn normalise_piece<'a>(text: &str, piece: &'a mut String) -> Option<&'a str> {
    let all = text.chars().fold(0, |all, c| all | flags(c.into()));
    if all & (UNASSIGNED | IGNORABLE) == 0 && is_nfc_quick(text.chars()) == IsNormalized::Yes {
        return None;
    }
    let kept = text.chars().filter_map(|c| match flags(c.into()) & (UNASSIGNED | IGNORABLE) {
        0 => Some(c),
        IGNORABLE => None,
        _ => Some('\u{FFFD}'),
    });
    piece.clear();
    piece.extend(kept.nfc());
    Some(piece)
}
