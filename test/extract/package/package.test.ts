import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/extract/limits.ts';
import { folderOf, openPackage, readMarkup, resolvePath } from '../../../src/extract/package/package.ts';
import { IS_SLOW } from '../../suite.ts';
import { packageOf } from './package-of.ts';

const utf8 = new TextEncoder();
const content = 'one two three '.repeat(1000);

/** Reads a member as text, which is compared faster than bytes. */
const textIn = async (parts: Awaited<ReturnType<typeof openPackage>>, name: string): Promise<string> =>
  Buffer.from((await parts.read(name)) ?? '').toString();

describe('the members of a package', () => {
  test.each([0, 9])('are read at compression level %d', async (level) => {
    const parts = await openPackage(await packageOf({ mimetype: 'a', 'b/c d é.txt': content }, level), DEFAULT_LIMITS);
    expect([...parts.names()]).toEqual(['mimetype', 'b/c d é.txt']);
    expect(parts.has('b/c d é.txt')).toBe(true);
    expect(await parts.read('b/c d é.txt')).toEqual(utf8.encode(content));
    expect(await parts.read('mimetype')).toEqual(utf8.encode('a'));
    expect(await parts.read('B/C d é.txt'), 'in another case').toEqual(utf8.encode(content));
    expect(parts.has('B')).toBe(false);
    expect(await parts.read('B')).toBeNull();
    expect(await readMarkup(parts, 'B')).toBeNull();
  });

  test('may have names with the separator of Windows', async () => {
    const parts = await openPackage(await packageOf({ 'xl\\a.xml': 'a' }), DEFAULT_LIMITS);
    expect([...parts.names()]).toEqual(['xl/a.xml']);
    expect(await textIn(parts, 'xl/a.xml')).toBe('a');
  });

  test('may have markup in UTF-16 with a byte order mark', async () => {
    const bytes = Buffer.from('\uFEFF<a>é</a>', 'utf16le');
    const parts = await openPackage(await packageOf({ a: new Uint8Array(bytes) }), DEFAULT_LIMITS);
    expect(await readMarkup(parts, 'a')).toBe('<a>é</a>');
  });
});

describe('the limits of a package', () => {
  test('count the decompressed bytes of all members as they arrive', async () => {
    const bytes = await packageOf({ a: content, b: content }, 9);
    const parts = await openPackage(bytes, { ...DEFAULT_LIMITS, inflated: content.length + 5 });
    expect(await parts.read('a')).not.toBeNull();
    await expect(parts.read('b')).rejects.toMatchObject({ code: 'too-large' });
  });

  test('stop a ZIP bomb', async () => {
    const bytes = await packageOf({ a: new Uint8Array(IS_SLOW ? 50_000_000 : 5_000_000) }, 9);
    expect(bytes.length).toBeLessThan(IS_SLOW ? 100_000 : 10_000);
    const parts = await openPackage(bytes, { ...DEFAULT_LIMITS, inflated: 1_000_000 });
    await expect(parts.read('a')).rejects.toMatchObject({ code: 'too-large' });
  });
});

describe('a damaged package', () => {
  test.each([false, true])(
    'that is cut off anywhere yields whole members and a warning (data descriptors: %s)',
    async (streamed) => {
      const bytes = await packageOf({ a: content, b: 'x' }, 9, streamed);
      let found = 0;
      for (let end = 0; end < bytes.length; end += IS_SLOW ? 1 : 5) {
        const parts = await openPackage(bytes.subarray(0, end), DEFAULT_LIMITS).catch(({ code }) => code);
        if (parts === 'damaged') expect(found).toBe(0);
        else {
          expect(parts.warnings).toEqual([
            expect.stringMatching(/^damaged: its (?:end is missing|directory is unreadable), /),
          ]);
          expect(await textIn(parts, 'a')).toBe(content);
          if (parts.has('b')) expect(await parts.read('b')).toEqual(utf8.encode('x'));
          found = Math.max(found, [...parts.names()].length);
        }
      }
      expect(found).toBe(2);
    },
  );

  test('yields whole tags of a member that is cut off, within the limit', async () => {
    const markup = `<a>${'<b>one</b>'.repeat(50)}</a>`;
    for (const level of [0, 9]) {
      const bytes = await packageOf({ a: markup }, level);
      const cut = bytes.subarray(0, bytes.indexOf(0x50, 30) - 5);
      const read = new TextDecoder().decode((await (await openPackage(cut, DEFAULT_LIMITS)).read('a'))!);
      expect(read.length).toBeGreaterThan(100);
      expect(markup.startsWith(read) && read.endsWith('>') && read !== markup).toBe(true);
      const small = await openPackage(cut, { ...DEFAULT_LIMITS, inflated: 50 });
      await expect(small.read('a')).rejects.toMatchObject({ code: 'too-large' });
    }
  });

  test('does not use the directory of a package in it', async () => {
    const inner = await packageOf({ a: '<a>inner</a>' });
    const outer = await packageOf({ a: '<a>outer</a>', 'inner.zip': inner, b: 'x' });
    const parts = await openPackage(outer.subarray(0, outer.lastIndexOf(0x78) + 1), DEFAULT_LIMITS);
    expect(await parts.read('a')).toEqual(utf8.encode('<a>outer</a>'));
    expect(parts.warnings).toHaveLength(1);
  });

  test('with many headers and no end takes linear time', async () => {
    const header = Buffer.from(`${'PK\x03\x04\x14\0\x08\0\x08\0'.padEnd(26, '\0')}\x01\0\0\0a`, 'latin1');
    const bytes = Buffer.concat(Array.from({ length: 50_000 }, () => header));
    const started = process.cpuUsage();
    await (await openPackage(bytes, DEFAULT_LIMITS).catch(() => null))?.read('a').catch(() => null);
    expect(process.cpuUsage(started).user).toBeLessThan(3e6);
  });

  test('with changed bytes yields whole members, or an error with a code', async () => {
    const whole = await packageOf({ a: content, b: 'x' }, 9);
    for (let at = 0; at < whole.length; at += IS_SLOW ? 4 : 16) {
      const bytes = whole.slice();
      bytes[at]! ^= 0xff;
      try {
        const parts = await openPackage(bytes, DEFAULT_LIMITS);
        if (parts.has('a')) expect(await textIn(parts, 'a')).toBe(content);
      } catch (error) {
        expect(['damaged', 'encrypted', 'unsupported-media-type', 'too-large']).toContain(
          (error as { code?: string }).code,
        );
      }
    }
  });

  test('fails for a member with a wrong checksum', async () => {
    const bytes = await packageOf({ a: 'hello' });
    bytes[bytes.indexOf(0x68, 30)] = 0x6a;
    await expect((await openPackage(bytes, DEFAULT_LIMITS)).read('a')).rejects.toMatchObject({ code: 'damaged' });
  });
});

test('encrypted members are reported', async () => {
  const bytes = await packageOf({ a: 'hello' });
  // Bit 0 of the flags, in the local header and in the directory.
  bytes[6]! |= 1;
  bytes[Buffer.from(bytes).indexOf('PK\x01\x02', 0, 'latin1') + 8]! |= 1;
  await expect((await openPackage(bytes, DEFAULT_LIMITS)).read('a')).rejects.toMatchObject({ code: 'encrypted' });
});

test('an unknown compression method is reported', async () => {
  const bytes = await packageOf({ a: 'hello' });
  bytes[8] = 99;
  bytes[Buffer.from(bytes).indexOf('PK\x01\x02', 0, 'latin1') + 10] = 12;
  bytes[8] = 12;
  const parts = await openPackage(bytes, DEFAULT_LIMITS);
  await expect(parts.read('a')).rejects.toMatchObject({ code: 'unsupported-media-type' });
});

test.each([
  ['OEBPS/', 'a.xhtml', 'OEBPS/a.xhtml'],
  ['OEBPS/', '../a.xhtml', 'a.xhtml'],
  ['OEBPS/', '../../../a.xhtml', 'a.xhtml'],
  ['OEBPS/', '/a.xhtml', 'a.xhtml'],
  ['OEBPS/b/', './c/../a.xhtml', 'OEBPS/b/a.xhtml'],
  ['', 'a//b', 'a/b'],
])('resolvePath(%s, %s) is resolved', (folder, reference, path) => {
  expect(resolvePath(folder, reference)).toBe(path);
});

test('folderOf returns the folder of a path', () => {
  expect(folderOf('a/b/c')).toBe('a/b/');
  expect(folderOf('c')).toBe('');
});
