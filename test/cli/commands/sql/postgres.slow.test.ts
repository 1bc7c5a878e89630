import { execFileSync } from 'node:child_process';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toHex } from '../../../../src/index.ts';
import { hasPostgres, psql, startPostgres } from '../../../lookup/stores/postgres-server.ts';
import { run } from '../../command.ts';
import { expectedPairs, hashedRevisions, inOrder, LOAD, signed, skewed, sqlFor, withMembers } from './fingerprints.ts';

const sql = sqlFor('postgres');

describe.skipIf(!hasPostgres && process.env['SIMHASH_DOC_REQUIRE_ALL'] === undefined)('the SQL for PostgreSQL', () => {
  let server: Awaited<ReturnType<typeof startPostgres>>;
  let client: Client;
  beforeAll(async () => {
    server = await startPostgres();
    client = new Client({ connectionString: server.url });
    await client.connect();
  });
  afterAll(async () => {
    await client?.end();
    await server?.stop();
  });

  /** Makes the table of fingerprints anew, with their positions as ids. */
  async function fill(fingerprints: BigUint64Array): Promise<void> {
    await client.query('DROP TABLE IF EXISTS fingerprints');
    await client.query('CREATE TABLE fingerprints (id int, fingerprint bigint)');
    await client.query('INSERT INTO fingerprints SELECT * FROM unnest($1::int[], $2::bigint[])', [
      Array.from(fingerprints.keys()),
      Array.from(fingerprints, (each) => String(signed(each))),
    ]);
    await client.query('ANALYZE fingerprints');
  }

  const rowsOf = async (statement: string): Promise<string[]> =>
    (await client.query({ text: statement, rowMode: 'array' })).rows.map((row: unknown[]) => row.join(' '));

  test.each([
    [3, 1000, 20_000],
    [3, 4, 20_000],
    [6, 1000, 500],
    [6, 2, 500],
  ])('finds pairs within %i, and splits keys of more than %i', async (k, hot, count) => {
    const fingerprints = skewed(count);
    await fill(fingerprints);
    const [pairs, split] = await sql('--task', 'pairs', '-k', String(k), '--max-bucket', String(hot));
    expect((await rowsOf(pairs!)).sort()).toEqual(expectedPairs(fingerprints, k));
    expect((await rowsOf(split!)).length > 0).toBe(hot < 1000);
  });

  test('finds clusters until no pair is left', async () => {
    await fill(skewed(5000));
    const results: string[][] = [];
    for (const statement of await sql('--task', 'clusters')) results.push(await rowsOf(statement));
    expect(results.at(-3)).toEqual(['0']);
    expect(results.at(-2)!.length).toBeGreaterThan(1000);
  });

  test('loads what hash --json prints, and finds all pairs of 256 bits within the distance, twice', async () => {
    const { cwd, expected } = await hashedRevisions(15);
    const script = ['-q', '-A', '-t', '-F', ' ', '-v', 'ON_ERROR_STOP=1', '-d', server.url];
    const write = async (task: string) => (await run(['sql', '--dialect', 'postgres', '--task', task, ...LOAD])).stdout;
    const twice = (await write('clusters')) + (await write('pairs')) + (await write('clusters'));
    execFileSync(psql, script, { cwd, input: twice, stdio: ['pipe', 'ignore', 'inherit'] });
    expect(inOrder(await rowsOf(withMembers((await sql('--task', 'pairs', ...LOAD)).at(-2)!)))).toEqual(expected);
  });

  test('finds queries, and takes hostile names and hexadecimal digits', async () => {
    const names = ['x"; DROP TABLE y; --', 'the\n"id', "'fp\\"];
    const quoted = names.map((name) => `"${name.replaceAll('"', '""')}"`);
    for (const table of [quoted[0], 'asked']) {
      await client.query(`CREATE TABLE ${table} (${quoted[1]} text, ${quoted[2]} bigint)`);
      const values = [
        ["'; --", 7n],
        ['"', -8n],
      ];
      for (const [id, value] of values) await client.query(`INSERT INTO ${table} VALUES ($1, $2)`, [id, String(value)]);
    }
    const options = ['--table', names[0]!, '--id', names[1]!, '--fingerprint', names[2]!, '--query-table', 'asked'];
    const [statement] = await sql('--task', 'query', ...options);
    expect((await rowsOf(statement!)).sort()).toEqual(['" " 0', "'; -- '; -- 0"]);
    const expression = /^-- {3}.*? = (.*)$/m.exec(statement!)![1]!;
    for (const fingerprint of [0n, 2n ** 63n, 2n ** 64n - 1n])
      expect(await rowsOf(`SELECT ${expression} FROM (SELECT '${toHex(fingerprint)}' AS hex) x`)).toEqual([
        String(signed(fingerprint)),
      ]);
  });
});
