import { ones } from '../../scheme/compare.ts';
import { type Lanes, splitLanes, viewLanes } from '../../scheme/labels/lanes.ts';
import { randomWords } from '../keyed-hash.ts';
import { firstBlock, type Partition, partition } from '../segment/plain.ts';
import { copyPairs, createPairBuffer, type PairBatches, type PairBuffer } from './batches.ts';
import { blockMasksBefore, splitPairs } from './split.ts';

/** The number of comparisons of two buckets above which they are split. */
const MAX_COMPARISONS = 1 << 17;

/** Finds the same pairs as `kernelPairs`: its fallback, and the reference in its tests. */
export function* plainPairs(fingerprints: BigUint64Array, k: number, tables: Iterable<number>): PairBatches {
  const { once, origins, firsts } = distinct(fingerprints);
  const [lanes, words] = [splitLanes(once), viewLanes(once)];
  const pairs = createPairBuffer();
  for (const table of tables) {
    if (table === 0) yield* copyPairs(firsts);
    yield* tablePairs({ lanes, words, origins, k, table, pairs });
    yield* pairs.take();
  }
}

interface Search {
  readonly lanes: Lanes;
  readonly words: Uint32Array;
  readonly origins: Uint32Array;
  readonly k: number;
  readonly table: number;
  readonly pairs: PairBuffer;
}

function* tablePairs(search: Search): PairBatches {
  const { lanes, k, table } = search;
  const buckets = partition(lanes.high, lanes.low, table, 16);
  const flips = k >> 2;
  for (let bucket = 0; bucket < 65536; bucket++) {
    if (buckets.starts[bucket] === buckets.starts[bucket + 1]) continue;
    for (let flip = 0; flip <= flips * 16; flip++) {
      const other = flip === 0 ? bucket : bucket ^ (1 << (flip - 1));
      if (other < bucket || buckets.starts[other] === buckets.starts[other + 1]) continue;
      if (comparisons(buckets, bucket, other) > MAX_COMPARISONS) yield* splitBuckets(search, buckets, bucket, other);
      else yield* bucketPairs(search, buckets, bucket, other);
    }
  }
}

function comparisons({ starts }: Partition, bucket: number, other: number): number {
  return (starts[bucket + 1]! - starts[bucket]!) * (starts[other + 1]! - starts[other]!);
}

function splitBuckets(search: Search, { starts, positions }: Partition, bucket: number, other: number): PairBatches {
  const { words: lanes, origins, k, table, pairs } = search;
  const isReported = (differentHigh: number, differentLow: number): boolean =>
    firstBlock(differentHigh, differentLow, k >> 2) === table;
  const at = (each: number): Uint32Array => positions.subarray(starts[each]!, starts[each + 1]!);
  const others = bucket === other ? undefined : at(other);
  return splitPairs({ lanes, origins, k, isReported, pairs }, at(bucket), others, blockMasksBefore(table));
}

function* bucketPairs(search: Search, { starts, positions }: Partition, bucket: number, other: number): PairBatches {
  const { lanes, origins, k, table, pairs } = search;
  const { high, low } = lanes;
  for (let at = starts[bucket]!, end = starts[bucket + 1]!; at < end; at++) {
    const i = positions[at]!;
    for (let to = bucket === other ? at + 1 : starts[other]!, last = starts[other + 1]!; to < last; to++) {
      const j = positions[to]!;
      const differentHigh = high[i]! ^ high[j]!;
      const differentLow = low[i]! ^ low[j]!;
      const distance = ones(differentHigh) + ones(differentLow);
      if (distance > k || firstBlock(differentHigh, differentLow, k >> 2) !== table) continue;
      if (pairs.add(origins[i]!, origins[j]!, distance)) yield* pairs.take();
    }
  }
}

interface Distinct {
  readonly once: BigUint64Array;
  /** The position where each of `once` first occurred. */
  readonly origins: Uint32Array;
  /** For each copy the position of the first occurrence, plus 1; 0 for all others. */
  readonly firsts: Uint32Array;
}

/** Hashes fingerprints, which may come from an attacker, with a random key. */
function createLanesHash(): (high: number, low: number) => number {
  const [key0, key1] = randomWords(2) as unknown as [number, number];
  return (high, low) => {
    let hash = Math.imul(high ^ key0, 0x9e3779b1);
    hash = Math.imul(hash ^ (hash >>> 15) ^ key1, 0x85ebca77);
    hash = Math.imul(hash ^ (hash >>> 13) ^ low, 0xc2b2ae3d);
    hash = Math.imul(hash ^ (hash >>> 16) ^ key1, 0x27d4eb2f);
    return hash ^ (hash >>> 15);
  };
}

export function distinct(fingerprints: BigUint64Array): Distinct {
  const size = fingerprints.length;
  const { high, low } = splitLanes(fingerprints);
  const hashOf = createLanesHash();
  const mask = 2 ** Math.ceil(Math.log2(2 * size + 2)) - 1;
  // Index in `once` + 1, or 0.
  const slots = new Uint32Array(mask + 1);
  const firsts = new Uint32Array(size);
  const origins = new Uint32Array(size);
  let count = 0;

  function slotOf(itsHigh: number, itsLow: number): number {
    let slot = hashOf(itsHigh, itsLow) & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const first = origins[slots[slot]! - 1]!;
      if (high[first] === itsHigh && low[first] === itsLow) break;
    }
    return slot;
  }

  for (let i = 0; i < size; i++) {
    const slot = slotOf(high[i]!, low[i]!);
    if (slots[slot] === 0) {
      origins[count++] = i;
      slots[slot] = count;
    } else firsts[i] = origins[slots[slot]! - 1]! + 1;
  }
  const once = new BigUint64Array(count);
  for (let i = 0; i < count; i++) once[i] = fingerprints[origins[i]!]!;
  return { once, origins: origins.slice(0, count), firsts };
}
