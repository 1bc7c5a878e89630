import { ones } from '../../scheme/compare.ts';
import { blockOf } from '../../scheme/labels/lanes.ts';

/** Positions of fingerprints, sorted into buckets by some bits of one block. */
export interface Partition {
  /** The place where each bucket begins, and at the end where the last one ends. */
  readonly starts: Uint32Array;
  /** The positions, bucket by bucket, ascending in each. */
  readonly positions: Uint32Array;
}

/** Sorts fingerprints, given by their lanes, by the upper `bits` of one block: a counting sort. */
export function partition(high: Uint32Array, low: Uint32Array, block: number, bits: number): Partition {
  const size = high.length;
  const starts = new Uint32Array((1 << bits) + 1);
  const shift = 16 - bits;
  for (let i = 0; i < size; i++) starts[(blockOf(high[i]!, low[i]!, block) >>> shift) + 1]!++;
  for (let bucket = 0; bucket < 1 << bits; bucket++) starts[bucket + 1]! += starts[bucket]!;
  const next = starts.slice();
  const positions = new Uint32Array(size);
  for (let i = 0; i < size; i++) positions[next[blockOf(high[i]!, low[i]!, block) >>> shift]!++] = i;
  return { starts, positions };
}

/** The first block in which a difference has at most `flips` ones: its table reports the pair. -1 if there is none. */
export function firstBlock(high: number, low: number, flips: number): number {
  for (let block = 0; block < 4; block++) if (ones(blockOf(high, low, block)) <= flips) return block;
  return -1;
}
