import { chainMembers } from '../lookup/find-clusters.ts';
import { distinct } from '../lookup/pairs/distinct.ts';
import { searchComponents } from './search.ts';
import type { Verifier } from './verify/verifier.ts';

/** What a component is divided by. */
export interface Division {
  /** Those of all documents. */
  readonly fingerprints: BigUint64Array;
  /** The largest distance. */
  readonly k: number;
  readonly minOverlap: number;
  /** How many worker threads search for pairs at most. */
  readonly maxWorkers?: number | undefined;
  readonly verifier: Pick<Verifier, 'survey' | 'mayOverlap'>;
}

/** How many pairs are tried, of documents with two fingerprints, before these are linked in any case. */
const MAX_TRIED = 64;

/**
 * Divides a connected component whose tokens cannot be held: reads its documents once, and links only those that may match by
 * their sketches. Documents that match are in the same part.
 * @param members - the documents of the component, ascending
 */
export async function* divide(
  members: readonly number[],
  { fingerprints: all, k, minOverlap, maxWorkers: most, verifier }: Division,
): AsyncGenerator<readonly number[], undefined> {
  await verifier.survey(members);
  const fingerprints = new BigUint64Array(new SharedArrayBuffer(8 * members.length));
  for (const [position, document] of members.entries()) fingerprints[position] = all[document]!;
  const mayMatch = (a: number, b: number): boolean => verifier.mayOverlap(members[a]!, members[b]!, minOverlap);
  const isLink = linksOfCopies(distinct(fingerprints).firsts, mayMatch);
  for (const positions of await searchComponents(fingerprints, { k, most, isLink }))
    yield positions.map((position) => members[position]!);
  return undefined;
}

/**
 * Tells whether two fingerprints are linked, given the first document of each: those with the same fingerprint stay together.
 * @param firsts - for each document the first one with its fingerprint
 */
function linksOfCopies(firsts: Uint32Array, mayMatch: (a: number, b: number) => boolean) {
  const next = chainMembers(firsts);
  return (firstA: number, firstB: number): boolean => {
    let tried = 0;
    let a = firstA;
    do {
      let b = firstB;
      do {
        if (mayMatch(a, b) || ++tried === MAX_TRIED) return true;
        b = next[b]!;
      } while (b !== 0);
      a = next[a]!;
    } while (a !== 0);
    return false;
  };
}
