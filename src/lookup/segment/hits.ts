/** The results of a query. Each query overwrites it; only the first `count` entries are valid. */
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
    const positions = new Uint32Array(2 * hits.count);
    positions.set(hits.positions);
    hits.positions = positions;
    const distances = new Uint16Array(2 * hits.count);
    distances.set(hits.distances);
    hits.distances = distances;
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
