import { quote } from '../../common/text.ts';
import type { RandomAccess } from '../../extract/archive/zip.ts';
import type { JsonRow } from '../../extract/table/json-rows.ts';
import type { Row, TableFields } from '../../extract/table/types.ts';
import { documentError, type Failure } from '../failure.ts';
import type { DocumentHints } from '../hints.ts';
import type { RowPlace } from '../outcome.ts';
import { type Chunks, following } from '../read.ts';
import { createIdSet } from './ids.ts';
import { requireTextField } from './text-field.ts';

export interface DatasetRow extends Omit<Row, 'content'> {
  readonly content: { readonly text: string } | { readonly failure: Failure };
  readonly place: RowPlace;
}

export interface OpenDataset {
  readonly head: Uint8Array;
  readonly rest: Chunks | null;
  /** Access to a Parquet file; absent for JSON Lines. */
  readonly access?: RandomAccess | undefined;
  /** True if the bytes are those of the file: then offsets can be used to read a row again. */
  readonly isPlain: boolean;
}

/** Reads the rows of a dataset. A row with the id of an earlier row is a failure. */
export async function* readRows(dataset: OpenDataset, hints: DocumentHints): AsyncGenerator<DatasetRow, undefined> {
  const isNew = createIdCheck(hints.fields);
  for await (const rows of readParts(dataset, hints)) for (const row of rows) yield isNew(row);
}

/**
 * Like {@link readRows}, but ids may repeat, and several rows are yielded together: ask for them before the next ones.
 */
export async function* readParts(dataset: OpenDataset, hints: DocumentHints): AsyncGenerator<Iterable<DatasetRow>> {
  yield* requireTextField(readFields(dataset, hints), dataset, hints.fields);
}

async function* readFields(
  { head, rest, access, isPlain }: OpenDataset,
  { fields, limits }: DocumentHints,
): AsyncGenerator<Iterable<DatasetRow>> {
  if (fields === undefined) throw documentError('no-text-field', 'name the field that holds the text (--text-field)');
  const options = { ...fields, limits };
  if (access !== undefined) {
    const { readParquet } = await import('../../extract/table/parquet.ts');
    for await (const row of readParquet(access, options)) yield [{ ...row, place: { number: row.number } }];
    return;
  }
  const { readJsonParts } = await import('../../extract/table/json-rows.ts');
  for await (const rows of readJsonParts(following(head, rest), options)) yield placedRows(rows, isPlain);
}

function* placedRows(rows: Iterable<JsonRow>, isPlain: boolean): Generator<DatasetRow> {
  for (const { number, id, content, offset, length } of rows)
    yield { number, id, content, place: isPlain ? { number, offset, length } : { number } };
}

/** Makes a function that turns a row with a known id into a failure. */
function createIdCheck(fields: TableFields | undefined): (row: DatasetRow) => DatasetRow {
  if (fields?.idField === undefined) return (row) => row;
  const ids = createIdSet();
  return (row) => {
    const hasId = !row.id.startsWith('@') || 'text' in row.content;
    if (!hasId || ids.add(row.id)) return row;
    const message = `row ${row.number}: an earlier row has the same id, ${quote(row.id)}`;
    return { ...row, id: `@${row.number}`, content: { failure: { code: 'duplicate-id', message } } };
  };
}
