import { assertIterable, assertOneOf, assertOptions, assertString } from '../../../errors.ts';
import { LABEL, parseLabel } from '../../../scheme/label.ts';
import { encodeId, ID_BUFFER_OCTETS, readFingerprint } from '../../options.ts';
import type { AddOptions, Entry, IndexStats, NewEntry } from '../../types.ts';
import { importLines, lineOf } from '../json-lines.ts';
import { bucketStats } from '../stats.ts';
import { type Connection, connect } from './cassandra/connection.ts';
import { fingerprintOf } from './cassandra/entries.ts';
import { createSchema, type Meta, type Names, namesIn, readMeta } from './cassandra/schema.ts';
import { createAnswer } from './cassandra/search.ts';
import { readTarget } from './cassandra/url.ts';
import { verify } from './cassandra/verify.ts';
import { BATCH_SIZE, createFileRegister, createWriter } from './cassandra/write.ts';
import { addAll } from './collect.ts';
import { assertWritable, storeError } from './errors.ts';
import { createSearch } from './search.ts';
import { createQueries, removeInBatches } from './shared.ts';
import type { CassandraIndexOptions, StoredIndex } from './types.ts';

export type { StoreError, StoreErrorCode } from './errors.ts';
export type { CassandraConsistency, CassandraIndexOptions, StoredIndex, Verification } from './types.ts';

/**
 * Opens an index in a keyspace of Apache Cassandra, or of another system that speaks CQL. Needs the package `cassandra-driver`.
 *
 * Any number of processes can read and write. Each change of a document is a logged batch; there are no transactions over
 * several documents. A query for k up to 3 reads 16 partitions at once, and for k up to 7 some thousand; beyond that it compares
 * all documents. What is found counts only if its document still has that fingerprint. With the default levels, a query sees
 * all that was acknowledged, while more than half of the replicas answer; when fewer do, calls fail with `unavailable`.
 * Of changes of one document at the same time, the last wins, so the clocks of writers have to agree. An iteration sees a
 * document that is changed meanwhile as it was or as it is.
 * @param url - `cassandra://USER@HOST:PORT,HOST/KEYSPACE`; options can also be its parameters, and `tls=true` encrypts
 * @param options - see {@link CassandraIndexOptions}
 * @throws (rejects) a {@link StoreError}; TypeError `wrong-type`; RangeError `invalid-label`, `label-mismatch`, `out-of-range`
 * @see spec/annexes.md#wide-column
 * @example
 * const index = await openCassandraIndex('cassandra://db1,db2/library', { label: 'simhash-doc', create: true });
 */
export async function openCassandraIndex(url: string, options: CassandraIndexOptions = {}): Promise<StoredIndex> {
  assertString('url', url);
  assertOptions('options', options, { create: 'boolean?', datacenter: 'string?' });
  const { mode = 'write', create = false } = options;
  assertOneOf('mode', mode, ['write', 'read']);
  const expected = options.label === undefined ? undefined : parseLabel(options.label);
  const target = readTarget(url, options);
  const connection = await connect(target);
  try {
    if (create) await createSchema(connection, target, expected ?? LABEL);
    const meta = await readMeta(connection, target.keyspace, expected);
    return createIndex(connection, namesIn(target.keyspace), meta, mode === 'write');
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function createIndex(connection: Connection, names: Names, { label, buckets }: Meta, isWritable: boolean): StoredIndex {
  const { place } = connection;
  const writer = createWriter(connection, names, buckets);
  const search = createSearch(createAnswer(connection, names, buckets));
  const files = createFileRegister(connection, names, writer);
  let isOpen = true;

  function assertOpen(writes = false): void {
    if (!isOpen) throw storeError('unavailable', place, 'the index was closed');
    if (writes) assertWritable(place, isWritable);
  }

  async function put(id: string, fingerprint: NewEntry['fingerprint'], replaces: boolean): Promise<boolean> {
    assertId(id);
    const value = readFingerprint('fingerprint', fingerprint, label);
    assertOpen(true);
    return (await writer.put(id, value, replaces)) === 'added';
  }

  async function write(batch: ReadonlyMap<string, bigint>, replaces: boolean) {
    assertOpen(true);
    const changes = await writer.putAll(batch, replaces);
    return { added: changes.filter((each) => each === 'added').length, next: BATCH_SIZE };
  }

  async function get(id: string): Promise<bigint | undefined> {
    assertId(id);
    assertOpen();
    return (await writer.read(id))?.fingerprint;
  }

  const index: StoredIndex = {
    label,
    add: (id, fingerprint) => put(id, fingerprint, false),
    upsert: (id, fingerprint) => put(id, fingerprint, true),
    addAll: (entries: Iterable<NewEntry> | AsyncIterable<NewEntry>, options?: AddOptions) =>
      addAll(label, BATCH_SIZE, write, entries, options),
    async remove(id) {
      assertId(id);
      assertOpen(true);
      return writer.remove(id);
    },
    async removeAll(list) {
      assertIterable('ids', list, 'an iterable of ids');
      assertOpen(true);
      return removeInBatches(list, idOf, BATCH_SIZE, (ids) => writer.removeAll(ids));
    },
    has: async (id) => (await get(id)) !== undefined,
    get,
    ...createQueries(label, assertOpen, search),
    async size() {
      assertOpen();
      let count = 0;
      for await (const page of connection.pages(`SELECT document_id FROM ${names.document}`)) count += page.length;
      return count;
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
    files: {
      ...files,
      async commit(changes) {
        assertOpen(true);
        return files.commit(changes);
      },
      async remove(path) {
        assertOpen(true);
        return files.remove(path);
      },
    },
    async verify() {
      assertOpen();
      return verify(connection, names, buckets);
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

function assertId(id: unknown): void {
  encodeId('id', id, scratch);
}

function idOf(id: string): string {
  assertId(id);
  return id;
}

/** All documents, in any order. */
async function* documentsIn(connection: Connection, { document }: Names): AsyncGenerator<Entry, void> {
  for await (const page of connection.pages(`SELECT document_id, fingerprint FROM ${document}`))
    for (const row of page) yield { id: String(row['document_id']), fingerprint: fingerprintOf(connection.place, row) };
}

/** Octets of the columns of an entry besides its id: table_no, table_key, bucket, rest; and those of a fingerprint. */
const ENTRY_OCTETS = 1 + 4 + 4 + 8;
const FINGERPRINT_OCTETS = 13;

/** Octets are those of the values: nodes compress them and keep copies. */
async function stats(connection: Connection, names: Names): Promise<IndexStats> {
  const fingerprints: bigint[] = [];
  let octets = 0;
  for await (const { id, fingerprint } of documentsIn(connection, names)) {
    fingerprints.push(fingerprint);
    octets += Buffer.byteLength(id);
  }
  const documents = fingerprints.length;
  return {
    documents,
    octets: {
      fingerprints: 16 * (octets + ENTRY_OCTETS * documents),
      ids: octets + FINGERPRINT_OCTETS * documents,
    },
    buckets: bucketStats(fingerprints),
  };
}
