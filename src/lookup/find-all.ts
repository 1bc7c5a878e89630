import { kernelPairs } from '../kernel/lookup.ts';
import { DEFAULT_DISTANCE } from '../scheme/compare.ts';
import { assertFingerprint, assertInteger, wrongType, wrongValue } from '../scheme/errors.ts';
import { ones, splitHalves } from './bits.ts';
import { copyPairs, createPairBuffer, distinct, plainPairs } from './plain.ts';
import { MOST_PROBED, type PairBatches } from './segment.ts';

/** Two fingerprints that lie close together, by where they stand in what was searched: `a` is less than `b`. */
export interface Pair {
  readonly a: number;
  readonly b: number;
  /** Their Hamming distance, 0 to k. */
  readonly distance: number;
}

/** What {@link findAll} looks for. */
export interface FindAllOptions {
  /** The largest distance, 0 to 7 (up to `blocks` − 1 with `blocks`). Default 3 (CMP-7). */
  readonly k?: number;
  /**
   * Use the general form of Manku et al. with so many blocks (2 to 64, more than k) of as equal width as they can be: one
   * sorted table for each choice of `blocks` − k of them, as `find_all` of simhash-cpp has it. The pairs are the same.
   */
  readonly blocks?: number;
}

/** Fingerprints as an array of 64-bit numbers. */
export function toArray(fingerprints: BigUint64Array | Iterable<bigint>): BigUint64Array {
  if (fingerprints instanceof BigUint64Array) return fingerprints;
  if (typeof (fingerprints as Iterable<bigint> | null)?.[Symbol.iterator] !== 'function')
    throw wrongType('fingerprints', 'a BigUint64Array or an iterable of bigints', fingerprints);
  const list: bigint[] = [];
  for (const fingerprint of fingerprints) {
    assertFingerprint(`fingerprints[${list.length}]`, fingerprint);
    list.push(fingerprint);
  }
  return BigUint64Array.from(list);
}

/**
 * Finds all pairs of fingerprints at distance k or less, complete for every k that it takes (LKP-1, LKP-2), each pair once, in
 * no particular order. Pairs are given as they are found: memory does not grow with their number.
 *
 * Equal fingerprints are put together first. Each copy is paired with the first occurrence alone, at distance 0, and only
 * first occurrences are paired with others: so a million copies of one page give a million pairs and not half a billion
 * times as many. Where no two are equal these are all the pairs there are.
 * @param fingerprints - 64-bit numbers of one label
 * @param options - see {@link FindAllOptions}
 * @throws TypeError `wrong-type`, RangeError `out-of-range`
 * @see spec/simhash-doc.md#step-11
 */
export function findAll(
  fingerprints: BigUint64Array | Iterable<bigint>,
  options: FindAllOptions = {},
): Generator<Pair, void> {
  const list = toArray(fingerprints);
  const { k = DEFAULT_DISTANCE, blocks } = options;
  if (blocks === undefined) assertInteger('k', k, 0, MOST_PROBED);
  else {
    assertInteger('blocks', blocks, 2, 64);
    assertInteger('k', k, 0, 63);
    if (blocks <= k) throw wrongValue('out-of-range', 'blocks', `more than k = ${k}`, blocks);
  }
  return each(blocks === undefined ? pairsByTables(list, k) : pairsByBlocks(list, k, blocks));
}

function* each(batches: PairBatches): Generator<Pair, void> {
  for (const { numbers, count } of batches)
    for (let i = 0; i < 3 * count; i += 3) yield { a: numbers[i]!, b: numbers[i + 1]!, distance: numbers[i + 2]! };
}

/**
 * The pairs that the tables of some of the four blocks bring together and no table before them.
 * @param k - 0 to 7
 * @param tables - ascending; all four of them make the result complete
 */
export function pairsByTables(
  fingerprints: BigUint64Array,
  k: number,
  tables: Iterable<number> = [0, 1, 2, 3],
): PairBatches {
  return kernelPairs(fingerprints, k, tables) ?? plainPairs(fingerprints, k, tables);
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

/** The masks of `blocks` blocks of 64 bits, as halves; the first ones are a bit wider where 64 cannot be divided. */
function blockMasks(blocks: number): { high: number; low: number }[] {
  let below = 64n;
  return Array.from({ length: blocks }, (_, i) => {
    const width = BigInt(Math.floor(64 / blocks) + (i < 64 % blocks ? 1 : 0));
    below -= width;
    const mask = ((1n << width) - 1n) << below;
    return { high: Number(mask >> 32n), low: Number(mask & 0xffffffffn) };
  });
}

/** The general form: of `blocks` blocks at least `blocks` − k are equal in two fingerprints k apart. */
function* pairsByBlocks(fingerprints: BigUint64Array, k: number, blocks: number): PairBatches {
  const { once, origins, firsts } = distinct(fingerprints);
  yield* copyPairs(firsts);
  const { high, low } = splitHalves(once);
  const masks = blockMasks(blocks);
  const order = new Uint32Array(once.length);
  const pairs = createPairBuffer();
  for (const chosen of choices(blocks, blocks - k)) {
    const maskHigh = chosen.reduce((mask, block) => mask | masks[block]!.high, 0);
    const maskLow = chosen.reduce((mask, block) => mask | masks[block]!.low, 0);
    for (let i = 0; i < order.length; i++) order[i] = i;
    order.sort(
      (i, j) =>
        ((high[i]! & maskHigh) >>> 0) - ((high[j]! & maskHigh) >>> 0) ||
        ((low[i]! & maskLow) >>> 0) - ((low[j]! & maskLow) >>> 0),
    );
    for (let from = 0; from < order.length; from++) {
      const i = order[from]!;
      for (let to = from + 1; to < order.length; to++) {
        const j = order[to]!;
        const differentHigh = high[i]! ^ high[j]!;
        const differentLow = low[i]! ^ low[j]!;
        if (((differentHigh & maskHigh) | (differentLow & maskLow)) !== 0) break;
        const distance = ones(differentHigh) + ones(differentLow);
        if (distance > k) continue;
        // Reported by the first choice that brings the two together: that of the first blocks in which they are equal.
        const equal = masks.flatMap((mask, block) =>
          ((differentHigh & mask.high) | (differentLow & mask.low)) === 0 ? [block] : [],
        );
        if (chosen.some((block, place) => equal[place] !== block)) continue;
        if (pairs.add(origins[i]!, origins[j]!, distance)) yield* pairs.take();
      }
    }
  }
  yield* pairs.take();
}
