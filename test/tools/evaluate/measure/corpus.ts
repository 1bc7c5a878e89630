import { UNSPACED } from '../sources/edits.ts';
import type { Document } from '../sources/files.ts';
import { type Candidate, type Fingerprints, makeFingerprints, makeSeeded } from './candidates.ts';
import { findRelatedPairs, GRAMS, type RelatedPair } from './overlaps.ts';
import {
  type CountedTokens,
  countIds,
  countReading,
  createVocabulary,
  gramsOf,
  idsOf,
  type Reading,
} from './readings.ts';

/** Documents, read and counted when a candidate first needs them so. */
export interface Corpus {
  readonly documents: readonly Document[];
  counted(reading: Reading): readonly CountedTokens[];
  fingerprints(candidate: Candidate): Fingerprints;
  /** One-bit MinHash with several hash seeds. */
  seeded(): Fingerprints[];
  /**
   * Pairs that are not false, judged by the tokens of `bg1`: in scripts with spaces the same as those of the bare scheme. In
   * others a bare token is a clause, and one changed character would make two clauses unlike.
   */
  related(): readonly RelatedPair[];
  /** The same judged by the sets of 5-grams of words: the overlap of a true pair is made 1, that of others 0. */
  relatedByGrams(): readonly RelatedPair[];
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
    fingerprints({ label, bits }) {
      return makeFingerprints(label, bits, documents);
    },
    seeded() {
      return makeSeeded(corpus.counted('bg1'), vocabulary);
    },
    related() {
      related ??= findRelatedPairs(corpus.counted('bg1'));
      return related;
    },
    relatedByGrams() {
      const grams = createVocabulary();
      const counted = documents.map(({ text }) => countIds(gramsOf(idsOf(text, 'bg1', vocabulary), grams)));
      return findRelatedPairs(counted, GRAMS.false)
        .filter(({ setOverlap }) => setOverlap >= GRAMS.false)
        .map((pair) => ({ ...pair, overlap: pair.setOverlap >= GRAMS.true ? 1 : 0 }));
    },
  };
  return corpus;
}
