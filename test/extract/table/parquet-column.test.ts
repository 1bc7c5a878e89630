import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { concatenate } from '../../../src/common/bytes.ts';
import { addParquetColumn } from '../../../src/extract/table/parquet-column.ts';
import { BINARY, binary, LIST, parseThrift, STRUCT, structOf, writeThrift } from '../../../src/extract/table/thrift.ts';
import { accessTo } from '../archive/reading.ts';

type Values = (value: unknown, index: number) => Uint8Array | null;

/** Adds a column `added` of 2 bytes. */
async function add(bytes: Uint8Array, valueAt: Values, names = ['n'], inflated = 1 << 30): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  async function* valuesOf(rows: AsyncIterable<readonly unknown[]>) {
    let index = 0;
    for await (const row of rows) yield valueAt(row[0], index++);
  }
  const columns = [...names.map((name) => ({ names: [name] })), { names: ['not there'], isOptional: true }];
  const column = { name: 'added', width: 2, columns, valuesOf };
  await addParquetColumn(accessTo(bytes), column, async (part) => void parts.push(part.slice()), {
    inflated,
    ratio: 100,
  });
  return concatenate([...parts, new Uint8Array(0)]);
}

const read = (bytes: Uint8Array) =>
  parquetReadObjects({ file: bytes.slice().buffer as ArrayBuffer, parsers: { stringFromBytes: (each) => `${each}` } });

const bytesOf = (index: number) => Uint8Array.of(index >> 8, index);

/** Splits a file at its metadata. */
function split(bytes: Uint8Array) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(bytes.length - 8, true);
  const start = bytes.length - 8 - length;
  return { data: bytes.slice(0, start), footer: bytes.slice(start, -8) };
}

/** Replaces the metadata of a file. */
function withFooter(bytes: Uint8Array, footer: Uint8Array): Uint8Array {
  const tail = Buffer.from('....PAR1');
  tail.writeUInt32LE(footer.length);
  return concatenate([split(bytes).data, footer, tail]);
}

const numbers = (count: number): ColumnSource => ({
  name: 'n',
  data: Array.from({ length: count }, (_, index) => index),
  type: 'INT32',
});

const write = (columnData: ColumnSource[], options: object = {}) =>
  new Uint8Array(parquetWriteBuffer({ columnData, ...options }));

const SMALL = write([
  numbers(3),
  { name: 'text', data: ['a', null, 'c'], type: 'STRING' },
  { name: 'time', data: [new Date(0), new Date(1), new Date(2)], type: 'TIMESTAMP' },
]);

describe('the new Parquet file', () => {
  test('has the rows with the column, null where there is no value', async () => {
    const added = await add(SMALL, (n, index) => (index === 1 ? null : bytesOf(Number(n) + 257)));
    const expected = [Uint8Array.of(1, 1), null, Uint8Array.of(1, 3)];
    expect(await read(added)).toEqual((await read(SMALL)).map((row, index) => ({ ...row, added: expected[index] })));
  });

  test('begins with all bytes of the old one up to its metadata', async () => {
    const [before, after] = [split(SMALL), split(await add(SMALL, () => null))];
    expect(after.data.subarray(0, before.data.length)).toEqual(before.data);
  });

  test.each([
    [0, [0]],
    [5, [1, 2, 2]],
    [140_000, [140_000]],
    [140_003, [70_000, 70_003]],
  ])('has %i rows in row groups of %j', async (count, rowGroupSize) => {
    const bytes = write([numbers(count)], { rowGroupSize });
    const added = await add(bytes, (n, index) => (index % 3 === 0 ? null : bytesOf(Number(n))));
    const values = (await read(added)).map(({ added: each }) => each && Buffer.from(each).readUInt16BE());
    expect(values).toEqual(Array.from({ length: count }, (_, n) => (n % 3 === 0 ? null : n & 0xffff)));
    const { row_groups: groups } = await parquetMetadataAsync({
      byteLength: added.length,
      slice: (start, end) => added.slice(start, end).buffer as ArrayBuffer,
    });
    for (const { total_byte_size: total, columns } of groups) {
      const sizes = columns.map((each) => Number(each.meta_data!.total_uncompressed_size));
      expect(Number(total)).toBe(sizes.reduce((sum, size) => sum + size, 0));
    }
  });

  test('lists the column in every list of columns', async () => {
    const fields = [{ name: 'n', type: 'integer', nullable: true, metadata: {} }];
    const spark = 'org.apache.spark.sql.parquet.row.metadata';
    const pairs = [
      ['ARROW:schema', 'AAAA'],
      [spark, JSON.stringify({ type: 'struct', fields })],
      ['other', 'x'],
    ] as const;
    const kvMetadata = pairs.map(([key, value]) => ({ key, value }));
    const plain = write([numbers(1)], { kvMetadata });
    const footer = parseThrift(split(plain).footer);
    const order = structOf([1, STRUCT, structOf()]);
    footer.fields.push({ id: 7, type: LIST, value: { type: STRUCT, values: [order] } });
    const added = parseThrift(split(await add(withFooter(plain, writeThrift(footer)), () => null)).footer);
    const fieldOf = (id: number) => added.fields.find((field) => field.id === id)!.value;
    expect(fieldOf(7)).toEqual({ type: STRUCT, values: [order, order] });
    const column = { name: 'added', type: 'binary', nullable: true, metadata: {} };
    const pairOf = (key: string, value: string) => structOf([1, BINARY, binary(key)], [2, BINARY, binary(value)]);
    expect(fieldOf(5)).toEqual({
      type: STRUCT,
      values: [pairOf(spark, JSON.stringify({ type: 'struct', fields: [...fields, column] })), pairOf('other', 'x')],
    });
  });
});

describe('addParquetColumn rejects', () => {
  test.each([
    [
      'a file without a column',
      ['n', 'a', 'b'],
      'unsupported-media-type',
      'has no columns "a" and "b": its columns are n, text, time',
    ],
    ['a file with too large a row group', ['n'], 'too-large', 'rows 1 to 3 are one row group'],
  ])('%s', async (_, required, code, message) => {
    const limit = code === 'too-large' ? 1 : undefined;
    const error = expect.objectContaining({ code, message: expect.stringContaining(message) });
    await expect(add(SMALL, () => null, required, limit)).rejects.toEqual(error);
  });

  test('a file that has the column', async () => {
    const once = await add(SMALL, () => null);
    await expect(add(once, () => null)).rejects.toThrow('already has a column "added": remove it first');
  });

  test('an encrypted file', async () => {
    const footer = parseThrift(split(SMALL).footer);
    footer.fields.push({ id: 8, type: STRUCT, value: structOf() });
    const message = 'is encrypted Parquet, to which no column can be added';
    await expect(add(withFooter(SMALL, writeThrift(footer)), () => null)).rejects.toThrow(message);
  });

  test('damaged metadata for any changed byte, or adds the column', async () => {
    const { footer } = split(SMALL);
    const codes = new Set<unknown>();
    for (let at = 0; at < footer.length; at++)
      for (const value of [0, 0x7f, 0xff, footer[at]! ^ 1, footer[at]! ^ 0x80])
        await add(withFooter(SMALL, footer.with(at, value)), () => null).catch((error) => codes.add(error.code));
    expect(
      [...codes].filter((code) => !['damaged', 'too-large', 'unsupported-media-type'].includes(`${code}`)),
    ).toEqual([]);
    expect(codes.has('damaged')).toBe(true);
  });
});

describe('metadata in Thrift', () => {
  test('are written as they were read', () => {
    const { footer } = split(SMALL);
    expect(writeThrift(parseThrift(footer))).toEqual(footer);
    const long = structOf([1, LIST, { type: BINARY, values: Array.from({ length: 300 }, (_, i) => binary(`${i}`)) }]);
    const far = structOf([1, BINARY, binary('x'.repeat(200))], [40, STRUCT, long], [-3, STRUCT, structOf()]);
    expect(parseThrift(writeThrift(far))).toEqual(far);
  });

  test.each([
    ['an end', [0x15]],
    ['an end in a value', [0x18, 5, 1]],
    ['bytes after it', [0, 0]],
    ['an unknown type', [0x1b, 0]],
    ['a number that does not end', [0x15, ...Array<number>(20).fill(0x80)]],
    ['a list of more than there is', [0x19, 0xfc, 0xff, 0xff, 0xff, 0x7f]],
    ['structures in structures', Array<number>(100_000).fill(0x1c)],
    ['lists in lists', Array<number>(100_000).fill(0x19)],
  ])('are rejected: %s', (_, bytes) => {
    expect(() => parseThrift(Uint8Array.from(bytes))).toThrow(/^thrift: /);
  });
});
