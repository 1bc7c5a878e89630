import { assertFingerprint, assertInteger, assertIterable, assertOptions, wrongValue } from '../errors.ts';
import { DEFAULT_DISTANCE } from '../scheme/compare.ts';
import { createNumbers, type Growing } from './growable-array.ts';
import { LOW_FIRST, ones, splitHalves } from './halves.ts';
import { copyPairs, createPairBuffer, distinct, plainPairs } from './segment/javascript.ts';
import { MOST_PROBED, type PairBatches } from './segment/types.ts';
import { kernelPairs } from './segment/wasm.ts';

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
  assertIterable('fingerprints', fingerprints, 'a BigUint64Array or an iterable of bigints');
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
  assertOptions('options', options);
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

/** The places of the bits of `blocks` blocks, 0 being the most significant; the first blocks are a bit wider where 64 cannot be divided. */
function blockPlaces(blocks: number): number[][] {
  let next = 0;
  return Array.from({ length: blocks }, (_, block) => {
    const width = Math.floor(64 / blocks) + (block < 64 % blocks ? 1 : 0);
    return Array.from({ length: width }, () => next++);
  });
}

/**
 * A permutation of 64 bits as a table: for each value of each of the 8 octets, the most significant first, the two halves
 * of what becomes of it.
 * @param places - for each bit of the result, the most significant first, where it comes from
 */
function permutationTable(places: readonly number[]): Uint32Array {
  const table = new Uint32Array(8 * 256 * 2);
  for (const [to, from] of places.entries()) {
    const octet = from >> 3;
    const bit = 0x80 >> (from & 7);
    const half = to >> 5;
    const value = (0x80000000 >>> (to & 31)) >>> 0;
    for (let i = 0; i < 256; i++) if ((i & bit) !== 0) table[2 * (256 * octet + i) + half]! |= value;
  }
  return table;
}

/** One half (0 the upper) of a permuted number. */
function permuteHalf(table: Uint32Array, high: number, low: number, half: number): number {
  return (
    (table[2 * (high >>> 24) + half]! |
      table[2 * (256 + ((high >>> 16) & 255)) + half]! |
      table[2 * (512 + ((high >>> 8) & 255)) + half]! |
      table[2 * (768 + (high & 255)) + half]! |
      table[2 * (1024 + (low >>> 24)) + half]! |
      table[2 * (1280 + ((low >>> 16) & 255)) + half]! |
      table[2 * (1536 + ((low >>> 8) & 255)) + half]! |
      table[2 * (1792 + (low & 255)) + half]!) >>>
    0
  );
}

/** Adds the numbers of those behind `from` that agree with it in the masked bits, which come first, and are near it. */
function addNear(
  halves: Uint32Array,
  from: number,
  maskHigh: number,
  maskLow: number,
  k: number,
  near: Growing<number, Uint32Array>,
): void {
  const [upper, lower] = LOW_FIRST ? [1, 0] : [0, 1];
  const high = halves[2 * from + upper]!;
  const low = halves[2 * from + lower]!;
  for (let at = 2 * from + 2; at < halves.length; at += 2) {
    const differentHigh = halves[at + upper]! ^ high;
    const differentLow = halves[at + lower]! ^ low;
    if (((differentHigh & maskHigh) | (differentLow & maskLow)) !== 0) break;
    if (ones(differentHigh) + ones(differentLow) <= k) near.push(at >> 1);
  }
}

/**
 * The general form: of `blocks` blocks at least `blocks` − k are equal in two fingerprints k apart. For each choice of so
 * many, the fingerprints are permuted to have those blocks first, and sorted; pairs are sought among those that begin with
 * the same ones.
 */
function* pairsByBlocks(fingerprints: BigUint64Array, k: number, blocks: number): PairBatches {
  const { once, origins, firsts, indexOf } = distinct(fingerprints);
  yield* copyPairs(firsts);
  const size = once.length;
  const { high, low } = splitHalves(once);
  const places = blockPlaces(blocks);
  const sorted = new BigUint64Array(size);
  const halves = new Uint32Array(sorted.buffer);
  const [upper, lower] = LOW_FIRST ? [1, 0] : [0, 1];
  const pairs = createPairBuffer();
  const near = createNumbers();
  for (const chosen of choices(blocks, blocks - k)) {
    const first = chosen.flatMap((block) => places[block]!);
    const rest = places.flatMap((bits, block) => (chosen.includes(block) ? [] : bits));
    const order = [...first, ...rest];
    const forth = permutationTable(order);
    const back = permutationTable(order.map((_, place) => order.indexOf(place)));
    for (let i = 0; i < size; i++) {
      halves[2 * i + upper] = permuteHalf(forth, high[i]!, low[i]!, 0);
      halves[2 * i + lower] = permuteHalf(forth, high[i]!, low[i]!, 1);
    }
    // As numbers, without a function that compares: that is what engines do fast.
    sorted.sort();
    const maskHigh = first.length >= 32 ? 0xffffffff : ~(0xffffffff >>> first.length) >>> 0;
    const maskLow = first.length <= 32 ? 0 : first.length === 64 ? 0xffffffff : ~(0xffffffff >>> (first.length - 32));
    const original = (at: number): number => {
      const [h, l] = [halves[2 * at + upper]!, halves[2 * at + lower]!];
      return indexOf(permuteHalf(back, h, l, 0), permuteHalf(back, h, l, 1));
    };
    for (let from = 0; from + 1 < size; from++) {
      near.clear();
      addNear(halves, from, maskHigh, maskLow, k, near);
      for (let n = 0; n < near.length; n++) {
        const [i, j] = [original(from), original(near.get(n))];
        // Reported by the first choice that brings the two together: that of the first blocks in which they are equal.
        const different = [high[i]! ^ high[j]!, low[i]! ^ low[j]!] as const;
        const isSet = (place: number): boolean => (different[place >> 5]! & (0x80000000 >>> (place & 31))) !== 0;
        const equal = places.flatMap((bits, block) => (bits.some(isSet) ? [] : [block]));
        if (chosen.some((block, place) => equal[place] !== block)) continue;
        const distance = ones(different[0]!) + ones(different[1]!);
        if (pairs.add(origins[i]!, origins[j]!, distance)) yield* pairs.take();
      }
    }
  }
  yield* pairs.take();
}
