import type { PairBatches } from './batches.ts';
import { ALONE, type Grouping } from './grouping.ts';
import { kernelPairs } from './kernel.ts';
import { plainPairs } from './plain.ts';

/** The parts of all pairs: there are four tables, one for each block. */
export const PARTS: readonly number[] = [0, 1, 2, 3];

/**
 * Finds the pairs at distance k (0 to 7) or less, or some parts of them, ascending. A part is the pairs that one table
 * finds and no table before it; equal fingerprints belong to part 0. Threads that search the same fingerprints share a
 * grouping.
 */
export function findPairs(
  fingerprints: BigUint64Array,
  k: number,
  parts: Iterable<number> = PARTS,
  grouping: Grouping = ALONE,
): PairBatches {
  return kernelPairs(fingerprints, k, parts, grouping) ?? plainPairs(fingerprints, k, parts, grouping);
}
