import { createUint32List } from '../../lookup/number-list.ts';

/** Documents near another one, by their positions among those that are compared. */
export interface Candidates {
  readonly length: number;
  positionAt(index: number): number;
  distanceAt(index: number): number;
}

/** Finds documents near one, at positions from `from` up to `to` (default: all after). The result is valid until the next call. */
export type FindNear = (position: number, from: number, to?: number) => Candidates;

export function createCandidateList() {
  const [positions, distances] = [createUint32List(), createUint32List()];
  return {
    get length() {
      return positions.length;
    },
    positionAt: positions.get,
    distanceAt: distances.get,
    push(position: number, distance: number): void {
      positions.push(position);
      distances.push(distance);
    },
    clear(): void {
      positions.clear();
      distances.clear();
    },
  };
}
