import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { beforeAll, describe, expect, test } from 'vitest';
import { removeDuplicates } from '../../../../src/duplicates/index.ts';
import { countTokens, overlap } from '../../../../src/index.ts';
import { installWheel, WHEEL } from '../../../adapters/wheel.ts';
import { folder, run } from '../../command.ts';
import { hashedRevisions, inOrder, LOAD, sqlFor, withMembers } from './fingerprints.ts';

const root = new URL('../../../..', import.meta.url).pathname;
/** The virtual environment that .ci/run makes. */
const venv = join(root, 'build/python');
const lib = join(venv, 'lib');
const home = existsSync(lib)
  ? readdirSync(lib)
      .map((name) => join(lib, name, 'site-packages/pyspark'))
      .find((path) => existsSync(join(path, 'bin/spark-class')))
  : undefined;

/** The program of the Python package. */
const program = readFileSync(join(WHEEL, 'python/simhash_doc/spark.py'), 'utf8');

/** Runs one file of statements, and writes the rows of another. */
const RUN_SQL = `import json
from pyspark.sql import SparkSession
spark = SparkSession.builder.getOrCreate()
for statement in open("twice.sql").read().split(";\\n")[:-1]:
    spark.sql(statement).collect()
rows = [" ".join(map(str, row)) for row in spark.sql(open("pairs.sql").read()).collect()]
json.dump(rows, open("rows.json", "w"))
`;

/** Kills the executor, which is the parent of the parent of a worker, the first time that it is run. */
const KILL_EXECUTOR = `
    import os, signal
    try:
        os.close(os.open(KILLED, os.O_CREAT | os.O_EXCL))
        daemon = open(f"/proc/{os.getppid()}/stat").read().rpartition(")")[2].split()
        os.kill(int(daemon[1]), signal.SIGKILL)
    except FileExistsError:
        pass
`;

const words = (row: number): string[] =>
  Array.from({ length: 60 }, (_, i) => `w${(row * 7919 + i * 104_729) % 65_521}`);
const COUNT = 300;
/** Among five texts, one is a copy of the first, and two differ from it in one word and in 15. */
const TEXTS = Array.from({ length: COUNT }, (_, row) => {
  const first = words(row - (row % 5));
  if (row % 5 === 1) return first.join(' ');
  if (row % 5 === 2) return [...first, 'more'].join(' ');
  return row % 5 === 3 ? [...first.slice(15), ...words(row).slice(0, 15)].join(' ') : words(row).join(' ');
});

/** For processes that end soon: without the compiler that takes most of their time otherwise. */
const JAVA_OPTIONS = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';

const CONFIGURATION = [
  'spark.driver.host=127.0.0.1',
  'spark.executor.memory=700m',
  `spark.driver.extraJavaOptions=${JAVA_OPTIONS}`,
  `spark.executor.extraJavaOptions=${JAVA_OPTIONS}`,
  // A quarter as many tasks as the program would make of these few rows.
  'spark.default.parallelism=1',
  'spark.sql.shuffle.partitions=2',
  'spark.ui.enabled=false',
].flatMap((each) => ['--conf', each]);

/** The program with a statement where each partition of texts begins. */
function tracedProgram(statement: string): string {
  const traced = program.replace(/def fingerprints.*?"""\n/s, (head) =>
    head.replace(/"""(.*?)"""\n/, `${statement.trim()}\n`),
  );
  expect(traced).not.toBe(program);
  return traced;
}

describe.skipIf(home === undefined && process.env['SIMHASH_DOC_REQUIRE_ALL'] === undefined)('Spark', () => {
  let environment: NodeJS.ProcessEnv;
  beforeAll(() => {
    environment = { ...installWheel().env, SPARK_HOME: home };
  }, 900_000);

  function submit(cwd: string, master: string, ...program: readonly string[]): SpawnSyncReturns<string> {
    const options = { cwd, env: environment, encoding: 'utf8', maxBuffer: 2 ** 28 } as const;
    return spawnSync(join(home!, 'bin/spark-submit'), ['--master', master, ...CONFIGURATION, ...program], options);
  }

  test('keeps the rows that removeDuplicates keeps, although an executor is killed', async () => {
    const cwd = folder();
    const killed = join(cwd, 'killed');
    writeFileSync(join(cwd, 'dedupe.py'), tracedProgram(KILL_EXECUTOR.replace('KILLED', JSON.stringify(killed))));
    const columnData = [
      { name: 'id', data: TEXTS.map((_, id) => BigInt(id)), type: 'INT64' as const },
      { name: 'text', data: TEXTS, type: 'STRING' as const },
      { name: 'more', data: TEXTS.map((_, id) => `row ${id}`), type: 'STRING' as const },
    ];
    writeFileSync(join(cwd, 'documents.parquet'), new Uint8Array(parquetWriteBuffer({ columnData })));
    // Two executors, each a process of its own.
    const { status, stdout, stderr } = submit(
      cwd,
      'local-cluster[2,1,1024]',
      'dedupe.py',
      'documents.parquet',
      'result',
    );
    expect([status, status === 0 ? '' : stderr.slice(-5000)]).toEqual([0, '']);
    expect(existsSync(killed)).toBe(true);
    expect(stderr).toMatch(/Lost executor|ExecutorLostFailure/);

    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const rowsOf = async (columns: string, table: string) =>
      (
        await connection.runAndReadAll(`SELECT ${columns} FROM '${cwd}/result/${table}/*.parquet' ORDER BY id`)
      ).getRows();
    const kept: string[] = [];
    for await (const { id } of removeDuplicates(TEXTS.map((text, i) => ({ id: `${i}`, text })))) kept.push(id);
    expect(kept.length).toBeLessThan(0.7 * COUNT);
    expect(stdout).toContain(`kept ${kept.length} of ${COUNT} rows`);
    expect(await rowsOf('id, "text", more', 'rows')).toEqual(
      kept.map((id) => [BigInt(id), TEXTS[Number(id)], `row ${id}`]),
    );
    const counts = TEXTS.map((text) => countTokens(text, { label: 'minhash-doc-256' }));
    const removed = await rowsOf('id, "kept", "overlap"', 'removed');
    expect(removed).toHaveLength(COUNT - kept.length);
    for (const [id, first, share] of removed) {
      expect(kept).toContain(`${first}`);
      expect(share).toBeCloseTo(overlap(counts[Number(id)]!, counts[Number(first)]!), 12);
    }
  }, 900_000);

  test('loads what hash --json prints, and finds all pairs of 256 bits within the distance, twice', async () => {
    const { cwd, expected } = await hashedRevisions(15);
    const write = async (task: string) => (await run(['sql', '--dialect', 'spark', '--task', task, ...LOAD])).stdout;
    writeFileSync(join(cwd, 'twice.sql'), (await write('pairs')) + (await write('clusters')));
    writeFileSync(join(cwd, 'pairs.sql'), withMembers((await sqlFor('spark')('--task', 'pairs', ...LOAD)).at(-2)!));
    writeFileSync(join(cwd, 'run.py'), RUN_SQL);
    const { status, stderr } = submit(cwd, 'local[1]', 'run.py');
    expect([status, status === 0 ? '' : stderr.slice(-5000)]).toEqual([0, '']);
    expect(inOrder(JSON.parse(readFileSync(join(cwd, 'rows.json'), 'utf8')) as string[])).toEqual(expected);
  }, 900_000);

  test.each([
    ['ids that repeat', 'pass', /each row needs an id of its own.*\('d0', 2\)/, [0, 1, 0]],
    [
      'a process that is killed',
      'import os, signal; os.kill(os.getpid(), signal.SIGKILL)',
      /Python worker exited unexpectedly/,
      [0, 1, 2],
    ],
  ])(
    'fails without a result to keep: %s',
    (_, statement, message, rows) => {
      const cwd = folder({
        'dedupe.py': tracedProgram(statement),
        'documents.jsonl': rows.map((id) => `${JSON.stringify({ id: `d${id}`, text: TEXTS[id] })}\n`).join(''),
      });
      const { status, stdout, stderr } = submit(cwd, 'local[1]', 'dedupe.py', 'documents.jsonl', 'result');
      expect(stdout + stderr).toMatch(message);
      expect(status).not.toBe(0);
      expect(['removed', 'rows'].filter((name) => existsSync(join(cwd, 'result', name)))).toEqual([]);
    },
    600_000,
  );
});
