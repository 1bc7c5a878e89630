import { type Fingerprint, fingerprintOfWords, wordsOf } from '../../../scheme/labels/fingerprint.ts';
import { schemeOf } from '../../../scheme/labels/label.ts';
import { serialise } from '../../../scheme/serialise.ts';
import { KEY_BITS, permute, TABLES } from '../../../scheme/tables.ts';
import type { Entry } from '../../document-index.ts';
import { readStoredLabel } from '../backend.ts';
import { layoutError, storeError } from '../store-errors.ts';
import type { Connection, Runner } from './postgres-connection.ts';

const LAYOUT = '3';

export function signedWords(fingerprint: Fingerprint): string[] {
  return wordsOf('fingerprint', fingerprint).map((word) => BigInt.asIntN(64, word).toString());
}

export type FingerprintRow = Readonly<Record<string, unknown>>;

/** Returns a SELECT list of columns cast to text, since an application may replace pg's number parsers. */
export function textOf(columns: readonly string[]): string {
  return columns.map((column) => `${column}::text`).join(', ');
}

export function fingerprintIn(row: FingerprintRow, columns: readonly string[]): Fingerprint {
  return fingerprintOfWords(columns.map((column) => BigInt.asUintN(64, BigInt(row[column] as string))));
}

/*
 * The column `losses` also has the fingerprint that they are about: programs that do not know the column replace documents without it.
 */

/** Returns the text of the column; empty for no losses, undefined for unknown ones. */
export function lossesText(fingerprint: Fingerprint, losses: readonly string[] | undefined): string | undefined {
  return losses?.length === 0 ? '' : losses && JSON.stringify({ fingerprint: serialise(fingerprint), losses });
}

export function lossesIn({ losses: text }: FingerprintRow, fingerprint: Fingerprint): Pick<Entry, 'losses'> {
  if (typeof text !== 'string') return {};
  const { fingerprint: about, losses } = JSON.parse(text) as { fingerprint: string; losses: readonly string[] };
  return about === serialise(fingerprint) ? { losses } : {};
}

function keyExpression(column: string, table: number): string {
  const runs: { from: number; to: number; length: number }[] = [];
  for (let bit = 0n; bit < 64n; bit++) {
    const to = permute(1n << bit, table).toString(2).length - 1 - (64 - KEY_BITS);
    if (to < 0) continue;
    const last = runs.at(-1);
    if (last !== undefined && last.from + last.length === Number(bit) && last.to + last.length === to) last.length++;
    else runs.push({ from: Number(bit), to, length: 1 });
  }
  const parts = runs.map(({ from, to, length }) => {
    const bits = `(${column} >> ${from} & ${2 ** length - 1})`;
    return to === 0 ? bits : `(${bits} << ${to})`;
  });
  return `((${parts.join(' | ')})::int)`;
}

export type Names = ReturnType<typeof namesIn>;

export interface PostgresStore extends Names {
  readonly connection: Connection;
  /** True if `addAll` may lock out other users. */
  readonly isExclusive: boolean;
}

export function keyIndex(table: number): string {
  return `simhash_doc_key_${table}`;
}

export function namesIn(schema: string, words: number) {
  const columns = Array.from({ length: words }, (_, word) => (word === 0 ? 'fingerprint' : `fingerprint_${word}`));
  const quoted = quote(schema);
  const name = (table: string): string => `${quoted}.simhash_doc_${table}`;
  return {
    meta: name('meta'),
    document: name('document'),
    file: name('file'),
    member: name('member'),
    columns,
    keys: columns.flatMap((column) => Array.from({ length: TABLES }, (_, table) => keyExpression(column, table))),
    key: (table: number): string => `${quoted}.${keyIndex(table)}`,
  };
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export async function createSchema(connection: Connection, schema: string, label: string): Promise<void> {
  const { meta, document, file, member, columns, keys } = namesIn(schema, schemeOf(label).words);
  await connection.transaction(async ({ query }) => {
    // One at a time: IF NOT EXISTS does not wait for another transaction.
    await query('SELECT pg_advisory_xact_lock(hashtext($1))', [`simhash-doc ${schema}`]);
    if (await hasMeta({ query }, schema)) return;
    await query(`CREATE SCHEMA IF NOT EXISTS ${quote(schema)}`);
    await query(`CREATE TABLE ${meta} (name varchar(16) PRIMARY KEY, value varchar(200) NOT NULL)`);
    await query(
      `CREATE TABLE ${document} (document_id bytea PRIMARY KEY CHECK (length(document_id) BETWEEN 1 AND 500), ${columns.map((column) => `${column} bigint NOT NULL`).join(', ')}, losses text)`,
    );
    for (const [table, expression] of keys.entries())
      await query(`CREATE INDEX ${keyIndex(table)} ON ${document} (${expression})`);
    await query(
      `CREATE TABLE ${file} (path bytea PRIMARY KEY, number bigint GENERATED ALWAYS AS IDENTITY UNIQUE, generation bigint NOT NULL, state jsonb)`,
    );
    await query(
      `CREATE TABLE ${member} (number bigint, document_id bytea, generation bigint NOT NULL, PRIMARY KEY (number, document_id))`,
    );
    await query(`INSERT INTO ${meta} VALUES ('layout', $1), ('label', $2)`, [LAYOUT, label]);
  });
}

async function hasMeta({ query }: Runner, schema: string): Promise<boolean> {
  const [row] = await query<{ name: string | null }>('SELECT to_regclass($1)::text AS name', [namesIn(schema, 1).meta]);
  return row!.name !== null;
}

export async function readLabel(connection: Connection, schema: string, expected: string | undefined): Promise<string> {
  const { place } = connection;
  if (!(await hasMeta(connection, schema)))
    throw storeError('not-found', place, `there is no index in the schema ${schema}: create one with index create`);
  const text = `SELECT name, value FROM ${namesIn(schema, 1).meta}`;
  const rows = await connection.query<{ name: string; value: string }>(text);
  const { layout, label } = Object.fromEntries(rows.map(({ name, value }) => [name, value]));
  if (layout !== LAYOUT) throw layoutError(place, layout, LAYOUT);
  return readStoredLabel(place, expected, label);
}
