import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { readParquet } from '../../../src/extract/table/parquet.ts';
import { parquetColumns } from '../../../src/extract/table/parquet-file.ts';
import { accessTo } from '../archive/reading.ts';

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
