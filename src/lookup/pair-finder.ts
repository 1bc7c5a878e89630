import { assertFingerprint, assertInteger, assertOptions } from '../errors.ts';
import { DEFAULT_DISTANCE } from '../scheme/compare.ts';
import { assertWork, MAX_WORK } from './index/work.ts';
import { createUint32List } from './number-list.ts';
import { assertCount } from './options.ts';
import type { Pair } from './pairs/batches.ts';
import { createFingerprintTable } from './segment/table.ts';
import { MAX_PROBED_DISTANCE } from './segment/types.ts';
import type { WorkOption } from './types.ts';

/** Options of {@link createPairFinder}. */
export interface PairFinderOptions extends WorkOption {
  /** The largest distance, 0 to 7. Default 3 (CMP-7). */
  readonly k?: number;
}

/** Finds pairs while fingerprints arrive; made by {@link createPairFinder}. */
export interface PairFinder {
  /** The number of fingerprints that have arrived. */
  readonly length: number;
  /**
   * Takes the next fingerprint.
   * @param fingerprint - 0 to 2^64 - 1
   * @returns its pairs with earlier ones, by their numbers in the order of arrival from 0: `b` is that of this one. A
   * fingerprint that came before is paired only with its first occurrence, at distance 0; a new one with the first
   * occurrences of all that are within k, nearest first.
   * @throws TypeError `wrong-type`; RangeError `out-of-range`, `no-fingerprint` or `too-much-work`. Then it has not arrived.
   */
  add(fingerprint: bigint): Pair[];
}

/**
 * The incremental form of `findAll`: all calls of `add` together give the same pairs. Only distinct fingerprints take memory:
 * some 45 bytes for each.
 * @param options - see {@link PairFinderOptions}
 * @throws TypeError `wrong-type`, RangeError `out-of-range`
 * @see spec/lookup.md#step-11
 */
export function createPairFinder(options: PairFinderOptions = {}): PairFinder {
  assertOptions('options', options);
  const { k = DEFAULT_DISTANCE, maxWork = MAX_WORK } = options;
  assertInteger('k', k, 0, MAX_PROBED_DISTANCE);
  assertCount('maxWork', maxWork);
  const table = createFingerprintTable();
  /** For each position of the table the number of the first occurrence. */
  const firsts = createUint32List();
  let length = 0;
  return {
    get length() {
      return length;
    },
    add(fingerprint) {
      assertFingerprint('fingerprint', fingerprint);
      assertWork(table, fingerprint, k, maxWork);
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
