import { ones } from '../../scheme/compare.ts';
import { blockOf, type Lanes, splitLanes } from '../../scheme/labels/lanes.ts';
import { addHit, type Hits, MAX_PROBED_DISTANCE, type Segment } from './segment.ts';

/** A {@link Segment} without WebAssembly: the fallback of the kernel, and the reference in its tests. */
export function createPlainSegment(size: number, fill: (target: BigUint64Array) => void): Segment {
  const values = new BigUint64Array(size);
  fill(values);
  const lanes = splitLanes(values);
  const bits = Math.max(4, Math.min(16, Math.ceil(Math.log2(size + 1))));
  const tables = [0, 1, 2, 3].map((block) => partition(lanes.high, lanes.low, block, bits));
  return {
    size,
    bytes: 16 * size + tables.reduce((sum, { starts, positions }) => sum + starts.byteLength + positions.byteLength, 0),
    get: (position) => values[position]!,
    copy: (target, at) => target.set(values, at),
    work(fingerprint, k) {
      if (k > MAX_PROBED_DISTANCE) return size;
      const high = Number(fingerprint >> 32n);
      const low = Number(fingerprint & 0xffffffffn);
      return tables.reduce((sum, table, t) => sum + entriesProbed(table, blockOf(high, low, t), bits, k), 0);
    },
    query(fingerprint, k, hits, base) {
      const queryHigh = Number(fingerprint >> 32n);
      const queryLow = Number(fingerprint & 0xffffffffn);
      if (k > MAX_PROBED_DISTANCE) scan(lanes, queryHigh, queryLow, k, hits, base);
      else for (const [t, table] of tables.entries()) probe(lanes, table, t, bits, queryHigh, queryLow, k, hits, base);
    },
  };
}

function entriesProbed({ starts }: Partition, block: number, bits: number, k: number): number {
  let sum = 0;
  for (let flip = 0; flip <= (k >> 2) * bits; flip++) {
    const bucket = (block >>> (16 - bits)) ^ (flip === 0 ? 0 : 1 << (flip - 1));
    sum += starts[bucket + 1]! - starts[bucket]!;
  }
  return sum;
}

function scan({ high, low }: Lanes, queryHigh: number, queryLow: number, k: number, hits: Hits, base: number): void {
  for (let i = 0; i < high.length; i++) {
    const distance = ones(high[i]! ^ queryHigh) + ones(low[i]! ^ queryLow);
    if (distance <= k) addHit(hits, base + i, distance);
  }
}

function probe(
  { high, low }: Lanes,
  { starts, positions }: Partition,
  table: number,
  bits: number,
  queryHigh: number,
  queryLow: number,
  k: number,
  hits: Hits,
  base: number,
): void {
  const flips = k >> 2;
  const own = blockOf(queryHigh, queryLow, table) >>> (16 - bits);
  for (let flip = 0; flip <= flips * bits; flip++) {
    const bucket = flip === 0 ? own : own ^ (1 << (flip - 1));
    for (let at = starts[bucket]!, end = starts[bucket + 1]!; at < end; at++) {
      const position = positions[at]!;
      const differentHigh = high[position]! ^ queryHigh;
      const differentLow = low[position]! ^ queryLow;
      const distance = ones(differentHigh) + ones(differentLow);
      if (distance <= k && firstBlock(differentHigh, differentLow, flips) === table)
        addHit(hits, base + position, distance);
    }
  }
}

/** Positions of fingerprints, sorted into buckets by some bits of one block. */
export interface Partition {
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
