import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countTokens,
  distance,
  type Fingerprint,
  fingerprint,
  LABELS,
  overlap,
  tableKeys,
  tokenise,
} from '../../../src/index.ts';
import { wordsOf } from '../../../src/scheme/labels/fingerprint.ts';
import { forAll } from '../../suite.ts';
import { createRandom } from '../bench/corpus.ts';
import { ANY_WORD, candidatesOf, distanceBetween, makeFingerprints, makeSeeded, within } from './measure/candidates.ts';
import { measureCollection } from './measure/collection.ts';
import { createCorpus } from './measure/corpus.ts';
import { overlapOf } from './measure/overlaps.ts';
import { histogramsOf, keyOf } from './measure/thresholds.ts';
import { judgeRemovals } from './rivals/removals.ts';
import { cutWords, EDITS, joinWords } from './sources/edits.ts';
import { textOfManPage } from './sources/files.ts';
import { makeDocuments } from './sources/seeded.ts';

const documents = makeDocuments(7, 1);
const corpus = createCorpus(documents);
const pairs = documents.flatMap((_, j) => Array.from({ length: j }, (_, i): [number, number] => [i, j]));

describe('documents from a seed', () => {
  it('are the same each time, and include copies', () => {
    expect(makeDocuments(7, 1)).toEqual(documents);
    expect(new Set(documents.map(({ group }) => group)).size).toBeLessThan(0.75 * documents.length);
  });
});

describe('candidates', () => {
  const fingerprintsOf = (label: string): Fingerprint[] =>
    documents.map(({ text }) => fingerprint(text, { label }) as Fingerprint);

  it.each(LABELS)('%s has the distances of the library', (label) => {
    const [candidate] = candidatesOf([label]);
    const made = fingerprintsOf(label);
    const fingerprints = makeFingerprints(candidate!, documents);
    expect(candidate!.bits).toBe(64 * wordsOf('fingerprint', made[0]!).length);
    for (const [i, j] of pairs) expect(distanceBetween(fingerprints, i, j)).toBe(distance(made[i]!, made[j]!));
  });

  it('take the nearest word as the distance of a lookup', () => {
    const words = fingerprintsOf('minhash-doc-256').map((made) => wordsOf('fingerprint', made));
    const [candidate] = candidatesOf([ANY_WORD]);
    const fingerprints = makeFingerprints(candidate!, documents);
    for (const [i, j] of pairs) {
      const nearest = Math.min(...words[i]!.map((word, at) => distance(word, words[j]![at]!)));
      expect(distanceBetween(fingerprints, i, j)).toBe(nearest);
    }
  });

  it('have hash seeds of which the first four are the words of minhash-doc-256', () => {
    const seeded = makeSeeded(corpus);
    for (const [document, made] of fingerprintsOf('minhash-doc-256').entries()) {
      const words = seeded.map(({ lanes: [highs, lows] }) => {
        return (BigInt(highs![document]! >>> 0) << 32n) | BigInt(lows![document]! >>> 0);
      });
      expect(words.slice(0, 4)).toEqual(wordsOf('fingerprint', made));
      expect(new Set(words).size).toBe(words.length);
    }
  });

  it('make words 4 to 7 with draws 512 to 1023', () => {
    const [document] = documents;
    const hashes = new Set(countTokens(document!.text, { label: 'minhash-doc' }).hashes);
    const word = makeSeeded(corpus)[5]!;
    expect([word.lanes[0]![0]! >>> 0, word.lanes[1]![0]! >>> 0]).toEqual(naiveWord(hashes, 5));
  });
});

/** A word of one-bit MinHash, straight from MIN-2 to MIN-5. */
function naiveWord(hashes: Iterable<bigint>, word: number): number[] {
  const u64 = (value: bigint) => BigInt.asUintN(64, value);
  const draw = (hash: bigint, n: number): bigint => {
    let z = u64(hash + BigInt(n + 1) * 0x9e3779b97f4a7c15n);
    z = u64((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = u64((z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    return z ^ (z >> 31n);
  };
  const winners = new Map<number, { round: number; value: bigint }>();
  for (const hash of hashes)
    for (let round = 0; round < 128; round++) {
      const value = draw(hash, 128 * word + round);
      const bin = round < 64 ? Number(value >> 58n) : round - 64;
      const winner = winners.get(bin);
      if (winner === undefined || round < winner.round || (round === winner.round && value < winner.value))
        winners.set(bin, { round, value });
    }
  const half = (from: number) => Array.from({ length: 32 }, (_, bit) => Number(winners.get(from + bit)!.value & 1n));
  return [0, 32].map((from) => Number.parseInt(half(from).join(''), 2));
}

describe('pairs', () => {
  const counts = documents.map(({ text }) => countTokens(text, { label: 'simhash-doc+bg1' }));
  const sets = counts.map(({ hashes }) => new Set(hashes));
  const naive = pairs.map(([i, j]) => {
    const common = [...sets[i]!].filter((hash) => sets[j]!.has(hash)).length;
    const setOverlap = common / (sets[i]!.size + sets[j]!.size - common);
    return { i, j, overlap: overlap(counts[i]!, counts[j]!), setOverlap };
  });

  it('are those whose tokens overlap by half, counted by the library', () => {
    const related = naive.filter((pair) => pair.overlap >= 0.5 || pair.setOverlap >= 0.5);
    expect(related.length).toBeGreaterThan(15);
    expect(corpus.related).toEqual(related);
    const { counted } = corpus;
    for (const { i, j, overlap } of related) expect(overlapOf(counted[i]!, counted[j]!)).toBe(overlap);
  });

  it.each(['simhash-doc+bg1', 'minhash-doc-256'])('are counted at their distances of %s by kind', (label) => {
    const [candidate] = candidatesOf([label]);
    const histograms = histogramsOf(corpus.related, makeFingerprints(candidate!, documents));
    const made = documents.map(({ text }) => fingerprint(text, { label }) as Fingerprint);
    const empty = () => new Float64Array(candidate!.bits + 1);
    const expected = { true: empty(), between: empty(), false: empty() };
    for (const { i, j, overlap, setOverlap } of naive) {
      const bits = distance(made[i]!, made[j]!);
      if (overlap >= 0.8) expected.true[bits]!++;
      else if (overlap >= 0.5 || setOverlap >= 0.5) expected.between[bits]!++;
      else expected.false[bits]!++;
    }
    expect(histograms).toEqual(expected);
  });

  it('give precision and recall at each threshold', () => {
    const measured = measureCollection({ name: 'small', title: 'small', kind: 'generated', documents });
    const { summary, thresholds, seeds } = measured;
    expect(summary.truePairs + summary.betweenPairs).toBe(corpus.related.length);
    expect(thresholds.map((curve) => curve.true.length)).toEqual([17, 17, 17, 65, 17]);
    expect(seeds.map(({ candidate }) => candidate)).toContain('word 7');
    const curve = thresholds.find(({ candidate }) => candidate === 'minhash-doc-256');
    expect(curve!.true.at(-1)).toBeGreaterThan(0.9 * summary.truePairs);
    expect(curve!.best!.recall).toBe(curve!.true[curve!.best!.k]! / summary.truePairs);
  });

  it('have the same keys of the tables where the library does', () => {
    const random = createRandom(1);
    // Few values of each half, so that many keys are the same.
    const halves = Array.from({ length: 50 }, () => [0, 1].map(() => [random(), 0, 1][random() % 3]! >>> 0));
    const keys = halves.map(([high, low]) => tableKeys((BigInt(high!) << 32n) | BigInt(low!)));
    for (const [i, [a, b]] of halves.entries())
      for (const [j, [c, d]] of halves.entries())
        for (const table of keys[i]!.keys())
          expect(keyOf(a!, b!, table) === keyOf(c!, d!, table)).toBe(keys[i]![table] === keys[j]![table]);
  });
});

it('what is removed is right, wrong or in between, and what is left is missed', () => {
  const pair = (i: number, j: number, overlap: number) => ({ i, j, overlap, setOverlap: overlap });
  const texts = ['a', 'a', 'b', 'c', 'c', 'c'].map((group, at) => ({
    id: String(at),
    text: '',
    language: 'en',
    group,
  }));
  const related = [pair(0, 1, 0.9), pair(0, 2, 0.6), pair(4, 5, 0.8)];
  expect(judgeRemovals(texts, related, new Set([0, 4, 5]))).toEqual({
    ...{ documents: 6, removed: 3, right: 1, wrong: 1, missed: 1, versions: 2 },
  });
});

it('a histogram is summed up to each k', () => {
  expect(within([1, 0, 2, 5], [0, 1, 2, 3, 9])).toEqual([1, 1, 3, 8, 8]);
});

describe('edits', () => {
  const words = cutWords(documents[3]!.text);
  const other = cutWords(documents[5]!.text);

  it.each(Object.entries(EDITS))('are the same each time, and change about their share: %s', (_, edit) => {
    for (const share of [0.01, 0.05, 0.2]) {
      const [once, twice] = [edit(words, share, other, createRandom(1)), edit(words, share, other, createRandom(1))];
      expect(once).toEqual(twice);
      expect(Math.abs(once.length / words.length - 1)).toBeLessThan(share + 0.1);
    }
  });

  it('restore the words that they split', () => {
    forAll([fc.stringMatching(/^(?:[a-zа-я東京ขア]{1,9}[ .]?){0,20}$/)], 100, (text) => {
      const tokensOf = (given: string) => tokenise(given).map((token) => token.text);
      const spaced = text.replace(/([東京ขア]) +(?=[a-zа-я東京ขア])|([a-zа-я]) +(?=[東京ขア])/g, '$1$2');
      expect(tokensOf(joinWords(cutWords(text)))).toEqual(tokensOf(spaced));
    });
  });
});

it('manual pages are read without their markup', () => {
  const page = '.\\" comment\n.TH X 1\n.SH "SEE ALSO"\n.BR ls (1)\nA\\-b \\fIc\\fP \\(lqd\\(rq\n.nh\n';
  expect(textOfManPage(page).split(/\s+/).filter(Boolean)).toEqual(['SEE', 'ALSO', 'ls', '(1)', 'A-b', 'c', '“d”']);
});
