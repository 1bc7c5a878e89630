import * as zlib from 'node:zlib';
import type { ColumnMetaData, CompressionCodec, SchemaElement, SchemaTree } from 'hyparquet';
import { concatenate } from '../../common/bytes.ts';
import { quote } from '../../common/text.ts';
import type { RandomAccess } from '../archive/zip.ts';
import { extractionError } from '../errors.ts';
import { createRowMeters, type ExtractionLimits } from '../limits.ts';
import {
  groupTooLarge,
  loadParquet,
  loadParquetWriter,
  METADATA,
  parsing,
  partOf,
  readMetadata,
  rowGroupsOf,
  schemaOf,
  sizeOfValue,
} from './parquet-file.ts';
import { type Levels, readLevels } from './parquet-pages.ts';

type WriteBytes = (bytes: Uint8Array) => Promise<void>;

export interface ParquetInput {
  readonly name: string;
  readonly file: RandomAccess;
  /** Decides about a row, given its number from 0. */
  readonly isKept: (index: number) => boolean;
}

/** Codecs of Node; `hyparquet-writer` has Snappy. Node 20 does not compress Zstandard. */
const { zstdCompressSync } = zlib as { zstdCompressSync?: (bytes: Uint8Array) => Uint8Array };
const COMPRESSORS: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  GZIP: (bytes) => zlib.gzipSync(bytes),
  BROTLI: (bytes) => zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 } }),
  ...(zstdCompressSync !== undefined && { ZSTD: zstdCompressSync }),
};

/** Returns the codec of a copy: the same, or Snappy for LZ4, and for Zstandard in Node before 22.15. */
function outputCodec(codec: CompressionCodec): CompressionCodec {
  return codec === 'UNCOMPRESSED' || Object.hasOwn(COMPRESSORS, codec) ? codec : 'SNAPPY';
}

/**
 * Copies rows of Parquet files of one schema into one, column by column as they are stored, and the schema byte by
 * byte. Memory: a column of a row group of at most `inflated` bytes.
 */
export async function copyParquet(
  inputs: AsyncIterable<ParquetInput>,
  write: WriteBytes,
  limits: Pick<ExtractionLimits, 'inflated' | 'ratio'>,
): Promise<void> {
  const limit = limits.inflated;
  const { ByteWriter, ParquetWriter } = await loadParquetWriter();
  const { writeColumn } = await import('hyparquet-writer/src/column.js');
  const { compressors: decompressors } = await loadParquet();
  const bytes = new ByteWriter();
  const flush = async (): Promise<void> => {
    await write(bytes.getBytes().slice());
    bytes.index = 0;
  };
  const writer = new ParquetWriter({ writer: bytes, schema: [{ name: 'schema' }], createdBy: 'simhash-doc' });
  const compressors = { SNAPPY: writer.compressors.SNAPPY!, ...COMPRESSORS };
  let first: { readonly schema: string; readonly footer: Uint8Array } | undefined;
  for await (const { name, file, isKept } of inputs) {
    const metadata = await readMetadata(file, { geoparquet: false });
    const schema = asText(metadata.schema);
    first ??= { schema, footer: await footerOf(file) };
    if (first.schema !== schema)
      throw extractionError('unsupported-media-type', `${name} has another schema than the first file`);
    const root = await schemaOf({ ...metadata, schema: metadata.schema.map(asStored) });
    const columns = root.children.map(({ element }) => element.name);
    const leaves = pathsOf([root]);
    const meters = createRowMeters(limits, () => file.size);
    for (const { start, end, chunks } of rowGroupsOf(metadata, columns, limit)) {
      const rows = Array.from({ length: end - start }, (_, index) => isKept(start + index));
      const kept = rows.filter(Boolean).length;
      if (kept === 0) continue;
      const offset = bytes.offset;
      let size = 0;
      const onPage = (page: number): void => {
        size += page;
        meters.onPage(page);
        if (size > limit) throw groupTooLarge(start, end, limit);
      };
      const written = [];
      for (const [index, chunk] of chunks.entries()) {
        const schemaPath = leaves[index]!;
        const elements = schemaPath.map(({ element }) => element);
        const { type, type_length } = elements.at(-1)!;
        const pageData = await parsing(partOf([chunk.path_in_schema.join('.')], start, end), async () => {
          const column = { ...chunk, type: type! };
          const options = { compressors: decompressors, utf8: false };
          const meter = { onPage, onTime: meters.onTime };
          const levels = await readLevels({ file, column, schemaPath, rows: rows.length }, options, meter);
          return levelsOf(levels, rows);
        });
        meters.onRow(pageData.values.reduce<number>((sum, value) => sum + sizeOfValue(value), 0));
        const column = {
          columnName: chunk.path_in_schema.join('.'),
          // Repeated values have levels like any other.
          element: { name: '', type: type!, ...(type_length !== undefined && { type_length }) },
          schemaPath: elements,
          codec: outputCodec(chunk.codec),
          compressors,
          // A dictionary has no place for both 0 and -0.
          ...((type === 'FLOAT' || type === 'DOUBLE') && { encoding: 'PLAIN' as const }),
          ...{ stats: false, pageSize: 1 << 20, columnIndex: false, offsetIndex: false },
        };
        const result = writeColumn({ writer: bytes, column, pageData });
        const { key_value_metadata } = chunk;
        const meta_data = {
          ...result.chunk.meta_data!,
          type: chunk.type,
          ...(key_value_metadata && { key_value_metadata }),
        };
        written.push({ ...result.chunk, meta_data });
        await flush();
      }
      writer.num_rows += BigInt(kept);
      writer.row_groups.push({
        columns: written,
        total_byte_size: written.reduce((sum, { meta_data }) => sum + meta_data.total_uncompressed_size, 0n),
        num_rows: BigInt(kept),
        total_compressed_size: BigInt(bytes.offset - offset),
      });
    }
  }
  if (first === undefined) return;
  await flush();
  await writer.finish();
  const own = bytes.getBytes().slice();
  await write(await withDescription(own.subarray(0, own.length - TRAILER), first.footer));
}

/** Describes a schema for comparison, and lists the codecs that change in a copy. Rejects what cannot be copied. */
export async function describeSchema(
  file: RandomAccess,
  name: string,
): Promise<{ readonly schema: string; readonly changed: readonly string[] }> {
  await loadParquetWriter();
  const metadata = await readMetadata(file, { geoparquet: false });
  const leaves = pathsOf([await schemaOf(metadata)]);
  const codecs = new Set<CompressionCodec>();
  for (const { columns } of metadata.row_groups)
    for (const [index, path] of leaves.entries()) {
      const refuse = (reason: string): never => {
        const column = path
          .slice(1)
          .map(({ element }) => element.name)
          .join('.');
        throw extractionError('unsupported-media-type', `${name}: the column ${quote(column)} ${reason}`);
      };
      const chunk = columns[index];
      if (chunk?.meta_data === undefined || chunk.crypto_metadata !== undefined) return refuse('is encrypted');
      if (chunk.file_path !== undefined) return refuse('is in another file');
      if (!isOf(chunk.meta_data, path)) return refuse('is not where the schema has it');
      codecs.add(chunk.meta_data.codec);
    }
  return { schema: asText(metadata.schema), changed: [...codecs].filter((codec) => outputCodec(codec) !== codec) };
}

function isOf({ path_in_schema, type }: ColumnMetaData, path: readonly SchemaTree[]): boolean {
  const names = path.slice(1).map(({ element }) => element.name);
  return JSON.stringify(names) === JSON.stringify(path_in_schema) && path.at(-1)!.element.type === type;
}

function pathsOf(path: SchemaTree[]): SchemaTree[][] {
  const { children } = path.at(-1)!;
  return children.length === 0 ? [path] : children.flatMap((child) => pathsOf([...path, child]));
}

/** Returns an element without its logical type, so that values are read and written as they are stored. */
function asStored({ converted_type: _, logical_type: __, ...element }: SchemaElement): SchemaElement {
  return element.type === 'INT96' ? { ...element, type: 'FIXED_LEN_BYTE_ARRAY', type_length: 12 } : element;
}

/** Selects the levels and values of the rows that are kept. Throws if the number of rows is another one. */
function levelsOf(levels: Levels, isKept: readonly boolean[]): Levels & { values: unknown[] } {
  const { values, definitionLevels, repetitionLevels, maxDefinitionLevel } = levels;
  const isFlat = repetitionLevels.length === 0;
  let row = -1;
  const selected = values.map((_, index) => {
    if (isFlat || repetitionLevels[index] === 0) row++;
    return isKept[row] === true;
  });
  if (row + 1 !== isKept.length) throw new Error(`parquet: ${row + 1} rows instead of ${isKept.length}`);
  const pick = <T>(list: T[]): T[] => list.filter((_, index) => selected[index]);
  return {
    values: pick(values),
    definitionLevels: pick(definitionLevels),
    repetitionLevels: pick(repetitionLevels),
    maxDefinitionLevel,
  };
}

function asText(schema: readonly SchemaElement[]): string {
  return JSON.stringify(schema, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

/** The bytes after the metadata of a file: their length, and `PAR1`. */
const TRAILER = 8;

async function footerOf(file: RandomAccess): Promise<Uint8Array> {
  const trailer = await file.read(file.size - TRAILER, TRAILER);
  const length = new DataView(trailer.buffer, trailer.byteOffset).getUint32(0, true);
  return file.read(file.size - TRAILER - length, length);
}

/** The fields of `FileMetaData` that a copy has of its own: num_rows, row_groups, created_by. */
const OWN = new Set([3, 4, 6]);
/** The last field of `FileMetaData` that a file which is not encrypted has. */
const LAST = 7;

/** Joins the rows that metadata describes with the schema that the metadata of another file has, and ends the file. */
async function withDescription(own: Uint8Array, footer: Uint8Array): Promise<Uint8Array> {
  const fields = [...(await fieldsOf(own)).filter(({ id }) => OWN.has(id))];
  const others = await parsing(METADATA, () => fieldsOf(footer));
  fields.push(...others.filter(({ id }) => !OWN.has(id) && id <= LAST));
  fields.sort((a, b) => a.id - b.id);
  const parts = fields.flatMap(({ id, type, bytes }, index) => [
    Uint8Array.of(((id - (fields[index - 1]?.id ?? 0)) << 4) | type),
    bytes,
  ]);
  const metadata = concatenate([...parts, Uint8Array.of(0)]);
  const trailer = new Uint8Array(TRAILER);
  new DataView(trailer.buffer).setUint32(0, metadata.length, true);
  trailer.set(new TextEncoder().encode('PAR1'), 4);
  return concatenate([metadata, trailer]);
}

interface ThriftField {
  readonly id: number;
  readonly type: number;
  readonly bytes: Uint8Array;
}

/** Splits a structure in the compact protocol of Thrift into its fields. */
async function fieldsOf(bytes: Uint8Array): Promise<ThriftField[]> {
  const { deserializeTCompactProtocol, readVarInt, readZigZag } = await import('hyparquet/src/thrift.js');
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length), offset: 0 };
  const skip = (type: number): void => {
    if (type === 3) reader.offset++;
    else if (type >= 4 && type <= 6) while (reader.view.getUint8(reader.offset++) >= 0x80);
    else if (type === 7) reader.offset += 8;
    else if (type === 8) {
      const length = readVarInt(reader);
      reader.offset += length;
    } else if (type === 9) {
      const head = reader.view.getUint8(reader.offset++);
      const size = head >> 4 === 15 ? readVarInt(reader) : head >> 4;
      for (let index = 0; index < size; index++) skip(Math.max(3, head & 15));
    } else if (type === 12) deserializeTCompactProtocol(reader);
    else if (type > 2) throw new Error(`thrift unhandled type: ${type}`);
  };
  const fields: ThriftField[] = [];
  for (let id = 0; ; ) {
    const head = reader.view.getUint8(reader.offset++);
    const type = head & 15;
    if (type === 0) return fields;
    id = head >> 4 === 0 ? readZigZag(reader) : id + (head >> 4);
    const start = reader.offset;
    skip(type);
    fields.push({ id, type, bytes: bytes.subarray(start, reader.offset) });
  }
}
