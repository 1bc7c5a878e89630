import { countProcessors } from '../common/processors.ts';
import { findAll } from '../lookup/find-all.ts';
import { type Components, createLinker } from '../lookup/find-clusters.ts';
import type { Pair } from '../lookup/index.ts';
import type { PairBatch } from '../lookup/pairs/batches.ts';
import { findPairs } from '../lookup/pairs/find.ts';

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
  const { findAllInWorkers } = await import('../lookup/parallel.ts');
  yield* findAllInWorkers(fingerprints, { k });
}

/** How {@link searchComponents} searches. */
export interface ComponentSearch {
  /** The largest distance of a pair. */
  readonly k: number;
  /** How many fingerprints are worth worker threads. */
  readonly least?: number | undefined;
  /** How many worker threads at most: each takes 21 to 41 octets for each fingerprint. */
  readonly most?: number | undefined;
  /** Which pairs of different fingerprints link them. Of equal ones, only the first is asked about. Default: all. */
  readonly isLink?: (a: number, b: number) => boolean;
}

/** As {@link searchPairs}, for the connected components of the pairs. */
export async function searchComponents(
  fingerprints: BigUint64Array,
  { k, least = MIN_FOR_WORKERS, most = Number.POSITIVE_INFINITY, isLink }: ComponentSearch,
): Promise<Components> {
  const linker = createLinker(fingerprints.length);
  const link = (batch: PairBatch): void => linker.link(isLink === undefined ? batch : filter(batch, isLink));
  const search = { k, blocks: undefined };
  if (most === 1 || !useWorkers(fingerprints, least)) for (const batch of findPairs(fingerprints, search)) link(batch);
  else {
    const { findPairsInWorkers, MAX_WORKERS } = await import('../lookup/workers/find.ts');
    const workers = Math.min(most, MAX_WORKERS, countProcessors());
    for await (const batch of findPairsInWorkers(fingerprints, search, workers)) link(batch);
  }
  return linker.components();
}

/** Moves the pairs that are links to the front of a batch. */
function filter({ numbers, count }: PairBatch, isLink: (a: number, b: number) => boolean): PairBatch {
  let kept = 0;
  for (let i = 0; i < 3 * count; i += 3)
    if (numbers[i + 2] === 0 || isLink(numbers[i]!, numbers[i + 1]!)) {
      numbers.copyWithin(3 * kept, i, i + 3);
      kept++;
    }
  return { numbers, count: kept };
}
