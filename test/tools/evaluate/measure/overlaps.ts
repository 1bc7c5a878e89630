import type { CountedTokens } from './readings.ts';

/** Two documents are a true pair from this weighted Jaccard similarity on. */
export const TRUE_OVERLAP = 0.8;
/** They are a false pair if they are below this, both as multisets and as sets. */
const FALSE_OVERLAP = 0.5;
/** Judged by the sets of their 5-grams of words, true and false pairs are those from and below these resemblances. */
export const GRAMS = { true: 0.5, false: 0.2 } as const;

/** Two documents that are not a false pair. */
export interface RelatedPair {
  readonly i: number;
  readonly j: number;
  /** Σ min / Σ max of the counts. */
  readonly overlap: number;
  /** Common tokens / all tokens. */
  readonly setOverlap: number;
}

/**
 * All pairs of documents that are not false, with their exact similarities: for each document, what it has in common with
 * each document before it is added up along the lists of the documents that contain a token.
 * @param bound - below it, a pair is false
 */
export function findRelatedPairs(documents: readonly CountedTokens[], bound = FALSE_OVERLAP): RelatedPair[] {
  const postings = new Map<number, { documents: number[]; counts: number[] }>();
  const common = new Int32Array(documents.length);
  const commonDistinct = new Int32Array(documents.length);
  const related: RelatedPair[] = [];
  documents.forEach(({ ids, counts, total }, j) => {
    common.fill(0);
    commonDistinct.fill(0);
    for (let at = 0; at < ids.length; at++) {
      const count = counts[at]!;
      const list = postings.get(ids[at]!) ?? { documents: [], counts: [] };
      postings.set(ids[at]!, list);
      for (let n = 0; n < list.documents.length; n++) {
        const i = list.documents[n]!;
        common[i]! += Math.min(count, list.counts[n]!);
        commonDistinct[i]!++;
      }
      list.documents.push(j);
      list.counts.push(count);
    }
    for (let i = 0; i < j; i++) {
      const overlap = common[i]! / (total + documents[i]!.total - common[i]!);
      const setOverlap = commonDistinct[i]! / (ids.length + documents[i]!.ids.length - commonDistinct[i]!);
      if (overlap >= bound || setOverlap >= bound) related.push({ i, j, overlap, setOverlap });
    }
  });
  return related;
}

/** The weighted Jaccard similarity of two documents; 0 if neither has a token. */
export function overlapOf(a: CountedTokens, b: CountedTokens): number {
  let common = 0;
  for (let i = 0, j = 0; i < a.ids.length && j < b.ids.length; ) {
    const order = a.ids[i]! - b.ids[j]!;
    if (order === 0) common += Math.min(a.counts[i++]!, b.counts[j++]!);
    else if (order < 0) i++;
    else j++;
  }
  const all = a.total + b.total - common;
  return all === 0 ? 0 : common / all;
}
