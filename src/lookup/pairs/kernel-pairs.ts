import { blockOf, viewLanes } from '../../common/lanes.ts';
import { ones } from '../../scheme/compare.ts';
import { PAGE_SIZE } from '../../wasm/module.ts';
import { randomOddKey } from '../keyed-hash.ts';
import { createLayout, instantiateKernel, type KernelInstance } from '../table/table-kernel.ts';
import { copyPairs, createPairBuffer, PAIRS_PER_BATCH, type PairBatches, type PairBuffer } from './pair-batches.ts';
import { blockMasksBefore, splitIfFewer, splitPairs, subBlockMasks } from './split-pairs.ts';

/** The size above which buckets are paired by their second level: measured best between 256 and 1024. */
export const LARGE_BUCKET = 512;

/** The size above which buckets of the second level are split by the bits that vary. */
export const HUGE_BUCKET = 2048;

/**
 * The kernel compares several times as fast as the host, so for k above 3 the first split has to leave at most this
 * share of the comparisons. If it leaves more, too few bits vary for k + 1 groups, and later splits leave still more.
 */
const KERNEL_SHARE = 0.15;

function layOut(size: number) {
  const layout = createLayout();
  return {
    pairs: layout.reserve(12 * PAIRS_PER_BATCH),
    fingerprints: layout.reserve(8 * size),
    starts: layout.reserve(4 * 65538),
    // A vector of four may be read from each entry on.
    filters: layout.reserve(4 * size + 16),
    positions: layout.reserve(4 * size),
    // The system does not provide memory that is never written.
    firsts: layout.reserve(4 * size),
    // After the fixed arrays: memory that is reused step by step.
    scratch: layout.end(),
  };
}

function slotBytes(entries: number): number {
  return entries < 2 ? 64 : 4 * 2 ** (33 - Math.clz32(entries - 1));
}

/** The number of fingerprints from which on they are sorted in two steps, which takes a byte more for each. */
export const MANY = 1 << 18;

const COUNT_BYTES = 2176;

export function kernelPairs(fingerprints: BigUint64Array, k: number): PairBatches | undefined {
  const size = fingerprints.length;
  const layout = layOut(size);
  const instance = instantiateKernel(layout.scratch + COUNT_BYTES);
  if (instance === undefined) return undefined;
  const { kernel, memory } = instance;
  new BigUint64Array(memory.buffer, layout.fingerprints, size).set(fingerprints);
  kernel.setOut(layout.pairs, PAIRS_PER_BATCH);
  kernel.setSegment(layout.fingerprints, 16);
  return search({ instance, layout, values: fingerprints, lanes: viewLanes(fingerprints), k });
}

interface Search {
  readonly instance: KernelInstance;
  readonly layout: ReturnType<typeof layOut>;
  readonly values: BigUint64Array;
  readonly lanes: Uint32Array;
  readonly k: number;
}

/** Searches the table of each block. A pair belongs to the first that finds it, equal fingerprints to table 0. */
function* search(search: Search): PairBatches {
  for (let table = 0; table < 4; table++) {
    let largest = partition(search, table);
    const copies = table === 0 ? group(search, largest) : undefined;
    if (copies !== undefined) {
      largest = search.instance.kernel.dropCopies(search.layout.firsts) >>> 0;
      yield* copyPairs(copies);
    }
    yield* tablePairs(search, table, largest);
  }
}

function reserve({ instance: { memory }, layout: { scratch } }: Search, bytes: number): void {
  const missing = scratch + bytes - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE_SIZE));
}

function partition(search: Search, table: number): number {
  const { kernel } = search.instance;
  const { fingerprints, starts, filters, positions, scratch } = search.layout;
  const size = search.values.length;
  kernel.setPairs(table, starts, filters, positions, LARGE_BUCKET, HUGE_BUCKET);
  if (size < MANY) return kernel.partition(fingerprints, size, table, 16, starts, filters, positions) >>> 0;
  const largest = kernel.countParts(fingerprints, size, table, scratch) >>> 0;
  reserve(search, COUNT_BYTES + size + 64 + 8 * largest);
  return kernel.partitionParts(fingerprints, size, table, starts, filters, positions, scratch) >>> 0;
}

/** Finds the copies; returns for each the position of the first of its kind, plus 1, or nothing if there are none. */
function group(search: Search, largest: number): Uint32Array | undefined {
  const { instance, layout } = search;
  reserve(search, slotBytes(largest));
  const count = instance.kernel.group(layout.firsts, layout.scratch, randomOddKey());
  return count > 0 ? new Uint32Array(instance.memory.buffer, layout.firsts, search.values.length) : undefined;
}

function* tablePairs(search: Search, table: number, largest: number): PairBatches {
  const { instance, layout, k } = search;
  const { kernel, memory } = instance;
  if (k < 4 && largest > LARGE_BUCKET) reserve(search, 4 * 4100 + 8 * (largest + 4) + 64);
  const numbers = new Uint32Array(memory.buffer, layout.pairs, 3 * PAIRS_PER_BATCH);
  const found = createPairBuffer();
  let count = kernel.beginPairs(k, layout.scratch, largest);
  while (count > 0 || kernel.splitCount.value > 0) {
    if (count > 0) yield { numbers, count };
    const split = kernel.splitCount.value > 0 ? splitLeft(search, table, found) : undefined;
    if (split !== undefined) yield* split;
    yield* found.take();
    count = kernel.resumePairs(split === undefined ? 0 : 1);
  }
}

/** The pairs that the kernel leaves to the host, or undefined if the kernel compares them in less time. */
function splitLeft({ instance, lanes, k }: Search, table: number, pairs: PairBuffer): PairBatches | undefined {
  const { kernel, memory } = instance;
  const copy = (at: number, count: number): Uint32Array => new Uint32Array(memory.buffer, at >>> 0, count).slice();
  const a = copy(kernel.splitAt.value, kernel.splitCount.value);
  const b = kernel.otherCount.value > 0 ? copy(kernel.otherAt.value, kernel.otherCount.value) : undefined;
  const isReported = (differentHigh: number, differentLow: number): boolean =>
    firstBlock(differentHigh, differentLow, k >> 2) === table;
  const earlier = [...blockMasksBefore(table), ...subBlockMasks(table).slice(0, kernel.splitSub.value)];
  const split = { lanes, k, isReported, pairs };
  return k < 4 ? splitPairs(split, { a, b }, earlier) : splitIfFewer(split, { a, b }, earlier, KERNEL_SHARE);
}

/** The first block in which a difference has at most `flips` ones: its table reports the pair. */
function firstBlock(high: number, low: number, flips: number): number {
  for (let block = 0; block < 4; block++) if (ones(blockOf(high, low, block)) <= flips) return block;
  return -1;
}
