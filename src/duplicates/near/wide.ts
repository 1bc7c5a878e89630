import { randomFactor } from '../../fingerprint/hash-table.ts';
import { type Components, createLinker, type Linker } from '../../lookup/find-clusters.ts';
import { viewLanes } from '../../scheme/labels/lanes.ts';
import { type Candidates, createCandidateList, type FindNear } from './candidates.ts';
import { compareInKernel } from './kernel.ts';
import { bucketOf, chooseKeys, createBuckets, fillBuckets, type Key, LANES, wideDistance } from './keys.ts';

/** The number of fingerprints up to which all pairs are compared, for components and for the neighbours of one. */
const MAX_LINKED = 2048;
const MAX_COMPARED = 8192;

/** The number of fingerprints from which on the kernel saves more time than its memory takes. */
const MIN_FOR_KERNEL = 256;

/** The numbers and lengths of keys, by the largest number of fingerprints: more make each key more expensive. */
const KEYS = [
  // Of pairs 26 bits apart (4 of 5 distinct tokens in common), one in 9 million shares no key, and of pairs 40 apart one in 78.
  { max: 500_000, keys: 128, bits: 20 },
  // One in 3,000, and one in 9.
  { max: 3_000_000, keys: 64, bits: 20 },
  // One in 2,000, and one in 5.
  { max: Number.POSITIVE_INFINITY, keys: 96, bits: 24 },
] as const;

/** The share of pairs at the largest distance that may be missed if only fingerprints are compared. */
const MISSED = 0.001;

export interface WideSearch {
  /** The largest distance, 0 to 256. */
  readonly k: number;
  /** True if pairs near `k` must also be found, which takes shorter keys and more comparisons. */
  readonly isExact: boolean;
}

function keysFor(size: number, { k, isExact }: WideSearch): Key[] {
  const { keys, bits } = KEYS.find(({ max }) => size <= max)!;
  const longest = Math.log(1 - MISSED ** (1 / keys)) / Math.log(1 - k / 256);
  return chooseKeys(keys, isExact ? Math.max(4, Math.min(bits, Math.floor(longest))) : bits);
}

/**
 * Finds the connected components of the pairs within `k`. A pair is missed if no key is shared by its fingerprints, nor
 * by those of others that link them.
 */
export function wideComponents(words: BigUint64Array, search: WideSearch): Components {
  const lanes = viewLanes(words);
  const size = lanes.length / LANES;
  const linker = createLinker(size);
  const once = linkEqual(lanes, linker);
  if (once.length <= MAX_LINKED) linkBucket(lanes, once, 0, once.length, search.k, linker);
  else {
    const buckets = createBuckets(once.length);
    const { order, starts } = buckets;
    const hashes = new Uint32Array(once.length);
    for (const key of keysFor(once.length, search)) {
      fillBuckets(buckets, lanes, once, key, hashes);
      for (let bucket = 0; bucket + 1 < starts.length; bucket++) {
        const [from, to] = [starts[bucket]!, starts[bucket + 1]!];
        if (to - from > 1) linkBucket(lanes, order, from, to, search.k, linker);
      }
    }
  }
  return linker.components();
}

/** Links equal fingerprints. Returns the first of each. */
function linkEqual(lanes: Uint32Array, linker: Linker): Uint32Array {
  const size = lanes.length / LANES;
  const bits = Math.ceil(Math.log2(2 * size + 2));
  const [mask, shift, factor] = [2 ** bits - 1, 32 - bits, randomFactor()];
  // The first fingerprint in each slot + 1, or 0.
  const slots = new Uint32Array(mask + 1);
  const once = new Uint32Array(size);
  let count = 0;
  for (let i = 0; i < size; i++) {
    let slot = (Math.imul(lanes[LANES * i]!, factor) + Math.imul(lanes[LANES * i + 3]!, 0x7feb352d)) >>> shift;
    while (slots[slot] !== 0 && wideDistance(lanes, slots[slot]! - 1, i, 0) > 0) slot = (slot + 1) & mask;
    if (slots[slot] === 0) {
      slots[slot] = i + 1;
      once[count++] = i;
    } else linker.join(slots[slot]! - 1, i);
  }
  return once.subarray(0, count);
}

/** The size from which on the members of a bucket are sorted by their components: linked ones are not compared. */
const MIN_SORTED = 24;

/** Links those of the fingerprints `order[from]` to `order[to - 1]` that are near each other. */
function linkBucket(lanes: Uint32Array, order: Uint32Array, from: number, to: number, k: number, linker: Linker): void {
  if (to - from < MIN_SORTED) linkAll(lanes, order, from, to, k, linker);
  else {
    const sets = new Map<number, number[]>();
    for (let at = from; at < to; at++) {
      const member = order[at]!;
      const root = linker.rootOf(member);
      const set = sets.get(root);
      if (set === undefined) sets.set(root, [member]);
      else set.push(member);
    }
    if (sets.size > 1) linkSets(lanes, [...sets.values()], k, linker);
  }
}

function linkAll(lanes: Uint32Array, order: Uint32Array, from: number, to: number, k: number, linker: Linker): void {
  for (let i = from + 1; i < to; i++) {
    const a = order[i]!;
    for (let j = from; j < i; j++) {
      const b = order[j]!;
      // Most are far from each other, which is faster to compute than their components.
      if (wideDistance(lanes, a, b, k) <= k) linker.join(a, b);
    }
  }
}

/** Links sets of which two members are near each other. */
function linkSets(lanes: Uint32Array, sets: readonly (readonly number[])[], k: number, linker: Linker): void {
  for (let i = 1; i < sets.length; i++)
    for (let j = 0; j < i; j++)
      if (linker.rootOf(sets[i]![0]!) !== linker.rootOf(sets[j]![0]!) && areNear(lanes, sets[i]!, sets[j]!, k))
        linker.join(sets[i]![0]!, sets[j]![0]!);
}

function areNear(lanes: Uint32Array, left: readonly number[], right: readonly number[], k: number): boolean {
  for (const a of left) for (const b of right) if (wideDistance(lanes, a, b, k) <= k) return true;
  return false;
}

/** Finds the fingerprints near one. Among many it misses pairs that share no key, like {@link wideComponents}. */
export function createWideNear(words: BigUint64Array, search: WideSearch): FindNear {
  const lanes = viewLanes(words);
  const size = lanes.length / LANES;
  if (size > MAX_COMPARED) return lookUp(lanes, size, search);
  const inKernel = size >= MIN_FOR_KERNEL ? compareInKernel(lanes, search.k) : null;
  return inKernel ?? compareAll(lanes, size, search.k);
}

/** Replaces the kernel where it is not available. */
export function compareAll(lanes: Uint32Array, size: number, k: number): FindNear {
  const list = createCandidateList();
  return (position, from, to = size): Candidates => {
    list.clear();
    for (let other = from; other < to; other++) {
      if (other === position) continue;
      const distance = wideDistance(lanes, position, other, k);
      if (distance <= k) list.push(other, distance);
    }
    return list;
  };
}

function lookUp(lanes: Uint32Array, size: number, search: WideSearch): FindNear {
  const { k } = search;
  const [all, hashes] = [Uint32Array.from({ length: size }, (_, position) => position), new Uint32Array(size)];
  const tables = keysFor(size, search).map((key) => {
    const buckets = createBuckets(size);
    fillBuckets(buckets, lanes, all, key, hashes);
    return { key, buckets };
  });
  const list = createCandidateList();
  // The query in which a position was last seen.
  const seen = new Uint32Array(size);
  let query = 0;
  return (position, from, to = size): Candidates => {
    list.clear();
    query++;
    seen[position] = query;
    for (const { key, buckets } of tables) {
      const { order, starts } = buckets;
      const bucket = bucketOf(buckets, lanes, position, key);
      const end = starts[bucket + 1]!;
      for (let at = firstFrom(order, starts[bucket]!, end, from); at < end && order[at]! < to; at++) {
        const other = order[at]!;
        if (seen[other] === query) continue;
        seen[other] = query;
        const distance = wideDistance(lanes, position, other, k);
        if (distance <= k) list.push(other, distance);
      }
    }
    return list;
  };
}

/** Returns the place of the first number that is `min` or more, among ascending ones. */
function firstFrom(order: Uint32Array, from: number, to: number, min: number): number {
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (order[middle]! < min) from = middle + 1;
    else to = middle;
  }
  return from;
}
