/** Hits of a query, filled anew by each; only the first `count` entries count. */
export interface Hits {
  count: number;
  /** Where each hit stands in what was searched. */
  positions: Uint32Array;
  /** Its Hamming distance to the query. */
  distances: Uint8Array;
}

/** Makes empty {@link Hits}. */
export function createHits(): Hits {
  return { count: 0, positions: new Uint32Array(64), distances: new Uint8Array(64) };
}

/** Adds a hit. */
export function addHit(hits: Hits, position: number, distance: number): void {
  if (hits.count === hits.positions.length) {
    const positions = new Uint32Array(2 * hits.count);
    positions.set(hits.positions);
    hits.positions = positions;
    const distances = new Uint8Array(2 * hits.count);
    distances.set(hits.distances);
    hits.distances = distances;
  }
  hits.positions[hits.count] = position;
  hits.distances[hits.count++] = distance;
}

/** The largest distance that a segment finds by its tables; beyond it scans. */
export const MOST_PROBED = 7;

/**
 * A set of fingerprints that does not change, with exact search.
 *
 * It has four tables, one for each 16-bit block, instead of the 16 of TAB-2: a bucket of a block is short enough to be
 * gone through whole, 32 bits at a time, so that the second level is not needed to find the same entries.
 */
export interface Segment {
  readonly size: number;
  /** Octets of memory that it takes. */
  readonly octets: number;
  /** The fingerprint at a position. */
  get(position: number): bigint;
  /** Copies all fingerprints into `target` from `at` on. */
  copy(target: BigUint64Array, at: number): void;
  /**
   * Adds all entries at distance `k` or less to `hits`, each once, in any order.
   * @param k - 0 to 64; up to {@link MOST_PROBED} by tables, beyond by a scan
   * @param base - is added to each position
   */
  query(fingerprint: bigint, k: number, hits: Hits, base: number): void;
}

/**
 * Pairs in parts. Of `numbers`, which are used again, the first 3·count are a, b, distance, a, b, distance … with a < b.
 *
 * Of equal fingerprints the first alone is paired with others. The rest are copies: each is paired with the first, at
 * distance 0, and belongs to table 0.
 */
export type PairBatches = Iterable<PairBatch>;

/** One part of {@link PairBatches}. */
export interface PairBatch {
  readonly numbers: Uint32Array;
  readonly count: number;
}
