// SPDX-License-Identifier: MIT
//! Steps 1 to 3: decode, classify, normalise.

use alloc::borrow::Cow;
use alloc::string::String;

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
    String::from_utf8_lossy(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes))
}

/// DEC-4: 16-bit units; one U+FFFD for each lone surrogate.
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
    if code_point > 0x10FFFF {
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

/// The bits of the character that each byte of a block is part of, and of all together; none if one has three bytes or more.
/// The block begins with a character; the last byte may be the first of two, and has the bits of another character then.
#[inline(always)]
pub(crate) fn flags_of_block(block: &[u8; BLOCK]) -> Option<[u8; BLOCK]> {
    if block.iter().fold(0, |most, &byte| byte.max(most)) >= 0xE0 {
        return None;
    }
    // Without branches, so that several bytes are done at a time. A later byte of a character counts with the one before it.
    let mut code_points = [0_u16; BLOCK];
    for i in 0..BLOCK - 1 {
        code_points[i] = u16::from(block[i] & 0x1F) << 6 | u16::from(block[i + 1] & 0x3F);
    }
    let mut places = code_points;
    for i in 1..BLOCK {
        let later = 0_u16.wrapping_sub(u16::from(block[i] & 0xC0 == 0x80));
        places[i] = code_points[i - 1] & later | code_points[i] & !later;
    }
    for i in 0..BLOCK {
        let ascii = 0_u16.wrapping_sub(u16::from(block[i] < 0x80));
        places[i] = u16::from(block[i]) & ascii | places[i] & !ascii;
    }
    Some(places.map(|place| TWO[usize::from(place & 0x7FF)]))
}

/// The number of bytes of a block without the first byte of a character that is not whole.
#[inline(always)]
pub(crate) fn whole_characters(block: &[u8; BLOCK]) -> usize {
    BLOCK - usize::from(block[BLOCK - 1] >= 0xC0)
}

/// Reads stable characters from `at` on: where the last of them begins, or `last` without any, and where they end.
#[inline(always)]
fn stable_prefix(bytes: &[u8], mut last: usize, mut at: usize) -> (usize, usize) {
    while at < bytes.len() {
        let mut end = bytes.len();
        if let Some(Ok(block)) = bytes[at..].get(..BLOCK).map(<&[u8; BLOCK]>::try_from) {
            let is_ascii = block.iter().fold(0, |all, byte| all | byte) < 0x80;
            let is_stable = |all: [u8; BLOCK]| {
                let whole = &all[..whole_characters(block)];
                whole.iter().fold(STABLE, |every, bits| every & bits) != 0
            };
            end = at + whole_characters(block);
            if is_ascii || flags_of_block(block).is_some_and(is_stable) {
                last = if bytes[end - 1] < 0x80 { end - 1 } else { end - 2 };
                at = end;
                continue;
            }
        }
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
