import { encode } from '../common/utf8.ts';
import { assertBytes, assertInteger, wrongType } from '../errors.ts';
import { toWellFormed } from './decode.ts';

/** The constant to which lookup3's initial state adds the length (HSH-1). */
export const INITIAL = 0xdeadbeef;

/**
 * Computes lookup3's `hashlittle2` (Bob Jenkins, lookup3.c, May 2006, public domain) over a range of bytes (HSH-1, HSH-3). All
 * numbers are 32-bit integers of either sign: `| 0` and `^` take sums and differences modulo 2^32, which are exact before
 * (below 2^53), and `>>>` makes the rotations unsigned.
 * @param bytes - contains the bytes
 * @param start - their beginning
 * @param end - their end
 * @param pc - first initial value, `*pc`
 * @param pb - second initial value, `*pb`
 * @param result - receives the two results, `c` and `b`
 */
export function hashRange(
  bytes: Uint8Array,
  start: number,
  end: number,
  pc: number,
  pb: number,
  result: Uint32Array,
): void {
  let left = end - start;
  let a = (INITIAL + left + pc) | 0;
  let b = a;
  let c = (a + pb) | 0;
  let i = start;
  while (left > 12) {
    a = (a + word(bytes, i)) | 0;
    b = (b + word(bytes, i + 4)) | 0;
    c = (c + word(bytes, i + 8)) | 0;
    a = (a - c) ^ ((c << 4) | (c >>> 28));
    c = (c + b) | 0;
    b = (b - a) ^ ((a << 6) | (a >>> 26));
    a = (a + c) | 0;
    c = (c - b) ^ ((b << 8) | (b >>> 24));
    b = (b + a) | 0;
    a = (a - c) ^ ((c << 16) | (c >>> 16));
    c = (c + b) | 0;
    b = (b - a) ^ ((a << 19) | (a >>> 13));
    a = (a + c) | 0;
    c = (c - b) ^ ((b << 4) | (b >>> 28));
    b = (b + a) | 0;
    left -= 12;
    i += 12;
  }
  if (left > 0) {
    // The last 1 to 12 bytes, padded with zeros.
    if (left >= 4) a = (a + word(bytes, i)) | 0;
    else a = (a + tail(bytes, i, left)) | 0;
    if (left >= 8) b = (b + word(bytes, i + 4)) | 0;
    else if (left > 4) b = (b + tail(bytes, i + 4, left - 4)) | 0;
    if (left === 12) c = (c + word(bytes, i + 8)) | 0;
    else if (left > 8) c = (c + tail(bytes, i + 8, left - 8)) | 0;
    c = ((c ^ b) - ((b << 14) | (b >>> 18))) | 0;
    a = ((a ^ c) - ((c << 11) | (c >>> 21))) | 0;
    b = ((b ^ a) - ((a << 25) | (a >>> 7))) | 0;
    c = ((c ^ b) - ((b << 16) | (b >>> 16))) | 0;
    a = ((a ^ c) - ((c << 4) | (c >>> 28))) | 0;
    b = ((b ^ a) - ((a << 14) | (a >>> 18))) | 0;
    c = ((c ^ b) - ((b << 24) | (b >>> 8))) | 0;
  }
  result[0] = c;
  result[1] = b;
}

/** Four bytes as a little-endian word, on any machine (HSH-3). */
function word(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
}

/** One to three bytes as a little-endian word. */
function tail(bytes: Uint8Array, at: number, length: number): number {
  let value = bytes[at]!;
  if (length > 1) value |= bytes[at + 1]! << 8;
  if (length > 2) value |= bytes[at + 2]! << 16;
  return value;
}

/**
 * Computes `hashlittle2` of lookup3 (HSH-1, HSH-3), for callers that need other initial values.
 * @param bytes - the input of the hash
 * @param pc - first initial value, 0 to 2^32 - 1; the scheme's is 0
 * @param pb - second initial value, 0 to 2^32 - 1; the scheme's is 0
 * @returns the two results, 0 to 2^32 - 1: `c` (in C `*pc`) and `b` (`*pb`)
 * @throws TypeError `wrong-type`, RangeError `out-of-range`
 * @see spec/simhash-doc.md#step-7
 * @example
 * hashlittle2(new TextEncoder().encode('fox')); // { c: 2283882327, b: 2795985821 }
 */
export function hashlittle2(bytes: Uint8Array, pc = 0, pb = 0): { readonly c: number; readonly b: number } {
  assertBytes('bytes', bytes);
  assertInteger('pc', pc, 0, 0xffffffff);
  assertInteger('pb', pb, 0, 0xffffffff);
  const result = new Uint32Array(2);
  hashRange(bytes, 0, bytes.length, pc, pb, result);
  return { c: result[0]!, b: result[1]! };
}

/**
 * Computes the 64-bit hash of a token, b·2^32 + c of `hashlittle2` with initial values 0 (step 7; HSH-1 to HSH-3).
 * @param token - a token, hashed by its UTF-8 form (TOK-5; lone surrogates become U+FFFD), or its bytes
 * @returns 0 to 2^64 - 1; in network byte order these are the eight bytes of the hash
 * @throws TypeError `wrong-type`
 * @see spec/simhash-doc.md#step-7
 * @example
 * hashToken('fox'); // 0xa6a75b9d88214757n
 */
export function hashToken(token: string | Uint8Array): bigint {
  if (typeof token !== 'string' && !(token instanceof Uint8Array))
    throw wrongType('token', 'a string or a Uint8Array', token);
  const bytes = typeof token === 'string' ? encode(toWellFormed(token)) : token;
  const { c, b } = hashlittle2(bytes);
  return (BigInt(b) << 32n) | BigInt(c);
}
