import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readTar } from '../../../../src/extract/archive/tar/tar.ts';
import { detectType } from '../../../../src/extract/detect.ts';
import { extract } from '../../../../src/extract/extract.ts';
import type { ExtractionLimits } from '../../../../src/extract/limits.ts';
import { inParts, listOf } from '../reading.ts';
import { END, member } from './member.ts';

function pax(...records: string[]): Buffer {
  const lines = records.map((record) => {
    let length = record.length + 3;
    while (Buffer.byteLength(`${length} ${record}\n`) !== length) length++;
    return `${length} ${record}\n`;
  });
  return member({ name: 'PaxHeaders/x', type: 'x', data: lines.join('') });
}

const a = member({ name: 'a.txt', data: 'text a' });
const b = member({ name: 'b/b.txt', data: 'text b' });

const read = (parts: Iterable<Uint8Array>, limits: Partial<ExtractionLimits> = {}) =>
  listOf((options) => readTar(parts, options), limits, 'message');

test.each([
  ['a prefix', [member({ name: 'c.txt', prefix: 'a/b', data: 'x' })], 'a/b/c.txt: x'],
  [
    'no prefix in the format of GNU',
    [member({ name: 'c.txt', prefix: '012', magic: 'ustar  \0', data: 'x' })],
    'c.txt: x',
  ],
  ['a format without a magic number', [member({ name: 'c.txt', type: '\0', magic: '', data: 'x' })], 'c.txt: x'],
  ['a name that fills its field', [member({ name: 'n'.repeat(100), data: 'x' })], `${'n'.repeat(100)}: x`],
  ['a checksum of signed bytes', [member({ name: 'é.txt', data: 'x', isSigned: true })], 'é.txt: x'],
  ['a name that is not UTF-8', [member({ name: Buffer.from('\xe9.txt', 'latin1'), data: 'x' })], '\ufffd.txt: x'],
  [
    'a long name (GNU)',
    [member({ name: '././@LongLink', type: 'L', data: `${'d/'.repeat(99)}é\0` }), member({ name: 'd', data: 'x' })],
    `${'d/'.repeat(99)}é: x`,
  ],
  [
    'a long name of a link',
    [member({ name: 'k', type: 'K', data: 'target\0' }), member({ name: 'd', data: 'x' })],
    'd: x',
  ],
  ['a path of pax', [pax('path=é\n=.txt', 'mtime=1'), member({ name: 'c', data: 'x' })], 'é\n=.txt: x'],
  ['a size of pax', [pax('size=6'), member({ name: 'c', data: 'text c', size: '00000000000\0' })], 'c: text c'],
  ['global fields', [member({ name: 'g', type: 'g', data: '52 comment=0' }), member({ name: 'c', data: 'x' })], 'c: x'],
  [
    'a size in base 256',
    [member({ name: 'c', data: 'x', size: Buffer.from('800000000000000000000001', 'hex') })],
    'c: x',
  ],
  ['a size after spaces', [member({ name: 'c', data: 'x', size: '          1\0' })], 'c: x'],
  ['a contiguous file', [member({ name: 'c', data: 'x', type: '7' })], 'c: x'],
])('reads %s', async (_title, members, expected) => {
  expect(await read([Buffer.concat([...members, b, END])])).toEqual([expected, 'b/b.txt: text b']);
});

test('skips members that are not documents, with the reason', async () => {
  const members = [
    member({ name: 'd/', type: '5' }),
    member({ name: 'old/', type: '\0', magic: '' }),
    member({ name: 'h', type: '1' }),
    // Size of a link, with its content and without it.
    member({ name: 'h', type: '1', data: 'text' }),
    member({ name: 'h', type: '1', size: '00000000004\0' }),
    member({ name: 's', type: '2' }),
    member({ name: 'c', type: '3' }),
    member({ name: 'p', type: '6' }),
    member({ name: 'empty.txt' }),
    member({ name: 'i.png', data: '\x89PNG\r\n' }),
    member({ name: 'i', data: Buffer.from('GIF89a') }),
    member({ name: 'x/.DS_Store', data: 'x' }),
    member({ name: 'style.css', data: 'x' }),
    member({ name: 'label', type: 'V' }),
  ];
  expect(await read([Buffer.concat([...members, a, END])])).toEqual([
    ...['hard link', 'hard link', 'hard link', 'symbolic link', 'device', 'FIFO', 'empty'].map((each) => `[${each}]`),
    ...['image/png', 'GIF image', '.DS_Store', 'text/css'].map((each) => `[${each}]`),
    'a.txt: text a',
  ]);
});

test('names are unique, archives may follow each other, and bytes after the end are ignored', async () => {
  expect(await read([Buffer.concat([a, END, a, b, END, Buffer.from('anything')])])).toEqual([
    'a.txt: text a',
    'a.txt#2: text a',
    'b/b.txt: text b',
  ]);
});

test('rejects sparse files and parts of files, and reads the others', async () => {
  const sparse = member({ name: 's', type: 'S', data: 'x', isContinued: true });
  const map = Buffer.alloc(1024);
  map[504] = 1;
  const list = await read([
    Buffer.concat([
      Buffer.concat([sparse.subarray(0, 512), map, sparse.subarray(512)]),
      pax('GNU.sparse.major=1', 'GNU.sparse.name=t'),
      member({ name: 'GNUSparseFile.0/t', data: 'x' }),
      member({ name: 'm', type: 'M', data: 'x' }),
      a,
      END,
    ]),
  ]);
  expect(list).toEqual([
    's: cannot read a sparse file in a tar archive',
    't: cannot read a sparse file in a tar archive',
    'm: cannot read a part of a file, or a member of unknown type, in a tar archive',
    'a.txt: text a',
  ]);
});

describe('a damaged tar archive', () => {
  const big = member({ name: 'big.txt', data: 'x'.repeat(100_000) });
  const malformed = (data: string) => Buffer.concat([member({ name: 'x', type: 'x', data }), a, END]);

  test.each([
    [
      'a wrong checksum',
      Buffer.concat([a, member({ name: 'c', data: 'x', error: 1 }), b, END]),
      ['a.txt: text a', '@1024: damaged tar archive: a header with a wrong checksum', 'b/b.txt: text b'],
    ],
    [
      'no mark at the end',
      Buffer.concat([a, b]),
      ['a.txt: text a', 'b/b.txt: text b', '@2048: damaged tar archive: truncated: the mark at its end is missing'],
    ],
    [
      'an end in a header',
      Buffer.concat([a, b.subarray(0, 100)]),
      ['a.txt: text a', '@1024: damaged tar archive: truncated in a header'],
    ],
    [
      'an end in a file',
      Buffer.concat([a, big.subarray(0, 70_000)]),
      ['a.txt: text a', 'big.txt: damaged tar archive: truncated in this file'],
    ],
    [
      'a pax header without lengths',
      malformed('path=x\n'),
      ['@0: damaged tar archive: a malformed pax header', 'a.txt: text a'],
    ],
    [
      'a pax header that is too short',
      malformed('99 path=x\n'),
      ['@0: damaged tar archive: a malformed pax header', 'a.txt: text a'],
    ],
    [
      'a long name that is too long',
      Buffer.concat([member({ name: 'L', type: 'L', data: Buffer.alloc(2 ** 21, 1) }), a, END]),
      ['@0: damaged tar archive: a name or a pax header of more than 1 MiB', 'a.txt: text a'],
    ],
    [
      'an end in a long name',
      member({ name: 'L', type: 'L', data: 'x'.repeat(600) }).subarray(0, 1000),
      ['@0: damaged tar archive: truncated in a header'],
    ],
    [
      'a size beyond all bounds',
      Buffer.concat([member({ name: 'c', size: Buffer.from('80000000001fffffffffffff', 'hex') }), a]),
      ['c: damaged tar archive: truncated in this file'],
    ],
  ])('is read up to the damage: %s', async (_title, bytes, expected) => {
    expect(await read([bytes])).toEqual(expected);
  });

  test('a member above the limit is rejected, and the others are read', async () => {
    expect(await read([Buffer.concat([big, a, END])], { bytes: 99_999 })).toEqual([
      'big.txt: is larger than the 97.7 KiB limit',
      'a.txt: text a',
    ]);
  });

  test('parts of any size make no difference, and no mutation causes an error', async () => {
    const whole = Buffer.concat([pax('path=p'), a, member({ name: 'L', type: 'L', data: 'long' }), b, big, a, END]);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 4 }),
        fc.nat(whole.length),
        fc.integer({ min: 1, max: 3000 }),
        async (changes, length, size) => {
          const bytes = Buffer.from(whole.subarray(0, length));
          for (const [at, value] of changes) if (at < length) bytes[at] = value;
          expect(await read(inParts(bytes, size))).toEqual(await read([bytes]));
        },
      ),
      { numRuns: 50 },
    );
  });
});

test('tar is detected by its magic number or its checksum, and holds several documents', async () => {
  expect(detectType(a)).toBe('tar');
  expect(detectType(member({ name: 'c.txt', magic: '', data: 'x' }))).toBe('tar');
  expect(() => detectType(member({ name: 'c.txt', magic: '', data: 'x', error: 1 }))).toThrow('binary data');
  await expect(extract(a)).rejects.toMatchObject({ code: 'archive' });
});
