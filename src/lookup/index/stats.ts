import { blockOf } from '../lanes.ts';
import type { FingerprintTable } from '../segment/table.ts';
import type { IndexStats } from '../types.ts';
import type { IdTable } from './ids.ts';

/** Facts about an index in memory. */
export function statsOf(table: FingerprintTable, ids: IdTable): IndexStats {
  const sizes = bucketSizes(table);
  const quantile = (share: number): number => sizes[Math.ceil(share * sizes.length) - 1] ?? 0;
  return {
    documents: table.size,
    octets: { fingerprints: table.octets, ids: ids.octets },
    buckets: {
      bits: 16,
      count: sizes.length,
      mean: sizes.length === 0 ? 0 : (4 * table.size) / sizes.length,
      median: quantile(0.5),
      p90: quantile(0.9),
      p99: quantile(0.99),
      largest: quantile(1),
    },
  };
}

/** How many documents are in each bucket of the four blocks that is not empty, ascending. */
function bucketSizes(table: FingerprintTable): Uint32Array {
  const sizes = new Uint32Array(4 * 65536);
  for (let position = 0; position < table.length; position++) {
    if (!table.has(position)) continue;
    const fingerprint = table.get(position);
    const high = Number(fingerprint >> 32n);
    const low = Number(fingerprint & 0xffffffffn);
    for (let block = 0; block < 4; block++) sizes[65536 * block + blockOf(high, low, block)]!++;
  }
  return sizes.sort().subarray(sizes.lastIndexOf(0) + 1);
}
