import { blockOf, ones, splitHalves } from '../halves.ts';
import { addHit, MOST_PROBED, type PairBatch, type PairBatches, type Segment } from './types.ts';

interface Partition {
  /** For each bucket where it begins, and at the end where the last one ends. */
  readonly starts: Uint32Array;
  /** The positions of the fingerprints, bucket by bucket. */
  readonly positions: Uint32Array;
}

/** Sorts fingerprints by the upper `bits` of one block, by counting. */
function partition(high: Uint32Array, low: Uint32Array, block: number, bits: number): Partition {
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

/** A {@link Segment} without WebAssembly: the fallback of the kernel, and its oracle. */
export function createPlainSegment(size: number, fill: (target: BigUint64Array) => void): Segment {
  const values = new BigUint64Array(size);
  fill(values);
  const { high, low } = splitHalves(values);
  const bits = Math.max(4, Math.min(16, Math.ceil(Math.log2(size + 1))));
  const tables = [0, 1, 2, 3].map((block) => partition(high, low, block, bits));
  return {
    size,
    octets:
      16 * size + tables.reduce((sum, { starts, positions }) => sum + starts.byteLength + positions.byteLength, 0),
    get: (position) => values[position]!,
    copy: (target, at) => target.set(values, at),
    query(fingerprint, k, hits, base) {
      const queryHigh = Number(fingerprint >> 32n);
      const queryLow = Number(fingerprint & 0xffffffffn);
      if (k > MOST_PROBED) {
        for (let i = 0; i < size; i++) {
          const distance = ones(high[i]! ^ queryHigh) + ones(low[i]! ^ queryLow);
          if (distance <= k) addHit(hits, base + i, distance);
        }
        return;
      }
      const flips = k >> 2;
      for (const [t, { starts, positions }] of tables.entries()) {
        const own = blockOf(queryHigh, queryLow, t) >>> (16 - bits);
        for (let probe = 0; probe <= flips * bits; probe++) {
          const bucket = probe === 0 ? own : own ^ (1 << (probe - 1));
          for (let at = starts[bucket]!, end = starts[bucket + 1]!; at < end; at++) {
            const position = positions[at]!;
            const differentHigh = high[position]! ^ queryHigh;
            const differentLow = low[position]! ^ queryLow;
            const distance = ones(differentHigh) + ones(differentLow);
            if (distance <= k && firstBlock(differentHigh, differentLow, flips) === t)
              addHit(hits, base + position, distance);
          }
        }
      }
    },
  };
}

/** The first block in which a difference has at most `flips` ones: the table that reports it. */
function firstBlock(high: number, low: number, flips: number): number {
  for (let block = 0; block < 4; block++) if (ones(blockOf(high, low, block)) <= flips) return block;
  return -1;
}

/** Pairs are given away in parts of this size. */
export const PAIRS_AT_ONCE = 4096;

/** Collects pairs and tells when there are enough to be given away. */
export function createPairBuffer() {
  const numbers = new Uint32Array(3 * PAIRS_AT_ONCE);
  let count = 0;
  return {
    /** Adds a pair; returns whether the buffer is full. */
    add(a: number, b: number, distance: number): boolean {
      numbers[3 * count] = Math.min(a, b);
      numbers[3 * count + 1] = Math.max(a, b);
      numbers[3 * count + 2] = distance;
      return ++count === PAIRS_AT_ONCE;
    },
    /** What was added since it was last given away, if that is anything. */
    *take(): Generator<PairBatch, void> {
      if (count > 0) yield { numbers, count };
      count = 0;
    },
  };
}

/** Fingerprints without their copies. */
export interface Distinct {
  /** Each fingerprint once, in the order of first occurrence. */
  readonly once: BigUint64Array;
  /** Where each of `once` first occurred. */
  readonly origins: Uint32Array;
  /** For each place of the input that of the first occurrence. */
  readonly firsts: Uint32Array;
  /** Where in `once` a fingerprint stands that is there, given by its halves. */
  indexOf(high: number, low: number): number;
}

/** A hash of a fingerprint, given by its halves. */
function hashOf(high: number, low: number): number {
  let hash = Math.imul(high, 0x9e3779b1) ^ Math.imul(low ^ (high >>> 15), 0x85ebca77);
  hash = Math.imul(hash ^ (hash >>> 16), 0xc2b2ae3d);
  return hash ^ (hash >>> 15);
}

/** Finds equal fingerprints, by a hash table with open addressing. */
export function distinct(fingerprints: BigUint64Array): Distinct {
  const size = fingerprints.length;
  const { high, low } = splitHalves(fingerprints);
  const mask = 2 ** Math.ceil(Math.log2(2 * size + 2)) - 1;
  const slots = new Uint32Array(mask + 1);
  const firsts = new Uint32Array(size);
  const origins = new Uint32Array(size);
  let count = 0;
  for (let i = 0; i < size; i++) {
    for (let slot = hashOf(high[i]!, low[i]!) & mask; ; slot = (slot + 1) & mask) {
      const seen = slots[slot]!;
      if (seen === 0) {
        firsts[i] = i;
        origins[count++] = i;
        slots[slot] = count;
        break;
      }
      const first = origins[seen - 1]!;
      if (high[first] === high[i] && low[first] === low[i]) {
        firsts[i] = first;
        break;
      }
    }
  }
  const once = new BigUint64Array(count);
  for (let i = 0; i < count; i++) once[i] = fingerprints[origins[i]!]!;
  return {
    once,
    origins: origins.slice(0, count),
    firsts,
    indexOf(its, rest) {
      for (let slot = hashOf(its, rest) & mask; ; slot = (slot + 1) & mask) {
        const index = slots[slot]! - 1;
        if (high[origins[index]!] === its && low[origins[index]!] === rest) return index;
      }
    },
  };
}

/** The pairs of first occurrences and copies. */
export function* copyPairs(firsts: Uint32Array): PairBatches {
  const pairs = createPairBuffer();
  for (let i = 0; i < firsts.length; i++) if (firsts[i] !== i && pairs.add(firsts[i]!, i, 0)) yield* pairs.take();
  yield* pairs.take();
}

/**
 * The pairs at distance `k` or less, as {@link PairBatches} says, by the tables of some blocks: the fallback of the kernel,
 * and its oracle.
 * @param fingerprints - all of them
 * @param k - 0 to 7
 * @param tables - which of 0 to 3, ascending
 */
export function* plainPairs(fingerprints: BigUint64Array, k: number, tables: Iterable<number>): PairBatches {
  const { once, origins, firsts } = distinct(fingerprints);
  const { high, low } = splitHalves(once);
  const flips = k >> 2;
  const pairs = createPairBuffer();
  for (const table of tables) {
    if (table === 0) yield* copyPairs(firsts);
    const { starts, positions } = partition(high, low, table, 16);
    for (let bucket = 0; bucket < 65536; bucket++) {
      const from = starts[bucket]!;
      const end = starts[bucket + 1]!;
      if (from === end) continue;
      for (let probe = 0; probe <= flips * 16; probe++) {
        const other = probe === 0 ? bucket : bucket ^ (1 << (probe - 1));
        if (other < bucket) continue;
        const otherEnd = starts[other + 1]!;
        for (let at = from; at < end; at++) {
          const i = positions[at]!;
          for (let to = probe === 0 ? at + 1 : starts[other]!; to < otherEnd; to++) {
            const j = positions[to]!;
            const differentHigh = high[i]! ^ high[j]!;
            const differentLow = low[i]! ^ low[j]!;
            const distance = ones(differentHigh) + ones(differentLow);
            if (distance > k || firstBlock(differentHigh, differentLow, flips) !== table) continue;
            if (pairs.add(origins[i]!, origins[j]!, distance)) yield* pairs.take();
          }
        }
      }
    }
    yield* pairs.take();
  }
}
