import { expect, test } from 'vitest';
import '../built.ts';
import { all, firstRows } from '../suite.ts';

// Worker threads run what is built.
const built = new URL('../../dist/duplicates/near/search.js', import.meta.url);
const { searchComponents, searchPairs } = (await import(
  /* @vite-ignore */ built.href
)) as typeof import('../../src/duplicates/near/search.ts');

const FINGERPRINTS = BigUint64Array.from({ length: 400 }, (_, i) => (BigInt(i % 40) << 40n) | (1n << BigInt(i % 7)));

const pairsOf = (k: number, min: number) => all(searchPairs(FINGERPRINTS, k, min));
const componentsOf = async (k: number, min: number) => [
  ...(await searchComponents({ words: 1, values: FINGERPRINTS }, { k, isExact: true, min })),
];

test.each(firstRows(1, [3, 0, 6]))(
  'worker threads find what this thread finds, in the same order: k = %i',
  async (k) => {
    const pairs = await pairsOf(k, 1);
    expect(pairs.length).toBeGreaterThan(0);
    expect(pairs).toEqual(await pairsOf(k, Number.POSITIVE_INFINITY));
    const components = await componentsOf(k, 1);
    expect(components.length).toBeGreaterThan(0);
    expect(components).toEqual(await componentsOf(k, 1000));
  },
);
