import { assertFingerprint, assertInteger, assertIterable, assertOptions } from '../errors.ts';
import { DEFAULT_DISTANCE } from '../scheme/compare.ts';
import { kernelPairs } from './pairs/kernel-pairs.ts';
import { eachPair, type Pair, type PairBatches } from './pairs/pair-batches.ts';
import { plainPairs } from './pairs/plain-pairs.ts';
import { MAX_PROBED_DISTANCE } from './table/table-segment.ts';

/** Options of {@link findAll}. */
export interface FindAllOptions {
  /** The largest distance, 0 to 7. Default 3 (CMP-7). */
  readonly k?: number;
}

/**
 * Finds all pairs of fingerprints at distance k or less, complete for every k in its range (LKP-6, LKP-5), each pair once, in
 * an order that is the same each time in one engine. Pairs are returned as they are found: memory does not grow with their number.
 *
 * Equal fingerprints are grouped first. Each copy is paired only with the first occurrence, at distance 0, and only first
 * occurrences are paired with others, so a million copies of one page give a million pairs instead of 5 · 10^11. If no two
 * are equal, these are all the pairs there are.
 * @param fingerprints - 64-bit numbers of one label
 * @param options - see {@link FindAllOptions}
 * @throws TypeError `wrong-type`, RangeError `out-of-range`, `no-fingerprint`
 * @see spec/lookup.md#step-11
 * @example
 * for (const { a, b, distance } of findAll([0n, 7n, 15n], { k: 3 })) console.log(a, b, distance); // 0 1 3, then 1 2 1
 */
export function findAll(
  fingerprints: BigUint64Array | Iterable<bigint | null>,
  options: FindAllOptions = {},
): Generator<Pair, void> {
  const list = toArray(fingerprints);
  return eachPair(findPairs(list, readDistance(options)));
}

export function toArray(fingerprints: BigUint64Array | Iterable<bigint | null>): BigUint64Array {
  if (fingerprints instanceof BigUint64Array) return fingerprints;
  assertIterable('fingerprints', fingerprints, 'a BigUint64Array or an iterable of bigints');
  const list: bigint[] = [];
  for (const fingerprint of fingerprints) {
    assertFingerprint(`fingerprints[${list.length}]`, fingerprint);
    list.push(fingerprint);
  }
  return BigUint64Array.from(list);
}

export function readDistance(options: FindAllOptions): number {
  assertOptions('options', options);
  const { k = DEFAULT_DISTANCE } = options;
  assertInteger('k', k, 0, MAX_PROBED_DISTANCE);
  return k;
}

export function findPairs(fingerprints: BigUint64Array, k: number): PairBatches {
  return kernelPairs(fingerprints, k) ?? plainPairs(fingerprints, k);
}
