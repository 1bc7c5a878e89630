import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSketches } from '../../src/duplicates/verify/sketch.ts';
import type { TokenCounts } from '../../src/fingerprint/hash-table.ts';
import { createRandom } from '../bench/corpus.ts';
import { IS_SLOW } from '../suite.ts';

const random = createRandom(1);

function makeToken(): bigint {
  return (BigInt(random()) << 32n) | BigInt(random());
}

function countsOf(tokens: readonly (readonly [token: bigint, count: number])[]): TokenCounts {
  const sorted = [...tokens].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    hashes: BigUint64Array.from(sorted, ([token]) => token),
    counts: Float64Array.from(sorted, ([, count]) => count),
  };
}

/** Two documents of so many occurrences, which have a share of them in common; and their overlap. */
function makePair(size: number, share: number, count: number) {
  const make = (length: number): [bigint, number][] => Array.from({ length }, () => [makeToken(), count]);
  const tokens = Math.ceil(size / count);
  const common = make(Math.round(tokens * share));
  const others = tokens - common.length;
  return {
    documents: [countsOf([...common, ...make(others)]), countsOf([...common, ...make(others)])] as const,
    overlap: common.length / (common.length + 2 * others),
  };
}

/** How many of some pairs may overlap by so much, for all that their sketches tell. */
function countPossible(pairs: number, least: number, make: () => ReturnType<typeof makePair>): number {
  let possible = 0;
  for (let i = 0; i < pairs; i++) {
    const sketches = createSketches(2);
    for (const [document, counts] of make().documents.entries()) sketches.add(document, counts);
    if (sketches.mayOverlap(0, 1, least)) possible++;
  }
  return possible;
}

const PAIRS = IS_SLOW ? 5000 : 500;

describe.each([
  [3, 1],
  [40, 1],
  [300, 1],
  [300, 7],
  [3000, 2],
])('documents of %i tokens that occur %i times', (size, count) => {
  test('that overlap enough are not denied', () => {
    for (const share of [0.95, 0.9]) {
      const { overlap } = makePair(size, share, count);
      expect(countPossible(PAIRS, overlap, () => makePair(size, share, count))).toBe(PAIRS);
    }
  });

  test('that hardly overlap are', () => {
    const share = 0.4;
    expect(countPossible(PAIRS, 0.8, () => makePair(size, share, count))).toBeLessThan(PAIRS / 100);
  });
});

test('documents with the same tokens are never denied', () => {
  const tokens = fc.uniqueArray(
    fc.tuple(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.integer({ min: 1, max: 20 })),
    {
      minLength: 1,
      maxLength: 30,
      selector: ([token]) => token,
    },
  );
  fc.assert(
    fc.property(tokens, (list) => {
      const sketches = createSketches(2);
      sketches.add(0, countsOf(list));
      sketches.add(1, countsOf([...list].reverse()));
      expect(sketches.mayOverlap(0, 1, 1)).toBe(true);
    }),
  );
});

test('a document without a sketch may overlap any other one', () => {
  const sketches = createSketches(3);
  expect(sketches.mayOverlap(0, 1, 1)).toBe(true);
  sketches.add(0, countsOf([[1n, 1]]));
  expect(sketches.mayOverlap(0, 1, 1)).toBe(true);
  sketches.add(2, countsOf([[2n, 1]]));
  expect(sketches.mayOverlap(0, 2, 0.8)).toBe(false);
});
