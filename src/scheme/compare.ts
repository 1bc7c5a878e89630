import { assertFingerprint, assertInteger, wrongType, wrongValue } from '../errors.ts';
import { assertWide, type Fingerprint, wordsOf } from './labels/fingerprint.ts';
import type { Label } from './labels/label.ts';
import { parseLabelled } from './serialise.ts';

/** The maximum distance of a loose match: similarity 0.90 or more (CMP-6). */
export const LOOSE_DISTANCE = 6;
/** The maximum distance of a close match: similarity 0.98 or more (CMP-5). */
export const CLOSE_DISTANCE = 1;
/** The distance k that a filter uses by default (CMP-7). */
export const DEFAULT_DISTANCE = 3;

/** Counts the ones of 32 bits (Hamming weight by partial sums). */
export function ones(bits: number): number {
  bits -= (bits >>> 1) & 0x55555555;
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  bits = (bits + (bits >>> 4)) & 0x0f0f0f0f;
  return Math.imul(bits, 0x01010101) >>> 24;
}

/** The minimum similarity of a loose match (CMP-6) and of a close one (CMP-5), whatever the width of the fingerprints. */
const LOOSE_SIMILARITY = 0.9;
const CLOSE_SIMILARITY = 0.98;

/**
 * Computes the Hamming distance of two fingerprints of the same label (step 10; CMP-3, MIN-10).
 * @param a - 0 to 2^64 - 1, or 32 bytes
 * @param b - another of the same kind
 * @returns the number of bits in which they differ, 0 to 64 or 0 to 256
 * @throws TypeError `wrong-type`, RangeError `out-of-range`, `no-fingerprint` for `null` (CMP-1), or `label-mismatch` for
 * fingerprints of different widths
 * @see spec/lookup.md#CMP-3
 * @example
 * distance(0b1011n, 0b1n); // 2
 */
export function distance(a: Fingerprint | null, b: Fingerprint | null): number {
  if (a instanceof Uint8Array) return wideDistance(a, b);
  assertFingerprint('a', a);
  if (b instanceof Uint8Array) throw differentWidths(b);
  assertFingerprint('b', b);
  const difference = a ^ b;
  return ones(Number(difference >> 32n)) + ones(Number(difference & 0xffffffffn));
}

/** Returns the error for fingerprints of 64 and of 256 bits. Throws if the second one is not a fingerprint. */
function differentWidths(b: Fingerprint | null): Error {
  wordsOf('b', b);
  return wrongValue('label-mismatch', 'b', 'a fingerprint of as many bits as a', b);
}

function wideDistance(a: Uint8Array, b: Fingerprint | null): number {
  assertWide('a', a);
  if (typeof b === 'bigint') throw differentWidths(b);
  assertWide('b', b);
  let bits = 0;
  for (let i = 0; i < a.length; i++) bits += ones(a[i]! ^ b[i]!);
  return bits;
}

/**
 * Converts a distance to a similarity, 1 - d/64 or 1 - d/256, which is exact: a binary fraction (CMP-4).
 * @param d - a Hamming distance, 0 to `bits`
 * @param bits - the number of bits in a fingerprint: 64 (default) or 256
 * @returns 0 to 1
 * @throws TypeError `wrong-type`, RangeError `out-of-range`
 * @example
 * similarityOfDistance(64, 256); // 0.75
 */
export function similarityOfDistance(d: number, bits: 64 | 256 = 64): number {
  if (bits !== 64 && bits !== 256) throw wrongValue('out-of-range', 'bits', '64 or 256', bits);
  assertInteger('distance', d, 0, bits);
  return 1 - d / bits;
}

/** The number of bits in a fingerprint. */
export function bitsOf(fingerprint: Fingerprint): 64 | 256 {
  return fingerprint instanceof Uint8Array ? 256 : 64;
}

/**
 * Computes the similarity of two fingerprints of the same label, 1 - d/64 or 1 - d/256 (step 10; CMP-4, MIN-10).
 * @param a - 0 to 2^64 - 1, or 32 bytes
 * @param b - another of the same kind
 * @returns 0 to 1, exactly
 * @throws as {@link distance}
 * @see spec/lookup.md#CMP-4
 * @example
 * similarity(0b1011n, 0b1n); // 0.96875
 */
export function similarity(a: Fingerprint, b: Fingerprint): number {
  return similarityOfDistance(distance(a, b), bitsOf(a));
}

/**
 * Tests whether two fingerprints of the same label match loosely: similarity 0.90 or more, distance 6 of 64 or 25 of 256 (CMP-6).
 * @throws as {@link distance}
 * @see spec/lookup.md#CMP-6
 * @example
 * isLooseMatch(0b111111n, 0n); // true
 */
export function isLooseMatch(a: Fingerprint, b: Fingerprint): boolean {
  return similarity(a, b) >= LOOSE_SIMILARITY;
}

/**
 * Tests whether two fingerprints of the same label match closely: similarity 0.98 or more, distance 1 of 64 or 5 of 256 (CMP-5).
 * @throws as {@link distance}
 * @see spec/lookup.md#CMP-5
 * @example
 * isCloseMatch(0b11n, 0n); // false
 */
export function isCloseMatch(a: Fingerprint, b: Fingerprint): boolean {
  return similarity(a, b) >= CLOSE_SIMILARITY;
}

/** The nearness of two fingerprints: `close` (similarity 0.98 or more), `loose` (0.90 or more), or `none`. */
export type Verdict = 'close' | 'loose' | 'none';

/** The nearness of two fingerprints in numbers and as a verdict. */
export interface Nearness {
  /** Hamming distance, 0 to 64 or 0 to 256. */
  readonly distance: number;
  /** 1 - distance/64, or 1 - distance/256. */
  readonly similarity: number;
  readonly verdict: Verdict;
}

/** The outcome of {@link compare} for labelled fingerprints. */
export interface Comparison extends Nearness {
  /** The label of both. */
  readonly label: Label;
}

/**
 * Returns the verdict on a distance (CMP-6, CMP-5, MIN-10).
 * @param d - a Hamming distance, 0 to `bits`
 * @param bits - the number of bits in a fingerprint: 64 (default) or 256
 * @throws TypeError `wrong-type`, RangeError `out-of-range`
 * @example
 * verdictOfDistance(3); // 'loose'
 */
export function verdictOfDistance(d: number, bits: 64 | 256 = 64): Verdict {
  const value = similarityOfDistance(d, bits);
  return value >= CLOSE_SIMILARITY ? 'close' : value >= LOOSE_SIMILARITY ? 'loose' : 'none';
}

/**
 * Compares two fingerprints: counts the bits that differ, and returns the similarity and a verdict. Labelled fingerprints,
 * which are strings, must have the same label (CMP-2). For results of `fingerprint`, which carry no label, the caller must
 * make sure of that.
 * @param a - labelled, such as `simhash-doc:GAQM5KRDOWTU4`, or a result of `fingerprint`
 * @param b - another of the same kind
 * @returns the comparison, with the label if it is known
 * @throws TypeError `wrong-type`, RangeError `invalid-label`, `invalid-fingerprint`, `label-mismatch` (also for
 * different widths), `out-of-range`, or `no-fingerprint` for `null`
 * @see spec/lookup.md#step-10
 * @example
 * import { compare, fingerprint } from 'simhash-doc';
 *
 * const label = 'minhash-doc-256';
 * const [a, b] = ['one page of words', 'one page of some words'].map((text) => fingerprint(text, { label }));
 * console.log(compare(a, b).verdict); // → none
 */
export function compare(a: string, b: string): Comparison;
export function compare(a: Fingerprint | null, b: Fingerprint | null): Nearness;
export function compare(a: string | Fingerprint | null, b: string | Fingerprint | null): Comparison | Nearness {
  if (typeof a !== 'string') return nearnessOf(a as Fingerprint, b as Fingerprint);
  if (typeof b !== 'string') throw wrongType('b', 'a labelled fingerprint, like a', b);
  const first = parseLabelled(a);
  const second = parseLabelled(b);
  if (first.label !== second.label) throw wrongValue('label-mismatch', 'b', `a fingerprint of ${first.label}`, b);
  return { label: first.label, ...nearnessOf(first.fingerprint, second.fingerprint) };
}

function nearnessOf(a: Fingerprint, b: Fingerprint): Nearness {
  const d = distance(a, b);
  const bits = bitsOf(a);
  return { distance: d, similarity: similarityOfDistance(d, bits), verdict: verdictOfDistance(d, bits) };
}
