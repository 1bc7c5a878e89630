import type { AsyncBuffer, ColumnMetaData, FileMetaData, MetadataOptions, PageHeader, SchemaTree } from 'hyparquet';
import { formatBytes, joinWithAnd, pluralize, quote } from '../../common/text.ts';
import type { RandomAccess } from '../archive/zip.ts';
import { extractionError } from '../errors.ts';

/** Rows of a Parquet file that are read together. */
interface RowRange {
  readonly start: number;
  /** The position after the last one. */
  readonly end: number;
  /** The chunks of the columns that are read. */
  readonly chunks: readonly ColumnMetaData[];
}

/** The options of the parser other than the rows to read. */
type ParserOptions = Omit<Parameters<typeof import('hyparquet').parquetReadObjects>[0], 'file'>;

/** Loads the packages that read Parquet, which are optional. Throws `missing-package` without them. */
export async function loadParquet() {
  const [hyparquet, { compressors }] = await loadPackages('reading Parquet', READERS, importReaders());
  return { hyparquet, compressors };
}

/** Loads the package that writes Parquet. Throws one `missing-package` that names all packages of Parquet that are missing. */
export async function loadParquetWriter(): Promise<typeof import('hyparquet-writer')> {
  const imports = [...importReaders(), import('hyparquet-writer')] as const;
  const [, , writer] = await loadPackages('reading and writing Parquet', [...READERS, 'hyparquet-writer'], imports);
  return writer;
}

const READERS = ['hyparquet', 'hyparquet-compressors'];

const importReaders = () => [import('hyparquet'), import('hyparquet-compressors')] as const;

/** Awaits the imports of packages that a task needs, in the order of their names. */
async function loadPackages<T extends readonly Promise<unknown>[]>(
  task: string,
  names: readonly string[],
  imports: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const results = await Promise.allSettled(imports);
  const missing = names.filter((_, index) => results[index]!.status === 'rejected');
  if (missing.length === 0) return Promise.all(imports);
  const cause = results.find((result) => result.status === 'rejected')!.reason as unknown;
  const message = `${task} needs ${pluralize(missing.length, 'more package')}: npm install ${missing.join(' ')}`;
  throw extractionError('missing-package', message, cause);
}

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
async function parsing<T>(part: string, action: () => T | Promise<T>): Promise<T> {
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

/** Names the values of some columns in some rows, for {@link parsing}. */
function partOf(columns: readonly string[], start: number, end: number): string {
  const names = columns.map((column) => quote(column));
  return `the ${columns.length === 1 ? 'column' : 'columns'} ${joinWithAnd(names)} in rows ${start + 1} to ${end}`;
}

/** The name that {@link parsing} gives the end of the file, where it is described. */
const METADATA = 'its metadata';

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

function leavesOf({ children, path }: SchemaTree): string[][] {
  return children.length === 0 ? [path] : children.flatMap(leavesOf);
}

/**
 * Lists the rows of each row group. Throws `damaged`, and `too-large` if the columns have more than `limit` bytes in a
 * row group.
 */
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
    if (size > limit) {
      const message = `rows ${start + 1} to ${end} are one row group of ${formatBytes(size)}: more than the ${formatBytes(limit)} limit`;
      throw extractionError('too-large', message);
    }
    if (end > start) yield { start, end, chunks };
    start = end;
  }
}

/** Reads the rows of a row group, a range of {@link rowGroupsOf}. Rejects with `damaged`. */
export function readRows(
  file: RandomAccess,
  columns: readonly string[],
  { start, end, chunks }: RowRange,
  options: ParserOptions,
): Promise<Record<string, unknown>[]> {
  return parsing(partOf(columns, start, end), async () => {
    const { hyparquet } = await loadParquet();
    for (const chunk of chunks) await assertPages(file, chunk);
    const range = { file: bufferOf(file), columns: [...columns], rowStart: start, rowEnd: end };
    return hyparquet.parquetReadObjects({ ...options, ...range });
  });
}

/** Checks the headers of the pages of a column: impossible numbers would make the parser loop forever. */
async function assertPages(file: RandomAccess, column: ColumnMetaData): Promise<void> {
  const { parquetHeader } = await import('hyparquet/src/column.js');
  const start = Number(column.dictionary_page_offset || column.data_page_offset);
  const buffer = await bufferOf(file).slice(start, start + Number(column.total_compressed_size));
  const reader = { view: new DataView(buffer), offset: 0 };
  while (reader.offset < buffer.byteLength - 1) {
    const header = parquetHeader(reader);
    if (!isPossible(header)) throw new Error('the header of a page has impossible numbers');
    reader.offset += header.compressed_page_size;
  }
}

/** Tests whether the sizes and counts of a page are possible: all exist, and none is negative or larger than its whole. */
function isPossible(header: PageHeader): boolean {
  const { compressed_page_size: size, data_page_header: first, data_page_header_v2: second } = header;
  if (second === undefined) return [size, (first ?? header.dictionary_page_header)?.num_values].every(isCount);
  const { num_values: values, num_nulls: nulls, num_rows: rows } = second;
  const levels = [second.definition_levels_byte_length, second.repetition_levels_byte_length] as const;
  return [size, ...levels, size - levels[0] - levels[1], rows, nulls, values - rows, values - nulls].every(isCount);
}

function isCount(number: number | undefined): boolean {
  return number !== undefined && number >= 0;
}
