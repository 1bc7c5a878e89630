import { type Fingerprint, wordsOf } from '../../../scheme/labels/fingerprint.ts';
import { schemeOf } from '../../../scheme/labels/label.ts';
import { TABLES, unpermute } from '../../../scheme/tables.ts';
import { hashToken } from '../../../scheme/token-hash.ts';
import { createFaultList } from '../store-errors.ts';
import type { Verification } from '../stored-index.ts';
import { mapLimited, type Row } from './cassandra-connection.ts';
import { bucketOf, entryRows, fingerprintOf, permutedOf } from './cassandra-documents.ts';
import type { CassandraStore } from './cassandra-schema.ts';

const MAX_DOCUMENTS = 8;

const DOCUMENTS_PER_PASS = 1_000_000;

interface Held {
  readonly fingerprint: Fingerprint;
  rows: number;
}

type Fault = (text: string) => void;

/** Checks that each document has its 16 rows, or 64. Stale rows are not a fault: no document confirms them. */
export async function verify(store: CassandraStore): Promise<Verification> {
  const { connection, names } = store;
  const { faults, add: fault } = createFaultList();
  let documents = 0;
  for await (const page of connection.pages(`SELECT document_id FROM ${names.document}`)) documents += page.length;
  const passes = Math.max(1, Math.ceil(documents / DOCUMENTS_PER_PASS));
  for (let pass = 0; pass < passes; pass++) {
    const { held, count } = await readDocuments(store, pass, passes, fault);
    documents = count;
    const rows = connection.pages(`SELECT table_no, table_key, bucket, rest, document_id FROM ${names.entry}`);
    for await (const page of rows) for (const row of page) countRow(held, row, store.buckets);
    const expected = TABLES * schemeOf(store.label).words;
    const incomplete = [...held].filter(([, { rows }]) => rows !== expected);
    await mapLimited(incomplete, MAX_DOCUMENTS, ([id]) => recheck(store, id, fault));
  }
  return { documents, faults };
}

async function readDocuments(store: CassandraStore, pass: number, passes: number, fault: Fault) {
  const { connection, names } = store;
  const held = new Map<string, Held>();
  let count = 0;
  for await (const page of connection.pages(`SELECT document_id, fingerprint FROM ${names.document}`))
    for (const row of page) {
      count++;
      const id = String(row['document_id']);
      if (hashToken(id) % BigInt(passes) !== BigInt(pass)) continue;
      try {
        held.set(id, { fingerprint: fingerprintOf(store, row), rows: 0 });
      } catch (error) {
        fault((error as Error).message);
      }
    }
  return { held, count };
}

/** Counts a row, if it is the one that its document has in that table. */
function countRow(held: ReadonlyMap<string, Held>, row: Row, buckets: number): void {
  const id = String(row['document_id']);
  const document = held.get(id);
  const permuted = permutedOf(row);
  const number = Number(row['table_no']);
  if (document === undefined || permuted === undefined || number < 0) return;
  const word = wordsOf('fingerprint', document.fingerprint)[Math.floor(number / TABLES)];
  if (word === undefined || unpermute(permuted, number % TABLES) !== word) return;
  if (row['bucket'] === bucketOf(id, buckets)) document.rows++;
}

/** Rereads a document that lacks some rows: it may have changed meanwhile. */
async function recheck(store: CassandraStore, id: string, fault: Fault): Promise<void> {
  const { connection, names, buckets } = store;
  const [row] = await connection.read(`SELECT document_id, fingerprint FROM ${names.document} WHERE document_id = ?`, [
    id,
  ]);
  if (row === undefined) return;
  const query = `SELECT rest FROM ${names.entry} WHERE table_no = ? AND table_key = ? AND bucket = ? AND rest = ? AND document_id = ?`;
  const rows = entryRows(id, fingerprintOf(store, row), buckets);
  const found = await Promise.all(rows.map((params) => connection.read(query, params)));
  const missing = found.flatMap((list, table) => (list.length === 0 ? [table] : []));
  if (missing.length > 0) fault(`document ${JSON.stringify(id)}: no row in the tables ${missing.join(', ')}`);
}
