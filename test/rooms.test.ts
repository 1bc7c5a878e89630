import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type BuildFailure, build } from 'esbuild';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

const src = new URL('../src', import.meta.url).pathname;

/** Lists the AssemblyScript modules of all kernels, as paths. */
function kernelModules(): string[] {
  const names = readdirSync(src, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.as.ts')).map((name) => join(src, name));
}

/** Returns the modules that a module of a kernel imports or re-exports, as paths. */
function importsOf(path: string): string[] {
  const imports = readFileSync(path, 'utf8').matchAll(/ from '(\.[^']*)';/g);
  return [...imports].map(([, name]) => join(dirname(path), `${name}.ts`));
}

test('no modules of a kernel import each other in a circle; the linter, which cannot read AssemblyScript, checks the others', () => {
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): void => {
    if (way.includes(path))
      circles.push([...way.slice(way.indexOf(path)), path].map((name) => relative(src, name)).join(' → '));
    if (done.has(path)) return;
    done.add(path);
    for (const next of importsOf(path)) visit(next, [...way, path]);
  };
  for (const path of kernelModules()) visit(path, []);
  expect(done.size).toBeGreaterThan(20);
  expect(circles).toEqual([]);
});

/** Lists the TypeScript files below a folder, as paths. */
function sourcesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => /(?<!\.as|\.d)\.(?:ts|mjs)$/.test(name)).map((name) => join(folder, name));
}

test('every exported function and constant of src/ is used outside its file', () => {
  const published = new Set(Object.values<object | string>(manifest.exports).map((entry) => Object(entry).default));
  const words = new Map<string, Set<string>>();
  for (const path of [...sourcesIn(src), ...kernelModules(), ...sourcesIn(join(src, '../test'))])
    for (const word of new Set(readFileSync(path, 'utf8').match(/[\w$]+/g)))
      words.set(word, (words.get(word) ?? new Set()).add(path));
  const unused: string[] = [];
  for (const path of sourcesIn(src)) {
    const name = relative(src, path);
    // The generator of the kernel's constants reads all constants of code-points.ts.
    if (name === 'fingerprint/code-points.ts' || published.has(`./dist/${name.replace(/\.ts$/, '.js')}`)) continue;
    for (const [, found] of readFileSync(path, 'utf8').matchAll(/^export (?:async )?(?:function\*?|const) ([\w$]+)/gm))
      if (words.get(found!)!.size < 2) unused.push(`${name}: ${found}`);
  }
  expect(words.size).toBeGreaterThan(10_000);
  expect(unused).toEqual([]);
});

test('the page that runs every vector in a browser can be bundled: nothing that it imports needs Node', async () => {
  const { errors } = await build({
    entryPoints: [new URL('engines/page.ts', import.meta.url).pathname],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'esm',
    logLevel: 'silent',
  }).catch((error: Pick<BuildFailure, 'errors'>) => error);
  expect(errors.map(({ text, location }) => `${location?.file}: ${text}`)).toEqual([]);
});
