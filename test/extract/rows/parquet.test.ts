import { gunzipSync, gzipSync } from 'node:zlib';
import type { SchemaTree } from 'hyparquet';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { concatenate } from '../../../src/common/bytes.ts';
import { readParquet } from '../../../src/extract/rows/parquet.ts';
import { copyParquet, describeSchema } from '../../../src/extract/rows/parquet-copy.ts';
import { parquetColumns, readMetadata, schemaOf } from '../../../src/extract/rows/parquet-file.ts';
import { readLevels } from '../../../src/extract/rows/parquet-pages.ts';
import { accessTo } from '../archive/reading.ts';
import {
  DELTA_BYTE_ARRAY,
  dictionaryBomb,
  GZIP,
  plainTexts,
  type RawPage,
  type RawParquet,
  RLE_DICTIONARY,
  rawParquet,
  varint,
} from './raw-parquet.ts';

const write = (columnData: ColumnSource[]) => new Uint8Array(parquetWriteBuffer({ columnData }));

async function read(bytes: Uint8Array, textField: string) {
  const rows = [];
  for await (const { content } of readParquet(accessTo(bytes), { textField }))
    rows.push('text' in content ? content.text : content.failure);
  return rows;
}

const BYTES = write([
  { name: 'text', data: ['some words', 'more words'], type: 'STRING' },
  { name: 'number', data: [1, 2], type: 'INT32' },
  { name: 'time', data: [new Date(0), new Date(1)], type: 'TIMESTAMP' },
  { name: 'list', data: [['a'], ['b']], type: 'JSON' },
  { name: 'octets', data: [Uint8Array.of(0xff), Uint8Array.of(0x61)], type: 'BYTE_ARRAY' },
]);

describe('a column without text is reported', () => {
  test.each([
    ['number', 'INT32'],
    ['time', 'TIMESTAMP_MILLIS'],
  ])('by its type: %s', async (name, type) => {
    await expect(read(BYTES, name)).rejects.toMatchObject({
      code: 'no-text',
      message: `the column "${name}" holds ${type}, not text: its columns of text are text, list, octets`,
    });
    const alone = write([{ name: 'a', data: [true], type: 'BOOLEAN' }]);
    await expect(read(alone, 'a')).rejects.toThrow('holds BOOLEAN, not text: it has no columns of text');
  });

  test('by its values', async () => {
    expect(await read(BYTES, 'text')).toEqual(['some words', 'more words']);
    const failure = { code: 'no-text', message: 'row 1: the field "list" is not text but a list' };
    expect((await read(BYTES, 'list'))[0]).toEqual(failure);
    const message = 'row 1: the field "octets" is not text but binary data that is not UTF-8';
    expect(await read(BYTES, 'octets')).toEqual([{ code: 'damaged', message }, 'a']);
  });
});

test('a file whose parts are views of a Buffer is read', async () => {
  expect(await read(Buffer.concat([Buffer.of(0), BYTES]).subarray(1), 'text')).toEqual(['some words', 'more words']);
});

describe('damage is reported with its place', () => {
  test('in the metadata', async () => {
    const bytes = BYTES.slice();
    const end = bytes.length - 8;
    bytes.fill(0xff, end - new DataView(bytes.buffer).getUint32(end, true), end);
    for (const action of [() => read(bytes, 'text'), () => parquetColumns(accessTo(bytes))])
      await expect(action()).rejects.toMatchObject({
        code: 'damaged',
        message: expect.stringMatching(/^damaged Parquet: cannot read its metadata(: (parquet|thrift) .*)?$/),
      });
  });

  test.each([0x64, 0xff])('in a column, without the messages of an engine: %i', async (value) => {
    const bytes = BYTES.slice();
    bytes.fill(value, 4, 40);
    await expect(read(bytes, 'text')).rejects.toMatchObject({
      code: 'damaged',
      message: expect.stringMatching(
        /^damaged Parquet: cannot read the column "text" in rows 1 to 2(: (?!.*undefined)(parquet|thrift) .*)?$/,
      ),
    });
  });

  test('for any changed byte', async () => {
    const codes = new Set<unknown>();
    const bytes = write([{ name: 'text', data: ['some words', 'more words'], type: 'STRING' }]);
    for (let at = 0; at < bytes.length; at++)
      for (const value of [0, 0x7f, 0xff, bytes[at]! ^ 1, bytes[at]! ^ 0x80])
        await read(bytes.with(at, value), 'text').catch((error) => codes.add(error.code));
    expect([...codes].filter((code) => !['damaged', 'no-text', 'too-large'].includes(`${code}`))).toEqual([]);
  });
});

describe('a small file that stands for much', () => {
  /** Values each of which repeats `length` bytes of the one before, as all lengths of prefixes are equal. */
  const repeated = (rows: number, length: number): RawPage => {
    const equal = (value: number) => [
      128,
      1,
      1,
      ...varint(rows),
      ...varint(2 * value),
      ...Array(rows / 128)
        .fill([0, 0])
        .flat(),
    ];
    return { content: Uint8Array.from([...equal(length), ...equal(0)]), values: rows, encoding: DELTA_BYTE_ARRAY };
  };
  const text = 'some words '.repeat(1000);
  const nulls = (rows: number): RawPage => {
    const runs = [...varint(2 * rows), 0];
    return { content: Uint8Array.from([runs.length, 0, 0, 0, ...runs]), values: rows };
  };
  const run = Uint8Array.from([1, ...varint(2 * 2 ** 30), 0]);
  const zeros = (codec: (bytes: Uint8Array) => Uint8Array, size: number, stated: number): RawPage => ({
    content: codec(new Uint8Array(size)),
    values: 1,
    size: stated,
  });

  test.each<[string, RawParquet, code?: string, limits?: object]>([
    ['rows of one dictionary page', { pages: dictionaryBomb(text, 100_000), groups: [100_000] }],
    ['rows of one row group', { pages: dictionaryBomb(text, 500), groups: [500] }, 'too-large', { inflated: 1 << 20 }],
    ['row groups that share bytes', { pages: dictionaryBomb(text, 50), groups: Array(100).fill(50) }],
    ['empty rows', { pages: dictionaryBomb('', 2 ** 30), groups: [2 ** 30] }],
    ['rows that are null', { pages: [nulls(2 ** 30)], groups: [2 ** 30], isOptional: true }],
    ['rows without a page', { pages: [], groups: [2 ** 40] }],
    [
      'a run that is longer than its page',
      {
        pages: [...dictionaryBomb('a', 9).slice(0, 1), { content: run, values: 9, encoding: RLE_DICTIONARY }],
        groups: [9],
      },
      'damaged',
    ],
    ['a page of text that states its size', { pages: [zeros(gzipSync, 1 << 26, 1 << 26)], groups: [1], codec: GZIP }],
    [
      'a page of text that states a smaller size',
      { pages: [zeros(gzipSync, 1 << 26, 100)], groups: [1], codec: GZIP },
      'damaged',
    ],
    ['prefixes that repeat a value', { pages: [repeated(128_000, 10_000)], groups: [128_000] }],
    [
      'values that reach beyond their page',
      {
        pages: [
          { content: plainTexts(['x'.repeat(99)]).subarray(0, 4), values: 1 },
          { content: plainTexts(['x'.repeat(99)]), values: 1 },
        ],
        groups: [2],
      },
      'damaged',
    ],
  ])('is refused: %s', async (_name, file, code = 'too-large', limits = { ratio: 1 }) => {
    let length = 0;
    const rows = async () => {
      const options = { textField: 'text', limits };
      for await (const { content } of readParquet(accessTo(rawParquet(file)), options))
        length += 'text' in content ? content.text.length : 0;
    };
    await expect(rows()).rejects.toMatchObject({ code });
    expect(length).toBeLessThanOrEqual(2 ** 25);
  });

  test('is read within the limits', async () => {
    const file = rawParquet({ pages: dictionaryBomb('some words', 1000), groups: [1000, 1000] });
    expect(await read(file, 'text')).toEqual(Array(2000).fill('some words'));
  });
});

describe('a copy', () => {
  /** Columns of pyarrow: text, int8, uint16, a map, INT96, and two of the same name. */
  const COLUMNS = gunzipSync(
    Buffer.from(
      'H4sIAAAAAAACA4VUz2vTUBz/9iV9xFHnOn2PF4lrERPnaMcmbOwwpNvK/EGRIjvPJm22Fduu9sfUg7DuIMJ6UcSLoHMIgngRET14Gh4UdvE2r5' +
        '6Hf4Gi7yX9segaQw7J930+38+PQNIz18YJkBEyHyOYP2CCNQCIbCogLiRlrUwmk83JD0l0ezC5EIBHoW8Rwo84WCMX/FhLv47JuwkKi7un1H6X' +
        'ceY/Oj9/P2s0wp8tZMFZ7eTRQZc1Ra7GiNJbx8IP3jLWWDh9/xIKf4GvSRbWXKaTy5/5XmUzJwYkeFncXG/lmiYp31z2+sbF+KsxYy7xZESC7T' +
        'c7d4cOyPnXeC+6oySZBPbw3F5HbtaflQhE9p83MWy92//hKMnqxwlguJpdsYsm6QcS0hGTa/btmg4pJzrig2C1aBYK+lDq9XEl3B4q9VI1v1yy' +
        'czrj8wHR8ARiUtEsE0RQKibeZXbkhn3n+ppZqNtEFtuBSXziWe6ccs+Ocr5ouybccRvY1wVSrGpq0wCNhFQdg+raJTLFNE0LhnJZI6ILBNMciV' +
        'UDMF8g4MiFu2Ec/CzNGbUu/hxHI9mL7qR0CFe4wF7Ay+jsd+1MiQa6qUVaTlXoIq0Zn5DHnIGROgnI6+8vfrDVHd8g0n2QDogL/jygjmXc7oOX' +
        '6Ni1aMV4IfcI2GqvI+DW9zjYs7++fwgWXTE28CF10KdBig2FfscwHC2blZt1uxbPlstxs1JZvRVdsyvV/Gopen5ydGx0XG3yT3zoDVsIIM1/LH' +
        '8A49oZTF0EAAA=',
      'base64',
    ),
  );

  async function copyOf(bytes: Uint8Array, isKept: (index: number) => boolean): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    async function* inputs() {
      yield { name: 'a', file: accessTo(bytes), isKept };
    }
    await copyParquet(inputs(), async (part) => void parts.push(part), { inflated: 1 << 20, ratio: 1000 });
    return concatenate(parts);
  }

  /** The values of each column as they are stored, with the number of rows. */
  async function columnsIn(bytes: Uint8Array) {
    const metadata = await readMetadata(accessTo(bytes));
    const { columns, num_rows: rows } = metadata.row_groups[0]!;
    let index = 0;
    const visit = async (path: SchemaTree[]): Promise<unknown[]> => {
      const { children } = path.at(-1)!;
      const inner: unknown[] = [];
      for (const child of children) inner.push(...(await visit([...path, child])));
      if (children.length > 0) return inner;
      const column = columns[index++]!.meta_data!;
      const chunk = { file: accessTo(bytes), column, schemaPath: path, rows: Number(rows) };
      const { values } = await readLevels(
        chunk,
        { compressors: {}, utf8: false },
        { onPage: () => 0, onTime: () => 0 },
      );
      return [
        [column.codec, values.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString() : value))],
      ];
    };
    const schema = metadata.schema.map(({ converted_type: _, logical_type: __, ...stored }) => stored);
    return visit([await schemaOf({ ...metadata, schema })]);
  }

  test('has the schema byte by byte, the codec, and the rows of every type', async () => {
    const copy = await copyOf(COLUMNS, (index) => index !== 1);
    // As in pyarrow, the width of an integer is a byte.
    const schema = COLUMNS.subarray(COLUMNS.indexOf('schema'));
    expect(Buffer.from(copy).includes(schema.subarray(0, schema.indexOf('value')))).toBe(true);
    const nanos = (await columnsIn(COLUMNS))[5] as [string, bigint[]];
    expect(await columnsIn(copy)).toEqual([
      ['GZIP', ['x', 'z']],
      ['GZIP', [-1, 3]],
      ['GZIP', [65535, 2]],
      ['GZIP', ['a', 'b', 'c']],
      ['GZIP', [1, null, 3]],
      ['GZIP', [nanos[1][0], nanos[1][2]]],
      ['GZIP', ['1', '3']],
      ['GZIP', [0, -0]],
    ]);
  });

  test('needs a text field of one column', async () => {
    expect(await describeSchema(accessTo(COLUMNS), 'a')).toMatchObject({ changed: [] });
    await expect(read(COLUMNS, 'value')).rejects.toMatchObject({ message: 'has several columns "value"' });
  });
});
