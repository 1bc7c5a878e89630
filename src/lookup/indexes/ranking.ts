import type { Fingerprint } from '../../scheme/labels/fingerprint.ts';
import type { Match, QueryResult } from '../document-index.ts';
import type { Hits } from '../segment/hits.ts';
import type { FingerprintTable } from '../segment/table.ts';
import { completeDistance, matchOf } from '../widths.ts';
import type { IdTable } from './ids.ts';

/** Makes the result of a query in memory: the nearest `limit` hits by distance, then by id (LKP-3). */
export function rankHits(
  table: FingerprintTable<Fingerprint>,
  ids: IdTable,
  hits: Hits,
  k: number,
  limit = Number.POSITIVE_INFINITY,
): Pick<QueryResult, 'completeTo' | 'matches'> {
  const matchAt = (i: number): Match => {
    const position = hits.positions[i]!;
    return matchOf(ids.read(position), table.get(position), hits.distances[i]!);
  };
  // Most queries find nothing or one document.
  if (hits.count <= 1)
    return { completeTo: completeDistance(table.words, k), matches: hits.count === 0 ? [] : [matchAt(0)] };
  const { order, cut } = sortHits(ids, hits, limit);
  return { completeTo: completeDistance(table.words, k, cut), matches: order.map(matchAt) };
}

/** Returns the nearest `limit` hits in their order, and the distance of the nearest that was cut off. */
function sortHits(
  ids: IdTable,
  { count, positions, distances }: Hits,
  limit: number,
): { order: number[]; cut: number | undefined } {
  const compare = (a: number, b: number): number =>
    distances[a]! - distances[b]! || ids.compare(positions[a]!, positions[b]!);
  // With a limit, only a few of many hits are kept at a time.
  const maxKept = Math.max(1024, 2 * limit);
  let order: number[] = [];
  let cut: number | undefined;
  const keepNearest = (): void => {
    order.sort(compare);
    if (order.length <= limit) return;
    cut = distances[order[limit]!]!;
    order = order.slice(0, limit);
  };
  for (let i = 0; i < count; i++) {
    // Hits beyond an earlier cut cannot be among the nearest.
    if (cut !== undefined && distances[i]! > cut) continue;
    order.push(i);
    if (order.length >= maxKept) keepNearest();
  }
  keepNearest();
  return { order, cut };
}
