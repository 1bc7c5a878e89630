import { parquetWriteBuffer } from 'hyparquet-writer';
import { createUniqueNames } from '../../../../src/extract/archive/archive-members.ts';
import { type RandomAccess, readZip } from '../../../../src/extract/archive/zip.ts';
import { extract } from '../../../../src/extract/index.ts';
import { readParquet } from '../../../../src/extract/rows/parquet.ts';
import { type Members, packageOf } from '../../../extract/package/package-of.ts';
import { dictionaryBomb, rawParquet } from '../../../extract/rows/raw-parquet.ts';
import { type Family, familiesOf, numbered } from './family.ts';

const CONTAINER =
  '<container><rootfiles><rootfile full-path="b.opf" media-type="application/oebps-package+xml"/></rootfiles></container>';
const XHTML = '<html xmlns="http://www.w3.org/1999/xhtml"><body><p>x</p></body></html>';

const epubOf = (manifest: string, spine: string, members: Members = { 'a.xhtml': XHTML }): Members => ({
  mimetype: 'application/epub+zip',
  'META-INF/container.xml': CONTAINER,
  'b.opf': `<package><manifest>${manifest}</manifest><spine>${spine}</spine></package>`,
  ...members,
});
const item = (id: string, href: string, more = 'media-type="application/xhtml+xml"'): string =>
  `<item id="${id}" href="${href}" ${more}/>`;

const named = (count: number, make: (index: number) => string, content: string): Members =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [make(i), content]));

const EPUBS: Readonly<Record<string, (n: number) => Members>> = {
  'epub-chapters': (n) =>
    epubOf(
      numbered(n / 20, (i) => item(`i${i}`, `${i}.xhtml`)),
      numbered(n / 20, (i) => `<itemref idref="i${i}"/>`),
      named(n / 20, (i) => `${i}.xhtml`, XHTML),
    ),
  'epub-items': (n) =>
    epubOf(
      numbered(n, (i) => item(`i${i}`, `a.xhtml#${i}`)),
      numbered(n, (i) => `<itemref idref="i${i}"/>`),
    ),
  'epub-missing': (n) =>
    epubOf(
      item('a', 'a.xhtml'),
      numbered(n, (i) => `<itemref idref="i${i}"/>`),
    ),
  'epub-fallbacks': (n) =>
    epubOf(
      numbered(n, (i) => item(`i${i}`, 'a.png', `media-type="image/png" fallback="i${i + 1}"`)),
      numbered(n, (i) => `<itemref idref="i${i}"/>`),
    ),
  'epub-paths': (n) => epubOf(item('a', `${'a/../'.repeat(n)}a.xhtml`), '<itemref idref="a"/>'),
  'epub-rootfiles': (n) => ({
    ...epubOf(item('a', 'a.xhtml'), '<itemref idref="a"/>'),
    'META-INF/container.xml': `<container>${'<rootfile full-path="x"/>'.repeat(n)}</container>`,
  }),
};

const epubFamilies = familiesOf('', 20_000, EPUBS, async (members) =>
  extract(await packageOf(members)).catch(() => null),
);

const accessOf = (bytes: Uint8Array): RandomAccess => ({
  size: bytes.length,
  read: async (from, length) => bytes.slice(from, from + length),
});

const WARC = 'WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 1\r\n\r\nx\r\n\r\n';

const ZIPS: Readonly<Record<string, (n: number) => Members>> = {
  members: (n) => named(n / 10, (i) => `${i}.txt`, 'x'),
  'long names': (n) => named(n / 100, (i) => `${'x'.repeat(30_000)}${i}.txt`, 'x'),
  folders: (n) => named(n / 100, (i) => `${'a/'.repeat(1000)}${i}.txt`, 'x'),
  wacz: (n) => ({
    'datapackage.json': `{"resources":[${'{"path":"x"},'.repeat(n)}1]}`,
    'indexes/index.cdx': 'a)/ 20260101000000 {}\n'.repeat(n),
    ...named(n / 20, (i) => `archive/${i}.warc`, WARC),
  }),
  'skipped members': (n) => named(n / 10, (i) => `${i}.css`, 'x'),
};

const zipFamilies = familiesOf('zip: ', 20_000, ZIPS, async (members) => {
  for await (const _ of readZip(accessOf(await packageOf(members))));
});

type Parquet = Parameters<typeof parquetWriteBuffer>[0];
const strings = (name: string, count: number, text = 'x'): Parquet['columnData'][0] => ({
  name,
  data: Array(count).fill(text),
  type: 'STRING',
});
const PARQUETS: Readonly<Record<string, (n: number) => Parquet>> = {
  rows: (n) => ({ columnData: [strings('text', n * 10)] }),
  groups: (n) => ({ columnData: [strings('text', n / 10)], rowGroupSize: 1 }),
  columns: (n) => ({
    columnData: [strings('text', 1), ...Array.from({ length: n / 10 }, (_, i) => strings(`c${i}`, 1))],
  }),
  pages: (n) => ({ columnData: [strings('text', n, 'some words')], pageSize: 20 }),
  metadata: (n) => ({
    columnData: [strings('text', 1)],
    kvMetadata: Array.from({ length: n * 10 }, (_, i) => ({ key: `k${i}`, value: 'v' })),
  }),
  dictionary: (n) => ({
    columnData: [{ name: 'text', data: Array.from({ length: n }, (_, i) => `w${i % (n / 2)}`), type: 'STRING' }],
  }),
};

const parquetFamilies = familiesOf('parquet-', 20_000, PARQUETS, async (table) => {
  const bytes = new Uint8Array(parquetWriteBuffer(table));
  for await (const _ of readParquet(accessOf(bytes), { textField: 'text' }));
});

/** Rows that name one text of one dictionary page: a dozen bytes for any number of rows. */
const dictionaryFamilies = familiesOf(
  'parquet-',
  20_000,
  { 'one dictionary page': (n: number) => rawParquet({ pages: dictionaryBomb('x', n * 10), groups: [n * 10] }) },
  async (bytes) => {
    for await (const _ of readParquet(accessOf(bytes), { textField: 'text' }));
  },
);

/** A ZIP archive whose directory names one member `count` times. */
async function sharedMembers(count: number): Promise<Uint8Array> {
  const one = Buffer.from(await packageOf({ 'a.txt': 'x' }));
  const end = one.length - 22;
  const from = one.readUInt32LE(end + 16);
  const directory = Buffer.concat(Array.from({ length: count }, () => one.subarray(from, end)));
  const tail = Buffer.from(one.subarray(end));
  tail.writeUInt16LE(count, 8);
  tail.writeUInt16LE(count, 10);
  tail.writeUInt32LE(directory.length, 12);
  return Buffer.concat([one.subarray(0, from), directory, tail]);
}

const sharedFamilies = familiesOf(
  'zip: ',
  20_000,
  { 'members that share bytes': (n: number) => sharedMembers(n / 10) },
  async (archive) => {
    for await (const _ of readZip(accessOf(await archive)));
  },
);

/** The second and later members called `a` get the names `a#2`, `a#3` and so on, which are taken. */
const equalNames: Family = {
  name: 'equal names',
  start: 200_000,
  async run(size) {
    const uniqueName = createUniqueNames();
    for (let i = 0; i < size; i++) uniqueName(`a#${i}`);
    for (let i = 0; i < size; i++) uniqueName('a');
  },
};

export const CONTAINER_FAMILIES: readonly Family[] = [
  ...epubFamilies,
  ...zipFamilies,
  ...sharedFamilies,
  ...parquetFamilies,
  ...dictionaryFamilies,
  equalNames,
];
