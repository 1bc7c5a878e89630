import { createPathMatcher } from '../documents/path-globs.ts';
import { statOf } from '../documents/walk-plan.ts';
import { MEDIA } from '../extract/index.ts';
import type { Collection, Document } from './collect.ts';

export const KEEP_WORDS = ['first', 'longest', 'oldest', 'newest'] as const;

/** Kinds of documents, by the names of their extractors. */
export const KEEP_KINDS: readonly string[] = MEDIA;

/** Sorts documents, the one to keep first; equal ones stay in the order of the input. */
export type KeepOrder = (documents: readonly number[]) => readonly number[];

type Rank = (document: Document) => number;

/** Makes the order for `--keep`: undamaged documents first, then by words, kinds or globs of paths; one that ends with / is a folder. */
export async function createKeepOrder(criteria: readonly string[], { documents }: Collection): Promise<KeepOrder> {
  const rankings: Rank[] = [({ losses = [] }) => (losses.includes('damaged') ? 1 : 0)];
  for (const criterion of criteria) {
    if (criterion === 'first') break;
    rankings.push(await rankFor(criterion));
  }
  const known = new Map<number, readonly number[]>();
  function ranksOf(document: number): readonly number[] {
    const ranks = known.get(document) ?? rankings.map((rank) => rank(documents[document]!));
    known.set(document, ranks);
    return ranks;
  }
  return (list) =>
    [...list].sort((a, b) => {
      const [ofA, ofB] = [ranksOf(a), ranksOf(b)];
      const at = ofA.findIndex((rank, index) => rank !== ofB[index]);
      return at < 0 ? a - b : ofA[at]! - ofB[at]!;
    });
}

async function rankFor(criterion: string): Promise<Rank> {
  if (criterion === 'longest') return ({ tokens }) => -(tokens ?? 0);
  if (criterion === 'oldest') return (document) => timeOf(document) ?? Number.MAX_VALUE;
  if (criterion === 'newest') return (document) => -(timeOf(document) ?? -Number.MAX_VALUE);
  if (KEEP_KINDS.includes(criterion)) return ({ kind }) => (kind === criterion ? 0 : 1);
  const isMatch = await createPathMatcher([criterion.endsWith('/') ? `${criterion}**` : criterion]);
  return ({ place }) => (isMatch(place.path) ? 0 : 1);
}

/** Returns the time of the capture of a document, or of its file, in milliseconds. */
function timeOf({ place }: Document): number | null {
  const date = Date.parse(place.member?.date ?? '');
  if (!Number.isNaN(date)) return date;
  return statOf({ ...place, found: true })?.mtimeMs ?? null;
}
