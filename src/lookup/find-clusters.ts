import { viewLanes } from '../common/lanes.ts';
import { assertInteger } from '../errors.ts';
import { distance } from '../scheme/compare.ts';
import { findPairs, readDistance, toArray } from './find-all.ts';
import type { PairBatch } from './pairs/pair-batches.ts';
import { createFingerprintTable } from './table/fingerprint-table.ts';

/** Fingerprints of a connected component or a part of one, by their positions in the input, from 0. */
export interface Cluster {
  /** The member with the smallest sum of distances to all members; on a tie, the first. */
  readonly representative: number;
  /** All members, including the representative, ascending. At least two. */
  readonly members: readonly number[];
}

/** Options of {@link findClusters}. */
export interface FindClustersOptions {
  /** The largest distance of two neighbours, 0 to 7. Default 3 (CMP-7). */
  readonly k?: number;
  /**
   * The largest distance of a member to the representative, 0 to 64. Default: no limit. Without it a cluster can be a
   * long chain of neighbours whose ends are far apart.
   */
  readonly maxSpread?: number;
}

/**
 * Finds clusters: the connected components of the pairs that `findAll` finds. Any two members are linked by steps of
 * distance k or less, and equal fingerprints are always in one cluster.
 *
 * With `maxSpread`, a cluster in which a member is farther than that from the representative is split. Its members are
 * visited in the order of their sums of distances to all members of the whole cluster, then of the input. Each that is in
 * no part yet becomes the representative of a new part, which gets all members within `maxSpread` of it that are in no part
 * yet. A part of one member is not a cluster and is left out. Splitting a cluster of n can take n^2 comparisons.
 * @param fingerprints - 64-bit numbers of one label
 * @param options - see {@link FindClustersOptions}
 * @returns the clusters, in the order of their first members
 * @throws TypeError `wrong-type`, RangeError `out-of-range`, `no-fingerprint`
 * @see spec/lookup.md#step-11
 * @example
 * findClusters([0n, 7n, 15n], { k: 3 }); // [{ representative: 1, members: [0, 1, 2] }]
 */
export function findClusters(
  fingerprints: BigUint64Array | Iterable<bigint | null>,
  options: FindClustersOptions = {},
): Cluster[] {
  const list = toArray(fingerprints);
  const k = readDistance(options);
  const { maxSpread } = options;
  if (maxSpread !== undefined) assertInteger('maxSpread', maxSpread, 0, 64);
  const linker = createLinker(list.length);
  for (const batch of findPairs(list, k)) linker.link(batch);
  const clusters: Cluster[] = [];
  for (const members of linker.components())
    for (const cluster of clustersOf(list, members, maxSpread)) clusters.push(cluster);
  return clusters.sort((a, b) => a.members[0]! - b.members[0]!);
}

export type Linker = ReturnType<typeof createLinker>;

/**
 * The connected components of two or more fingerprints, in the order of their first members, each ascending. They take
 * 8 bytes for each fingerprint.
 */
export type Components = Iterable<number[]>;

/** Finds the components of `size` fingerprints: union-find over the pairs, in any order. */
export function createLinker(size: number) {
  const parents = new Uint32Array(size);
  for (let i = 0; i < size; i++) parents[i] = i;
  const rootOf = (i: number): number => {
    while (parents[i] !== i) {
      // Path halving keeps the paths short.
      parents[i] = parents[parents[i]!]!;
      i = parents[i]!;
    }
    return i;
  };
  const join = (a: number, b: number): void => {
    const [rootA, rootB] = [rootOf(a), rootOf(b)];
    // The smaller number becomes the root: the first member of the component.
    if (rootA < rootB) parents[rootB] = rootA;
    else parents[rootA] = rootB;
  };
  return {
    join,
    rootOf,
    link({ numbers, count }: PairBatch): void {
      for (let i = 0; i < 3 * count; i += 3) join(numbers[i]!, numbers[i + 1]!);
    },
    components(): Components {
      for (let i = 0; i < size; i++) parents[i] = rootOf(i);
      return componentsOf(parents);
    },
  };
}

/** Links each member to the next one with the same root, the last one to 0. */
function chainMembers(roots: Uint32Array): Uint32Array {
  const next = new Uint32Array(roots.length);
  for (let i = roots.length - 1; i > 0; i--) {
    const root = roots[i]!;
    if (root === i) continue;
    next[i] = next[root]!;
    next[root] = i;
  }
  return next;
}

function componentsOf(roots: Uint32Array): Components {
  const next = chainMembers(roots);
  return {
    *[Symbol.iterator]() {
      for (let root = 0; root < roots.length; root++) {
        if (roots[root] !== root || next[root] === 0) continue;
        const members = [root];
        for (let i = next[root]!; i !== 0; i = next[i]!) members.push(i);
        yield members;
      }
    },
  };
}

function clustersOf(fingerprints: BigUint64Array, members: readonly number[], maxSpread = 64): Cluster[] {
  const sums = sumsOfDistances(fingerprints, members);
  const order = members.map((_, i) => i).sort((a, b) => sums[a]! - sums[b]! || a - b);
  const representative = members[order[0]!]!;
  const centre = fingerprints[representative]!;
  if (maxSpread === 64 || members.every((i) => distance(fingerprints[i]!, centre) <= maxSpread))
    return [{ representative, members }];
  const table = createFingerprintTable();
  table.addAll(BigUint64Array.from(members, (i) => fingerprints[i]!));
  const clusters: Cluster[] = [];
  for (const i of order) {
    if (!table.has(i)) continue;
    const { positions, count } = table.query(fingerprints[members[i]!]!, maxSpread);
    const part = Array.from(positions.subarray(0, count)).sort((a, b) => a - b);
    for (const position of part) table.remove(position);
    if (part.length > 1)
      clusters.push({ representative: members[i]!, members: part.map((position) => members[position]!) });
  }
  return clusters;
}

/** The sum of the distances of each member to all: each bit adds the number of members with the other bit. */
function sumsOfDistances(fingerprints: BigUint64Array, members: readonly number[]): number[] {
  const lanes = viewLanes(fingerprints);
  const ones = new Uint32Array(64);
  const bitOf = (i: number, bit: number): number => (lanes[2 * i + (bit >> 5)]! >>> (bit & 31)) & 1;
  for (const i of members) for (let bit = 0; bit < 64; bit++) ones[bit]! += bitOf(i, bit);
  return members.map((i) => {
    let sum = 0;
    for (let bit = 0; bit < 64; bit++) sum += bitOf(i, bit) === 1 ? members.length - ones[bit]! : ones[bit]!;
    return sum;
  });
}
