import { HIGH_LANE, LOW_LANE } from '../../common/lanes.ts';
import { ones } from '../../scheme/compare.ts';
import type { PairBatches, PairBuffer } from './pair-batches.ts';

interface BitMask {
  readonly high: number;
  readonly low: number;
}

interface SplitSearch {
  /** All fingerprints, as `viewLanes` has them. */
  readonly lanes: Uint32Array;
  readonly k: number;
  /** Tests whether a pair with this difference is to be reported here. */
  isReported(differentHigh: number, differentLow: number): boolean;
  readonly pairs: PairBuffer;
}

/** The positions to pair: those of `a` with each other or, if there is a `b`, each of `a` with each of `b`. */
interface Sides {
  readonly a: Uint32Array;
  readonly b?: Uint32Array | undefined;
}

/** The number of comparisons below which splitting is not worthwhile. */
const MIN_COMPARISONS = 1 << 16;

/** The share of the comparisons above which groups are not used. */
const MAX_SHARE = 0.6;

/** The maximum number of bits in a group: 4,096 buckets. */
const MAX_GROUP_BITS = 12;

/**
 * Finds the pairs at distance k or less of many fingerprints that share most of their bits, so that comparing each with
 * each would take too long. The bits that vary most are dealt into k + 1 groups: two fingerprints that differ in at
 * most k bits are equal in one of them. So the pairs are searched for in the buckets of each group, which are split
 * again while that saves work. A pair is reported in the first group in which it is equal. Each pair must differ in some
 * bit of every excluded mask.
 */
export function splitPairs(search: SplitSearch, sides: Sides, excluded: readonly BitMask[]): PairBatches {
  return splitIfFewer(search, sides, excluded, MAX_SHARE) ?? comparePairs(search, sides, excluded);
}

/** Does what {@link splitPairs} does; undefined if the first split leaves more than `maxShare` of the comparisons. */
export function splitIfFewer(
  search: SplitSearch,
  sides: Sides,
  excluded: readonly BitMask[],
  maxShare: number,
): PairBatches | undefined {
  if (!canDiffer(search, sides, excluded)) return [];
  const { a, b } = sides;
  const comparisons = b === undefined ? (a.length * (a.length - 1)) / 2 : a.length * b.length;
  const groups = comparisons < MIN_COMPARISONS ? [] : chooseGroups(search, sides);
  const splits = groups.map((bits) => ({ bits, a: bucketsOf(search, bits, a), b: b && bucketsOf(search, bits, b) }));
  const left = splits.reduce((sum, split) => sum + comparisonsOf(split.a, split.b), 0);
  return splits.length === 0 || left > maxShare * comparisons ? undefined : pairsOfSplits(search, splits, excluded);
}

interface Split {
  readonly bits: Bits;
  readonly a: Buckets;
  readonly b: Buckets | undefined;
}

function* pairsOfSplits(search: SplitSearch, splits: readonly Split[], excluded: readonly BitMask[]): PairBatches {
  const before = [...excluded];
  for (const { bits, a: bucketsA, b: bucketsB } of splits) {
    const now = [...before];
    for (let bucket = 0; bucket < bucketsA.starts.length - 1; bucket++) {
      const [a, b] = [bucketAt(bucketsA, bucket), bucketsB && bucketAt(bucketsB, bucket)];
      if (a.length > 0 && (b === undefined ? a.length > 1 : b.length > 0)) yield* splitPairs(search, { a, b }, now);
    }
    before.push(maskOf(bits));
  }
}

/** Tests whether some pair may differ in each of the masks. */
function canDiffer({ lanes }: SplitSearch, { a, b = a.subarray(0, 0) }: Sides, excluded: readonly BitMask[]): boolean {
  if (excluded.length === 0) return true;
  const [high, low] = [lanes[2 * a[0]! + HIGH_LANE]!, lanes[2 * a[0]! + LOW_LANE]!];
  let varyingHigh = 0;
  let varyingLow = 0;
  for (const positions of [a, b])
    for (let i = 0; i < positions.length; i++) {
      varyingHigh |= high ^ lanes[2 * positions[i]! + HIGH_LANE]!;
      varyingLow |= low ^ lanes[2 * positions[i]! + LOW_LANE]!;
    }
  return differsInAll(excluded, varyingHigh, varyingLow);
}

/** Numbers of bits: 0 to 31 of the lower lane, then 0 to 31 of the upper one. */
type Bits = readonly number[];

/** Deals the bits that vary most into k + 1 groups; none if too few vary. */
function chooseGroups({ lanes, k }: SplitSearch, { a, b = a.subarray(0, 0) }: Sides): Bits[] {
  const size = a.length + b.length;
  const counts = new Uint32Array(64);
  for (const positions of [a, b]) countOnes(lanes, positions, counts);
  const balance = Array.from(counts, (count) => Math.min(count, size - count));
  const varying = balance.map((_, bit) => bit).filter((bit) => balance[bit]! > 0);
  varying.sort((x, y) => balance[y]! - balance[x]! || x - y);
  const width = Math.min(MAX_GROUP_BITS, Math.floor(varying.length / (k + 1)), Math.ceil(Math.log2(size)));
  if (width === 0) return [];
  return Array.from({ length: k + 1 }, (_, group) =>
    // Back and forth, so that no group gets the best of each round.
    Array.from({ length: width }, (_, round) => varying[round * (k + 1) + (round % 2 === 0 ? group : k - group)]!),
  );
}

function countOnes(lanes: Uint32Array, positions: Uint32Array, counts: Uint32Array): void {
  // By bytes: 8 steps for each fingerprint instead of 64.
  const bytes = new Uint32Array(8 * 256);
  for (const position of positions)
    for (let lane = 0; lane < 2; lane++) {
      const value = lanes[2 * position + (lane === 0 ? LOW_LANE : HIGH_LANE)]!;
      const from = 1024 * lane;
      bytes[from + (value & 255)]!++;
      bytes[from + 256 + ((value >>> 8) & 255)]!++;
      bytes[from + 512 + ((value >>> 16) & 255)]!++;
      bytes[from + 768 + (value >>> 24)]!++;
    }
  for (let i = 0; i < bytes.length; i++)
    if (bytes[i]! > 0) for (let bit = 0; bit < 8; bit++) if ((i >>> bit) & 1) counts[8 * (i >>> 8) + bit]! += bytes[i]!;
}

interface Buckets {
  readonly starts: Uint32Array;
  readonly positions: Uint32Array;
}

function bucketsOf({ lanes }: SplitSearch, bits: Bits, positions: Uint32Array): Buckets {
  const keys = new Uint16Array(positions.length);
  const starts = new Uint32Array((1 << bits.length) + 1);
  for (let i = 0; i < positions.length; i++) {
    const low = lanes[2 * positions[i]! + LOW_LANE]!;
    const high = lanes[2 * positions[i]! + HIGH_LANE]!;
    let key = 0;
    for (let j = 0; j < bits.length; j++) key = (key << 1) | (((bits[j]! < 32 ? low : high) >>> (bits[j]! & 31)) & 1);
    keys[i] = key;
    starts[key + 1]!++;
  }
  for (let bucket = 1; bucket < starts.length; bucket++) starts[bucket]! += starts[bucket - 1]!;
  const next = starts.slice();
  const sorted = new Uint32Array(positions.length);
  for (let i = 0; i < positions.length; i++) sorted[next[keys[i]!]!++] = positions[i]!;
  return { starts, positions: sorted };
}

function bucketAt({ starts, positions }: Buckets, bucket: number): Uint32Array {
  return positions.subarray(starts[bucket]!, starts[bucket + 1]!);
}

function comparisonsOf({ starts }: Buckets, b: Buckets | undefined): number {
  let sum = 0;
  for (let bucket = 0; bucket < starts.length - 1; bucket++) {
    const size = starts[bucket + 1]! - starts[bucket]!;
    sum += b === undefined ? (size * (size - 1)) / 2 : size * (b.starts[bucket + 1]! - b.starts[bucket]!);
  }
  return sum;
}

function maskOf(bits: Bits): BitMask {
  let high = 0;
  let low = 0;
  for (const bit of bits)
    if (bit < 32) low |= 1 << bit;
    else high |= 1 << (bit & 31);
  return { high, low };
}

function* comparePairs(
  { lanes, k, isReported, pairs }: SplitSearch,
  { a, b }: Sides,
  excluded: readonly BitMask[],
): PairBatches {
  const others = b ?? a;
  const [highs, lows] = [new Uint32Array(others.length), new Uint32Array(others.length)];
  for (let j = 0; j < others.length; j++) {
    highs[j] = lanes[2 * others[j]! + HIGH_LANE]!;
    lows[j] = lanes[2 * others[j]! + LOW_LANE]!;
  }
  const near = new Uint32Array(others.length);
  for (let i = 0; i < a.length; i++) {
    const high = lanes[2 * a[i]! + HIGH_LANE]!;
    const low = lanes[2 * a[i]! + LOW_LANE]!;
    const count = findNear(highs, lows, b === undefined ? i + 1 : 0, high, low, k, near);
    for (let n = 0; n < count; n++) {
      const j = near[n]!;
      const differentHigh = high ^ highs[j]!;
      const differentLow = low ^ lows[j]!;
      if (!differsInAll(excluded, differentHigh, differentLow) || !isReported(differentHigh, differentLow)) continue;
      if (pairs.add(a[i]!, others[j]!, ones(differentHigh) + ones(differentLow))) yield* pairs.take();
    }
  }
}

function findNear(
  highs: Uint32Array,
  lows: Uint32Array,
  from: number,
  high: number,
  low: number,
  k: number,
  near: Uint32Array,
): number {
  let count = 0;
  for (let j = from; j < highs.length; j++) if (ones(lows[j]! ^ low) + ones(highs[j]! ^ high) <= k) near[count++] = j;
  return count;
}

function differsInAll(masks: readonly BitMask[], differentHigh: number, differentLow: number): boolean {
  for (let i = 0; i < masks.length; i++)
    if (((differentHigh & masks[i]!.high) | (differentLow & masks[i]!.low)) === 0) return false;
  return true;
}

/** The bits of the blocks (TAB-1) before the block of a table. */
export function blockMasksBefore(block: number): BitMask[] {
  return Array.from({ length: block }, (_, z) => maskOf(Array.from({ length: 16 }, (_, i) => 63 - 16 * z - i)));
}

/** The bits of the 12-bit sub-blocks (TAB-2) of a table: the second level. */
export function subBlockMasks(block: number): BitMask[] {
  const bits = Array.from({ length: 64 }, (_, place) => 63 - place).filter((_, place) => place >> 4 !== block);
  return [0, 1, 2, 3].map((sub) => maskOf(bits.slice(12 * sub, 12 * sub + 12)));
}
