import { blockOf } from '../common/lanes.ts';
import { bitsOf, similarityOfDistance } from '../scheme/compare.ts';
import { type Fingerprint, wordsOf } from '../scheme/labels/fingerprint.ts';
import type { Entry, IndexStats, Match, TooMuchWorkError } from './document-index.ts';

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

/** Makes a counter of the documents of an index: of their losses, and of the documents in each bucket. */
export function createStatsCounter(words: number) {
  const all = new Uint32Array(4 * words * 65536);
  const losses: Record<string, number> = {};
  let documents = 0;
  return {
    add({ fingerprint, losses: known = [] }: Omit<Entry, 'id'>): void {
      for (const loss of known) losses[loss] = (losses[loss] ?? 0) + 1;
      for (const [word, value] of wordsOf('fingerprint', fingerprint).entries()) {
        const high = Number(value >> 32n);
        const low = Number(value & 0xffffffffn);
        for (let block = 0; block < 4; block++) all[65536 * (4 * word + block) + blockOf(high, low, block)]!++;
      }
      documents++;
    },
    result(bytes: IndexStats['bytes']) {
      const sizes = all.sort().subarray(all.lastIndexOf(0) + 1);
      const quantile = (share: number): number => sizes[Math.ceil(share * sizes.length) - 1] ?? 0;
      const buckets: IndexStats['buckets'] = {
        bits: 16,
        count: sizes.length,
        mean: sizes.length === 0 ? 0 : (4 * words * documents) / sizes.length,
        median: quantile(0.5),
        p90: quantile(0.9),
        p99: quantile(0.99),
        largest: quantile(1),
      };
      return { documents, bytes, buckets, losses };
    },
  };
}
