// Code points: reading and writing in UTF-8, and the flags in the table.

import {
  CLASS_SHIFT,
  COMPOSES,
  COMPOSES_SHIFT,
  DECOMPOSES,
  ORDER_SHIFT,
  SEPARATOR,
  UNSURE,
  UNSURE_SHIFT,
} from './scheme.generated.as';

/** Both: step 3 changes it, but it begins a segment. */
export const BEGINS: u32 = UNSURE | SEPARATOR;

// A code point of a segment: 21 bits, 8 bits of its combining class, and three flags.
export const POINT: u32 = (1 << ORDER_SHIFT) - 1;
export const POINT_COMPOSES: u32 = COMPOSES << COMPOSES_SHIFT;
export const POINT_DECOMPOSES: u32 = DECOMPOSES << COMPOSES_SHIFT;
export const POINT_UNSURE: u32 = UNSURE << UNSURE_SHIFT;
export const NO_POINT: u32 = 0xffffffff;

@inline
export function classIn(entry: u32): u32 {
  return entry >> CLASS_SHIFT;
}

@inline
export function beginsSegment(entry: u32): bool {
  return (entry & BEGINS) == BEGINS || ((entry & UNSURE) | classIn(entry)) == 0;
}

@inline
export function isAlphanumeric(byte: u32): bool {
  return (byte | 0x20) - 0x61 < 26 || byte - 0x30 < 10;
}

/** DEC-2 for a sequence as a little-endian number: 8 times its code point, plus its length; 0 where it is ill-formed. */
@inline
export function readCodePoint(bytes: u32): u32 {
  const lead = bytes & 0xff;
  if (lead >= 0xc2 && lead < 0xe0) {
    if ((bytes & 0xc000) == 0x8000) return ((lead & 0x1f) << 9) | ((bytes >> 5) & 0x1f8) | 2;
  } else if (lead >= 0xe0 && lead < 0xf0) {
    if ((bytes & 0xc0c000) == 0x808000) {
      const codePoint = ((lead & 0x0f) << 12) | ((bytes >> 2) & 0xfc0) | ((bytes >> 16) & 0x3f);
      if (codePoint >= 0x800 && codePoint >> 11 != 0x1b) return (codePoint << 3) | 3;
    }
  } else if (lead >= 0xf0 && lead < 0xf5) {
    if ((bytes & 0xc0c0c000) == 0x80808000) {
      const codePoint =
        ((lead & 0x07) << 18) | ((bytes << 4) & 0x3f000) | ((bytes >> 10) & 0xfc0) | ((bytes >> 24) & 0x3f);
      if (codePoint - 0x10000 < 0x100000) return (codePoint << 3) | 4;
    }
  }
  return 0;
}

@inline
export function writeCodePoint(codePoint: u32, at: u32): u32 {
  if (codePoint < 0x80) {
    store<u8>(at, codePoint);
    return at + 1;
  }
  if (codePoint < 0x800) {
    store<u16>(at, 0x80c0 | (codePoint >> 6) | ((codePoint & 0x3f) << 8));
    return at + 2;
  }
  if (codePoint < 0x10000) {
    store<u32>(at, 0x8080e0 | (codePoint >> 12) | ((codePoint & 0xfc0) << 2) | ((codePoint & 0x3f) << 16));
    return at + 3;
  }
  store<u32>(
    at,
    0x808080f0 |
      (codePoint >> 18) |
      ((codePoint & 0x3f000) >> 4) |
      ((codePoint & 0xfc0) << 10) |
      ((codePoint & 0x3f) << 24),
  );
  return at + 4;
}
