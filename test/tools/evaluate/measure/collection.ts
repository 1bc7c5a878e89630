import type { Collection } from '../collections.ts';
import type { CollectionSummary, GramCurve, ThresholdCurve } from '../results.ts';
import { CANDIDATES, type Candidate } from './candidates.ts';
import { type Corpus, createCorpus } from './corpus.ts';
import { TRUE_OVERLAP } from './overlaps.ts';
import { histogramsOf, measureThresholds } from './thresholds.ts';

export interface MeasuredCollection {
  readonly summary: CollectionSummary;
  readonly thresholds: readonly ThresholdCurve[];
  /** The same where the 5-grams of words decide what is true. */
  readonly grams: readonly GramCurve[];
  readonly seeds: readonly ThresholdCurve[];
}

/**
 * Measures candidates on all pairs of a collection.
 * @param names - of the candidates; all that make sense if left out
 */
export function measureCollection(collection: Collection, names?: readonly string[]): MeasuredCollection {
  const corpus = createCorpus(collection.documents);
  const summary = summarise(collection, corpus);
  const thresholds: ThresholdCurve[] = [];
  const grams: GramCurve[] = [];
  const byGrams = corpus.relatedByGrams();
  const truePairs = byGrams.filter(({ overlap }) => overlap === 1).length;
  for (const candidate of CANDIDATES) {
    if (names === undefined ? !isOf(candidate, collection) : !names.includes(candidate.name)) continue;
    const fingerprints = corpus.fingerprints(candidate);
    const histograms = histogramsOf(corpus, fingerprints);
    thresholds.push(measureThresholds(collection.name, candidate, histograms, summary.truePairs));
    const gramHistograms = histogramsOf({ ...corpus, related: () => byGrams }, fingerprints);
    grams.push({ ...measureThresholds(collection.name, candidate, gramHistograms, truePairs), truePairs });
  }
  const seeds = corpus.seeded().map((fingerprints, word) => {
    const candidate = { name: `word ${word}`, bits: 64 } as const;
    return measureThresholds(collection.name, candidate, histogramsOf(corpus, fingerprints), summary.truePairs);
  });
  return { summary, thresholds, grams, seeds };
}

/** Tests whether variant bg1 is measured: in scripts without spaces. */
function isOf({ label }: Candidate, { documents }: Collection): boolean {
  return label !== 'simhash-doc+bg1' || documents.some(({ language }) => ['zh', 'ja', 'th', 'und'].includes(language));
}

function summarise({ name, title, kind, documents }: Collection, corpus: Corpus): CollectionSummary {
  const related = corpus.related();
  const truePairs = related.filter(({ overlap }) => overlap >= TRUE_OVERLAP).length;
  return {
    name,
    title,
    kind,
    documents: documents.length,
    pairs: (documents.length * (documents.length - 1)) / 2,
    truePairs,
    betweenPairs: related.length - truePairs,
  };
}
