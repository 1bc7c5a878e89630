import type { PairBatches } from './batches.ts';
import { generalPairs } from './general.ts';
import { ALONE, type Grouping } from './grouping.ts';
import { kernelPairs } from './kernel.ts';
import { plainPairs } from './plain.ts';

/** The pairs to search for, and how. */
export interface Search {
  /** The largest distance: 0 to 7, or to `blocks` − 1. */
  readonly k: number;
  /** For the general form of Manku et al., the number of blocks: 2 to 64, more than k. */
  readonly blocks: number | undefined;
}

/**
 * The pairs of a search, or some parts of them. A part is what one table reports and no table before it does; equal
 * fingerprints belong to part 0.
 * @param parts - numbers of tables, ascending, read as they are needed; default: all
 * @param grouping - shared by those who search for the pairs of the same fingerprints; with `blocks` everybody groups alone
 */
export function findPairs(
  fingerprints: BigUint64Array,
  { k, blocks }: Search,
  parts: Iterable<number> = count(),
  grouping: Grouping = ALONE,
): PairBatches {
  if (blocks !== undefined) return generalPairs(fingerprints, k, blocks, parts);
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
