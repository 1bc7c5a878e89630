import { statOf } from '../documents/plan.ts';
import { createPathMatcher } from '../documents/select/globs.ts';
import type { Collection, Document } from './collect.ts';

/** Which document of a group is kept. */
export const KEEP_CHOICES = ['first', 'longest', 'oldest', 'newest'] as const;

/** Sorts documents by how much they are to be kept; of equals, the earlier one in the input comes first. */
export type KeepOrder = (documents: readonly number[]) => readonly number[];

/**
 * Makes the order for `--keep`.
 * @param keep - one of {@link KEEP_CHOICES}, or a glob: what matches it is kept
 * @param collection - the documents
 */
export async function createKeepOrder(keep: string, { documents }: Collection): Promise<KeepOrder> {
  const rankOf = await rankFor(keep);
  if (rankOf === null) return (list) => [...list].sort((a, b) => a - b);
  const ranks = new Map<number, number>();
  return (list) => {
    for (const document of list) if (!ranks.has(document)) ranks.set(document, rankOf(documents[document]!));
    return [...list].sort((a, b) => ranks.get(a)! - ranks.get(b)! || a - b);
  };
}

/** How much a document is to be kept: the smaller, the more. Null for the order of the input. */
async function rankFor(keep: string): Promise<((document: Document) => number) | null> {
  if (keep === 'first') return null;
  if (keep === 'longest') return ({ tokens }) => -(tokens ?? 0);
  if (keep === 'oldest') return (document) => timeOf(document) ?? Number.MAX_VALUE;
  if (keep === 'newest') return (document) => -(timeOf(document) ?? -Number.MAX_VALUE);
  const isMatch = await createPathMatcher([keep]);
  return ({ place }) => (isMatch(place.path) ? 0 : 1);
}

/** When a document was captured, or its file written, in milliseconds. */
function timeOf({ place }: Document): number | null {
  const date = Date.parse(place.member?.date ?? '');
  if (!Number.isNaN(date)) return date;
  return statOf({ ...place, found: true })?.mtimeMs ?? null;
}
