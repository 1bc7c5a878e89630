import { assertInteger, assertOptions } from '../errors.ts';
import { DEFAULT_DISTANCE, distance } from '../scheme/compare.ts';
import { findAll, toArray } from './find-all.ts';
import { createFingerprintTable } from './segment/table.ts';

/** Fingerprints that belong together, by where they stand in what was searched. */
export interface Cluster {
  /** The member with the smallest sum of distances to all of them; of several, the first. */
  readonly representative: number;
  /** All members, the representative among them, ascending. At least two. */
  readonly members: readonly number[];
}

/** What {@link findClusters} looks for. */
export interface FindClustersOptions {
  /** The largest distance of two neighbours, 0 to 7. Default 3 (CMP-7). */
  readonly k?: number;
  /**
   * The largest distance of a member to the representative, 0 to 64. Default: none. Without it a cluster can be a long chain
   * of neighbours whose ends have little in common.
   */
  readonly maxSpread?: number;
}

/**
 * Finds clusters: sets of fingerprints in which one comes from each to each other by steps of distance k or less (the
 * connected components of the pairs that {@link findAll} finds). Equal fingerprints are always in one cluster.
 *
 * With `maxSpread`, a cluster in which a member is farther than that from the representative is split: its members are gone
 * through by their sum of distances to all members of the whole cluster, the smallest first, and for equal sums in the order
 * of the input. Each that no part has yet becomes the representative of a new part, which gets all members within
 * `maxSpread` of it that no part has yet. A part of one member is no cluster and is left out.
 * @param fingerprints - 64-bit numbers of one label
 * @param options - see {@link FindClustersOptions}
 * @returns the clusters, by their first member
 * @throws TypeError `wrong-type`, RangeError `out-of-range`
 * @see spec/simhash-doc.md#step-11
 */
export function findClusters(
  fingerprints: BigUint64Array | Iterable<bigint>,
  options: FindClustersOptions = {},
): Cluster[] {
  const list = toArray(fingerprints);
  assertOptions('options', options);
  const { k = DEFAULT_DISTANCE, maxSpread } = options;
  if (maxSpread !== undefined) assertInteger('maxSpread', maxSpread, 0, 64);
  const clusters = components(list, k).flatMap((members) => {
    const sums = sumsOfDistances(list, members);
    const order = members.map((_, i) => i).sort((a, b) => sums[a]! - sums[b]! || a - b);
    const representative = members[order[0]!]!;
    if (maxSpread === undefined || members.every((i) => distance(list[i]!, list[representative]!) <= maxSpread))
      return [{ representative, members }];
    return split(list, members, order, maxSpread);
  });
  return clusters.sort((a, b) => a.members[0]! - b.members[0]!);
}

/** The connected components of two or more, each ascending, by union-find over the pairs. */
function components(fingerprints: BigUint64Array, k: number): number[][] {
  const parents = new Uint32Array(fingerprints.length).map((_, i) => i);
  const rootOf = (i: number): number => {
    while (parents[i] !== i) {
      // Each place on the way is hung up one higher, so that ways stay short.
      parents[i] = parents[parents[i]!]!;
      i = parents[i]!;
    }
    return i;
  };
  for (const { a, b } of findAll(fingerprints, { k })) {
    const [rootA, rootB] = [rootOf(a), rootOf(b)];
    // The smaller number becomes the root: the first member of the component.
    if (rootA < rootB) parents[rootB] = rootA;
    else parents[rootA] = rootB;
  }
  const found = new Map<number, number[]>();
  for (let i = 0; i < parents.length; i++) {
    const root = rootOf(i);
    if (root === i) continue;
    const members = found.get(root);
    if (members === undefined) found.set(root, [root, i]);
    else members.push(i);
  }
  return [...found.values()];
}

/**
 * For each member the sum of its distances to all. Bit by bit it is the number of members that have the other bit there,
 * so that this takes linear time.
 */
function sumsOfDistances(fingerprints: BigUint64Array, members: readonly number[]): number[] {
  const halves = new Uint32Array(fingerprints.buffer, fingerprints.byteOffset, 2 * fingerprints.length);
  const ones = new Uint32Array(64);
  const bitOf = (i: number, bit: number): number => (halves[2 * i + (bit >> 5)]! >>> (bit & 31)) & 1;
  for (const i of members) for (let bit = 0; bit < 64; bit++) ones[bit]! += bitOf(i, bit);
  return members.map((i) => {
    let sum = 0;
    for (let bit = 0; bit < 64; bit++) sum += bitOf(i, bit) === 1 ? members.length - ones[bit]! : ones[bit]!;
    return sum;
  });
}

/** Splits a component, as {@link findClusters} says. */
function split(
  fingerprints: BigUint64Array,
  members: readonly number[],
  order: readonly number[],
  maxSpread: number,
): Cluster[] {
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
