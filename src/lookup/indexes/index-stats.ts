import { type Fingerprint, wordsOf } from '../../scheme/labels/fingerprint.ts';
import { blockOf } from '../../scheme/labels/lanes.ts';
import type { IndexStats } from '../document-index.ts';
import type { FingerprintTable } from '../segment/table.ts';
import type { IdTable } from './ids.ts';

export function statsOf(table: FingerprintTable<Fingerprint>, ids: IdTable): IndexStats {
  function* fingerprints(): Generator<Fingerprint> {
    for (let position = 0; position < table.length; position++) if (table.has(position)) yield table.get(position);
  }
  return {
    documents: table.size,
    bytes: { fingerprints: table.bytes, ids: ids.bytes },
    buckets: bucketStats(fingerprints(), table.words),
  };
}

/** Returns the distribution of fingerprints over the buckets of the four blocks of each word. */
export function bucketStats(fingerprints: Iterable<Fingerprint>, words: number): IndexStats['buckets'] {
  const all = new Uint32Array(4 * words * 65536);
  let documents = 0;
  for (const fingerprint of fingerprints) {
    for (const [word, value] of wordsOf('fingerprint', fingerprint).entries()) {
      const high = Number(value >> 32n);
      const low = Number(value & 0xffffffffn);
      for (let block = 0; block < 4; block++) all[65536 * (4 * word + block) + blockOf(high, low, block)]!++;
    }
    documents++;
  }
  const sizes = all.sort().subarray(all.lastIndexOf(0) + 1);
  const quantile = (share: number): number => sizes[Math.ceil(share * sizes.length) - 1] ?? 0;
  return {
    bits: 16,
    count: sizes.length,
    mean: sizes.length === 0 ? 0 : (4 * words * documents) / sizes.length,
    median: quantile(0.5),
    p90: quantile(0.9),
    p99: quantile(0.99),
    largest: quantile(1),
  };
}
