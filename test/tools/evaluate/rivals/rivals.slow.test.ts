import { expect, test } from 'vitest';
import { distance, fingerprint } from '../../../../src/index.ts';
import { createRandom } from '../../bench/corpus.ts';
import { installPackages } from '../sources/packages.ts';
import { measureMethods } from './rivals.ts';

const DOCUMENTS = 40;
const COPIES = 10;

/** Texts of random words, then copies of the first with one word changed. */
function makeTexts(): string[] {
  const random = createRandom(1);
  const texts = Array.from({ length: DOCUMENTS }, () => Array.from({ length: 300 }, () => `w${random() % 3000}x`));
  const copies = texts.slice(0, COPIES).map((words) => words.with(150, 'changed'));
  return [...texts, ...copies].map((words) => words.join(' '));
}

test('every method finds copies with one word changed, and counts every pair once', () => {
  const texts = makeTexts();
  const copies = Array.from({ length: COPIES }, (_, at): [number, number] => [at, DOCUMENTS + at]);
  // A text without tokens in front: places of pairs move.
  const input = {
    collection: 'copies',
    texts: ['1 2 3', ...texts],
    pairs: { true: copies.map(([a, b]): [number, number] => [a + 1, b + 1]), between: [] },
  };
  const measurements = measureMethods(input, installPackages());
  expect(measurements.length).toBe(17);
  for (const { method, missing, within, best, truePairs, documents, documentsPerSecond } of measurements) {
    if (missing !== undefined) {
      expect(missing).not.toBe('');
      if (process.env['SIMHASH_DOC_REQUIRE_ALL'] === '1') expect(method).toBe('installed');
      continue;
    }
    expect([truePairs, documents], method).toEqual([COPIES, texts.length]);
    expect(documentsPerSecond, method).toBeGreaterThan(1);
    expect(within!.at(-1)!.true, method).toBe(COPIES);
    expect(best!.recall, method).toBeGreaterThan(0.5);
    const { true: found, between, false: wrong } = within!.at(-1)!;
    expect(found + between + wrong, method).toBeLessThanOrEqual((texts.length * (texts.length - 1)) / 2);
  }
  const ofCopies = copies.map(([a, b]) => distance(fingerprint(texts[a]!)!, fingerprint(texts[b]!)!));
  const bare = measurements.find(({ method }) => method === 'simhash-doc')!;
  for (const { at, true: found } of bare.within!) expect(found).toBe(ofCopies.filter((each) => each <= at).length);
});
