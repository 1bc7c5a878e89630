import base32Decode from 'base32-decode';
import base32Encode from 'base32-encode';
import { assertFingerprint, assertOctets, assertString, wrongValue } from '../errors.ts';
import { parseLabel } from './label.ts';

/**
 * The eight octets of a fingerprint or hash: the number in network byte order (SIM-2, HSH-3).
 * @param fingerprint - 0 to 2^64 - 1
 * @returns eight octets, the most significant first
 * @throws TypeError `wrong-type`, RangeError `out-of-range` or `no-fingerprint`
 */
export function toOctets(fingerprint: bigint): Uint8Array {
  assertFingerprint('fingerprint', fingerprint);
  const octets = new Uint8Array(8);
  new DataView(octets.buffer).setBigUint64(0, fingerprint);
  return octets;
}

/**
 * The number of eight octets: the inverse of {@link toOctets}.
 * @param octets - exactly eight octets
 * @returns 0 to 2^64 - 1
 * @throws TypeError `wrong-type`, RangeError `out-of-range`
 */
export function fromOctets(octets: Uint8Array): bigint {
  assertOctets('octets', octets);
  if (octets.length !== 8) throw wrongValue('out-of-range', 'octets', '8 octets', octets, `${octets.length}`);
  return new DataView(octets.buffer, octets.byteOffset, 8).getBigUint64(0);
}

/**
 * The hex form of a fingerprint: 16 lower-case digits, leading zeros kept (SER-6).
 * @param fingerprint - 0 to 2^64 - 1
 * @throws TypeError `wrong-type`, RangeError `out-of-range` or `no-fingerprint`
 * @see spec/simhash-doc.md#SER-6
 */
export function toHex(fingerprint: bigint): string {
  assertFingerprint('fingerprint', fingerprint);
  return fingerprint.toString(16).padStart(16, '0');
}

/**
 * Reads the hex form (SER-6).
 * @param text - exactly 16 hex digits, in either case
 * @returns 0 to 2^64 - 1
 * @throws TypeError `wrong-type`, RangeError `invalid-fingerprint`
 * @see spec/simhash-doc.md#SER-6
 */
export function fromHex(text: string): bigint {
  assertString('fingerprint', text);
  if (!/^[0-9A-Fa-f]{16}$/.test(text)) throw wrongValue('invalid-fingerprint', 'fingerprint', '16 hex digits', text);
  return BigInt(`0x${text}`);
}

/**
 * Step 9: the string form of a fingerprint, 13 characters of base32 in upper case (SER-1).
 * @param fingerprint - 0 to 2^64 - 1
 * @returns 13 characters of `A–Z 2–7`
 * @throws TypeError `wrong-type`, RangeError `out-of-range` or `no-fingerprint`
 * @see spec/simhash-doc.md#SER-1
 */
export function serialise(fingerprint: bigint): string {
  return base32Encode(toOctets(fingerprint), 'RFC4648', { padding: false });
}

/**
 * Step 9, reading: 13 characters of the base32 alphabet in any case (SER-2), followed by nothing or by exactly `===`
 * (SER-3), the spare bit of the last character 0 (SER-4); everything else is refused (SER-5).
 * @param text - a fingerprint without a label
 * @returns 0 to 2^64 - 1
 * @throws TypeError `wrong-type`, RangeError `invalid-fingerprint`
 * @see spec/simhash-doc.md#SER-2
 */
export function parse(text: string): bigint {
  assertString('fingerprint', text);
  // $ without the m flag matches at the very end only, so that no line end slips through.
  if (!/^[A-Za-z2-7]{13}(?:===)?$/.test(text))
    throw wrongValue('invalid-fingerprint', 'fingerprint', '13 characters of A–Z and 2–7, then nothing or "==="', text);
  const characters = text.slice(0, 13).toUpperCase();
  const fingerprint = fromOctets(new Uint8Array(base32Decode(characters, 'RFC4648')));
  // The library drops the spare bit unseen; a writer would have written another character.
  if (serialise(fingerprint) !== characters)
    throw wrongValue('invalid-fingerprint', 'fingerprint', 'a last character whose spare bit is 0', text);
  return fingerprint;
}

/** A fingerprint and the label that says how it was made. */
export interface LabelledFingerprint {
  /** A registered label, in lower case. */
  readonly label: string;
  /** 0 to 2^64 - 1. */
  readonly fingerprint: bigint;
}

/**
 * The labelled form: label, `:`, fingerprint (SER-7), the label in lower case (LAB-1).
 * @param label - a registered label, in any case
 * @param fingerprint - 0 to 2^64 - 1
 * @returns for example `simhash-doc:GAQM5KRDOWTU4`
 * @throws TypeError `wrong-type`, RangeError `invalid-label`, `out-of-range` or `no-fingerprint`
 * @see spec/simhash-doc.md#SER-7
 */
export function formatLabelled(label: string, fingerprint: bigint): string {
  return `${parseLabel(label)}:${serialise(fingerprint)}`;
}

/**
 * Reads the labelled form (SER-7). A missing label is refused (LAB-2): a bare fingerprint is read by {@link parse}, and
 * whoever reads it names the label (LAB-4).
 * @param text - label, one `:`, fingerprint
 * @returns the label in lower case and the fingerprint
 * @throws TypeError `wrong-type`, RangeError `invalid-label` or `invalid-fingerprint` (the label is looked at first)
 * @see spec/simhash-doc.md#SER-7
 */
export function parseLabelled(text: string): LabelledFingerprint {
  assertString('labelled fingerprint', text);
  const colon = text.indexOf(':');
  if (colon < 0) throw wrongValue('invalid-label', 'labelled fingerprint', 'a label, ":" and a fingerprint', text);
  return { label: parseLabel(text.slice(0, colon)), fingerprint: parse(text.slice(colon + 1)) };
}
