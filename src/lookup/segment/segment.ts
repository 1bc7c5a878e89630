import type { Hits } from './hits.ts';

/** The largest distance for which tables are used; beyond it everything is compared. */
export const MAX_PROBED_DISTANCE = 7;

/**
 * A set of fingerprints that does not change, with exact search.
 *
 * It has four tables, one for each 16-bit block, instead of the 16 of TAB-2: a bucket of a block is short enough to be
 * compared whole, 32 bits at a time, so the second level is not needed to find the same entries.
 */
export interface Segment {
  readonly size: number;
  /** Memory use in bytes. */
  readonly bytes: number;
  get(position: number): bigint;
  /** Copies all fingerprints into `target`, from `at` on. */
  copy(target: BigUint64Array, at: number): void;
  /**
   * Adds all entries at distance `k` (0 to 64) or less to `hits`, each once, in any order; `base` is added to
   * positions.
   */
  query(fingerprint: bigint, k: number, hits: Hits, base: number): void;
  /** Returns the number of entries that such a query compares. */
  work(fingerprint: bigint, k: number): number;
}
