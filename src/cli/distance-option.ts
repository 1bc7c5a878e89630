import { CANDIDATE_DISTANCE, candidateDistance, DEFAULT_OVERLAP } from '../duplicates/answer.ts';
import { type Label, type Scheme, schemeOf } from '../scheme/labels/label.ts';
import type { Arguments } from './command.ts';
import { wholeNumberOf } from './options.ts';

/** The largest distance that a search finds, by the bits of the fingerprints. */
export const MAX_DISTANCES: Readonly<Record<Scheme['bits'], number>> = { 64: 7, 256: 64 };

/** The default distances: few matches are missed with verification; without, 256 bits are a loose match (MIN-10), as in `compare`. */
export const DEFAULT_DISTANCES: Readonly<Record<Label, { readonly verified: number; readonly unverified: number }>> = {
  'simhash-doc': { verified: 6, unverified: 3 },
  'simhash-doc+bg1': { verified: 6, unverified: 3 },
  'minhash-doc': { verified: MAX_DISTANCES[64], unverified: 3 },
  'minhash-doc-256': { verified: CANDIDATE_DISTANCE, unverified: 25 },
};

/** The rule for the defaults of -k, for the help of each command that has it. */
export const DISTANCE_RULE = `The default of -k is wide where documents are read again, so that little is missed (48 of 256 bits, more with a --min-overlap below
0.8; 7 of 64, 6 with simhash-doc), and narrow where fingerprints alone decide, so that little is false (25 of 256, 3 of 64). An index and SQL look
for one of the four words of 256 bits: with K in that word in an index (3, with --verify 7), and with K in all of them in SQL (15).`;

export function distanceOf(args: Arguments, label: string): number | undefined {
  return wholeNumberOf(args, 'distance', 0, MAX_DISTANCES[schemeOf(label).bits]);
}

/** Returns the default distance. For a smaller overlap, candidates of 256 bits are looked for farther away. */
export function defaultDistance(isVerified: boolean, label: string, minOverlap = DEFAULT_OVERLAP): number {
  const { verified, unverified } = DEFAULT_DISTANCES[schemeOf(label).label];
  if (!isVerified) return unverified;
  return schemeOf(label).words === 1 ? verified : candidateDistance(minOverlap);
}

/** The distance by which an index is asked: of one word. */
export function wordDistance(k: number | undefined, isVerified: boolean, label: string): number {
  return schemeOf(label).words > 1 ? MAX_DISTANCES[64] : (k ?? defaultDistance(isVerified, label));
}
