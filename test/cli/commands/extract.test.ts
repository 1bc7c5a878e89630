import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { TextReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';
import { describe, expect, test } from 'vitest';
import { fingerprint, LABEL, serialise } from '../../../src/index.ts';
import { packageOf } from '../../extract/package/package-of.ts';
import { httpOf, warcRecord } from '../archives.ts';
import { folder, jsonLines, run, runProcess, stdoutOf, success } from '../command.ts';

const base32 = (text: string) => serialise(fingerprint(text)!);

async function secretZip(): Promise<Uint8Array> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false });
  await writer.add('x.txt', new TextReader('hidden'), { password: 'password' });
  return writer.close();
}

const record = (type: string, uri: string, block: string, mediaType?: string): string =>
  warcRecord(block, {
    'WARC-Type': type,
    'WARC-Record-ID': `<urn:uuid:00000000-0000-4000-8000-${String(uri.length).padStart(12, '0')}>`,
    'WARC-Target-URI': uri,
    'Content-Type': mediaType,
  });

const RECORDS = [
  record('warcinfo', 'a', 'software: x'),
  record('request', 'https://a.example/page', 'GET /page HTTP/1.1\r\n\r\n'),
  record('response', 'https://a.example/page', httpOf('text/html', '<title>no</title><p>the words of a page')),
  record('response', 'https://a.example/image', httpOf('image/png', '\x89PNG\r\n\x1a\nnot a document')),
  record('response', 'https://a.example/longer.txt', httpOf('text/plain', 'the words of a text')),
  record('resource', 'https://a.example/resource.txt', 'a resource', 'text/plain'),
];

const cwd = folder({
  'text.txt': 'some words',
  'page.html': '<title>no</title><p>some words<p>in a page',
  'page.html.gz': gzipSync('<title>no</title><p>some words<p>in a page'),
  'twice.txt.gz.gz': gzipSync(gzipSync('some words')),
  'five.gz': [1, 2, 3, 4, 5].reduce<Uint8Array>((bytes) => gzipSync(bytes), Buffer.from('deep')),
  'cut.txt.gz': gzipSync('some words '.repeat(10_000)).subarray(0, 100),
  'bomb.txt.gz': gzipSync(Buffer.alloc(3 << 20, 'a ')),
  'huge.html.gz': gzipSync(Buffer.alloc(40 << 20, '<p>a ')),
  'bombs.zip': await packageOf({
    'a.txt.gz': gzipSync(Buffer.alloc(20 << 20, ' a')),
    'b.txt.gz': gzipSync(Buffer.alloc(20 << 20, ' b')),
    'c.txt': 'some words',
  }),
  'a.zip': await packageOf({
    'b.txt': 'second',
    'a/': '',
    'a/page.html': '<p>first',
    'empty.txt': '',
    'c.gz': gzipSync('third'),
  }),
  'nested.zip': await packageOf({ 'x.txt': 'outer', 'inner.zip': await packageOf({ 'y.txt': 'inner' }) }),
  'secret.zip': await secretZip(),
  'a.warc': RECORDS.join(''),
  'a.warc.gz': Buffer.concat(RECORDS.map((each) => gzipSync(each))),
  'slides.ps': '%!PS-Adobe-3.0',
});

const lines = async (...args: string[]) => {
  const { code, stdout, stderr } = await run(args, { cwd });
  return { code, stderr, objects: jsonLines(stdout) };
};

describe('extract', () => {
  test('prints the text of one document and nothing else', async () => {
    expect(await run(['extract', 'page.html'], { cwd })).toEqual(success('some words\nin a page\n'));
    expect(await run(['extract'], { cwd, stdin: '<p>from stdin' })).toEqual(success('from stdin\n'));
  });

  test('prints a line before each of several texts', async () => {
    expect(await run(['extract', 'text.txt', 'slides.ps', 'page.html.gz'], { cwd })).toMatchObject({
      code: 3,
      stdout: '==> text.txt <==\nsome words\n\n==> page.html.gz <==\nsome words\nin a page\n',
    });
  });

  test('prints the same in the same order with --jobs', async () => {
    const pages = Array.from({ length: 40 }, (_, i) => [
      `${i % 7}/${i}.html`,
      `<p>${`page ${i} `.repeat(30 * (40 - i))}`,
    ]);
    const many = folder({ ...Object.fromEntries(pages), '3/a.txt': 'some words', '4/b.txt': 'a\0b' });
    const alone = await run(['extract', '--jobs', '1', '.'], { cwd: many });
    expect(alone.stdout.match(/^==> .* <==$/gm)).toHaveLength(41);
    expect(await run(['extract', '-j', '3', '.'], { cwd: many })).toEqual(alone);
  });

  test('prints the keys of --json in their order', async () => {
    const { code, stdout } = await run(['extract', '--json', 'page.html', 'slides.ps'], { cwd });
    expect(code).toBe(3);
    const [page, error] = stdout.trimEnd().split('\n');
    expect(page).toMatch(
      /^\{"path":"page\.html","mediaType":"text\/html","extractor":"html\/\d+","charset":"windows-1252","losses":\[\],"warnings":\[\],"text":"some words\\nin a page"\}$/,
    );
    expect(JSON.parse(error!)).toMatchObject({ path: 'slides.ps', error: { code: 'unsupported-media-type' } });
  });

  test('prints the text that hash fingerprints', async () => {
    const paths = ['text.txt', 'page.html', 'page.html.gz', 'a.zip', 'a.warc.gz', 'nested.zip'];
    const texts = await lines('extract', '--json', ...paths);
    const hashes = await lines('hash', '--json', ...paths);
    const place = ({ path, member, recordId }: Record<string, unknown>) => ({ path, member, recordId });
    expect(texts.objects.map(place)).toEqual(hashes.objects.map(place));
    for (const [index, { text, error }] of texts.objects.entries()) {
      const { fingerprint: found, error: why } = hashes.objects[index]!;
      if (error === undefined) expect(found).toBe(base32(text as string));
      else expect(why).toEqual(error);
    }
  });
});

describe('gzip', () => {
  test('is removed, however often it was applied', async () => {
    const { objects } = await lines('hash', '--json', 'page.html.gz', 'twice.txt.gz.gz');
    expect(objects.map(({ fingerprint: found }) => found)).toEqual([
      base32('some words in a page'),
      base32('some words'),
    ]);
  });

  test.each([
    ['five.gz', 'too-deep', []],
    ['cut.txt.gz', 'damaged', []],
    ['huge.html.gz', 'too-large', []],
    ['bomb.txt.gz', 'too-large', ['--max-inflated', '2M']],
  ])('fails for %s: %s', async (path, code, args) => {
    const { objects, ...rest } = await lines('hash', '--json', ...args, path, 'text.txt');
    expect(rest).toEqual({ code: 3, stderr: '' });
    expect(objects[0]).toMatchObject({ path, error: { code } });
    expect(objects[1]).toMatchObject({ fingerprint: base32('some words') });
  });

  test('may decompress to exactly the limit', async () => {
    const { objects } = await lines('hash', '--json', '--max-inflated', '3M', 'bomb.txt.gz');
    expect(objects[0]).toMatchObject({ tokens: 1.5 * 2 ** 20 });
  });
});

describe('archives', () => {
  test('share one budget among their members, including compressed ones', async () => {
    const { code, objects } = await lines('hash', '--json', 'bombs.zip');
    expect(code).toBe(3);
    expect(objects).toMatchObject([{}, {}, { tokens: 2 }]);
    // Both are decompressed at the same time.
    expect(objects).toContainEqual(expect.objectContaining({ error: expect.objectContaining({ code: 'too-large' }) }));
    expect((await lines('hash', '--json', '--max-ratio', '999999999', 'bombs.zip')).code).toBe(0);
  });

  test.each([['1'], ['2']])('ZIP: every document is read in the order of the archive (%s at a time)', async (jobs) => {
    const { code, stderr, objects } = await lines('hash', '--json', '-j', jobs, 'text.txt', 'a.zip', 'text.txt');
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'simhash-doc: a.zip: skipped: 1 empty\n' });
    expect(objects.map(({ path, member, fingerprint: found, error }) => [path, member, found ?? error])).toEqual([
      ['text.txt', undefined, base32('some words')],
      ['a.zip', 'b.txt', base32('second')],
      ['a.zip', 'a/page.html', base32('first')],
      ['a.zip', 'c.gz', base32('third')],
      ['text.txt', undefined, base32('some words')],
    ]);
  });

  test('name a document PATH!NAME for a person', async () => {
    expect(await stdoutOf(['hash', 'nested.zip'], { cwd })).toBe(
      `simhash-doc:${base32('outer')}  nested.zip!x.txt\nsimhash-doc:${base32('inner')}  nested.zip!inner.zip!y.txt\n`,
    );
  });

  test('are read inside each other up to the limit', async () => {
    const { code, objects } = await lines('hash', '--json', '--max-nesting', '1', 'nested.zip');
    expect(code).toBe(3);
    expect(objects[0]).toMatchObject({ member: 'x.txt', fingerprint: base32('outer') });
    expect(objects[1]).toMatchObject({ member: 'inner.zip', error: { code: 'too-deep' } });
  });

  test('without documents are a failure', async () => {
    const none = folder({ 'empty.zip': await packageOf({}), 'blank.zip': await packageOf({ 'a.txt': '' }) });
    const { code, stdout } = await run(['hash', '--json', 'blank.zip', 'empty.zip'], { cwd: none });
    expect(code).toBe(3);
    expect(jsonLines(stdout)).toMatchObject([
      { path: 'blank.zip', error: { code: 'no-documents' } },
      { path: 'empty.zip', error: { code: 'no-documents' } },
    ]);
  });

  test('report encrypted members', async () => {
    const { objects } = await lines('hash', '--json', 'secret.zip');
    expect(objects).toMatchObject([{ member: 'x.txt', error: { code: 'encrypted' } }]);
  });

  test.each(['a.warc', 'a.warc.gz'])(
    '%s: every response and resource is read, and skipped records are counted',
    async (path) => {
      const { code, stderr, objects } = await lines('hash', '--json', path);
      expect(code).toBe(0);
      expect(objects).toMatchObject([
        {
          path,
          member: 'https://a.example/page',
          recordId: 'urn:uuid:00000000-0000-4000-8000-000000000022',
          date: '2026-01-02T03:04:05Z',
          fingerprint: base32('the words of a page'),
        },
        { member: 'https://a.example/longer.txt', fingerprint: base32('the words of a text') },
        { member: 'https://a.example/resource.txt', fingerprint: base32('a resource') },
      ]);
      expect(stderr).toContain(`${path}: skipped: `);
      expect(stderr).toContain('1 image/png');
    },
  );

  test.each(['a.zip', 'a.warc', 'a.warc.gz'])('%s is read in the same way on standard input', async (path) => {
    const byName = await lines('hash', '--json', path);
    const { stdout } = await run(['hash', '--json', '-'], { cwd, stdin: readFileSync(`${cwd}/${path}`) });
    expect(jsonLines(stdout)).toEqual(byName.objects.map((object) => ({ ...object, path: '-' })));
  });

  test('are rejected by compare and explain, which take one document', async () => {
    for (const args of [
      ['compare', '--json', 'a.zip', 'text.txt'],
      ['explain', '--json', 'a.zip'],
    ]) {
      const { code, objects } = await lines(...args);
      expect(code).toBe(3);
      expect(objects[0]).toMatchObject({ path: 'a.zip', error: { code: 'archive' } });
    }
  });

  test('have copies that dupes finds', async () => {
    const { code, objects } = await lines('dupes', '--json', '--pairs', '-k', '0', 'a.warc', 'a.warc.gz');
    expect(code).toBe(0);
    expect(objects[0]).toEqual({
      a: 'a.warc!https://a.example/page',
      b: 'a.warc.gz!https://a.example/page',
      distance: 0,
      overlap: 1,
      differs: [],
      aDate: '2026-01-02T03:04:05Z',
      bDate: '2026-01-02T03:04:05Z',
    });
    expect(objects).toHaveLength(3);
    const { stdout } = await run(['hash', '--json', 'a.warc', 'a.warc.gz'], { cwd });
    const fromLines = await run(['dupes', '--json', '--pairs', '-k', '0', '-'], { cwd, stdin: stdout });
    expect(jsonLines(fromLines.stdout)).toEqual(objects.map(({ overlap: _, differs: __, ...pair }) => pair));
    const groups = await run(['dupes', '--json', '-k', '0', '-'], { cwd, stdin: stdout });
    expect(jsonLines(groups.stdout)[0]).toMatchObject({
      documents: [
        { path: 'a.warc', member: 'https://a.example/page', date: '2026-01-02T03:04:05Z' },
        { path: 'a.warc.gz', member: 'https://a.example/page', recordId: expect.stringContaining('urn:uuid:') },
      ],
      verified: false,
    });
    const [verified] = (await lines('dupes', '--json', '-k', '0', 'a.warc', 'a.warc.gz')).objects;
    expect(verified).toMatchObject({ verified: true, reclaimable: 0 });
  });
});

describe('limits', () => {
  // Half a million elements take far longer than a thousandth of a second, on any machine.
  const slow = folder({ 'slow.html': `<p>${'<i>x</i> '.repeat(500_000)}`, 'a.txt': 'some words' });

  test.each(['1', '2'])('end only the document that takes too long (%s at a time)', async (jobs) => {
    const args = ['hash', '--json', '-j', jobs, '--timeout', '0.001', '.'];
    const { stdout, code } = await run(args, { cwd: slow });
    expect(code).toBe(3);
    expect(jsonLines(stdout)).toMatchObject([
      { fingerprint: base32('some words') },
      { error: { code: 'timeout', message: expect.stringContaining('0.001 s') } },
    ]);
  });

  test.each(['a.zip', '-'])('bound the time of an archive for all its documents: %s', async (path) => {
    const page = `<p>${'<i>x</i> '.repeat(200_000)}`;
    const members = Array.from({ length: 16 }, (_, index) => [`${index}.html`, page] as const);
    const archive = await packageOf(Object.fromEntries(members), 6);
    const cwd = folder({ 'a.zip': archive, 'b.txt': 'some words' });
    const args = ['hash', '--json', '-j', '2', '--timeout', '0.1', path, 'b.txt'];
    const { stdout, code } = await run(args, { cwd, stdin: archive });
    expect(code).toBe(3);
    expect(jsonLines(stdout).at(-1)).toMatchObject({ fingerprint: base32('some words') });
    const count =
      stdout.split('"code":"timeout","message":"extracting the texts of the archive took longer than').length - 1;
    expect(count).toBeGreaterThan(0);
  });

  test('apply to memory with --max-memory', async () => {
    const large = folder({ 'a.txt': 'some words', 'large.html': `<p>${'words '.repeat(7_000_000)}` });
    const { stdout } = await runProcess(['hash', '--json', '--max-memory', '150M', '.'], { cwd: large });
    expect(jsonLines(stdout)).toMatchObject([
      { fingerprint: base32('some words') },
      { error: { code: 'out-of-memory', message: expect.stringContaining('150 MiB') } },
    ]);
  });

  test('apply to size with --max-size', async () => {
    expect(jsonLines((await run(['hash', '--json', '--max-size', '1K', '.'], { cwd: slow })).stdout)).toMatchObject([
      { fingerprint: base32('some words') },
      { error: { code: 'too-large', message: expect.stringContaining('1 KiB') } },
    ]);
  });

  test('apply to depth with --max-depth', async () => {
    const deep = folder({ 'a.html': `${'<div>'.repeat(200)}x` });
    const { stdout } = await run(['hash', '--json', '--max-depth', '100', '.'], { cwd: deep });
    expect(jsonLines(stdout)).toMatchObject([{ error: { code: 'too-deep' } }]);
  });
});

describe('explain --diff', () => {
  const two = folder({ 'a.txt': 'one two two three', 'b.txt': 'one two four four four', 'none.txt': '1' });

  test('prints the differing tokens with --json, the largest difference first', async () => {
    const stdout = await stdoutOf(['explain', '--diff', '--json', '--label', LABEL, 'a.txt', 'b.txt'], {
      cwd: two,
    });
    const { a, b, distance, bits, differences } = JSON.parse(stdout);
    expect({ a, b, differences }).toEqual({
      a: { path: 'a.txt', fingerprint: base32('one two two three'), tokens: 4 },
      b: { path: 'b.txt', fingerprint: base32('one two four four four'), tokens: 5 },
      differences: [
        { token: 'four', a: 0, b: 3 },
        { token: 'three', a: 1, b: 0 },
        { token: 'two', a: 2, b: 1 },
      ],
    });
    expect(bits).toHaveLength(distance);
    for (const bit of bits) expect(bit.a > 0).not.toBe(bit.b > 0);
  });

  test('prints a table for a person', async () => {
    const stdout = await stdoutOf(['explain', '--diff', 'a.txt', 'b.txt'], { cwd: two });
    expect(stdout).toMatch(/^not near-duplicates: \d+ % of the words are shared; distance \d+ of 256\n/);
    expect(stdout).toContain('Tokens that differ: 3\n  a  b  a − b\n  0  3     -3  four\n');
  });

  test('fails without a fingerprint, and without a second document', async () => {
    expect((await run(['explain', '--diff', 'a.txt', 'none.txt'], { cwd: two })).code).toBe(3);
    expect((await run(['explain', '--diff', 'a.txt'], { cwd: two })).code).toBe(2);
    expect((await run(['explain', 'a.txt', 'b.txt'], { cwd: two })).code).toBe(2);
  });
});
