import type { FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import { formatNumber, pluralize, printable } from '../../../common/text.ts';
import { failureOf } from '../../../documents/failure.ts';
import { compressionOf, writeAll } from '../../../duplicates/rows/compress.ts';
import { createDuplicateWriter, type Decisions, decide } from '../../../duplicates/rows/duplicates.ts';
import { keptLines, type RowVisitor } from '../../../duplicates/rows/lines.ts';
import { createRowTable, type RowTable } from '../../../duplicates/rows/rows.ts';
import { scan } from '../../../duplicates/rows/scan.ts';
import { findRemovals, type Removals } from '../../../duplicates/rows/search.ts';
import { isSameFile, rowsOf, type Source, sourceOfRow } from '../../../duplicates/rows/sources.ts';
import { parseRow } from '../../../extract/table/parse-row.ts';
import { replaceFile } from '../../../lookup/index/file/replace.ts';
import { schemeOf } from '../../../scheme/labels/label.ts';
import { type Arguments, DONE, FAILED, usageError } from '../../command.ts';
import { type Session, withSession } from '../../session.ts';
import { print, printJson, warn } from '../../terminal/output.ts';
import { type DedupeSettings, dedupeSettingsOf } from './settings.ts';

/** Everything that is known before the rows are written. */
interface Plan {
  readonly settings: DedupeSettings;
  readonly session: Session;
  readonly sources: readonly Source[];
  readonly table: RowTable;
  readonly removals: Removals;
  readonly decisions: Decisions;
}

/** Runs `simhash-doc dedupe`. */
export async function runDedupe(args: Arguments): Promise<number> {
  const settings = await dedupeSettingsOf(args);
  refuseSameFiles(settings);
  const { hints, isQuiet, out } = settings;
  const options = { hints, jobs: 1, isHandful: false, json: false, quiet: isQuiet };
  return withSession(options, async (session) => {
    try {
      const plan = await planOf(settings, session);
      await write(plan);
      await tell(plan);
      return session.report.failures > 0 ? FAILED : DONE;
    } catch (error) {
      session.report.fail(out, `not written: ${failureOf(error).message}`);
      return FAILED;
    }
  });
}

/** Throws a usage error if a file would be read and written. */
function refuseSameFiles({ inputs, out, duplicates }: DedupeSettings): void {
  const outputs = duplicates === undefined ? [out] : [out, duplicates];
  const isSame = (a: string, b: string): boolean => resolve(a) === resolve(b) || isSameFile(a, b);
  for (const output of outputs)
    for (const input of inputs)
      if (isSame(output, input)) throw usageError(`${output} is read: expected another file to write`);
  if (duplicates !== undefined && isSame(out, duplicates))
    throw usageError('--out and --duplicates name the same file');
  for (const [index, input] of inputs.entries())
    if (inputs.slice(0, index).some((other) => isSame(other, input))) throw usageError(`${input} is named twice`);
}

async function planOf(settings: DedupeSettings, session: Session): Promise<Plan> {
  const table = createRowTable(schemeOf(settings.hints.label).words);
  const sources = await scan(settings.inputs, session, table);
  const removals = await findRemovals(sources, table, settings, session);
  table.endSearch();
  return { settings, session, sources, table, removals, decisions: decide(table, removals) };
}

async function write(plan: Plan): Promise<void> {
  const { out, duplicates } = plan.settings;
  // The list gets its name before the dataset: whoever sees the dataset has the list.
  await replaceFile(out, async (file) => {
    if (duplicates === undefined) await writeRows(plan, file, null);
    else await replaceFile(duplicates, (list) => writeRows(plan, file, list));
  });
}

async function writeRows(plan: Plan, file: FileHandle, list: FileHandle | null): Promise<void> {
  const { settings, sources, table, removals, decisions } = plan;
  const ids = new Map<number, string>();
  const hasIds = settings.hints.fields!.idField !== undefined;
  // Only the first row of a group is certain to come before the others.
  if (list !== null && hasIds && settings.keep !== 'first') await readIds(plan, ids);
  const writer =
    list === null ? null : createDuplicateWriter(list, hasIds ? ids : null, sources, table, removals, decisions);
  const onId = (row: number, id: string): void => writer?.add(row, id);
  const visitor = visitorFor(plan, decisions.isKept, list === null ? null : onId);
  if (sources[0]!.format === 'parquet')
    await (await import('../../../duplicates/rows/parquet.ts')).writeParquet(
      sources,
      plan.session.reading,
      visitor,
      file,
      writer,
    );
  else await writeAll(keptLines(sources, plan.session.reading, visitor, writer), file, compressionOf(settings.out));
  await writer?.end();
}

/** Reads the ids of rows that are preferred to others. */
async function readIds({ sources, session, decisions }: Plan, ids: Map<number, string>): Promise<void> {
  for (const source of sources)
    for await (const { number, id } of rowsOf(source, session.reading)) {
      const row = source.first + number - 1;
      if (decisions.isPreferred(row)) ids.set(row, id);
    }
}

/** Which lines are written. The ids of the others, and of those that are preferred to them, are told. */
function visitorFor(
  { settings, sources, decisions }: Plan,
  isKept: (row: number) => boolean,
  onId: ((row: number, id: string) => void) | null,
): RowVisitor {
  const { fields } = settings.hints;
  return {
    isKept,
    isWanted: (row) => onId !== null && (!decisions.isKept(row) || decisions.isPreferred(row)),
    onLine(row, octets) {
      const number = row - sourceOfRow(sources, row).first + 1;
      const line = { number, offset: 0, length: octets.length, isEnded: true, octets };
      onId?.(row, parseRow(line, fields!, octets.length)!.id);
    },
  };
}

async function tell({ settings, session, table, decisions }: Plan): Promise<void> {
  const { removed, identical } = decisions;
  const { failures } = session.report;
  const { rows } = table;
  session.progress.hide();
  if (failures > 1) warn(`${pluralize(failures, 'row')} could not be read and ${failures === 1 ? 'is' : 'are'} kept`);
  if (settings.isJson) await printJson({ rows, kept: rows - removed, removed, identical, failed: failures });
  else
    await print(
      `${printable(settings.out)}: kept ${formatNumber(rows - removed)} of ${pluralize(rows, 'row')}, removed ${formatNumber(removed)}, of which ${formatNumber(identical)} identical\n`,
    );
}
