import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFolder } from '../../../../src/lookup/stores/folder/open-folder.ts';
import { salvageLines } from '../../../../src/lookup/stores/folder/salvage-lines.ts';
import type { StoredIndex } from '../../../../src/lookup/stores/stored-index.ts';
import type { Family } from './family.ts';

/** Makes documents whose fingerprints are scattered. */
const entries = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: `document ${from + i}`,
    fingerprint: BigInt.asUintN(64, BigInt(from + i + 1) * 0x9e3779b97f4a7c15n),
  }));

/** Adds documents in batches. */
async function addAll(index: StoredIndex, size: number, batch: number): Promise<void> {
  for (let from = 0; from < size; from += batch) await index.addAll(entries(from, Math.min(batch, size - from)));
}

/** Opens the index of a folder again, and reads it as the commands do. */
async function readAgain(path: string): Promise<void> {
  const index = openFolder(path, { mode: 'read' });
  await index.query(5n);
  await index.verify();
  await index.close();
  for (const _ of salvageLines(path, () => undefined));
}

interface Store {
  readonly start: number;
  /** Records that are held before a segment is written. */
  readonly held: number;
  fill(index: StoredIndex, size: number): Promise<void>;
}

const STORES: Readonly<Record<string, Store>> = {
  'a log of many transactions': { start: 4000, held: 2 ** 30, fill: (index, size) => addAll(index, size, 4) },
  'one transaction': { start: 50_000, held: 2 ** 30, fill: (index, size) => addAll(index, size, size) },
  'one segment': { start: 50_000, held: 1, fill: (index, size) => addAll(index, size, size) },
  'many small segments': { start: 4000, held: 32, fill: (index, size) => addAll(index, size, 16) },
  'many tombstones': {
    start: 4000,
    held: 1024,
    async fill(index, size) {
      await addAll(index, size, 512);
      for (const { id } of entries(0, size)) await index.remove(id);
    },
  },
  'one document that changes': {
    start: 4000,
    held: 64,
    async fill(index, size) {
      for (const { fingerprint } of entries(0, size))
        await index.addAll([{ id: 'a', fingerprint }], { existing: 'replace' });
    },
  },
  'equal fingerprints': {
    start: 20_000,
    held: 4096,
    fill: async (index, size) => void (await index.addAll(entries(0, size).map(({ id }) => ({ id, fingerprint: 5n })))),
  },
};

export const STORE_FAMILIES: readonly Family[] = Object.entries(STORES).map(([name, { start, held, fill }]) => ({
  name: `index: ${name}`,
  start,
  async run(size) {
    const folder = mkdtempSync(join(tmpdir(), 'simhash-doc-growth-'));
    try {
      const path = join(folder, 'index');
      const index = openFolder(path, { label: 'simhash-doc', create: true }, held);
      await fill(index, size);
      await index.close();
      await readAgain(path);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
}));
