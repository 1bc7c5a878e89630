import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { MEDIA } from '../../src/extract/formats.ts';
import { NODE, outputOf } from '../process.ts';

const root = new URL('../..', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'simhash-doc-globals-'));

/** Imports every entry point, reads a document of every medium, and prints what is new in globalThis. */
const PROGRAM = `
import { readFileSync } from 'node:fs';
// Node makes some globals when they are first used.
for (const key of Object.getOwnPropertyNames(globalThis)) void globalThis[key];
const keysOf = (object) => Reflect.ownKeys(object).map(String).sort();
const before = { keys: keysOf(globalThis), values: new Map(Reflect.ownKeys(globalThis).map((key) => [key, globalThis[key]])) };
const entries = ENTRIES;
const modules = Object.fromEntries(await Promise.all(entries.map(async (name) => [name, await import(name)])));
const { vectors } = JSON.parse(readFileSync(VECTORS, 'utf8'));
const media = new Map(vectors.map(({ input }) => [input.type, input.base64]));
const read = [];
for (const [type, base64] of media) {
  const { text } = await modules['simhash-doc/extract'].extract(Uint8Array.from(Buffer.from(base64, 'base64')), { type });
  if (modules['simhash-doc'].fingerprint(text) !== null) read.push(type);
}
modules['simhash-doc/lookup'].createMemoryIndex({ label: 'simhash-doc' }).add('a', 1n);
const added = keysOf(globalThis).filter((key) => !before.keys.includes(key));
const removed = before.keys.filter((key) => !keysOf(globalThis).includes(key));
const changed = [...before.values].filter(([key, value]) => !Object.is(globalThis[key], value)).map(([key]) => String(key));
console.log(JSON.stringify({ read: read.sort(), added, removed, changed }));
`;

test('globalThis does not change after any use', () => {
  const entries = Object.keys(packageJson.exports)
    .filter((name) => name !== './package.json')
    .map((name) => name.replace('.', 'simhash-doc'));
  const program = PROGRAM.replace('ENTRIES', JSON.stringify(entries)).replace(
    'VECTORS',
    JSON.stringify(join(root, 'vectors/extract-media.json')),
  );
  const file = join(folder, 'main.mjs');
  // Bare names resolve to this package from a file inside it.
  writeFileSync(
    file,
    program.replaceAll('import(name)', `import(import.meta.resolve(name, ${JSON.stringify(`file://${root}`)}))`),
  );
  expect(JSON.parse(outputOf([...NODE, '--experimental-import-meta-resolve', file], { cwd: root }))).toEqual({
    ...{
      read: MEDIA.toSorted(),
      added: [],
      removed: [],
      changed: [],
    },
  });
});
