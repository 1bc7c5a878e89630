import { assertIterable, assertOneOf, assertOptions, assertString } from '../../../../errors.ts';
import { LABEL, parseLabel } from '../../../../scheme/label.ts';
import { readFingerprint } from '../../../options.ts';
import type { AddOptions, Entry, IndexStats, NewEntry } from '../../../types.ts';
import { importLines, lineOf } from '../../json-lines.ts';
import { bucketStats } from '../../stats.ts';
import { addAll } from '../collect.ts';
import { storeError } from '../errors.ts';
import { createQueries, readIndexLabel, removeInBatches } from '../shared.ts';
import type { LmdbIndexOptions, StoredIndex } from '../types.ts';
import { type Environment, openEnvironment, readMetaText } from './environment.ts';
import { createFileRegister } from './files.ts';
import { decodeState, encodeState, LAYOUT, META } from './format.ts';
import { acquire, type Ownership } from './owner.ts';
import { createSearch } from './search.ts';
import { verify } from './verify.ts';
import { createRowWriter, keyOf, MIN_BATCH, type RowWriter, writeBatch } from './write.ts';

/** {@link openLmdbIndex}, with a number of scans before tables are made. */
export async function openWithScans(path: string, options: LmdbIndexOptions, scans?: number): Promise<StoredIndex> {
  assertString('path', path);
  assertOptions('options', options, { takeOver: 'boolean?' });
  const { mode = 'write', takeOver = false } = options;
  assertOneOf('mode', mode, ['write', 'read']);
  const expected = options.label === undefined ? undefined : parseLabel(options.label);
  const environment = await openEnvironment(path, mode === 'read');
  try {
    const isNew = mode === 'write' && environment.read(() => readMetaText(environment, 'layout')) === undefined;
    if (isNew) create(environment, expected ?? LABEL);
    const label = environment.read(() => readLabel(environment, expected));
    const ownership = mode === 'write' ? acquire(environment, takeOver) : undefined;
    return createIndex(environment, label, ownership, scans);
  } catch (error) {
    await environment.close();
    throw error;
  }
}

/** Writes the records of an empty store. */
function create({ tables, write }: Environment, label: string): void {
  write(() => {
    if (tables.meta.getBinary(META.layout) !== undefined) return;
    tables.meta.putSync(META.state, encodeState({ first: 0, next: 0, count: 0 }));
    tables.meta.putSync(META.label, Buffer.from(label));
    tables.meta.putSync(META.layout, Buffer.from(LAYOUT));
  });
}

function readLabel(environment: Environment, expected: string | undefined): string {
  return readIndexLabel(environment.path, (name) => readMetaText(environment, name), LAYOUT, expected);
}

function createIndex(
  environment: Environment,
  label: string,
  ownership: Ownership | undefined,
  scans: number | undefined,
): StoredIndex {
  const { path, tables, refresh } = environment;
  const search = createSearch(environment, scans);
  let isOpen = true;

  function assertOpen(): void {
    if (!isOpen) throw storeError('unavailable', path, 'the index was closed');
  }

  function transact<T>(action: (rows: RowWriter) => T): T {
    assertOpen();
    return environment.write(() => {
      ownership!.assert();
      const rows = createRowWriter(environment);
      const result = action(rows);
      rows.finish();
      return result;
    });
  }

  function put(id: string, fingerprint: NewEntry['fingerprint'], existing: 'refuse' | 'replace'): boolean {
    const key = keyOf('id', id);
    const value = readFingerprint('fingerprint', fingerprint, label);
    return transact((rows) => {
      const isNew = rows.add(key, value);
      if (!isNew && existing === 'replace') rows.replace(key, value);
      return isNew;
    });
  }

  const index: StoredIndex = {
    label,
    add: async (id, fingerprint) => put(id, fingerprint, 'refuse'),
    upsert: async (id, fingerprint) => put(id, fingerprint, 'replace'),
    addAll: (entries: Iterable<NewEntry> | AsyncIterable<NewEntry>, options?: AddOptions) =>
      addAll(label, MIN_BATCH, (batch, replaces) => writeBatch(transact, batch, replaces), entries, options),
    async remove(id) {
      const key = keyOf('id', id);
      return transact((rows) => rows.remove(key));
    },
    async removeAll(list) {
      assertIterable('ids', list, 'an iterable of ids');
      return removeInBatches(
        list,
        (id) => keyOf('id', id),
        REMOVE_BATCH,
        (keys) => transact((rows) => keys.filter((key) => rows.remove(key)).length),
      );
    },
    has: async (id) => read(id) !== undefined,
    get: async (id) => read(id),
    ...createQueries(label, assertOpen, {
      query: (value, options) => environment.read(() => search.query(value, options)),
      nearest: (value, options) => environment.read(() => search.nearest(value, options)),
    }),
    async size() {
      assertOpen();
      refresh();
      return decodeState(tables.meta.getBinary(META.state)!).count;
    },
    async stats() {
      assertOpen();
      return stats(environment);
    },
    entries: () => documentsIn(environment),
    exportLines: () => linesOf(label, environment),
    importLines: (lines, options) => importLines(index, lines, options),
    files: createFileRegister(environment, transact),
    async verify() {
      assertOpen();
      return environment.read(() => verify(environment));
    },
    async close() {
      if (!isOpen) return;
      isOpen = false;
      try {
        ownership?.release();
      } finally {
        await environment.close();
      }
    },
  };

  function read(id: string): bigint | undefined {
    const key = keyOf('id', id);
    assertOpen();
    return environment.read(() => {
      refresh();
      const row = tables.ids.getBinary(key);
      return row === undefined ? undefined : tables.documents.getBinary(row)?.readBigUInt64BE();
    });
  }

  return index;
}

/** How many documents are removed in a transaction. */
const REMOVE_BATCH = 1 << 16;

/** How many documents are read before others may do something. */
const READ_BATCH = 4096;

/** All documents of one transaction, in the order of their rows. */
async function* documentsIn({ tables, refresh }: Environment): AsyncGenerator<Entry, void> {
  refresh();
  const transaction = tables.documents.useReadTransaction();
  try {
    for (let start: Buffer | undefined = Buffer.alloc(8); start !== undefined; ) {
      const range = { start, limit: READ_BATCH, transaction };
      const rows: { readonly key: Buffer; readonly value: Buffer }[] = [...tables.documents.getRange(range)];
      for (const { value } of rows) yield { id: value.toString('utf8', 8), fingerprint: value.readBigUInt64BE() };
      // The next key: one octet more.
      start = rows.length < READ_BATCH ? undefined : Buffer.concat([rows.at(-1)!.key, Buffer.alloc(1)]);
    }
  } finally {
    transaction.done();
  }
}

async function* linesOf(label: string, environment: Environment): AsyncGenerator<string, void> {
  for await (const entry of documentsIn(environment)) yield lineOf(label, entry);
}

function stats({ tables, refresh }: Environment): IndexStats {
  refresh();
  function* fingerprints(): Generator<bigint> {
    for (const { value } of tables.documents.getRange({})) yield value.readBigUInt64BE();
  }
  const octetsOf = (name: keyof Environment['tables']): number => {
    const { pageSize, treeBranchPageCount, treeLeafPageCount, overflowPages } = tables[name].getStats() as PageStats;
    return pageSize * (treeBranchPageCount + treeLeafPageCount + overflowPages);
  };
  return {
    documents: decodeState(tables.meta.getBinary(META.state)!).count,
    octets: { fingerprints: octetsOf('fingerprints'), ids: octetsOf('documents') + octetsOf('ids') },
    buckets: bucketStats(fingerprints()),
  };
}

interface PageStats {
  readonly pageSize: number;
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}
