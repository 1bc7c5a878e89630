import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import type { DatasetFormat } from '../../documents/dataset/format.ts';
import { type DatasetRow, type RowBlock, type RowBudget, readRowBlocks } from '../../documents/dataset/rows.ts';
import { documentError, type Failure, failureOf } from '../../documents/failure.ts';
import type { DocumentHints } from '../../documents/hints.ts';
import { nextTurn } from '../../documents/in-order.ts';
import { type Opened, open, type Reading } from '../../documents/open.ts';
import type { Place } from '../../documents/outcome.ts';
import type { ReportedDocuments } from '../../documents/session.ts';
import { createTimeBudget } from '../../documents/workers/time-budget.ts';
import { createExpansionMeter } from '../../extract/limits.ts';
import type { RowFailure, TableFields } from '../../extract/table/types.ts';
import { fingerprintText } from '../../fingerprint/fingerprint.ts';
import type { Fingerprint } from '../../scheme/labels/fingerprint.ts';
import { type Scheme, schemeOf } from '../../scheme/labels/label.ts';
import type { FirstTokens } from './first-tokens.ts';
import type { RowTable } from './row-table.ts';

/** A file of rows to read. */
export interface RowFile {
  readonly path: string;
  /** The name of the file in messages and lists: a copy has the name of what was copied. */
  readonly name: string;
  /** The names of documents whose texts are the rows, in the field `text`; absent for datasets. */
  readonly names?: readonly string[] | undefined;
}

/** A file of rows that was read. */
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
  /** A string that changes when the file does. */
  readonly state: string;
}

/** The rows that were read, and the tokens of their texts. */
interface Rows {
  readonly table: RowTable;
  readonly tokens: FirstTokens;
}

/** Called with each row that has no text, and why. */
export type OnFailedRow = (place: Place, failure: Failure & Pick<RowFailure, 'isMissing'>) => void;

/**
 * Reads all rows into a table, with their fingerprints. Rows that fail are reported. Those of the first files, which are only
 * compared with, may have other formats and schemas.
 */
export async function readRows(
  files: readonly RowFile[],
  session: ReportedDocuments,
  rows: Rows,
  onRow: OnFailedRow,
  references = 0,
): Promise<RowSource[]> {
  const sources: RowSource[] = [];
  for (const file of files) {
    const source = await inFile(file.name, () => readFile(file, session, rows, onRow));
    const { format, schema, name } = sources[references] ?? source;
    if (format !== source.format || schema !== source.schema)
      throw documentError('unsupported-media-type', `${file.name} has another format or schema than ${name}`);
    sources.push(source);
  }
  rows.table.seal();
  return sources;
}

async function readFile(
  file: RowFile,
  { reading }: ReportedDocuments,
  into: Rows,
  onFailed: OnFailedRow,
): Promise<RowSource> {
  const { table } = into;
  const { path } = file;
  const [first, state] = [table.rows, stateOf(path)];
  const opened = await openRows(file, reading);
  try {
    const { access, dataset: format } = opened;
    const { schema, changed } =
      access === undefined
        ? { schema: '', changed: [] }
        : await (await import('../../extract/table/parquet-copy.ts')).describeSchema(access, file.name);
    const isPlain = format === 'jsonl' && opened.codings === 0;
    const scheme = schemeOf(reading.hints.label);
    const limits = limitsOf(opened, reading, file);
    for await (const rows of readRowBlocks(opened, limits)) {
      const start = performance.now();
      for (const row of rows) {
        // Empty lines are rows that are kept.
        while (table.rows - first < row.number - 1) table.skip();
        if (addRow(row, rows.length, into, scheme)) continue;
        table.skip();
        const { content, id: name, number } = row;
        if ('failure' in content) onFailed({ path: file.name, member: { name, row: { number } } }, content.failure);
      }
      limits.time.use(performance.now() - start);
      await nextTurn();
    }
    return { ...file, format, isPlain, first, schema, changed, state };
  } finally {
    await opened.close();
  }
}

/** Adds one of some rows; false if it has no text. */
function addRow(
  { content, offset = 0, length = 0 }: DatasetRow,
  rows: number,
  { table, tokens: first }: Rows,
  scheme: Scheme,
): boolean {
  if ('failure' in content) return false;
  const { text } = content;
  const { fingerprint, tokens } = fingerprintText(text, scheme, rows * text.length, first.begin(), table.bands?.read);
  // JSON keeps apart what UTF-8 has no octets for, lone surrogates.
  const digest = hash('sha256', fingerprint === null ? JSON.stringify(text) : text, 'binary');
  if (fingerprint === null) {
    table.addPlain(digest);
    return true;
  }
  if (table.add(fingerprint, tokens, digest, offset, length)) first.keep(text, tokens);
  return true;
}

/** Describes the state of a file, which changes when the file does. Throws unless it can be read several times. */
export function stateOf(path: string): string {
  const stat = statSync(path, { bigint: true });
  if (stat.isDirectory()) throw documentError('is-directory', 'is a folder: expected a file');
  if (!stat.isFile()) throw documentError('special-file', 'is read several times: expected a regular file');
  return [stat.dev, stat.ino, stat.size, stat.mtimeNs].join(' ');
}

/** Creates the limits of reading the rows of a dataset once. */
function limitsOf({ size = () => 0 }: Pick<Opened, 'size'>, { hints, run }: Reading, file: RowFile): RowBudget {
  const time = createTimeBudget(hints.timeout, size, run, 'the texts of the rows');
  return { hints: { ...hints, fields: fieldsOf(file, hints) }, budget: createExpansionMeter(hints.limits, size), time };
}

/** Returns the fields of the rows of a file. */
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

/** Computes the fingerprints of the rows of a file. */
export async function* readFingerprints(file: RowFile, reading: Reading): AsyncGenerator<Fingerprint, undefined> {
  const opened = await openRows(file, reading);
  const scheme = schemeOf(reading.hints.label);
  try {
    for await (const rows of readRowBlocks(opened, limitsOf(opened, reading, file)))
      for (const { content } of rows) {
        const fingerprint = 'text' in content ? fingerprintText(content.text, scheme).fingerprint : null;
        if (fingerprint !== null) yield fingerprint;
      }
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
