import { countProcessors } from '../../../common/processors.ts';
import { findAll } from '../../../lookup/find-all.ts';
import { type Cluster, findClusters } from '../../../lookup/find-clusters.ts';
import type { Pair } from '../../../lookup/index.ts';

/**
 * From so many fingerprints on, worker threads find the pairs sooner than this thread, in spite of the time that they take to
 * start.
 */
export const MIN_FOR_WORKERS = 1_000_000;

function useWorkers(fingerprints: BigUint64Array, least: number): boolean {
  return fingerprints.length >= least && countProcessors() > 1;
}

/**
 * Finds all pairs, in worker threads if that takes less time.
 * @param fingerprints - 64-bit numbers of one label
 * @param k - the largest distance of a pair
 * @param least - how many fingerprints are worth worker threads
 */
export async function* searchPairs(
  fingerprints: BigUint64Array,
  k: number,
  least = MIN_FOR_WORKERS,
): AsyncGenerator<Pair, void> {
  if (!useWorkers(fingerprints, least)) return yield* findAll(fingerprints, { k });
  const { findAllInWorkers } = await import('../../../lookup/parallel.ts');
  yield* findAllInWorkers(fingerprints, { k });
}

/** As {@link searchPairs}, for the connected components of the pairs. */
export async function searchClusters(
  fingerprints: BigUint64Array,
  k: number,
  least = MIN_FOR_WORKERS,
): Promise<Cluster[]> {
  if (!useWorkers(fingerprints, least)) return findClusters(fingerprints, { k });
  const { findClustersInWorkers } = await import('../../../lookup/parallel.ts');
  return findClustersInWorkers(fingerprints, { k });
}
