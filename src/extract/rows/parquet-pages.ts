import { decompress } from 'fzstd';
import type { ColumnMetaData, DecodedArray, PageHeader, SchemaTree } from 'hyparquet';
import { concatenate } from '../../common/bytes.ts';
import { headerLength } from '../archive/gzip-member.ts';
import type { RandomAccess } from '../archive/zip.ts';
import { inflateWhole } from '../archive/zlib.ts';
import type { Meter, RowMeters } from '../limits.ts';

/** The modules of hyparquet that decode one page, so that each is checked and counted before. */
async function loadDecoder() {
  const [column, convert, datapage, delta, encoding, schema, thrift] = await Promise.all([
    import('hyparquet/src/column.js'),
    import('hyparquet/src/convert.js'),
    import('hyparquet/src/datapage.js'),
    import('hyparquet/src/delta.js'),
    import('hyparquet/src/encoding.js'),
    import('hyparquet/src/schema.js'),
    import('hyparquet/src/thrift.js'),
  ]);
  return { ...column, ...convert, ...datapage, ...delta, ...encoding, ...schema, ...thrift };
}

type Decoder = Awaited<ReturnType<typeof loadDecoder>>;
type ColumnDecoder = Parameters<Decoder['readPage']>[2];

export interface DecoderOptions {
  readonly compressors: ColumnDecoder['compressors'];
  readonly parsers?: Partial<ColumnDecoder['parsers']>;
  /** False for text that stays bytes. */
  readonly utf8?: boolean;
}

type PageMeters = Pick<RowMeters, 'onPage' | 'onTime'>;

/** The bytes that a value counts for, at each level of its nesting, however short it is. */
const VALUE = 8;

export interface Chunk {
  readonly file: RandomAccess;
  readonly column: ColumnMetaData;
  readonly schemaPath: SchemaTree[];
  readonly rows: number;
}

export async function readPages(chunk: Chunk, options: DecoderOptions, meters: PageMeters): Promise<DecodedArray[]> {
  const decoder = await loadDecoder();
  const pages: DecodedArray[] = [];
  let dictionary: DecodedArray | undefined;
  await visitPages(decoder, chunk, options, meters, (header, page, column) => {
    const last = pages.at(-1);
    const before = last?.length ?? 0;
    const reader = { view: new DataView(page.buffer), offset: 0 };
    const { data } = decoder.readPage(reader, header, column, dictionary, last, 0);
    if (data === undefined) return 0;
    if (header.type === 'DICTIONARY_PAGE') {
      dictionary = decoder.convert(data, column);
      return 0;
    }
    if (data === last) return data.length - before;
    if (data.length > 0) pages.push(data);
    return data.length;
  });
  return pages;
}

/** The levels and values of a column chunk, with null for each value that is not defined. */
export interface Levels {
  readonly values: unknown[];
  /** Empty if the maximum is 0, as the repetition levels. */
  readonly definitionLevels: number[];
  readonly repetitionLevels: number[];
  readonly maxDefinitionLevel: number;
}

/** Decodes the levels and the values of a column chunk as they are stored. Throws as {@link readPages} does. */
export async function readLevels(chunk: Chunk, options: DecoderOptions, meters: PageMeters): Promise<Levels> {
  const decoder = await loadDecoder();
  const max = decoder.getMaxDefinitionLevel(chunk.schemaPath);
  const isNested = decoder.getMaxRepetitionLevel(chunk.schemaPath) > 0;
  const [values, definitionLevels, repetitionLevels]: [unknown[], number[], number[]] = [[], [], []];
  let dictionary: DecodedArray | undefined;
  await visitPages(decoder, chunk, options, meters, (header, page, column) => {
    const { data_page_header: v1, data_page_header_v2: v2 } = header;
    if (v1 === undefined && v2 === undefined) {
      const reader = { view: new DataView(page.buffer), offset: 0 };
      dictionary = decoder.readPage(reader, header, column, undefined, undefined, 0).data;
      return 0;
    }
    const { num_values: count, encoding } = (v1 ?? v2)!;
    const size = header.uncompressed_page_size;
    const { compressors } = column;
    const decoded =
      v1 === undefined
        ? decoder.readDataPageV2(page, header, column)
        : decoder.readDataPage(decoder.decompressPage(page, size, column.codec, compressors), v1, column);
    const isIndex = encoding.endsWith('_DICTIONARY');
    const { dataPage, repetitionLevels: repetitions } = decoded;
    // Levels that are all the maximum are left out.
    const definitions = max > 0 && decoded.definitionLevels?.length ? decoded.definitionLevels : undefined;
    for (let index = 0, at = 0; index < count; index++) {
      const level = definitions === undefined ? max : definitions[index]!;
      const stored = level === max ? dataPage[at++] : null;
      const value: unknown = isIndex && stored !== null ? dictionary?.[stored as number] : stored;
      if (value === undefined || !(level <= max)) throw new Error('parquet: a page has fewer values than it states');
      values.push(value);
      if (max > 0) definitionLevels.push(level);
      if (isNested) repetitionLevels.push(repetitions[index]!);
    }
    return count;
  });
  return { values, definitionLevels, repetitionLevels, maxDefinitionLevel: max };
}

/** Calls `visit` with each page of a column chunk, which returns the number of its values. */
async function visitPages(
  decoder: Decoder,
  { file, column: { codec, type, ...chunk }, schemaPath, rows }: Chunk,
  { compressors, parsers, utf8 = true }: DecoderOptions,
  { onPage, onTime }: PageMeters,
  visit: (header: PageHeader, page: Uint8Array<ArrayBuffer>, column: ColumnDecoder) => number,
): Promise<void> {
  const column: ColumnDecoder = {
    ...{ pathInSchema: chunk.path_in_schema, element: schemaPath.at(-1)!.element, schemaPath },
    ...{ type, codec, utf8 },
    compressors: { ...compressors, ZSTD: decompressZstd, GZIP: decompressGzip },
    parsers: { ...decoder.DEFAULT_PARSERS, ...parsers },
  };
  const isFlat = decoder.isFlatColumn(schemaPath);
  const bytes = await file.read(
    Number(chunk.dictionary_page_offset || chunk.data_page_offset),
    Number(chunk.total_compressed_size),
  );
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let count = 0;
  for (let offset = 0; offset < bytes.length - 1 && (!isFlat || count < rows); ) {
    const start = performance.now();
    const reader = { view, offset };
    const header = decoder.parquetHeader(reader);
    if (!isPossible(header)) throw new Error('parquet: the header of a page has impossible numbers');
    onPage(header.uncompressed_page_size + VALUE * (schemaPath.length - 1) * valuesIn(header));
    // A copy: values of a page that reach beyond its end would overlap.
    const page = new Uint8Array(bytes.subarray(reader.offset, reader.offset + header.compressed_page_size));
    offset = reader.offset + header.compressed_page_size;
    count += visit(header, page, checkedColumn(decoder, column, header, page, onPage));
    onTime(performance.now() - start);
  }
}

function valuesIn({ data_page_header: v1, data_page_header_v2: v2, dictionary_page_header: v0 }: PageHeader): number {
  return (v2 ?? v1 ?? v0)!.num_values;
}

/** Tests whether the sizes and counts of a page are possible: all exist, and none is negative or larger than its whole. */
function isPossible(header: PageHeader): boolean {
  const { uncompressed_page_size: whole, compressed_page_size: size, data_page_header_v2: second } = header;
  const first = header.data_page_header ?? header.dictionary_page_header;
  if (second === undefined) return [whole, size, first?.num_values].every(isCount);
  const { num_values: values, num_nulls: nulls, num_rows: rows } = second;
  const levels = [second.definition_levels_byte_length, second.repetition_levels_byte_length] as const;
  return [whole, ...levels, size - levels[0] - levels[1], rows, nulls, values - rows, values - nulls].every(isCount);
}

function isCount(number: number | undefined): boolean {
  return number !== undefined && number >= 0;
}

/** The values by which a run may exceed its page: writers fill up groups of 8. */
const MAX_PADDING = 512;

/** Returns the decoder of a column for one page, whose content is checked once it is decompressed. */
function checkedColumn(
  decoder: Decoder,
  column: ColumnDecoder,
  header: PageHeader,
  page: Uint8Array,
  onPage: Meter,
): ColumnDecoder {
  const { schemaPath, codec, compressors, type } = column;
  const { data_page_header: v1, data_page_header_v2: v2 } = header;
  if (header.type === 'DICTIONARY_PAGE' || (v1 ?? v2) === undefined) return column;
  const { num_values: count, encoding } = (v2 ?? v1)!;
  const widthOf = (max: number): number => 32 - Math.clz32(max);
  const levels = [
    [widthOf(decoder.getMaxRepetitionLevel(schemaPath)), v2?.repetition_levels_byte_length],
    [widthOf(decoder.getMaxDefinitionLevel(schemaPath)), v2?.definition_levels_byte_length],
  ] as const;

  /** Throws if a run has more values than the page: the parser would write them all. */
  function assertRuns(bytes: Uint8Array, width: number): void {
    const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length), offset: 0 };
    for (let seen = 0; seen < count && reader.offset < bytes.length; ) {
      const head = decoder.readVarInt(reader);
      const run = (head & 1) === 0 ? head >>> 1 : 8 * (head >>> 1);
      if (run > count + MAX_PADDING) throw new Error('parquet: a run has more values than its page');
      reader.offset += (head & 1) === 0 ? (width + 7) >> 3 : (head >>> 1) * width;
      seen += run;
    }
  }

  /** Checks the levels in front of the values, and returns where these start and how many there are. */
  function checkLevels(bytes: Uint8Array): { readonly start: number; readonly values: number } {
    let start = 0;
    let values = v2 === undefined ? count : count - v2.num_nulls;
    for (const [index, [width, size]] of levels.entries()) {
      if (width === 0) continue;
      const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length), offset: start };
      const length = size ?? reader.view.getUint32(start, true);
      start += size === undefined ? 4 : 0;
      assertRuns(bytes.subarray(start, start + length), width);
      if (index === 1 && v2 === undefined && encoding === 'DELTA_BYTE_ARRAY') {
        const defined = new Array<number>(count);
        decoder.readRleBitPackedHybrid(reader, width, defined);
        const max = decoder.getMaxDefinitionLevel(schemaPath);
        values = defined.filter((level) => level === max).length;
      }
      start += length;
    }
    return { start, values };
  }

  function checkValues(bytes: Uint8Array, values: number): void {
    if (encoding === 'DELTA_BYTE_ARRAY') {
      // Each value may repeat any part of the one before.
      const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length), offset: 0 };
      for (let list = 0; list < 2; list++) {
        const lengths = new Int32Array(values);
        decoder.deltaBinaryUnpack(reader, values, lengths);
        onPage(lengths.reduce((sum, length) => sum + Math.max(0, length), 0));
      }
    } else if (encoding === 'RLE' && type === 'BOOLEAN') assertRuns(bytes.subarray(4), 1);
    else if (encoding === 'RLE' || encoding.endsWith('_DICTIONARY')) assertRuns(bytes.subarray(1), bytes[0] ?? 0);
  }

  function checkWhole(bytes: Uint8Array): Uint8Array {
    const { start, values } = checkLevels(bytes);
    checkValues(bytes.subarray(start), values);
    return bytes;
  }

  const isCompressed = codec !== 'UNCOMPRESSED' && v2?.is_compressed !== false;
  if (!isCompressed) checkWhole(page);
  const { values } = isCompressed && v2 !== undefined ? checkLevels(page) : { values: 0 };
  const known = compressors?.[codec];
  if (!isCompressed || known === undefined) return column;
  const decompressed = (input: Uint8Array, length: number): Uint8Array => {
    // Decoders fail at pages without values, of which some writers compress nothing.
    const output = length === 0 ? new Uint8Array(0) : known(input, length);
    if (v2 === undefined) checkWhole(output);
    else checkValues(output, values);
    return output;
  };
  return { ...column, compressors: { [codec]: decompressed } };
}

/** Decompresses a page of known length: the parser's own decoder would go on after it. */
function decompressGzip(input: Uint8Array, length: number): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let [at, left] = [0, length]; at < input.length; ) {
    const start = headerLength(input.subarray(at));
    if (typeof start === 'string') throw new Error(`parquet: damaged gzip: ${start}`);
    const inflated = inflateWhole(input.subarray(at + start), left);
    if ('failure' in inflated) throw new Error('parquet: damaged gzip: it is larger than its page, or altered');
    parts.push(inflated.output);
    left -= inflated.output.length;
    at += start + inflated.read + GZIP_TRAILER;
  }
  return concatenate(parts);
}

const GZIP_TRAILER = 8;

/** Decompresses a page of known length: fzstd allocates what the headers of frames say of their size, or of their window. */
function decompressZstd(input: Uint8Array, length: number): Uint8Array {
  const size = contentSizeOf(input);
  // Slow, since fzstd compares the buffer with a number.
  if (size === undefined) return decompress(input, new Uint8Array(length));
  if (size === length) return decompress(input);
  throw new Error(`parquet decompressed page length ${size} does not match header ${length}`);
}

/** The size of the content of frames by their headers (RFC 8878); undefined unless all have one. */
function contentSizeOf(frames: Uint8Array): number | undefined {
  let total = 0;
  const numberAt = (at: number, bytes: number): number => {
    let value = 0;
    for (let i = 0; i < bytes; i++) value += (frames[at + i] ?? 0) * 256 ** i;
    return value;
  };
  for (let at = 0; at < frames.length; ) {
    const flags = frames[at + 4] ?? 0;
    const isSingle = (flags & 0x20) !== 0;
    const bytes = flags >> 6 === 0 ? Number(isSingle) : 1 << (flags >> 6);
    if (numberAt(at, 4) !== 0xfd2fb528 || bytes === 0) return undefined;
    at += (isSingle ? 5 : 6) + [0, 1, 2, 4][flags & 3]!;
    total += numberAt(at, bytes) + (bytes === 2 ? 256 : 0);
    at += bytes;
    for (let isLast = false; !isLast && at < frames.length; ) {
      const head = numberAt(at, 3);
      isLast = (head & 1) === 1;
      at += 3 + (((head >> 1) & 3) === 1 ? 1 : head >> 3);
    }
    at += (flags & 4) === 0 ? 0 : 4;
  }
  return total;
}
