import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, test } from 'vitest';
import { toHex } from '../../../../src/index.ts';
import { firstRows } from '../../../suite.ts';
import { stdoutOf, testWrongUsage } from '../../command.ts';
import {
  expectClusters,
  expectedMatches,
  expectedPairs,
  hashedRevisions,
  inOrder,
  LOAD,
  signed,
  skewed,
  sqlFor,
  withMembers,
} from './fingerprints.ts';

const instance = await DuckDBInstance.create(':memory:', { threads: '1' });

const sql = sqlFor('duckdb');

/** Runs statements in a database of their own, in which a table has these fingerprints. */
async function rowsOf(statements: readonly string[], setup: string, fingerprints: BigUint64Array) {
  const connection = await instance.connect();
  const schema = `s${Math.random().toString(36).slice(2)}`;
  await connection.run(`CREATE SCHEMA ${schema}; USE ${schema}; ${setup}`);
  const appender = await connection.createAppender('fingerprints', schema);
  for (const [id, fingerprint] of fingerprints.entries()) {
    appender.appendInteger(id);
    appender.appendBigInt(signed(fingerprint));
    appender.endRow();
  }
  appender.closeSync();
  const results: string[][] = [];
  for (const statement of statements)
    results.push((await connection.runAndReadAll(statement)).getRows().map((row) => row.join(' ')));
  connection.closeSync();
  return results;
}

/** Looks up all documents among themselves. */
const QUERIES = (task: string) => (task === 'query' ? ['--query-table', 'fingerprints'] : []);

const TABLE = 'CREATE TABLE fingerprints (id INTEGER, fingerprint BIGINT)';

describe('the SQL for pairs in DuckDB', () => {
  test.each(
    firstRows(3, [
      [3, 1000, 4000],
      [3, 4, 4000],
      [6, 2, 600],
      [6, 1000, 600],
      [0, 1000, 2000],
      [4, 3, 1000],
    ]),
  )('finds those of findAll within %i, each once, and splits keys of more than %i', async (k, hot, count) => {
    const fingerprints = skewed(count);
    const [pairs, split] = await rowsOf(
      await sql('--task', 'pairs', '-k', String(k), '--max-bucket', String(hot)),
      TABLE,
      fingerprints,
    );
    expect(pairs!.sort()).toEqual(expectedPairs(fingerprints, k));
    expect(split!.length > 0).toBe(hot < 1000);
  });

  test('splits keys that all fingerprints share by other bits', async () => {
    const fingerprints = BigUint64Array.from({ length: 2000 }, (_, i) => BigInt(i * 524_309) & 0xfffffffffn);
    const [pairs, split] = await rowsOf(await sql('--task', 'pairs', '--max-bucket', '10'), TABLE, fingerprints);
    expect(pairs!.sort()).toEqual(expectedPairs(fingerprints, 3));
    expect(split!.some((row) => row.endsWith(' 2000'))).toBe(true);
  });
});

test('the SQL for queries finds the documents near those of another table, including copies', async () => {
  const fingerprints = skewed(1500);
  const setup = `${TABLE}; CREATE TABLE queries (id INTEGER, fingerprint BIGINT);
    INSERT INTO queries VALUES ${[...fingerprints.subarray(0, 40)].map((each, i) => `(${i}, ${signed(each)})`)}, (99, NULL)`;
  for (const k of [3, 5]) {
    const [rows] = await rowsOf(await sql('--task', 'query', '-k', String(k)), setup, fingerprints);
    expect(rows!.sort()).toEqual(expectedMatches(fingerprints.subarray(0, 40), fingerprints, k));
  }
});

test('the SQL for clusters finds those of findClusters', async () => {
  const fingerprints = skewed(3000);
  const results = await rowsOf(await sql('--task', 'clusters'), TABLE, fingerprints);
  expect(results.at(-3)).toEqual(['0']);
  expectClusters(results.at(-2)!, fingerprints);
});

test('statements load what hash --json prints, run twice, and find all pairs of 256 bits within the distance', async () => {
  for (const k of firstRows(1, [15, 27])) {
    const { cwd, count, expected } = await hashedRevisions(k);
    const load = LOAD.map((each) => each.replace("it's", `${cwd}/it's`));
    const connection = await instance.connect();
    for (const task of ['pairs', 'query', 'clusters', 'pairs'])
      for (const statement of await sql('--task', task, '-k', String(k), ...load, ...QUERIES(task)))
        await connection.run(statement);
    const [pairs] = (await sql('--task', 'pairs', '-k', String(k), ...LOAD)).slice(2);
    const rows = (await connection.runAndReadAll(withMembers(pairs!))).getRows();
    expect(inOrder(rows.map((row) => row.join(' ')))).toEqual(expected);
    const [matches] = (await sql('--task', 'query', '-k', String(k), ...LOAD, ...QUERIES('query'))).slice(2);
    expect((await connection.runAndReadAll(matches!)).getRows()).toHaveLength(2 * expected.length + count);
    connection.closeSync();
  }
});

test('words that are near make no pair of fingerprints that are far apart', async () => {
  const connection = await instance.connect();
  await connection.run(`CREATE TABLE wide AS SELECT * FROM (VALUES (1, 0, 0, 0, 0), (2, 0, -1, -1, -1), (3, 0, 1, 0, 0))
    t (id, fingerprint, fingerprint_1, fingerprint_2, fingerprint_3)`);
  await connection.run(
    `CREATE TABLE far AS SELECT id, ${['', '_1', '_2', '_3'].map((n) => `fingerprint${n}::BIGINT AS fingerprint${n}`)} FROM wide`,
  );
  const [pairs] = await sql('--task', 'pairs', '--label', 'minhash-doc-256', '--table', 'far');
  expect((await connection.runAndReadAll(pairs!)).getRows()).toEqual([[1, 3, 1]]);
  connection.closeSync();
});

test('a table may have any name that the SQL itself uses', async () => {
  for (const table of firstRows(2, ['documents', 'asked', 'source', 'entries', 'near'])) {
    const setup = `CREATE TABLE ${table} (id INT, fingerprint BIGINT); INSERT INTO ${table} VALUES (1, 0), (2, 0), (3, 1); ${TABLE}`;
    const statements = [
      ...(await sql('--task', 'pairs', '--table', table)),
      ...(await sql('--task', 'query', '--table', table, '--query-table', table)),
    ];
    const [pairs, , matches] = await rowsOf(statements, setup, new BigUint64Array(0));
    expect([pairs!.sort(), matches!.length]).toEqual([['1 2 0', '1 3 1'], 9]);
  }
});

test('names and ids may contain any characters', async () => {
  const [table, id, column] = ['x"; DROP TABLE y; --', 'the\n"id', `'fp\\`];
  const quoted = [table, id, column].map((name) => `"${name!.replaceAll('"', '""')}"`);
  const ids = [`'; DROP TABLE y; --`, '"', 'line\nfeed', '', 'ü\u202e', '\\'];
  const connection = await instance.connect();
  await connection.run(`CREATE TABLE ${quoted[0]} (${quoted[1]} VARCHAR, other INT, ${quoted[2]} BIGINT)`);
  for (const [n, each] of ids.entries())
    await connection.run(`INSERT INTO ${quoted[0]} VALUES ($1, 0, $2)`, [each, BigInt(n === 5 ? 0 : 1 << n)]);
  const options = ['--table', table!, '--id', id!, '--fingerprint', column!];
  const [statement] = await sql('--task', 'pairs', '-k', '1', ...options);
  const rows = (await connection.runAndReadAll(statement!)).getRows();
  expect(rows.map(([a, b]) => [a, b].sort())).toHaveLength(5);
  expect(new Set(rows.flatMap((row) => row.slice(0, 2)))).toEqual(new Set(ids));
  connection.closeSync();
});

test('the comment in the SQL converts the hexadecimal form', async () => {
  const stdout = await stdoutOf(['sql', '--dialect', 'duckdb', '--task', 'pairs']);
  const expression = /^-- {3}.*? = (.*)$/m.exec(stdout)![1]!;
  const connection = await instance.connect();
  for (const fingerprint of [0n, 1n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n, 0x8234567890abcdefn]) {
    const [[value]] = (
      await connection.runAndReadAll(`SELECT ${expression} FROM (SELECT '${toHex(fingerprint)}' AS hex)`)
    ).getRows() as [[bigint]];
    expect(value).toBe(signed(fingerprint));
  }
  connection.closeSync();
});

testWrongUsage('sql', [
  [['--dialect', 'duckdb', '--task', 'pairs', '--query-table', 'q'], '--query-table needs --task query'],
  [[], '--dialect'],
  [['--dialect', 'duckdb'], '--task'],
  [['--dialect', 'duckdb', '--task', 'pairs', '-k', '7'], '--distance'],
  [['--dialect', 'duckdb', '--task', 'pairs', '--label', 'minhash-doc-256', '-k', '28'], '--distance'],
  [['--dialect', 'duckdb', '--task', 'pairs', '--load', 'a\nb'], '--load'],
  [['--dialect', 'duckdb', '--task', 'pairs', '--table', ''], '--table'],
]);
