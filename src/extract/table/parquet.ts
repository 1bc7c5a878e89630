import type { SchemaTree } from 'hyparquet';
import { formatBytes, quote } from '../../common/text.ts';
import type { RandomAccess } from '../archive/zip.ts';
import { extractionError } from '../errors.ts';
import { resolveLimits } from '../limits.ts';
import { rowOf } from './fields.ts';
import { bufferOf, loadParquet, parsing, rowGroupsOf } from './parquet-file.ts';
import { assertTableOptions, type ReadTableOptions, type Row } from './types.ts';

export type { ReadTableOptions, Row, RowFailure, TableFields } from './types.ts';

/**
 * Reads a Parquet file with the package hyparquet, in memory bounded by the text of a row group.
 * @param file - access to any part of the file
 * @param options - the fields, and `limits`: `inflated` applies to the text of a row group, `octets` to that of a row
 * @returns the rows in their order; one whose text is missing or no text has a failure
 * @throws (rejects) TypeError `wrong-type`, RangeError `out-of-range`; Error `missing-parser`, `damaged`, `too-large`, `no-text`
 *   if there is no such column
 */
export async function* readParquet(file: RandomAccess, options: ReadTableOptions): AsyncGenerator<Row, undefined> {
  assertTableOptions(options);
  const limits = resolveLimits(options.limits);
  const { hyparquet, compressors } = await loadParquet();
  const buffer = bufferOf(file);
  const metadata = await parsing(() => hyparquet.parquetMetadataAsync(buffer));
  const columns = topColumns(hyparquet.parquetSchema(metadata), options);
  for (const { start, end } of rowGroupsOf(metadata, columns, limits.inflated)) {
    const values = await parsing(() =>
      hyparquet.parquetReadObjects({
        ...{ file: buffer, metadata, columns, compressors, rowStart: start, rowEnd: end },
        parsers: { stringFromBytes: decodeStrictly },
      }),
    );
    for (const [index, value] of values.entries()) {
      const row = rowOf(value, start + index + 1, options);
      const { content } = row;
      const isLong = 'text' in content && content.text.length > limits.octets;
      const message = `row ${row.number}: is larger than the ${formatBytes(limits.octets)} limit`;
      yield isLong ? { ...row, content: { failure: { code: 'too-large', message } } } : row;
    }
  }
  return undefined;
}

/** The top-level columns that hold the fields. */
function topColumns({ children }: SchemaTree, { textField, idField }: ReadTableOptions): string[] {
  const names = children.map(({ element }) => element.name);
  const fields = idField === undefined ? [textField] : [textField, idField];
  const found = fields.map((field) => {
    const top = names.find((name) => name === field) ?? names.find((name) => field.startsWith(`${name}.`));
    if (top === undefined)
      throw extractionError('no-text', `has no column ${quote(field)}: its columns are ${names.join(', ')}`);
    return top;
  });
  return [...new Set(found)];
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Octets that are no UTF-8 stay octets, which are reported as no text. */
function decodeStrictly(octets: Uint8Array | undefined): unknown {
  try {
    return octets === undefined ? undefined : decoder.decode(octets);
  } catch {
    return octets;
  }
}
