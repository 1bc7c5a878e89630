import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import zlib from 'node:zlib';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter, type ZipWriterAddDataOptions } from '@zip.js/zip.js';
import { describe, expect, test, vi } from 'vitest';
import { openZip, type RandomAccess, readZip } from '../../../src/extract/archive/zip.ts';
import type { ExtractionLimits } from '../../../src/extract/limits.ts';
import { isThere, succeeds } from '../../adapters/implementations.ts';
import { all, firstRows } from '../../suite.ts';
import { listOf } from './reading.ts';
import { withoutZlib } from './without-zlib.ts';

const { readZip: readZipWithPako } = await withoutZlib(() => import('../../../src/extract/archive/zip.ts'));
const READERS = [
  ['node:zlib', readZip],
  ['pako', readZipWithPako],
] as const;

type Files = Readonly<Record<string, string | Uint8Array>>;

async function zipOf(files: Files, options: ZipWriterAddDataOptions = {}): Promise<Uint8Array> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false });
  for (const [name, content] of Object.entries(files)) {
    const reader = new Uint8ArrayReader(Uint8Array.from(Buffer.from(content as string)));
    await writer.add(name, name.endsWith('/') ? undefined : reader, { ...options, directory: name.endsWith('/') });
  }
  return writer.close();
}

function access(bytes: Uint8Array): RandomAccess & { readonly read: RandomAccess['read']; max: number } {
  return {
    size: bytes.length,
    max: 0,
    async read(offset, length) {
      expect(offset >= 0 && length > 0 && offset + length <= bytes.length).toBe(true);
      this.max = Math.max(this.max, length);
      return Uint8Array.from(bytes.subarray(offset, offset + length));
    },
  };
}

const read = (bytes: Uint8Array, limits: Partial<ExtractionLimits> = {}, reader = readZip) =>
  listOf((options) => reader(access(bytes), options), limits, 'code');

const namesIn = async (bytes: Uint8Array) => (await read(bytes)).map((each) => each.replace(/:.*/s, ''));

/** One member for {@link archive}; sizes and checksum can be lies. */
interface Raw {
  readonly name: string | Uint8Array;
  readonly data: string | Uint8Array;
  readonly method?: number;
  readonly flags?: number;
  readonly crc?: number;
  readonly size?: number;
  readonly packed?: number;
  /** Another member's place. */
  readonly offset?: number;
  readonly attributes?: number;
  readonly extra?: Uint8Array;
  /** Extra field of the local header. */
  readonly localExtra?: Uint8Array;
}

/** An archive byte by byte, for what no writer makes. */
function archive(members: readonly Raw[], { count = members.length, comment = '' } = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const member of members) {
    const { name, data, method = 0, flags = 0, crc, size, packed, offset, attributes = 0, extra = '' } = member;
    const { localExtra = new Uint8Array(0) } = member;
    const [names, bytes, extras] = [name, data, extra].map((each) => Buffer.from(each as string)) as [
      Buffer,
      Buffer,
      Buffer,
    ];
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(crc ?? zlib.crc32(bytes), 10);
    common.writeUInt32LE(packed ?? bytes.length, 14);
    common.writeUInt32LE(size ?? bytes.length, 18);
    common.writeUInt16LE(names.length, 22);
    common.writeUInt16LE(localExtra.length, 24);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, names, localExtra, bytes]);
    common.writeUInt16LE(extras.length, 24);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(attributes, 6);
    tail.writeUInt32LE(offset ?? at, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, tail, names, extras);
    parts.push(local);
    at += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(at, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...parts, entries, end, Buffer.from(comment)]);
}

describe('readZip', () => {
  test.each([
    ['deflated', {}],
    ['stored', { level: 0 }],
    ['Zip64', { zip64: true }],
    ['with data descriptors', { dataDescriptor: true }],
    ['without them', { dataDescriptor: false }],
  ] as const)('reads members written with %s', async (_what, options) => {
    const bytes = await zipOf(
      { 'a.txt': 'one', 'folder/': '', 'folder/b.html': '<p>two', 'ü/日本.md': 'three' },
      options,
    );
    expect(await read(bytes)).toEqual(['a.txt: one', 'folder/b.html: <p>two', 'ü/日本.md: three']);
  });

  test('keeps the order of the directory', async () => {
    const one = { name: 'a', data: 'one' };
    const length = 30 + 1 + 3;
    const bytes = archive([
      { ...one, offset: length },
      { name: 'b', data: 'one', offset: 0 },
    ]);
    expect(await read(bytes)).toEqual(['a: one', 'b: one']);
  });

  test('skips members that are not documents', async () => {
    const bytes = await zipOf({
      'a.png': '\x89PNG',
      'b.gif': 'GIF89a',
      'binary.bin': 'a\0b',
      empty: '',
      'style.css': 'a {}',
      '__MACOSX/._a.txt': 'x',
      'folder/.DS_Store': 'x',
      'Thumbs.db': 'x',
      'nested.zip': 'PK\x05\x06',
      'a.txt.gz': zlib.gzipSync('a'),
      'a.warc': 'WARC/1.0\r\n',
    });
    expect(await namesIn(bytes)).toEqual([
      ...['[image/png]', '[GIF image]', '[binary data]', '[empty]', '[text/css]', '[__MACOSX/]', '[.DS_Store]'],
      ...['[Thumbs.db]', 'nested.zip', 'a.txt.gz', 'a.warc'],
    ]);
  });

  test('skips style sheets, scripts and JSON by their names', async () => {
    const names = ['A.CSS', 'b.js', 'c.mjs', 'd.json', 'e.ipynb', 'f.jsonl', 'js'];
    const skipped = ['[text/css]', '[text/javascript]', '[text/javascript]', '[application/json]'];
    const bytes = await zipOf(Object.fromEntries(names.map((name) => [name, '{}'])));
    expect(await namesIn(bytes)).toEqual([...skipped, 'e.ipynb', 'f.jsonl', 'js']);
  });

  test('reads only WARC files from WACZ', async () => {
    const files = {
      'archive/data.warc': 'WARC/1.0\r\n',
      'indexes/index.cdx': 'org,example)/ 20260101000000 {}',
      'pages/pages.jsonl': '{}',
    };
    const wacz = await zipOf({ ...files, 'datapackage.json': '{}' });
    const part = '[part of WACZ]';
    expect(await namesIn(wacz)).toEqual(['archive/data.warc', part, part, '[application/json]']);
    const found: string[] = [];
    for await (const { name } of (await openZip(access(wacz))).documents()) found.push(name);
    expect(found).toEqual(['archive/data.warc']);
    expect(await namesIn(await zipOf(files))).toEqual(Object.keys(files));
  });

  test('skips symbolic links', async () => {
    const bytes = archive([
      { name: 'link', data: '/etc/passwd', attributes: 0o120777 * 2 ** 16 },
      { name: 'file', data: 'a', attributes: 0o100644 * 2 ** 16 },
    ]);
    expect(await read(bytes)).toEqual(['[symbolic link]', 'file: a']);
  });

  test('reads names in UTF-8 with its flag and without, in code page 437, and any others', async () => {
    const bytes = archive([
      { name: 'flagged é', data: 'a', flags: 0x800 },
      { name: 'unflagged é', data: 'a' },
      { name: Buffer.from('cp437 \x82', 'latin1'), data: 'a' },
      { name: '../../up', data: 'a' },
      { name: '/absolute', data: 'a' },
      { name: 'C:\\back\\slash', data: 'a' },
      { name: '', data: 'a' },
      { name: 'nul\0nul', data: 'a' },
      { name: 'twice', data: 'a' },
      { name: 'twice', data: 'a' },
    ]);
    const names = ['flagged é', 'unflagged é', 'cp437 é', '../../up', '/absolute', 'C:\\back\\slash', '', 'nul\0nul'];
    expect(await read(bytes)).toEqual([...names, 'twice', 'twice#2'].map((name) => `${name}: a`));
  });

  test('accepts an empty archive, a comment, and bytes before and after the archive', async () => {
    expect(await read(archive([]))).toEqual([]);
    const bytes = archive([{ name: 'a', data: 'b' }], { comment: 'PK\x05\x06 is a comment' });
    expect(await read(bytes)).toEqual(['a: b']);
    expect(await read(Buffer.concat([Buffer.from('#!/bin/sh\n'), archive([{ name: 'a', data: 'b' }])]))).toEqual([
      'a: b',
    ]);
    expect(await read(Buffer.concat([bytes, Buffer.from('garbage')]))).toEqual(['a: b']);
  });

  test('reads only a part of a member at once', async () => {
    const source = access(
      archive([
        { name: 'a', data: 'a'.repeat(10 << 20) },
        { name: 'b', data: 'b' },
      ]),
    );
    let count = 0;
    for await (const _ of readZip(source)) count++;
    expect(count).toBe(2);
    expect(source.max).toBeLessThan(1 << 20);
  });

  test('keeps control characters in names, with UTF-8 and without', async () => {
    const bytes = archive([
      { name: 'a\nb\x7f.txt', data: 'a' },
      { name: Buffer.from('\x01\x1b\x82\x9b', 'latin1'), data: 'a' },
      { name: 'ü\n', data: 'a' },
      { name: 'flagged\n', data: 'a', flags: 0x800 },
      { name: 'folder\n/', data: '' },
    ]);
    expect(await read(bytes)).toEqual(['a\nb\x7f.txt: a', '\x01\x1bé¢: a', 'ü\n: a', 'flagged\n: a']);
  });

  test('gives repeated names a number, and keeps the path', async () => {
    const names = ['a.txt', 'a.txt', 'b', 'a.txt#4', 'a.txt', 'a.txt', 'a.txt#2', 'b', 'a.txt'];
    const members: string[] = [];
    for await (const { name, hints } of readZip(access(archive(names.map((name) => ({ name, data: 'a' })))))) {
      members.push(name);
      expect(hints.path).toBe(names[members.length - 1]);
    }
    expect(members).toEqual(['a.txt', 'a.txt#2', 'b', 'a.txt#4', 'a.txt#3', 'a.txt#5', 'a.txt#2#2', 'b#2', 'a.txt#6']);
  });

  test('does not open a member that is empty by the directory, unless its checksum is not that of nothing', async () => {
    const bytes = archive([
      { name: 'a', data: '', offset: 1_000_000 },
      { name: 'b', data: zlib.deflateRawSync(''), method: 8, size: 0, crc: 0, offset: 1_000_000 },
      { name: 'c', data: 'content', size: 0 },
      { name: 'd', data: zlib.deflateRawSync('content'), method: 8, size: 0, crc: zlib.crc32('content') },
    ]);
    for (const [, reader] of READERS)
      expect(await read(bytes, {}, reader)).toEqual(['[empty]', '[empty]', 'c: damaged', 'd: damaged']);
  });

  test('reads small members at once', async () => {
    const source = access(archive(Array.from({ length: 1000 }, (_, index) => ({ name: `${index}`, data: 'a' }))));
    const counted = vi.spyOn(source, 'read');
    await all(readZip(source));
    expect(counted.mock.calls.length).toBeLessThan(1010);
  });

  test.each(READERS)('reads members of any size, after a local header of any size, with %s', async (_what, reader) => {
    const contents = firstRows(3, [1, 100, 600_000, 70_000, 1 << 18]).map((size) => {
      const random = Buffer.from(Array.from({ length: Math.min(size, 997) }, (_, at) => 97 + ((at * at) % 23)));
      return Buffer.alloc(size, random).toString();
    });
    const members = contents.flatMap((content, index) =>
      firstRows(2, [0, 65_000, 10, 100]).flatMap((extra) => {
        const common = { localExtra: new Uint8Array(extra), size: content.length, crc: zlib.crc32(content) };
        return [
          { ...common, name: `stored ${index} ${extra}`, data: content },
          {
            ...common,
            name: `deflated ${index} ${extra}`,
            data: zlib.deflateRawSync(content, { level: 1 }),
            method: 8,
          },
          { ...common, name: `blocks ${index} ${extra}`, data: zlib.deflateRawSync(content, { level: 0 }), method: 8 },
        ];
      }),
    );
    const list = await read(archive(members), {}, reader);
    expect(list.length).toBe(members.length);
    for (const [at, { name }] of members.entries())
      expect(list[at] === `${name}: ${contents[Math.floor((at * contents.length) / members.length)]}`, name).toBe(true);
  });

  test('reads 70,000 members', async () => {
    const members = Array.from({ length: 70_000 }, (_, index) => ({ name: `${index}`, data: 'a' }));
    // The end record counts modulo 65,536 here, as careless writers do.
    const bytes = archive(members, { count: members.length % 65_536 });
    let count = 0;
    for await (const { name } of readZip(access(bytes))) {
      expect(name).toBe(`${count++}`);
      if (count === 1000) break;
    }
    expect(count).toBe(1000);
  });

  test('passes on an error of the source', async () => {
    const bytes = archive([{ name: 'a', data: 'b' }]);
    for (const broken of [0, bytes.length - 22]) {
      const source: RandomAccess = {
        size: bytes.length,
        async read(offset, length) {
          if (offset <= broken && offset + length > broken) throw new Error('disk');
          return Uint8Array.from(bytes.subarray(offset, offset + length));
        },
      };
      await expect(all(readZip(source))).rejects.toThrow('disk');
    }
  });
});

describe('a ZIP archive that cannot be read', () => {
  const a = { name: 'a', data: 'one' };
  const z = { name: 'z', data: 'last' };
  const deflated = zlib.deflateRawSync('some text that is deflated');

  test.each<[what: string, member: Raw, code: string]>([
    ['encrypted', { name: 'b', data: 'secret secret secret', flags: 1 }, 'encrypted'],
    ['strongly encrypted', { name: 'b', data: 'secret secret secret', flags: 0x41 }, 'encrypted'],
    ['compressed in a way that is not known', { name: 'b', data: 'x', method: 14 }, 'unsupported-media-type'],
    ['bzip2', { name: 'b', data: 'x', method: 12 }, 'unsupported-media-type'],
    ['its checksum is wrong', { name: 'b', data: 'x', crc: 1 }, 'damaged'],
    ['its data are wrong', { name: 'b', data: 'garbage!', method: 8, size: 100 }, 'damaged'],
    ['its data are cut off', { name: 'b', data: deflated.subarray(0, 9), method: 8, size: 26 }, 'damaged'],
    [
      'its size is wrong',
      { name: 'b', data: deflated, method: 8, size: 20, crc: zlib.crc32('some text that is deflated') },
      'damaged',
    ],
    ['it is elsewhere', { name: 'b', data: 'x', offset: 5 }, 'damaged'],
    ['it is beyond the end', { name: 'b', data: 'x', offset: 1_000_000 }, 'damaged'],
    ['its size is beyond the limit', { name: 'b', data: 'x', method: 8, size: 2 ** 31 }, 'too-large'],
  ])('fails for %s alone', async (_what, member, code) => {
    expect(await read(archive([a, member, z]))).toEqual(['a: one', `b: ${code}`, 'z: last']);
  });

  test('reports members encrypted by a writer', async () => {
    for (const options of [{ password: 'x' }, { password: 'x', zipCrypto: true }] as const)
      expect(await read(await zipOf({ a: 'b' }, options))).toEqual(['a: encrypted']);
  });

  test('reports a member that is larger than its size', async () => {
    const data = zlib.deflateRawSync(Buffer.alloc(1 << 20, 'a'));
    const limits = { inflated: 1 << 16 };
    for (const size of [100, 1 << 20])
      for (const [, reader] of READERS)
        expect(await read(archive([{ name: 'b', data, method: 8, size }, z]), limits, reader)).toMatchObject([
          expect.stringMatching(/^b: (?:too-large|damaged)$/),
          'z: last',
        ]);
    expect(await read(archive([a, z]), { bytes: 3 })).toEqual(['a: one', 'z: too-large']);
  });

  test('decompresses all members to at most a ratio of the archive', async () => {
    const member = (name: string, size: number) => {
      const data = Buffer.alloc(size, 'a');
      return { name, data: zlib.deflateRawSync(data), method: 8, size, crc: zlib.crc32(data) };
    };
    const bytes = archive([member('b', 40 << 20), member('c', 20 << 20), member('d', 20 << 20), z]);
    const list = await read(bytes);
    expect(list.map((each) => each.slice(0, 12))).toEqual(['b: too-large', 'c: aaaaaaaaa', 'd: too-large', 'z: last']);
    const starts = (await read(bytes, { ratio: 2000 })).map((each) => each.slice(0, 4));
    expect(starts).toEqual(['b: a', 'c: a', 'd: a', 'z: l']);
  });

  test('of overlapping members is read only up to its size', async () => {
    const data = zlib.deflateRawSync(Buffer.alloc(1 << 20, 'a'));
    const crc = zlib.crc32(Buffer.alloc(1 << 20, 'a'));
    const one = { name: 'a', data, method: 8, size: 1 << 20, crc };
    const bytes = archive([
      one,
      ...Array.from({ length: 50 }, () => ({ ...one, data: '', packed: data.length, offset: 0 })),
    ]);
    const list = await read(bytes);
    expect(list).toHaveLength(51);
    const count = Math.floor(bytes.length / (30 + 1 + data.length));
    expect(list.map((each) => each.length > 100)).toEqual(list.map((_, index) => index < count));
    expect(list.slice(count)).toEqual(list.slice(count).map((_, index) => `a#${count + index + 1}: damaged`));
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['no archive', Buffer.from('this is no archive, and it is long enough to be one')],
    ['its end record is missing', archive([a, z]).subarray(0, -22)],
    ['its directory is cut off', archive([a, z], { count: 3 })],
    ['its directory is elsewhere', Buffer.concat([archive([a]).subarray(-22)])],
  ])('is damaged: %s', async (_what, bytes) => {
    await expect(read(bytes)).rejects.toMatchObject({ code: 'damaged' });
    await expect(openZip(access(bytes))).rejects.toMatchObject({ code: 'damaged' });
  });

  test('is damaged if it is cut off anywhere', async () => {
    const bytes = await zipOf({ 'a.txt': 'one', 'b.txt': 'two '.repeat(100) });
    for (let length = 0; length < bytes.length; length++)
      await expect(read(bytes.subarray(0, length))).rejects.toMatchObject({ code: 'damaged' });
  });

  test('yields right content or failures if it is changed anywhere, the same with pako', async () => {
    const members: Raw[] = [
      { name: 'a', data: 'stored content' },
      { name: 'b', data: zlib.deflateRawSync('deflated '.repeat(9)), method: 8, size: 81 },
    ].map((member, index) => ({ ...member, crc: zlib.crc32(index === 0 ? 'stored content' : 'deflated '.repeat(9)) }));
    const original = archive(members);
    const allowed = /: (?:stored content|(?:deflated ){9}|damaged|encrypted|unsupported-media-type|too-large)$|^\[/s;
    for (let at = 0; at < original.length; at++) {
      for (const change of firstRows(1, [0xff, 1])) {
        const bytes = Buffer.from(original);
        bytes[at]! ^= change;
        const [native, pako] = await Promise.all(
          READERS.map(([, reader]) =>
            read(bytes, {}, reader).catch((error: { code?: unknown }) => [`: ${error.code}`]),
          ),
        );
        expect(pako).toEqual(native);
        for (const line of native!) expect(line).toMatch(allowed);
      }
    }
  });
});

describe('a ZIP archive that is a document', () => {
  const types = { '[Content_Types].xml': '<Types/>' };
  test.each<[string, Files, unknown]>([
    ['EPUB', { 'META-INF/container.xml': '<container/>', mimetype: 'application/epub+zip' }, 'epub'],
    ['EPUB without its type', { 'META-INF/container.xml': '<container/>', 'a.html': '' }, 'epub'],
    ['ODT', { 'content.xml': '<a/>', mimetype: 'application/vnd.oasis.opendocument.text' }, 'odt'],
    ['ODT template', { 'content.xml': '<a/>', mimetype: 'application/vnd.oasis.opendocument.text-template' }, 'odt'],
    ['DOCX', { 'word/document.xml': '<a/>', 'docProps/app.xml': '<a/>', ...types }, 'docx'],
    ['ODS', { 'content.xml': '<a/>', mimetype: 'application/vnd.oasis.opendocument.spreadsheet' }, 'ods'],
    ['XLSX', { 'xl/workbook.xml': '<a/>', ...types }, 'xlsx'],
    ['PPTX', { 'ppt/presentation.xml': '<a/>', ...types }, 'pptx'],
    ['documents', { 'a.txt': 'a', 'content.xml': '<a/>', 'word/a.txt': 'b' }, null],
    ['nothing', {}, null],
    ['a file of that name', { mimetype: 'no type', 'a.txt': 'a' }, null],
  ])('is recognised as %s', async (_what, files, expected) => {
    expect((await openZip(access(await zipOf(files)))).medium).toBe(expected);
  });

  test.each<[string, Files]>([
    ['drawing', { 'content.xml': '<a/>', mimetype: 'application/vnd.oasis.opendocument.graphics' }],
    ['XLSB', { 'xl/a.bin': '', 'xl/workbook.bin': '', ...types }],
    ['iWork', { 'Index/Document.iwa': 'a', 'Metadata/Properties.plist': 'b' }],
    ['XPS', { ...types, 'Documents/1/Pages/1.fpage': '<a/>' }],
    ['VSDX', { ...types, 'visio/pages/page1.xml': '<a/>' }],
  ])('is rejected: %s', async (_what, files) => {
    await expect(openZip(access(await zipOf(files)))).rejects.toMatchObject({ code: 'unsupported-media-type' });
  });

  test('has its directory read once, unless it is large', async () => {
    for (const [count, times] of firstRows(1, [
      [1000, 1],
      [20_000, 2],
    ] as const)) {
      const bytes = archive(Array.from({ length: count }, (_, index) => ({ name: `${index}`, data: 'a' })));
      const directory = bytes.indexOf('PK\x01\x02');
      let reads = 0;
      const source: RandomAccess = {
        size: bytes.length,
        async read(offset, length) {
          if (offset === directory && length > 1000) reads++;
          return Uint8Array.from(bytes.subarray(offset, offset + length));
        },
      };
      const zip = await openZip(source);
      let found = 0;
      for await (const { content } of zip.documents()) found += 'bytes' in content ? 1 : 0;
      expect([found, reads]).toEqual([count, times]);
    }
  });
});

describe.skipIf(!isThere('zip', succeeds('zip', '-v')))('an archive of zip', () => {
  test.each([[[]], [['-0']], [['-e', '-P', 'secret']], [['-fz']]])('is read with the options %j', async (options) => {
    const folder = mkdtempSync(join(tmpdir(), 'simhash-doc-zip-'));
    mkdirSync(join(folder, 'b'));
    writeFileSync(join(folder, 'a.txt'), 'one');
    writeFileSync(join(folder, 'b', 'ü.html'), '<p>two'.repeat(100));
    symlinkSync('/etc/hostname', join(folder, 'c'));
    execFileSync('zip', ['-qry', ...options, 'out.zip', 'a.txt', 'b', 'c'], { cwd: folder });
    const isEncrypted = options.includes('-e');
    expect(await read(readFileSync(join(folder, 'out.zip')))).toEqual([
      `a.txt: ${isEncrypted ? 'encrypted' : 'one'}`,
      `b/ü.html: ${isEncrypted ? 'encrypted' : '<p>two'.repeat(100)}`,
      '[symbolic link]',
    ]);
  });
});

describe.skipIf(!isThere('python3', succeeds('python3', '-c', 'import zipfile')))('an archive of Python', () => {
  test('is read after it was written to a pipe, with a comment', async () => {
    const script = `
import sys, zipfile, io
class Pipe(io.RawIOBase):
    def writable(self): return True
    def write(self, b): return sys.stdout.buffer.write(b)
with zipfile.ZipFile(Pipe(), 'w', zipfile.ZIP_DEFLATED) as z:
    z.writestr('a.txt', 'one')
    z.writestr('\\u65e5.html', '<p>two' * 100)
    z.comment = b'a comment'
`;
    const bytes = execFileSync('python3', ['-c', script]);
    expect(await read(bytes)).toEqual(['a.txt: one', `日.html: ${'<p>two'.repeat(100)}`]);
  });
});

test('names that are longer than any path are cut in the middle, and stay different', async () => {
  const long = 'é'.repeat(10_000);
  const files = { [`${long}a.txt`]: 'one', [`${long}b.css`]: 'x', [`${long}${long}a.txt`]: 'two', [`${long}/`]: '' };
  const cut = `${'é'.repeat(4032)}…${'é'.repeat(59)}a.txt`;
  expect(await read(await zipOf(files))).toEqual([`${cut}: one`, '[text/css]', `${cut}#2: two`]);
});
