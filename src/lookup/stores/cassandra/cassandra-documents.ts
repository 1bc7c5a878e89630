import { type Fingerprint, wordsOf } from '../../../scheme/labels/fingerprint.ts';
import { parse, serialise } from '../../../scheme/serialise.ts';
import { KEY_BITS, permute, TABLES } from '../../../scheme/tables.ts';
import { hashToken } from '../../../scheme/token-hash.ts';
import type { Entry } from '../../document-index.ts';
import { isSame } from '../../query-results.ts';
import type { Losses } from '../backend.ts';
import { lossesInText, lossesText } from '../losses-column.ts';
import { storeError } from '../store-errors.ts';
import { mapLimited, type Row, type Statement } from './cassandra-connection.ts';
import type { CassandraStore } from './cassandra-schema.ts';

const REST_BITS = BigInt(64 - KEY_BITS);

interface StoredDocument {
  readonly fingerprint: Fingerprint;
  /** The text of the column; empty without one. */
  readonly losses: string;
  readonly written: number;
}

export function bucketOf(id: string, buckets: number): number {
  return Number(hashToken(id) % BigInt(buckets));
}

/** Returns the values of the rows of a document, in the order of the table numbers: 16 for each word. */
export function entryRows(id: string, fingerprint: Fingerprint, buckets: number): unknown[][] {
  const bucket = bucketOf(id, buckets);
  return wordsOf('fingerprint', fingerprint).flatMap((value, word) =>
    Array.from({ length: TABLES }, (_, table) => {
      const permuted = permute(value, table);
      const rest = BigInt.asUintN(Number(REST_BITS), permuted);
      return [TABLES * word + table, Number(permuted >> REST_BITS), bucket, rest, id];
    }),
  );
}

/** The maximum number of statements in a batch: nodes refuse one of more than 50 KiB by default, and an id has up to 500 bytes. */
const MAX_STATEMENTS = 65;

/**
 * Returns the statements that replace a document's fingerprint, or remove it. The first batch has all but rows that are
 * stale after it.
 */
function changeBatches(
  { names: { document, entry }, buckets }: CassandraStore,
  id: string,
  before: Fingerprint | undefined,
  after: Fingerprint | undefined,
  losses: string | undefined,
): Statement[][] {
  const isNoted = losses !== undefined;
  const statements: Statement[] = [
    after === undefined
      ? { query: `DELETE FROM ${document} WHERE document_id = ?`, params: [id] }
      : {
          query: `INSERT INTO ${document} (document_id, fingerprint${isNoted ? ', losses' : ''}) VALUES (?, ?${isNoted ? ', ?' : ''})`,
          params: [id, serialise(after), ...(isNoted ? [losses || null] : [])],
        },
  ];
  const insert = `INSERT INTO ${entry} (table_no, table_key, bucket, rest, document_id) VALUES (?, ?, ?, ?, ?)`;
  const remove = `DELETE FROM ${entry} WHERE table_no = ? AND table_key = ? AND bucket = ? AND rest = ? AND document_id = ?`;
  const added = after === undefined ? [] : entryRows(id, after, buckets);
  const removed = before === undefined ? [] : entryRows(id, before, buckets);
  for (const params of added) statements.push({ query: insert, params });
  // Two fingerprints can share a word, and a row written and deleted with one timestamp is gone.
  for (const [table, params] of removed.entries())
    if (params.some((value, column) => value !== added[table]?.[column])) statements.push({ query: remove, params });
  return [statements.slice(0, MAX_STATEMENTS), statements.slice(MAX_STATEMENTS)].filter(({ length }) => length > 0);
}

export function permutedOf({ table_key: key, rest }: Row): bigint | undefined {
  if (typeof key !== 'number' || typeof rest !== 'bigint') return undefined;
  const permuted = (BigInt(key) << REST_BITS) | rest;
  return key < 0 || rest < 0n || rest >> REST_BITS > 0n || permuted >> 64n > 0n ? undefined : permuted;
}

export function fingerprintOf(
  { connection, label }: CassandraStore,
  { document_id: id, fingerprint }: Row,
): Fingerprint {
  try {
    return parse(fingerprint as string, { label: label as string });
  } catch (error) {
    throw storeError('damaged', connection.place, `document ${JSON.stringify(id)}: ${(error as Error).message}`, error);
  }
}

export function entryOf(store: CassandraStore, row: Row): Entry {
  const fingerprint = fingerprintOf(store, row);
  return { id: String(row['document_id']), fingerprint, ...lossesInText(row['losses'], fingerprint) };
}

export const MAX_WRITES = 32;

export const BATCH_SIZE = 4096;

export type Change = 'added' | 'replaced' | 'same' | 'refused';

export type DocumentWriter = ReturnType<typeof createWriter>;

/**
 * Makes a writer of documents. Each change of a document is one logged batch with one timestamp, later than the one of the
 * record it replaces. If two changes have the same timestamp, one wins in all rows, or stale rows of the other stay, which no
 * document confirms. With 256 bits, a second batch with that timestamp removes such rows.
 */
export function createWriter(store: CassandraStore) {
  const { connection, names } = store;
  let last = 0;

  function timeAfter(written: number): number {
    // Two programs must not write at one time: of 256 bits, a row that both write and delete would be gone.
    last = Math.max(1000 * Date.now() + Math.floor(1000 * Math.random()), last + 1, written + 1);
    return last;
  }

  async function read(id: string): Promise<StoredDocument | undefined> {
    const [row] = await connection.read(
      `SELECT document_id, fingerprint${store.losses}, WRITETIME(fingerprint) AS written FROM ${names.document} WHERE document_id = ?`,
      [id],
    );
    if (row === undefined) return undefined;
    return {
      fingerprint: fingerprintOf(store, row),
      losses: String(row['losses'] ?? ''),
      written: Number(row['written']),
    };
  }

  async function change(
    id: string,
    before: StoredDocument | undefined,
    after: Fingerprint | undefined,
    losses?: string,
  ): Promise<void> {
    const time = timeAfter(before?.written ?? 0);
    // A null leaves a tombstone, so it is written only over a value.
    const noted = losses === (before?.losses ?? '') ? undefined : losses;
    for (const statements of changeBatches(store, id, before?.fingerprint, after, noted))
      await connection.batch(statements, time);
  }

  async function put(
    id: string,
    fingerprint: Fingerprint,
    replaces: boolean,
    codes?: readonly string[],
  ): Promise<Change> {
    const before = await read(id);
    if (before !== undefined && !replaces) return 'refused';
    const losses = lossesText(fingerprint, codes);
    const same = before !== undefined && isSame(before.fingerprint, fingerprint);
    if (!same || (losses !== undefined && losses !== before.losses)) await change(id, before, fingerprint, losses);
    return before === undefined ? 'added' : same ? 'same' : 'replaced';
  }

  async function remove(id: string): Promise<boolean> {
    const before = await read(id);
    if (before !== undefined) await change(id, before, undefined);
    return before !== undefined;
  }

  return {
    read,
    put,
    putAll: (batch: Iterable<readonly [string, Fingerprint]>, replaces: boolean, losses: Losses): Promise<Change[]> =>
      mapLimited([...batch], MAX_WRITES, ([id, fingerprint]) => put(id, fingerprint, replaces, losses.get(id))),
    async removeAll(ids: readonly string[]): Promise<number> {
      const removed = await mapLimited([...new Set(ids)], MAX_WRITES, remove);
      return removed.filter(Boolean).length;
    },
  };
}
