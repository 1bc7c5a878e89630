import { assertInteger, assertOptions } from '../../../errors.ts';
import { DEFAULT_DISTANCE } from '../../../scheme/compare.ts';
import type { Fingerprint } from '../../../scheme/labels/fingerprint.ts';
import type { Awaitable, NearestOptions, QueryOptions, QueryResult } from '../../document-index.ts';
import { assertCount } from '../../options.ts';
import { MAX_PROBED_DISTANCE } from '../../segment/segment.ts';
import { areNearest } from '../../widths.ts';
import { MAX_WORK } from '../max-work.ts';

export interface StoreSearch {
  query(fingerprint: Fingerprint, options: QueryOptions): Awaitable<QueryResult>;
  nearest(fingerprint: Fingerprint, options: NearestOptions): Awaitable<QueryResult>;
}

/** Finds the nearest `limit` documents at distance `k` or less; throws `too-much-work` rather than compare more than `maxWork`. */
export type NearestSearch = (
  fingerprint: Fingerprint,
  k: number,
  limit: number | undefined,
  maxWork: number,
) => Awaitable<QueryResult>;

/** Makes a {@link StoreSearch} that checks its options. */
export function createSearch(words: number, search: NearestSearch): StoreSearch {
  return {
    query(fingerprint, options) {
      assertOptions('options', options);
      const { k = DEFAULT_DISTANCE, limit, maxWork = MAX_WORK } = options;
      assertInteger('k', k, 0, 64);
      if (limit !== undefined) assertCount('limit', limit);
      assertCount('maxWork', maxWork);
      return search(fingerprint, k, limit, maxWork);
    },
    async nearest(fingerprint, options) {
      assertOptions('options', options);
      const { count = 10, k = MAX_PROBED_DISTANCE, maxWork = MAX_WORK } = options;
      assertCount('count', count);
      assertInteger('k', k, 0, 64);
      assertCount('maxWork', maxWork);
      for (const near of [DEFAULT_DISTANCE, MAX_PROBED_DISTANCE])
        if (near < k) {
          const result = await search(fingerprint, near, count, maxWork);
          if (areNearest(result.matches, count, words, near)) return result;
        }
      return search(fingerprint, k, count, maxWork);
    },
  };
}
