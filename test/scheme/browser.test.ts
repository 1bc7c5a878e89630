import { createContext, Script } from 'node:vm';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { explain } from '../../src/index.ts';

const TEXT = 'Cafe\u0301 — see https://example.org/ — 文書の類似性 नमस्ते';

test('the core bundles for a browser and runs with nothing but the language', async () => {
  const { outputFiles } = await build({
    entryPoints: [new URL('../../src/index.ts', import.meta.url).pathname],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    globalName: 'simhashDoc',
    target: 'es2022',
    logLevel: 'silent',
  });
  // A new context has the globals of ECMAScript only: no Buffer, no process, no TextDecoder, no require.
  const context = createContext({});
  new Script(outputFiles[0]!.text).runInContext(context);
  const run = (code: string): unknown => new Script(code).runInContext(context);
  expect(run('typeof process + typeof Buffer + typeof TextDecoder')).toBe('undefinedundefinedundefined');
  expect(run(`simhashDoc.serialise(simhashDoc.fingerprint(${JSON.stringify(TEXT)}))`)).toBe(explain(TEXT).base32);
  expect(run("simhashDoc.parse('GAQM5KRDOWTU4').toString(16)")).toBe('3020ceaa2375a74e');
});
