import { blockOf } from '../common/lanes.ts';
import { bitsOf, similarityOfDistance } from '../scheme/compare.ts';
import { type Fingerprint, wordsOf } from '../scheme/labels/fingerprint.ts';
import type { Entry, IndexStats, Match, TooMuchWorkError } from './document-index.ts';
import type { IdTable } from './memory/id-table.ts';
import type { FingerprintTable } from './table/fingerprint-table.ts';

export function isSame(a: Fingerprint, b: Fingerprint): boolean {
  if (!(a instanceof Uint8Array)) return a === b;
  return b instanceof Uint8Array && a.every((byte, i) => byte === b[i]);
}

/** The distance up to which an answer is complete: four words that differ in more than k bits each differ in 4 k + 4. */
export function completeDistance(words: number, k: number, cut = Number.POSITIVE_INFINITY): number {
  return Math.min(64 * words, words * (k + 1) - 1, cut - 1);
}

export function matchOf(id: string, fingerprint: Fingerprint, distance: number): Match {
  return { id, fingerprint, distance, similarity: similarityOfDistance(distance, bitsOf(fingerprint)) };
}

/** Tests whether the first `count` matches within a distance are also the first within every larger one. */
export function areNearest(matches: readonly Match[], count: number, words: number, k: number): boolean {
  return matches.length >= count && matches[count - 1]!.distance <= completeDistance(words, k);
}

export function tooMuchWork(work: number, maxWork: number): TooMuchWorkError {
  const error = new RangeError(
    `the query compares ${work} fingerprints, more than maxWork = ${maxWork}: ask for a smaller k, or raise maxWork`,
  );
  return Object.assign(error, { code: 'too-much-work' as const, work });
}

export function statsOf(table: FingerprintTable, ids: IdTable): IndexStats {
  function* fingerprints(): Generator<Fingerprint> {
    for (let position = 0; position < table.length; position++) if (table.has(position)) yield table.get(position);
  }
  return {
    documents: table.size,
    bytes: { fingerprints: table.bytes, ids: ids.bytes },
    buckets: bucketStats(fingerprints(), table.words),
  };
}

export async function collect(entries: AsyncIterable<Entry>) {
  const fingerprints: Fingerprint[] = [];
  const losses: Record<string, number> = {};
  let idBytes = 0;
  for await (const { id, fingerprint, losses: known = [] } of entries) {
    fingerprints.push(fingerprint);
    for (const loss of known) losses[loss] = (losses[loss] ?? 0) + 1;
    idBytes += Buffer.byteLength(id);
  }
  return { fingerprints, losses, idBytes };
}

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
