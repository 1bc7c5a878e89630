import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { READER_LIMITS, type Reader } from '../../src/documents/limits-by-format.ts';
import type { ExtractionLimits } from '../../src/extract/index.ts';
import { folder, jsonLines, run } from '../cli/command.ts';
import { MEDIA_DOCUMENTS } from '../extract/media.ts';
import { packageOf } from '../extract/package/package-of.ts';
import { dictionaryBomb, plainTexts, rawParquet } from '../extract/rows/raw-parquet.ts';
import { limitsTable } from '../tools/generate/limits.ts';

type Bytes = string | Uint8Array;
type Limit = keyof ExtractionLimits;

const WORDS = 'The ferry does not sail in a storm from the north. '.repeat(40);
const deep = (element: string, text: string): string => `<${element}>`.repeat(60) + text + `</${element}>`.repeat(60);
const PAGE = `<!doctype html><title>t</title>${deep('div', WORDS)}`;
const mail = (fields: string, body: string): string => `From: a@b\nMIME-Version: 1.0\n${fields}\n\n${body}\n`;
const mimeOf = (kind: string): string =>
  mail(
    `Content-Type: multipart/${kind}; boundary="b"; type="text/html"`,
    `--b\nContent-Type: text/html; charset=utf-8\n\n${PAGE}\n--b--`,
  );
const notebook = JSON.stringify({
  nbformat: 4,
  cells: [{ cell_type: 'code', source: '', outputs: [{ output_type: 'display_data', data: { 'text/plain': WORDS } }] }],
});
const pdf = `%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>> endobj
4 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>> endobj
trailer <</Root 1 0 R>>
%%EOF`;

const mediaOf = (name: string): Uint8Array => {
  for (const [id, { bytes }] of MEDIA_DOCUMENTS) if (id.includes(name)) return bytes;
  throw new Error(`no vector has a document of ${name}`);
};

function tarOf(members: Readonly<Record<string, Bytes>>): Uint8Array {
  const blocks = Object.entries(members).flatMap(([name, data]) => {
    const content = Buffer.from(data);
    const head = Buffer.alloc(512);
    head.write(name);
    head.write('0000644\0', 100);
    head.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
    head.write('ustar\u000000', 257);
    head.fill(' ', 148, 156);
    const sum = head.reduce((total, byte) => total + byte, 0);
    head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [head, content, Buffer.alloc(-content.length & 511)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

const warcOf = (name: string, type: string, content: Bytes): Uint8Array => {
  const http = Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\n\r\n`), Buffer.from(content)]);
  const head = `WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/${name}\r\nWARC-Date: 2026-11-26T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000000>\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: ${http.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), http, Buffer.from('\r\n\r\n')]);
};

/** 48 MiB of text, more than the 32 MiB that anything may decompress to. */
const LONG = WORDS.repeat(24_000);
const nested = async (): Promise<Uint8Array> => packageOf({ 'b.zip': await packageOf({ 'a.txt': WORDS }) });

/** A way to exceed a limit: the name of a file, its content, and options that make the limit small. */
type Bomb = readonly [name: string, content: () => Bytes | Promise<Bytes>, ...options: string[]];

const SIZE = ['--max-size', '500'] as const;
const DEPTH = ['--max-depth', '40'] as const;
const RATIO = ['--max-ratio', '2'] as const;
const INFLATED = ['--max-inflated', '600'] as const;
const ROWS = ['--text-field', 'text'] as const;

const office = (name: string): Readonly<Partial<Record<Limit, Bomb>>> => ({
  bytes: [`a.${name}`, () => mediaOf(name), ...SIZE],
  inflated: [`a.${name}`, () => mediaOf(name), ...INFLATED],
  depth: [`a.${name}`, () => mediaOf(name), '--max-depth', '2'],
});

const BOMBS: Readonly<Record<Reader, Partial<Record<Limit, Bomb>>>> = {
  text: { bytes: ['a.txt', () => Buffer.from(`\ufeff${WORDS}`, 'utf16le'), ...SIZE] },
  html: { bytes: ['a.html', () => PAGE, ...SIZE], depth: ['a.html', () => PAGE, ...DEPTH] },
  xml: {
    bytes: ['a.xml', () => deep('a', WORDS), ...SIZE],
    depth: ['a.xml', () => `<?xml version="1.0"?>${deep('a', WORDS)}`, ...DEPTH],
  },
  pdf: { bytes: ['a.pdf', () => pdf, '--max-size', '100'], pages: ['a.pdf', () => pdf, '--max-pages', '1'] },
  ...(Object.fromEntries(
    ['epub', 'docx', 'odt', 'pptx', 'odp', 'xlsx', 'ods'].map((name) => [name, office(name)]),
  ) as Record<'epub' | 'docx' | 'odt' | 'pptx' | 'odp' | 'xlsx' | 'ods', Partial<Record<Limit, Bomb>>>),
  mail: { bytes: ['a.eml', () => mimeOf('mixed'), ...SIZE], depth: ['a.eml', () => mimeOf('mixed'), ...DEPTH] },
  mhtml: {
    bytes: ['a.mhtml', () => mimeOf('related'), ...SIZE],
    depth: ['a.mhtml', () => mimeOf('related'), ...DEPTH],
  },
  notebook: { bytes: ['a.ipynb', () => notebook, ...SIZE] },
  zip: {
    bytes: ['a.zip', () => packageOf({ 'a.html': PAGE }), ...SIZE],
    ratio: ['a.zip', () => packageOf({ 'a.txt': LONG }, 9), ...RATIO],
    nesting: ['a.zip', nested, '--max-nesting', '1'],
  },
  warc: {
    bytes: ['a.warc', () => warcOf('a', 'text/html', PAGE), ...SIZE],
    ratio: ['a.warc.gz', () => gzipSync(warcOf('a', 'text/plain', LONG)), ...RATIO],
    nesting: ['a.warc.gz.gz', () => gzipSync(gzipSync(warcOf('a', 'text/html', PAGE))), '--max-nesting', '1'],
  },
  tar: {
    bytes: ['a.tar', () => tarOf({ 'a.html': PAGE }), ...SIZE],
    ratio: ['a.tgz', () => gzipSync(tarOf({ 'a.txt': LONG })), ...RATIO],
    nesting: ['a.tar', async () => tarOf({ 'a.zip': await packageOf({ 'a.txt': WORDS }) }), '--max-nesting', '1'],
  },
  mbox: {
    bytes: ['a.mbox', () => `From a@b Mon Nov 23 10:00:00 2026\n${mimeOf('mixed')}\n`, ...SIZE],
    ratio: ['a.mbox.gz', () => gzipSync(`From a@b Mon Nov 23 10:00:00 2026\n${mail('Subject: x', LONG)}\n`), ...RATIO],
  },
  jsonl: {
    bytes: ['a.jsonl', () => JSON.stringify({ text: WORDS }), ...SIZE, ...ROWS],
    ratio: ['a.jsonl.gz', () => gzipSync(`${JSON.stringify({ text: WORDS })}\n`.repeat(24_000)), ...RATIO, ...ROWS],
  },
  parquet: {
    bytes: [
      'a.parquet',
      () => rawParquet({ pages: [{ content: plainTexts([WORDS]), values: 1 }], groups: [1] }),
      ...SIZE,
      ...ROWS,
    ],
    inflated: [
      'a.parquet',
      () => rawParquet({ pages: dictionaryBomb(WORDS, 1000), groups: [1000] }),
      ...['--max-inflated', '1M'],
      ...ROWS,
    ],
    ratio: [
      'a.parquet',
      () => rawParquet({ pages: dictionaryBomb(WORDS, 1000), groups: Array.from({ length: 40 }, () => 1000) }),
      ...RATIO,
      ...ROWS,
    ],
  },
  gzip: {
    inflated: ['a.html.gz', () => gzipSync(PAGE), ...INFLATED],
    ratio: ['a.html.gz', () => gzipSync(`<p>${LONG}`), ...RATIO],
    nesting: ['a.html.gz.gz', () => gzipSync(gzipSync(PAGE)), '--max-nesting', '1'],
  },
};

const CODES: Readonly<Partial<Record<Limit, string>>> = {
  depth: 'too-deep',
  nesting: 'too-deep',
  pages: 'too-many-pages',
};

const CASES = Object.entries(READER_LIMITS).flatMap(([reader, limits]) =>
  limits.map((limit) => ({ reader: reader as Reader, limit })),
);

describe('a bomb for each limit of each reader', () => {
  test.each(CASES)('$reader: $limit', async ({ reader, limit }) => {
    const bomb = BOMBS[reader][limit];
    if (bomb === undefined) throw new Error(`expected a document of ${reader} that exceeds ${limit}`);
    const [name, content, ...options] = bomb;
    const cwd = folder({ [name]: await content() });
    const { code, stdout } = await run(['hash', '--json', name, ...options], { cwd });
    const errors = jsonLines(stdout).flatMap(({ error }) => (error === undefined ? [] : [error]));
    expect(errors, stdout.slice(0, 500)).toEqual(
      expect.arrayContaining([expect.objectContaining({ code: CODES[limit] ?? 'too-large' })]),
    );
    expect(code).toBe(3);
    // What fits into the limit may be there, not what exceeds it.
    expect(stdout.length).toBeLessThan(4_000_000);
  });

  test('and the same documents are read within the limits', async () => {
    for (const [reader, bombs] of Object.entries(BOMBS))
      for (const [name, content] of Object.values(bombs).slice(0, 1)) {
        const cwd = folder({ [name]: await content() });
        const options = reader === 'jsonl' || reader === 'parquet' ? ROWS : [];
        const { stdout } = await run(['hash', '--json', name, ...options], { cwd });
        const codes = jsonLines(stdout).map((line) => (line['error'] as { code: string } | undefined)?.code ?? 'read');
        expect(codes, reader).toEqual([reader === 'pdf' ? 'no-text' : 'read']);
      }
  });
});

test('SECURITY.md has the table of limits', () => {
  const page = readFileSync(new URL('../../SECURITY.md', import.meta.url), 'utf8');
  expect(page, 'expected SECURITY.md to contain what limitsTable() of test/tools/generate/limits.ts returns').toContain(
    limitsTable(),
  );
});
