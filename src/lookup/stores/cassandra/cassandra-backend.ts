import { schemeOf } from '../../../scheme/labels/label.ts';
import { TABLES } from '../../../scheme/tables.ts';
import type { Entry, IndexStats } from '../../document-index.ts';
import { bucketStats, collect } from '../../query-results.ts';
import { type Backend, checkId } from '../backend.ts';
import type { Connection } from './cassandra-connection.ts';
import { BATCH_SIZE, createWriter, entryOf } from './cassandra-documents.ts';
import { createFileRegister } from './cassandra-files.ts';
import type { CassandraStore, Meta, Names } from './cassandra-schema.ts';
import { findNearest } from './cql-search.ts';
import { verify } from './verify-cassandra.ts';

export function createBackend(connection: Connection, names: Names, meta: Meta, isWritable: boolean): Backend<string> {
  const store = { connection, names, ...meta };
  const writer = createWriter(store);
  return {
    place: connection.place,
    label: meta.label,
    isWritable,
    removeBatch: BATCH_SIZE,
    keyOf: checkId,
    get: async (id) => (await writer.read(id))?.fingerprint,
    put: async (id, fingerprint, replaces) => (await writer.put(id, fingerprint, replaces)) === 'added',
    firstBatch: () => BATCH_SIZE,
    async putBatch(batch, replaces, losses) {
      const changes = await writer.putAll(batch, replaces, losses);
      return { added: changes.filter((each) => each === 'added').length, next: BATCH_SIZE };
    },
    remove: (ids) => writer.removeAll(ids),
    findNearest: (query) => findNearest(store, query),
    async size() {
      let count = 0;
      for await (const page of connection.pages(`SELECT document_id FROM ${names.document}`)) count += page.length;
      return count;
    },
    stats: () => stats(store),
    entries: () => documentsIn(store),
    files: createFileRegister(store, writer),
    verify: () => verify(store),
    close: () => connection.close(),
  };
}

async function* documentsIn(store: CassandraStore): AsyncGenerator<Entry, void> {
  const { connection, names, losses } = store;
  for await (const page of connection.pages(`SELECT document_id, fingerprint${losses} FROM ${names.document}`))
    for (const row of page) yield entryOf(store, row);
}

/** Bytes of the columns of an entry without its id: table_no, table_key, bucket, rest; and of each word of a fingerprint. */
const ENTRY_BYTES = 1 + 4 + 4 + 8;
const FINGERPRINT_BYTES = 13;

// Bytes of values: nodes compress them and keep copies.
async function stats(store: CassandraStore): Promise<IndexStats> {
  const words = schemeOf(store.label).words;
  const { fingerprints, losses, idBytes: bytes } = await collect(documentsIn(store));
  const documents = fingerprints.length;
  return {
    documents,
    bytes: {
      fingerprints: TABLES * words * (bytes + ENTRY_BYTES * documents),
      ids: bytes + FINGERPRINT_BYTES * words * documents,
    },
    buckets: bucketStats(fingerprints, words),
    losses,
  };
}
