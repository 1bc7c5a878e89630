import { enlarge } from '../../common/bytes.ts';
/** The largest distance for which tables are used; beyond it everything is compared. */
export const MAX_PROBED_DISTANCE = 7;

/** A set of fingerprints that does not change, with exact search by four tables (README.md). */
export interface TableSegment {
  readonly size: number;
  readonly bytes: number;
  get(position: number): bigint;
  copy(target: BigUint64Array, at: number): void;
  /** Adds the entries at distance `k` (0 to 64) or less to `hits`, each once, in any order, their positions from `base` on. */
  query(fingerprint: bigint, k: number, hits: Hits, base: number): void;
  work(fingerprint: bigint, k: number): number;
}

export interface Hits {
  count: number;
  /** The position of each hit among the searched fingerprints. */
  positions: Uint32Array;
  /** The Hamming distance of each hit to the query: 0 to 64, or 0 to 256. */
  distances: Uint16Array;
}

export function createHits(): Hits {
  return { count: 0, positions: new Uint32Array(64), distances: new Uint16Array(64) };
}

export function addHit(hits: Hits, position: number, distance: number): void {
  if (hits.count === hits.positions.length) {
    hits.positions = enlarge(hits.positions, 2 * hits.count);
    hits.distances = enlarge(hits.distances, 2 * hits.count);
  }
  hits.positions[hits.count] = position;
  hits.distances[hits.count++] = distance;
}

export function filterHits(hits: Hits, isWanted: (position: number) => boolean): void {
  let kept = 0;
  for (let i = 0; i < hits.count; i++) {
    if (!isWanted(hits.positions[i]!)) continue;
    hits.positions[kept] = hits.positions[i]!;
    hits.distances[kept++] = hits.distances[i]!;
  }
  hits.count = kept;
}
