import { assertFingerprint, assertInteger, wrongValue } from '../errors.ts';
import { parseLabelled } from './serialise.ts';

/** Fingerprints at most this far apart match loosely: similarity 0.90 or more (CMP-3). */
export const LOOSE_DISTANCE = 6;
/** Fingerprints at most this far apart match closely: similarity 0.98 or more (CMP-4). */
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

/**
 * Step 10: the Hamming distance of two fingerprints of the same label (CMP-1).
 * @param a - 0 to 2^64 - 1
 * @param b - 0 to 2^64 - 1
 * @returns the number of bits in which they differ, 0 to 64
 * @throws TypeError `wrong-type`, RangeError `out-of-range`, or `no-fingerprint` for `null` (CMP-6)
 * @see spec/simhash-doc.md#CMP-1
 */
export function distance(a: bigint, b: bigint): number {
  assertFingerprint('a', a);
  assertFingerprint('b', b);
  const difference = a ^ b;
  return ones(Number(difference >> 32n)) + ones(Number(difference & 0xffffffffn));
}

/**
 * CMP-2: the similarity that a distance stands for, 1 - d/64 (exact: d/64 is a binary fraction).
 * @param d - a Hamming distance, 0 to 64
 * @returns 0 to 1
 * @throws TypeError `wrong-type`, RangeError `out-of-range`
 */
export function similarityOfDistance(d: number): number {
  assertInteger('distance', d, 0, 64);
  return 1 - d / 64;
}

/**
 * Step 10: the similarity of two fingerprints of the same label, 1 - d/64 (CMP-2).
 * @param a - 0 to 2^64 - 1
 * @param b - 0 to 2^64 - 1
 * @returns 0 to 1, exactly
 * @throws as {@link distance}
 * @see spec/simhash-doc.md#CMP-2
 */
export function similarity(a: bigint, b: bigint): number {
  return similarityOfDistance(distance(a, b));
}

/**
 * CMP-3: whether two fingerprints of the same label match loosely (similarity 0.90 or more, distance 6 or less).
 * @throws as {@link distance}
 * @see spec/simhash-doc.md#CMP-3
 */
export function isLooseMatch(a: bigint, b: bigint): boolean {
  return distance(a, b) <= LOOSE_DISTANCE;
}

/**
 * CMP-4: whether two fingerprints of the same label match closely (similarity 0.98 or more, distance 1 or less).
 * @throws as {@link distance}
 * @see spec/simhash-doc.md#CMP-4
 */
export function isCloseMatch(a: bigint, b: bigint): boolean {
  return distance(a, b) <= CLOSE_DISTANCE;
}

/** How near two fingerprints are: `close` (d ≤ 1), `loose` (d ≤ 6), or `none`. */
export type Verdict = 'close' | 'loose' | 'none';

/** The outcome of {@link compare}. */
export interface Comparison {
  /** The label of both. */
  readonly label: string;
  /** Hamming distance, 0 to 64. */
  readonly distance: number;
  /** 1 - distance/64. */
  readonly similarity: number;
  readonly verdict: Verdict;
}

/**
 * The verdict on a distance (CMP-3, CMP-4).
 * @param d - a Hamming distance, 0 to 64
 * @throws TypeError `wrong-type`, RangeError `out-of-range`
 */
export function verdictOfDistance(d: number): Verdict {
  assertInteger('distance', d, 0, 64);
  return d <= CLOSE_DISTANCE ? 'close' : d <= LOOSE_DISTANCE ? 'loose' : 'none';
}

/**
 * Compares two labelled fingerprints. Those of different labels are not comparable (CMP-5).
 * @param a - for example `simhash-doc:GAQM5KRDOWTU4`
 * @param b - another
 * @throws TypeError `wrong-type`, RangeError `invalid-label`, `invalid-fingerprint` or `label-mismatch`
 * @see spec/simhash-doc.md#step-10
 */
export function compare(a: string, b: string): Comparison {
  const first = parseLabelled(a);
  const second = parseLabelled(b);
  if (first.label !== second.label) throw wrongValue('label-mismatch', 'b', `a fingerprint of ${first.label}`, b);
  const d = distance(first.fingerprint, second.fingerprint);
  return { label: first.label, distance: d, similarity: similarityOfDistance(d), verdict: verdictOfDistance(d) };
}
