import { expect, test, vi } from 'vitest';

// As in an engine that has no WebAssembly. Other test files of this process have loaded the modules with it.
vi.stubGlobal('WebAssembly', undefined);
vi.resetModules();
const [{ createMemoryIndex }, { hasLookupKernel }, { describeIndex }] = await Promise.all([
  import('../../../src/lookup/indexes/memory-index.ts'),
  import('../../../src/lookup/segment/kernel.ts'),
  import('../indexes/contract.ts'),
]);
// The kernel is loaded only once.
const hasKernel = hasLookupKernel();
vi.unstubAllGlobals();
vi.resetModules();

test('there is no kernel in these tests', () => {
  expect([hasKernel, hasLookupKernel()]).toEqual([false, false]);
});

describeIndex('memory without kernel', (label) => createMemoryIndex({ label }), 10);
