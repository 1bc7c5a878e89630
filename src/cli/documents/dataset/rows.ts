import { quote } from '../../../common/text.ts';
import type { RandomAccess } from '../../../extract/archive/zip.ts';
import type { Row, TableFields } from '../../../extract/table/types.ts';
import { documentError, type Failure } from '../failure.ts';
import type { DocumentHints } from '../hints.ts';
import type { RowPlace } from '../outcome.ts';
import { type Chunks, following } from '../read.ts';
import { createIdSet } from './ids.ts';

/** A row, and where it is. */
export interface DatasetRow extends CheckedRow {
  readonly place: RowPlace;
}

/** A row whose id no other row before it has. */
export interface CheckedRow extends Omit<Row, 'content'> {
  readonly content: { readonly text: string } | { readonly failure: Failure };
}

/** A dataset that is open. */
export interface OpenDataset {
  readonly head: Uint8Array;
  readonly rest: Chunks | null;
  /** Access to a Parquet file; absent for JSON Lines. */
  readonly access?: RandomAccess | undefined;
  /** Whether the octets are those of the file: then offsets can be used to read a row again. */
  readonly isPlain: boolean;
}

/**
 * Reads the rows of a dataset. A row whose id another one before it has fails, too.
 * @param dataset - the dataset
 * @param hints - the fields, and limits
 */
export async function* readRows(
  { head, rest, access, isPlain }: OpenDataset,
  { fields, limits }: DocumentHints,
): AsyncGenerator<DatasetRow, undefined> {
  if (fields === undefined) throw documentError('no-text-field', 'no field with the text is named (--text-field)');
  const options = { ...fields, limits };
  const isNew = createIdCheck(fields);
  if (access !== undefined) {
    const { readParquet } = await import('../../../extract/table/parquet.ts');
    for await (const row of readParquet(access, options)) yield { ...isNew(row), place: { number: row.number } };
    return undefined;
  }
  const { readJsonLines } = await import('../../../extract/table/json-lines.ts');
  for await (const row of readJsonLines(following(head, rest), options)) {
    const { number, offset, length } = row;
    yield { ...isNew(row), place: { number, ...(isPlain && { offset, length }) } };
  }
  return undefined;
}

/** Makes a function that turns a row with a known id into a failure. */
export function createIdCheck({ idField }: TableFields): (row: Row) => CheckedRow {
  if (idField === undefined) return (row) => row;
  const ids = createIdSet();
  return (row) => {
    const hasId = !row.id.startsWith('@') || 'text' in row.content;
    if (!hasId || ids.add(row.id)) return row;
    const message = `row ${row.number}: another row before it has the id ${quote(row.id)}`;
    return { ...row, id: `@${row.number}`, content: { failure: { code: 'duplicate-id', message } } };
  };
}
