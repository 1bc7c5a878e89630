import type { Collection } from '../collections.ts';
import type { CollectionSummary, ThresholdCurve } from '../results.ts';
import { CANDIDATES, makeFingerprints, makeSeeded } from './candidates.ts';
import { type Corpus, createCorpus } from './corpus.ts';
import { findRelatedPairs, GRAMS, type RelatedPair, TRUE_OVERLAP } from './overlaps.ts';
import { countIds, createVocabulary, gramsOf, idsOf } from './readings.ts';
import { measureThresholds } from './thresholds.ts';

export interface MeasuredCollection {
  readonly summary: CollectionSummary;
  readonly thresholds: readonly ThresholdCurve[];
  /** The same where the 5-grams of words decide what is true. */
  readonly grams: readonly ThresholdCurve[];
  readonly seeds: readonly ThresholdCurve[];
}

/** Measures candidates on all pairs of a collection; bg1 where a script is written without spaces. */
export function measureCollection({ name, title, kind, documents }: Collection): MeasuredCollection {
  const corpus = createCorpus(documents);
  const { related } = corpus;
  const byGrams = relatedByGrams(corpus);
  const hasUnspaced = documents.some(({ language }) => ['zh', 'ja', 'th', 'und'].includes(language));
  const measured = CANDIDATES.filter(({ label }) => label !== 'simhash-doc+bg1' || hasUnspaced).map((candidate) => {
    const fingerprints = makeFingerprints(candidate, documents);
    return [related, byGrams].map((pairs) => measureThresholds(name, candidate.name, pairs, fingerprints));
  });
  const truePairs = related.filter(({ overlap }) => overlap >= TRUE_OVERLAP).length;
  const pairs = (documents.length * (documents.length - 1)) / 2;
  const betweenPairs = related.length - truePairs;
  return {
    summary: { name, title, kind, documents: documents.length, pairs, truePairs, betweenPairs },
    thresholds: measured.map(([curve]) => curve!),
    grams: measured.map(([, curve]) => curve!),
    seeds: makeSeeded(corpus).map((made, word) => measureThresholds(name, `word ${word}`, related, made)),
  };
}

/** Pairs judged by the sets of 5-grams of words: the overlap of a true pair is made 1, that of others 0. */
function relatedByGrams({ documents, vocabulary }: Corpus): RelatedPair[] {
  const grams = createVocabulary();
  const counted = documents.map(({ text }) => countIds(gramsOf(idsOf(text, vocabulary), grams)));
  return findRelatedPairs(counted, GRAMS.false)
    .filter(({ setOverlap }) => setOverlap >= GRAMS.false)
    .map((pair) => ({ ...pair, overlap: pair.setOverlap >= GRAMS.true ? 1 : 0 }));
}
