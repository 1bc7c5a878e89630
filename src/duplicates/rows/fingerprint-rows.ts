import { hash } from 'node:crypto';
import { type DatasetRow, readRowBlocks } from '../../documents/dataset/read-rows.ts';
import type { Place } from '../../documents/document-outcome.ts';
import { documentError, type Failure } from '../../documents/failure.ts';
import { nextTurn } from '../../documents/in-order.ts';
import type { Reading } from '../../documents/open.ts';
import type { ReportedDocuments } from '../../documents/run-documents.ts';
import type { RowFailure } from '../../extract/rows/row-types.ts';
import { fingerprintText } from '../../fingerprint/fingerprint.ts';
import type { Fingerprint } from '../../scheme/labels/fingerprint.ts';
import { type Scheme, schemeOf } from '../../scheme/labels/label.ts';
import type { FirstTokens } from './first-tokens.ts';
import { inFile, limitsOf, openRows, type RowFile, type RowSource, stateOf } from './row-sources.ts';
import type { RowTable } from './row-table.ts';

export interface Rows {
  readonly table: RowTable;
  readonly tokens: FirstTokens;
}

export type OnFailedRow = (place: Place, failure: Failure & Pick<RowFailure, 'isMissing'>) => void;

/** Reads all rows into a table. Those of the first files, which are only compared with, may have other formats and schemas. */
export async function fingerprintRows(
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
        : await (await import('../../extract/rows/parquet-copy.ts')).describeSchema(access, file.name);
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
