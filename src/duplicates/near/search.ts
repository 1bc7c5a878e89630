import { countProcessors } from '../../common/processors.ts';
import { findAll } from '../../lookup/find-all.ts';
import { type Components, createLinker } from '../../lookup/find-clusters.ts';
import type { Pair } from '../../lookup/index.ts';
import { findPairs } from '../../lookup/pairs/find.ts';
import type { FindNear } from './candidates.ts';
import type { FingerprintColumn } from './column.ts';
import { createNarrowNear } from './narrow.ts';
import { createWideNear, type WideSearch, wideComponents } from './wide.ts';

/** The number of fingerprints from which on worker threads find the pairs sooner than this thread. */
const MIN_FOR_WORKERS = 1_000_000;

function useWorkers(fingerprints: BigUint64Array, min: number): boolean {
  return fingerprints.length >= min && countProcessors() > 1;
}

/** Finds all pairs within `k`, in worker threads if there are `min` fingerprints or more. */
export async function* searchPairs(
  fingerprints: BigUint64Array,
  k: number,
  min = MIN_FOR_WORKERS,
): AsyncGenerator<Pair, void> {
  if (!useWorkers(fingerprints, min)) return yield* findAll(fingerprints, { k });
  const { findAllInWorkers } = await import('../../lookup/parallel.ts');
  yield* findAllInWorkers(fingerprints, { k });
}

export interface ComponentSearch extends WideSearch {
  /** The number of fingerprints of 64 bits from which on worker threads are used. */
  readonly min?: number | undefined;
  /** The maximum number of worker threads: each takes 21 to 41 bytes for each fingerprint. */
  readonly max?: number | undefined;
}

/** Finds the connected components of the pairs within `k`; all of them for 64 bits, see {@link wideComponents} for 256. */
export async function searchComponents(
  { words, values }: FingerprintColumn,
  { k, isExact, min = MIN_FOR_WORKERS, max = Number.POSITIVE_INFINITY }: ComponentSearch,
): Promise<Components> {
  if (words === 4) return wideComponents(values, { k, isExact });
  const linker = createLinker(values.length);
  if (max === 1 || !useWorkers(values, min)) for (const batch of findPairs(values, k)) linker.link(batch);
  else {
    const { findPairsInWorkers, MAX_WORKERS } = await import('../../lookup/workers/find.ts');
    const workers = Math.min(max, MAX_WORKERS, countProcessors());
    for await (const batch of findPairsInWorkers(values, k, workers)) linker.link(batch);
  }
  return linker.components();
}

/** Prepares the search for near documents among those of a column, by their positions in it. */
export function createFindNear({ words, values }: FingerprintColumn, search: WideSearch): FindNear {
  return words === 1 ? createNarrowNear(values, search.k) : createWideNear(values, search);
}
