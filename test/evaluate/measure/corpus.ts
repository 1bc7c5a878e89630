import type { Document } from '../sources/document.ts';
import { UNSPACED } from '../sources/edits.ts';
import { type Candidate, documentShares, type Fingerprints, makeFingerprints } from './candidates.ts';
import { findRelatedPairs, type RelatedPair } from './overlaps.ts';
import { type CountedTokens, countReading, createVocabulary, type Reading } from './readings.ts';

/** Documents, read and counted when a candidate first needs them so. */
export interface Corpus {
  readonly documents: readonly Document[];
  counted(reading: Reading): readonly CountedTokens[];
  fingerprints(candidate: Candidate): Fingerprints;
  /**
   * Pairs that are not false, judged by the tokens of `bg1`: in scripts with spaces the same as those of the bare scheme. In
   * others a bare token is a clause, and one changed character would make two clauses unlike.
   */
  related(): readonly RelatedPair[];
}

export function createCorpus(documents: readonly Document[]): Corpus {
  const vocabulary = createVocabulary();
  const readings = new Map<Reading, readonly CountedTokens[]>();
  const hasUnspaced = documents.some(({ text }) => UNSPACED.test(text));
  let related: readonly RelatedPair[] | undefined;
  const corpus: Corpus = {
    documents,
    counted(given) {
      const reading = given === 'bg1' && !hasUnspaced ? 'bare' : given;
      const known = readings.get(reading) ?? documents.map(({ text }) => countReading(text, reading, vocabulary));
      readings.set(reading, known);
      return known;
    },
    fingerprints(candidate) {
      const counted = corpus.counted(candidate.reading);
      const shareOf = candidate.name === 'idf' ? documentShares(counted, vocabulary) : undefined;
      return makeFingerprints(candidate, counted, vocabulary, shareOf);
    },
    related() {
      related ??= findRelatedPairs(corpus.counted('bg1'));
      return related;
    },
  };
  return corpus;
}
