import type { Collection } from '../collections.ts';
import type { BitStatistics, CandidateOdds, CollectionSummary, ThresholdCurve } from '../results.ts';
import { CANDIDATES, type Candidate } from './candidates.ts';
import { type Corpus, createCorpus } from './corpus.ts';
import { TRUE_OVERLAP } from './overlaps.ts';
import { histogramsOf, measureBits, measureCandidates, measureThresholds } from './thresholds.ts';

/** Candidates of which more is kept than their curve. */
const MAIN = ['bare', 'cap4', 'cap8', 'once', 'bg1', 'bg1+cap8'];
/** The registered labels. */
const BITS = ['bare', 'cap8', 'bg1', 'bg1+cap8'];

export interface MeasuredCollection {
  readonly summary: CollectionSummary;
  readonly thresholds: readonly ThresholdCurve[];
  readonly candidates: readonly CandidateOdds[];
  readonly bits: readonly BitStatistics[];
}

/**
 * Measures candidates on all pairs of a collection.
 * @param names - of the candidates; all that make sense if left out
 */
export function measureCollection(collection: Collection, names?: readonly string[]): MeasuredCollection {
  const corpus = createCorpus(collection.documents);
  const summary = summarise(collection, corpus);
  const thresholds: ThresholdCurve[] = [];
  const candidates: CandidateOdds[] = [];
  const bits: BitStatistics[] = [];
  for (const candidate of CANDIDATES) {
    if (names === undefined ? !isOf(candidate, summary) : !names.includes(candidate.name)) continue;
    const fingerprints = corpus.fingerprints(candidate);
    const histograms = histogramsOf(corpus, fingerprints);
    const about = [collection.name, candidate, histograms, summary.truePairs] as const;
    thresholds.push(measureThresholds(...about));
    if (!MAIN.includes(candidate.name)) continue;
    candidates.push(...measureCandidates(...about));
    if (BITS.includes(candidate.name))
      bits.push(measureBits(collection.name, candidate, fingerprints, histograms.false));
  }
  return { summary, thresholds, candidates, bits };
}

/** Pairs of characters are measured where there are scripts without spaces. */
function isOf({ reading }: Candidate, { languages }: CollectionSummary): boolean {
  return reading !== 'bg1' || languages.some((language) => ['zh', 'ja', 'th', 'und'].includes(language));
}

function summarise({ name, title, kind, documents }: Collection, corpus: Corpus): CollectionSummary {
  const lengths = corpus
    .counted('bare')
    .map(({ total }) => total)
    .sort((a, b) => a - b);
  const related = corpus.related();
  const truePairs = related.filter(({ overlap }) => overlap >= TRUE_OVERLAP).length;
  return {
    name,
    title,
    kind,
    languages: languagesOf(documents.map(({ language }) => language)),
    documents: documents.length,
    tokens: { least: lengths[0]!, median: lengths[lengths.length >> 1]!, most: lengths.at(-1)! },
    pairs: (documents.length * (documents.length - 1)) / 2,
    truePairs,
    betweenPairs: related.length - truePairs,
  };
}

function languagesOf(all: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const language of all) counts.set(language, (counts.get(language) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([language]) => language);
}
