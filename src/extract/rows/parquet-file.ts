import type { AsyncBuffer, ColumnMetaData, FileMetaData, MetadataOptions, SchemaTree } from 'hyparquet';
import { formatBytes, joinWithAnd, quote } from '../../common/text.ts';
import type { RandomAccess } from '../archive/zip.ts';
import { extractionError, loadPackages } from '../errors.ts';
import { type RowMeters, utf8Length } from '../limits.ts';
import { type DecoderOptions, readPages } from './parquet-pages.ts';

export interface RowRange {
  readonly start: number;
  readonly end: number;
  readonly chunks: readonly ColumnMetaData[];
}

interface RowOptions extends DecoderOptions {
  readonly metadata: FileMetaData;
  readonly meters: RowMeters;
  readonly limit: number;
}

export async function loadParquet() {
  const [hyparquet, { compressors }] = await loadPackages('reading Parquet', READERS, importReaders());
  return { hyparquet, compressors };
}

/** Loads the package that writes Parquet. An error names all packages of Parquet that are missing. */
export async function loadParquetWriter(): Promise<typeof import('hyparquet-writer')> {
  const imports = [...importReaders(), import('hyparquet-writer')] as const;
  const [, , writer] = await loadPackages('reading and writing Parquet', [...READERS, 'hyparquet-writer'], imports);
  return writer;
}

const READERS = ['hyparquet', 'hyparquet-compressors'];

const importReaders = () => [import('hyparquet'), import('hyparquet-compressors')] as const;

function bufferOf(file: RandomAccess): AsyncBuffer {
  return {
    byteLength: file.size,
    async slice(start, end = file.size) {
      const from = start < 0 ? Math.max(0, file.size + start) : start;
      return new Uint8Array(await file.read(from, end - from)).buffer;
    },
  };
}

/** Turns what the parser throws into `damaged`. Messages of the engine do not describe the file. */
export async function parsing<T>(part: string, action: () => T | Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    // Not the messages of Node about arguments that result from damage.
    if (error instanceof Error && 'code' in error && !`${error.code}`.startsWith('ERR_')) throw error;
    const isTelling = error instanceof Error && error.constructor === Error && !/\bundefined\b/.test(error.message);
    const reason = isTelling ? `: ${error.message}` : '';
    throw extractionError('damaged', `damaged Parquet: cannot read ${part}${reason}`, error);
  }
}

export function partOf(columns: readonly string[], start: number, end: number): string {
  const names = columns.map((column) => quote(column));
  return `the ${columns.length === 1 ? 'column' : 'columns'} ${joinWithAnd(names)} in rows ${start + 1} to ${end}`;
}

/** The name that {@link parsing} gives the end of the file, where it is described. */
export const METADATA = 'its metadata';

/** Lists the columns, those in structures with a dot. Rejects with `missing-package` and `damaged`. */
export async function parquetColumns(file: RandomAccess): Promise<string[]> {
  const root = await schemaOf(await readMetadata(file));
  return leavesOf(root).map((path) => path.join('.'));
}

export async function readMetadata(file: RandomAccess, options: MetadataOptions = {}): Promise<FileMetaData> {
  const { hyparquet } = await loadParquet();
  return parsing(METADATA, () => hyparquet.parquetMetadataAsync(bufferOf(file), options));
}

export async function schemaOf(metadata: FileMetaData): Promise<SchemaTree> {
  const { hyparquet } = await loadParquet();
  return parsing(METADATA, () => hyparquet.parquetSchema(metadata));
}

export function leavesOf({ children }: { readonly children: readonly SchemaTree[] }): string[][] {
  return children.flatMap((child) => (child.children.length === 0 ? [child.path] : leavesOf(child)));
}

/** Lists the rows of each row group. Throws `damaged`; `too-large` if the columns have more than `limit` bytes. */
export function* rowGroupsOf(metadata: FileMetaData, columns: readonly string[], limit: number): Generator<RowRange> {
  let start = 0;
  for (const group of metadata.row_groups) {
    const end = start + Number(group.num_rows);
    if (!(end >= start && Number.isSafeInteger(end)) || group.columns === undefined) {
      const problem = `the row group after row ${start} has no size`;
      throw extractionError('damaged', `damaged Parquet: cannot read ${METADATA}: ${problem}`);
    }
    const chunks = group.columns
      .map(({ meta_data: column }) => column)
      .filter((column) => column !== undefined && columns.includes(column.path_in_schema[0]!)) as ColumnMetaData[];
    const size = chunks.reduce((sum, column) => sum + Number(column.total_uncompressed_size), 0);
    if (size > limit) throw groupTooLarge(start, end, limit, size);
    if (end > start) yield { start, end, chunks };
    start = end;
  }
}

export function groupTooLarge(start: number, end: number, limit: number, size?: number): Error {
  const of = size === undefined ? '' : ` of ${formatBytes(size)}`;
  const message = `rows ${start + 1} to ${end} are one row group${of}: more than the ${formatBytes(limit)} limit`;
  return extractionError('too-large', message);
}

/** The bytes that a row counts for in memory, besides its values. */
const ROW = 64;

/** Reads the rows of a row group, a range of {@link rowGroupsOf}. Rejects with `damaged`, `too-large`; whatever the meters throw. */
export function readRows(
  file: RandomAccess,
  columns: readonly string[],
  { start, end, chunks }: RowRange,
  { metadata, meters, limit, ...options }: RowOptions,
): Promise<Record<string, unknown>[]> {
  return parsing(partOf(columns, start, end), async () => {
    const { assembleAsync, asyncGroupToRows } = await import('hyparquet/src/rowgroup.js');
    const { getTreePath } = await import('hyparquet/src/schema.js');
    const schema = await schemaOf({ ...metadata, schema: metadata.schema.map(withoutVariant) });
    const rows = end - start;
    let size = ROW * rows;
    const onPage = (bytes: number): void => {
      size += bytes;
      meters.onPage(bytes);
      if (size > limit) throw groupTooLarge(start, end, limit);
    };
    onPage(0);
    const pages = { onPage, onTime: meters.onTime };
    const asyncColumns: Parameters<typeof assembleAsync>[0]['asyncColumns'] = [];
    for (const chunk of chunks) {
      const schemaPath = getTreePath(schema, chunk.path_in_schema);
      const data = await readPages({ file, column: chunk, schemaPath, rows }, options, pages);
      asyncColumns.push({ pathInSchema: chunk.path_in_schema, data: Promise.resolve({ data, skipped: 0 }) });
    }
    const began = performance.now();
    const group = { groupStart: start, groupRows: rows, selectStart: 0, selectEnd: rows, asyncColumns };
    const assembled = assembleAsync(group, schema, options.parsers);
    const read = await asyncGroupToRows(assembled, 0, rows, [...columns], 'object');
    meters.onTime(performance.now() - began);
    return read;
  });
}

/** Parts of a VARIANT may be named any number of times by others: it is read as it is stored. */
function withoutVariant(element: FileMetaData['schema'][0]): FileMetaData['schema'][0] {
  if (element.logical_type?.type !== 'VARIANT') return element;
  const { logical_type: _, ...stored } = element;
  return stored;
}

/** The bytes of a value and of all in it; numbers and dates count 8. */
export function sizeOfValue(value: unknown): number {
  if (typeof value === 'string') return utf8Length(value);
  if (value instanceof Uint8Array) return value.length;
  if (typeof value !== 'object' || value === null || value instanceof Date) return 8;
  let size = 8;
  for (const inner of Object.values(value)) size += sizeOfValue(inner);
  return size;
}
