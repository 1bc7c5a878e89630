import { distance as distanceOf } from '../index.ts';
import { createFingerprintTable } from '../lookup/segment/table.ts';

/** A document near another one, by its position among those that are compared. */
export interface Candidate {
  readonly position: number;
  readonly distance: number;
}

/** Finds the documents near one, from a position on, the nearest first. */
export type FindNear = (position: number, from: number) => Candidate[];

/** Up to so many fingerprints, comparing all takes less time than building tables for them. */
const MAX_COMPARED = 1024;

/**
 * Prepares the search for near documents in a set of them.
 * @param fingerprints - theirs, in the order of their positions
 * @param k - the largest distance
 */
export function createFindNear(fingerprints: BigUint64Array, k: number): FindNear {
  const candidatesAt = fingerprints.length <= MAX_COMPARED ? compareAll(fingerprints, k) : lookUp(fingerprints, k);
  return (position, from) =>
    candidatesAt(position, from).sort((a, b) => a.distance - b.distance || a.position - b.position);
}

function compareAll(fingerprints: BigUint64Array, k: number): FindNear {
  return (position, from) => {
    const near: Candidate[] = [];
    const own = fingerprints[position]!;
    for (let other = from; other < fingerprints.length; other++) {
      const distance = distanceOf(own, fingerprints[other]!);
      if (distance <= k && other !== position) near.push({ position: other, distance });
    }
    return near;
  };
}

function lookUp(fingerprints: BigUint64Array, k: number): FindNear {
  const table = createFingerprintTable();
  table.addAll(fingerprints);
  return (position, from) => {
    const { count, positions, distances } = table.query(fingerprints[position]!, k);
    const near: Candidate[] = [];
    for (let i = 0; i < count; i++) {
      const candidate = { position: positions[i]!, distance: distances[i]! };
      if (candidate.position >= from && candidate.position !== position) near.push(candidate);
    }
    return near;
  };
}
