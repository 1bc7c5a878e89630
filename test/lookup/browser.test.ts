import { createContext, Script } from 'node:vm';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

test('lookup bundles for a browser and runs there, with and without its kernel', async () => {
  const { outputFiles } = await build({
    entryPoints: [new URL('../../src/lookup/index.ts', import.meta.url).pathname],
    bundle: true,
    write: false,
    // Modules of Node are not available.
    platform: 'browser',
    format: 'iife',
    globalName: 'lookup',
    target: 'es2022',
    logLevel: 'silent',
  });
  const { WebAssembly } = globalThis as unknown as { WebAssembly: unknown };
  for (const wasm of [WebAssembly, undefined]) {
    // It needs only the text decoder in addition to the language itself.
    const context = createContext({ TextDecoder, WebAssembly: wasm });
    new Script(outputFiles[0]!.text).runInContext(context);
    const run = (code: string): unknown => new Script(code).runInContext(context);
    expect(run('typeof process + typeof Buffer')).toBe('undefinedundefined');
    expect(run('JSON.stringify([...lookup.findAll([0n, 7n, 15n])])')).toBe(
      '[{"a":0,"b":1,"distance":3},{"a":1,"b":2,"distance":1}]',
    );
    run("const index = lookup.createMemoryIndex({ label: 'simhash-doc' }); index.add('ä', 5n);");
    expect(run('JSON.stringify(index.query(4n).matches.map(({ id, distance }) => [id, distance]))')).toBe('[["ä",1]]');
  }
});
