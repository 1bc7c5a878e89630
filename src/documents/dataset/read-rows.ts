import { formatNumber, joinWithAnd, quote } from '../../common/text.ts';
import { createRowMeters, type Meter } from '../../extract/limits.ts';
import { type Row, type TableFields, textFieldsOf } from '../../extract/rows/row-types.ts';
import { documentError, type Failure } from '../failure.ts';
import type { Opened, Reading } from '../open.ts';
import { following } from '../read.ts';
import type { TimeBudget } from '../time-budget.ts';
import { fieldNamesOf } from './dataset-format.ts';
import { createIdSet } from './row-ids.ts';

/** A row of a dataset; one of JSON Lines has the place of its line in the decompressed file, in bytes. */
export interface DatasetRow extends Omit<Row, 'content'> {
  readonly content: { readonly text: string } | { readonly failure: Failure };
  readonly offset?: number;
  readonly length?: number;
}

/** An open dataset, with access if it is Parquet. */
export type OpenDataset = Pick<Opened, 'head' | 'rest' | 'access'>;

export interface RowBudget extends Pick<Reading, 'hints'> {
  readonly budget: Meter;
  readonly time: TimeBudget;
}

/** Consecutive rows, which are read, checked and worked on together: a step for each takes as long as its fingerprint. */
export type RowBlock = readonly DatasetRow[];

/** Reads the rows of a dataset, of which each has to have an id of its own. Throws as {@link readRowBlocks}. */
export async function* readUniqueRows(dataset: OpenDataset, limits: RowBudget): AsyncGenerator<RowBlock, undefined> {
  const isNew = createIdCheck(limits.hints.fields);
  for await (const rows of readRowBlocks(dataset, limits)) yield isNew === null ? rows : rows.map(isNew);
}

/** Throws `no-text` if the first rows, or all, lack the text field; `too-large` or `timeout` at a limit. */
export async function* readRowBlocks(dataset: OpenDataset, limits: RowBudget): AsyncGenerator<RowBlock, undefined> {
  const { fields } = limits.hints;
  if (fields === undefined) throw documentError('no-text-field', 'name the field that holds the text (--text-field)');
  // A copy, since reading reuses this memory.
  const start = dataset.head.slice();
  let held: DatasetRow[] | null = [];
  for await (const rows of readBlocks(dataset, fields, limits)) {
    if (held === null) {
      yield rows;
      continue;
    }
    for (const row of rows) held.push(row);
    const first = held.findIndex(({ content }) => !('failure' in content) || isNull(content.failure));
    if (first < 0 && held.length < MAX_ROWS) continue;
    if (first < 0 || first >= MAX_ROWS) await assertTextField(held.slice(0, MAX_ROWS), start, dataset, fields);
    yield held;
    held = null;
  }
  if (held === null) return undefined;
  await assertTextField(held, start, dataset, fields);
  yield held;
  return undefined;
}

const PARQUET_BLOCK = 256;

async function* readBlocks(
  { head, rest, access }: OpenDataset,
  fields: TableFields,
  { hints: { limits }, budget, time }: RowBudget,
): AsyncGenerator<RowBlock, undefined> {
  const options = { ...fields, limits };
  if (access === undefined) {
    const { readJsonBlocks } = await import('../../extract/rows/json-rows.ts');
    return yield* readJsonBlocks(following(head, rest), options, time.use);
  }
  const { readParquetRows } = await import('../../extract/rows/parquet-rows.ts');
  const meters = { ...createRowMeters(limits, () => access.size), onRow: budget, onTime: time.use };
  let rows: Row[] = [];
  try {
    for await (const row of readParquetRows(access, options, meters))
      if (rows.push(row) === PARQUET_BLOCK) {
        const full = rows;
        rows = [];
        yield full;
      }
  } catch (error) {
    // The rows before a damaged part can be read.
    if (rows.length > 0) yield rows;
    throw error;
  }
  if (rows.length > 0) yield rows;
  return undefined;
}

/** The number of rows without the text field after which reading stops, with one message for all. */
const MAX_ROWS = 10_000;

function isNull(failure: Failure & { readonly isNull?: boolean }): boolean {
  return failure.isNull === true;
}

/** Throws `no-text` for the first rows of a dataset, which have no text, if one of them lacks the field. */
async function assertTextField(
  rows: RowBlock,
  start: Uint8Array,
  { access }: OpenDataset,
  fields: TableFields,
): Promise<void> {
  const lacksField = ({ content }: DatasetRow): boolean =>
    'failure' in content && content.failure.code === 'no-text' && !isNull(content.failure);
  if (!rows.some(lacksField)) return;
  const which = rows.length === MAX_ROWS ? `of its first ${formatNumber(MAX_ROWS)} rows has` : 'of its rows has';
  const names = await fieldNamesOf(start, access);
  const list = names.length === 0 ? '' : `: its fields are ${names.join(', ')}`;
  throw documentError('no-text', `none ${which} text in the ${describe(fields)}${list}`);
}

function describe(fields: TableFields): string {
  const names = textFieldsOf(fields).map((name) => quote(name));
  return `${names.length === 1 ? 'field' : 'fields'} ${joinWithAnd(names)}`;
}

/** Makes a function that turns a row with a known id into a failure; null if rows are numbered. */
function createIdCheck(fields: TableFields | undefined): ((row: DatasetRow) => DatasetRow) | null {
  if (fields?.idField === undefined) return null;
  const ids = createIdSet();
  return (row) => {
    const hasId = !row.id.startsWith('@') || 'text' in row.content;
    if (!hasId || ids.add(row.id)) return row;
    const message = `row ${row.number}: an earlier row has the same id, ${quote(row.id)}`;
    return { ...row, id: `@${row.number}`, content: { failure: { code: 'duplicate-id', message } } };
  };
}
