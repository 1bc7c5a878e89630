import { appendFileSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { fingerprint, serialise } from '../../src/index.ts';
import { folder, jsonLines, run } from '../cli/command.ts';

const words = (seed: string, count = 120): string => Array.from({ length: count }, (_, i) => `${seed}${i}`).join(' ');
const lines = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

const ROWS = [
  { id: 'a', meta: { text: words('x') } },
  { id: 'b', meta: { text: words('y') } },
  { id: 'c', meta: { text: words('x') } },
  { id: 'd', meta: { text: `${words('y')} more` } },
];
const FIELDS = ['--text-field', 'meta.text', '--id-field', 'id'];
const EXPECTED = ROWS.map(({ id, meta }) => `simhash-doc:${serialise(fingerprint(meta.text)!)}  FILE!${id}\n`).join('');

/** A frame of Zstandard that holds bytes as they are (RFC 8878), in blocks of at most 1,000. */
function storeZstd(bytes: Uint8Array): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(bytes.length);
  const blocks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 1000) {
    const block = bytes.subarray(at, at + 1000);
    const header = Buffer.alloc(3);
    header.writeUIntLE((block.length << 3) | (at + 1000 >= bytes.length ? 1 : 0), 0, 3);
    blocks.push(header, Buffer.from(block));
  }
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0]), size, ...blocks]);
}

function parquet(rows: readonly { readonly id: string; readonly text: string | null }[]): Uint8Array {
  const columnData = [
    { name: 'id', data: rows.map(({ id }) => id), type: 'STRING' as const },
    { name: 'text', data: rows.map(({ text }) => text), type: 'STRING' as const },
  ];
  return new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize: 2 }));
}

const text = lines(ROWS);
const cwd = folder({
  'a.jsonl': text,
  'a.ndjson.gz': gzipSync(text),
  'a.jsonl.zst': Buffer.concat([storeZstd(Buffer.from(text.slice(0, 1500))), storeZstd(Buffer.from(text.slice(1500)))]),
  'a.parquet': parquet(ROWS.map(({ id, meta }) => ({ id, text: meta.text }))),
  other: text,
});

describe.each(['a.jsonl', 'a.ndjson.gz', 'a.jsonl.zst', 'other', 'a.parquet'])('a dataset in %s', (file) => {
  const fields = file === 'a.parquet' ? ['--text-field', 'text', '--id-field', 'id'] : FIELDS;

  test('has a document in each row', async () => {
    const { code, stdout, stderr } = await run(['hash', ...fields, file], { cwd });
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: EXPECTED.replaceAll('FILE', file), stderr: '' });
  });

  test('is read again for the candidates of dupes', async () => {
    const { code, stdout } = await run(['dupes', '--json', ...fields, file], { cwd });
    expect(code).toBe(0);
    const groups = jsonLines(stdout) as unknown as { documents: { member: string; row: number; overlap: number }[] }[];
    const found = groups.map(({ documents }) => documents.map(({ member, row, overlap }) => [member, row, overlap]));
    const near = Math.floor((120 / 121) * 10_000) / 10_000;
    expect(found.sort()).toEqual([
      [
        ['a', 1, 1],
        ['c', 3, 1],
      ],
      [
        ['b', 2, 1],
        ['d', 4, near],
      ],
    ]);
  });
});

test('a row without an id is named by its number; extract prints its text', async () => {
  const { stdout } = await run(['extract', '--json', '--text-field', 'meta.text', '-'], { cwd, stdin: text });
  expect(jsonLines(stdout)).toMatchObject(
    ROWS.map(({ meta }, index) => ({ path: '-', member: String(index + 1), row: index + 1, text: meta.text })),
  );
});

test('rows are read as the type that is named', async () => {
  const stdin = lines([{ text: '<p>one <b>t</b>wo<!-- three -->' }]);
  const { stdout } = await run(['extract', '--json', '--text-field', 'text', '--type', 'html', '-'], { stdin });
  expect(jsonLines(stdout)).toMatchObject([{ mediaType: 'text/html', text: 'one two' }]);
});

test.each([
  ['a.jsonl', 'id, meta.text'],
  ['a.ndjson.gz', 'id, meta.text'],
  ['a.jsonl.zst', 'id, meta.text'],
  ['a.parquet', 'id, text'],
])('%s without a field is rejected with the names of its fields', async (file, names) => {
  const { code, stdout, stderr } = await run(['hash', file], { cwd });
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  expect(stderr).toMatch(new RegExp(`^simhash-doc: ${file}: .*--text-field.* fields ${names}\n$`));
  expect((await run(['hash', '.'], { cwd })).code).toBe(0);
});

test('lines of fingerprints and other files are still read as such', async () => {
  const { stdout } = await run(['hash', '--json', ...FIELDS, 'a.jsonl'], { cwd });
  writeFileSync(join(cwd, 'prints.jsonl'), stdout);
  const { code, stdout: groups } = await run(['dupes', '--no-verify', 'prints.jsonl'], { cwd });
  expect(code).toBe(0);
  expect(groups).toContain('a.jsonl!c');
  expect((await run(['hash', 'other'], { cwd })).stdout).toMatch(/^simhash-doc:\w{13} {2}other\n$/);
  expect((await run(['hash', '--type', 'text', 'a.jsonl'], { cwd })).stdout).toMatch(
    /^simhash-doc:\w{13} {2}a.jsonl\n$/,
  );
});

test('a bad row is reported, and the others are read', async () => {
  const rows: (string | Uint8Array)[] = [
    '{"id":"ok","text":"first of all"}\r',
    '{"id":"cut","text":"no end',
    '',
    Buffer.concat([Buffer.from('{"id":"octets","text":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]),
    '{"id":"missing"}',
    '{"id":"number","text":5}',
    '{"id":"ok","text":"second of that id"}',
    '["a list"]',
    '{"text":"no id"}',
    '{"id":9007199254740993,"text":"an id of many digits"}',
    '{"id":"letters","text":"123"}',
    '{"id":"long","text":"WORDS"}'.replace('WORDS', 'long word '.repeat(1_000_000)),
    '{"id":"__proto__","__proto__":{"text":"inherited"}}',
    '{"id":"last","text":"the last line has no end"}',
  ];
  const path = join(folder(), 'bad.jsonl');
  for (const [index, row] of rows.entries())
    appendFileSync(path, Buffer.concat([Buffer.from(index === 0 ? '' : '\n'), Buffer.from(row)]));
  const { code, stdout } = await run(['hash', '--json', '--text-field', 'text', '--id-field', 'id', path]);
  expect(code).toBe(3);
  const told = jsonLines(stdout).map(({ member, row, error }) => [
    row,
    member,
    (error as { code: string } | undefined)?.code,
  ]);
  expect(told).toEqual([
    [1, 'ok', undefined],
    [2, '@2', 'damaged'],
    [4, '@4', 'damaged'],
    [5, 'missing', 'no-text'],
    [6, 'number', 'no-text'],
    [7, '@7', 'duplicate-id'],
    [8, '@8', 'damaged'],
    [9, '@9', 'damaged'],
    [10, '9007199254740993', undefined],
    [11, 'letters', 'no-tokens'],
    [12, 'long', undefined],
    [13, '__proto__', 'no-text'],
    [14, 'last', undefined],
  ]);
  const small = await run(['hash', '--max-size', '1K', '--text-field', 'text', '--id-field', 'id', path]);
  expect(small.stderr).toContain('bad.jsonl!@12: row 12: is larger than the 1 KiB limit');
  expect(small.stdout).toContain('!last\n');
});

test('a damaged dataset fails', async () => {
  const zst = readFileSync(join(cwd, 'a.jsonl.zst'));
  const cut = folder({ 'a.jsonl.zst': zst.subarray(0, zst.length - 100), 'a.parquet': 'PAR1\0 and nothing else' });
  const lost = await run(['hash', ...FIELDS, 'a.jsonl.zst'], { cwd: cut });
  expect(lost.code).toBe(3);
  expect(lost.stderr).toContain('damaged Zstandard');
  const { code, stderr } = await run(['hash', '--text-field', 'text', 'a.parquet'], { cwd: cut });
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('a.parquet: damaged Parquet') });
});

test('rows of Parquet without text, and unknown columns, are reported', async () => {
  const files = folder({
    'a.parquet': parquet([
      { id: 'a', text: 'some words' },
      { id: 'b', text: null },
      { id: 'a', text: 'other words' },
    ]),
  });
  const { code, stdout, stderr } = await run(['hash', '--text-field', 'text', '--id-field', 'id', 'a.parquet'], {
    cwd: files,
  });
  expect(code).toBe(3);
  expect(stdout).toMatch(/^simhash-doc:\w{13} {2}a.parquet!a\n$/);
  expect(stderr).toMatch(/!b: row 2: the field "text" has no text\n.*!@3: row 3: an earlier row/);
  const other = await run(['hash', '--text-field', 'body', 'a.parquet'], { cwd: files });
  expect(other.stderr).toContain('has no column "body": its columns are id, text');
});

test('one line reports each kind of row that cannot be read', async () => {
  const files = folder({
    'a.jsonl': ['{"text":"some words"}', ...Array<string>(30).fill('{"text":null}'), '{'].join('\n'),
  });
  const { code, stderr } = await run(['hash', '--text-field', 'text', 'a.jsonl'], { cwd: files });
  expect({ code, lines: stderr.trimEnd().split('\n') }).toEqual({
    code: 3,
    lines: [
      'simhash-doc: a.jsonl!2: row 2: the field "text" has no text (and 29 more like this)',
      'simhash-doc: a.jsonl!32: row 32: is not a JSON object on one line',
      'simhash-doc: 31 of 32 documents failed',
    ],
  });
});

test('an index takes rows by their ids', async () => {
  const files = folder({ 'a.jsonl': text });
  const added = await run(['index', 'add', 'store', ...FIELDS, 'a.jsonl'], { cwd: files });
  expect(added.stdout).toBe('added 4 documents, replaced 0\n');
  const { stdout } = await run(['index', 'export', 'store'], { cwd: files });
  const path = join(realpathSync(files), 'a.jsonl');
  expect(jsonLines(stdout).map(({ id }) => id)).toEqual(ROWS.map(({ id }) => `${path}!${id}`));
});
