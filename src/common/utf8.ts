/**
 * Writes one code point as UTF-8.
 * @param codePoint - a Unicode scalar value
 * @param bytes - the target; at least four bytes are free after `at`
 * @param at - the place in it
 * @returns the place for the next one
 */
export function writeCodePoint(codePoint: number, bytes: Uint8Array, at: number): number {
  if (codePoint < 0x80) {
    bytes[at++] = codePoint;
  } else if (codePoint < 0x800) {
    bytes[at++] = 0xc0 | (codePoint >> 6);
    bytes[at++] = 0x80 | (codePoint & 0x3f);
  } else if (codePoint < 0x10000) {
    bytes[at++] = 0xe0 | (codePoint >> 12);
    bytes[at++] = 0x80 | ((codePoint >> 6) & 0x3f);
    bytes[at++] = 0x80 | (codePoint & 0x3f);
  } else {
    bytes[at++] = 0xf0 | (codePoint >> 18);
    bytes[at++] = 0x80 | ((codePoint >> 12) & 0x3f);
    bytes[at++] = 0x80 | ((codePoint >> 6) & 0x3f);
    bytes[at++] = 0x80 | (codePoint & 0x3f);
  }
  return at;
}

/**
 * Encodes a text as UTF-8.
 * @param text - a text of Unicode scalar values, without lone surrogates
 * @returns its bytes, without a byte order mark
 */
export function encode(text: string): Uint8Array {
  // A unit takes at most three bytes; code points that take four are two units.
  const bytes = new Uint8Array(text.length * 3 + 1);
  let filled = 0;
  for (let i = 0; i < text.length; i++) {
    const codePoint = text.codePointAt(i)!;
    if (codePoint > 0xffff) i++;
    filled = writeCodePoint(codePoint, bytes, filled);
  }
  return bytes.slice(0, filled);
}

/** The numbers of units read and bytes written by {@link encodeInto}. */
export interface Encoded {
  /** In 16-bit units. */
  readonly read: number;
  /** In bytes. */
  readonly written: number;
}

/**
 * Encodes as much of a text as fits, like the Encoding API, which is not part of the language.
 * @param text - any string; lone surrogates become U+FFFD
 * @param bytes - receives whole code points
 */
export function encodeInto(text: string, bytes: Uint8Array): Encoded {
  let read = 0;
  let written = 0;
  while (read < text.length) {
    const codePoint = text.codePointAt(read)!;
    const size = codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
    if (written + size > bytes.length) break;
    written = writeCodePoint((codePoint & 0x1ff800) === 0xd800 ? 0xfffd : codePoint, bytes, written);
    read += codePoint > 0xffff ? 2 : 1;
  }
  return { read, written };
}
