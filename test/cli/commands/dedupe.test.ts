import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { IS_SLOW } from '../../suite.ts';
import { folder, jsonLines, run, runProcess, stdoutOf, testWrongUsage, withoutPackages, wordsOf } from '../command.ts';

const words = (seed: string): string[] => wordsOf(seed, 120);
const lineOf = (id: string, text: string): string => `{"id":"${id}",  "text":${JSON.stringify(text)},"n":1.50}\n`;

const OPTIONS = ['--text-field', 'text', '--id-field', 'id', '--out', 'out.jsonl', '--duplicates', 'dup.jsonl'];

/** Rows with planted duplicates: identical, near, and others that are neither, such as the same words with other numbers. */
const PLANTED = [
  lineOf('a', words('x').join(' ')),
  lineOf('b', `${words('y').join(' ')} 1 3`),
  '\n',
  lineOf('a again', words('x').join(' ')),
  'this is no JSON\n',
  lineOf('b longer', `${words('y').join(' ')} 1 3 and more`),
  lineOf('none', '123 456'),
  lineOf('none too', '123 457'),
  lineOf('b', words('z').join(' ')),
  lineOf('c', `${words('y').join(' ')} 1 2`),
  lineOf('last', words('w').join(' ')).trimEnd(),
];
const KEPT = PLANTED.filter((_, index) => ![3, 5].includes(index)).join('');

interface Removed {
  readonly id: string;
  readonly row: number;
  readonly kept: { readonly id: string; readonly row: number };
  readonly distance: number;
  readonly overlap: number;
}

function removedIn(path: string): Removed[] {
  const text = readFileSync(path, 'utf8');
  return text === '' ? [] : (jsonLines(text) as unknown as Removed[]);
}

describe('dedupe of JSON Lines', () => {
  test('counts rows that have the words of any earlier row and other numbers', async () => {
    const rows = Array.from({ length: 60 }, (_, i) =>
      lineOf('a', `the total amount of day ${words('z')[i % 30]} ${i}`),
    );
    const { stdout } = await run(['dedupe', 'in.jsonl', '--out', 'out.jsonl'], {
      cwd: folder({ 'in.jsonl': rows.join('') }),
    });
    expect(stdout).toContain('kept 30 that differ: 30 in numbers');
  });

  test.each([
    ['in.jsonl', (bytes: Buffer) => bytes],
    ['in.jsonl.gz', gzipSync],
  ])('keeps rows byte for byte, and lists the removed ones: %s', async (name, compress) => {
    const cwd = folder({ [name]: compress(Buffer.from(PLANTED.join(''))) });
    const { code, stdout, stderr } = await run(['dedupe', name, ...OPTIONS], { cwd });
    expect(code).toBe(3);
    expect(stdout).toBe(
      'out.jsonl: kept 9 of 11 rows, removed 2, of which 1 identical; kept 1 that differs: 1 in numbers (--ignore-numbers removes it)\n',
    );
    expect(stderr).toBe('simhash-doc: NAME!5: row 5: is not a JSON object on one line\n'.replace('NAME', name));
    expect(readFileSync(join(cwd, 'out.jsonl'), 'utf8')).toBe(KEPT);
    expect(removedIn(join(cwd, 'dup.jsonl'))).toMatchObject([
      { path: name, id: 'a again', row: 4, kept: { path: name, id: 'a', row: 1 }, distance: 0, overlap: 1 },
      { id: 'b longer', row: 6, kept: { id: 'b', row: 2 }, overlap: Math.floor((120 / 122) * 10_000) / 10_000 },
    ]);
    expect(readdirSync(cwd).length).toBe(3);
  });

  test('keeps the longest row with --keep longest, and compresses its output', async () => {
    const cwd = folder({ 'in.jsonl': PLANTED.join('') });
    const options = ['--text-field', 'text', '--id-field', 'id', '--keep', 'longest', '--duplicates', 'dup.jsonl'];
    const { stdout } = await run(['dedupe', '--json', 'in.jsonl', ...options, '--out', 'out.jsonl.gz'], { cwd });
    expect(jsonLines(stdout)).toEqual([
      {
        ...{ rows: 11, kept: 9, removed: 2, identical: 1, short: 0, failed: 1 },
        different: { title: 0, numbers: 1, words: 0 },
      },
    ]);
    const rest = PLANTED.filter((_, index) => ![1, 3].includes(index)).join('');
    expect(gunzipSync(readFileSync(join(cwd, 'out.jsonl.gz'))).toString()).toBe(rest);
    expect(removedIn(join(cwd, 'dup.jsonl')).map(({ id, kept }) => [id, kept.id])).toEqual([
      ['b', 'b longer'],
      ['a again', 'a'],
    ]);
  });

  test('reads several files in their order, and adds missing line feeds', async () => {
    const cwd = folder({
      'one.jsonl': `${lineOf('a', words('x').join(' '))}${lineOf('end', words('e').join(' ')).trimEnd()}`,
      'two.jsonl.gz': gzipSync(lineOf('b', words('x').join(' ')) + lineOf('c', words('c').join(' '))),
      'three.jsonl': lineOf('d', `${words('c').join(' ')} more`),
    });
    const files = ['one.jsonl', 'two.jsonl.gz', 'three.jsonl'];
    expect(await run(['dedupe', ...files, ...OPTIONS], { cwd })).toMatchObject({ code: 0 });
    expect(jsonLines(readFileSync(join(cwd, 'out.jsonl'), 'utf8')).map(({ id }) => id)).toEqual(['a', 'end', 'c']);
    expect(removedIn(join(cwd, 'dup.jsonl'))).toMatchObject([
      { path: 'two.jsonl.gz', id: 'b', row: 1, kept: { path: 'one.jsonl', id: 'a', row: 1 } },
      { path: 'three.jsonl', id: 'd', row: 1, kept: { path: 'two.jsonl.gz', id: 'c', row: 2 } },
    ]);
  });

  test('keeps any rows in order, byte for byte, and leaves no duplicates', async () => {
    const text = fc.array(fc.constantFrom('one', 'two', 'three', 'four'), { maxLength: 4 }).map((all) => all.join(' '));
    const row = fc.oneof(
      { weight: 5, arbitrary: text.map((value) => JSON.stringify({ text: value })) },
      fc.constantFrom('', '{', 'x'.repeat(300_000), '{"text":5}', '\r', '[]'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 12 }), fc.boolean(), async (rows, isEnded) => {
        const content = `{"text":"first"}\n${rows.join('\n')}${isEnded ? '\n' : ''}`;
        const cwd = folder({ 'in.jsonl': content });
        const options = ['--text-field', 'text', '--duplicates', 'dup.jsonl', '--out'];
        await run(['dedupe', 'in.jsonl', ...options, 'out.jsonl'], { cwd });
        const gone = new Set(removedIn(join(cwd, 'dup.jsonl')).map((removed) => removed.row));
        const lines = content.split(/(?<=\n)/);
        const out = readFileSync(join(cwd, 'out.jsonl'), 'utf8');
        expect(out).toBe(lines.filter((_, index) => !gone.has(index + 1)).join(''));
        await run(['dedupe', 'out.jsonl', ...options, 'again.jsonl'], { cwd });
        expect(readFileSync(join(cwd, 'again.jsonl'), 'utf8')).toBe(out);
        expect(removedIn(join(cwd, 'dup.jsonl'))).toEqual([]);
      }),
      { numRuns: IS_SLOW ? 10 : 4 },
    );
  });
});

describe('ids of rows', () => {
  const FIELDS = ['--text-field', 'text', '--id-field', 'id'];
  const [x, y] = [words('x').join(' '), words('y').join(' ')];

  test('may repeat or be missing', async () => {
    const cwd = folder({ 'in.jsonl': `${lineOf('same', x).repeat(1001)}{"text":"${x}"}\n${lineOf('same', y)}` });
    const stdout = await stdoutOf(['dedupe', 'in.jsonl', ...OPTIONS], { cwd });
    expect(stdout).toBe('out.jsonl: kept 2 of 1,003 rows, removed 1,001, of which 1,001 identical\n');
    expect(removedIn(join(cwd, 'dup.jsonl')).map(({ id }) => id)).toEqual([...Array(1000).fill('same'), '@1002']);
  });

  test('that are long integers keep their digits', async () => {
    const row = (id: string): string => `{"a":{"b":"\\\\","c":"\\" 1"},"text":"${x}", "id": ${id}}\n`;
    const ids = ['9007199254740993', '-12345678901234567890', '9007199254740992'];
    const cwd = folder({ 'in.jsonl': [...ids, '1e30', '0.5'].map(row).join('') });
    expect(await run(['dedupe', 'in.jsonl', ...OPTIONS], { cwd })).toMatchObject({ code: 0 });
    const removed = removedIn(join(cwd, 'dup.jsonl'));
    expect(removed.map(({ id }) => id)).toEqual([ids[1], ids[2], '@4', '@5']);
    expect(removed[0]!.kept.id).toBe(ids[0]);
  });

  test('that are long integers in Parquet keep their digits, signed and unsigned', async () => {
    for (const [type, ids] of [
      ['INT_64', [-9007199254740993n, 9007199254740993n]],
      ['UINT_64', [18437736874454810623n, 9007199254740993n]],
    ] as const) {
      const file = parquetWriteBuffer({
        columnData: [
          { name: 'id', data: [...ids] },
          { name: 'text', data: [x, x] },
        ],
        schema: [
          { name: 'root', num_children: 2 },
          { name: 'id', type: 'INT64', converted_type: type, repetition_type: 'REQUIRED' },
          { name: 'text', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
        ],
      });
      const cwd = folder({ 'in.parquet': new Uint8Array(file) });
      const lists = ['--duplicates', 'dup.jsonl', '--out', 'out.parquet'];
      const { code } = await run(['dedupe', 'in.parquet', ...FIELDS, ...lists], { cwd });
      const [removed] = removedIn(join(cwd, 'dup.jsonl'));
      expect({ code, kept: removed!.kept.id, id: removed!.id }).toEqual({
        code: 0,
        kept: String(ids[0]),
        id: String(ids[1]),
      });
    }
  });
});

describe('dedupe --groups', () => {
  const groupsIn = (path: string) => jsonLines(readFileSync(path, 'utf8')).map(({ id, group }) => [id, group]);

  test('writes the number of the kept row for every row, with or without --out', async () => {
    const cwd = folder({ 'in.jsonl': PLANTED.join(''), 'more.jsonl': lineOf('w', words('w').join(' ')) });
    const args = ['dedupe', 'in.jsonl', 'more.jsonl', '--text-field', 'text', '--groups', 'groups.jsonl'];
    expect((await run(args, { cwd })).stdout).toBe(
      '12 rows: 9 to keep, 3 to remove, of which 2 identical; kept 1 that differs: 1 in numbers (--ignore-numbers removes it)\n',
    );
    const numbers = [1, 2, 3, 1, 5, 2, 7, 8, 9, 10, 11, 11];
    expect(groupsIn(join(cwd, 'groups.jsonl'))).toEqual(numbers.map((group, i) => [i < 11 ? `${i + 1}` : '1', group]));
    await run([...args, '--id-field', 'id', '--keep', 'longest', '--out', 'out.jsonl'], { cwd });
    expect(groupsIn(join(cwd, 'groups.jsonl')).map((each) => each.join(' in '))).toEqual([
      ...['a in 1', 'b in 6', '@3 in 3', 'a again in 1', '@5 in 5', 'b longer in 6', 'none in 7', 'none too in 8'],
      ...['b in 9', 'c in 10', 'last in 11', 'w in 11'],
    ]);
    const kept = jsonLines(readFileSync(join(cwd, 'groups.jsonl'), 'utf8')).filter((row) => row['kept'] === true);
    expect(kept.length).toBe(9);
    expect(readdirSync(cwd).sort()).toEqual(['groups.jsonl', 'in.jsonl', 'more.jsonl', 'out.jsonl']);
  });
});

describe('the text of a row', () => {
  const row = (...[q, a, n]: readonly unknown[]) =>
    `${JSON.stringify({ q, a, messages: [{ content: q }, { content: null }, { content: a }], n })}\n`;
  const [one, two, other] = ['x', 'y', 'z'].map((seed) => words(seed).join(' '));

  test.each([
    [
      ['q', 'a'],
      [0, 2, 3, 4],
    ],
    [['q'], [0, 3, 4]],
    [['messages[].content'], [0, 2, 3, 4]],
  ])('is in several fields and in lists: %j', async (fields, kept) => {
    const rows = [row(one, two), row(one, two), row(one, other), row(null, two), row(null, null)];
    const cwd = folder({ 'in.jsonl': rows.join('') });
    const names = fields.flatMap((field) => ['--text-field', field]);
    await run(['dedupe', 'in.jsonl', ...names, '--out', 'out.jsonl'], { cwd });
    expect(readFileSync(join(cwd, 'out.jsonl'), 'utf8')).toBe(kept.map((index) => rows[index]).join(''));
  });

  test('may be missing with --allow-empty; else one line says how often', async () => {
    const rows = [
      lineOf('a', one!),
      '{"text":null}\n',
      '{"no":1}\n',
      '{"text":null}\n',
      '{"text":5}\n',
      '{"text":""}\n',
    ];
    const cwd = folder({ 'in.jsonl': rows.join('') });
    const strict = await run(['dedupe', 'in.jsonl', '--out', 'out.jsonl'], { cwd });
    expect(strict.code).toBe(3);
    expect(strict.stderr.trim().split('\n')).toEqual([
      'simhash-doc: in.jsonl!2: row 2: the field "text" has no text (and 2 more like this)',
      'simhash-doc: in.jsonl!5: row 5: the field "text" is not text but a number',
      'simhash-doc: 4 rows could not be read and are kept',
    ]);
    const free = await run(['dedupe', 'in.jsonl', '--out', 'out2.jsonl', '--allow-empty', '--json'], { cwd });
    expect({ code: free.code, counts: JSON.parse(free.stdout) as unknown }).toMatchObject({
      code: 3,
      counts: { rows: 6, kept: 6, failed: 1, empty: 3 },
    });
    const wrong = await run(['dedupe', 'in.jsonl', '--text-field', 'tekst', '--allow-empty', '--out', 'o'], { cwd });
    expect({ code: wrong.code, stderr: wrong.stderr }).toEqual({
      code: 3,
      stderr: expect.stringContaining('none of its rows has text in the field "tekst"'),
    });
  });
});

test('removed rows that are short are counted', async () => {
  const texts = [78, 79].map((length) => wordsOf(`${length}`, length).join(' '));
  const rows = texts.flatMap((text, i) => ['', ' more'].map((end) => lineOf(`${i}${end}`, `${text}${end}`)));
  expect(
    await stdoutOf(['dedupe', 'in.jsonl', '--out', 'out.jsonl'], { cwd: folder({ 'in.jsonl': rows.join('') }) }),
  ).toBe('out.jsonl: kept 2 of 4 rows, removed 2, of which 0 identical, and 1 of fewer than 80 tokens\n');
});

test('rows without letters are only removed as copies', async () => {
  const texts = ['2026-01-01', '', '2026-01-02', '2026-01-01', '', '🎉', '🎉', '\ud800', '\udc00'];
  const rows = texts.map((text, index) => lineOf(String(index), text));
  const cwd = folder({ 'in.jsonl': rows.join('') });
  const lists = ['--id-field', 'id', '--duplicates', 'dup.jsonl'];
  const { stdout } = await run(['dedupe', 'in.jsonl', '--out', 'out.jsonl', ...lists], { cwd });
  expect(stdout).toBe('out.jsonl: kept 6 of 9 rows, removed 3, of which 3 identical\n');
  expect(readFileSync(join(cwd, 'out.jsonl'), 'utf8')).toBe([0, 1, 2, 5, 7, 8].map((index) => rows[index]).join(''));
  expect(removedIn(join(cwd, 'dup.jsonl')).map(({ id, kept, overlap }) => [id, kept.id, overlap])).toEqual([
    ['3', '0', 1],
    ['4', '1', 1],
    ['6', '5', 1],
  ]);
});

describe('dedupe --against', () => {
  const [one, two, three] = ['x', 'y', 'z'].map((seed) => words(seed).join(' '));
  const A = [lineOf('a1', one!), lineOf('a2', `${one} more`), lineOf('a3', two!)];
  const B = [
    lineOf('b1', three!),
    lineOf('b2', `${one} more words`),
    lineOf('b3', three!),
    lineOf('b4', two!),
    lineOf('b5', `${three} more`),
  ];
  const args = ['dedupe', 'b.jsonl', '--against', 'a.jsonl.gz', '--id-field', 'id'];

  test.each(['first', 'longest'])('removes only the rows that the other file has: --keep %s', async (keep) => {
    const cwd = folder({ 'a.jsonl.gz': gzipSync(A.join('')), 'b.jsonl': B.join('') });
    const outputs = ['--out', 'out.jsonl', '--groups', 'groups.jsonl', '--duplicates', 'dup.jsonl', '--keep', keep];
    const { code, stdout } = await run([...args, ...outputs], { cwd });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'out.jsonl: kept 3 of 5 rows, removed 2, of which 1 identical\n',
    });
    expect(readFileSync(join(cwd, 'out.jsonl'), 'utf8')).toBe([B[0], B[2], B[4]].join(''));
    const groups = jsonLines(readFileSync(join(cwd, 'groups.jsonl'), 'utf8'));
    expect(groups.map(({ id, kept, match }) => [id, kept, (match as { id?: string } | undefined)?.id])).toEqual([
      ['b1', true, undefined],
      ['b2', false, 'a1'],
      ['b3', true, undefined],
      ['b4', false, 'a3'],
      ['b5', true, undefined],
    ]);
    expect(removedIn(join(cwd, 'dup.jsonl')).map(({ id, kept }) => [id, kept.id])).toEqual([
      ['b2', 'a1'],
      ['b4', 'a3'],
    ]);
    expect((await run([...args, '--groups', 'groups.jsonl'], { cwd })).code).toBe(0);
  });

  test.each(['docs', 'docs.index'])('removes rows that documents have, of a folder or an index: %s', async (place) => {
    const cwd = folder({
      'docs/1.txt': `${one} 1`,
      'docs/sub/2.html': `<p>${two}</p>`,
      'docs/3.bin': '\0',
      'b.jsonl': B.join(''),
    });
    await run(['index', 'sync', 'docs.index', 'docs'], { cwd });
    const outputs = ['--out', 'out.jsonl', '--groups', 'g.jsonl'];
    const { code, stderr } = await run(['dedupe', 'b.jsonl', '--against', place, '--id-field', 'id', ...outputs], {
      cwd,
    });
    const skipped = 'simhash-doc: skipped 1 file: not a document (1 of other types)\n';
    expect({ code, stderr }).toEqual({ code: 0, stderr: place === 'docs' ? skipped : '' });
    const groups = jsonLines(readFileSync(join(cwd, 'g.jsonl'), 'utf8'));
    expect(groups.filter(({ kept }) => kept === false).map(({ id, match }) => [id, match])).toEqual([
      ['b2', { path: place, id: 'docs/1.txt' }],
      ['b4', { path: place, id: 'docs/sub/2.html' }],
    ]);
    expect(readFileSync(join(cwd, 'out.jsonl'), 'utf8')).toBe([B[0], B[2], B[4]].join(''));
    expect(readdirSync(cwd).sort()).toEqual(['b.jsonl', 'docs', 'docs.index', 'g.jsonl', 'out.jsonl']);
  });

  test('leaves out the rows themselves, which a folder or an index may have', async () => {
    const cwd = folder({ 'd/b.jsonl': B.join(''), 'd/a.txt': two! });
    await run(['index', 'sync', '--text-field', 'text', 'i', 'd'], { cwd });
    for (const place of ['d', 'i']) {
      const { stdout } = await run(['dedupe', 'd/b.jsonl', '--against', place, '--out', `${place}.jsonl`], { cwd });
      expect(stdout).toBe(`${place}.jsonl: kept 4 of 5 rows, removed 1, of which 1 identical\n`);
    }
  });

  test('refuses what has no documents, and an index with another label', async () => {
    const cwd = folder({ 'b.jsonl': B.join(''), 'empty/.hidden': 'a', 'a.txt': 'a b c' });
    expect(await run([...args.slice(0, 2), '--against', 'empty', '--out', 'o'], { cwd })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('o: not written: no documents found in empty (--against)'),
    });
    await run(['index', 'sync', '--label', 'minhash-doc', 'i', 'a.txt'], { cwd });
    expect(await run([...args.slice(0, 2), '--against', 'i', '--out', 'o'], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'the index has the label minhash-doc, not minhash-doc-256: add --label minhash-doc',
      ),
    });
    expect(readdirSync(cwd).sort()).toEqual(['a.txt', 'b.jsonl', 'empty', 'i']);
  });

  test('removes nothing if the other file has no texts', async () => {
    const cwd = folder({ 'a.jsonl.gz': gzipSync('{"text":""}\n'), 'b.jsonl': B.join('') });
    await run([...args, '--out', 'out.jsonl'], { cwd });
    expect(readFileSync(join(cwd, 'out.jsonl'), 'utf8')).toBe(B.join(''));
  });
});

describe('dedupe of standard input', () => {
  test.each([
    ['plain', (bytes: Buffer) => bytes],
    ['compressed', gzipSync],
  ])('copies the rows to keep to standard output: %s', async (_, compress) => {
    const cwd = folder({});
    const stdin = compress(Buffer.from(PLANTED.join('')));
    const args = ['--out', '-', '--id-field', 'id', '--groups', 'groups.jsonl'];
    const { code, stdout, stderr } = await run(['dedupe', '-', ...args], { cwd, stdin });
    expect({ code, stdout }).toEqual({ code: 3, stdout: KEPT });
    expect(stderr).toContain('simhash-doc: kept 9 of 11 rows, removed 2, of which 1 identical; kept 1 that differs');
    expect(jsonLines(readFileSync(join(cwd, 'groups.jsonl'), 'utf8'))[3]).toMatchObject({
      path: '-',
      row: 4,
      id: 'a again',
    });
    expect(readdirSync(cwd)).toEqual(['groups.jsonl']);
    expect(await run(['dedupe', '-', '--out', 'out.parquet'], { cwd, stdin })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--out: out.parquet: the file is JSON Lines'),
    });
    expect(readdirSync(cwd)).toEqual(['groups.jsonl']);
    expect(await run(['dedupe', '-', '--out', '-', '--quiet'], { cwd, stdin: '{"text":"a b"}\n' })).toEqual({
      code: 0,
      stdout: '{"text":"a b"}\n',
      stderr: '',
    });
  });
});

describe('dedupe of Parquet', () => {
  function parquet(rows: readonly (readonly [string, string | null, number])[]): Uint8Array {
    const columnData = [
      { name: 'id', data: rows.map(([id]) => id), type: 'STRING' as const },
      { name: 'text', data: rows.map(([, text]) => text), type: 'STRING' as const },
      { name: 'time', data: rows.map(([, , n]) => BigInt(n)), type: 'TIMESTAMP' as const },
      { name: 'list', data: rows.map(([, , n]) => ({ a: n / 3, b: null })), type: 'JSON' as const },
    ];
    const kvMetadata = [{ key: 'mine', value: 'kept' }];
    return new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize: 3, kvMetadata }));
  }

  test('writes rows with the same schema', async () => {
    const text = words('x').join(' ');
    const rows = [
      ['a', text, 1],
      ['b', null, 2],
      ['c', text, 3],
      ['d', `${text} more`, 4],
      ['e', words('y').join(' '), 5],
    ] as const;
    const cwd = folder({ 'in.parquet': parquet(rows) });
    const options = ['--text-field', 'text', '--id-field', 'id', '--duplicates', 'dup.jsonl', '--out', 'out.parquet'];
    expect(await run(['dedupe', 'in.parquet', ...options], { cwd })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('!2: row 2: the field "text" has no'),
    });
    const [before, after] = ['in.parquet', 'out.parquet'].map((name) => {
      const bytes = readFileSync(join(cwd, name));
      return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
    });
    const [old, now] = [parquetMetadata(before!), parquetMetadata(after!)];
    expect(now.schema).toEqual(old.schema);
    expect(now.key_value_metadata).toEqual(old.key_value_metadata);
    const all = await parquetReadObjects({ file: before! });
    expect(await parquetReadObjects({ file: after! })).toEqual(all.filter((_, index) => ![2, 3].includes(index)));
    expect(removedIn(join(cwd, 'dup.jsonl')).map(({ id, kept }) => [id, kept.id])).toEqual([
      ['c', 'a'],
      ['d', 'a'],
    ]);
  });

  test('names all missing packages in one message', async () => {
    const cwd = folder({ 'in.parquet': parquet([['a', 'text', 1]]) });
    const node = withoutPackages('hyparquet');
    const options = ['--text-field', 'text', '--out', 'out.parquet'];
    const { stderr } = await runProcess(['dedupe', 'in.parquet', ...options], { cwd, node });
    expect(stderr).toContain('needs 3 more packages: npm install hyparquet hyparquet-compressors hyparquet-writer');
  });

  test('rejects an output that cannot be written before reading anything', async () => {
    const cwd = folder({ 'a.parquet': parquet([['a', 'text', 1]]), 'b.jsonl': lineOf('a', 'text') });
    const { code, stderr } = await run(['dedupe', 'a.parquet', 'b.jsonl', '--text-field', 'text', '--out', 'o'], {
      cwd,
    });
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('another format or schema') });
    expect(readdirSync(cwd)).toEqual(['a.parquet', 'b.jsonl']);
  });
});

describe('dedupe', () => {
  test('replaces an earlier list and keeps its permissions; leaves it if IN is damaged', async () => {
    const text = words('x').join(' ');
    const cwd = folder({
      'in.jsonl': lineOf('a', text) + lineOf('b', text),
      'bad.jsonl.gz': gzipSync(PLANTED.join('')).subarray(0, 99),
    });
    const list = ['--text-field', 'text', '--duplicates', 'dup.jsonl'];
    const write = (...args: string[]) => run(['dedupe', ...args, ...list], { cwd });
    expect((await write('in.jsonl')).code).toBe(0);
    const old = readFileSync(join(cwd, 'dup.jsonl'), 'utf8');
    chmodSync(join(cwd, 'dup.jsonl'), 0o640);
    const bad = await write('bad.jsonl.gz');
    expect({ code: bad.code, stderr: bad.stderr }).toEqual({
      code: 3,
      stderr: expect.stringContaining('damaged gzip'),
    });
    expect(readFileSync(join(cwd, 'dup.jsonl'), 'utf8')).toBe(old);
    expect((await write('in.jsonl', '--id-field', 'id')).code).toBe(0);
    expect(removedIn(join(cwd, 'dup.jsonl'))).toMatchObject([{ id: 'b' }]);
    expect(statSync(join(cwd, 'dup.jsonl')).mode & 0o777).toBe(0o640);
  });

  test.each([
    ['in.jsonl', '--out', 'o.parquet', '.jsonl, .jsonl.gz or .jsonl.zst'],
    ['in.jsonl', '--out', 'o.csv.gz', '.jsonl, .jsonl.gz or .jsonl.zst'],
    ['in.parquet', '--out', 'o.jsonl', '.parquet'],
    ['in.parquet', '--out', 'o.parquet.gz', '.parquet'],
    ['in.jsonl', '--duplicates', 'd.csv', '.jsonl'],
    ['in.jsonl', '--groups', 'g.jsonl.gz', '.jsonl'],
  ])('rejects %s, %s %s: the name belongs to another format', async (input, option, name, expected) => {
    const cwd = folder({ 'in.jsonl': lineOf('a', 'some words'), 'in.parquet': 'PAR1\x15' });
    const { code, stderr } = await run(['dedupe', input, '--text-field', 'text', option, name], { cwd });
    const format = option === '--out' && input === 'in.parquet' ? 'Parquet' : 'JSON Lines';
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `simhash-doc: ${option}: ${name}: the file is ${format}: expected a name that ends in ${expected}\nTry: simhash-doc dedupe --help\n`,
    });
  });

  test('stops before OUT is written if no row has the field, and names the fields', async () => {
    const many = Array.from({ length: 10_001 }, (_, i) => `{"id":${i},"meta":{"body":"some words"}}\n`).join('');
    const late = `${'{"text":null}\n'.repeat(3)}${many}${lineOf('a', 'words')}`;
    const cwd = folder({ 'in.jsonl': `\nno JSON\n${many.slice(0, 200)}`, 'many.jsonl': many, 'late.jsonl': late });
    const dedupe = (path: string, ...fields: string[]) =>
      run(['dedupe', path, '--out', 'out.jsonl', '--duplicates', 'dup.jsonl', ...fields], { cwd });
    const none = await dedupe('in.jsonl', '--text-field', 'meta');
    expect({ code: none.code, stderr: none.stderr }).toEqual({
      code: 3,
      stderr:
        'simhash-doc: out.jsonl: not written: in.jsonl: none of its rows has text in the field "meta": its fields are id, meta.body\n',
    });
    expect((await dedupe('many.jsonl', '--text-field', 'body')).stderr).toMatch(
      /^.*none of its first 10,000 rows has text in the field "body": its fields are id, meta.body\n$/,
    );
    expect((await dedupe('in.jsonl', '--text-field', 'meta.body', '--id-field', 'key')).stderr).toContain(
      'in.jsonl: no row has a string or a whole number in the field "key"',
    );
    expect(readdirSync(cwd).sort()).toEqual(['in.jsonl', 'late.jsonl', 'many.jsonl']);
    expect((await dedupe('late.jsonl', '--text-field', 'text')).stdout).toContain('kept 10,005 of 10,005 rows');
  });

  testWrongUsage(
    'dedupe',
    [
      [['no.jsonl', '--out', 'o'], '--text-field'],
      [['in.jsonl', '--text-field', 'text'], '--out'],
      [['in.jsonl', '--text-field', 'text', '--out', 'o', '--groups', '-'], 'got -'],
      [['in.jsonl', '--text-field', 'text', '--out', 'o', '--groups', 'o'], 'two options'],
      [['--text-field', 'text', '--out', 'o'], 'expected a file'],
      [['-', '--against', '-', '--out', 'o'], 'only once'],
      [['in.jsonl', '--json', '--out', '-'], '--json'],
      [['in.jsonl', 'in.jsonl', '--text-field', 'text', '--out', 'o'], 'named twice'],
      [['in.jsonl', '--text-field', 'text', '--out', 'o', '--keep', 'newest'], '--keep'],
    ],
    folder({ 'in.jsonl': '', 'no.jsonl': '{"prompt":"a"}\n' }),
  );
});
