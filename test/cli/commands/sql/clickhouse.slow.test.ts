import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { toHex } from '../../../../src/index.ts';
import { hasModules, PYTHON } from '../../../adapters/wheel.ts';
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

const PROGRAM = `
import json, sys
from chdb import session
engine = session.Session()
results = []
for statement in json.load(sys.stdin):
    results.append(str(engine.query(statement, "TabSeparatedRaw")).splitlines())
json.dump(results, sys.stdout)
`;

/** Runs statements in a new database and returns the rows of each, with a space between columns. */
function rowsOf(statements: readonly string[], cwd?: string): string[][] {
  const { status, stdout, stderr } = spawnSync(PYTHON, ['-c', PROGRAM], {
    input: JSON.stringify(statements),
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  return (JSON.parse(stdout) as string[][]).map((rows) => rows.map((row) => row.replaceAll('\t', ' ')));
}

function tableOf(name: string, fingerprints: BigUint64Array): string[] {
  const values = Array.from(fingerprints, (each, id) => `(${id},${signed(each)})`).join();
  return [
    `CREATE TABLE ${name} (id Int32, fingerprint Int64) ENGINE = MergeTree ORDER BY id`,
    `INSERT INTO ${name} VALUES ${values}`,
  ];
}

const sql = sqlFor('clickhouse');

describe.skipIf(!hasModules('chdb') && process.env['SIMHASH_DOC_REQUIRE_ALL'] === undefined)(
  'the SQL for ClickHouse',
  () => {
    test.each([
      [3, 1000, 10_000],
      [3, 4, 10_000],
      [6, 1000, 500],
      [6, 2, 500],
    ])('finds pairs within %i, and splits keys of more than %i', async (k, hot, count) => {
      const fingerprints = skewed(count);
      const statements = await sql('--task', 'pairs', '-k', String(k), '--max-bucket', String(hot));
      const [, , pairs, split] = rowsOf([...tableOf('fingerprints', fingerprints), ...statements]);
      expect(pairs!.sort()).toEqual(expectedPairs(fingerprints, k));
      expect(split!.length > 0).toBe(hot < 1000);
    });

    test('finds the documents near those of another table', async () => {
      const [fingerprints, queries] = [skewed(1500), skewed(40)];
      const setup = [...tableOf('fingerprints', fingerprints), ...tableOf('queries', queries)];
      const rows = rowsOf([...setup, ...(await sql('--task', 'query', '-k', '5'))])[4]!;
      expect(rows.sort()).toEqual(expectedMatches(queries, fingerprints, 5));
    });

    test('finds the clusters of findClusters', async () => {
      const fingerprints = skewed(3000);
      const results = rowsOf([...tableOf('fingerprints', fingerprints), ...(await sql('--task', 'clusters'))]);
      expect(results.at(-3)).toEqual(['0']);
      expectClusters(results.at(-2)!, fingerprints);
    });

    test('loads what hash --json prints, and finds all pairs of 256 bits within the distance, twice', async () => {
      const { cwd, expected } = await hashedRevisions(15);
      const statements = await sql('--task', 'pairs', ...LOAD);
      const clusters = await sql('--task', 'clusters', ...LOAD);
      const results = rowsOf([...clusters, ...statements, ...clusters, withMembers(statements[2]!)], cwd);
      expect(inOrder(results.at(-1)!)).toEqual(expected);
    });

    test('takes hostile names, ids that are text, and hexadecimal digits', async () => {
      const names = ['x`; DROP TABLE y; --', 'the\n"id', "'fp\\"];
      const [table, id, column] = names.map((name) => `\`${name.replace(/[\\`]/g, '\\$&')}\``);
      const options = ['--table', names[0]!, '--id', names[1]!, '--fingerprint', names[2]!];
      const [statement] = await sql('--task', 'pairs', '-k', '1', ...options);
      const expression = /^-- {3}.*? = (.*)$/m.exec(statement!)![1]!;
      const fingerprints = [0n, 1n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n];
      const [, , pairs, ...values] = rowsOf([
        `CREATE TABLE ${table} (${id} String, ${column} Int64) ENGINE = MergeTree ORDER BY tuple()`,
        `INSERT INTO ${table} VALUES ('\\'; --', 7), ('"', 7), ('z', 0)`,
        statement!,
        ...fingerprints.map((each) => `SELECT ${expression} FROM (SELECT '${toHex(each)}' AS hex)`),
      ]);
      expect(pairs).toEqual([`" '; -- 0`]);
      expect(values).toEqual(fingerprints.map((each) => [String(signed(each))]));
    });
  },
);
