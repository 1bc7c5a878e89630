import type { PairBatch } from '../pairs/batches.ts';
import { startWorkers } from './start.ts';

/** There are four tables, one for each block: more workers would have nothing to do. */
export const MAX_WORKERS = 4;

/** Yields the pairs of `findPairs`, in its order, from 1 to {@link MAX_WORKERS} workers. */
export async function* findPairsInWorkers(
  fingerprints: BigUint64Array,
  k: number,
  count: number,
): AsyncGenerator<PairBatch, void> {
  const crew = startWorkers(fingerprints, k, count);
  try {
    for (let part = 0; ; ) {
      const numbers = await crew.next(part);
      if (numbers === 'done') return;
      if (numbers === 'end of part') part++;
      else yield { numbers, count: numbers.length / 3 };
    }
  } finally {
    await crew.terminate();
  }
}
