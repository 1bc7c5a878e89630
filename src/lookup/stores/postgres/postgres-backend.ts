import type { Entry, IndexStats } from '../../document-index.ts';
import { createStatsCounter } from '../../query-results.ts';
import type { Backend } from '../backend.ts';
import { createFileRegister } from './postgres-files.ts';
import {
  type FingerprintRow,
  fingerprintIn,
  lossesIn,
  type PostgresStore,
  signedWords,
  textOf,
} from './postgres-schema.ts';
import { BATCH_SIZE, batchSize, copyBatch, onConflict } from './postgres-write.ts';
import { createDocumentCounter, createSqlSearch } from './sql-search.ts';
import { verify } from './verify-postgres.ts';

export function createBackend(store: PostgresStore, label: string, isWritable: boolean): Backend {
  const { connection, document, columns } = store;
  const counter = createDocumentCounter(store);
  return {
    place: connection.place,
    label,
    isWritable,
    removeBatch: BATCH_SIZE,
    async get(id) {
      const text = `SELECT ${textOf(columns)} FROM ${document} WHERE document_id = $1`;
      const [row] = await connection.query<FingerprintRow>(text, [Buffer.from(id)]);
      return row === undefined ? undefined : fingerprintIn(row, columns);
    },
    async put(id, fingerprint, replaces) {
      // A replaced row also comes back, with the transaction that wrote it before.
      const [row] = await connection.query<{ is_new: boolean }>(
        `INSERT INTO ${document} AS d (document_id, ${columns.join(', ')}) VALUES ($1, ${columns.map((_, word) => `$${word + 2}`).join(', ')})
         ON CONFLICT (document_id) ${onConflict(columns, replaces)} RETURNING xmax = 0 AS is_new`,
        [Buffer.from(id), ...signedWords(fingerprint)],
      );
      const isNew = row?.is_new === true;
      if (isNew) counter.add(1);
      return isNew;
    },
    batchSize: () => batchSize(store),
    async putBatch(documents, replaces) {
      const added = await copyBatch(store, documents, replaces);
      counter.add(added);
      return added;
    },
    async remove(ids) {
      const [row] = await connection.query<{ count: string }>(
        `WITH gone AS (DELETE FROM ${document} WHERE document_id = ANY ($1::bytea[]) RETURNING 1)
         SELECT count(*) FROM gone`,
        [ids.map((id) => Buffer.from(id))],
      );
      return Number(row!.count);
    },
    findNearest: createSqlSearch(store, counter),
    size: () => counter.count(),
    stats: () => stats(store),
    entries: () => documentsIn(store),
    files: createFileRegister(store),
    verify: () => verify(store),
    close: () => connection.close(),
  };
}

async function* documentsIn({ connection, document, columns }: PostgresStore): AsyncGenerator<Entry, void> {
  const text = `SELECT document_id AS id, ${textOf(columns)}, losses FROM ${document}`;
  for await (const rows of connection.read<FingerprintRow & { readonly id: Buffer }>(text))
    for (const row of rows) {
      const fingerprint = fingerprintIn(row, columns);
      yield { id: row.id.toString('utf8'), fingerprint, ...lossesIn(row, fingerprint) };
    }
}

async function stats(store: PostgresStore): Promise<IndexStats> {
  const counter = createStatsCounter(store.columns.length);
  for await (const entry of documentsIn(store)) counter.add(entry);
  const [row] = await store.connection.query<{ indexes: string; total: string }>(
    'SELECT pg_indexes_size($1::regclass) AS indexes, pg_total_relation_size($1::regclass) AS total',
    [store.document],
  );
  const { indexes, total } = row!;
  return counter.result({ fingerprints: Number(indexes), ids: Number(total) - Number(indexes) });
}
