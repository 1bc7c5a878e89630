import type { AsyncBuffer, Compressors, FileMetaData, SchemaTree } from 'hyparquet';
import { formatBytes, joinWithAnd, quote } from '../../common/text.ts';
import type { RandomAccess } from '../archive/zip.ts';
import { extractionError } from '../errors.ts';

/** Rows of a Parquet file that are read together. */
export interface RowRange {
  readonly start: number;
  /** Behind the last one. */
  readonly end: number;
}

/** What the packages for Parquet offer. */
export interface ParquetModules {
  readonly hyparquet: typeof import('hyparquet');
  readonly compressors: Compressors;
}

/** Loads the packages for Parquet, which are optional. Throws `missing-parser` without them. */
export async function loadParquet(): Promise<ParquetModules> {
  try {
    const [hyparquet, { compressors }] = await Promise.all([import('hyparquet'), import('hyparquet-compressors')]);
    return { hyparquet, compressors };
  } catch (error) {
    const message = 'reading Parquet needs two more packages: npm install hyparquet hyparquet-compressors';
    throw extractionError('missing-parser', message, error);
  }
}

/** A file as hyparquet reads it. */
export function bufferOf(file: RandomAccess): AsyncBuffer {
  return {
    byteLength: file.size,
    async slice(start, end = file.size) {
      const from = start < 0 ? Math.max(0, file.size + start) : start;
      return (await file.read(from, end - from)).slice().buffer as ArrayBuffer;
    },
  };
}

/**
 * Turns what the parser throws into `damaged`. Its own messages are kept; those of the engine (a TypeError or RangeError that
 * damage leads to) say nothing about the file.
 * @param part - the part of the file that is parsed
 * @param action - calls the parser
 */
export async function parsing<T>(part: string, action: () => T | Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw error;
    const isTelling = error instanceof Error && error.constructor === Error && !/\bundefined\b/.test(error.message);
    const reason = isTelling ? `: ${error.message}` : '';
    throw extractionError('damaged', `damaged Parquet: cannot read ${part}${reason}`, error);
  }
}

/** Names the values of some columns in some rows, for {@link parsing}. */
export function partOf(columns: readonly string[], { start, end }: RowRange): string {
  const names = columns.map((column) => quote(column));
  return `the ${columns.length === 1 ? 'column' : 'columns'} ${joinWithAnd(names)} in rows ${start + 1} to ${end}`;
}

/** What {@link parsing} calls the end of the file, where it is described. */
export const METADATA = 'its metadata';

/**
 * Lists the columns of a Parquet file, those in structures with a dot.
 * @throws (rejects) Error `missing-parser`, `damaged`
 */
export async function parquetColumns(file: RandomAccess): Promise<string[]> {
  const { hyparquet } = await loadParquet();
  const metadata = await parsing(METADATA, () => hyparquet.parquetMetadataAsync(bufferOf(file)));
  const leaves = ({ children, path }: SchemaTree): string[] =>
    children.length === 0 ? [path.join('.')] : children.flatMap(leaves);
  return leaves(await parsing(METADATA, () => hyparquet.parquetSchema(metadata)));
}

/**
 * The rows of each row group.
 * @param columns - the top-level columns that are read
 * @param limit - the most octets of these columns in a row group
 */
export function* rowGroupsOf(metadata: FileMetaData, columns: readonly string[], limit: number): Generator<RowRange> {
  let start = 0;
  for (const group of metadata.row_groups) {
    const end = start + Number(group.num_rows);
    let size = 0;
    for (const { meta_data: column } of group.columns)
      if (column !== undefined && columns.includes(column.path_in_schema[0]!))
        size += Number(column.total_uncompressed_size);
    if (size > limit) {
      const message = `rows ${start + 1} to ${end} are one row group of ${formatBytes(size)}: more than the ${formatBytes(limit)} limit`;
      throw extractionError('too-large', message);
    }
    if (end > start) yield { start, end };
    start = end;
  }
}
