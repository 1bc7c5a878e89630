import { describe, expect, test } from 'vitest';
import '../built.ts';
import { findAll } from '../../src/lookup/find-all.ts';
import { findClusters } from '../../src/lookup/find-clusters.ts';
import type * as workers from '../../src/lookup/parallel.ts';
import { all, codeOf, firstRows, IS_SLOW } from '../suite.ts';
import { KINDS, lines, pairsByComparing, uniform } from './data.ts';

// Workers are files of their own: they are tested as they are built.
const built = new URL('../../dist/lookup/parallel.js', import.meta.url);
const { findAllInWorkers, findClustersInWorkers }: typeof workers = await import(built.href);

describe('findAllInWorkers', () => {
  test.each(firstRows(1, [3, 1, 2, 4]))(
    'finds with %i workers what one thread finds',
    async (count) => {
      for (const kind of ['clustered', 'equal', 'one bucket of block 1', 'skewed', 'ball'].slice(0, IS_SLOW ? 5 : 1)) {
        const values = KINDS[kind]!(400, count);
        for (const k of firstRows(2, [3, 7, 0]))
          expect(lines(await all(findAllInWorkers(values, { k, workers: count }))), kind).toEqual(
            pairsByComparing(values, k),
          );
      }
    },
    60_000,
  );

  test('keeps the order of one thread, even for more pairs than workers may send ahead', async () => {
    // Some 400,000 pairs in the slow suite, most of them in the last tables.
    const values = new BigUint64Array(IS_SLOW ? 1500 : 700).map((_, i) => BigInt(i) << 50n);
    for (const k of firstRows(1, [7, 3]))
      expect(await all(findAllInWorkers(values, { k, workers: 3 }))).toEqual([...findAll(values, { k })]);
  });

  test('has defaults, and takes any iterable and shared memory', async () => {
    expect(await all(findAllInWorkers([0n, 7n, 15n]))).toEqual([
      { a: 0, b: 1, distance: 3 },
      { a: 1, b: 2, distance: 1 },
    ]);
    expect(await all(findAllInWorkers([]))).toEqual([]);
    const shared = new BigUint64Array(new SharedArrayBuffer(24), 8);
    expect(await all(findAllInWorkers(shared))).toEqual([{ a: 0, b: 1, distance: 0 }]);
  });

  test('makes workers wait for a slow reader, and terminates them when it leaves', async () => {
    // Some 5e9 pairs in the slow suite, 2e8 in the fast one.
    const values = new BigUint64Array(IS_SLOW ? 1e5 : 2e4).map((_, i) => (BigInt(i) << 20n) | 1n);
    const before = process.memoryUsage();
    let pairs = 0;
    let max = 0;
    for await (const { distance } of findAllInWorkers(values, { k: 7, workers: 2 })) {
      expect(distance).toBeLessThanOrEqual(7);
      if (++pairs % 4096 !== 0) continue;
      await new Promise((resolve) => setTimeout(resolve, 20));
      const { external, arrayBuffers } = process.memoryUsage();
      max = Math.max(max, external - before.external, arrayBuffers - before.arrayBuffers);
      if (pairs === (IS_SLOW ? 40 : 4) * 4096) break;
    }
    expect(max).toBeLessThan(64 << 20);
  });

  test('rejects invalid arguments', async () => {
    expect(await codeOf(all(findAllInWorkers(uniform(2), { k: 8 })))).toBe('out-of-range');
    expect(await codeOf(all(findAllInWorkers(uniform(2), { workers: 0 })))).toBe('out-of-range');
    expect(await codeOf(all(findAllInWorkers(uniform(2), { workers: 5 })))).toBe('out-of-range');
    expect(await codeOf(all(findAllInWorkers([5] as never)))).toBe('wrong-type');
  });
});

describe('findClustersInWorkers', () => {
  test.each(firstRows(1, ['clustered', 'skewed', 'ball', 'equal']))('finds what one thread finds: %s', async (kind) => {
    const values = KINDS[kind]!(400, 3);
    for (const options of [{}, { k: 7 }, { k: 3, maxSpread: 2 }])
      expect(await findClustersInWorkers(values, { ...options, workers: 2 })).toEqual(findClusters(values, options));
  });

  test('rejects invalid arguments', async () => {
    expect(await codeOf(findClustersInWorkers(uniform(2), { k: 8 }))).toBe('out-of-range');
    expect(await codeOf(findClustersInWorkers(uniform(2), { maxSpread: 65 }))).toBe('out-of-range');
    expect(await codeOf(findClustersInWorkers(uniform(2), { workers: 0 }))).toBe('out-of-range');
    expect(await codeOf(findClustersInWorkers([5] as never))).toBe('wrong-type');
  });
});
