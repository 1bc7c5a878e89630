import { hash } from 'node:crypto';
import { type DatasetRow, readParts } from '../../documents/dataset/rows.ts';
import { documentError } from '../../documents/failure.ts';
import { nextTurn } from '../../documents/in-order.ts';
import { failed, type OutcomeReport } from '../../documents/outcome.ts';
import type { ReportedDocuments } from '../../documents/session.ts';
import type { RandomAccess } from '../../extract/archive/zip.ts';
import { createFingerprinter } from '../../fingerprint/fingerprint.ts';
import type { RowTable } from './rows.ts';
import { inFile, limitsOf, openRows, type Source, stateOf } from './sources.ts';

/** The number of rows that are read before timers and streams run. */
export const TURN = 256;

/** Reads all rows into a table, with their fingerprints. Rows that fail are reported. */
export async function scan(paths: readonly string[], session: ReportedDocuments, table: RowTable): Promise<Source[]> {
  const sources: Source[] = [];
  for (const path of paths) {
    const source = await inFile(path, () => scanFile(path, session, table));
    const { format, schema } = sources[0] ?? source;
    if (format !== source.format || schema !== source.schema)
      throw documentError('unsupported-media-type', `${path} has another format or schema than ${paths[0]}`);
    sources.push(source);
  }
  table.seal();
  return sources;
}

async function scanFile(path: string, { reading, report }: ReportedDocuments, table: RowTable): Promise<Source> {
  const [first, state] = [table.rows, stateOf(path)];
  const opened = await openRows(path, reading);
  try {
    const { access, dataset: format } = opened;
    const schema = access === undefined ? '' : await schemaOf(access, path);
    const isPlain = opened.dataset === 'jsonl' && opened.codings === 0;
    const limits = limitsOf(opened, reading);
    for await (const rows of readParts({ ...opened, isPlain }, limits))
      for (const row of rows) {
        const start = performance.now();
        // Empty lines are rows that are kept.
        while (table.rows - first < row.number - 1) table.skip();
        if (!addRow(row, table, reading.hints.label)) {
          table.skip();
          await reportRow(path, row, report);
        } else limits.time.use(performance.now() - start);
        if (row.number % TURN === 0) await nextTurn();
      }
    return { path, format, isPlain, first, schema, state };
  } finally {
    await opened.close();
  }
}

async function schemaOf(access: RandomAccess, path: string): Promise<string> {
  return (await import('../../extract/table/parquet-copy.ts')).describeSchema(access, path);
}

/** Reports a row that cannot be read. */
async function reportRow(path: string, { content, id, place }: DatasetRow, report: OutcomeReport): Promise<void> {
  if ('failure' in content) await report.add(failed({ path, member: { name: id, row: place } }, content.failure));
}

/** Adds a row; false if it has no fingerprint. */
function addRow({ content, place }: DatasetRow, table: RowTable, label: string): boolean {
  if ('failure' in content) return false;
  const fingerprinter = createFingerprinter({ label }).update(content.text);
  const fingerprint = fingerprinter.digest();
  if (fingerprint === null) return false;
  const digest = hash('sha256', content.text, 'binary');
  const { offset = 0, length = 0 } = place;
  table.add({ fingerprint, tokens: fingerprinter.tokenCount, digest, offset, length });
  return true;
}
