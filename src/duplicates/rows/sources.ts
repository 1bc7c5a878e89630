import { statSync } from 'node:fs';
import type { DatasetFormat } from '../../documents/dataset/format.ts';
import { type DatasetRow, type RowBudget, readParts } from '../../documents/dataset/rows.ts';
import { documentError, failureOf } from '../../documents/failure.ts';
import { type Opened, open, type Reading } from '../../documents/open.ts';
import { createTimeBudget } from '../../documents/workers/time-budget.ts';
import { createExpansionMeter } from '../../extract/limits.ts';

export interface Source {
  readonly path: string;
  readonly format: DatasetFormat;
  /** True if the file is not compressed, so that the offsets of rows are offsets in the file. */
  readonly isPlain: boolean;
  /** The number of its first row, counted over all files from 0. */
  readonly first: number;
  /** Describes the schema of a Parquet file; empty for JSON Lines. */
  readonly schema: string;
  /** A string that changes when the file does. */
  readonly state: string;
}

/** Describes the state of a file, which changes when the file does. Throws unless it can be read several times. */
export function stateOf(path: string): string {
  const stat = statSync(path, { bigint: true });
  if (stat.isDirectory()) throw documentError('is-directory', 'is a folder: expected a file');
  if (!stat.isFile()) throw documentError('special-file', 'is read several times: expected a regular file');
  return [stat.dev, stat.ino, stat.size, stat.mtimeNs].join(' ');
}

/** Opens a dataset; the caller closes it. */
export async function openRows(path: string, reading: Reading): Promise<Opened & { readonly dataset: DatasetFormat }> {
  const opened = await open({ path, found: false }, reading);
  const { dataset } = opened;
  if (dataset !== undefined) return { ...opened, dataset };
  await opened.close();
  throw documentError('unsupported-media-type', 'is not a dataset: expected JSON Lines or Parquet');
}

/** Creates the limits of reading the rows of a dataset once. */
export function limitsOf({ size = () => 0 }: Pick<Opened, 'size'>, { hints, run }: Reading): RowBudget {
  const time = createTimeBudget(hints.timeout, size, run, 'the texts of the rows');
  return { hints, budget: createExpansionMeter(hints.limits, size), time };
}

/** Throws `changed` unless a file is as it was when it was first read. */
export function assertUnchanged({ path, state }: Source): void {
  if (stateOf(path) !== state)
    throw documentError('changed', 'changed while it was read: try again when nothing writes to it');
}

/** Reads the rows of a dataset. Throws `changed` if the file has changed since it was first read. */
export async function* rowsOf(source: Source, reading: Reading): AsyncGenerator<DatasetRow, undefined> {
  for await (const rows of partsOf(source, reading)) for (const row of rows) yield row;
}

/** Like {@link rowsOf}, but yields several rows together: ask for them before the next ones. */
export async function* partsOf(source: Source, reading: Reading): AsyncGenerator<Iterable<DatasetRow>> {
  assertUnchanged(source);
  const opened = await openRows(source.path, reading);
  try {
    yield* readParts({ ...opened, isPlain: source.isPlain }, limitsOf(opened, reading));
  } finally {
    await opened.close();
  }
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

export function sourceOfRow(sources: readonly Source[], row: number): Source {
  return sources.findLast(({ first }) => first <= row)!;
}
