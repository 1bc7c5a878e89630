import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import '../../built.ts';
import { openFolderIndex, type StoredIndex } from '../../../src/lookup/stores/folder/folder-index.ts';
import { all } from '../../suite.ts';
import { newPath } from './folders.ts';

const change = { path: 'p', size: 1, modified: 1, documents: [{ id: 'b', fingerprint: 1n }] };

const READS: Readonly<Record<string, (index: StoredIndex) => unknown>> = {
  has: (index) => index.has('a'),
  get: (index) => index.get('a'),
  query: (index) => index.query(1n),
  nearest: (index) => index.nearest(1n),
  size: (index) => index.size(),
  stats: (index) => index.stats(),
  entries: (index) => all(index.entries()),
  exportLines: (index) => all(index.exportLines()),
  'files.get': (index) => index.files.get('p'),
  'files.paths': (index) => all(index.files.paths('')),
  verify: (index) => index.verify(),
};
const CHANGES: typeof READS = {
  add: (index) => index.add('b', 1n),
  upsert: (index) => index.upsert('b', 1n),
  addAll: (index) => index.addAll([{ id: 'b', fingerprint: 1n }]),
  remove: (index) => index.remove('a'),
  removeAll: (index) => index.removeAll(['a']),
  importLines: (index) => index.importLines('{"id":"b","label":"simhash-doc","fingerprint":"AAAAAAAAAAAAC"}\n'),
  'files.commit': (index) => index.files.commit(change as unknown as Parameters<StoredIndex['files']['commit']>[0]),
  'files.remove': (index) => index.files.remove('p'),
};

const path = newPath();
let closed: StoredIndex;
let reader: StoredIndex;
beforeAll(async () => {
  closed = await openFolderIndex(path, { label: 'simhash-doc', create: true });
  await closed.add('a', 1n);
  await closed.close();
  reader = await openFolderIndex(path, { mode: 'read' });
});
afterAll(() => reader.close());

test('the table of calls is complete', () => {
  const names = Object.entries(reader).flatMap(([name, value]) =>
    name === 'files' ? Object.keys(value).map((each) => `files.${each}`) : typeof value === 'function' ? [name] : [],
  );
  expect(names.filter((name) => name !== 'close').sort()).toEqual(Object.keys({ ...READS, ...CHANGES }).sort());
});

describe.each(Object.entries({ ...READS, ...CHANGES }))('the call %s', (name, call) => {
  test('of a closed index is rejected', async () => {
    await expect(async () => call(closed)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('closed'),
    });
  });

  test('of an index that is open for reading changes nothing', async () => {
    if (name in READS) await call(reader);
    else await expect(async () => call(reader)).rejects.toMatchObject({ code: 'read-only' });
    expect(await reader.size()).toBe(1);
  });
});
