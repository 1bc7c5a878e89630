import { ones } from '../../scheme/compare.ts';
import { type Lanes, splitLanes, viewLanes } from '../../scheme/labels/lanes.ts';
import { firstBlock, type Partition, partition } from '../segment/partition.ts';
import { copyPairs, createPairBuffer, type PairBatches, type PairBuffer } from './batches.ts';
import { distinct } from './distinct.ts';
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
  /** The fingerprints as lanes, see `viewLanes`. */
  readonly words: Uint32Array;
  /** The positions of the input of the lanes. */
  readonly origins: Uint32Array;
  readonly k: number;
  readonly table: number;
  readonly pairs: PairBuffer;
}

/** The pairs that one table brings together, and no table before it. */
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

/** {@link bucketPairs} for large buckets. */
function splitBuckets(search: Search, { starts, positions }: Partition, bucket: number, other: number): PairBatches {
  const { words: lanes, origins, k, table, pairs } = search;
  const isReported = (differentHigh: number, differentLow: number): boolean =>
    firstBlock(differentHigh, differentLow, k >> 2) === table;
  const at = (each: number): Uint32Array => positions.subarray(starts[each]!, starts[each + 1]!);
  const others = bucket === other ? undefined : at(other);
  return splitPairs({ lanes, origins, k, isReported, pairs }, at(bucket), others, blockMasksBefore(table));
}

/** The pairs within a bucket, or of two buckets. */
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
