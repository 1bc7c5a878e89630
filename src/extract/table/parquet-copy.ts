import type { FileMetaData, SchemaElement } from 'hyparquet';
import { quote } from '../../common/text.ts';
import type { RandomAccess } from '../archive/zip.ts';
import { extractionError } from '../errors.ts';
import { createRowMeters, type ExtractionLimits } from '../limits.ts';
import {
  loadParquet,
  loadParquetWriter,
  readMetadata,
  readRows,
  rowGroupsOf,
  schemaOf,
  sizeOfValue,
} from './parquet-file.ts';

type WriteBytes = (bytes: Uint8Array) => Promise<void>;

export interface ParquetInput {
  /** Its name in messages. */
  readonly name: string;
  readonly file: RandomAccess;
  /** Decides about a row, given its number from 0. */
  readonly isKept: (index: number) => boolean;
}

/**
 * Copies rows of Parquet files of one schema into one, compressed with Snappy. Values are copied as they are stored,
 * without their logical types, so that nothing is rounded. Memory: a row group of at most `inflated` bytes.
 * @throws (rejects) Error `missing-package`, `damaged`, `too-large`, `unsupported-media-type` for other schemas and for
 *   types that cannot be written
 */
export async function copyParquet(
  inputs: AsyncIterable<ParquetInput>,
  write: WriteBytes,
  limits: Pick<ExtractionLimits, 'inflated' | 'ratio'>,
): Promise<void> {
  const limit = limits.inflated;
  const { ByteWriter, ParquetWriter } = await loadParquetWriter();
  const { compressors } = await loadParquet();
  let output: { readonly schema: SchemaElement[]; readonly writer: InstanceType<typeof ParquetWriter> } | undefined;
  const bytes = new ByteWriter();
  const flush = async (): Promise<void> => {
    await write(bytes.getBytes().slice());
    bytes.index = 0;
  };
  for await (const { name, file, isKept } of inputs) {
    const metadata = await readMetadata(file, { geoparquet: false });
    const stored = withoutLogicalTypes(metadata, name);
    output ??= {
      schema: metadata.schema,
      writer: new ParquetWriter({
        ...{ writer: bytes, schema: stored.schema, statistics: false, createdBy: 'simhash-doc' },
        ...(metadata.key_value_metadata !== undefined && { kvMetadata: metadata.key_value_metadata }),
      }),
    };
    if (asText(output.schema) !== asText(metadata.schema))
      throw extractionError('unsupported-media-type', `${name} has another schema than the first file`);
    const { children } = await schemaOf(stored);
    const columns = children.map(({ element }) => element.name);
    const meters = createRowMeters(limits, () => file.size);
    for (const range of rowGroupsOf(metadata, columns, limit)) {
      const options = { metadata: stored, compressors, utf8: false, meters, limit };
      const rows: Record<string, unknown>[] = await readRows(file, columns, range, options);
      const kept = rows.filter((_, index) => isKept(range.start + index));
      if (kept.length === 0) continue;
      for (const row of kept) meters.onRow(sizeOfValue(row));
      const columnData = columns.map((column) => ({ name: column, data: kept.map((row) => row[column]) }));
      output.writer.write({ columnData, rowGroupSize: kept.length });
      await flush();
    }
  }
  if (output === undefined) return;
  output.writer.schema = output.schema;
  output.writer.finish();
  await flush();
}

/** Describes a schema, to compare it with others. Rejects if {@link copyParquet} could not write it. */
export async function describeSchema(file: RandomAccess, name: string): Promise<string> {
  await loadParquetWriter();
  const metadata = await readMetadata(file, { geoparquet: false });
  withoutLogicalTypes(metadata, name);
  return asText(metadata.schema);
}

/** Returns the metadata as if no column had a logical type, except lists: then values are read and written as they are stored. */
function withoutLogicalTypes(metadata: FileMetaData, name: string): FileMetaData {
  let isInList = false;
  const schema = metadata.schema.map((element): SchemaElement => {
    const { converted_type, logical_type, ...stored } = element;
    const isSingle = element.repetition_type !== 'REPEATED' || (isInList && (element.num_children ?? 0) <= 1);
    if (element.type === 'INT96' || !isSingle) {
      const what = isSingle ? 'has the type INT96' : 'is repeated, as in a map';
      const message = `${name}: the column ${quote(element.name)} ${what}, which cannot be written`;
      throw extractionError('unsupported-media-type', message);
    }
    isInList = converted_type === 'LIST' || logical_type?.type === 'LIST';
    return isInList ? { ...stored, converted_type: 'LIST' } : stored;
  });
  return { ...metadata, schema };
}

function asText(schema: readonly SchemaElement[]): string {
  return JSON.stringify(schema, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
