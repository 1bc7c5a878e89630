// Code points: reading and writing them in UTF-8, and the flags that the table has for each.

// Flags of the table.
export const WORD: u32 = 1;
export const LETTER: u32 = 2;
/** Step 3 may change it, or what stands before it. */
export const UNSURE: u32 = 4;
export const SEPARATOR: u32 = 8;
/** Both: step 3 changes it, but it begins a segment. */
export const BEGINS: u32 = UNSURE | SEPARATOR;
/** The host has filled in what it is. */
export const KNOWN: u32 = 16;
export const IGNORABLE: u32 = 32;
/** May compose with what stands before it. */
export const COMPOSES: u32 = 64;
export const DECOMPOSES: u32 = 128;

// A code point of a segment: 21 bits, 8 bits of its combining class, and three flags.
export const POINT: u32 = 0x1fffff;
export const ORDER_SHIFT: u32 = 21;
export const POINT_COMPOSES: u32 = 1 << 29;
export const POINT_DECOMPOSES: u32 = 1 << 30;
export const POINT_UNSURE: u32 = 1 << 31;
export const NO_POINT: u32 = 0xffffffff;

/** Tests whether a segment begins with a code point, by its entry. */
@inline
export function beginsSegment(entry: u32): bool {
  return (entry & BEGINS) == BEGINS || ((entry & UNSURE) | (entry >> 8)) == 0;
}

@inline
export function isAlphanumeric(octet: u32): bool {
  return (octet | 0x20) - 0x61 < 26 || octet - 0x30 < 10;
}

/**
 * DEC-2 for one sequence, given its octets as a little-endian number: 8 times its code point, plus its length; 0 where it is
 * ill-formed.
 */
@inline
export function readCodePoint(octets: u32): u32 {
  const lead = octets & 0xff;
  if (lead >= 0xc2 && lead < 0xe0) {
    if ((octets & 0xc000) == 0x8000) return ((lead & 0x1f) << 9) | ((octets >> 5) & 0x1f8) | 2;
  } else if (lead >= 0xe0 && lead < 0xf0) {
    if ((octets & 0xc0c000) == 0x808000) {
      const codePoint = ((lead & 0x0f) << 12) | ((octets >> 2) & 0xfc0) | ((octets >> 16) & 0x3f);
      if (codePoint >= 0x800 && codePoint >> 11 != 0x1b) return (codePoint << 3) | 3;
    }
  } else if (lead >= 0xf0 && lead < 0xf5) {
    if ((octets & 0xc0c0c000) == 0x80808000) {
      const codePoint =
        ((lead & 0x07) << 18) | ((octets << 4) & 0x3f000) | ((octets >> 10) & 0xfc0) | ((octets >> 24) & 0x3f);
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
