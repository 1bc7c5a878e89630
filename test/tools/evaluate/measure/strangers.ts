import { LABELS } from '../../../../src/index.ts';
import { createRandom } from '../../bench/corpus.ts';
import type { Collection } from '../collections.ts';
import { type EditedDistances, type StrangerDistances, thresholdsOf } from '../results.ts';
import { below, cutWords, EDITS, type Edit, joinWords } from '../sources/edits.ts';
import { type Document, evenly } from '../sources/files.ts';
import { type Candidate, candidatesOf, distanceBetween, makeFingerprints } from './candidates.ts';
import { createCorpus } from './corpus.ts';
import { overlapOf } from './overlaps.ts';
import { histogramsOf } from './thresholds.ts';

const SEED = 16;
/** A page, ten pages, a hundred. */
const LENGTH_CLASSES = [400, 4000, 40_000];
/** The measured edits: the length of the passages, the edit, its share and the languages. */
const MEASURED_EDITS = [
  [80, 'replaced', 0.05, 'en'],
  [400, 'replaced', 0.1, 'en'],
  [400, 'boilerplate', 0.1, 'en'],
  [400, 'boilerplate', 0.2, 'en'],
  [400, 'ocr', 0.1, 'en'],
  [4000, 'ocr', 0.05, 'en de zh ja'],
] as const;

/** The words of each document; those of scripts without spaces are single characters. */
type Words = readonly (readonly string[])[];

function wordsOf(documents: readonly Document[]): Words {
  return documents.map(({ text }) => cutWords(text));
}

/**
 * Passages of exactly so many words: the middle of each document that is long enough, or if there are fewer than 100 of them,
 * successive documents put together and cut.
 * @param most - at most so many passages
 */
function cutPassages(words: Words, length: number, most: number): string[][] {
  const long = words.filter((each) => each.length >= length);
  if (long.length >= 100)
    return evenly(long, most).map((each) => {
      const from = (each.length - length) >> 1;
      return each.slice(from, from + length);
    });
  const all = words.flat();
  const count = Math.floor(all.length / length);
  const passages = Array.from({ length: count }, (_, at) => all.slice(at * length, (at + 1) * length));
  return evenly(passages, most);
}

/** Passages as documents. */
function asDocuments(passages: Words, language: string): Document[] {
  return passages.map((words, at) => ({ id: String(at), text: joinWords(words), language }));
}

/** The labels that these measurements compare, for scripts with spaces and without. */
function comparedIn(language: string): Candidate[] {
  return candidatesOf(LABELS.filter((label) => label !== 'simhash-doc+bg1' || ['zh', 'ja'].includes(language)));
}

/** Distances between passages of documents that are unrelated. */
export function measureStrangers({ name, documents }: Collection, language: string): StrangerDistances[] {
  const words = wordsOf(documents);
  return LENGTH_CLASSES.flatMap((length) => {
    const passages = cutPassages(words, length, 600);
    if (passages.length < 10) return [];
    const corpus = createCorpus(asDocuments(passages, language));
    return comparedIn(language).map((candidate): StrangerDistances => {
      const histogram = [...histogramsOf(corpus.related, makeFingerprints(candidate, corpus.documents)).false];
      while (histogram.at(-1) === 0) histogram.pop();
      const about = { source: name, language, tokens: length, candidate: candidate.name };
      return { ...about, documents: passages.length, histogram };
    });
  });
}

/** Distances between passages and their edited copies. */
export function measureEdits({ documents }: Collection, language: string): EditedDistances[] {
  const words = wordsOf(documents);
  return MEASURED_EDITS.filter((each) => each[3].split(' ').includes(language)).flatMap(([tokens, edit, share]) => {
    const passages = cutPassages(words, tokens, tokens > 1000 ? 40 : 150);
    const { documents, counted } = createCorpus(withCopies(passages, EDITS[edit]!, share, language));
    const pairs = passages.map((_, at) => [at, passages.length + at] as const);
    const overlaps = pairs.map(([i, j]) => overlapOf(counted[i]!, counted[j]!));
    return comparedIn(language).map((candidate) => {
      const fingerprints = makeFingerprints(candidate, documents);
      const distances = pairs.map(([i, j]) => distanceBetween(fingerprints, i, j));
      return {
        ...{ language, tokens, edit, share, candidate: candidate.name, documents: pairs.length },
        within: thresholdsOf(candidate.bits).map((k) => distances.filter((distance) => distance <= k).length),
        meanDistance: meanOf(distances),
        meanOverlap: meanOf(overlaps),
      };
    });
  });
}

/** The passages, then an edited copy of each. Words that are added come from another passage. */
function withCopies(passages: Words, edit: Edit, share: number, language: string): Document[] {
  const random = createRandom(SEED);
  const copies = passages.map((words, at) => {
    const other = passages[(at + 1 + below(passages.length - 1, random)) % passages.length]!;
    return edit(words, share, other, random);
  });
  return asDocuments([...passages, ...copies], language);
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
