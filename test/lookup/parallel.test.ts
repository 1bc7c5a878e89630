import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Pair } from '../../src/lookup/find-all.ts';
import type * as workers from '../../src/lookup/parallel.ts';
import { KINDS, lines, pairsByComparing, uniform } from './data.ts';

// Workers are files of their own: they are tested as they are built.
const built = new URL('../../dist/lookup/parallel.js', import.meta.url);
if (!existsSync(fileURLToPath(built))) throw new Error(`${built} does not exist: run "npm run build" first`);
const { findAllInWorkers }: typeof workers = await import(built.href);

async function all(batches: AsyncIterable<Pair[]>): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for await (const batch of batches) pairs.push(...batch);
  return pairs;
}

async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return (error as { readonly code?: unknown }).code ?? error;
  }
  return undefined;
}

describe('findAllInWorkers', () => {
  test.each([1, 2, 3, 4])(
    '%i workers find what one thread finds',
    async (count) => {
      for (const kind of ['clustered', 'skewed', 'ball', 'equal', 'one bucket of block 1']) {
        const values = KINDS[kind]!(400, count);
        for (const k of [0, 3, 7])
          expect(lines(await all(findAllInWorkers(values, { k, workers: count }))), kind).toEqual(
            pairsByComparing(values, k),
          );
      }
    },
    60_000,
  );

  test('defaults; any iterable; memory that is shared already', async () => {
    expect(await all(findAllInWorkers([0n, 7n, 15n]))).toEqual([
      { a: 0, b: 1, distance: 3 },
      { a: 1, b: 2, distance: 1 },
    ]);
    expect(await all(findAllInWorkers([]))).toEqual([]);
    const shared = new BigUint64Array(new SharedArrayBuffer(24), 8);
    expect(await all(findAllInWorkers(shared))).toEqual([{ a: 0, b: 1, distance: 0 }]);
  });

  test('a slow reader makes the workers wait, and one that leaves ends them', async () => {
    // Some 5e9 pairs.
    const values = new BigUint64Array(1e5).map((_, i) => (BigInt(i) << 20n) | 1n);
    const before = process.memoryUsage();
    let batches = 0;
    let most = 0;
    for await (const batch of findAllInWorkers(values, { k: 7, workers: 2 })) {
      expect(batch.length).toBeGreaterThan(0);
      await new Promise((resolve) => setTimeout(resolve, 20));
      const { external, arrayBuffers } = process.memoryUsage();
      most = Math.max(most, external - before.external, arrayBuffers - before.arrayBuffers);
      if (++batches === 40) break;
    }
    expect(most).toBeLessThan(64 << 20);
  }, 30_000);

  test('what is refused', async () => {
    expect(await codeOf(all(findAllInWorkers(uniform(2), { k: 8 })))).toBe('out-of-range');
    expect(await codeOf(all(findAllInWorkers(uniform(2), { workers: 0 })))).toBe('out-of-range');
    expect(await codeOf(all(findAllInWorkers(uniform(2), { workers: 5 })))).toBe('out-of-range');
    expect(await codeOf(all(findAllInWorkers([5] as never)))).toBe('wrong-type');
  });
});
