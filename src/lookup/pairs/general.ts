import { ones } from '../../scheme/compare.ts';
import { HIGH_LANE, type Lanes, LOW_LANE, splitLanes, viewLanes } from '../lanes.ts';
import { createPairBuffer, type PairBatches } from './batches.ts';
import { copyPairs, distinct } from './distinct.ts';
import { createPermutation } from './permutation.ts';
import { splitPairs } from './split.ts';

/** So many fingerprints with the same chosen blocks are split by the bits that vary, instead of comparing each with each. */
const MAX_COMPARED = 2048;

/**
 * The pairs at distance `k` or less, by the general form of Manku et al.: of `blocks` blocks at least `blocks` − k are equal
 * in two fingerprints k apart. For each choice of so many, the fingerprints are permuted to have those blocks first, and
 * sorted; pairs are sought among those that begin with the same ones.
 * @param blocks - 2 to 64, more than `k`
 * @param parts - which of the choices, by their numbers, ascending
 */
export function* generalPairs(
  fingerprints: BigUint64Array,
  k: number,
  blocks: number,
  parts: Iterable<number>,
): PairBatches {
  const { once, origins, firsts, indexOf } = distinct(fingerprints);
  const lanes = splitLanes(once);
  const places = blockPlaces(blocks);
  const pairs = createPairBuffer();
  for (const [part, chosen] of pick(choices(blocks, blocks - k), parts)) {
    if (part === 0) yield* copyPairs(firsts);
    const isReported = (differentHigh: number, differentLow: number): boolean =>
      isFirstChoice(chosen, places, differentHigh, differentLow);
    const sorted = sortByChoice(lanes, places, chosen, indexOf);
    for (const { from, end } of sorted.groups()) {
      if (end - from > MAX_COMPARED) {
        const group = Uint32Array.from({ length: end - from }, (_, i) => sorted.original(from + i));
        yield* splitPairs({ lanes: viewLanes(once), origins, k, isReported, pairs }, group, undefined, []);
        continue;
      }
      for (const [i, j] of sorted.nearPairs(from, end, k)) {
        const [differentHigh, differentLow] = [lanes.high[i]! ^ lanes.high[j]!, lanes.low[i]! ^ lanes.low[j]!];
        if (!isReported(differentHigh, differentLow)) continue;
        if (pairs.add(origins[i]!, origins[j]!, ones(differentHigh) + ones(differentLow))) yield* pairs.take();
      }
    }
    yield* pairs.take();
  }
}

/** The values of the given numbers, from 0, with their numbers. */
function* pick<T>(values: Iterable<T>, numbers: Iterable<number>): Generator<[number, T]> {
  const wanted = numbers[Symbol.iterator]();
  let next = wanted.next();
  let number = 0;
  for (const value of values) {
    if (next.done === true) return;
    if (number++ !== next.value) continue;
    yield [next.value, value];
    next = wanted.next();
  }
}

/** Every choice of `size` of the numbers 0 to `count` − 1, in lexicographic order. */
function* choices(count: number, size: number, from = 0): Generator<number[]> {
  if (size === 0) {
    yield [];
    return;
  }
  for (let first = from; first <= count - size; first++)
    for (const rest of choices(count, size - 1, first + 1)) yield [first, ...rest];
}

/** The places of the bits of `blocks` blocks, 0 being the most significant; the first blocks are a bit wider if 64 cannot be divided. */
function blockPlaces(blocks: number): number[][] {
  let next = 0;
  return Array.from({ length: blocks }, (_, block) => {
    const width = Math.floor(64 / blocks) + (block < 64 % blocks ? 1 : 0);
    return Array.from({ length: width }, () => next++);
  });
}

/** Sorts fingerprints by the chosen blocks. */
function sortByChoice(
  lanes: Lanes,
  places: readonly number[][],
  chosen: readonly number[],
  indexOf: (high: number, low: number) => number,
) {
  const first = chosen.flatMap((block) => places[block]!);
  const rest = places.flatMap((bits, block) => (chosen.includes(block) ? [] : bits));
  const { apply, originalHigh, originalLow } = createPermutation([...first, ...rest]);
  const permuted = new BigUint64Array(lanes.high.length);
  const sorted = viewLanes(permuted);
  apply(lanes, sorted);
  // Engines sort numbers fast, as long as they get no function to compare them.
  permuted.sort();
  const width = first.length;
  const maskHigh = width >= 32 ? 0xffffffff : ~(0xffffffff >>> width) >>> 0;
  const maskLow = width <= 32 ? 0 : width === 64 ? 0xffffffff : ~(0xffffffff >>> (width - 32));

  /** The index of the fingerprint at a place of the sorted ones. */
  function original(place: number): number {
    const [high, low] = [sorted[2 * place + HIGH_LANE]!, sorted[2 * place + LOW_LANE]!];
    return indexOf(originalHigh(high, low), originalLow(high, low));
  }

  /** The places of two and more that agree in the chosen blocks. */
  function* groups(): Generator<{ readonly from: number; readonly end: number }> {
    const size = sorted.length / 2;
    for (let from = 0, end = 0; from < size; from = end) {
      const [high, low] = [sorted[2 * from + HIGH_LANE]!, sorted[2 * from + LOW_LANE]!];
      for (end = from + 1; end < size; end++) {
        const differentHigh = sorted[2 * end + HIGH_LANE]! ^ high;
        const differentLow = sorted[2 * end + LOW_LANE]! ^ low;
        if (((differentHigh & maskHigh) | (differentLow & maskLow)) !== 0) break;
      }
      if (end > from + 1) yield { from, end };
    }
  }

  /** The pairs at distance `k` or less of a group. */
  function* nearPairs(from: number, end: number, k: number): Generator<[number, number]> {
    for (let a = from; a < end; a++) {
      const [high, low] = [sorted[2 * a + HIGH_LANE]!, sorted[2 * a + LOW_LANE]!];
      for (let b = a + 1; b < end; b++)
        if (ones(sorted[2 * b + HIGH_LANE]! ^ high) + ones(sorted[2 * b + LOW_LANE]! ^ low) <= k)
          yield [original(a), original(b)];
    }
  }

  return { original, groups, nearPairs };
}

/** Tests whether the chosen blocks are the first in which two fingerprints are equal: no other choice reports the pair. */
function isFirstChoice(
  chosen: readonly number[],
  places: readonly number[][],
  differentHigh: number,
  differentLow: number,
): boolean {
  const isSet = (place: number): boolean =>
    ((place < 32 ? differentHigh : differentLow) & (0x80000000 >>> (place & 31))) !== 0;
  const equal = places.flatMap((bits, block) => (bits.some(isSet) ? [] : [block]));
  return chosen.every((block, i) => equal[i] === block);
}
