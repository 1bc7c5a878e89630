import { distance as distanceOf } from '../../index.ts';
import { createFingerprintTable } from '../../lookup/segment/table.ts';
import { createCandidateList, type FindNear } from './candidates.ts';

/** The number of fingerprints up to which comparing all takes less time than building tables for them. */
const MAX_COMPARED = 1024;

/** Finds the fingerprints of 64 bits within `k` of a given one, among the first `size`. */
export function createNarrowNear(fingerprints: BigUint64Array, k: number, size: number): FindNear {
  return size <= MAX_COMPARED ? compareAll(fingerprints, k, size) : lookUp(fingerprints, k, size);
}

function compareAll(fingerprints: BigUint64Array, k: number, size: number): FindNear {
  const list = createCandidateList();
  return (position, from, to = size) => {
    list.clear();
    const own = fingerprints[position]!;
    for (let other = from; other < to; other++) {
      const distance = distanceOf(own, fingerprints[other]!);
      if (distance <= k && other !== position) list.push(other, distance);
    }
    return list;
  };
}

function lookUp(fingerprints: BigUint64Array, k: number, size: number): FindNear {
  const table = createFingerprintTable();
  table.addAll(fingerprints.subarray(0, size));
  const list = createCandidateList();
  return (position, from, to = size) => {
    list.clear();
    const { count, positions, distances } = table.query(fingerprints[position]!, k);
    for (let i = 0; i < count; i++) {
      const other = positions[i]!;
      if (other >= from && other < to && other !== position) list.push(other, distances[i]!);
    }
    return list;
  };
}
