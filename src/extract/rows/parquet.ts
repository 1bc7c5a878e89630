import type { RandomAccess } from '../archive/zip.ts';
import { readParquetRows } from './parquet-rows.ts';
import type { ReadTableOptions, Row } from './row-types.ts';

export type { ReadTableOptions, Row, RowFailure, TableFields } from './row-types.ts';

/**
 * Reads a Parquet file with the package hyparquet, in memory bounded by the text of a row group.
 * @param file - access to any part of the file
 * @param options - the fields, and `limits`: `inflated` applies to the text of a row group, `bytes` to a row, and `ratio`
 *   to the text of all rows
 * @returns the rows in their order; a row whose value is missing or is not text has a failure
 * @throws (rejects) TypeError `wrong-type`, RangeError `out-of-range`; Error `missing-package`, `damaged`, `too-large`, `no-text`
 *   if there is no such column, or if its type is not text
 * @example
 * for await (const { id, content } of readParquet(file, { textField: 'text' })) …
 */
export function readParquet(file: RandomAccess, options: ReadTableOptions): AsyncGenerator<Row, undefined> {
  return readParquetRows(file, options);
}
