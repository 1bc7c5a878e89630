import type { PairBatches } from './batches.ts';
import { kernelPairs } from './kernel.ts';
import { plainPairs } from './plain.ts';

/** The tables of all pairs, one for each block. A pair belongs to the first table that finds it; equal fingerprints to table 0. */
const TABLES: readonly number[] = [0, 1, 2, 3];

/** Finds the pairs at distance k (0 to 7) or less. */
export function findPairs(fingerprints: BigUint64Array, k: number): PairBatches {
  return kernelPairs(fingerprints, k, TABLES) ?? plainPairs(fingerprints, k, TABLES);
}
