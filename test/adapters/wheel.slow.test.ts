import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadGroups } from '../../src/conformance/suite/load-suite.ts';
import { removeDuplicates } from '../../src/duplicates/index.ts';
import { createResidue } from '../../src/fingerprint/residue.ts';
import { createTokenCounter } from '../../src/fingerprint/token-counts.ts';
import { distance, fingerprint, LABELS, type Label, toHex } from '../../src/index.ts';
import { run as command } from '../cli/command.ts';
import { hasPostgres, psql, startPostgres } from '../lookup/stores/postgres-server.ts';
import { runs } from '../suite.ts';
import { composingText, locatorText } from '../twin/arbitraries.ts';
import { expectConformance } from './agreement.ts';
import { isThere } from './implementations.ts';
import { makeThirdParty } from './third-party.ts';
import {
  canBuildWheel,
  hasModules,
  type InstalledWheel,
  installWheel,
  PYTHON,
  WHEEL,
  WHEEL_TARGET,
  wheelAdapter,
} from './wheel.ts';

/** Documents of 60 words: in five, one differs from the one before in one word, and one in its case alone. */
const TEXTS: (string | null)[] = Array.from({ length: 300 }, (_, row) => {
  const first = row - Math.min(row % 5, 2);
  const words = Array.from({ length: 60 }, (_, i) => `w${(first * 7919 + i * 104_729) % 65_521}`).join(' ');
  return [words, `${words} more`, words.toUpperCase()][row % 5] ?? words;
});
TEXTS.splice(13, 3, null, '', '1, 2, 3 \u{1F600}');

const BITS = TEXTS.map((text) => (text === null ? null : fingerprint(text, { label: 'minhash-doc' })));
/** A row for each document, and one for each pair within 3 bits. */
const ROWS = BITS.map((bits, id) => `${id}\t${bits === null ? '-' : toHex(bits)}`);
const PAIRS = BITS.flatMap((a, i) =>
  BITS.flatMap((b, j) =>
    i < j && a !== null && b !== null && distance(a, b) <= 3 ? [`pair\t${i}\t${j}\t${distance(a, b)}`] : [],
  ),
);
/** The ids of the documents that are no near-duplicates of one before. */
const KEPT: string[] = [];
const documentsOf = TEXTS.flatMap((text, id) => (text ? [{ id: `${id}`, text }] : []));
for await (const { id } of removeDuplicates(documentsOf)) KEPT.push(id);

/** Each code point beside words, numbers and signs; and random texts. */
function tokenTexts(): [Label, string][] {
  const points = Array.from({ length: 0x110000 / 64 }, (_, block) => {
    const each = Array.from({ length: 64 }, (__, i) => String.fromCodePoint(64 * block + i));
    return each.map((c) => `a ${c} 1${c}2 -${c} A${c}b ${c}x\n`).join('');
  });
  const signs = fc.constantFrom(...'aBé-–+*•■12٣.,\'’…\n \t東京े/⁄½"İςΣ\u00ad\ud800', ' https://x.y/a', ' ann@b.org');
  const text = fc.oneof(
    fc.array(signs, { maxLength: 60 }).map((all) => all.join('')),
    composingText,
    locatorText,
  );
  const large = `The quick brown fox, 12.5 times. ${'東京'.repeat(99)} https://x.y/a `.repeat(500);
  const texts = [...points, ...fc.sample(text, { numRuns: runs(4000), seed: 1 }), large, `${large}\u3000`.repeat(9)];
  return texts.map((each, i) => [LABELS[i % LABELS.length]!, each]);
}

/** Reads lines with a label and a text; prints the tokens of each, as a text, and as a row of a column. */
const TOKENS = `
import json, sys, pyarrow, simhash_doc as sd
digest = lambda number: f"{number >> 32:x}.{number & 0xffffffff:x}"
for label, text in map(json.loads, sys.stdin):
    found = sd.tokens(text, label)
    octets = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    row = sd.token_column(pyarrow.array([None, octets]), label)[1].as_py()
    assert row["fingerprint"] == (found.fingerprint and bytes(found.fingerprint))
    assert [h % 2**64 for h in row["hashes"]] == list(found.counts) and row["counts"] == list(found.counts.values())
    assert [value % 2**64 for value in row["residue"].values()] == list(found.residue)
    assert found.fingerprint == sd.fingerprint(text, label)
    numbers, locators, characters, character_counts, letters, capitals = map(digest, found.residue)
    residue = dict(numbers=numbers, locators=locators, characters=characters, characterCounts=character_counts, letters=letters, capitals=capitals)
    counts = [[f"{hash:016x}", count] for hash, count in found.counts.items()]
    print(json.dumps({"hex": found.fingerprint and found.fingerprint.hex, "counts": counts, "residue": residue}))
`;

/** A record of WARC in a gzip member of its own. */
function warcRecord(type: string, uri: string, contentType: string, block: string): Buffer {
  const head = `WARC/1.0\r\nWARC-Type: ${type}\r\nWARC-Target-URI: ${uri}\r\nWARC-Date: 2026-01-02T03:04:05Z\r\n`;
  const length = Buffer.byteLength(block);
  return gzipSync(`${head}Content-Type: ${contentType}\r\nContent-Length: ${length}\r\n\r\n${block}\r\n\r\n`);
}

/** The lines that an example prints; other lines are messages of its engine. */
const rowsOf = (stdout: string): string[] => stdout.split('\n').filter((line) => /^(?:pair\t)?\d+(?:\t|$)/.test(line));

describe.skipIf(!isThere('cargo, or maturin in build/python,', canBuildWheel()))('the Python package', () => {
  let wheel: InstalledWheel;
  let folder: string;
  beforeAll(() => {
    wheel = installWheel();
    folder = mkdtempSync(join(tmpdir(), 'wheel-examples-'));
    const columnData = [
      { name: 'id', data: TEXTS.map((_, id) => BigInt(id)), type: 'INT64' as const },
      { name: 'text', data: TEXTS, type: 'STRING' as const },
    ];
    writeFileSync(join(folder, 'documents.parquet'), new Uint8Array(parquetWriteBuffer({ columnData })));
  });

  /** Runs a program that finds the package and all libraries, in the folder of the documents. */
  function run(program: string, args: readonly string[], cwd = folder, input = ''): SpawnSyncReturns<string> {
    // Caches go to the folder; nothing is fetched.
    const env = { ...wheel.env, HF_HOME: folder, HF_HUB_OFFLINE: '1', MYPY_CACHE_DIR: join(folder, 'mypy') };
    const result = spawnSync(program, args, { cwd, env, input, encoding: 'utf8', maxBuffer: 2 ** 28 });
    expect([result.status, result.status === 0 ? '' : result.stderr + result.stdout]).toEqual([0, '']);
    return result;
  }

  test('conforms to the classes that it answers in an empty environment', async () => {
    const report = await expectConformance(wheelAdapter(wheel.python), loadGroups(), runs(500));
    expect(report.counts.passed).toBeGreaterThan(1400);
    const conforming = report.classes.filter(({ verdict }) => verdict === 'conforms').map((each) => each.class);
    expect(conforming).toContain('fingerprint');
    // Pip may take a minute at most until the first fingerprint.
    expect(wheel.seconds).toBeLessThan(60);
  });

  const hasLibraries = isThere('NumPy, PyArrow, Polars or pandas', hasModules('numpy', 'pyarrow', 'polars', 'pandas'));

  test.skipIf(!hasLibraries)('gives the same fingerprints by all functions with Arrow and NumPy', async () => {
    const groups = loadGroups().filter(({ group }) => group === 'fingerprint' || group === 'minhash');
    const command = ['env', `PYTHONPATH=${wheel.env['PYTHONPATH']}`, ...wheelAdapter(PYTHON)];
    expect((await expectConformance(command, groups, 20)).counts.passed).toBeGreaterThan(100);
  });

  test.skipIf(!hasLibraries)('passes its own tests and the examples of its README', () => {
    expect(run(PYTHON, ['-B', join(WHEEL, 'self_test.py')]).stderr).toMatch(/Ran \d+ tests[\s\S]*OK/);
    const { stdout } = run(PYTHON, ['-m', 'doctest', '-v', join(WHEEL, 'README.md')]);
    expect(stdout).toMatch(/\d\d passed/);
  });

  test.skipIf(!hasLibraries)('counts the tokens and digests the residue that hash --token-counts prints', () => {
    const documents = tokenTexts();
    const printed = documents.map(([label, text]) => {
      const { fingerprint, counted } = createTokenCounter({ label }).update(text).digest();
      const counts = Array.from(counted.hashes, (hash, i) => [toHex(hash), counted.counts[i]]);
      return { hex: fingerprint && toHex(fingerprint), counts, residue: createResidue().update(text).digest() };
    });
    const lines = documents.map((document) => `${JSON.stringify(document)}\n`).join('');
    const { stdout } = run(PYTHON, ['-B', '-c', TOKENS], folder, lines);
    const found = stdout.trim().split('\n');
    expect(found.length).toBe(documents.length);
    for (const [i, line] of found.entries()) expect(JSON.parse(line), `${documents[i]}`).toEqual(printed[i]);
  });

  test('names its licences, and has their texts, in the wheel and in the archive of its sources', () => {
    const file = join(WHEEL, 'THIRD-PARTY.txt');
    if (process.env['SIMHASH_DOC_WRITE'] === '1') writeFileSync(file, makeThirdParty());
    const message = `${file} is out of date: run this test with SIMHASH_DOC_WRITE=1`;
    expect(readFileSync(file, 'utf8') === makeThirdParty(), message).toBe(true);
    const out = mkdtempSync(join(tmpdir(), 'sdist-'));
    run(join(dirname(PYTHON), 'maturin'), ['sdist', '--out', out], WHEEL);
    const archive = join(out, 'simhash_doc-0.1.0.tar.gz');
    const info = join(wheel.env['PYTHONPATH']!, 'simhash_doc-0.1.0.dist-info');
    const metadata = [
      readFileSync(join(info, 'METADATA'), 'utf8'),
      run('tar', ['-xOzf', archive, 'simhash_doc-0.1.0/PKG-INFO']).stdout,
    ];
    for (const each of metadata)
      expect(each.split('\n')).toEqual(
        expect.arrayContaining([
          'License-Expression: MIT AND Unicode-3.0 AND Apache-2.0',
          'License-File: LICENSE',
          'License-File: THIRD-PARTY.txt',
        ]),
      );
    for (const name of ['LICENSE', 'THIRD-PARTY.txt']) {
      const text = readFileSync(join(WHEEL, name), 'utf8');
      expect(readFileSync(join(info, 'licenses', name), 'utf8')).toBe(text);
      expect(run('tar', ['-xOzf', archive, `simhash_doc-0.1.0/${name}`]).stdout).toBe(text);
    }
  });

  test.skipIf(!isThere('mypy', hasModules('mypy')))('has strict types, which are those of the module', () => {
    const strict = ['-m', 'mypy', '--strict', '--ignore-missing-imports'];
    run(PYTHON, [...strict, 'python', wheelAdapter(PYTHON).at(-1)!], WHEEL);
    run(PYTHON, ['-m', 'mypy.stubtest', 'simhash_doc']);
  });

  test('has formatted Rust without lint findings', () => {
    const command = 'cargo fmt --check && cargo clippy --quiet --locked --release -- -D warnings';
    const env = { ...process.env, CARGO_TARGET_DIR: WHEEL_TARGET };
    const { status, stderr, stdout } = spawnSync('sh', ['-c', command], { cwd: WHEEL, env, encoding: 'utf8' });
    expect([status, stdout + stderr]).toEqual([0, '']);
  });

  const documents = 'documents.parquet';
  test.each([
    { name: 'pandas_columns', modules: ['pandas', 'pyarrow'], args: ['out.parquet'], expected: ROWS },
    { name: 'polars_batches', modules: ['polars'], expected: ROWS },
    { name: 'duckdb_function', modules: ['duckdb', 'pyarrow'], expected: ROWS },
    { name: 'duckdb_dedupe', modules: ['duckdb', 'pyarrow'], expected: KEPT },
    { name: 'datasets_map', modules: ['datasets'], expected: ROWS },
    { name: 'datasets_filter', modules: ['datasets'], expected: KEPT },
    { name: 'datatrove_filter', modules: ['datatrove'], expected: KEPT },
    { name: 'clickhouse_column', modules: ['chdb', 'pyarrow'], args: ['out.parquet'], expected: [...ROWS, ...PAIRS] },
  ])('computes in the example $name what the reference computes', ({ name, modules, args = [], expected }) => {
    if (!isThere(modules.join(), hasModules(...modules))) return;
    expect(PAIRS.length).toBeGreaterThan(50);
    const example = join(WHEEL, 'examples', `${name}.py`);
    expect(readFileSync(example, 'utf8').split('\n').length).toBeLessThanOrEqual(21);
    const { stdout } = run(PYTHON, ['-B', example, documents, ...args]);
    expect(rowsOf(stdout)).toEqual(expected);
  });

  test('the example for warcio adds the fingerprints of hash --cdxj to the texts of a WET file', async () => {
    if (!isThere('warcio', hasModules('warcio'))) return;
    const bodies = [...TEXTS.slice(0, 5), '1 2 3'];
    const records = bodies.map((text, i) => warcRecord('conversion', `http://a.example/${i}`, 'text/plain', `${text}`));
    const http = `HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=UTF-8\r\n\r\n${TEXTS[0]} é`;
    records.push(warcRecord('response', 'http://a.example/http', 'application/http; msgtype=response', http));
    writeFileSync(join(folder, 'texts.warc.wet.gz'), Buffer.concat(records));
    const { stdout } = run(PYTHON, ['-B', join(WHEEL, 'examples/warcio_index.py'), 'texts.warc.wet.gz']);
    const hashed = await command(['hash', '--cdxj', '--label', 'minhash-doc', 'texts.warc.wet.gz'], { cwd: folder });
    const rows = hashed.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line.slice(line.indexOf('{'))));
    expect(rows.filter((row) => row['document-fingerprint'] !== undefined).length).toBe(6);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(
      rows.map(({ offset, length, url, 'document-fingerprint': fingerprint = null }) => ({
        url,
        fingerprint,
        offset: Number(offset),
        length: Number(length),
      })),
    );
  });

  test('computes in the example for Spark what the reference computes', () => {
    if (!isThere('pyspark', hasModules('pyspark', 'pandas', 'pyarrow'))) return;
    const settings = [
      'spark.driver.host=127.0.0.1',
      'spark.driver.extraJavaOptions=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC',
      'spark.ui.enabled=false',
      'spark.sql.shuffle.partitions=2',
    ];
    const options = ['--master', 'local[2]', ...settings.flatMap((each) => ['--conf', each])];
    const { stdout } = run('spark-submit', [...options, join(WHEEL, 'examples/spark_function.py'), documents]);
    expect(rowsOf(stdout)).toEqual(ROWS);
  });

  test('loads rows in the example for PostgreSQL, also twice, and finds the pairs by its indexes', async () => {
    if (!isThere('PostgreSQL, or pyarrow', hasPostgres && hasModules('pyarrow'))) return;
    const server = await startPostgres();
    const query = (input: string, ...more: string[]): string => {
      const options = ['-v', 'ON_ERROR_STOP=1', '-X', '-q', '-A', '-t', '-F', '\t'];
      return run(psql, [server.url, ...options, ...more], folder, input).stdout;
    };
    const rowsFor = (file: string) => run(PYTHON, ['-B', join(WHEEL, 'examples/postgres_copy.py'), file]).stdout;
    try {
      const script = join(WHEEL, 'examples/postgres.sql');
      for (let times = 0; times < 2; times++)
        expect(rowsOf(query(rowsFor(documents), '-f', script))).toEqual([...ROWS, ...PAIRS]);
      const statement = readFileSync(script, 'utf8')
        .split(';')
        .find((each) => each.includes("SELECT 'pair'"));
      const plan = query(`SET enable_seqscan = off; EXPLAIN ${statement}`);
      for (const block of [1, 2, 3, 4]) expect(plan).toContain(`on documents_block_${block}`);
      const sql = await command(['sql', '--dialect', 'postgres', '--task', 'pairs']);
      const [pairs] = sql.stdout.split(';');
      expect(rowsOf(query(`SELECT 'pair', * FROM (${pairs}) each ORDER BY a::bigint, b::bigint`))).toEqual(PAIRS);
      const names = ['a\tb', 'c\\d', 'e\nf', '\\N'];
      const columnData = ['id', 'text'].map((name) => ({ name, data: names, type: 'STRING' as const }));
      writeFileSync(join(folder, 'names.parquet'), new Uint8Array(parquetWriteBuffer({ columnData })));
      const load = 'CREATE TABLE names (id text, a bytea, b bytea);\n\\copy names FROM PSTDIN\n';
      writeFileSync(join(folder, 'names.sql'), `${load}SELECT json_agg(id) FROM names;`);
      expect(JSON.parse(query(rowsFor('names.parquet'), '-f', 'names.sql'))).toEqual(names);
    } finally {
      await server.stop();
    }
  });

  test('has a README of the examples with each of them and the versions of .ci/requirements.txt', () => {
    const readme = readFileSync(join(WHEEL, 'examples/README.md'), 'utf8');
    const requirements = readFileSync(new URL('../../.ci/requirements.txt', import.meta.url), 'utf8');
    for (const name of [
      'pyspark',
      'chdb-core',
      'pandas',
      'polars',
      'duckdb',
      'datasets',
      'datatrove',
      'pyarrow',
      'warcio',
    ]) {
      const version = new RegExp(`\\b${name}==([\\d.]+)`).exec(requirements)?.[1];
      expect(version, name).toBeDefined();
      expect(readme).toContain(version);
    }
  });
});
