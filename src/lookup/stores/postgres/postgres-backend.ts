import type { Entry, IndexStats } from '../../document-index.ts';
import { bucketStats, collect } from '../../query-results.ts';
import { type Backend, encodeKey } from '../backend.ts';
import { lossesInText } from '../losses-column.ts';
import { createFileRegister } from './postgres-files.ts';
import { type FingerprintRow, fingerprintIn, type PostgresStore, signedWords, textOf } from './postgres-schema.ts';
import { BATCH_SIZE, batchSize, copyBatch, onConflict } from './postgres-write.ts';
import { createDocumentCounter, createSqlSearch } from './sql-search.ts';
import { verify } from './verify-postgres.ts';

export function createBackend(store: PostgresStore, label: string, isWritable: boolean): Backend<Buffer> {
  const { connection, document, columns } = store;
  const counter = createDocumentCounter(store);
  return {
    place: connection.place,
    label,
    isWritable,
    removeBatch: BATCH_SIZE,
    keyOf: (id) => encodeKey('id', id),
    async get(key) {
      const text = `SELECT ${textOf(columns)} FROM ${document} WHERE document_id = $1`;
      const [row] = await connection.query<FingerprintRow>(text, [key]);
      return row === undefined ? undefined : fingerprintIn(row, columns);
    },
    async put(key, fingerprint, replaces) {
      // A replaced row also comes back, with the transaction that wrote it before.
      const [row] = await connection.query<{ is_new: boolean }>(
        `INSERT INTO ${document} AS d (document_id, ${columns.join(', ')}) VALUES ($1, ${columns.map((_, word) => `$${word + 2}`).join(', ')})
         ON CONFLICT (document_id) ${onConflict(columns, replaces)} RETURNING xmax = 0 AS is_new`,
        [key, ...signedWords(fingerprint)],
      );
      const isNew = row?.is_new === true;
      if (isNew) counter.add(1);
      return isNew;
    },
    firstBatch: () => batchSize(store),
    async putBatch(batch, replaces, losses) {
      const added = await copyBatch(store, batch, replaces, losses);
      counter.add(added);
      // These documents are written, even if this fails.
      return { added, next: await batchSize(store).catch(() => BATCH_SIZE) };
    },
    async remove(keys) {
      const [row] = await connection.query<{ count: string }>(
        `WITH gone AS (DELETE FROM ${document} WHERE document_id = ANY ($1::bytea[]) RETURNING 1)
         SELECT count(*) FROM gone`,
        [keys],
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

async function* documentsIn({ connection, document, columns, losses }: PostgresStore): AsyncGenerator<Entry, void> {
  const text = `SELECT document_id AS id, ${textOf(columns)}, ${losses} FROM ${document}`;
  for await (const rows of connection.read<FingerprintRow & { readonly id: Buffer }>(text))
    for (const row of rows) {
      const fingerprint = fingerprintIn(row, columns);
      yield { id: row.id.toString('utf8'), fingerprint, ...lossesInText(row['losses'], fingerprint) };
    }
}

async function stats(store: PostgresStore): Promise<IndexStats> {
  const { fingerprints, losses } = await collect(documentsIn(store));
  const [row] = await store.connection.query<{ indexes: string; total: string }>(
    'SELECT pg_indexes_size($1::regclass) AS indexes, pg_total_relation_size($1::regclass) AS total',
    [store.document],
  );
  const { indexes, total } = row!;
  return {
    documents: fingerprints.length,
    bytes: { fingerprints: Number(indexes), ids: Number(total) - Number(indexes) },
    buckets: bucketStats(fingerprints, store.columns.length),
    losses,
  };
}
