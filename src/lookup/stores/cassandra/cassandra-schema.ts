import type { Label } from '../../../scheme/labels/label.ts';
import { readIndexLabel } from '../backend.ts';
import { storeError } from '../store-errors.ts';
import type { Connection } from './cassandra-connection.ts';
import type { Target } from './cassandra-url.ts';

const LAYOUT = '1';

const REPLICATION = 3;

export type Names = ReturnType<typeof namesIn>;

export function namesIn(keyspace: string) {
  const name = (table: string): string => `${quote(keyspace)}.simhash_doc_${table}`;
  return {
    meta: name('meta'),
    document: name('document'),
    entry: name('entry'),
    file: name('file'),
    member: name('member'),
  };
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export async function createSchema(connection: Connection, target: Target, label: string): Promise<void> {
  const { keyspace, buckets } = target;
  const { meta, document, entry, file, member } = namesIn(keyspace);
  const [datacenter, nodes] = datacenterOf(connection, target);
  const replication = target.replication ?? Math.min(REPLICATION, nodes);
  const strategy = `{'class': 'NetworkTopologyStrategy', '${datacenter.replaceAll("'", "''")}': ${replication}}`;
  const known = await connection.read('SELECT keyspace_name FROM system_schema.keyspaces WHERE keyspace_name = ?', [
    keyspace,
  ]);
  if (known.length === 0)
    await connection.define(`CREATE KEYSPACE IF NOT EXISTS ${quote(keyspace)} WITH replication = ${strategy}`);
  for (const table of [
    `${meta} (name text PRIMARY KEY, value text)`,
    `${document} (document_id text PRIMARY KEY, fingerprint text, losses text)`,
    `${entry} (table_no tinyint, table_key int, bucket int, rest bigint, document_id text, PRIMARY KEY ((table_no, table_key, bucket), rest, document_id))`,
    `${file} (path text PRIMARY KEY, generation bigint, state text)`,
    `${member} (path text, document_id text, generation bigint, PRIMARY KEY (path, document_id))`,
  ])
    await connection.define(`CREATE TABLE IF NOT EXISTS ${table}`);
  // The layout last: without it, the index does not exist. Existing tables stay.
  for (const [name, value] of [
    ['label', label],
    ['buckets', String(buckets)],
    ['layout', LAYOUT],
  ] as const)
    await connection.write(`INSERT INTO ${meta} (name, value) VALUES (?, ?) IF NOT EXISTS`, [name, value]);
}

function datacenterOf({ place, datacenters }: Connection, { datacenter }: Target): [string, number] {
  const [only] = datacenters;
  const name = datacenter ?? only?.[0];
  if (name === undefined) throw storeError('unavailable', place, 'the cluster has no nodes');
  return [name, datacenters.get(name) ?? 1];
}

export interface Meta {
  readonly label: Label;
  /** The number of partitions over which the documents that share a key are spread. */
  readonly buckets: number;
  /** The column of losses, in a SELECT list; empty if an early version made the table. */
  readonly losses: ', losses' | '';
}

export async function readMeta(
  connection: Connection,
  keyspace: string,
  expected: string | undefined,
  isWritable: boolean,
): Promise<Meta> {
  const { place } = connection;
  const tables = await connection.read(
    'SELECT table_name FROM system_schema.tables WHERE keyspace_name = ? AND table_name = ?',
    [keyspace, 'simhash_doc_meta'],
  );
  if (tables.length === 0)
    throw storeError('not-found', place, `there is no index in the keyspace ${keyspace}: create one with index create`);
  const rows = await connection.read(`SELECT name, value FROM ${namesIn(keyspace).meta}`);
  const records = Object.fromEntries(rows.map(({ name, value }) => [name, String(value)]));
  const label = readIndexLabel(place, records, LAYOUT, expected);
  const { buckets = '' } = records;
  if (!/^[1-9][0-9]{0,6}$/.test(buckets))
    throw storeError('damaged', place, `buckets: expected a number, got ${JSON.stringify(buckets)}`);
  return {
    label,
    buckets: Number(buckets),
    losses: (await hasLosses(connection, keyspace, isWritable)) ? ', losses' : '',
  };
}

/** Tests whether documents have a column for losses. To write, adds the column if an early version made the table. */
async function hasLosses(connection: Connection, keyspace: string, isWritable: boolean): Promise<boolean> {
  const rows = await connection.read(
    'SELECT column_name FROM system_schema.columns WHERE keyspace_name = ? AND table_name = ? AND column_name = ?',
    [keyspace, 'simhash_doc_document', 'losses'],
  );
  if (rows.length > 0 || !isWritable) return rows.length > 0;
  await connection.define(`ALTER TABLE ${namesIn(keyspace).document} ADD losses text`);
  return true;
}

export interface CassandraStore extends Meta {
  readonly connection: Connection;
  readonly names: Names;
}
