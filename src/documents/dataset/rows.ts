import { quote } from '../../common/text.ts';
import type { RandomAccess } from '../../extract/archive/zip.ts';
import { createRowMeters, type Meter } from '../../extract/limits.ts';
import type { JsonRow } from '../../extract/table/json-rows.ts';
import type { Row, TableFields } from '../../extract/table/types.ts';
import { documentError, type Failure } from '../failure.ts';
import type { Reading } from '../open.ts';
import type { RowPlace } from '../outcome.ts';
import { type Chunks, following } from '../read.ts';
import type { TimeBudget } from '../workers/time-budget.ts';
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

/** The limits of reading rows: their fields, the bytes that they may grow to, and the time of all of them. */
export interface RowBudget extends Pick<Reading, 'hints'> {
  readonly budget: Meter;
  readonly time: TimeBudget;
}

/** Reads the rows of a dataset. A row with the id of an earlier row is a failure. */
export async function* readRows(dataset: OpenDataset, limits: RowBudget): AsyncGenerator<DatasetRow, undefined> {
  const isNew = createIdCheck(limits.hints.fields);
  for await (const rows of readParts(dataset, limits)) for (const row of rows) yield isNew(row);
}

/**
 * Like {@link readRows}, but ids may repeat, and several rows are yielded together: ask for them before the next ones.
 */
export async function* readParts(dataset: OpenDataset, limits: RowBudget): AsyncGenerator<Iterable<DatasetRow>> {
  yield* requireTextField(readFields(dataset, limits), dataset, limits.hints.fields);
}

async function* readFields(
  { head, rest, access, isPlain }: OpenDataset,
  { hints: { fields, limits }, budget, time }: RowBudget,
): AsyncGenerator<Iterable<DatasetRow>> {
  if (fields === undefined) throw documentError('no-text-field', 'name the field that holds the text (--text-field)');
  const options = { ...fields, limits };
  if (access !== undefined) {
    const { readParquetRows } = await import('../../extract/table/parquet.ts');
    const meters = { ...createRowMeters(limits, () => access.size), onRow: budget, onTime: time.use };
    for await (const row of readParquetRows(access, options, meters)) yield [{ ...row, place: { number: row.number } }];
    return;
  }
  const { readJsonParts } = await import('../../extract/table/json-rows.ts');
  for await (const rows of readJsonParts(following(head, rest), options)) yield timed(placedRows(rows, isPlain), time);
}

function* placedRows(rows: Iterable<JsonRow>, isPlain: boolean): Generator<DatasetRow> {
  for (const { number, id, content, offset, length } of rows)
    yield { number, id, content, place: isPlain ? { number, offset, length } : { number } };
}

/** Counts the time that parsing each row takes. */
function* timed<T>(rows: Iterable<T>, time: TimeBudget): Generator<T> {
  const iterator = rows[Symbol.iterator]();
  for (;;) {
    const start = performance.now();
    const { done, value } = iterator.next();
    time.use(performance.now() - start);
    if (done === true) return;
    yield value;
  }
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
