import { assertIterable, assertOneOf, assertOptions, assertString } from '../../../errors.ts';
import { LABEL, parseLabel } from '../../../scheme/label.ts';
import { encodeId, ID_BUFFER_OCTETS, readFingerprint } from '../../options.ts';
import type { AddOptions, Entry, NewEntry } from '../../types.ts';
import { importLines, lineOf } from '../json-lines.ts';
import { bucketStats } from '../stats.ts';
import { addAll } from './collect.ts';
import { assertWritable, storeError } from './errors.ts';
import { type Connection, createConnection } from './postgres/connection.ts';
import { createSchema, type Names, namesIn, readLabel } from './postgres/schema.ts';
import { createSqlSearch } from './postgres/search.ts';
import { verify } from './postgres/verify.ts';
import { BATCH_SIZE, batchSize, copyBatch, createFileRegister, putOne, removeIds } from './postgres/write.ts';
import { createQueries, removeInBatches } from './shared.ts';
import type { PostgresIndexOptions, StoredIndex } from './types.ts';

export type { StoreError, StoreErrorCode } from './errors.ts';
export type { PostgresIndexOptions, StoredIndex, Verification } from './types.ts';

/**
 * Opens an index in a PostgreSQL database, version 15 or later. Needs the packages `pg` and `pg-copy-streams`.
 *
 * Any number of processes can read and write. Each call is one transaction; `addAll` is one for every 65,536 documents, and for
 * 1,048,576 if the index is empty: then nobody else can use it meanwhile. A
 * query is one statement: for k up to 7 it reads the 16 tables as indexes on expressions, beyond it compares all documents.
 * @param url - `postgres://USER@HOST:PORT/DATABASE`; what it leaves out comes from the variables of libpq and from PGPASSFILE
 * @param options - see {@link PostgresIndexOptions}
 * @throws (rejects) a {@link StoreError}; TypeError `wrong-type`; RangeError `invalid-label`, `label-mismatch`, `out-of-range`
 * @see spec/annexes.md#layout-3
 * @example
 * const index = await openPostgresIndex('postgres://localhost/library', { label: 'simhash-doc', create: true });
 */
export async function openPostgresIndex(url: string, options: PostgresIndexOptions = {}): Promise<StoredIndex> {
  assertString('url', url);
  assertOptions('options', options, { create: 'boolean?', schema: 'string?', connections: 'number?' });
  const { mode = 'write', create = false, schema = 'public', connections = 10 } = options;
  assertOneOf('mode', mode, ['write', 'read']);
  const expected = options.label === undefined ? undefined : parseLabel(options.label);
  const connection = await createConnection(url, connections);
  try {
    if (create) await createSchema(connection, schema, expected ?? LABEL);
    const label = await readLabel(connection, schema, expected);
    return createIndex(connection, namesIn(schema), label, mode === 'write');
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function createIndex(connection: Connection, names: Names, label: string, isWritable: boolean): StoredIndex {
  const { place } = connection;
  let fresh = 0;
  let isOpen = true;
  const search = createSqlSearch(connection, names, () => {
    const added = fresh;
    fresh = 0;
    return added;
  });

  function assertOpen(writes = false): void {
    if (!isOpen) throw storeError('unavailable', place, 'the index was closed');
    if (writes) assertWritable(place, isWritable);
  }

  async function put(id: string, fingerprint: NewEntry['fingerprint'], replaces: boolean): Promise<boolean> {
    const key = keyOf(id);
    const value = readFingerprint('fingerprint', fingerprint, label);
    assertOpen(true);
    const isNew = await putOne(connection, names, key, value, replaces);
    if (isNew) fresh++;
    return isNew;
  }

  async function write(batch: ReadonlyMap<string, bigint>, replaces: boolean) {
    assertOpen(true);
    const added = await copyBatch(connection, names, batch, replaces);
    fresh += added;
    return { added, next: BATCH_SIZE };
  }

  async function get(id: string): Promise<bigint | undefined> {
    const key = keyOf(id);
    assertOpen();
    const text = `SELECT fingerprint::text FROM ${names.document} WHERE document_id = $1`;
    const [row] = await connection.query<{ fingerprint: string }>(text, [key]);
    return row === undefined ? undefined : BigInt.asUintN(64, BigInt(row.fingerprint));
  }

  const index: StoredIndex = {
    label,
    add: (id, fingerprint) => put(id, fingerprint, false),
    upsert: (id, fingerprint) => put(id, fingerprint, true),
    async addAll(entries: Iterable<NewEntry> | AsyncIterable<NewEntry>, options?: AddOptions) {
      assertOpen(true);
      return addAll(label, await batchSize(connection, names), write, entries, options);
    },
    async remove(id) {
      const key = keyOf(id);
      assertOpen(true);
      return (await removeIds(connection, names, [key])) > 0;
    },
    async removeAll(list) {
      assertIterable('ids', list, 'an iterable of ids');
      assertOpen(true);
      return removeInBatches(list, keyOf, BATCH_SIZE, (keys) => removeIds(connection, names, keys));
    },
    has: async (id) => (await get(id)) !== undefined,
    get,
    ...createQueries(label, assertOpen, search),
    async size() {
      assertOpen();
      const [row] = await connection.query<{ count: string }>(`SELECT count(*) FROM ${names.document}`);
      return Number(row!.count);
    },
    async stats() {
      assertOpen();
      return stats(connection, names);
    },
    entries: () => documentsIn(connection, names),
    async *exportLines() {
      for await (const entry of documentsIn(connection, names)) yield lineOf(label, entry);
    },
    importLines: (lines, options) => importLines(index, lines, options),
    files: createFileRegister(connection, names),
    async verify() {
      assertOpen();
      return verify(connection, names);
    },
    async close() {
      if (!isOpen) return;
      isOpen = false;
      await connection.close();
    },
  };
  return index;
}

const scratch = Buffer.allocUnsafe(ID_BUFFER_OCTETS);

function keyOf(id: unknown): Buffer {
  return Buffer.from(scratch.subarray(0, encodeId('id', id, scratch)));
}

/** All documents of one transaction, in any order. */
async function* documentsIn(connection: Connection, { document }: Names): AsyncGenerator<Entry, void> {
  const text = `SELECT document_id AS id, fingerprint::text FROM ${document}`;
  for await (const rows of connection.read<{ id: Buffer; fingerprint: string }>(text))
    for (const { id, fingerprint } of rows)
      yield { id: id.toString('utf8'), fingerprint: BigInt.asUintN(64, BigInt(fingerprint)) };
}

async function stats(connection: Connection, names: Names) {
  const fingerprints: bigint[] = [];
  for await (const { fingerprint } of documentsIn(connection, names)) fingerprints.push(fingerprint);
  const [row] = await connection.query<{ indexes: string; total: string }>(
    'SELECT pg_indexes_size($1::regclass) AS indexes, pg_total_relation_size($1::regclass) AS total',
    [names.document],
  );
  const { indexes, total } = row!;
  return {
    documents: fingerprints.length,
    octets: { fingerprints: Number(indexes), ids: Number(total) - Number(indexes) },
    buckets: bucketStats(fingerprints),
  };
}
