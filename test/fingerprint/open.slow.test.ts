import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
import { MAX_OPEN } from '../../src/fingerprint/pool.ts';
import { createFingerprinter, type Fingerprinter, fingerprint } from '../../src/index.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const { WebAssembly } = globalThis as unknown as { WebAssembly: { Memory: new (limits: object) => object } };

/** Opens fingerprinters, and counts the WebAssembly memories that they take. */
function openMany(count: number): { fingerprinters: Fingerprinter[]; memories: number } {
  const { Memory } = WebAssembly;
  let memories = 0;
  WebAssembly.Memory = class extends Memory {
    constructor(limits: object) {
      super(limits);
      memories++;
    }
  };
  // A document takes a memory when it is no longer small.
  const fingerprinters = Array.from({ length: count }, () => createFingerprinter().update('').update('Many '));
  WebAssembly.Memory = Memory;
  return { fingerprinters, memories };
}

test('open fingerprinters beyond a bound take no memory of WebAssembly, and give the same results', () => {
  const { fingerprinters, memories } = openMany(MAX_OPEN + 50);
  expect(memories).toBeGreaterThan(MAX_OPEN / 2);
  expect(memories).toBeLessThanOrEqual(MAX_OPEN);
  const text = (i: number): string => `Document ${i} is one of many. `;
  for (const half of [0, 1])
    for (const [i, each] of fingerprinters.entries()) each.update(text(i).slice(8 * half, half === 0 ? 8 : undefined));
  for (const [i, each] of fingerprinters.entries()) expect(each.digest()).toBe(fingerprint(`Many ${text(i)}`));
  // Those that have ended do not count.
  const again = openMany(MAX_OPEN);
  expect(again.memories).toBeGreaterThan(MAX_OPEN / 2);
  for (const each of again.fingerprinters) each.digest();
});

test('fingerprinters that were dropped do not count', async () => {
  (() => openMany(MAX_OPEN))();
  expect(openMany(1).memories).toBe(0);
  // Finalizers run some time after a collection.
  await vi.waitFor(
    () => {
      collectGarbage();
      expect(openMany(1).memories).toBe(1);
    },
    { timeout: 20_000, interval: 20 },
  );
});
