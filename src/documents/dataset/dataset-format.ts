import { parseJsonObject } from '../../common/lines.ts';
import type { RandomAccess } from '../../extract/archive/zip.ts';
import { documentError } from '../failure.ts';
import type { DocumentHints } from '../hints.ts';

export type DatasetFormat = 'jsonl' | 'parquet';

export const DATASET_NAMES: Readonly<Record<DatasetFormat, string>> = { jsonl: 'JSON Lines', parquet: 'Parquet' };

const LINES_NAME = /\.(?:jsonl|ndjson)$/i;
const ZSTD_SUFFIX = /\.(?:zst|zstd)$/i;

/** Tests whether bytes begin a Parquet file. A text may also begin with PAR1, but no control character follows there. */
export function isParquet([a, b, c, d, e = 0x20]: Uint8Array): boolean {
  return a === 0x50 && b === 0x41 && c === 0x52 && d === 0x31 && e < 0x20;
}

/** Tests whether bytes begin a frame of Zstandard (RFC 8878), or a skippable one. */
export function isZstd([a = 0, b, c, d]: Uint8Array): boolean {
  return (
    (a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd) || (a >> 4 === 5 && b === 0x2a && c === 0x4d && d === 0x18)
  );
}

/** Tests whether a file may be a dataset: false if the caller names a type and no field. */
function isAllowed({ raw = false, type, fields }: DocumentHints): boolean {
  return !raw && (type === undefined || fields !== undefined);
}

/** Tests whether a file is a dataset. If fields are named, a text that begins with a JSON object is one under any name. */
export function datasetFormatOf(head: Uint8Array, path: string, hints: DocumentHints): DatasetFormat | null {
  if (!isAllowed(hints)) return null;
  if (isParquet(head)) return 'parquet';
  return LINES_NAME.test(path) || (hints.fields !== undefined && startsWithObject(head)) ? 'jsonl' : null;
}

/** Tests whether a file compressed with Zstandard is read: datasets are, documents are not. */
export function mayBeDataset(path: string, hints: DocumentHints): boolean {
  return isAllowed(hints) && (hints.fields !== undefined || LINES_NAME.test(withoutZstdSuffix(path)));
}

export function withoutZstdSuffix(path: string): string {
  return path.replace(ZSTD_SUFFIX, '');
}

/** Tests whether the first line is a JSON object, or may be one that is longer than the head. */
function startsWithObject(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head).trimStart();
  const end = text.indexOf('\n');
  return end < 0 ? text.startsWith('{"') : parseJsonObject(text.slice(0, end)) !== undefined;
}

export async function noTextField(
  format: DatasetFormat,
  head: Uint8Array,
  access: RandomAccess | undefined,
): Promise<Error> {
  const names = await fieldNamesOf(head, access);
  const list = names.length === 0 ? '' : `; it has the fields ${names.join(', ')}`;
  const advice = 'name the field that holds the text of each row (--text-field)';
  return documentError('no-text-field', `is ${DATASET_NAMES[format]}: ${advice}${list}`);
}

export async function fieldNamesOf(head: Uint8Array, access: RandomAccess | undefined): Promise<string[]> {
  if (access !== undefined) return (await import('../../extract/rows/parquet-file.ts')).parquetColumns(access);
  const { namesOfFields } = await import('../../extract/rows/row-fields.ts');
  const lines = new TextDecoder().decode(head).split('\n');
  // The last line may be cut off.
  const values = lines.slice(0, 100).map(parseJsonObject);
  return namesOfFields(values.filter((value) => value !== undefined));
}
