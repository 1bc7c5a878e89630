import type { PairBatches } from './batches.ts';
import { ALONE, type Grouping } from './grouping.ts';
import { kernelPairs } from './kernel.ts';
import { plainPairs } from './plain.ts';

/**
 * Finds the pairs at distance k (0 to 7) or less, or some parts of them, ascending. A part is the pairs that one table
 * finds and no table before it; equal fingerprints belong to part 0. Threads that search the same fingerprints share a
 * grouping.
 */
export function findPairs(
  fingerprints: BigUint64Array,
  k: number,
  parts: Iterable<number> = count(),
  grouping: Grouping = ALONE,
): PairBatches {
  const tables = firstFour(parts);
  return kernelPairs(fingerprints, k, tables, grouping) ?? plainPairs(fingerprints, k, tables, grouping);
}

function* count(): Generator<number> {
  for (let number = 0; ; number++) yield number;
}

/** There are four tables, one for each block. */
function* firstFour(parts: Iterable<number>): Generator<number> {
  for (const part of parts) {
    if (part > 3) return;
    yield part;
  }
}
