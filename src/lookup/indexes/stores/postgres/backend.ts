import type { Entry, IndexStats } from '../../../document-index.ts';
import { bucketStats, collect } from '../../results.ts';
import { type Backend, encodeKey } from '../backend.ts';
import { lossesInText } from '../losses-column.ts';
import type { Connection } from './connection.ts';
import { createFileRegister } from './files.ts';
import { type FingerprintRow, fingerprintIn, type Names, signedWords, textOf } from './schema.ts';
import { createDocumentCounter, createSqlSearch } from './sql-search.ts';
import { verify } from './verify.ts';
import { BATCH_SIZE, batchSize, copyBatch, onConflict } from './write.ts';

export function createBackend(
  connection: Connection,
  names: Names,
  label: string,
  isWritable: boolean,
  isExclusive: boolean,
): Backend<Buffer> {
  const { place } = connection;
  const { columns } = names;
  const counter = createDocumentCounter(connection, names);
  return {
    place,
    label,
    isWritable,
    removeBatch: BATCH_SIZE,
    keyOf: (id) => encodeKey('id', id),
    async get(key) {
      const text = `SELECT ${textOf(columns)} FROM ${names.document} WHERE document_id = $1`;
      const [row] = await connection.query<FingerprintRow>(text, [key]);
      return row === undefined ? undefined : fingerprintIn(row, columns);
    },
    async put(key, fingerprint, replaces) {
      // A replaced row also comes back, with the transaction that wrote it before.
      const [row] = await connection.query<{ is_new: boolean }>(
        `INSERT INTO ${names.document} AS d (document_id, ${columns.join(', ')}) VALUES ($1, ${columns.map((_, word) => `$${word + 2}`).join(', ')})
         ON CONFLICT (document_id) ${onConflict(columns, replaces)} RETURNING xmax = 0 AS is_new`,
        [key, ...signedWords(fingerprint)],
      );
      const isNew = row?.is_new === true;
      if (isNew) counter.add(1);
      return isNew;
    },
    firstBatch: () => batchSize(connection, names, isExclusive),
    async putBatch(batch, replaces, losses) {
      const added = await copyBatch(connection, names, batch, replaces, losses, isExclusive);
      counter.add(added);
      // These documents are written, even if this fails.
      return { added, next: await batchSize(connection, names, isExclusive).catch(() => BATCH_SIZE) };
    },
    async remove(keys) {
      const [row] = await connection.query<{ count: string }>(
        `WITH gone AS (DELETE FROM ${names.document} WHERE document_id = ANY ($1::bytea[]) RETURNING 1)
         SELECT count(*) FROM gone`,
        [keys],
      );
      return Number(row!.count);
    },
    findNearest: createSqlSearch(connection, names, counter),
    size: () => counter.count(),
    stats: () => stats(connection, names),
    entries: () => documentsIn(connection, names),
    files: createFileRegister(connection, names),
    verify: () => verify(connection, names),
    close: () => connection.close(),
  };
}

async function* documentsIn(connection: Connection, { document, columns, losses }: Names): AsyncGenerator<Entry, void> {
  const text = `SELECT document_id AS id, ${textOf(columns)}, ${losses} FROM ${document}`;
  for await (const rows of connection.read<FingerprintRow & { readonly id: Buffer }>(text))
    for (const row of rows) {
      const fingerprint = fingerprintIn(row, columns);
      yield { id: row.id.toString('utf8'), fingerprint, ...lossesInText(row['losses'], fingerprint) };
    }
}

async function stats(connection: Connection, names: Names): Promise<IndexStats> {
  const { fingerprints, losses } = await collect(documentsIn(connection, names));
  const [row] = await connection.query<{ indexes: string; total: string }>(
    'SELECT pg_indexes_size($1::regclass) AS indexes, pg_total_relation_size($1::regclass) AS total',
    [names.document],
  );
  const { indexes, total } = row!;
  return {
    documents: fingerprints.length,
    bytes: { fingerprints: Number(indexes), ids: Number(total) - Number(indexes) },
    buckets: bucketStats(fingerprints, names.columns.length),
    losses,
  };
}
