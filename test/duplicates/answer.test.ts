import { expect, test } from 'vitest';
import { answerOf } from '../../src/duplicates/answer.ts';

const measured = { label: 'minhash-doc-256', distance: 12, overlap: 0.91 };

test.each([
  [{}, true, 'near-duplicate: 91 % of the words are shared; distance 12 of 256'],
  [{ label: 'simhash-doc' }, true, 'near-duplicate: 91 % of the words are shared; distance 12 of 64'],
  [{ overlap: 0.8 }, true, 'near-duplicate: 80 % of the words are shared; distance 12 of 256'],
  [{ overlap: 0.57, minOverlap: 0.5 }, true, 'near-duplicate: 57 % of the words are shared; distance 12 of 256'],
  [{ overlap: 0.7999 }, false, 'not near-duplicates: 79 % of the words are shared; distance 12 of 256'],
  [{ minOverlap: 0.95 }, false, 'not near-duplicates: 91 % of the words are shared; distance 12 of 256'],
  [{ overlap: 0.001 }, false, 'not near-duplicates: less than 1 % of the words are shared; distance 12 of 256'],
  [{ overlap: 0 }, false, 'not near-duplicates: 0 % of the words are shared; distance 12 of 256'],
  [{ overlap: 1, distance: 0 }, true, 'same words; distance 0 of 256'],
])('documents are compared by the overlap of their words: %j', (measures, isNear, sentence) => {
  expect(answerOf({ ...measured, ...measures })).toEqual({ isNear, sentence });
});

test.each([
  [0, 'fingerprints are equal: distance 0 of 256'],
  [25, 'fingerprints are near: distance 25 of 256'],
  [26, 'fingerprints are not near: distance 26 of 256'],
])('fingerprints alone are near up to the distance of a loose match: %i', (distance, sentence) => {
  expect(answerOf({ ...measured, distance, overlap: null })).toEqual({ isNear: distance < 26, sentence });
});

test('fingerprints alone may have another limit', () => {
  const measures = { ...measured, overlap: null, distance: 56 };
  expect([55, 56].map((maxDistance) => answerOf({ ...measures, maxDistance }).isNear)).toEqual([false, true]);
});

test('the answer names differences other than in the words', () => {
  const sentenceOf = (overlap: number, ...differs: string[]): string =>
    answerOf({ ...measured, overlap, differs }).sentence;
  expect(sentenceOf(0.91, 'numbers')).toBe(
    'near-duplicate, but numbers differ: 91 % of the words are shared; distance 12 of 256',
  );
  expect(sentenceOf(1, 'numbers', 'locators', 'characters')).toBe(
    'same words, but numbers, locators and other characters differ; distance 12 of 256',
  );
  expect(sentenceOf(1, 'order')).toBe('same words, but word order differs; distance 12 of 256');
  expect(sentenceOf(0.2, 'numbers')).not.toContain('numbers');
});
