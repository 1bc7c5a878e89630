import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countTokens, distance, fingerprint, LABELS, overlap, tokenise } from '../../src/index.ts';
import { createRandom } from '../bench/corpus.ts';
import { CANDIDATES, candidatesOf, within } from './measure/candidates.ts';
import { measureCollection } from './measure/collection.ts';
import { createCorpus } from './measure/corpus.ts';
import { overlapOf } from './measure/overlaps.ts';
import { createVocabulary, idsOf } from './measure/readings.ts';
import { shareWithin } from './measure/tail.ts';
import { histogramsOf } from './measure/thresholds.ts';
import { cutWords, EDITS, joinWords } from './sources/edits.ts';
import { textOfManPage } from './sources/man-page.ts';
import { makeDocuments } from './sources/seeded.ts';

const documents = makeDocuments(7, 1);
const corpus = createCorpus(documents);
const pairs = documents.flatMap((_, j) => Array.from({ length: j }, (_, i): [number, number] => [i, j]));

describe('documents from a seed', () => {
  it('are the same each time, and have copies', () => {
    expect(makeDocuments(7, 1)).toEqual(documents);
    expect(new Set(documents.map(({ group }) => group)).size).toBeLessThan(0.75 * documents.length);
  });
});

describe('candidates', () => {
  it.each(LABELS.filter((label) => !label.includes('sw1')))('%s is what the library makes of it', (variant) => {
    const name = variant.replace(/^simhash-doc\+?/, '') || 'bare';
    const [candidate] = candidatesOf([name]);
    const { highs, lows } = corpus.fingerprints(candidate!);
    const made = documents.map((_, at) => (BigInt(highs[at]! >>> 0) << 32n) | BigInt(lows[at]! >>> 0));
    expect(made).toEqual(documents.map(({ text }) => fingerprint(text, { variant })));
  });

  it('have names of their own', () => {
    expect(new Set(CANDIDATES.map(({ name }) => name)).size).toBe(CANDIDATES.length);
  });

  it('read windows of tokens as shingles', () => {
    const vocabulary = createVocabulary();
    const [once, twice] = ['a b c a b c', 'a b c'].map((text) => idsOf(text, 'shingle2', vocabulary));
    expect(once).toEqual([twice![0], twice![1], once![2], twice![0], twice![1]]);
    expect(idsOf('b a', 'shingle2', vocabulary)).not.toEqual(idsOf('a b', 'shingle2', vocabulary));
    expect(idsOf('a', 'shingle2', vocabulary)).toHaveLength(1);
  });
});

describe('pairs', () => {
  const counts = documents.map(({ text }) => countTokens(text, { variant: 'simhash-doc+bg1' }));
  const sets = counts.map(({ hashes }) => new Set(hashes));
  const naive = pairs.map(([i, j]) => {
    const common = [...sets[i]!].filter((hash) => sets[j]!.has(hash)).length;
    const setOverlap = common / (sets[i]!.size + sets[j]!.size - common);
    return { i, j, overlap: overlap(counts[i]!, counts[j]!), setOverlap };
  });

  it('are those whose tokens overlap by half, as the library counts them', () => {
    const related = naive.filter((pair) => pair.overlap >= 0.5 || pair.setOverlap >= 0.5);
    expect(related.length).toBeGreaterThan(15);
    expect(corpus.related()).toEqual(related);
    const counted = corpus.counted('bg1');
    for (const { i, j, overlap } of related) expect(overlapOf(counted[i]!, counted[j]!)).toBe(overlap);
  });

  it('are counted at their distances by kind', () => {
    const [candidate] = candidatesOf(['bg1+cap8']);
    const histograms = histogramsOf(corpus, corpus.fingerprints(candidate!));
    const made = documents.map(({ text }) => fingerprint(text, { variant: 'simhash-doc+bg1+cap8' })!);
    const expected = { true: empty(), between: empty(), confirmed: empty(), false: empty() };
    for (const { i, j, overlap, setOverlap } of naive) {
      const bits = distance(made[i]!, made[j]!);
      if (overlap >= 0.5) expected.confirmed[bits]!++;
      if (overlap >= 0.8) expected.true[bits]!++;
      else if (overlap >= 0.5 || setOverlap >= 0.5) expected.between[bits]!++;
      else expected.false[bits]!++;
    }
    expect(histograms).toEqual(expected);
  });

  it('give precision and recall at each threshold', () => {
    const measured = measureCollection({ name: 'small', title: 'small', kind: 'generated', documents }, [
      'bare',
      'bg1',
    ]);
    const { summary, thresholds, candidates } = measured;
    expect(summary.truePairs + summary.betweenPairs).toBe(corpus.related().length);
    const curve = thresholds.find(({ candidate }) => candidate === 'bg1')!;
    expect(curve.true.at(-1)).toBeGreaterThan(0.9 * summary.truePairs);
    expect(curve.best!.recall).toBe(curve.true[curve.best!.k]! / summary.truePairs);
    const [six] = candidates.filter(({ candidate, k }) => candidate === 'bg1' && k === 6);
    expect(six!.recall).toBe(curve.true[6]! / summary.truePairs);
    expect(six!.perLookup.billion).toBeCloseTo(1e9 * six!.falseShare);
  });
});

function empty(): Float64Array {
  return new Float64Array(65);
}

describe('shares within k bits', () => {
  it('are sums of the histogram', () => {
    expect(within([1, 0, 2, 5], [0, 1, 2, 3, 9])).toEqual([1, 1, 3, 8, 8]);
    expect(shareWithin([20, 10, ...new Array<number>(63).fill(10)], 1)).toEqual({ share: 30 / 660, isModelled: false });
  });

  it('are those of the binomial distribution where the histogram is', () => {
    let choose = 1;
    const binomial = Array.from({ length: 65 }, (_, d) => {
      if (d > 0) choose = (choose * (65 - d)) / d;
      return choose / 2 ** 64;
    });
    const { share, isModelled } = shareWithin(binomial, 3);
    expect(isModelled).toBe(true);
    expect(share / ((1 + 64 + 2016 + 41664) / 2 ** 64)).toBeCloseTo(1, 2);
  });

  it('are larger where distances vary more', () => {
    const at = (bits: readonly number[]) => Array.from({ length: 65 }, (_, d) => (bits.includes(d) ? 1 : 0));
    expect(shareWithin(at([20, 32, 44]), 6).share).toBeGreaterThan(1000 * shareWithin(at([28, 32, 36]), 6).share);
  });
});

describe('edits', () => {
  const words = cutWords(documents[3]!.text);
  const other = cutWords(documents[5]!.text);

  it.each(EDITS)('$name is the same each time and changes about its share', ({ apply, shares }) => {
    for (const share of shares) {
      const [once, twice] = [apply(words, share, other, createRandom(1)), apply(words, share, other, createRandom(1))];
      expect(once).toEqual(twice);
      expect(Math.abs(once.length / words.length - 1)).toBeLessThan(share + 0.1);
    }
  });

  it('leave the tokens as they are when words only move', () => {
    const moved = EDITS.find(({ name }) => name === 'moved')!.apply(words, 0.2, other, createRandom(2));
    expect(moved).not.toEqual(words);
    expect([...moved].sort()).toEqual([...words].sort());
  });

  it('put words together as they were', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^(?:[a-zа-я東京ขア]{1,9}[ .]?){0,20}$/), (text) => {
        const tokensOf = (given: string) => tokenise(given).map((token) => token.text);
        const spaced = text.replace(/([東京ขア]) +(?=[a-zа-я東京ขア])|([a-zа-я]) +(?=[東京ขア])/g, '$1$2');
        expect(tokensOf(joinWords(cutWords(text)))).toEqual(tokensOf(spaced));
      }),
    );
  });
});

it('reads manual pages without their markup', () => {
  const page = '.\\" comment\n.TH X 1\n.SH "SEE ALSO"\n.BR ls (1)\nA\\-b \\fIc\\fP \\(lqd\\(rq\n.nh\n';
  expect(textOfManPage(page).split(/\s+/).filter(Boolean)).toEqual(['SEE', 'ALSO', 'ls', '(1)', 'A-b', 'c', '“d”']);
});
