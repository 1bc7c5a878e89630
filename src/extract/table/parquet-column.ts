import { concatenate } from '../../common/bytes.ts';
import { parseJsonObject } from '../../common/lines.ts';
import { joinWithAnd, quote } from '../../common/text.ts';
import type { RandomAccess } from '../archive/zip.ts';
import { extractionError } from '../errors.ts';
import { createRowMeters, type ExtractionLimits } from '../limits.ts';
import type { WriteBytes } from './parquet-copy.ts';
import {
  leavesOf,
  loadParquet,
  METADATA,
  parsing,
  readMetadata,
  readRows,
  rowGroupsOf,
  schemaOf,
  sizeOfValue,
} from './parquet-file.ts';
import {
  BINARY,
  binary,
  I32,
  I64,
  integer,
  integerOf,
  LIST,
  parseThrift,
  STRUCT,
  structOf,
  type ThriftField,
  type ThriftList,
  type ThriftStruct,
  type ThriftValue,
  textOf,
  varint,
  writeThrift,
} from './thrift.ts';

interface AddedColumn {
  readonly name: string;
  /** The bytes of each value. */
  readonly width: number;
  readonly columns: readonly ReadColumn[];
  /** Computes a value for each row of the values of `columns`, undefined for a column that is not there. */
  readonly valuesOf: (rows: AsyncIterable<readonly unknown[]>) => AsyncIterable<Uint8Array | null>;
}

interface ReadColumn {
  /** Its possible names, of which the first that exists is read; those of members of structures have a dot. */
  readonly names: readonly string[];
  /** True if the file may be without it. */
  readonly isOptional?: boolean;
}

/** The rows of a page. */
const PAGE = 1 << 16;

/** The number of bytes that are copied at once. */
const CHUNK = 1 << 20;

/** The ids of fields in the metadata of Parquet, and numbers in it. */
const [SCHEMA, ROW_GROUPS, KEY_VALUES, COLUMN_ORDERS, ENCRYPTION] = [2, 4, 5, 7, 8];
const NUM_CHILDREN = 5;
const [COLUMNS, TOTAL_BYTE_SIZE, NUM_ROWS, TOTAL_COMPRESSED_SIZE] = [1, 2, 3, 6];
const [FIXED_LEN_BYTE_ARRAY, OPTIONAL, PLAIN, RLE, UNCOMPRESSED, DATA_PAGE] = [7, 1, 0, 3, 0, 0];

/** The length of the footer and the magic number after the metadata. */
const TAIL = 8;

/**
 * Copies a Parquet file and adds a column of fixed width that may be null (FIXED_LEN_BYTE_ARRAY). All bytes up to the
 * metadata stay as they are; the new column follows them. Memory: the columns that are read, in a row group, of at most
 * `inflated` bytes.
 * @throws (rejects) Error `missing-package`, `damaged`, `too-large`; `unsupported-media-type` if there is such a
 *   column, a column is missing, or the file is encrypted
 */
export async function addParquetColumn(
  file: RandomAccess,
  column: AddedColumn,
  write: WriteBytes,
  limits: Pick<ExtractionLimits, 'inflated' | 'ratio'>,
): Promise<void> {
  const limit = limits.inflated;
  const { compressors } = await loadParquet();
  const metadata = await readMetadata(file, { geoparquet: false });
  const { children } = await schemaOf(metadata);
  if (children.some(({ element }) => element.name === column.name))
    throw extractionError('unsupported-media-type', `already has a column ${quote(column.name)}: remove it first`);
  const paths = pathsOf(children.flatMap(leavesOf), column.columns);
  const footer = await readFooter(file);
  const { start } = footer;
  const read = [...new Set(paths.flatMap(([name]) => name ?? []))];

  async function* rows(): AsyncGenerator<unknown[], undefined> {
    const meters = createRowMeters(limits, () => file.size);
    for (const range of rowGroupsOf(metadata, read, limit))
      for (const row of await readRows(file, read, range, { metadata, compressors, meters, limit })) {
        meters.onRow(sizeOfValue(row));
        yield paths.map((path) => valueAt(row, path));
      }
    return undefined;
  }

  let position = 0;
  const append = async (bytes: Uint8Array): Promise<void> => {
    await write(bytes);
    position += bytes.length;
  };
  while (position < start) await append(await file.read(position, Math.min(CHUNK, start - position)));
  const values = column.valuesOf(rows())[Symbol.asyncIterator]();
  try {
    for (const { group, rows: count } of footer.groups) {
      const offset = position;
      for (let left = count; left > 0 || position === offset; left -= PAGE)
        await append(await nextPage(values, Math.min(left, PAGE), column.width));
      describeChunk(group, column.name, { count, offset, size: position - offset });
    }
    if ((await values.next()).done !== true) throw damaged('it has more rows than its row groups');
  } finally {
    await values.return?.();
  }
  await parsing(METADATA, () => describeColumn(footer.whole, column));
  const bytes = writeThrift(footer.whole);
  const tail = new Uint8Array(TAIL);
  new DataView(tail.buffer).setUint32(0, bytes.length, true);
  tail.set(MAGIC, 4);
  await append(concatenate([bytes, tail]));
}

const MAGIC = new TextEncoder().encode('PAR1');

function damaged(message: string): Error {
  return extractionError('damaged', `damaged Parquet: cannot read ${METADATA}: ${message}`);
}

/** Finds the paths of columns; a path is empty if the column is not there. */
function pathsOf(leaves: readonly (readonly string[])[], columns: readonly ReadColumn[]): (readonly string[])[] {
  const pathOf = new Map(leaves.map((path) => [path.join('.'), path]));
  const nameOf = ({ names }: ReadColumn) => names.find((name) => pathOf.has(name)) ?? '';
  const missing = columns.filter((column) => column.isOptional !== true && nameOf(column) === '');
  if (missing.length > 0) {
    const expected = joinWithAnd(missing.map(({ names }) => quote(names[0]!)));
    const message = `has no ${missing.length === 1 ? 'column' : 'columns'} ${expected}: its columns are ${[...pathOf.keys()].join(', ')}`;
    throw extractionError('unsupported-media-type', message);
  }
  return columns.map((column) => pathOf.get(nameOf(column)) ?? []);
}

function valueAt(row: Readonly<Record<string, unknown>>, path: readonly string[]): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return undefined;
  const value = row[first];
  return rest.length === 0 ? value : valueAt((value ?? {}) as typeof row, rest);
}

/** Reads the metadata as a tree, its offset in the file, and the parts of it that describe row groups. */
async function readFooter(file: RandomAccess) {
  const tail = await file.read(file.size - TAIL, TAIL);
  const length = new DataView(tail.buffer, tail.byteOffset).getUint32(0, true);
  const start = file.size - TAIL - length;
  const bytes = await file.read(start, length);
  const footer = await parsing(METADATA, () => {
    const whole = parseThrift(bytes);
    const groups = listOf(whole, ROW_GROUPS).values.map((value) => {
      const group = structIn(value);
      const rows = numberOf(group, NUM_ROWS);
      listOf(group, COLUMNS);
      numberOf(group, TOTAL_BYTE_SIZE);
      if (!(rows >= 0 && Number.isSafeInteger(rows))) throw new Error('a row group has no size');
      return { group, rows };
    });
    numberOf(structIn(listOf(whole, SCHEMA).values[0]), NUM_CHILDREN);
    return { whole, start, groups };
  });
  if (footer.whole.fields.some(({ id }) => id === ENCRYPTION))
    throw extractionError('unsupported-media-type', 'is encrypted Parquet, to which no column can be added');
  return footer;
}

function fieldOf({ fields }: ThriftStruct, id: number): ThriftField {
  const field = fields.find((each) => each.id === id);
  if (field === undefined) throw new Error(`thrift: field ${id} is missing`);
  return field;
}

function listOf(struct: ThriftStruct, id: number): ThriftList {
  const { value } = fieldOf(struct, id);
  if (value instanceof Uint8Array || 'fields' in value) throw new Error(`thrift: field ${id} is not a list`);
  return value;
}

function structIn(value: ThriftValue | undefined): ThriftStruct {
  if (value === undefined || value instanceof Uint8Array || 'values' in value)
    throw new Error('thrift: a value is not a structure');
  return value;
}

function numberOf(struct: ThriftStruct, id: number): number {
  const { type, value } = fieldOf(struct, id);
  if (!(value instanceof Uint8Array) || (type !== I32 && type !== I64))
    throw new Error(`thrift: field ${id} is not a number`);
  return Number(integerOf(value));
}

/** Adds to a number, if it exists. */
function increase(struct: ThriftStruct, id: number, by: number): void {
  if (struct.fields.some((field) => field.id === id)) fieldOf(struct, id).value = integer(numberOf(struct, id) + by);
}

/** Makes a data page of the next values: the levels that say which are null, and the others. */
async function nextPage(values: AsyncIterator<Uint8Array | null>, count: number, width: number): Promise<Uint8Array> {
  const groups = Math.ceil(count / 8);
  const header = varint(BigInt(groups * 2 + 1));
  const levels = new Uint8Array(groups);
  const bytes = new Uint8Array(count * width);
  let length = 0;
  for (let row = 0; row < count; row++) {
    const { done, value } = await values.next();
    if (done === true) throw damaged('it has fewer rows than its row groups');
    if (value === null) continue;
    levels[row >> 3]! |= 1 << (row & 7);
    bytes.set(value, length);
    length += width;
  }
  const size = new Uint8Array(4);
  new DataView(size.buffer).setUint32(0, header.length + levels.length, true);
  const data = concatenate([size, header, levels, bytes.subarray(0, length)]);
  const dataPage = structOf(
    [1, I32, integer(count)],
    [2, I32, integer(PLAIN)],
    [3, I32, integer(RLE)],
    [4, I32, integer(RLE)],
  );
  const page = structOf(
    [1, I32, integer(DATA_PAGE)],
    [2, I32, integer(data.length)],
    [3, I32, integer(data.length)],
    [5, STRUCT, dataPage],
  );
  return concatenate([writeThrift(page), data]);
}

/** Adds the description of the pages of a column to that of their row group. */
function describeChunk(
  group: ThriftStruct,
  name: string,
  { count, offset, size }: Readonly<Record<'count' | 'offset' | 'size', number>>,
): void {
  const columnMetadata = structOf(
    [1, I32, integer(FIXED_LEN_BYTE_ARRAY)],
    [2, LIST, { type: I32, values: [integer(PLAIN), integer(RLE)] }],
    [3, LIST, { type: BINARY, values: [binary(name)] }],
    [4, I32, integer(UNCOMPRESSED)],
    [5, I64, integer(count)],
    [6, I64, integer(size)],
    [7, I64, integer(size)],
    [9, I64, integer(offset)],
  );
  listOf(group, COLUMNS).values.push(structOf([2, I64, integer(offset)], [3, STRUCT, columnMetadata]));
  increase(group, TOTAL_BYTE_SIZE, size);
  increase(group, TOTAL_COMPRESSED_SIZE, size);
}

/** Adds the column to the schema, and to everything else that lists all columns. */
function describeColumn(footer: ThriftStruct, { name, width }: AddedColumn): void {
  const schema = listOf(footer, SCHEMA);
  increase(schema.values[0] as ThriftStruct, NUM_CHILDREN, 1);
  const types = [
    [1, I32, integer(FIXED_LEN_BYTE_ARRAY)],
    [2, I32, integer(width)],
    [3, I32, integer(OPTIONAL)],
  ] as const;
  schema.values.push(structOf(...types, [4, BINARY, binary(name)]));
  const has = (id: number): boolean => footer.fields.some((field) => field.id === id);
  // The order of values is that of their type.
  if (has(COLUMN_ORDERS)) listOf(footer, COLUMN_ORDERS).values.push(structOf([1, STRUCT, structOf()]));
  if (has(KEY_VALUES)) {
    const list = listOf(footer, KEY_VALUES);
    const values = list.values.filter((pair) => keyOf(pair) !== ARROW_SCHEMA);
    for (const pair of values) if (keyOf(pair) === SPARK_SCHEMA) describeToSpark(structIn(pair), name);
    fieldOf(footer, KEY_VALUES).value = { ...list, values };
  }
}

/** The key of hints of Arrow on the types of all columns. Readers refuse a file with other columns than these. */
const ARROW_SCHEMA = 'ARROW:schema';

/** The key of the schema in JSON that Spark reads instead of that of Parquet. */
const SPARK_SCHEMA = 'org.apache.spark.sql.parquet.row.metadata';

function keyOf(pair: ThriftValue): string {
  return textOf(fieldOf(structIn(pair), 1).value as Uint8Array);
}

/** Adds the column to the schema of Spark, if it is well-formed. */
function describeToSpark(pair: ThriftStruct, name: string): void {
  const field = pair.fields.find(({ id }) => id === 2);
  const schema = field && parseJsonObject(textOf(field.value as Uint8Array));
  if (!Array.isArray(schema?.['fields'])) return;
  const fields = [...schema['fields'], { name, type: 'binary', nullable: true, metadata: {} }];
  field!.value = binary(JSON.stringify({ ...schema, fields }));
}
