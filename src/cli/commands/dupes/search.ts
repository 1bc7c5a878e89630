import { countProcessors } from '../../../common/processors.ts';
import { findAll } from '../../../lookup/find-all.ts';
import { type Components, createLinker } from '../../../lookup/find-clusters.ts';
import type { Pair } from '../../../lookup/index.ts';
import { findPairs } from '../../../lookup/pairs/find.ts';

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

/**
 * As {@link searchPairs}, for the connected components of the pairs.
 * @param most - how many worker threads at most: each takes 21 to 41 octets for each fingerprint
 */
export async function searchComponents(
  fingerprints: BigUint64Array,
  k: number,
  least = MIN_FOR_WORKERS,
  most = Number.POSITIVE_INFINITY,
): Promise<Components> {
  const linker = createLinker(fingerprints.length);
  const search = { k, blocks: undefined };
  if (most === 1 || !useWorkers(fingerprints, least))
    for (const batch of findPairs(fingerprints, search)) linker.link(batch);
  else {
    const { findPairsInWorkers, MAX_WORKERS } = await import('../../../lookup/workers/find.ts');
    const workers = Math.min(most, MAX_WORKERS, countProcessors());
    for await (const batch of findPairsInWorkers(fingerprints, search, workers)) linker.link(batch);
  }
  return linker.components();
}
