import { expect, test, vi } from 'vitest';
import { findAll } from '../../../src/lookup/find-all.ts';
import { createMemoryIndex } from '../../../src/lookup/index/memory-index.ts';
import { createPairFinder } from '../../../src/lookup/pair-finder.ts';
import { hasLookupKernel } from '../../../src/lookup/segment/kernel.ts';
import { KINDS, lines, pairsByComparing } from '../data.ts';
import { describeIndex } from '../index/contract.ts';

// As in an engine that has no WebAssembly, or forbids compiling it.
vi.mock('../../../src/wasm/module.ts', async (original) => ({
  ...(await original<typeof import('../../../src/wasm/module.ts')>()),
  compile: () => undefined,
}));

test('there is no kernel', () => {
  expect(hasLookupKernel()).toBe(false);
});

describeIndex('memory without kernel', (label) => createMemoryIndex({ label }), 30);

test.each(Object.entries(KINDS))('all pairs without kernel: %s', (_, make) => {
  const values = make(150, 3);
  for (const k of [0, 3, 5, 7]) {
    expect(lines(findAll(values, { k }))).toEqual(pairsByComparing(values, k));
    const finder = createPairFinder({ k });
    expect(lines(Array.from(values, (value) => finder.add(value)).flat())).toEqual(pairsByComparing(values, k));
  }
});
