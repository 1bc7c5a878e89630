import { build } from 'esbuild';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { detectMember, hintsOf, isNoDocument, parseContentType } from '../../../src/extract/archive/archive-members.ts';
import { createReader, type ReaderMark } from '../../../src/extract/archive/byte-reader.ts';
import { forAll, forAllAsync } from '../../suite.ts';

describe('parseContentType', () => {
  test.each([
    [undefined, ''],
    ['', ''],
    ['text/html', 'text/html'],
    ['  Text/HTML ;x', 'text/html'],
    ['text/html, text/html', 'text/html'],
    ['html', ''],
    ['text/html/x', ''],
    ['*/*', '*/*'],
  ])('reads the media type of %j', (value, mediaType) => {
    expect(parseContentType(value)).toEqual({ mediaType });
  });

  test.each([
    'text/html;charset=koi8-r',
    'text/html; Charset = "koi8-r"',
    "text/html; x=y; charset='koi8-r'",
    'text/html; charset=koi8-r, text/html',
  ])('reads the charset of %j', (value) => {
    expect(parseContentType(value)).toEqual({ mediaType: 'text/html', charset: 'koi8-r' });
  });
});

const DOCUMENT_TYPES =
  'text/html text/plain text/markdown text/xml text/x-component application/xhtml+xml application/xml ' +
  'application/rss+xml application/pdf application/octet-stream application/zip application/epub+zip application/x-foo';

test.each(['', ...DOCUMENT_TYPES.split(' ')])('%j may be a document', (mediaType) => {
  expect(isNoDocument(mediaType)).toBe(false);
});

test('a notebook that is declared as JSON is a document, other JSON is not', () => {
  const notebook = Buffer.from('{"cells": []}');
  expect(isNoDocument('application/x-ipynb+json')).toBe(false);
  expect(isNoDocument('application/json', 'http://a.example/a.ipynb?raw=true')).toBe(false);
  expect(isNoDocument('application/json', 'http://a.example/a.json?a.ipynb')).toBe(true);
  expect(detectMember(notebook, { path: 'a.ipynb' }, 'application/json')).toEqual({ type: 'notebook' });
  expect(detectMember(Buffer.from('[1]'), { path: 'a.ipynb' }, 'application/json')).toEqual({
    reason: 'application/json',
  });
});

test('a name of an image, audio, video or font outweighs content that looks like text', () => {
  for (const [path, reason] of [
    ['LOGO.PNG', 'image/png'],
    ['a.mp3', 'audio/mp3'],
    ['a/b.webm', 'video/webm'],
    ['a.woff2', 'font/woff2'],
  ])
    expect(detectMember(Buffer.from('damaged'), { path: path! }, 'application/octetstream')).toEqual({ reason });
  expect(detectMember(Buffer.from('<!doctype html>'), { path: 'a.png' }, '')).toEqual({ type: 'html' });
  expect(detectMember(Buffer.from('words'), { path: 'png' }, '')).toEqual({ type: 'text' });
});

test('a charset allows NUL bytes only if it uses them', () => {
  const bytes = Buffer.from('text', 'utf16le');
  expect(detectMember(bytes, { transportCharset: 'utf-8' }, 'text/html')).toEqual({ reason: 'binary data' });
  expect(detectMember(bytes, { transportCharset: 'UTF-16LE' }, 'text/html')).toEqual({ type: 'text' });
});

test('any names and types are handled quickly without an error', () => {
  forAll([fc.string(), fc.string()], 100, (name, type) => {
    const contentType = parseContentType(type);
    expect(isNoDocument(contentType.mediaType)).toBeTypeOf('boolean');
    expect(hintsOf(name, contentType).path).toBeTypeOf('string');
  });
  const long = 'application/'.padEnd(100_000, '+');
  expect(isNoDocument(parseContentType(long).mediaType)).toBe(false);
  expect(hintsOf(`http:${'/'.repeat(100_000)}%`, parseContentType(`${long};${' '.repeat(100_000)}`)).path).toBe('%');
});

test('a reader gives the same bytes, marks and offsets in any parts', async () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.constant<ReaderMark>({}),
    fc.constant<ReaderMark>({ damage: 'x' }),
  );
  const step = fc.tuple(fc.nat(1000), fc.nat(1000));
  await forAllAsync([fc.array(piece), fc.array(step)], 100, async (pieces, steps) => {
    const bytes = Buffer.concat(pieces.filter((each) => each instanceof Uint8Array));
    const overwritten = function* () {
      for (const each of pieces) {
        const own = each instanceof Uint8Array ? each.slice() : each;
        yield own;
        if (own instanceof Uint8Array) own.fill(0);
      }
    };
    const reader = createReader(overwritten());
    let at = 0;
    for (const [length, skip] of steps) {
      const view = await reader.peek(length);
      expect(Buffer.from(view).equals(bytes.subarray(at, at + length))).toBe(true);
      const gone = Math.min(skip, view.length);
      reader.skip(gone);
      at += gone;
      expect(reader.offset).toBe(at);
      expect(reader.marks(0).every((mark) => mark.at >= at && mark.at <= bytes.length)).toBe(true);
    }
  });
});

test('the readers of archives can be bundled for a browser', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: ['gzip', 'warc', 'zip'].map((name) => `export * from './src/extract/archive/${name}.ts';`).join('\n'),
      resolveDir: process.cwd(),
      loader: 'ts',
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    logLevel: 'silent',
  });
  expect(outputFiles).toHaveLength(1);
});
