import type { Document } from '../sources/files.ts';
import { findRelatedPairs, type RelatedPair } from './overlaps.ts';
import { type CountedTokens, countTokensOf, createVocabulary, type Vocabulary } from './readings.ts';

/** Documents with their counted tokens. */
export interface Corpus {
  readonly documents: readonly Document[];
  readonly vocabulary: Vocabulary;
  readonly counted: readonly CountedTokens[];
  /** Pairs that are not false. */
  readonly related: readonly RelatedPair[];
}

export function createCorpus(documents: readonly Document[]): Corpus {
  const vocabulary = createVocabulary();
  const counted = documents.map(({ text }) => countTokensOf(text, vocabulary));
  return { documents, vocabulary, counted, related: findRelatedPairs(counted) };
}
