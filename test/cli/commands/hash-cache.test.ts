import { readdirSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCache } from '../../../src/documents/cache.ts';
import type { Outcome } from '../../../src/documents/outcome.ts';
import type { Hashed } from '../../../src/documents/workers/work.ts';
import { DEFAULT_LIMITS } from '../../../src/extract/index.ts';
import { LABEL } from '../../../src/index.ts';
import { folder, jsonLines, run, stdoutOf } from '../command.ts';

const hints = { label: LABEL, limits: DEFAULT_LIMITS, timeout: 1000, memory: 2 ** 30 };
/** All changes of files are long ago. */
const later = (): number => Date.now() + 60_000;
const hashed: Hashed = { fingerprint: 5n, tokens: 3, mediaType: 'text/plain', extractor: 'text/2' };

function outcomeOf(path: string, result: Hashed = hashed): Outcome<Hashed> {
  return { path, result, warnings: ['a warning'] };
}

async function stored(extractor?: string) {
  const { text } = await import('../../../src/extract/text/text.ts');
  const cwd = folder({ 'a.txt': 'one two three' });
  const path = join(cwd, 'a.txt');
  // A whole second, which utimes can set again.
  utimesSync(path, 1000, 1000);
  const entry = { path, found: true };
  const cache = openCache(join(cwd, 'cache'), hints, later);
  const outcome = outcomeOf(path, { ...hashed, extractor: extractor ?? `text/${text.version}` });
  expect(await cache.find(entry)).toBeUndefined();
  cache.store(outcome);
  return { cwd, path, entry, cache, outcome };
}

test('the cache finds a file that has not changed, also in another process', async () => {
  const { cwd, entry, cache, outcome } = await stored();
  expect(await cache.find(entry)).toEqual(outcome);
  expect(await openCache(join(cwd, 'cache'), hints, later).find(entry)).toEqual(outcome);
});

test.each<[string, (path: string) => void]>([
  ['other content of the same length', (path) => writeFileSync(path, 'one two thre3')],
  [
    'the same, with the old time of modification',
    (path) => {
      writeFileSync(path, 'one two thre3');
      utimesSync(path, 1000, 1000);
    },
  ],
  ['other content', (path) => writeFileSync(path, 'one')],
  [
    'another file of that name',
    (path) => {
      writeFileSync(`${path}.new`, 'one two three');
      renameSync(`${path}.new`, path);
    },
  ],
])('the cache does not find a file: %s', async (_, change) => {
  const { path, entry, cache, outcome } = await stored();
  const { ctimeNs } = statSync(path, { bigint: true });
  // The clock of the file system ticks every few milliseconds.
  while (statSync(path, { bigint: true }).ctimeNs === ctimeNs) change(path);
  expect(await cache.find(entry)).toBeUndefined();
  cache.store(outcome);
  expect(await cache.find(entry)).toEqual(outcome);
});

test('the cache does not find entries with other options or another extractor, damaged entries, or fresh files', async () => {
  const { cwd, entry } = await stored();
  const place = join(cwd, 'cache');
  expect(await openCache(place, { ...hints, type: 'html' }, later).find(entry)).toBeUndefined();
  expect(await openCache(place, hints).find(entry)).toBeUndefined();
  for (const extractor of ['text/0', 'none/1']) {
    const old = await stored(extractor);
    expect(await old.cache.find(old.entry)).toBeUndefined();
  }
  for (const sub of readdirSync(place))
    for (const name of readdirSync(join(place, sub))) writeFileSync(join(place, sub, name), '{"key":');
  expect(await openCache(place, hints, later).find(entry)).toBeUndefined();
});

test('the cache does not store a file that changes while it is read', async () => {
  const { path, entry, cache, outcome } = await stored();
  writeFileSync(path, 'one two three four');
  expect(await cache.find(entry)).toBeUndefined();
  writeFileSync(path, 'one two three four five');
  cache.store(outcome);
  expect(await cache.find(entry)).toBeUndefined();
});

test('hash --cache prints the same as hash', async () => {
  const cwd = folder({ 'a.txt': 'one two three', 'b.html': '<p>four', empty: '' });
  const plain = await run(['hash', 'a.txt', 'b.html', 'empty'], { cwd });
  for (let turn = 0; turn < 2; turn++)
    expect(await run(['hash', '--cache', 'cache', 'a.txt', 'b.html', 'empty'], { cwd })).toEqual(plain);
  const wrong = await run(['hash', '--cache', 'a.txt/x', 'a.txt'], { cwd });
  expect(wrong.code).toBe(2);
});

test('dupes reads fingerprints from the cache, and stores them there', async () => {
  const cache = join(folder(), 'cache');
  // Files that have been there for a while.
  const cwd = new URL('../../..', import.meta.url).pathname;
  const args = ['--json', '--no-verify', '--cache', cache, 'SECURITY.md', 'spec/carrying.md'];
  expect((await run(['dupes', ...args], { cwd })).stdout).toBe('');
  const entries = readdirSync(cache, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(entries.length).toBe(2);
  for (const { parentPath, name } of entries) {
    const file = join(parentPath, name);
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), fingerprint: 'A'.repeat(52) }));
  }
  const stdout = await stdoutOf(['dupes', ...args], { cwd });
  const [group] = jsonLines(stdout) as unknown as { documents: { path: string; size: number; tokens: number }[] }[];
  expect(group!.documents.map(({ path }) => path)).toEqual(['SECURITY.md', 'spec/carrying.md']);
  expect(group!.documents[0]!.size).toBe(statSync(join(cwd, 'SECURITY.md')).size);
});
