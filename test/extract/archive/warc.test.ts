import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readWarc } from '../../../src/extract/archive/warc.ts';
import { detectType, extract } from '../../../src/extract/index.ts';
import type { ExtractionLimits } from '../../../src/extract/limits.ts';
import { isThere, succeeds } from '../../adapters/implementations.ts';
import { all, forAllAsync, IS_SLOW, runs } from '../../suite.ts';
import { inParts } from './reading.ts';
import { withoutZlib } from './without-zlib.ts';

const { readWarc: readWarcWithPako } = await withoutZlib(() => import('../../../src/extract/archive/warc.ts'));

/** A record as ISO 28500 has it, whose fields can be replaced, and left out by null. */
function record(
  type: string,
  block: string | Uint8Array,
  fields: Readonly<Record<string, string | number | null>> = {},
  { version = 'WARC/1.1', eol = '\r\n', end }: { version?: string; eol?: string; end?: string } = {},
): Buffer {
  const bytes = Buffer.from(block as string);
  const all = {
    'WARC-Type': type,
    'WARC-Record-ID': '<urn:uuid:0>',
    'WARC-Date': '2024-01-01T00:00:00Z',
    'WARC-Target-URI': 'http://a.example/dir/page?query',
    'Content-Type': type === 'response' ? 'application/http; msgtype=response' : 'text/plain',
    'Content-Length': bytes.length,
    ...fields,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]));
  return Buffer.concat([Buffer.from([version, ...lines, '', ''].join(eol)), bytes, Buffer.from(end ?? `${eol}${eol}`)]);
}

function response(
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = { 'Content-Type': 'text/html' },
  status = '200 OK',
): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`), Buffer.from(body as string)]);
}

const page = (text: string, uri = 'http://a.example/') =>
  record('response', response(`<html><p>${text}`), { 'WARC-Target-URI': uri });

interface Found {
  /** The text of every document, or the code of its failure; skipped records in brackets. */
  readonly list: readonly string[];
  readonly members: readonly Record<string, unknown>[];
}

async function read(
  file: Uint8Array | readonly Uint8Array[],
  { size = 1 << 20, limits = {} as Partial<ExtractionLimits>, native = true } = {},
): Promise<Found> {
  const bytes = file instanceof Uint8Array ? file : Buffer.concat(file);
  const list: string[] = [];
  const members: Record<string, unknown>[] = [];
  const onSkipped = (reason: string) => void list.push(`[${reason}]`);
  const reader = native ? readWarc : readWarcWithPako;
  for await (const member of reader(inParts(bytes, size), { limits, onSkipped })) {
    const { content } = member;
    list.push('bytes' in content ? Buffer.from(content.bytes).toString() : content.failure.code);
    members.push({ ...member });
  }
  return { list, members };
}

const asGzip = (records: readonly Uint8Array[]) => Buffer.concat(records.map((each) => zlib.gzipSync(each)));

describe('readWarc of records', () => {
  test('yields documents with their facts', async () => {
    const { list, members } = await read([
      record('warcinfo', 'software: x'),
      record('request', 'GET / HTTP/1.1\r\n\r\n'),
      record('response', response('<p>one', { 'Content-Type': 'Text/HTML; Charset="ISO-8859-1"' }), {
        'WARC-Record-ID': '<urn:uuid:1>',
        'WARC-Target-URI': '<http://a.example/b%20c/?x=/y.pdf#z>',
        'WARC-Payload-Digest': 'sha1:2WNC',
      }),
      record('resource', 'two', { 'WARC-Target-URI': 'ftp://a.example/notes.md' }),
      record('metadata', 'x: y'),
      record('revisit', response('')),
      record('conversion', 'three', { 'WARC-Record-ID': null, 'WARC-Date': null }),
      record('x-other', '?'),
    ]);
    expect(list).toEqual([
      '[warcinfo]',
      '[request]',
      '<p>one',
      'two',
      '[metadata]',
      '[revisit]',
      'three',
      '[unknown record]',
    ]);
    const [first, second, third] = members;
    expect(first).toEqual({
      name: 'http://a.example/b%20c/?x=/y.pdf#z',
      recordId: 'urn:uuid:1',
      date: '2024-01-01T00:00:00Z',
      payloadDigest: 'sha1:2WNC',
      location: { offset: 420, length: 325 },
      status: 200,
      mediaType: 'text/html',
      hints: { path: '.html', transportCharset: 'ISO-8859-1' },
      content: first!['content'],
      warnings: [],
    });
    expect(second).toMatchObject({ name: 'ftp://a.example/notes.md', hints: { path: 'notes.md' } });
    expect(third).not.toHaveProperty('recordId');
    expect(third).not.toHaveProperty('status');
  });

  describe('yields as location the part of the file with the record alone:', () => {
    const [long, short] = [page('a '.repeat(1000)), record('resource', 'b')];
    const info = record('warcinfo', 'x: y');
    const partsOf = (file: Buffer, members: Found['members']) =>
      members.map(({ location }) => {
        const { offset, length } = location as { offset: number; length: number };
        return file.subarray(offset, offset + length);
      });

    test('the record without the line ends after it', async () => {
      const file = Buffer.concat([info, long, short, long]);
      const { members } = await read(file, { size: 1000 });
      expect(partsOf(file, members)).toEqual([long, short, long].map((each) => each.subarray(0, -4)));
    });

    test('its gzip member, without empty members and zeros at the end', async () => {
      const [a, b] = [zlib.gzipSync(long), zlib.gzipSync(short)];
      const empty = zlib.gzipSync('');
      const file = Buffer.concat([zlib.gzipSync(info), a, b, a, empty, empty, a, b, Buffer.alloc(512)]);
      const { members } = await read(file, { size: 1000 });
      const parts = partsOf(file, members);
      expect(parts).toEqual([a, b, Buffer.concat([a, empty, empty]), a, b]);
      expect(parts.map((part) => zlib.gunzipSync(part))).toEqual([long, short, long, long, short]);
    });

    test('its gzip members, if there are several', async () => {
      const parts = [long.subarray(0, 500), long.subarray(500, 1000), long.subarray(1000)];
      const file = asGzip([short, ...parts, short]);
      const found = partsOf(file, (await read(file)).members);
      expect(found.map((part) => zlib.gunzipSync(part))).toEqual([short, long, short]);
    });

    test('none for a gzip member with another record, or a damaged record', async () => {
      const alone = zlib.gzipSync(short);
      const shared = zlib.gzipSync(Buffer.concat([short, long]));
      const damaged = Buffer.from(alone);
      damaged[alone.length - 8]! ^= 1;
      const file = Buffer.concat([alone, shared, damaged, alone]);
      const { members } = await read(file);
      const located = members.map(({ location }) => location as { offset: number } | undefined);
      const none = [undefined, undefined, undefined];
      expect(located.map((each) => each?.offset)).toEqual([0, ...none, file.length - alone.length]);
    });
  });

  test.each(['WARC/0.17', 'WARC/0.18', 'WARC/1.0', 'WARC/1.1'])('reads %s', async (version) => {
    const records = ['a', 'b'].map((text) => record('resource', text, {}, { version }));
    expect((await read(records)).list).toEqual(['a', 'b']);
  });

  test('reads lines that end in LF, folded fields, lower case, few and many line ends between records', async () => {
    const records = [
      record('resource', 'a', {}, { eol: '\n' }),
      record('resource', 'b', { 'WARC-Target-URI': 'http://a.example/\r\n\tfolded' }),
      record('resource', 'c', {
        'WARC-Type': null,
        'content-length': 1,
        'warc-type': 'Resource',
        'Content-Length': null,
      }),
      record('resource', 'd', {}, { end: '' }),
      record('resource', 'e', {}, { end: '\n' }),
      record('resource', 'f', {}, { end: '\r\n'.repeat(1000) }),
      record('resource', 'g', {}, { end: '' }),
    ];
    expect((await read(records)).list).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  });

  test('reads lines that end in CR CR LF, after a transfer as text', async () => {
    const { length } = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>a';
    const block = 'HTTP/1.1 200 OK\r\r\nContent-Type: text/html\r\r\n\r\r\n<p>a';
    const whole = record('response', block, {}, { eol: '\r\r\n' });
    expect(detectType(whole)).toBe('warc');
    const cut = record('resource', 'd', { 'Content-Length': length }, { eol: '\r\r\n' });
    const { list } = await read([whole, record('resource', 'b', {}, { eol: '\r\r\n' }), cut, page('c')]);
    expect(list).toEqual(['<p>a', 'b', 'damaged', '<html><p>c']);
  });

  test('skips segments', async () => {
    const { list } = await read([
      record('response', response('<p>first part'), { 'WARC-Segment-Number': 1 }),
      record('continuation', 'second part', { 'WARC-Segment-Number': 2 }),
      page('whole'),
    ]);
    expect(list).toEqual(['unsupported-media-type', '[continuation]', '<html><p>whole']);
  });

  test('marks records that the crawler cut off', async () => {
    const { members } = await read([record('response', response('<p>a'), { 'WARC-Truncated': 'length' })]);
    expect(members[0]!['warnings']).toEqual(['truncated when it was archived ("length")']);
  });

  test.each([
    ['dns:a.example', 'text/dns', '[dns]'],
    ['metadata://gnu.org/software/wget/warc/MANIFEST.txt', 'text/plain', '[metadata]'],
    ['whois://whois.example/a', 'text/plain', 'text'],
    ['urn:text:http://a.example/', 'text/plain', 'text'],
    ['urn:pageinfo:http://a.example/', 'application/json', '[application/json]'],
    ['ftp://a.example/README', 'application/octet-stream', 'text'],
    ['http://a.example/old', 'application/http; msgtype=response', 'text'],
  ])('decides by the URI and the type of %s', async (uri, type, expected) => {
    const fields = { 'WARC-Target-URI': uri, 'Content-Type': type };
    expect((await read([record('response', 'text', fields)])).list).toEqual([expected]);
    expect((await read([record('resource', 'text', fields)])).list).toEqual([expected]);
  });
});

describe('a record is not a document', () => {
  test.each([
    ['image/png', 'x'],
    ['image/svg+xml', '<svg/>'],
    ['text/css', 'a { }'],
    ['text/javascript; charset=utf-8', 'a()'],
    ['application/javascript', 'a()'],
    ['application/x-javascript', 'a()'],
    ['application/json', '{}'],
    ['application/ld+json', '{}'],
    ['font/woff2', 'x'],
    ['application/font-woff', 'x'],
    ['application/vnd.ms-fontobject', 'x'],
    ['video/mp4', 'x'],
    ['application/wasm', 'x'],
  ])('by its declared type: %s', async (type, body) => {
    const { list } = await read([record('response', response(body, { 'Content-Type': type })), page('a')]);
    expect(list).toEqual([`[${type.replace(/;.*/, '')}]`, '<html><p>a']);
  });

  test.each([
    ['text/html; charset=utf-8', '\x89PNG\r\n\x1a\n\0\0', 'PNG image'],
    ['application/octet-stream', 'GIF89a', 'GIF image'],
    ['', '\0\x01\x02\x03', 'binary data'],
    ['text/html; charset=utf-8', 'a\0b', 'binary data'],
    ['application/x-foo', 'a\0b', 'application/x-foo'],
    ['application/x-tar', `${'\0'.repeat(257)}ustar`, 'application/x-tar'],
    ['application/octet-stream', 'PK\x05\x06', 'application/zip'],
    ['application/octet-stream', 'WARC/1.0\r\n', 'application/warc'],
    ['application/octet-stream', '\x1f\x8b\x08\0', 'application/gzip'],
  ])('by its bytes: %s %j', async (type, body, reason) => {
    const headers: Record<string, string> = type === '' ? {} : { 'Content-Type': type };
    const block = response(Buffer.from(body, 'latin1'), headers);
    expect((await read([record('response', block)])).list).toEqual([`[${reason}]`]);
  });

  test.each([
    ['200 OK', '[empty]'],
    ['204 No Content', '[status 204]'],
    ['301 Moved Permanently', '[status 301]'],
    ['404', '[status 404]'],
  ])('without a body: %s', async (status, expected) => {
    expect((await read([record('response', response('', {}, status))])).list).toEqual([expected]);
    const headersOnly = response('', {}, status).subarray(0, -2);
    expect((await read([record('response', headersOnly)])).list).toEqual([expected]);
  });

  test.each(['404 Not Found', '301 Moved', '500'])('but a page is, whatever its status: %s', async (status) => {
    const block = response('<p>a', { 'Content-Type': 'text/html' }, status);
    const { list, members } = await read([record('response', block)]);
    expect(list).toEqual(['<p>a']);
    expect(members[0]!['status']).toBe(Number.parseInt(status, 10));
  });
});

describe('hints of a record', () => {
  test.each([
    ['http://a.example/a.php', 'text/html', 'a.php.html'],
    ['http://a.example/a.htm', 'text/html', 'a.htm.html'],
    ['http://a.example/a.html?b.pdf', 'text/html', 'a.html'],
    ['http://a.example', 'text/html', '.html'],
    ['http://a.example/paper.pdf', 'text/html', 'paper.pdf.html'],
    ['http://a.example/a', 'application/pdf', 'a.pdf'],
    ['http://a.example/README.md', 'text/plain', 'README.md'],
    ['http://a.example/a.c', 'text/plain', 'a.c.txt'],
    ['http://a.example/a', 'application/atom+xml', 'a.xml'],
    ['http://a.example/caf%C3%A9.html', '', 'café.html'],
    ['http://a.example/%E9.html', '', '%E9.html'],
    ['http://a.example/a', 'application/x-foo', 'a'],
  ])('are derived from %s as %s', async (uri, type, path) => {
    const block = response('text', type === '' ? {} : { 'Content-Type': type });
    const { members } = await read([record('response', block, { 'WARC-Target-URI': uri })]);
    expect(members[0]!['hints']).toEqual({ path });
  });

  test('help to extract the text', async () => {
    const block = response('no markup at first <p>caf\xe9', { 'Content-Type': 'text/html; charset=latin1' });
    const bytes = Buffer.from(block.toString(), 'latin1');
    for await (const { content, hints } of readWarc([record('response', bytes)])) {
      if (!('bytes' in content)) throw new Error(content.failure.message);
      const { text, mediaType } = await extract(content.bytes, hints);
      expect(mediaType).toBe('text/html');
      expect(text.split(/\s+/)).toContain('café');
    }
    expect.assertions(2);
  });
});

describe('an HTTP response', () => {
  test.each([
    ['bare line feeds', 'HTTP/1.0 200 OK\nContent-Type: text/html\n\n<p>a'],
    ['folded', 'HTTP/1.1 200 OK\r\nContent-Type:\r\n text/html\r\n\r\n<p>a'],
    ['no version', 'HTTP 200\r\nContent-Type: text/html\r\n\r\n<p>a'],
    ['lines that are none', 'HTTP/1.1 200\r\nnonsense\r\n: x\r\nContent-Type: text/html\r\n\r\n<p>a'],
    ['repeated', 'HTTP/1.1 200\r\nContent-Type: text/html\r\nContent-Type: text/html\r\n\r\n<p>a'],
    ['HTTP/2', 'HTTP/2 200\r\ncontent-type: text/html\r\n\r\n<p>a'],
  ])('is parsed: %s', async (_what, block) => {
    const { list, members } = await read([record('response', block)]);
    expect(list).toEqual(['<p>a']);
    expect(members[0]).toMatchObject({ status: 200, mediaType: 'text/html' });
  });

  const html = '<p>A page that is long enough to be compressed, compressed, compressed';
  const chunked = (body: Uint8Array | string, size = 7, end = '0\r\n\r\n') => {
    const bytes = Buffer.from(body as string);
    const chunks: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += size) {
      const chunk = bytes.subarray(at, at + size);
      chunks.push(Buffer.from(`${chunk.length.toString(16)};ext=1\r\n`), chunk, Buffer.from('\r\n'));
    }
    return Buffer.concat([...chunks, Buffer.from(end)]);
  };

  test.each([
    ['chunked', chunked(html), { 'Transfer-Encoding': 'chunked' }],
    ['chunked, with a trailer', chunked(html, 9, '0\r\nx: y\r\n\r\n'), { 'Transfer-Encoding': 'Chunked' }],
    ['chunked, without its end', chunked(html, 9, ''), { 'Transfer-Encoding': 'chunked' }],
    ['gzip', zlib.gzipSync(html), { 'Content-Encoding': 'gzip' }],
    ['x-gzip', zlib.gzipSync(html), { 'Content-Encoding': 'x-gzip' }],
    ['zlib', zlib.deflateSync(html), { 'Content-Encoding': 'deflate' }],
    ['raw deflate', zlib.deflateRawSync(html), { 'Content-Encoding': 'deflate' }],
    ['brotli', zlib.brotliCompressSync(html), { 'Content-Encoding': 'br' }],
    ['two', zlib.brotliCompressSync(zlib.gzipSync(html)), { 'Content-Encoding': 'gzip, br' }],
    [
      'two, chunked',
      chunked(zlib.deflateSync(zlib.gzipSync(html))),
      { 'Content-Encoding': 'gzip,deflate', 'Transfer-Encoding': 'chunked' },
    ],
    ['gzip of the transfer', chunked(zlib.gzipSync(html)), { 'Transfer-Encoding': 'gzip, chunked' }],
    ['identity', Buffer.from(html), { 'Content-Encoding': 'identity' }],
  ])('with the coding %s is decoded', async (_what, body, headers) => {
    const block = response(body, { 'Content-Type': 'text/html', ...(headers as Record<string, string>) });
    const { list, members } = await read([record('response', block)]);
    expect(list).toEqual([html]);
    expect(members[0]!['warnings']).toEqual([]);
  });

  test.each(['chunked', 'gzip', 'deflate', 'br', 'zstd', 'compress', 'utf-8'])(
    'is read although the declared coding %s was not applied',
    async (coding) => {
      const field = coding === 'chunked' ? 'Transfer-Encoding' : 'Content-Encoding';
      const block = response(html, { 'Content-Type': 'text/html', [field]: coding });
      const { list, members } = await read([record('response', block)]);
      expect(list).toEqual([html]);
      expect(members[0]!['warnings']).toEqual([
        `the content coding "${coding}" is declared, but the content is not encoded with it`,
      ]);
    },
  );

  test('without node:zlib is decoded except for brotli', async () => {
    const options = { native: false };
    const blocks = ['gzip', 'deflate', 'br'].map((coding, index) =>
      response([zlib.gzipSync, zlib.deflateRawSync, zlib.brotliCompressSync][index]!(html), {
        'Content-Type': 'text/html',
        'Content-Encoding': coding,
      }),
    );
    const records = blocks.map((block) => record('response', block));
    expect((await read(asGzip(records), options)).list).toEqual([html, html, 'unsupported-media-type']);
  });

  test.each([
    ['gzip', zlib.gzipSync(html)],
    ['deflate', zlib.deflateSync(html)],
    ['br', zlib.brotliCompressSync(html)],
    ['chunked', chunked(html)],
  ])('with %s that is cut off is damaged', async (coding, body) => {
    const field = coding === 'chunked' ? 'Transfer-Encoding' : 'Content-Encoding';
    const block = response(body.subarray(0, 20), { 'Content-Type': 'text/html', [field]: coding });
    expect((await read([record('response', block), page('next')])).list).toEqual(['damaged', '<html><p>next']);
  });

  test.each([
    ['gzip', zlib.gzipSync(Buffer.alloc(1 << 20, 'a'))],
    ['deflate', zlib.deflateSync(Buffer.alloc(1 << 20, 'a'))],
    ['br', zlib.brotliCompressSync(Buffer.alloc(1 << 20, 'a'))],
  ])('with %s that grows beyond the limit is rejected', async (coding, body) => {
    const block = response(body, { 'Content-Type': 'text/html', 'Content-Encoding': coding });
    const { list } = await read([record('response', block), page('next')], { limits: { inflated: 1 << 19 } });
    expect(list).toEqual(['too-large', '<html><p>next']);
  });

  test('may decode to a limited ratio of the size of the file', async () => {
    const headers = { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip' };
    const bomb = (size: number) => record('response', response(zlib.gzipSync(Buffer.alloc(size, 'a')), headers));
    const records = [bomb(40 << 20), bomb(20 << 20), bomb(20 << 20), page('next')];
    const starts = (await read(records)).list.map((each) => each.slice(0, 14));
    expect(starts).toEqual(['too-large', 'aaaaaaaaaaaaaa', 'too-large', '<html><p>next']);
    const lenient = await read(records, { limits: { ratio: 2000 } });
    expect(lenient.list.map((each) => each[0])).toEqual(['a', 'a', 'a', '<']);
  });

  test('with too many codings is rejected', async () => {
    const block = response('x', { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip, gzip, gzip, gzip, gzip' });
    expect((await read([record('response', block)])).list).toEqual(['too-deep']);
  });

  test('with a coding that cannot be decoded is reported', async () => {
    for (const [coding, start] of [
      ['compress', '\x1f\x9d\x90'],
      ['x-compress', '\x1f\x9d\x90'],
    ] as const) {
      const headers = { 'Content-Type': 'text/html', 'Content-Encoding': coding };
      const { list } = await read([record('response', response(Buffer.from(start, 'latin1'), headers))]);
      expect(list).toEqual(['unsupported-media-type']);
    }
  });

  test('that is compressed without a declaration is returned unchanged', async () => {
    const { members } = await read([record('response', response(zlib.gzipSync(html)))]);
    const { bytes } = members[0]!['content'] as { bytes: Uint8Array };
    await expect(extract(bytes, members[0]!['hints'] as object)).resolves.toMatchObject({ text: html.slice(3) });
  });
});

describe('a damaged WARC file', () => {
  const a = page('a');
  const z = page('z');
  const [A, Z] = ['<html><p>a', '<html><p>z'];
  const bad = (fields: Record<string, string | number | null>) =>
    record('response', response(`<p>${'text '.repeat(20)}`), fields);

  test.each([
    ['missing', { 'Content-Length': null }],
    ['negative', { 'Content-Length': -1 }],
    ['no number', { 'Content-Length': 'many' }],
    ['too small', { 'Content-Length': 20 }],
    ['too large', { 'Content-Length': 200 }],
    ['beyond the next record', { 'Content-Length': 1000 }],
    ['far too large', { 'Content-Length': 400_000_000 }],
    ['absurd', { 'Content-Length': '99999999999999999999' }],
  ])('is read around a length that is %s', async (_what, fields) => {
    for (const records of [
      [a, bad(fields), z],
      [bad(fields), a, z],
      [a, z, bad(fields)],
    ]) {
      const expected = records.map((each) => (each === a ? A : each === z ? Z : 'damaged'));
      expect((await read(records)).list).toEqual(expected);
      expect((await read(asGzip(records))).list).toEqual(expected);
      expect((await read(zlib.gzipSync(Buffer.concat(records)))).list).toEqual(expected);
    }
  });

  test('is read around a length beyond the limit', async () => {
    for (const length of [600_000_000, 999_999_999_999_999]) {
      expect((await read([a, bad({ 'Content-Length': length }), z])).list).toEqual([A, 'too-large', Z]);
      expect((await read(asGzip([a, bad({ 'Content-Length': length }), z]))).list).toEqual([A, 'too-large', Z]);
    }
  });

  test('loses only a record that is larger than the limit', async () => {
    const large = record('response', response(`<p>${'text '.repeat(100_000)}`), {
      'WARC-Target-URI': 'http://a.example/large',
    });
    const image = record('response', response(Buffer.alloc(500_000), { 'Content-Type': 'image/png' }));
    const limits = { bytes: 100_000 };
    for (const file of [Buffer.concat([a, large, image, z]), asGzip([a, large, image, z])]) {
      for (const size of [1000, 1 << 20]) {
        const { list, members } = await read(file, { limits, size });
        expect(list).toEqual([A, 'too-large', '[image/png]', Z]);
        expect(members[1]).toMatchObject({ name: 'http://a.example/large', status: 200 });
      }
    }
    expect((await read([a, large.subarray(0, 300_000)], { limits })).list).toEqual([A, 'too-large']);
  });

  test.each([
    [
      'garbage between records',
      [a, Buffer.from('garbage\r\nWARC/ is no record\r\nWARC/1.0\r\n\r\n'), z],
      [A, 'damaged', Z],
    ],
    ['garbage first', [Buffer.from('garbage\n'), a, z], ['damaged', A, Z]],
    ['garbage last', [a, z, Buffer.from('garbage')], [A, Z, 'damaged']],
    ['nothing but garbage', [Buffer.from('garbage')], ['damaged']],
    ['nothing but binary garbage', [Buffer.alloc(IS_SLOW ? 20_000 : 4000, '\x1f\x8b\x08\0', 'latin1')], ['damaged']],
    ['nothing', [Buffer.alloc(0)], []],
    ['nothing but line ends', [Buffer.alloc(200_000, '\r\n')], []],
    ['a header without an end', [a, Buffer.from('WARC/1.0\r\nWARC-Type: response\r\n'), z], [A, 'damaged', Z]],
    ['no type', [a, record('x', 'y', { 'WARC-Type': null }), z], [A, 'damaged', Z]],
  ])('yields the other records: %s', async (_what, records, expected) => {
    expect((await read(records)).list).toEqual(expected);
    for (const size of [1, 3, 1000]) expect((await read(records, { size: Math.max(size, 1) })).list).toEqual(expected);
  });

  test('is read around garbage between gzip members', async () => {
    const records = [zlib.gzipSync(a), Buffer.from('garbage'), zlib.gzipSync(z), Buffer.from('more')];
    expect((await read(records)).list).toEqual([A, 'damaged', Z, 'damaged']);
    expect((await read([zlib.gzipSync(a), zlib.gzipSync(z), Buffer.alloc(512)])).list).toEqual([A, Z]);
  });

  test('has the offset of the damage in the message', async () => {
    const { members } = await read([a, Buffer.from('garbage\r\n'), z]);
    expect(members[1]).toMatchObject({ name: `@${a.length}`, content: { failure: { code: 'damaged' } } });
  });

  test('that is cut off anywhere yields the records before, and at most one failure', async () => {
    const file = Buffer.concat([a, z]);
    for (let length = a.length + 1; length < file.length - 4; length++) {
      const { list } = await read(file.subarray(0, length));
      expect([length, list]).toEqual([length, [A, 'damaged']]);
    }
  });

  test('with a gzip member per record may be cut off anywhere', async () => {
    const file = asGzip([a, z]);
    const first = zlib.gzipSync(a).length;
    for (let length = first + 1; length < file.length; length += IS_SLOW ? 1 : 3) {
      expect([length, (await read(file.subarray(0, length))).list]).toEqual([length, [A, 'damaged']]);
    }
  });

  test('with one gzip member may be cut off or changed, and yields the records before', async () => {
    const filler = page(zlib.gzipSync(Buffer.from('x')).toString('hex').repeat(50));
    const file = zlib.gzipSync(Buffer.concat([a, ...Array(20).fill(filler), z]), { level: 0 });
    const { list } = await read(file.subarray(0, file.length >> 1));
    expect(list[0]).toBe(A);
    expect(list.filter((each) => each === 'damaged')).toHaveLength(1);
    expect(list.at(-1)).toBe('damaged');
    const altered = Buffer.from(file);
    altered[altered.length - 5]! ^= 1;
    expect((await read(altered)).list.at(-1)).toBe('damaged');
  });

  test('loses only the record whose gzip member is changed', async () => {
    const middle = zlib.gzipSync(page('some text that is in the middle'));
    for (let at = 10; at < middle.length; at += IS_SLOW ? 1 : 3) {
      const altered = Buffer.from(middle);
      altered[at]! ^= 0xff;
      const { list } = await read([zlib.gzipSync(a), altered, zlib.gzipSync(z)]);
      expect([at, list]).toEqual([at, [A, 'damaged', Z]]);
    }
  });

  test('is read if its gzip members do not match its records', async () => {
    const file = Buffer.concat([a, page('b'.repeat(1000)), z]);
    for (const size of [1, 100, 333]) {
      const members: Buffer[] = [];
      for (let at = 0; at < file.length; at += size) members.push(zlib.gzipSync(file.subarray(at, at + size)));
      expect((await read(members)).list).toEqual([A, `<html><p>${'b'.repeat(1000)}`, Z]);
    }
  });

  test('passes on an error of the source', async () => {
    const failing = async function* () {
      yield a;
      throw new Error('disk');
    };
    await expect(all(readWarc(failing()))).rejects.toThrow('disk');
  });

  test('closes the source when the reader stops early', async () => {
    let isClosed = false;
    const source = async function* () {
      try {
        for (;;) yield zlib.gzipSync(a);
      } finally {
        isClosed = true;
      }
    };
    for await (const _ of readWarc(source())) break;
    expect(isClosed).toBe(true);
  });
});

describe('a file of any records', () => {
  const text = fc.string({ maxLength: 60 });
  const any = fc.oneof(
    text.map((each) => page(each)),
    fc.tuple(fc.constantFrom('warcinfo', 'request', 'revisit'), text).map(([type, each]) => record(type, each)),
    fc
      .tuple(text, fc.constantFrom('gzip', 'deflate', 'br'), fc.boolean())
      .map(([each, coding, isCoded]) =>
        record('response', response(isCoded ? zlib.gzipSync(each) : each, { 'Content-Encoding': coding })),
      ),
    fc
      .tuple(text, fc.integer({ min: -5, max: 300 }))
      .map(([each, length]) => record('resource', each, { 'Content-Length': length })),
    fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes)),
  );
  const file = fc
    .record({
      records: fc.array(any, { maxLength: 6 }),
      form: fc.constantFrom('plain', 'members', 'one'),
      changes: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 }),
      cut: fc.option(fc.nat()),
    })
    .map(({ records, form, changes, cut }) => {
      const whole =
        form === 'plain'
          ? Buffer.concat(records)
          : form === 'members'
            ? asGzip(records)
            : zlib.gzipSync(Buffer.concat(records));
      const bytes = Buffer.from(cut === null ? whole : whole.subarray(0, cut % (whole.length + 1)));
      for (const [at, value] of changes) if (bytes.length > 0) bytes[at % bytes.length] = value;
      return bytes;
    });

  test('is read to its end, with the same result in any parts', async () => {
    await forAllAsync([file, fc.integer({ min: 1, max: 200 })], runs(300), async (bytes, size) => {
      const expected = await read(bytes);
      expect(await read(bytes, { size })).toEqual(expected);
      expect(
        (await read(bytes, { native: false })).list.map((each) => each.replace('unsupported-media-type', '*')),
      ).toHaveLength(expected.list.length);
    });
  });
});

describe('an ARC file', () => {
  const arc = (url: string, body: string | Buffer, more = '') =>
    Buffer.concat([
      Buffer.from(`${url} 127.0.0.1 20080430204825 text/html ${more}${body.length}\n`),
      Buffer.from(body as string),
      Buffer.from('\n'),
    ]);
  const records = (more = ''): Buffer[] => [
    arc(
      `filedesc://${'a'.repeat(80)}.arc`,
      '1 0 Archive\nURL IP-address Archive-date Content-type Archive-length\n',
      more,
    ),
    arc('dns:a.example', '20080430204825\na.example. IN A 127.0.0.1\n', more),
    arc('http://a.example/a b', response('<html><p>one'), more),
    arc('http://a.example/2', response('<html><p>two'), more),
    arc('ftp://a.example/3', 'three', more),
  ];
  const PAGES = ['[filedesc]', '[dns]', '<html><p>one', '<html><p>two', 'three'];

  test.each([
    ['version 1', records(), false],
    ['version 2', records('200 ABC - 0 a.arc '), false],
    ['a gzip member for each record', records().map((each) => zlib.gzipSync(each)), true],
  ])('is read: %s', async (_name, parts, isGzip) => {
    for (const size of [1 << 20, 7]) {
      const { list, members } = await read(parts, { size });
      expect(list).toEqual(PAGES);
      const end = isGzip ? 0 : 1;
      const [before] = [Buffer.concat(parts.slice(0, 2)).length];
      expect(members[0]).toMatchObject({
        name: 'http://a.example/a b',
        date: '20080430204825',
        status: 200,
        location: { offset: before, length: parts[2]!.length - end },
      });
    }
    expect(detectType(isGzip ? zlib.gunzipSync(parts[0]!) : parts[0]!)).toBe('warc');
    // An index points to a single record.
    expect((await read(parts[3]!)).list).toEqual(['<html><p>two']);
  });

  test('continues after damage', async () => {
    const [a, b, c, d, e] = records() as [Buffer, Buffer, Buffer, Buffer, Buffer];
    expect((await read([a, b, Buffer.from('lost\nlost\n'), c, d, e.subarray(0, -3)])).list).toEqual([
      ...PAGES.slice(0, 2),
      'damaged',
      ...PAGES.slice(2, 4),
      'damaged',
    ]);
    const zipped = [a, b, c, d, e].map((each) => zlib.gzipSync(each));
    zipped[2] = zipped[2]!.subarray(0, -20);
    expect((await read(zipped)).list).toEqual(['[filedesc]', '[dns]', 'damaged', '<html><p>two', 'three']);
  });
});

describe.skipIf(!isThere('GNU Wget', succeeds('sh', '-c', 'wget --version | grep "GNU Wget"')))(
  'a WARC file of wget',
  () => {
    test.each([true, false])('is read compressed: %s', async (isCompressed) => {
      const html = '<html><p>A page, a page, a page, a page, a page';
      const bodies: Record<string, [body: Uint8Array | string, headers: Record<string, string>]> = {
        '/plain': [html, { 'Content-Type': 'text/html', 'Content-Length': String(html.length) }],
        '/chunked': [html, { 'Content-Type': 'text/html' }],
        '/gzip': [zlib.gzipSync(html), { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip' }],
        '/br': [zlib.brotliCompressSync(html), { 'Content-Type': 'text/html', 'Content-Encoding': 'br' }],
        '/image': ['\x89PNG\r\n\x1a\n', { 'Content-Type': 'image/png' }],
        '/missing': ['<html><p>none', { 'Content-Type': 'text/html', Status: '404' }],
      };
      const server = createServer((request, answer) => {
        const [body, { Status = '200', ...headers }] = bodies[request.url!] ?? ['', {} as Record<string, string>];
        answer.writeHead(Number(Status), headers);
        // In two parts, so that what has no length is in chunks.
        answer.write(body.slice(0, 10));
        answer.end(body.slice(10));
      });
      const folder = mkdtempSync(join(tmpdir(), 'simhash-doc-warc-'));
      try {
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
        const { port } = server.address() as { port: number };
        const urls = Object.keys(bodies).map((path) => `http://127.0.0.1:${port}${path}`);
        const options = ['--quiet', '--no-proxy', '--tries=1', '--timeout=20', '--warc-file=test', '-O', 'out'];
        if (!isCompressed) options.push('--no-warc-compression');
        // It fails for the page that is missing.
        await promisify(execFile)('wget', [...options, ...urls], { cwd: folder }).catch(() => undefined);
        const { list, members } = await read(readFileSync(join(folder, isCompressed ? 'test.warc.gz' : 'test.warc')));
        expect(list.filter((each) => !each.startsWith('['))).toEqual([html, html, html, html, '<html><p>none']);
        expect(list).toContain('[image/png]');
        expect(list).toContain('[metadata]');
        expect(members.map(({ name }) => name)).toEqual(urls.filter((url) => !url.endsWith('image')));
        expect(members.at(-1)).toMatchObject({ status: 404 });
      } finally {
        server.close();
      }
    });
  },
);
