import base32Decode from 'base32-decode';
import base32Encode from 'base32-encode';
import { toHexDigits } from '../common/bytes.ts';
import { assertBytes, assertFingerprint, assertString, wrongValue } from '../errors.ts';
import { assertFingerprintOf, assertWide, type Fingerprint, fingerprintOfWords } from './labels/fingerprint.ts';
import { type Label, type LabelOption, type NarrowLabel, parseLabel, schemeIn, schemeOf } from './labels/label.ts';

/**
 * Returns the eight bytes of a fingerprint or hash, the most significant first (SIM-3, HSH-2).
 * @param fingerprint - 0 to 2^64 - 1
 * @throws TypeError `wrong-type`, RangeError `out-of-range` or `no-fingerprint`
 * @example
 * toBytes(5n); // Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 5)
 */
export function toBytes(fingerprint: bigint | null): Uint8Array {
  assertFingerprint('fingerprint', fingerprint);
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, fingerprint);
  return bytes;
}

/**
 * Reads eight bytes as a 64-bit number: the inverse of {@link toBytes}.
 * @param bytes - exactly eight bytes
 * @returns 0 to 2^64 - 1
 * @throws TypeError `wrong-type`, RangeError `out-of-range`
 * @example
 * fromBytes(Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 5)); // 5n
 */
export function fromBytes(bytes: Uint8Array): bigint {
  assertBytes('bytes', bytes);
  if (bytes.length !== 8) throw wrongValue('out-of-range', 'bytes', '8 bytes', bytes, `${bytes.length}`);
  return new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0);
}

/** The strings of fingerprints: 64 bits, or 256 (MIN-9). The padding is optional when one is read. */
const FORMS = {
  1: { digits: /^[0-9A-Fa-f]{16}$/, characters: /^[A-Za-z2-7]{13}(?:===)?$/, length: 13, padding: '===', hex: 16 },
  4: { digits: /^[0-9A-Fa-f]{64}$/, characters: /^[A-Za-z2-7]{52}(?:====)?$/, length: 52, padding: '====', hex: 64 },
} as const;

/** Returns the number of characters of a fingerprint in base32. */
export function charactersOf(label: string): 13 | 52 {
  return FORMS[schemeOf(label).words].length;
}

/** The bytes of a fingerprint: 8 or 32, in network byte order (SIM-3, MIN-7). */
function bytesOf(fingerprint: Fingerprint | null): Uint8Array {
  if (!(fingerprint instanceof Uint8Array)) return toBytes(fingerprint);
  assertWide('fingerprint', fingerprint);
  return fingerprint;
}

/**
 * Writes a fingerprint as 16 or 64 lower-case hex digits, leading zeros kept (SER-6, MIN-9).
 * @param fingerprint - 0 to 2^64 - 1, or 32 bytes
 * @throws TypeError `wrong-type`, RangeError `out-of-range` or `no-fingerprint`
 * @see spec/simhash-doc.md#SER-6
 * @example
 * toHex(5n); // '0000000000000005'
 */
export function toHex(fingerprint: Fingerprint | null): string {
  if (fingerprint instanceof Uint8Array) return toHexDigits(bytesOf(fingerprint));
  assertFingerprint('fingerprint', fingerprint);
  return fingerprint.toString(16).padStart(16, '0');
}

/**
 * Reads the hex form (SER-6, MIN-9).
 * @param text - exactly 16 hex digits, or 64 with the label `minhash-doc-256`, in either case
 * @param options - the label of the fingerprint; the three labels of 64 bits make no difference
 * @returns 0 to 2^64 - 1, or 32 bytes
 * @throws TypeError `wrong-type`, RangeError `invalid-fingerprint` or `invalid-label`
 * @see spec/simhash-doc.md#SER-6
 * @example
 * fromHex('0000000000000005'); // 5n
 */
export function fromHex(text: string, options?: { readonly label?: NarrowLabel | undefined }): bigint;
export function fromHex(text: string, options: { readonly label: 'minhash-doc-256' }): Uint8Array;
export function fromHex(text: string, options?: LabelOption): Fingerprint;
export function fromHex(text: string, options?: LabelOption): Fingerprint {
  assertString('fingerprint', text);
  const { words } = schemeIn(options);
  const { digits, hex } = FORMS[words];
  if (!digits.test(text)) throw wrongValue('invalid-fingerprint', 'fingerprint', `${hex} hex digits`, text);
  const parts = Array.from({ length: words }, (_, i) => BigInt(`0x${text.slice(16 * i, 16 * i + 16)}`));
  return fingerprintOfWords(parts);
}

/**
 * Writes a fingerprint as 13 characters of base32 in upper case, or 52 (step 9; SER-1, MIN-9).
 * @param fingerprint - 0 to 2^64 - 1, or 32 bytes
 * @returns 13 or 52 characters of `A–Z 2–7`
 * @throws TypeError `wrong-type`, RangeError `out-of-range` or `no-fingerprint`
 * @see spec/simhash-doc.md#SER-1
 * @example
 * serialise(5n); // 'AAAAAAAAAAAAK'
 */
export function serialise(fingerprint: Fingerprint | null): string {
  return base32Encode(bytesOf(fingerprint), 'RFC4648', { padding: false });
}

/**
 * Reads a fingerprint (step 9): 13 or 52 characters of the base32 alphabet in any case (SER-3), followed by nothing or by
 * exactly the padding of RFC 4648 (SER-2). The spare bits of the last character must be 0 (SER-4). Everything else is refused
 * (SER-5, MIN-9).
 * `list.map(parse)` throws: map passes a position where options are expected.
 * @param text - a fingerprint without a label
 * @param options - the label of the fingerprint; the three labels of 64 bits make no difference
 * @returns 0 to 2^64 - 1, or 32 bytes
 * @throws TypeError `wrong-type`, RangeError `invalid-fingerprint` or `invalid-label`
 * @see spec/simhash-doc.md#SER-3
 * @example
 * ['AAAAAAAAAAAAK'].map((text) => parse(text)); // [5n]
 */
export function parse(text: string, options?: { readonly label?: NarrowLabel | undefined }): bigint;
export function parse(text: string, options: { readonly label: 'minhash-doc-256' }): Uint8Array;
export function parse(text: string, options?: LabelOption): Fingerprint;
export function parse(text: string, options?: LabelOption): Fingerprint {
  assertString('fingerprint', text);
  const { words } = schemeIn(options);
  const { characters, length, padding } = FORMS[words];
  // $ without the m flag matches at the very end only, so that no line end slips through.
  if (!characters.test(text)) {
    const expected = `${length} characters of A–Z and 2–7, then nothing or "${padding}"`;
    throw wrongValue('invalid-fingerprint', 'fingerprint', expected, text);
  }
  const canonical = text.slice(0, length).toUpperCase();
  const bytes = new Uint8Array(base32Decode(canonical, 'RFC4648'));
  const fingerprint = words === 1 ? fromBytes(bytes) : bytes;
  // The library drops the spare bits silently. A conforming writer never sets them.
  if (serialise(fingerprint) !== canonical)
    throw wrongValue('invalid-fingerprint', 'fingerprint', 'a valid one (a typing error?)', text);
  return fingerprint;
}

/** A fingerprint and its label. */
export interface LabelledFingerprint {
  /** A registered label, in lower case. */
  readonly label: Label;
  /** 0 to 2^64 - 1, or 32 bytes with the label `minhash-doc-256`. */
  readonly fingerprint: Fingerprint;
}

/**
 * Writes the labelled form: the label in lower case (LAB-1), `:`, the fingerprint (SER-7).
 * @param label - a registered label, in any case
 * @param fingerprint - of the kind that the label has: 0 to 2^64 - 1, or 32 bytes
 * @returns for example `simhash-doc:GAQM5KRDOWTU4`
 * @throws TypeError `wrong-type`, RangeError `invalid-label`, `out-of-range` or `no-fingerprint`
 * @see spec/simhash-doc.md#SER-7
 * @example
 * formatLabelled('simhash-doc', 5n); // 'simhash-doc:AAAAAAAAAAAAK'
 */
export function formatLabelled(label: string, fingerprint: Fingerprint | null): string {
  const scheme = schemeOf(parseLabel(label));
  assertFingerprintOf(scheme, 'fingerprint', fingerprint);
  return `${scheme.label}:${serialise(fingerprint)}`;
}

/**
 * Reads the labelled form (SER-8). A missing label is refused (LAB-2): {@link parse} reads a bare fingerprint, with
 * the label from the caller (LAB-4).
 * @param text - label, one `:`, fingerprint
 * @returns the label in lower case and the fingerprint
 * @throws TypeError `wrong-type`, RangeError `invalid-label` or `invalid-fingerprint` (the label is checked first)
 * @see spec/simhash-doc.md#SER-8
 * @example
 * parseLabelled('simhash-doc:AAAAAAAAAAAAK'); // { label: 'simhash-doc', fingerprint: 5n }
 */
export function parseLabelled(text: string): LabelledFingerprint {
  assertString('labelled fingerprint', text);
  const colon = text.indexOf(':');
  if (colon < 0) throw wrongValue('invalid-label', 'labelled fingerprint', 'a label, ":" and a fingerprint', text);
  const label = parseLabel(text.slice(0, colon));
  return { label, fingerprint: parse(text.slice(colon + 1), { label }) };
}
