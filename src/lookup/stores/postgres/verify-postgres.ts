import { isUtf8 } from 'node:buffer';
import { createFaultList } from '../store-errors.ts';
import type { Verification } from '../stored-index.ts';
import type { Runner } from './postgres-connection.ts';
import { keyIndex, type PostgresStore } from './postgres-schema.ts';

/** Checks that each index of keys lists all documents in the order of their keys, and that ids are UTF-8. */
export async function verify({ connection, document, keys }: PostgresStore): Promise<Verification> {
  const { faults, add: fault } = createFaultList();
  for await (const rows of connection.read<{ id: Buffer }>(`SELECT document_id AS id FROM ${document}`))
    for (const { id } of rows) if (!isUtf8(id)) fault(`document ${JSON.stringify(id.toString())}: its id is not UTF-8`);
  const documents = await connection.snapshot(async (runner) => {
    const [row] = await runner.query<{ count: string }>(`SELECT count(*) FROM ${document}`);
    const valid = await validIndexes(runner, document);
    for (const plan of ['seqscan', 'bitmapscan', 'sort', 'incremental_sort'])
      await runner.query(`SET LOCAL enable_${plan} = off`);
    for (const [table, key] of keys.entries()) {
      const name = keyIndex(table);
      const count = Number(row!.count);
      if (!valid.has(name)) fault(`index ${name}: expected a valid index`);
      else for (const text of await checkIndex(runner, document, key, count)) fault(`index ${name}: ${text}`);
    }
    return Number(row!.count);
  });
  return { documents, faults };
}

async function validIndexes({ query }: Runner, document: string): Promise<Set<string>> {
  const rows = await query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
     WHERE i.indrelid = $1::regclass AND i.indisvalid AND i.indpred IS NULL`,
    [document],
  );
  return new Set(rows.map(({ name }) => name));
}

async function checkIndex({ query }: Runner, document: string, key: string, documents: number): Promise<string[]> {
  const statement = `SELECT count(*), count(*) FILTER (WHERE key < before) AS wrong
    FROM (SELECT ${key} AS key, lag(${key}) OVER (ORDER BY ${key}) AS before FROM ${document}) AS sorted`;
  const plan = await query<{ 'QUERY PLAN': string }>(`EXPLAIN ${statement}`);
  // An index on another expression would not be used.
  if (!plan.some((line) => /Index Scan using/.test(line['QUERY PLAN']))) return ['it has another expression'];
  const [row] = await query<{ count: string; wrong: string }>(statement);
  const found = Number(row!.count);
  return [
    ...(found === documents ? [] : [`expected ${documents} documents, got ${found}`]),
    ...(row!.wrong === '0' ? [] : [`${row!.wrong} documents are in the wrong place`]),
  ];
}
