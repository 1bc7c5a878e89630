import { type Document, evenly } from '../sources/document.ts';
import { cutWords, joinWords } from '../sources/edits.ts';

/** The words of each document; those of scripts without spaces are single characters. */
export type Words = readonly (readonly string[])[];

export function wordsOf(documents: readonly Document[]): Words {
  return documents.map(({ text }) => cutWords(text));
}

/**
 * Passages of exactly so many words: the middle of each document that is long enough, or if there are fewer than 100 of them,
 * successive documents put together and cut.
 * @param most - at most so many passages
 */
export function cutPassages(words: Words, length: number, most: number): string[][] {
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
export function asDocuments(passages: Words, language: string): Document[] {
  return passages.map((words, at) => ({ id: String(at), text: joinWords(words), language }));
}
