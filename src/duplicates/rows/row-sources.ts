import { statSync } from 'node:fs';
import type { DatasetFormat } from '../../documents/dataset/dataset-format.ts';
import { type RowBlock, type RowBudget, readRowBlocks } from '../../documents/dataset/read-rows.ts';
import { documentError, failureOf } from '../../documents/failure.ts';
import type { DocumentHints } from '../../documents/hints.ts';
import { type Opened, open, type Reading } from '../../documents/open.ts';
import { createTimeBudget } from '../../documents/time-budget.ts';
import { createExpansionMeter } from '../../extract/limits.ts';
import type { TableFields } from '../../extract/rows/row-types.ts';

export interface RowFile {
  readonly path: string;
  /** The name of the file in messages and lists: a copy has the name of what was copied. */
  readonly name: string;
  /** The names of documents whose texts are the rows, in the field `text`; absent for datasets. */
  readonly names?: readonly string[] | undefined;
}

export interface RowSource extends RowFile {
  readonly format: DatasetFormat;
  /** True if the file is not compressed, so that the offsets of rows are offsets in the file. */
  readonly isPlain: boolean;
  /** The number of its first row, counted over all files from 0. */
  readonly first: number;
  /** Describes the schema of a Parquet file; empty for JSON Lines. */
  readonly schema: string;
  /** The codecs of a Parquet file that a copy does not have. */
  readonly changed: readonly string[];
  readonly state: string;
}

/** Describes the state of a file, which changes when the file does. Throws unless it can be read several times. */
export function stateOf(path: string): string {
  const stat = statSync(path, { bigint: true });
  if (stat.isDirectory()) throw documentError('is-directory', 'is a folder: expected a file');
  if (!stat.isFile()) throw documentError('special-file', 'is read several times: expected a regular file');
  return [stat.dev, stat.ino, stat.size, stat.mtimeNs].join(' ');
}

export function limitsOf({ size = () => 0 }: Pick<Opened, 'size'>, { hints, run }: Reading, file: RowFile): RowBudget {
  const time = createTimeBudget(hints.timeout, size, run, 'the texts of the rows');
  return { hints: { ...hints, fields: fieldsOf(file, hints) }, budget: createExpansionMeter(hints.limits, size), time };
}

export function fieldsOf({ names }: RowFile, { fields }: DocumentHints): TableFields {
  return names === undefined ? fields! : { textField: 'text' };
}

/** Throws `changed` unless a file is as it was when it was first read. */
export function assertUnchanged({ path, state }: RowSource): void {
  if (stateOf(path) !== state)
    throw documentError('changed', 'changed while it was read: try again when nothing writes to it');
}

/** Opens a dataset; the caller closes it. */
export async function openRows(
  { path }: RowFile,
  reading: Reading,
): Promise<Opened & { readonly dataset: DatasetFormat }> {
  const opened = await open({ path, found: false }, reading);
  const { dataset } = opened;
  if (dataset !== undefined) return { ...opened, dataset };
  await opened.close();
  throw documentError('unsupported-media-type', 'is not a dataset: expected JSON Lines or Parquet');
}

/** Reads the rows of a dataset again. Throws `changed` if the file has changed since it was first read. */
export async function* rereadRows(source: RowSource, reading: Reading): AsyncGenerator<RowBlock, undefined> {
  assertUnchanged(source);
  const opened = await openRows(source, reading);
  try {
    yield* readRowBlocks(opened, limitsOf(opened, reading, source));
  } finally {
    await opened.close();
  }
  return undefined;
}

const named = new WeakSet<Error>();

/** Runs an action on a file, and names the file in the message of its failure, unless the message names another one. */
export async function inFile<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof Error && named.has(error)) throw error;
    const { code, message } = failureOf(error);
    const failure = documentError(code, `${path}: ${message}`);
    named.add(failure);
    throw failure;
  }
}

export function sourceOfRow(sources: readonly RowSource[], row: number): RowSource {
  return sources.findLast(({ first }) => first <= row)!;
}
