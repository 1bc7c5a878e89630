import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { beforeAll, describe, expect, test } from 'vitest';
import { createResidue, differencesOf } from '../../../../src/fingerprint/residue.ts';
import { countTokens, distance, fingerprint, overlap, toHex } from '../../../../src/index.ts';
import { findAll } from '../../../../src/lookup/index.ts';
import { installWheel } from '../../../adapters/wheel.ts';
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

/** The program of the guide. */
const guide = readFileSync(join(root, 'src/site/guides/deduplication.md'), 'utf8');
const program = /```python\n(.*?)```/s.exec(guide)![1]!;

/** Runs a statement of `simhash-doc sql` on the first words of fingerprints, in the session of the program before it. */
const SQL_PROGRAM = `
words = spark.read.parquet(target + "/fingerprints").selectExpr("id", "w0 AS fingerprint")
words.createOrReplaceTempView("fingerprints")
statement, split_keys = open("pairs.sql").read().split(";\\n")[:2]
spark.sql(statement).write.parquet("sql")
spark.sql(split_keys).show()
`;

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

/** The program with a statement at the beginning of each partition of step 2. */
function tracedProgram(statement: string): string {
  const traced = program.replace('def count(batches):\n', (line) => `${line}    ${statement.trim()}\n`);
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

  test('finds the pairs of brute force with the program of the guide, although an executor is killed', async () => {
    const cwd = folder();
    const killed = join(cwd, 'killed');
    const kill = KILL_EXECUTOR.replace('KILLED', JSON.stringify(killed));
    writeFileSync(join(cwd, 'dedupe.py'), tracedProgram(kill) + SQL_PROGRAM);
    const columnData = [
      { name: 'id', data: TEXTS.map((_, id) => BigInt(id)), type: 'INT64' as const },
      { name: 'text', data: TEXTS, type: 'STRING' as const },
      { name: 'more', data: TEXTS.map((_, id) => `row ${id}`), type: 'STRING' as const },
    ];
    writeFileSync(join(cwd, 'documents.parquet'), new Uint8Array(parquetWriteBuffer({ columnData })));
    writeFileSync(join(cwd, 'pairs.sql'), (await run(['sql', '--dialect', 'spark', '--task', 'pairs'])).stdout);
    // Two executors, each a process of its own.
    const { status, stderr } = submit(cwd, 'local-cluster[2,1,1024]', 'dedupe.py', 'documents.parquet', 'result');
    expect([status, status === 0 ? '' : stderr.slice(-5000)]).toEqual([0, '']);
    expect(existsSync(killed)).toBe(true);
    expect(stderr).toMatch(/Lost executor|ExecutorLostFailure/);

    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const rowsOf = async (columns: string, table: string) =>
      (await connection.runAndReadAll(`SELECT ${columns} FROM '${cwd}/${table}/*.parquet'`)).getRows() as string[][];
    const counts = TEXTS.map((text) => countTokens(text, { label: 'minhash-doc-256' }));
    const matches = (a: number, b: number): boolean => overlap(counts[a]!, counts[b]!) >= 0.8;
    const groups = new Map((await rowsOf('id, "group"', 'result/groups')).map(([id, group]) => [+id!, +group!]));
    expect(groups.size).toBe(COUNT);
    const kept = [...groups].filter(([id, group]) => id === group).map(([id]) => id);
    expect([...groups].filter(([id, group]) => groups.get(group) !== group || !matches(id, group))).toEqual([]);
    // No two kept rows match: no match was missed.
    expect(kept.filter((a) => kept.some((b) => a < b && matches(a, b)))).toEqual([]);
    expect(kept.length).toBeLessThan(0.7 * COUNT);
    const rows = await rowsOf('id, "text", more', 'result/rows');
    expect(rows.sort(([a], [b]) => +a! - +b!)).toEqual(
      kept.sort((a, b) => a - b).map((id) => [`${id}`, TEXTS[id], `row ${id}`]),
    );
    // The pairs are those of the functions of the npm package, by the same rules.
    const long = TEXTS.map((text) => fingerprint(text, { label: 'minhash-doc-256' })!);
    const residues = TEXTS.map((text) => createResidue().update(text).digest());
    const everyPair = TEXTS.flatMap((_, a) => TEXTS.slice(a + 1).map((__, i) => [a, a + 1 + i] as const));
    const near = everyPair.filter(([a, b]) => distance(long[a]!, long[b]!) <= 56 && matches(a, b));
    const same = near.filter(
      ([a, b]) => differencesOf(residues[a]!, residues[b]!, overlap(counts[a]!, counts[b]!)).length === 0,
    );
    const copies = new Map((await rowsOf('id, "first"', 'result/copies')).map(([id, first]) => [+id!, +first!]));
    const firsts = same.filter(([a, b]) => copies.get(a) === a && copies.get(b) === b);
    const pairsFound = await rowsOf('a, b, distance, overlap', 'result/pairs');
    const inOrder = (a: number, b: number) => [Math.min(a, b), Math.max(a, b)].join(' ');
    expect(pairsFound.map(([a, b, d, share]) => `${inOrder(+a!, +b!)} ${d} ${share}`).sort()).toEqual(
      firsts
        .map(([a, b]) => `${inOrder(a, b)} ${distance(long[a]!, long[b]!)} ${overlap(counts[a]!, counts[b]!)}`)
        .sort(),
    );
    const hexes = new Map((await rowsOf('id, hex', 'result/fingerprints')).map(([id, hex]) => [+id!, hex]));
    expect(TEXTS.map((_, id) => hexes.get(id))).toEqual(long.map(toHex));
    // The SQL for Spark: the first of equal fingerprints is the one with the smallest id.
    const ids = TEXTS.map((_, id) => String(id)).sort();
    const fingerprints = ids.map((id) => fingerprint(TEXTS[Number(id)]!, { label: 'minhash-doc' })!);
    const expected = Array.from(findAll(fingerprints), ({ a, b, distance }) =>
      [...[ids[a]!, ids[b]!].sort(), distance].join(' '),
    );
    const found = (await rowsOf('a, b, distance', 'sql')).map(([a, b, d]) => [...[a!, b!].sort(), d].join(' '));
    expect(found.sort()).toEqual(expected.sort());
  }, 900_000);

  test('loads what hash --json prints, and finds all pairs of 256 bits within the distance, twice', async () => {
    const { cwd, expected } = await hashedRevisions(15);
    const write = async (task: string) => (await run(['sql', '--dialect', 'spark', '--task', task, ...LOAD])).stdout;
    writeFileSync(
      join(cwd, 'twice.sql'),
      (await write('clusters')) + (await write('pairs')) + (await write('clusters')),
    );
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
      expect(['groups', 'rows'].filter((name) => existsSync(join(cwd, 'result', name)))).toEqual([]);
    },
    600_000,
  );
});
