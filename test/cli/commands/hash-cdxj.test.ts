import zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { surtOf } from '../../../src/cli/commands/hash/surt.ts';
import { fingerprint, formatLabelled, LABEL } from '../../../src/index.ts';
import { warcRecord } from '../archives.ts';
import { folder, run, stdoutOf } from '../command.ts';
import { entriesOf, SAMPLES, URIS } from './cdxj/entries.ts';

const WIDE = 'minhash-doc-256';
const labelled = (text: string | Uint8Array, label = WIDE) => formatLabelled(label, fingerprint(text, { label })!);

const FOX = labelled('The quick brown fox jumps over the lazy dog.');

/** The fingerprints of the documents of the samples. */
const FINGERPRINTS = [
  FOX,
  labelled('The quick brown fox jumps over the lazy dog.\n'.repeat(200)),
  labelled('gone'),
  labelled('some words'),
  labelled('some notes'),
  undefined,
  FOX,
];

describe.each(['sample.warc', 'sample.warc.gz'])('hash --cdxj of %s, written by warcio 1.8.1', (name) => {
  test('prints the lines of cdxj-indexer 1.5.0 with fingerprints', async () => {
    const { code, stdout, stderr } = await run(['hash', '--cdxj', name], { cwd: folder(SAMPLES) });
    expect(code).toBe(0);
    expect(stderr).toBe(`simhash-doc: ${name}: skipped: 1 image/png, 1 metadata, 1 request\n`);
    const expected = entriesOf(String(SAMPLES[`${name}.cdxj`]));
    const documents = expected.filter(({ mime }) => mime !== 'image/png');
    expect(entriesOf(stdout)).toEqual(
      documents.map((each, index) => ({
        ...each,
        ...(FINGERPRINTS[index] && {
          'document-fingerprint': FINGERPRINTS[index],
          'document-fingerprint-extractor': expect.stringMatching(/^(?:html|text)\/\d$/),
        }),
      })),
    );
    expect(stdout.split('\n')[0]).toMatch(
      /^org,example\)\/fox 20260102030405 \{"url":".*","document-fingerprint":"minhash-doc-256:.*","document-fingerprint-extractor":"html\/2"\}$/,
    );
  });
});

/** A WARC file of one record. */
function warc(fields: Readonly<Record<string, string | undefined>> = {}, body = 'some words'): Buffer {
  const all = { 'WARC-Type': 'resource', 'WARC-Target-URI': 'http://a.example/', 'Content-Type': 'text/plain' };
  return Buffer.from(warcRecord(body, { ...all, ...fields }));
}

describe('hash --cdxj fails for documents without a line', () => {
  test.each([
    ['a text', 'words', 'is not a record of a WARC file, so it has no CDXJ line'],
    [
      'a record without a URI',
      warc({ 'WARC-Target-URI': undefined }),
      'its record has no WARC-Target-URI, so it has no CDXJ line',
    ],
    [
      'no date',
      warc({ 'WARC-Date': undefined }),
      'the WARC-Date of its record is missing or malformed, so it has no CDXJ line',
    ],
    [
      'a malformed date',
      warc({ 'WARC-Date': 'today' }),
      'the WARC-Date of its record is missing or malformed, so it has no CDXJ line',
    ],
    [
      'a compressed archive',
      zlib.gzipSync(zlib.gzipSync(warc())),
      'no CDXJ line can point to it: its record shares a gzip member with another, or its archive is compressed or in an archive itself',
    ],
    ['a cut off record', warc().subarray(0, -8), 'damaged WARC record: it ends before its 10 bytes do'],
  ])('%s', async (_, content, message) => {
    const { code, stdout, stderr } = await run(['hash', '--cdxj', 'file'], { cwd: folder({ file: content }) });
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^simhash-doc: file.*: ${message}\\n$`));
  });

  test('but skips them in a folder', async () => {
    expect(await run(['hash', '--cdxj', '.'], { cwd: folder({ 'a.txt': 'words', 'b.warc': warc() }) })).toMatchObject({
      code: 0,
      stderr: 'simhash-doc: skipped 1 file: not a document (1 not in a WARC file)\n',
      stdout: expect.stringMatching(/^example,a\)\/ 20260102030405 \{.*"filename":"b.warc".*\}\n$/),
    });
  });
});

test.each([
  ['2026', '20260101000000'],
  ['2026-02', '20260201000000'],
  ['2026-02-03', '20260203000000'],
  ['2026-02-03T04:05Z', '20260203040500'],
  ['2026-02-03T04:05:06.789123456Z', '20260203040506'],
  ['20260203040506', '20260203040506'],
])('WARC-Date %s is %s', async (date, timestamp) => {
  const cwd = folder({ 'a.warc': warc({ 'WARC-Date': date }) });
  expect(await stdoutOf(['hash', '--cdxj', 'a.warc'], { cwd })).toMatch(`example,a)/ ${timestamp} {`);
});

test('a damaged gzip member loses only its record', async () => {
  const members = ['one', 'two', 'three'].map((name) =>
    zlib.gzipSync(warc({ 'WARC-Target-URI': `http://a.example/${name}` }, `some words about ${name}`)),
  );
  members[1]![30]! ^= 0xff;
  const cwd = folder({ 'a.warc.gz': Buffer.concat(members) });
  const { code, stdout, stderr } = await run(['hash', '--cdxj', 'a.warc.gz'], { cwd });
  expect(code).toBe(3);
  expect(entriesOf(stdout).map(({ key, offset }) => [key, offset])).toEqual([
    ['example,a)/one', '0'],
    ['example,a)/three', String(members[0]!.length + members[1]!.length)],
  ]);
  expect(stderr).toMatch(/^simhash-doc: a\.warc\.gz!.*: damaged gzip: .*\n$/);
});

test('compressed WARC files are recognised by their content, in a file and on standard input, small and large', async () => {
  const members = Array.from({ length: 3 }, (_, i) => {
    // Words that gzip cannot make much smaller.
    const body = Array.from({ length: 40_000 }, (_, j) => ((i + 2) * (j + 7) ** 3).toString(36)).join(' ');
    return zlib.gzipSync(warc({ 'WARC-Target-URI': `http://a.example/${i}` }, body));
  });
  const large = Buffer.concat(members);
  expect(large.length).toBeGreaterThan(1 << 18);
  const cwd = folder({ large, small: SAMPLES['sample.warc.gz']! });
  const offsets = async (path: string, stdin = new Uint8Array(0)) =>
    entriesOf((await run(['hash', '--cdxj', path], { cwd, stdin })).stdout).map(({ offset }) => Number(offset));
  const expected = [0, members[0]!.length, members[0]!.length + members[1]!.length];
  expect(await offsets('large')).toEqual(expected);
  expect(await offsets('-', large)).toEqual(expected);
  expect((await offsets('small')).length).toBe(7);
  expect((await offsets('-', SAMPLES['sample.warc.gz']!)).length).toBe(7);
});

test('other compressed documents are still read as documents', async () => {
  const utf16 = Buffer.from('the quick brown fox '.repeat(50_000), 'utf16le');
  const files = {
    'small.gz': zlib.gzipSync(utf16.subarray(0, 400)),
    'large.gz': zlib.gzipSync(utf16, { level: 0 }),
    'about.gz': zlib.gzipSync('WARC/1.0 is a format'),
    'source.gz': zlib.gzipSync(warc()),
  };
  const cwd = folder(files);
  const { stdout, stderr } = await run(['hash', '--charset', 'utf-16le', 'small.gz', 'large.gz'], { cwd });
  expect({ stdout, stderr }).toEqual({
    stdout: ['small.gz', 'large.gz'].map((name) => `${labelled('the quick brown fox', LABEL)}  ${name}\n`).join(''),
    stderr: '',
  });
  expect(await stdoutOf(['hash', 'about.gz'], { cwd })).toBe(`${labelled('WARC/1.0 is a format', LABEL)}  about.gz\n`);
  const asText = await run(['hash', '--type', 'text', 'source.gz'], { cwd });
  expect(asText.stdout).toBe(`${labelled(warc(), LABEL)}  source.gz\n`);
});

describe('surtOf', () => {
  test.each(URIS)('makes of %j the key %j, like the Python package surt 0.3.1', (uri, key) => {
    expect(surtOf(uri)).toBe(key);
  });

  test('makes of a URI that is too long the URI itself, without spaces', () => {
    const uri = `http://a.example/${'(%25'.repeat(5000)} é`;
    expect(surtOf(uri)).toBe(`${uri.slice(0, -2).replaceAll('%', '%25')}%20%C3%A9`);
  });

  test.each(['cfid=', '%25', '@', '(a(', ':', '/', '&', '%', '.'])('takes little time for many %s', (part) => {
    const start = process.cpuUsage();
    surtOf(`http://a.example/?${part.repeat(8000 / part.length)}`);
    surtOf(`http://a.example/${part.repeat(8000 / part.length)}`);
    surtOf(`http://${part.repeat(8000 / part.length)}`);
    expect(process.cpuUsage(start).user).toBeLessThan(2e6);
  });
});
