import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import zlib from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { httpOf, warcRecord } from '../archives.ts';
import { folder, run, stdoutOf, success, testWrongUsage } from '../command.ts';
import { SAMPLES } from './cdxj/entries.ts';

const samples = folder(SAMPLES);

/** A record, whose body differs from others in a word. */
const record = (uri: string, body = `some words about ${uri}`, type = 'response'): string =>
  warcRecord(httpOf('text/html', `<p>${body}`), { 'WARC-Type': type, 'WARC-Target-URI': uri });

const A = 'http://a.example/';
const B = 'http://b.example/';
const gz = (text: string) => zlib.gzipSync(text);
const [A_GZ, B_GZ] = [gz(record(A)), gz(record(B))];
const WARC = Buffer.concat([A_GZ, B_GZ]);

const entryOf = (uri: string, offset: number, length: number) => ({
  url: uri,
  mime: 'text/html',
  status: '200',
  length: `${length}`,
  offset: `${offset}`,
  filename: 'x.warc.gz',
});
const keyOf = (uri: string) => `example,${uri[7]})/ 20260102030405`;
const lineOf = (uri: string, entry: object) => `${keyOf(uri)} ${JSON.stringify(entry)}\n`;

const LINE_A = lineOf(A, entryOf(A, 0, A_GZ.length));
const LINE_B = lineOf(B, entryOf(B, A_GZ.length, B_GZ.length));
/** The lines with the fingerprints, as `hash --cdxj` writes them. */
const HASHED = await stdoutOf(['hash', '--cdxj', 'x.warc.gz'], { cwd: folder({ 'x.warc.gz': WARC }) });
const [HASHED_A, HASHED_B] = HASHED.split(/(?<=\n)/) as [string, string];
const FINGERPRINT_A = /minhash-doc-256:\w+/.exec(HASHED_A)![0];
const EXTRACTOR = 'document-fingerprint-extractor';

/** Enriches an index whose only WARC file is {@link WARC}. */
async function enrich(index: string | Buffer, args: readonly string[] = [], files: Record<string, Buffer> = {}) {
  const cwd = folder({ 'x.warc.gz': WARC, 'index.cdxj': index, ...files });
  const { code, stdout, stderr } = await run(['enrich', ...args, 'index.cdxj'], { cwd });
  return { code, stdout, stderr, cwd };
}

describe('the lines of hash --cdxj', () => {
  test.each([[[]], [['--label', 'simhash-doc']], [['--extractor', 'article']], [['--charset', 'latin1']]])(
    'with %j are the lines of cdxj-indexer after enrich',
    async (args) => {
      for (const name of ['sample.warc', 'sample.warc.gz']) {
        const index = String(SAMPLES[`${name}.cdxj`]);
        const { code, stdout, stderr } = await run(['enrich', ...args, `${name}.cdxj`], { cwd: samples });
        expect({ code, stderr }).toEqual({
          code: 0,
          stderr: `simhash-doc: ${name}.cdxj: skipped: 1 image/png, 1 without letters\n`,
        });
        expect(stdout.replaceAll(/, "document-fingerprint(?:-extractor)?": "[^"]*"/g, '')).toBe(index);
        const hashed = (await run(['hash', '--cdxj', ...args, name], { cwd: samples })).stdout;
        const found = (text: string) => [...text.matchAll(/"offset": ?"(\d+)".*"document-fingerprint": ?"(.*?)"/g)];
        const pairs = (text: string) => found(text).map(([, offset, fingerprint]) => [offset, fingerprint]);
        expect(pairs(stdout)).toEqual(pairs(hashed));
        expect(pairs(stdout).length).toBe(6);
      }
    },
  );

  test('do not change when they are enriched', async () => {
    expect(await enrich(HASHED)).toMatchObject(success(HASHED));
  });

  test('are the lines without a fingerprint after enrich, in any order', async () => {
    expect(await enrich(LINE_B + LINE_A)).toMatchObject({ code: 0, stdout: HASHED_B + HASHED_A });
  });
});

describe('enrich keeps everything else in a line', () => {
  const fox = `"offset":0,"length":${A_GZ.length},"filename":"x.warc.gz"`;
  const label = `"${FINGERPRINT_A}"`;
  test.each([
    ['a line without a line end', `{${fox}}`, `{${fox},"document-fingerprint":${label},"${EXTRACTOR}":"html/2"}`],
    ['CRLF', `{${fox}}\r\n`, `{${fox},"document-fingerprint":${label},"${EXTRACTOR}":"html/2"}\r\n`],
    [
      'spaces',
      ` { ${fox.replaceAll(':', ': ')} } \n`.slice(1),
      `{ ${fox.replaceAll(':', ': ')}, "document-fingerprint": ${label}, "${EXTRACTOR}": "html/2" } \n`,
    ],
    [
      'numbers that JSON rounds',
      `{"n":1.0e2,${fox}}\n`,
      `{"n":1.0e2,${fox},"document-fingerprint":${label},"${EXTRACTOR}":"html/2"}\n`,
    ],
    [
      'a fingerprint of another label',
      `{"document-fingerprint":"minhash-doc:AAAAAAAAAAAAA","${EXTRACTOR}":"html/1",${fox}}\n`,
      `{"document-fingerprint":${label},"${EXTRACTOR}":"html/2",${fox}}\n`,
    ],
    [
      'another value',
      `{"document-fingerprint" : {"a":["}"]} ,${fox}}\n`,
      `{"document-fingerprint" : ${label} ,${fox},"${EXTRACTOR}":"html/2"}\n`,
    ],
    [
      'an escaped key',
      `{"\\u0064ocument-fingerprint":null,${fox}}\n`,
      `{"\\u0064ocument-fingerprint":${label},${fox},"${EXTRACTOR}":"html/2"}\n`,
    ],
    [
      'values in values',
      `{"a":{"document-fingerprint":"x"},"b":"\\"}",${fox}}\n`,
      `{"a":{"document-fingerprint":"x"},"b":"\\"}",${fox},"document-fingerprint":${label},"${EXTRACTOR}":"html/2"}\n`,
    ],
    [
      'characters beyond ASCII',
      `{"ü":"\u2028😀",${fox}}\n`,
      `{"ü":"\u2028😀",${fox},"document-fingerprint":${label},"${EXTRACTOR}":"html/2"}\n`,
    ],
  ])('%s', async (_, before, after) => {
    const { code, stdout, stderr } = await enrich(`${keyOf(A)} ${before}`);
    expect({ code, stdout, stderr }).toEqual(success(`${keyOf(A)} ${after}`));
  });

  test('with any values', async () => {
    const objects = fc.sample(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), { numRuns: 200, seed: 5 });
    const lines = objects.map((each) => ({ ...each, ...entryOf(A, 0, A_GZ.length) }));
    const { code, stdout } = await enrich(lines.map((each) => lineOf(A, each)).join(''));
    expect(code).toBe(0);
    expect(stdout).toBe(
      lines
        .map((each) => lineOf(A, { ...each, 'document-fingerprint': FINGERPRINT_A, [EXTRACTOR]: 'html/2' }))
        .join(''),
    );
  });
});

test('enrich adds losses, and replaces those of the line', async () => {
  const page = (fields: object) => gz(warcRecord(httpOf('text/html', '<p>one'), { 'WARC-Target-URI': A, ...fields }));
  const [cut, whole] = [page({ 'WARC-Truncated': 'length' }), page({})];
  const lines = [
    lineOf(A, entryOf(A, 0, cut.length)),
    lineOf(A, { losses: 'markup', ...entryOf(A, 0, cut.length) }),
    lineOf(A, { ...entryOf(A, cut.length, whole.length), losses: 'damaged' }),
  ];
  const cwd = folder({ 'x.warc.gz': Buffer.concat([cut, whole]), 'index.cdxj': lines.join('') });
  const { stdout } = await run(['enrich', 'index.cdxj'], { cwd });
  expect(stdout.split('\n').map((line) => /"losses":"[^"]*"/.exec(line)?.[0])).toEqual([
    '"losses":"damaged"',
    '"losses":"damaged"',
    '"losses":""',
    undefined,
  ]);
  expect((await run(['hash', '--cdxj', 'x.warc.gz'], { cwd })).stdout).toContain('","losses":"damaged"}\n');
  // A second run changes nothing.
  writeFileSync(join(cwd, 'index.cdxj'), stdout);
  expect((await run(['enrich', 'index.cdxj'], { cwd })).stdout).toBe(stdout);
});

test('enrich keeps headers, empty lines and lines of the same capture in their places', async () => {
  const [start, end] = ['!OpenWayback-CDXJ 1.0\n@meta {"a":1}\n\n', ' \r\n\n'];
  expect(await enrich(start + LINE_A + LINE_A + end + LINE_B)).toMatchObject({
    code: 0,
    stdout: start + HASHED_A + HASHED_A + end + HASHED_B,
  });
});

describe('enrich counts lines without a document', () => {
  test('and does not change them', async () => {
    const members = [
      record(A, 'x', 'revisit'),
      record(A, 'x', 'request'),
      record(A, '1 2 3'),
      record('dns:a.example', 'x'),
    ].map(gz);
    let offset = 0;
    const lines = members.map((member) => {
      const line = lineOf(A, { offset, length: member.length, filename: 'y.warc.gz' });
      offset += member.length;
      return line;
    });
    const others = [
      lineOf(A, { ...entryOf(A, 0, 1), mime: 'warc/revisit', filename: 'not there' }),
      lineOf(A, { ...entryOf(A, 0, 1), mime: 'Image/PNG;q=1', filename: 'not there' }),
    ];
    const index = [...lines, ...others].join('');
    expect(await enrich(index, [], { 'y.warc.gz': Buffer.concat(members) })).toMatchObject({
      code: 0,
      stdout: index,
      stderr: 'simhash-doc: index.cdxj: skipped: 2 revisit, 1 dns, 1 image/png, 1 request, 1 without letters\n',
    });
  });

  test('and does not read the record after a revisit for them, whatever the length', async () => {
    const revisit = gz(record(A, 'x', 'revisit'));
    const index = lineOf(B, { offset: 0, filename: 'y.warc.gz' });
    const result = await enrich(index, [], { 'y.warc.gz': Buffer.concat([revisit, B_GZ]) });
    expect(result).toMatchObject({ stdout: index, stderr: 'simhash-doc: index.cdxj: skipped: 1 revisit\n' });
  });
});

test.each([
  ['missing', undefined],
  ['that of two records', WARC.length],
  ['beyond the end of the file', 1e15],
])('enrich does not need a length that is %s', async (_, length) => {
  const { stdout } = await enrich(lineOf(A, { ...entryOf(A, 0, 0), length }));
  expect(stdout).toContain(FINGERPRINT_A);
});

describe('enrich keeps lines that fail, and exits with 3:', () => {
  const small = { offset: 0, length: A_GZ.length, filename: 'x.warc.gz' };
  test.each<readonly [string, object, string]>([
    [
      'an offset beyond the file',
      { ...small, offset: 1e6 },
      `x.warc.gz: offset 1,000,000 is beyond the end of the file, which has ${WARC.length} bytes`,
    ],
    [
      'an offset in a record',
      { ...small, offset: 5 },
      'x.warc.gz: offset 5: expected the start of a WARC or ARC record, or of one compressed with gzip',
    ],
    ['a length that is too small', { ...small, length: 99 }, 'x.warc.gz: offset 0: damaged gzip: unexpected end'],
    [
      'no length',
      { ...small, length: 0 },
      'x.warc.gz: offset 0: expected the start of a WARC or ARC record, or of one compressed with gzip',
    ],
    [
      'another URL',
      { ...small, url: B },
      `x.warc.gz: offset 0: the record is of "${A}", not of "${B}": does the index describe another file?`,
    ],
    ['a missing file', { ...small, filename: 'sub/y.warc.gz' }, 'sub/y.warc.gz: no such file or folder'],
    ['a line end in a file name', { ...small, filename: 'a\nb' }, 'a\\x0ab: no such file or folder'],
    ['a long file name', { ...small, filename: 'é'.repeat(5000) }, `the file name "${'é'.repeat(100)}…" is too long`],
    ['a folder', { ...small, filename: '.' }, '.: is not a regular file'],
    ['no file', { offset: 0 }, 'points to no record: expected "filename" and "offset"'],
    ['a negative offset', { ...small, offset: -1 }, 'points to no record: expected "filename" and "offset"'],
    ['a fraction', { ...small, offset: '1.5' }, 'points to no record: expected "filename" and "offset"'],
    ...['../x.warc.gz', 'a/../../x.warc.gz', '..\\x.warc.gz', '/etc/passwd', 'C:\\x', 'a\0b'].map(
      (filename) =>
        [
          `the file name ${filename}`,
          { ...small, filename },
          `the file name ${JSON.stringify(filename)} leads out of the folder of WARC files`,
        ] as const,
    ),
  ])('%s', async (_, entry, message) => {
    const index = LINE_A + lineOf(A, entry) + LINE_B;
    const { code, stdout, stderr } = await enrich(index);
    expect({ code, stdout }).toEqual({ code: 3, stdout: HASHED_A + lineOf(A, entry) + HASHED_B });
    expect(stderr).toContain(`simhash-doc: index.cdxj: line 2: ${message}`);
    expect(stderr.split('\n').length).toBe(2);
  });

  test.each([
    ['other text', 'some words', 'is not a URL key, a timestamp and a JSON object, separated by spaces'],
    ['no JSON', `${keyOf(A)} {"a":}`, 'is not a URL key, a timestamp and a JSON object, separated by spaces'],
    ['two objects', `${keyOf(A)} {"a":1} {}`, 'is not a URL key, a timestamp and a JSON object, separated by spaces'],
    ['an empty object', `${keyOf(A)} {}`, 'points to no record: expected "filename" and "offset"'],
    [
      'a key twice',
      `${keyOf(A)} {"offset":"0","filename":"x.warc.gz","\\u006fffset":"9"}`,
      'has the key "offset" more than once',
    ],
    ['bytes that are not UTF-8', Buffer.from([0x61, 0x20, 0xff]), 'is not UTF-8'],
    ['a line that is too long', `${keyOf(A)} {"a":"${'x'.repeat(1 << 20)}"}`, 'is longer than 1 MiB'],
  ])('%s', async (_, line, message) => {
    const index = Buffer.concat([LINE_A, line, '\n', LINE_B].map((each) => Buffer.from(each)));
    const { code, stderr, cwd } = await enrich(index, ['--out', 'out']);
    expect({ code, stderr }).toEqual({ code: 3, stderr: `simhash-doc: index.cdxj: line 2: ${message}\n` });
    const expected = Buffer.concat([HASHED_A, line, '\n', HASHED_B].map((each) => Buffer.from(each)));
    expect(readFileSync(join(cwd, 'out')).equals(expected)).toBe(true);
  });

  test('and reports a missing file once', async () => {
    const line = lineOf(A, { ...small, filename: 'y.warc.gz' });
    const { code, stdout, stderr } = await enrich(LINE_A + line.repeat(3));
    expect({ code, stdout }).toEqual({ code: 3, stdout: HASHED_A + line.repeat(3) });
    expect(stderr).toBe(
      'simhash-doc: index.cdxj: line 2: y.warc.gz: no such file or folder\nsimhash-doc: index.cdxj: 3 of 4 lines failed\n',
    );
  });

  test('for records that share a gzip member', async () => {
    const line = lineOf(A, { offset: 0, filename: 'y.warc.gz' });
    const { code, stderr } = await enrich(line, [], { 'y.warc.gz': gz(record(A) + record(B)) });
    const message = 'y.warc.gz: offset 0: the record shares a gzip member with another';
    expect({ code, stderr }).toEqual({ code: 3, stderr: `simhash-doc: index.cdxj: line 1: ${message}\n` });
  });

  test('for a document that cannot be read', async () => {
    const member = gz(record(A, 'x'.repeat(3000)));
    const line = lineOf(A, { offset: 0, filename: 'y.warc.gz' });
    const { code, stdout, stderr } = await enrich(line, ['--max-size', '2K'], { 'y.warc.gz': member });
    expect({ code, stdout }).toEqual({ code: 3, stdout: line });
    expect(stderr).toMatch(/^simhash-doc: index\.cdxj: line 1: y\.warc\.gz.*limit.*\n$/);
  });
});

describe('enrich rejects a file that is not CDXJ', () => {
  const ADVICE = 'cdxj-indexer or simhash-doc hash --cdxj makes CDXJ from the WARC files';
  const CDX = 'example,a)/ 20260102030405 http://a.example/ text/html 200 ABC - - 738 x.warc.gz\n';
  test.each([
    ['CDX', CDX, 'is CDX, with fields separated by spaces, not CDXJ'],
    [
      'a WARC file',
      record(A),
      'is not CDXJ: line 1 is not a URL key, a timestamp and a JSON object, separated by spaces',
    ],
    [
      'JSON Lines',
      '\n{"a":1}\n',
      'is not CDXJ: line 2 is not a URL key, a timestamp and a JSON object, separated by spaces',
    ],
    ['a long line', 'x'.repeat(2 << 20), 'is not CDXJ: line 1 is longer than 1 MiB'],
  ])('%s', async (_, index, message) => {
    expect(await enrich(index)).toMatchObject({
      code: 3,
      stdout: '',
      stderr: `simhash-doc: index.cdxj: ${message}; ${ADVICE}\n`,
    });
  });

  test('in Parquet', async () => {
    const { code, stderr } = await enrich(Buffer.from('PAR1\x15\x04\n'));
    expect(code).toBe(3);
    expect(stderr).toBe(
      'simhash-doc: index.cdxj: is Parquet, not CDXJ: join it with the output of hash --json, as in DuckDB\n',
    );
  });

  test('but not an empty file', async () => {
    expect(await enrich('')).toMatchObject(success(''));
  });
});

test.each([
  ['11', 'N b a m s k r M S V g', (offset: number, length: number) => `200 - - - ${length} ${offset}`],
  ['9', 'N b a m s k r V g', (offset: number) => `200 - - ${offset}`],
])('enrich makes CDXJ of CDX with %s fields', async (count, letters, values) => {
  const cdx = (uri: string, offset: number, length: number): string =>
    `${keyOf(uri)} ${uri} text/html ${values(offset, length)} x.warc.gz\n`;
  const lines = [cdx(A, 0, A_GZ.length), cdx(B, A_GZ.length, B_GZ.length)].join('');
  const expected = count === '11' ? HASHED : HASHED.replaceAll(/"length":"\d+",/g, '');
  expect(await enrich(` CDX ${letters}\n${lines}`)).toMatchObject(success(expected));
  expect(await enrich(lines), 'without the first line').toMatchObject(success(expected));
  expect(await enrich(` CDX ${letters}\none two\n`)).toMatchObject({ code: 3, stdout: '' });
});

describe('enrich', () => {
  test('reads an index that is compressed, in several members, or on standard input', async () => {
    const members = Buffer.concat([LINE_A, LINE_B].map(gz));
    expect(await enrich(members)).toMatchObject({ code: 0, stdout: HASHED });
    const cwd = folder({ 'x.warc.gz': WARC });
    for (const stdin of [members, LINE_A + LINE_B])
      expect(await run(['enrich', '-'], { cwd, stdin })).toMatchObject({ code: 0, stdout: HASHED });
    expect(await enrich(members.subarray(0, -9))).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('index.cdxj: damaged gzip: unexpected end'),
    });
  });

  test('finds WARC files in the folder of --warcs, or in folders below it', async () => {
    const cwd = folder({ 'index.cdxj': LINE_A });
    mkdirSync(join(cwd, 'archive/crawl'), { recursive: true });
    writeFileSync(join(cwd, 'archive/crawl/x.warc.gz'), WARC);
    const lines = ['crawl/x.warc.gz', 'data/2026/x.warc.gz'].map((filename) =>
      lineOf(A, { ...entryOf(A, 0, A_GZ.length), filename }),
    );
    for (const [warcs, index] of [
      ['archive/crawl', LINE_A],
      ['archive', lines[0]!],
      ['archive/crawl', lines[1]!],
    ] as const)
      expect(await run(['enrich', '-', '--warcs', warcs], { cwd, stdin: index })).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(FINGERPRINT_A),
      });
    expect(await run(['enrich', 'index.cdxj', '--warcs', 'nowhere'], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--warcs: nowhere: expected the folder of the WARC files'),
    });
  });

  test('finds WARC files in the folder of the index by default', async () => {
    const cwd = folder();
    cpSync(samples, join(cwd, 'sub'), { recursive: true });
    const { code, stdout } = await run(['enrich', 'sub/sample.warc.cdxj'], { cwd });
    expect({ code, lines: stdout.match(/document-fingerprint"/g)?.length }).toEqual({ code: 0, lines: 6 });
  });

  test('may replace the index with --out, and compresses it if its name says so', async () => {
    const { code, stdout, cwd } = await enrich(LINE_A + LINE_B, ['--out', 'index.cdxj']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(readFileSync(join(cwd, 'index.cdxj'), 'utf8')).toBe(HASHED);
    await run(['enrich', 'index.cdxj', '-o', 'index.cdxj.gz'], { cwd });
    expect(zlib.gunzipSync(readFileSync(join(cwd, 'index.cdxj.gz'))).toString()).toBe(HASHED);
    const broken = await enrich('words', ['--out', 'out']);
    expect(broken.stderr).toMatch(/^simhash-doc: index\.cdxj: out is not written: is not CDXJ: line 1 /);
    expect(execFileSync('ls', ['-A', broken.cwd], { encoding: 'utf8' })).toBe('index.cdxj\nx.warc.gz\n');
  });

  testWrongUsage(
    'enrich',
    [
      [[], 'expected one index in CDXJ, got 0'],
      [['x', 'y'], 'expected one index in CDXJ, got 2'],
      [['x'], 'x: no such file or folder'],
      [['-', '--out', '-'], '--out: expected the name of a file to write, got -'],
    ],
    folder(),
  );
});
