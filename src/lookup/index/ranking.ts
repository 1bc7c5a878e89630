import { bitsOf, similarityOfDistance } from '../../scheme/compare.ts';
import type { Fingerprint } from '../../scheme/labels/fingerprint.ts';
import type { Hits } from '../segment/hits.ts';
import type { FingerprintTable } from '../segment/table.ts';
import type { Match, QueryResult } from '../types.ts';
import { completeDistance } from '../widths.ts';
import type { IdTable } from './ids.ts';

/** Makes the result of a query in memory: the nearest `limit` hits by distance, then by id (LKP-3). */
export function rankHits(
  table: FingerprintTable<Fingerprint>,
  ids: IdTable,
  hits: Hits,
  k: number,
  limit = Number.POSITIVE_INFINITY,
): Pick<QueryResult, 'completeTo' | 'matches'> {
  const whole = completeDistance(table.words, k);
  // Most queries find nothing or one document.
  if (hits.count <= 1) return { completeTo: whole, matches: hits.count === 0 ? [] : [matchAt(table, ids, hits, 0)] };
  const { order, cut = Number.POSITIVE_INFINITY } = sortHits(ids, hits, limit);
  return { completeTo: Math.min(whole, cut - 1), matches: order.map((i) => matchAt(table, ids, hits, i)) };
}

function matchAt(table: FingerprintTable<Fingerprint>, ids: IdTable, { positions, distances }: Hits, i: number): Match {
  const position = positions[i]!;
  const fingerprint = table.get(position);
  const distance = distances[i]!;
  return {
    id: ids.read(position),
    fingerprint,
    distance,
    similarity: similarityOfDistance(distance, bitsOf(fingerprint)),
  };
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
