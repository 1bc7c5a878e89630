import type { Collection } from '../collections.ts';
import { type RevisionDistances, thresholdsOf } from '../results.ts';
import { candidatesOf, distanceBetween, within } from './candidates.ts';
import { createCorpus } from './corpus.ts';
import { overlapOf } from './overlaps.ts';

const BOUNDS = [0, 0.2, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1.01];

/** Distances of documents to the next release of each, by how much of it stayed. */
export function measureRevisions({ name, documents }: Collection): RevisionDistances[] {
  const corpus = createCorpus(documents);
  const counted = corpus.counted('bg1');
  const pairs = successivePairs(documents.map(({ group }) => group)).map(([i, j]) => ({
    i,
    j,
    overlap: overlapOf(counted[i]!, counted[j]!),
  }));
  return candidatesOf(['simhash-doc', 'minhash-doc', 'minhash-doc-256']).flatMap((candidate) => {
    const fingerprints = corpus.fingerprints(candidate);
    return BOUNDS.slice(1).map((below, at): RevisionDistances => {
      const from = BOUNDS[at]!;
      const histogram = new Float64Array(candidate.bits + 1);
      let [count, bits] = [0, 0];
      for (const { i, j, overlap } of pairs) {
        if (overlap < from || overlap >= below) continue;
        const distance = distanceBetween(fingerprints, i, j);
        histogram[distance]!++;
        count++;
        bits += distance;
      }
      return {
        collection: name,
        candidate: candidate.name,
        overlap: [from, below],
        pairs: count,
        within: within(histogram, thresholdsOf(candidate.bits)),
        meanDistance: count === 0 ? 0 : bits / count,
      };
    });
  });
}

/** Each document and the next of its group. */
function successivePairs(groups: readonly (string | undefined)[]): [number, number][] {
  const last = new Map<string, number>();
  return groups.flatMap((group, at): [number, number][] => {
    if (group === undefined) return [];
    const before = last.get(group);
    last.set(group, at);
    return before === undefined ? [] : [[before, at]];
  });
}
