/** The copy of the project in which mutants are made, so that the working tree stays as it is. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformSync } from 'esbuild';
import type { Body } from './places.ts';

const ROOT = new URL('../../../../', import.meta.url).pathname;

/** The folder of the copy. */
export const TREE = join(ROOT, 'build/mutate/rooms/tree');

const NOT_COPIED = ['node_modules', 'build', '.git'];

/** Copies the project as it is now, with what is generated; the dependencies are those of the project. */
export function copyTree(): void {
  rmSync(TREE, { recursive: true, force: true });
  mkdirSync(TREE, { recursive: true });
  for (const name of readdirSync(ROOT).filter((each) => !NOT_COPIED.includes(each)))
    cpSync(join(ROOT, name), join(TREE, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(TREE, 'node_modules'));
  for (const file of filesOf('.')) writeModule(file, sourceOf(file));
  // dist/ is brought up to date here, module by module.
  writeFileSync(join(TREE, 'test/built.ts'), '');
  writeFileSync(join(TREE, 'setup.mjs'), SETUP);
  writeFileSync(join(TREE, 'vitest.mutate.config.ts'), CONFIG);
}

/** Lists the TypeScript sources of a folder of src/, relative to the project. */
export function filesOf(room: string): string[] {
  return readdirSync(join(ROOT, 'src', room), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.(as|d|generated)\.ts$/.test(name))
    .map((name) => join('src', room, name))
    .sort();
}

export const sourceOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** Writes a source file of the copy, and its module in dist/, which tests of the command run. There the command is not bundled. */
export function writeModule(file: string, source: string): void {
  writeFileSync(join(TREE, file), source);
  if (file.startsWith('src/site/')) return;
  const code = transformSync(source, { loader: 'ts', format: 'esm', target: 'es2022' }).code;
  const target = join(TREE, file.replace(/^src/, 'dist').replace(/\.ts$/, '.js'));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, code.replace(/((?:from |import |import\()["']\.[^"'\n]*)\.ts(["'])/g, '$1.js$2'));
}

/**
 * Code with which each process of a test file reports the functions that it calls: a file of numbers. No import, since tests also put
 * modules in bundles.
 */
const REPORT = `globalThis.simhashDocHit ??= (() => {
  const path = globalThis.process?.env.SIMHASH_DOC_HITS;
  if (!path) return () => {};
  const seen = new Set();
  return (id) => {
    if (seen.has(id)) return;
    seen.add(id);
    process.getBuiltinModule('node:fs').appendFileSync(path, id + ' ');
  };
})();`.replaceAll(/\n\s*/g, ' ');

/** Runs before each test file of the copy, and counts its calls apart from those of the others. */
const SETUP = `import { expect } from 'vitest';
const name = expect.getState().testPath.split('/tree/')[1].replaceAll('/', '+');
process.env.SIMHASH_DOC_HITS = process.env.SIMHASH_DOC_HITS_FOLDER + name;
delete globalThis.simhashDocHit;
${REPORT}
`;

/**
 * The tests that are run in the copy: those that are named, in this order, and one after another, so that a mutant
 * that loads the machine does not affect others.
 */
const CONFIG = `import { defineConfig } from 'vitest/config';
const { tests, setup } = JSON.parse(process.env.SIMHASH_DOC_MUTATE);
const placeOf = ({ moduleId }) => tests.findIndex((name) => moduleId.endsWith('/tree/' + name));
class Sequencer {
  shard = (files) => files;
  sort = (files) => files.sort((x, y) => placeOf(x) - placeOf(y));
}
export default defineConfig({
  test: {
    include: tests.length === 0 ? ['test/**/*.test.ts'] : tests,
    exclude: ['**/*.slow.test.ts', 'test/engines/**', 'test/tools/mutate/**', 'node_modules/**'],
    globalSetup: 'test/temporary.ts',
    setupFiles: setup ? ['setup.mjs'] : [],
    sequence: { sequencer: Sequencer },
    env: { SIMHASH_DOC_SLOW: '', npm_lifecycle_event: '' },
    server: { deps: { external: [/\\/dist\\//] } },
    ...{ pool: 'forks', maxWorkers: 1, isolate: false, testTimeout: 240_000, hookTimeout: 240_000 },
  },
});
`;

/** Instruments the functions of a file. Their numbers begin with `first`. */
export function instrument(source: string, bodies: readonly Body[], first: number): string {
  const inserts = bodies.flatMap(({ start, end, isBlock }, i): [number, string][] => {
    const call = `globalThis.simhashDocHit?.(${first + i})`;
    return isBlock
      ? [[start + 1, `${call};`]]
      : [
          [start, `(${call},`],
          [end, ')'],
        ];
  });
  // From the end, so that places stay.
  const instrumented = inserts
    .sort(([x], [y]) => y - x)
    .reduce((text, [at, code]) => text.slice(0, at) + code + text.slice(at), source);
  return `${instrumented}\n${REPORT}\n`;
}
