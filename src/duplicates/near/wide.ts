import { viewLanes } from '../../common/lanes.ts';
import { randomFactor } from '../../fingerprint/hash-table.ts';
import { type Components, createLinker, type Linker } from '../../lookup/find-clusters.ts';
import { type BandOf, keysOfBands, MIN_BANDED } from './bands.ts';
import { type Candidates, createCandidateList, type FindNear } from './candidates.ts';
import {
  bucketOf,
  chooseKeys,
  createBuckets,
  fillBuckets,
  firstFrom,
  hashOf,
  type Key,
  LANES,
  wideDistance,
} from './keys.ts';
import { compareInKernel } from './near-kernel.ts';

/** The number of fingerprints up to which all pairs are compared, for components and for the neighbours of one. */
const MAX_LINKED = 2048;
const MAX_COMPARED = 8192;

/** The number of fingerprints from which on the kernel saves more time than its memory takes. */
const MIN_FOR_KERNEL = 256;

/** The numbers and lengths of keys, by the largest number of fingerprints: more make each key more expensive. */
const KEYS = [
  // Of pairs 26 bits apart (4 of 5 distinct tokens in common), one in 330,000 shares no key, and of pairs 40 apart one in 62.
  { max: 65_536, keys: 72, bits: 17 },
  // One in 9 million, and one in 78.
  { max: 262_144, keys: 128, bits: 20 },
  // One in 28,000, and one in 9.
  { max: 3_000_000, keys: 128, bits: 24 },
  // One in 2,000, and one in 5.
  { max: Number.POSITIVE_INFINITY, keys: 96, bits: 24 },
] as const;

/** The share of pairs that may be missed at the distance up to which they must be found. */
const MISSED = 0.001;

export interface WideSearch {
  /** The largest distance, 0 to 256. */
  readonly k: number;
  /** The distance up to which pairs must be found, by shorter keys. Default: 26, which texts with 4 of 5 tokens in common have. */
  readonly sure?: number;
}

/** If not all pairs within `k` must be found, a key is at least so much longer that few fingerprints share one by chance. */
const MAX_SHARED_BITS = 6;

function keysFor(size: number, { k, sure = 26 }: WideSearch): Key[] {
  const { keys, bits } = KEYS.find(({ max }) => size <= max)!;
  const longest = sure === 0 ? bits : Math.log(1 - MISSED ** (1 / keys)) / Math.log(1 - sure / 256);
  const shortest = sure < k ? Math.ceil(Math.log2(size)) - MAX_SHARED_BITS : 4;
  return chooseKeys(keys, Math.min(bits, Math.max(shortest, 4, Math.floor(longest))));
}

/** Finds the components of the pairs within `k`, except pairs that no key links, directly or through others. */
export function wideComponents(words: BigUint64Array, search: WideSearch, bandOf?: BandOf): Components {
  const lanes = viewLanes(words);
  const size = lanes.length / LANES;
  const linker = createLinker(size);
  const once = linkEqual(lanes, linker);
  if (once.length <= MAX_LINKED) linkSorted(lanes, once, search.k, linker);
  else {
    const room = createRoom(once.length);
    const keys = bandOf !== undefined && once.length > MIN_BANDED ? keysOfBands(bandOf) : keysFor(once.length, search);
    for (const key of keys) linkByKey(room, lanes, once, key, search.k, linker);
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

/** The average number of members that are compared at a time: so few that the processor keeps what they need near. */
const PART = 512;

const MAX_PAIRS = 1 << 12;

/** Makes room to sort members by their keys, for any number of keys. Places count from 1; 0 is none. */
function createRoom(size: number) {
  const parts = 2 ** Math.max(1, Math.ceil(Math.log2(size / PART)));
  return {
    hashes: new Uint32Array(size),
    /** The end of each part in `sorted`. */
    ends: new Uint32Array(parts),
    /** The hash of the key of each member, and the member, by parts. */
    sorted: new Uint32Array(2 * size),
    /** For each slot of a part, 2 if several members have a hash for it. */
    counts: new Uint8Array(2 ** Math.ceil(Math.log2(4 * size + 1))),
    /** A hash table of chains of members with the same key: the last place of each in `sorted`. */
    last: new Uint32Array(2 ** Math.ceil(Math.log2(2 * size + 1))),
    previous: new Uint32Array(size + 1),
    /** The number of members before each one in its chain. */
    before: new Uint32Array(size + 1),
    /** Pairs to compare, and how many there are. */
    pairs: new Uint32Array(2 * (MAX_PAIRS + MIN_SORTED)),
    count: 0,
  };
}

type Room = ReturnType<typeof createRoom>;

function linkByKey(room: Room, lanes: Uint32Array, members: Uint32Array, key: Key, k: number, linker: Linker): void {
  sortByKey(room, lanes, members, key);
  let start = 0;
  for (const end of room.ends) {
    linkPart(room, lanes, start, end, k, linker);
    start = end;
  }
  linkPairs(room, lanes, k, linker);
}

/** Sorts members into parts by the upper bits of the hashes of their keys (counting sort). */
function sortByKey({ hashes, ends, sorted }: Room, lanes: Uint32Array, members: Uint32Array, key: Key): void {
  const shift = 32 - Math.log2(ends.length);
  ends.fill(0);
  for (let index = 0; index < members.length; index++) {
    const hash = hashOf(lanes, members[index]!, key);
    hashes[index] = hash;
    ends[hash >>> shift]!++;
  }
  let sum = 0;
  for (let part = 0; part < ends.length; part++) {
    const count = ends[part]!;
    ends[part] = sum;
    sum += count;
  }
  // Filling moves the start of each part to its end.
  for (let index = 0; index < members.length; index++) {
    const hash = hashes[index]!;
    const place = ends[hash >>> shift]!++;
    sorted[2 * place] = hash;
    sorted[2 * place + 1] = members[index]!;
  }
}

/** Moves those members of a part to its start that share their hashes with others, and perhaps some more. Returns the end of them. */
function selectShared({ sorted, counts }: Room, start: number, end: number): number {
  const mask = 2 ** Math.ceil(Math.log2(4 * (end - start) + 1)) - 1;
  counts.fill(0, 0, mask + 1);
  for (let place = start; place < end; place++) {
    const slot = sorted[2 * place]! & mask;
    if (counts[slot]! < 2) counts[slot]!++;
  }
  let to = start;
  for (let place = start; place < end; place++) {
    const hash = sorted[2 * place]!;
    sorted[2 * to] = hash;
    sorted[2 * to + 1] = sorted[2 * place + 1]!;
    // Without a branch, which could not be predicted.
    to += counts[hash & mask]! >>> 1;
  }
  return to;
}

function linkPart(room: Room, lanes: Uint32Array, start: number, end: number, k: number, linker: Linker): void {
  const { sorted, last, previous, before, pairs } = room;
  const large: number[] = [];
  const shared = selectShared(room, start, end);
  const mask = 2 ** Math.ceil(Math.log2(2 * (shared - start) + 1)) - 1;
  last.fill(0, 0, mask + 1);
  for (let place = start + 1; place <= shared; place++) {
    const hash = sorted[2 * place - 2]!;
    const member = sorted[2 * place - 1]!;
    let slot = hash & mask;
    while (last[slot] !== 0 && sorted[2 * last[slot]! - 2] !== hash) slot = (slot + 1) & mask;
    const first = last[slot]!;
    last[slot] = place;
    previous[place] = first;
    const count = first === 0 ? 0 : before[first]! + 1;
    before[place] = count;
    if (count === MIN_SORTED) large.push(slot);
    if (count >= MIN_SORTED) continue;
    for (let at = first; at !== 0; at = previous[at]!) {
      pairs[2 * room.count] = member;
      pairs[2 * room.count + 1] = sorted[2 * at - 1]!;
      room.count++;
    }
    if (room.count >= MAX_PAIRS) linkPairs(room, lanes, k, linker);
  }
  for (const slot of large) {
    const list: number[] = [];
    for (let at = last[slot]!; at !== 0; at = previous[at]!) list.push(sorted[2 * at - 1]!);
    linkSorted(lanes, list.reverse(), k, linker);
  }
}

function linkPairs(room: Room, lanes: Uint32Array, k: number, linker: Linker): void {
  const { pairs } = room;
  for (let at = 0; at < 2 * room.count; at += 2) {
    const [a, b] = [pairs[at]!, pairs[at + 1]!];
    if (linker.rootOf(a) !== linker.rootOf(b) && wideDistance(lanes, a, b, k) <= k) linker.join(a, b);
  }
  room.count = 0;
}

function linkSorted(lanes: Uint32Array, members: Iterable<number>, k: number, linker: Linker): void {
  const sets = new Map<number, number[]>();
  for (const member of members) {
    const root = linker.rootOf(member);
    const set = sets.get(root);
    if (set === undefined) sets.set(root, [member]);
    else set.push(member);
  }
  if (sets.size > 1) linkSets(lanes, [...sets.values()], k, linker);
}

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

/** Finds the fingerprints near a given one, among the first `size`. Among many it misses pairs that share no key, like {@link wideComponents}. */
export function createWideNear(words: BigUint64Array, search: WideSearch, size = words.length / 4): FindNear {
  const lanes = viewLanes(words);
  return size > MAX_COMPARED ? lookUp(lanes, size, search) : compare(lanes, size, search.k);
}

function compare(lanes: Uint32Array, size: number, k: number): FindNear {
  const inKernel = size >= MIN_FOR_KERNEL ? compareInKernel(lanes, k, size) : null;
  return inKernel ?? compareAll(lanes, size, k);
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
    const buckets = createBuckets(size, key);
    fillBuckets(buckets, lanes, all, key, hashes);
    return { key, buckets };
  });
  const list = createCandidateList();
  // The query in which a position was last seen.
  const seen = new Uint32Array(lanes.length / LANES);
  let query = 0;
  // Takes less time where most fingerprints share keys.
  let findAmongAll: FindNear | undefined;
  const countShared = (position: number): number =>
    tables.reduce((sum, { key, buckets }) => {
      const bucket = bucketOf(buckets, lanes, position, key);
      return sum + buckets.starts[bucket + 1]! - buckets.starts[bucket]!;
    }, 0);
  return (position, from, to = size): Candidates => {
    if (countShared(position) > size) {
      findAmongAll ??= compare(lanes, size, k);
      return findAmongAll(position, from, to);
    }
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
