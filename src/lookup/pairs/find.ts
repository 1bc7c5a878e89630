import type { PairBatches } from './batches.ts';
import { ALONE, type Grouping } from './grouping.ts';
import { kernelPairs } from './kernel.ts';
import { plainPairs } from './plain.ts';

/**
 * The pairs at distance k or less, or some parts of them. A part is the pairs that one table finds and no table
 * before it; equal fingerprints belong to part 0.
 * @param k - 0 to 7
 * @param parts - numbers of tables, ascending, read as they are needed; default: all
 * @param grouping - shared by all threads that search for the pairs of the same fingerprints
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
