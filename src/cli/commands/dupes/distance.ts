import { CANDIDATE_DISTANCE, candidateDistance, DEFAULT_OVERLAP } from '../../../duplicates/answer.ts';
import { type Label, type Scheme, schemeOf } from '../../../scheme/labels/label.ts';
import type { Arguments } from '../../command.ts';
import { wholeNumberOf } from '../../options.ts';

/** The largest distance that a search finds, by the bits of the fingerprints. */
export const MAX_DISTANCES: Readonly<Record<Scheme['bits'], number>> = { 64: 7, 256: 64 };

/**
 * The default distances. With verification, false candidates only cost time: the distance is chosen so that few matches are
 * missed. Without, it is that of a loose match for 256 bits (MIN-10), so that `compare` agrees.
 */
export const DEFAULT_DISTANCES: Readonly<Record<Label, { readonly verified: number; readonly unverified: number }>> = {
  'simhash-doc': { verified: 6, unverified: 3 },
  'simhash-doc+bg1': { verified: 6, unverified: 3 },
  'minhash-doc': { verified: MAX_DISTANCES[64], unverified: 3 },
  'minhash-doc-256': { verified: CANDIDATE_DISTANCE, unverified: 25 },
};

export function distanceOf(args: Arguments, label: string): number | undefined {
  return wholeNumberOf(args, 'distance', 0, MAX_DISTANCES[schemeOf(label).bits]);
}

/** Returns the default distance. For a smaller overlap, candidates of 256 bits are looked for farther away. */
export function defaultDistance(isVerified: boolean, label: string, minOverlap = DEFAULT_OVERLAP): number {
  const { verified, unverified } = DEFAULT_DISTANCES[schemeOf(label).label];
  if (!isVerified) return unverified;
  return schemeOf(label).words === 1 ? verified : candidateDistance(minOverlap);
}

/** The distance by which an index is asked: that of one word. */
export function wordDistance(k: number | undefined, isVerified: boolean, label: string): number {
  return schemeOf(label).words > 1 ? MAX_DISTANCES[64] : (k ?? defaultDistance(isVerified, label));
}
