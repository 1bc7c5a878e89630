import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { createFingerprinter, fingerprint, LABELS } from '../../src/index.ts';
import { IS_SLOW } from '../suite.ts';
import * as arbitrary from '../twin/arbitraries.ts';

const documents = fc.oneof(arbitrary.chunkedText, arbitrary.chunkedBytes);

/** Loads the modules anew while there is no WebAssembly, or none that may compile. */
async function loadWithout(wasm: unknown) {
  vi.stubGlobal('WebAssembly', wasm);
  vi.resetModules();
  const core = await import('../../src/index.ts');
  const { hasKernel } = await import('../../src/fingerprint/kernel.ts');
  // The kernel is loaded only once.
  const isThere = hasKernel();
  vi.unstubAllGlobals();
  vi.resetModules();
  return { ...core, isThere };
}

class Refusing {
  constructor() {
    throw new TypeError('compiling is forbidden');
  }
}

test.each([
  ['there is no WebAssembly', undefined],
  ['compiling is forbidden', { Module: Refusing }],
])('fingerprints are the same where %s', async (_, wasm) => {
  const without = await loadWithout(wasm);
  expect(without.isThere).toBe(false);
  fc.assert(
    fc.property(documents, fc.constantFrom<string>(...LABELS), ({ whole, pieces }, label) => {
      const expected = fingerprint(whole, { label });
      expect(without.fingerprint(whole, { label })).toEqual(expected);
      const [own, other] = [createFingerprinter({ label }), without.createFingerprinter({ label })];
      for (const piece of pieces) {
        own.update(piece);
        other.update(piece);
      }
      expect(own.digest()).toEqual(expected);
      expect([other.digest(), other.tokenCount]).toEqual([expected, own.tokenCount]);
    }),
    { numRuns: IS_SLOW ? 200 : 40 },
  );
  const long = 'The quick brown fox jumps over https://example.org/ the lazy dog. Cafe\u0301 文書の類似性 '.repeat(
    IS_SLOW ? 5000 : 1000,
  );
  for (const label of LABELS as readonly string[])
    expect(without.fingerprint(long, { label })).toEqual(fingerprint(long, { label }));
});
