/**
 * Writes one code point as UTF-8 (the inverse of step 1, for tokens: TOK-5).
 * @param codePoint - a Unicode scalar value
 * @param octets - where to write; at least four octets are free behind `at`
 * @param at - where to write
 * @returns where the next one goes
 */
export function writeCodePoint(codePoint: number, octets: Uint8Array, at: number): number {
  if (codePoint < 0x80) {
    octets[at++] = codePoint;
  } else if (codePoint < 0x800) {
    octets[at++] = 0xc0 | (codePoint >> 6);
    octets[at++] = 0x80 | (codePoint & 0x3f);
  } else if (codePoint < 0x10000) {
    octets[at++] = 0xe0 | (codePoint >> 12);
    octets[at++] = 0x80 | ((codePoint >> 6) & 0x3f);
    octets[at++] = 0x80 | (codePoint & 0x3f);
  } else {
    octets[at++] = 0xf0 | (codePoint >> 18);
    octets[at++] = 0x80 | ((codePoint >> 12) & 0x3f);
    octets[at++] = 0x80 | ((codePoint >> 6) & 0x3f);
    octets[at++] = 0x80 | (codePoint & 0x3f);
  }
  return at;
}

/**
 * Encodes a text as UTF-8 (TOK-5).
 * @param text - a text of Unicode scalar values; see `toWellFormed` for others
 * @returns its octets, without a byte order mark
 */
export function encode(text: string): Uint8Array {
  // A unit takes at most three octets: those that take four come as two units.
  const octets = new Uint8Array(text.length * 3 + 1);
  let filled = 0;
  for (let i = 0; i < text.length; i++) {
    const codePoint = text.codePointAt(i)!;
    if (codePoint > 0xffff) i++;
    filled = writeCodePoint(codePoint, octets, filled);
  }
  return octets.slice(0, filled);
}
