import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BatchDocument } from '../backend.ts';
import { loadPackage, type Runner } from './postgres-connection.ts';
import { keyIndex, lossesText, type PostgresStore, signedWords } from './postgres-schema.ts';

export const BATCH_SIZE = 1 << 16;

const BULK_SIZE = 1 << 20;

/** The minimum number of documents for which rebuilding the indexes of an empty table is faster than adding to them. */
const MIN_BULK = 10_000;

/** Rebuilding the indexes takes less time for this number of documents than adding one does: measured were 16 to 27. */
const REBUILD_SHARE = 8;

/** Returns the number of documents that the next transaction should have: many if the index is empty, or may be rebuilt. */
export async function batchSize({ connection, document, isExclusive }: PostgresStore): Promise<number> {
  if (await hasAtMost(connection, document, 0)) return BULK_SIZE;
  if (!isExclusive) return BATCH_SIZE;
  const [row] = await connection.query<{ count: string }>(`SELECT count(*) FROM ${document}`);
  return Math.max(BATCH_SIZE, Math.min(BULK_SIZE, Math.ceil(Number(row!.count) / REBUILD_SHARE)));
}

async function hasAtMost({ query }: Runner, document: string, count: number): Promise<boolean> {
  const [row] = await query<{ few: boolean }>(`SELECT NOT EXISTS (SELECT FROM ${document} OFFSET ${count}) AS few`);
  return row!.few;
}

/**
 * Drops the indexes of the keys of a table, if it has at most `max` documents and this user owns it; returns whether
 * it did. Rebuilding them at the end of the transaction takes a tenth of the time that adding to them takes.
 */
async function dropKeys({ query }: Runner, { document, keys, key }: PostgresStore, max: number): Promise<boolean> {
  const [row] = await query<{ owns: boolean }>(
    `SELECT pg_has_role(relowner, 'USAGE') AS owns FROM pg_class WHERE oid = $1::regclass`,
    [document],
  );
  if (!row!.owns || !(await hasAtMost({ query }, document, max))) return false;
  await query(`LOCK TABLE ${document} IN ACCESS EXCLUSIVE MODE`);
  if (!(await hasAtMost({ query }, document, max))) return false;
  for (const table of keys.keys()) await query(`DROP INDEX ${key(table)}`);
  return true;
}

export function onConflict(columns: readonly string[], replaces: boolean): string {
  if (!replaces) return 'DO NOTHING';
  const values = columns.map((column) => `${column} = EXCLUDED.${column}`);
  const differences = columns.map((column) => `d.${column} <> EXCLUDED.${column}`);
  return `DO UPDATE SET ${values.join(', ')} WHERE ${differences.join(' OR ')}`;
}

/** Adds documents by COPY; returns how many ids were new. Exclusive use permits rebuilding the indexes. */
export async function copyBatch(
  store: PostgresStore,
  documents: readonly BatchDocument[],
  replaces: boolean,
): Promise<number> {
  const { connection, document, columns, isExclusive } = store;
  const { from } = (await loadPackage(connection.place, () => import('pg-copy-streams'))).default;
  return connection.transaction(async ({ query, client }) => {
    const max = isExclusive ? REBUILD_SHARE * documents.length : 0;
    const isBulk = documents.length >= MIN_BULK && (await dropKeys({ query }, store, max));
    const values = columns.map((column) => `${column} bigint`).join(', ');
    await query(`CREATE TEMP TABLE simhash_doc_incoming (document_id bytea, ${values}, losses text) ON COMMIT DROP`);
    const stream = client.query(from('COPY simhash_doc_incoming FROM STDIN'));
    await pipeline(Readable.from(copyLines(documents)), stream);
    // In order, so that two that add the same ids wait for each other and do not block each other forever.
    const [row] = await query<{ added: string }>(
      `WITH written AS (
         INSERT INTO ${document} AS d (document_id, ${columns.join(', ')}, losses)
         SELECT document_id, ${columns.join(', ')}, nullif(losses, '') FROM simhash_doc_incoming ORDER BY document_id
         ON CONFLICT (document_id) ${onConflict(columns, replaces)} RETURNING xmax = 0 AS is_new)
       SELECT count(*) FILTER (WHERE is_new) AS added FROM written`,
    );
    if (replaces && documents.some(({ losses }) => losses !== undefined))
      await noteLosses({ query }, document, '(SELECT document_id, losses FROM simhash_doc_incoming)');
    if (isBulk)
      for (const [table, key] of store.keys.entries())
        await query(`CREATE INDEX ${keyIndex(table)} ON ${document} (${key})`);
    return Number(row!.added);
  });
}

/** Replaces the losses of documents by rows of two columns: ids, and losses, which are NULL if unknown and '' if there are none. */
export async function noteLosses({ query }: Runner, document: string, rows: string, values?: readonly unknown[]) {
  await query(
    `UPDATE ${document} AS d SET losses = nullif(new.losses, '') FROM ${rows} AS new (document_id, losses)
     WHERE d.document_id = new.document_id AND new.losses IS NOT NULL AND d.losses IS DISTINCT FROM nullif(new.losses, '')`,
    values,
  );
}

/** Writes lines for COPY, some thousand at a time. Ids are hexadecimal, so that COPY interprets nothing in them. */
function* copyLines(documents: readonly BatchDocument[]): Generator<string> {
  let text = '';
  for (const { id, fingerprint, losses } of documents) {
    const lost = lossesText(fingerprint, losses)?.replaceAll('\\', '\\\\') ?? '\\N';
    text += `\\\\x${Buffer.from(id).toString('hex')}\t${signedWords(fingerprint).join('\t')}\t${lost}\n`;
    if (text.length < 1 << 16) continue;
    yield text;
    text = '';
  }
  yield text;
}
