import { ones } from '../../scheme/compare.ts';
import { HIGH_LANE, type Lanes, LOW_LANE, splitLanes, viewLanes } from '../lanes.ts';
import { createPairBuffer, type PairBatches } from './batches.ts';
import { copyPairs, distinct } from './distinct.ts';
import { createPermutation } from './permutation.ts';

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
    for (const [i, j] of choicePairs(lanes, k, places, chosen, indexOf)) {
      const [differentHigh, differentLow] = [lanes.high[i]! ^ lanes.high[j]!, lanes.low[i]! ^ lanes.low[j]!];
      if (!isFirstChoice(chosen, places, differentHigh, differentLow)) continue;
      if (pairs.add(origins[i]!, origins[j]!, ones(differentHigh) + ones(differentLow))) yield* pairs.take();
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

/** The pairs at distance `k` or less that agree in the chosen blocks. */
function* choicePairs(
  lanes: Lanes,
  k: number,
  places: readonly number[][],
  chosen: readonly number[],
  indexOf: (high: number, low: number) => number,
): Generator<[number, number]> {
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
  const original = (at: number): number => {
    const [high, low] = [sorted[at + HIGH_LANE]!, sorted[at + LOW_LANE]!];
    return indexOf(originalHigh(high, low), originalLow(high, low));
  };
  for (let from = 0; from < sorted.length; from += 2) {
    const [high, low] = [sorted[from + HIGH_LANE]!, sorted[from + LOW_LANE]!];
    for (let at = from + 2; at < sorted.length; at += 2) {
      const differentHigh = sorted[at + HIGH_LANE]! ^ high;
      const differentLow = sorted[at + LOW_LANE]! ^ low;
      if (((differentHigh & maskHigh) | (differentLow & maskLow)) !== 0) break;
      if (ones(differentHigh) + ones(differentLow) <= k) yield [original(from), original(at)];
    }
  }
}

/** Whether the chosen blocks are the first in which two fingerprints are equal: no other choice reports the pair. */
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
