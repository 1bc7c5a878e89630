import type { SchemaTree } from 'hyparquet';
import { formatBytes, quote } from '../../common/text.ts';
import type { RandomAccess } from '../archive/zip.ts';
import { extractionError } from '../errors.ts';
import { createRowMeters, type RowMeters, resolveLimits, utf8Length } from '../limits.ts';
import { groupTooLarge, leavesOf, loadParquet, readMetadata, readRows, rowGroupsOf, schemaOf } from './parquet-file.ts';
import { rowOf } from './row-fields.ts';
import { assertTableOptions, type ReadTableOptions, type Row, textFieldsOf } from './row-types.ts';

/** Reads the rows of a Parquet file as `readParquet` does; the meters may belong to a file that holds this one. */
export async function* readParquetRows(
  file: RandomAccess,
  options: ReadTableOptions,
  given?: RowMeters,
): AsyncGenerator<Row, undefined> {
  assertTableOptions(options);
  const limits = resolveLimits(options.limits);
  const meters = given ?? createRowMeters(limits, () => file.size);
  const { compressors } = await loadParquet();
  const metadata = await readMetadata(file);
  const schema = await schemaOf(metadata);
  const columns = topColumns(schema, options);
  for (const field of textFieldsOf(options)) if (!field.includes('[]')) assertText(schema, field);
  for (const range of rowGroupsOf(metadata, columns, limits.inflated)) {
    const parsers = { stringFromBytes: decodeStrictly };
    const limit = limits.inflated;
    const values = await readRows(file, columns, range, { metadata, compressors, parsers, meters, limit });
    let size = 0;
    for (const [index, value] of values.entries()) {
      const row = rowOf(value, range.start + index + 1, options);
      const { content } = row;
      const bytes = 'text' in content ? utf8Length(content.text) : 0;
      meters.onRow(bytes);
      size += bytes;
      if (size > limit) throw groupTooLarge(range.start, range.end, limit);
      const isLong = bytes > limits.bytes;
      const message = `row ${row.number}: is larger than the ${formatBytes(limits.bytes)} limit`;
      yield isLong ? { ...row, content: { failure: { code: 'too-large', message } } } : row;
    }
  }
}

function columnOf(columns: readonly SchemaTree[], field: string): SchemaTree | undefined {
  return (
    columns.find(({ element }) => element.name === field) ??
    columns.find(({ element: { name } }) => field.startsWith(`${name}.`) || field.startsWith(`${name}[]`))
  );
}

function topColumns({ children }: SchemaTree, options: ReadTableOptions): string[] {
  const names = children.map(({ element }) => element.name);
  const { idField } = options;
  const fields = [...textFieldsOf(options), ...(idField === undefined ? [] : [idField])];
  const found = fields.map((field) => {
    const top = columnOf(children, field)?.element.name;
    if (top === undefined)
      throw extractionError('no-text', `has no column ${quote(field)}: its columns are ${names.join(', ')}`);
    return top;
  });
  assertUnique(children.filter(({ element }) => found.includes(element.name)));
  return [...new Set(found)];
}

function assertUnique(columns: readonly SchemaTree[]): void {
  const names = leavesOf({ children: columns }).map((path) => path.join('.'));
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw extractionError('no-text', `has several columns ${quote(twice)}`);
}

const NO_TEXT: ReadonlySet<string | undefined> = new Set(['BOOLEAN', 'INT32', 'INT64', 'INT96', 'FLOAT', 'DOUBLE']);

function assertText(schema: SchemaTree, textField: string): void {
  const type = typeWithoutText(schema, textField);
  if (type === undefined) return;
  const names = textColumns(schema);
  const known = names.length === 0 ? 'it has no columns of text' : `its columns of text are ${names.join(', ')}`;
  throw extractionError('no-text', `the column ${quote(textField)} holds ${type}, not text: ${known}`);
}

/** Returns the type of a column, if it is not text; undefined if it is, or may be in a part of each value. */
function typeWithoutText({ children }: SchemaTree, field: string): string | undefined {
  const column = columnOf(children, field);
  if (column === undefined) return undefined;
  const { name, type, converted_type, logical_type, repetition_type } = column.element;
  if (repetition_type === 'REPEATED' || logical_type?.type === 'LIST' || converted_type === 'LIST') return 'lists';
  if (NO_TEXT.has(type)) return logical_type?.type ?? converted_type ?? type;
  return name === field ? undefined : typeWithoutText(column, field.slice(name.length + 1));
}

function textColumns({ element, children, path }: SchemaTree): string[] {
  if (path.length > 0 && element.repetition_type === 'REPEATED') return [];
  if (children.length > 0) return children.flatMap(textColumns);
  return element.type === 'BYTE_ARRAY' ? [path.join('.')] : [];
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bytes that are not UTF-8 stay bytes, which are reported as not text. */
function decodeStrictly(bytes: Uint8Array | undefined): unknown {
  try {
    return bytes === undefined ? undefined : decoder.decode(bytes);
  } catch {
    return bytes;
  }
}
