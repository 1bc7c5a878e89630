import { concatenate } from '../../../src/common/bytes.ts';
import { BINARY, binary, I32, I64, integer, LIST, STRUCT, structOf, type ThriftStruct, writeThrift } from './thrift.ts';

/** The numbers of encodings, and of codecs. */
export const [PLAIN, RLE_DICTIONARY, DELTA_BYTE_ARRAY, UNCOMPRESSED, GZIP, ZSTD] = [0, 8, 7, 0, 2, 6];

export interface RawPage {
  /** The content, compressed or not. */
  readonly content: Uint8Array;
  /** The number of values that the header states. */
  readonly values: number;
  readonly encoding?: number;
  readonly isDictionary?: boolean;
  /** The size after decompression that the header states. Default: the size of the content. */
  readonly size?: number;
}

/** The parts of a file with one column of text, `text`, whose pages may state anything. */
export interface RawParquet {
  readonly pages: readonly RawPage[];
  readonly codec?: number;
  /** The number of rows of each row group; all of them name the same pages. */
  readonly groups: readonly number[];
  /** True if a value may be null: then each page begins with levels. */
  readonly isOptional?: boolean;
}

/** Writes a Parquet file byte by byte: the headers of pages are believed by readers. */
export function rawParquet({ pages, codec = UNCOMPRESSED, groups, isOptional = false }: RawParquet): Uint8Array {
  const magic = new TextEncoder().encode('PAR1');
  const body = concatenate(pages.flatMap((page) => [writeThrift(headerOf(page)), page.content]));
  const element = structOf(
    [1, I32, integer(6)],
    [3, I32, integer(Number(isOptional))],
    [4, BINARY, binary('text')],
    [6, I32, integer(0)],
  );
  const root = structOf([4, BINARY, binary('schema')], [5, I32, integer(1)]);
  const rowGroups = groups.map((rows) => {
    const chunk = structOf(
      [1, I32, integer(6)],
      [2, LIST, { type: I32, values: [integer(RLE_DICTIONARY)] }],
      [3, LIST, { type: BINARY, values: [binary('text')] }],
      [4, I32, integer(codec)],
      [5, I64, integer(rows)],
      [6, I64, integer(body.length)],
      [7, I64, integer(body.length)],
      [9, I64, integer(magic.length)],
    );
    const column = structOf([2, I64, integer(magic.length)], [3, STRUCT, chunk]);
    return structOf(
      [1, LIST, { type: STRUCT, values: [column] }],
      [2, I64, integer(body.length)],
      [3, I64, integer(rows)],
    );
  });
  const footer = writeThrift(
    structOf(
      [1, I32, integer(1)],
      [2, LIST, { type: STRUCT, values: [root, element] }],
      [3, I64, integer(groups.reduce((sum, rows) => sum + rows, 0))],
      [4, LIST, { type: STRUCT, values: rowGroups }],
    ),
  );
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, footer.length, true);
  return concatenate([magic, body, footer, length, magic]);
}

function headerOf({
  content,
  values,
  encoding = PLAIN,
  isDictionary = false,
  size = content.length,
}: RawPage): ThriftStruct {
  const sizes = [
    [2, I32, integer(size)],
    [3, I32, integer(content.length)],
  ] as const;
  const dictionary = structOf([1, I32, integer(values)], [2, I32, integer(PLAIN)]);
  if (isDictionary) return structOf([1, I32, integer(2)], ...sizes, [7, STRUCT, dictionary]);
  const data = structOf(
    [1, I32, integer(values)],
    [2, I32, integer(encoding)],
    [3, I32, integer(3)],
    [4, I32, integer(3)],
  );
  return structOf([1, I32, integer(0)], ...sizes, [5, STRUCT, data]);
}

/** Values in the encoding PLAIN. */
export function plainTexts(texts: readonly string[]): Uint8Array {
  return concatenate(
    texts.flatMap((text) => {
      const length = new Uint8Array(4);
      new DataView(length.buffer).setUint32(0, text.length, true);
      return [length, new TextEncoder().encode(text)];
    }),
  );
}

/** Writes a number in groups of seven bits. */
export function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(Math.floor(value / 128))];
}

/** A dictionary of one text, and a page that names it `rows` times: a dozen bytes for any number of rows. */
export function dictionaryBomb(text: string, rows: number): RawPage[] {
  return [
    { content: plainTexts([text]), values: 1, isDictionary: true },
    { content: Uint8Array.of(1, ...varint(2 * rows), 0), values: rows, encoding: RLE_DICTIONARY },
  ];
}
