import { viewLanes } from '../lanes.ts';
import { createLayout, instantiateKernel, type KernelInstance, PAGE_SIZE } from '../segment/kernel.ts';
import { firstBlock } from '../segment/partition.ts';
import { createPairBuffer, PAIRS_PER_BATCH, type PairBatches, type PairBuffer } from './batches.ts';
import { blockMasksBefore, splitPairs, subBlockMasks } from './split.ts';

/** Buckets larger than this are paired by their second level: measured best between 256 and 1024. */
export const LARGE_BUCKET = 512;

/** Buckets of the second level larger than this are split by the bits that vary. */
export const HUGE_BUCKET = 2048;

/** Where the arrays of a search are in the kernel's memory. */
interface PairsLayout {
  readonly pairs: number;
  readonly fingerprints: number;
  readonly starts: number;
  readonly filters: number;
  readonly positions: number;
  readonly firsts: number;
  /** From here on the memory is used for one thing after the other. */
  readonly scratch: number;
}

function layOut(size: number): PairsLayout {
  const layout = createLayout();
  return {
    pairs: layout.reserve(12 * PAIRS_PER_BATCH),
    fingerprints: layout.reserve(8 * size),
    starts: layout.reserve(4 * 65538),
    // A vector of four may be read from each entry on.
    filters: layout.reserve(4 * size + 16),
    positions: layout.reserve(4 * size),
    // The system need not give any memory where nothing is written.
    firsts: layout.reserve(4 * size),
    scratch: layout.end(),
  };
}

/** The smallest hash table for so many entries that the kernel takes: 4 octets for each slot, at least half of them free. */
function slotOctets(entries: number): number {
  return entries < 2 ? 64 : 4 * 2 ** (33 - Math.clz32(entries - 1));
}

/**
 * The pairs at distance `k` or less, by the tables of some blocks. Takes 20 octets for each fingerprint, up to 4 more if
 * there are copies and up to 16 more if one bucket holds them all.
 * @param fingerprints - all of them
 * @param k - 0 to 7
 * @param tables - which of 0 to 3, ascending
 * @returns the pairs, or undefined if the kernel cannot run or cannot have so much memory
 */
export function kernelPairs(
  fingerprints: BigUint64Array,
  k: number,
  tables: Iterable<number>,
): PairBatches | undefined {
  const size = fingerprints.length;
  const layout = layOut(size);
  const instance = instantiateKernel(layout.scratch + slotOctets(0));
  if (instance === undefined) return undefined;
  const { kernel, memory } = instance;
  new BigUint64Array(memory.buffer, layout.fingerprints, size).set(fingerprints);
  kernel.setOut(layout.pairs, PAIRS_PER_BATCH);
  kernel.setSegment(layout.fingerprints, size, 16);
  kernel.setPairs(layout.starts, layout.filters, layout.positions, LARGE_BUCKET, HUGE_BUCKET);
  return search(instance, layout, fingerprints, k, tables);
}

function* search(
  { kernel, memory }: KernelInstance,
  { pairs, fingerprints, starts, filters, positions, firsts, scratch }: PairsLayout,
  values: BigUint64Array,
  k: number,
  tables: Iterable<number>,
): PairBatches {
  const size = values.length;
  const lanes = viewLanes(values);
  const found = createPairBuffer();

  /** Makes room behind everything else. */
  function reserve(octets: number): void {
    const missing = scratch + octets - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE_SIZE));
  }

  let isFirst = true;
  for (const table of tables) {
    let largest = kernel.partition(fingerprints, size, table, 16, starts, filters, positions);
    if (isFirst) {
      isFirst = false;
      reserve(slotOctets(largest));
      if (kernel.group(firsts, scratch) > 0) {
        largest = kernel.largestLeft.value >>> 0;
        if (table === 0) yield* copiesOf(new Uint32Array(memory.buffer, firsts, size));
      }
    }
    if (k < 4 && largest > LARGE_BUCKET) reserve(4 * 4100 + 8 * (largest + 4) + 64);
    const numbers = new Uint32Array(memory.buffer, pairs, 3 * PAIRS_PER_BATCH);
    let count = kernel.beginPairs(table, k, scratch, largest);
    for (; count > 0 || kernel.splitCount.value > 0; count = kernel.resumePairs()) {
      if (count > 0) yield { numbers, count };
      if (kernel.splitCount.value > 0) yield* splitBucket({ kernel, memory }, lanes, k, table, found);
    }
  }
}

/** The pairs that the kernel leaves to the host. */
function* splitBucket(
  { kernel, memory }: KernelInstance,
  lanes: Uint32Array,
  k: number,
  table: number,
  pairs: PairBuffer,
): PairBatches {
  const positions = new Uint32Array(memory.buffer, kernel.splitAt.value >>> 0, kernel.splitCount.value).slice();
  const isReported = (differentHigh: number, differentLow: number): boolean =>
    firstBlock(differentHigh, differentLow, k >> 2) === table;
  const earlier = [...blockMasksBefore(table), ...subBlockMasks(table).slice(0, kernel.splitSub.value)];
  yield* splitPairs({ lanes, k, isReported, pairs }, positions, undefined, earlier);
  yield* pairs.take();
}

/** The pairs of first occurrences and copies; `firsts` holds for each copy the position of the first, plus 1. */
function* copiesOf(firsts: Uint32Array): PairBatches {
  const pairs = createPairBuffer();
  for (let i = 0; i < firsts.length; i++) if (firsts[i] !== 0 && pairs.add(firsts[i]! - 1, i, 0)) yield* pairs.take();
  yield* pairs.take();
}
