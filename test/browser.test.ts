import { createContext, Script } from 'node:vm';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { explain } from '../src/index.ts';

const TEXT = 'Cafe\u0301 — see https://example.org/ — 文書の類似性 नमस्ते';

/** Bundles a module for a browser, where modules of Node are not available, and runs it with these globals alone. */
async function load(module: string, ...globals: readonly object[]): Promise<((code: string) => unknown)[]> {
  const { outputFiles } = await build({
    entryPoints: [new URL(`../src/${module}`, import.meta.url).pathname],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    globalName: 'library',
    target: 'es2022',
    logLevel: 'silent',
  });
  return globals.map((each) => {
    const context = createContext(each);
    const run = (code: string): unknown => new Script(code).runInContext(context);
    run(outputFiles[0]!.text);
    expect(run('typeof process + typeof Buffer')).toBe('undefinedundefined');
    return run;
  });
}

test('the core runs in a browser with nothing but the language', async () => {
  const [run] = await load('index.ts', {});
  expect(run!(`library.serialise(library.fingerprint(${JSON.stringify(TEXT)}))`)).toBe(explain(TEXT).base32);
  expect(run!("library.parse('GAQM5KRDOWTU4').toString(16)")).toBe('3020ceaa2375a74e');
});

test('lookup runs in a browser with the text decoder in addition, with and without its kernel', async () => {
  const { WebAssembly } = globalThis as unknown as { WebAssembly: unknown };
  for (const run of await load('lookup/index.ts', { TextDecoder, WebAssembly }, { TextDecoder })) {
    expect(run('JSON.stringify([...library.findAll([0n, 7n, 15n])])')).toBe(
      '[{"a":0,"b":1,"distance":3},{"a":1,"b":2,"distance":1}]',
    );
    run("const index = library.createMemoryIndex({ label: 'simhash-doc' }); index.add('ä', 5n);");
    expect(run('JSON.stringify(index.query(4n).matches.map(({ id, distance }) => [id, distance]))')).toBe('[["ä",1]]');
  }
});
