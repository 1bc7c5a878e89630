import { assertBytes, assertString } from '../errors.ts';

/** The replacement for anything that is not a Unicode scalar value. */
export const REPLACEMENT = 0xfffd;

/** The result of {@link readCodePoint} when the bytes end inside a sequence that is well-formed so far. */
export const INCOMPLETE = -1;

/** A maximal ill-formed subsequence of one byte, as {@link readCodePoint} returns it. */
const ILL_FORMED = (REPLACEMENT << 3) | 1;

/**
 * Reads one code point of UTF-8. A maximal subpart of an ill-formed sequence reads as U+FFFD (DEC-2: as in the Encoding
 * Standard and in Unicode 12.0 section 3.9, table 3-7).
 * @param bytes - UTF-8, well-formed or not
 * @param at - the place to read, less than `end`
 * @param end - the end of the bytes
 * @returns 8 times the code point plus the number of bytes it takes, 1 to 4, for {@link codePointOf} and {@link widthOf};
 * or {@link INCOMPLETE} when all bytes up to `end` are the beginning of a longer sequence
 */
export function readCodePoint(bytes: Uint8Array, at: number, end: number): number {
  const lead = bytes[at]!;
  if (lead < 0x80) return (lead << 3) | 1;
  if (lead < 0xc2 || lead > 0xf4) return ILL_FORMED;
  // Most sequences of two and three bytes have a path of their own: text without ASCII takes half the time.
  if (lead < 0xf0 && at + 2 < end) {
    const second = bytes[at + 1]! ^ 0x80;
    if (second > 0x3f) return ILL_FORMED;
    if (lead < 0xe0) return ((lead & 0x1f) << 9) | (second << 3) | 2;
    const third = bytes[at + 2]! ^ 0x80;
    if (lead !== 0xe0 && lead !== 0xed && third <= 0x3f)
      return ((lead & 0x0f) << 15) | (second << 9) | (third << 3) | 3;
  }
  return readLongSequence(bytes, at, end, lead);
}

/** {@link readCodePoint} for any lead byte from C2 to F4. */
function readLongSequence(bytes: Uint8Array, at: number, end: number, lead: number): number {
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  let codePoint = lead & (0x7f >> length);
  // Only the second byte has a range that depends on the first: no overlong forms, no surrogates, nothing over 10FFFF.
  let min = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  let max = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  for (let width = 1; width < length; width++) {
    if (at + width >= end) return INCOMPLETE;
    const byte = bytes[at + width]!;
    if (byte < min || byte > max) return (REPLACEMENT << 3) | width;
    codePoint = (codePoint << 6) | (byte & 0x3f);
    min = 0x80;
    max = 0xbf;
  }
  return (codePoint << 3) | length;
}

/** Returns the code point of a result of {@link readCodePoint} other than {@link INCOMPLETE}. */
export function codePointOf(read: number): number {
  return read >> 3;
}

/** Returns the length in bytes of a code point that {@link readCodePoint} read. */
export function widthOf(read: number): number {
  return read & 7;
}

export function startsWithByteOrderMark(bytes: Uint8Array): boolean {
  return bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/**
 * Decodes UTF-8 as "UTF-8 decode" of the Encoding Standard does (step 1, for bytes). One leading byte order mark is
 * dropped (DEC-1), each maximal ill-formed subsequence becomes one U+FFFD (DEC-2), and no other encoding is detected: a
 * UTF-16 byte order mark is two ill-formed bytes (DEC-3).
 * @param bytes - any bytes
 * @returns a text of Unicode scalar values
 * @throws TypeError `wrong-type`
 * @see spec/simhash-doc.md#step-1
 * @example
 * decode(Uint8Array.of(0x61, 0xff, 0x62)); // 'a\ufffdb'
 */
export function decode(bytes: Uint8Array): string {
  assertBytes('bytes', bytes);
  return decodeRange(bytes, startsWithByteOrderMark(bytes) ? 3 : 0, bytes.length);
}

function decodeRange(bytes: Uint8Array, start: number, end: number): string {
  // String.fromCharCode takes its units as arguments; 4096 (and the second half of a pair) stay far below any limit.
  const units = new Uint16Array(Math.min(end - start, 4096) + 1);
  let text = '';
  for (let at = start; at < end; ) {
    let filled = 0;
    while (at < end && filled < units.length - 1) {
      const read = readCodePoint(bytes, at, end);
      const codePoint = read === INCOMPLETE ? REPLACEMENT : codePointOf(read);
      at = read === INCOMPLETE ? end : at + widthOf(read);
      if (codePoint > 0xffff) {
        units[filled++] = 0xd7c0 + (codePoint >> 10);
        units[filled++] = 0xdc00 | (codePoint & 0x3ff);
      } else units[filled++] = codePoint;
    }
    text += String.fromCharCode.apply(null, units.subarray(0, filled) as unknown as number[]);
  }
  return text;
}

/**
 * Replaces each lone surrogate of a text given as 16-bit units by U+FFFD (step 1; DEC-4).
 * @param text - any string
 * @returns a text of Unicode scalar values
 * @throws TypeError `wrong-type`
 * @see spec/simhash-doc.md#DEC-4
 * @example
 * toWellFormed('a\ud800b'); // 'a\ufffdb'
 */
export function toWellFormed(text: string): string {
  assertString('text', text);
  // Under the u flag a surrogate of a pair is not matched by itself.
  return text.replace(/[\uD800-\uDFFF]/gu, '\uFFFD');
}
