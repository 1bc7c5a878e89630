import { assertFingerprint, assertInteger, assertOptions } from '../errors.ts';
import { DEFAULT_DISTANCE } from '../scheme/compare.ts';
import type { Pair } from './find-all.ts';
import { createNumbers } from './growable-array.ts';
import { createFingerprintTable } from './segment/table.ts';
import { MOST_PROBED } from './segment/types.ts';

/** Finds pairs while fingerprints arrive; made by {@link createPairFinder}. */
export interface PairFinder {
  /** How many fingerprints have arrived. */
  readonly length: number;
  /**
   * Takes the next fingerprint.
   * @param fingerprint - 0 to 2^64 - 1
   * @returns its pairs with those before it, by their numbers in the order of arrival from 0: `b` is that of this one. A
   * fingerprint that came before is paired with its first occurrence alone, at distance 0; another one with the first
   * occurrences of all that are near it, nearest first.
   * @throws TypeError `wrong-type`, RangeError `out-of-range` or `no-fingerprint`
   */
  add(fingerprint: bigint): Pair[];
}

/**
 * The incremental form of `findAll`: over all calls of `add` it gives the same pairs. It takes memory for different
 * fingerprints only: some 45 octets for each.
 * @param options - `k`: the largest distance, 0 to 7; default 3 (CMP-7)
 * @throws TypeError `wrong-type`, RangeError `out-of-range`
 * @see spec/simhash-doc.md#step-11
 */
export function createPairFinder(options: { readonly k?: number } = {}): PairFinder {
  assertOptions('options', options);
  const { k = DEFAULT_DISTANCE } = options;
  assertInteger('k', k, 0, MOST_PROBED);
  const table = createFingerprintTable();
  /** For each position of the table the number of the first occurrence. */
  const firsts = createNumbers();
  let length = 0;
  return {
    get length() {
      return length;
    },
    add(fingerprint) {
      assertFingerprint('fingerprint', fingerprint);
      const { count, positions, distances } = table.query(fingerprint, k);
      const pairs: Pair[] = [];
      for (let i = 0; i < count; i++) {
        const pair = { a: firsts.get(positions[i]!), b: length, distance: distances[i]! };
        if (pair.distance === 0) {
          length++;
          return [pair];
        }
        pairs.push(pair);
      }
      table.add(fingerprint);
      firsts.push(length++);
      return pairs.sort((x, y) => x.distance - y.distance || x.a - y.a);
    },
  };
}
