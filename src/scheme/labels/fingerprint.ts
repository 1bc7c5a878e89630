import { assertFingerprint, wrongType, wrongValue } from '../../errors.ts';
import type { Scheme } from './label.ts';

/** A fingerprint: a bigint from 0 to 2^64 - 1, or the 32 bytes of one with the label `minhash-doc-256`. */
export type Fingerprint = bigint | Uint8Array;

/** The number of bytes in a fingerprint of 256 bits. */
export const WIDE_BYTES = 32;

/** Checks a fingerprint of 256 bits. Throws `wrong-type`, `no-fingerprint` for `null`, `out-of-range` unless there are 32 bytes. */
export function assertWide(what: string, value: unknown): asserts value is Uint8Array {
  const expected = 'a Uint8Array of 32 bytes';
  if (value === null)
    throw wrongValue('no-fingerprint', what, `${expected} (a document without tokens has none)`, value);
  if (!(value instanceof Uint8Array)) throw wrongType(what, expected, value);
  if (value.length !== WIDE_BYTES) throw wrongValue('out-of-range', what, expected, value, `${value.length}`);
}

/** Checks a fingerprint of a scheme. Throws `wrong-type`, `no-fingerprint`, `out-of-range`. */
export function assertFingerprintOf({ words }: Scheme, what: string, value: unknown): asserts value is Fingerprint {
  if (words === 1) assertFingerprint(what, value);
  else assertWide(what, value);
}

/** Returns the 64-bit words of a fingerprint, word 0 first (MIN-7). Throws as the checks do. */
export function wordsOf(what: string, fingerprint: Fingerprint | null): bigint[] {
  if (!(fingerprint instanceof Uint8Array)) {
    assertFingerprint(what, fingerprint);
    return [fingerprint];
  }
  assertWide(what, fingerprint);
  const view = new DataView(fingerprint.buffer, fingerprint.byteOffset, WIDE_BYTES);
  return [0, 8, 16, 24].map((at) => view.getBigUint64(at));
}

/** Returns the fingerprint of one word or four: the inverse of {@link wordsOf}. */
export function fingerprintOfWords(words: readonly bigint[]): Fingerprint {
  if (words.length === 1) return words[0]!;
  const bytes = new Uint8Array(8 * words.length);
  const view = new DataView(bytes.buffer);
  for (const [i, word] of words.entries()) view.setBigUint64(8 * i, word);
  return bytes;
}
