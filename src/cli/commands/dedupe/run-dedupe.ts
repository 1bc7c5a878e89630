import type { FileHandle } from 'node:fs/promises';
import { replaceFile, syncFile } from '../../../common/replace-file.ts';
import { formatNumber, joinWithAnd, pluralize, printable } from '../../../common/text.ts';
import { failureOf } from '../../../documents/failure.ts';
import { nameOf, type Place } from '../../../documents/outcome.ts';
import { findRowRemovals, type Removals } from '../../../duplicates/rows/find-removals.ts';
import { createFirstTokens } from '../../../duplicates/rows/first-tokens.ts';
import { inFile, type OnFailedRow, readRows, type Source } from '../../../duplicates/rows/read-rows.ts';
import { createRowTable, type RowTable } from '../../../duplicates/rows/row-table.ts';
import { type ListFile, writeLists } from '../../../duplicates/rows/write-lists.ts';
import { writeRows } from '../../../duplicates/rows/write-rows.ts';
import { schemeOf } from '../../../scheme/labels/label.ts';
import { type Arguments, DONE, FAILED } from '../../command.ts';
import { assertStillFree } from '../../files/outputs.ts';
import { type Session, withSession } from '../../session.ts';
import { print, printJson, warn } from '../../terminal/output.ts';
import { type DedupeSettings, dedupeSettingsOf, filesOf } from './settings.ts';

/** Everything that is known before the rows are written. */
interface Plan {
  readonly settings: DedupeSettings;
  readonly session: Session;
  readonly sources: readonly Source[];
  readonly table: RowTable;
  readonly removals: Removals;
  readonly failures: RowFailures;
  /** The number of rows that are only compared with; they are the first ones. */
  readonly references: number;
}

export async function runDedupe(args: Arguments): Promise<number> {
  const settings = await dedupeSettingsOf(args);
  const { hints, isQuiet, out } = settings;
  const options = { hints, jobs: 1, isHandful: false, json: false, quiet: isQuiet };
  return withSession(options, async (session) => {
    try {
      const plan = await planOf(settings, session);
      if (settings.outputs.out !== undefined) warnOfCodecs(plan.sources.slice(settings.against));
      await write(plan);
      await printResult(plan);
      return plan.failures.failed > 0 ? FAILED : DONE;
    } catch (error) {
      session.report.fail(out, `not written: ${failureOf(error).message}`);
      return FAILED;
    }
  });
}

async function planOf(settings: DedupeSettings, session: Session): Promise<Plan> {
  const table = createRowTable(schemeOf(settings.hints.label).words);
  const rows = { table, tokens: createFirstTokens() };
  const failures = createRowFailures(settings.allowsEmpty);
  let sources: readonly Source[];
  try {
    sources = await readRows(settings.inputs, session, rows, failures.add, settings.against);
  } finally {
    for (const { place, message, count } of failures.kinds.values())
      session.report.fail(nameOf(place), count === 1 ? message : `${message} (and ${formatNumber(count - 1)} more)`);
  }
  const references = settings.against === 0 ? 0 : (sources[settings.against]?.first ?? table.rows);
  const removals = await findRowRemovals(sources, rows, { ...settings, references }, session);
  return { settings, session, sources, table, removals, failures, references };
}

type RowFailures = ReturnType<typeof createRowFailures>;

/** Counts the rows that cannot be read, by the kind of their failure; those without text apart if they are allowed. */
function createRowFailures(allowsEmpty: boolean) {
  const kinds = new Map<string, { readonly place: Place; readonly message: string; count: number }>();
  let [failed, empty] = [0, 0];
  const add: OnFailedRow = (place, { message, isMissing }) => {
    if (allowsEmpty && isMissing === true) {
      empty++;
      return;
    }
    failed++;
    const kind = message.replace(/^row \d+: /, '');
    const known = kinds.get(kind);
    if (known === undefined) kinds.set(kind, { place, message, count: 1 });
    else known.count++;
  };
  return {
    add,
    kinds,
    get failed() {
      return failed;
    },
    get empty() {
      return empty;
    },
  };
}

function warnOfCodecs(sources: readonly Source[]): void {
  const codecs = [...new Set(sources.flatMap(({ changed }) => changed))];
  if (codecs.length === 0) return;
  const hint = codecs.includes('ZSTD') ? ' (ZSTD needs Node 22.15)' : '';
  warn(`columns compressed with ${joinWithAnd(codecs)} are written with SNAPPY${hint}`);
}

async function write(plan: Plan): Promise<void> {
  const { out, duplicates, groups } = plan.settings.outputs;
  for (const output of filesOf(plan.settings.outputs)) assertStillFree(output);
  // The lists are renamed before the dataset: where the dataset exists, so do they.
  await replaceIf(out, async (file) => {
    if (file !== undefined) {
      await writeRows(plan.sources.slice(plan.settings.against), plan.session.reading, plan.removals.isKept, {
        path: out!,
        file,
      });
      // A full disk is noticed here, before the lists are renamed.
      await syncFile(file);
    }
    await replaceList(duplicates, (removed) => replaceList(groups, (all) => writeAllLists(plan, removed, all)));
  });
}

/** Writes a file, if its name is given. */
async function replaceIf(path: string | undefined, write: (file?: FileHandle) => Promise<void>): Promise<void> {
  if (path === undefined) await write();
  else await replaceFile(path, write);
}

/** Like {@link replaceIf}; failures name the file. */
async function replaceList(path: string | undefined, write: (list?: ListFile) => Promise<void>): Promise<void> {
  const replace = () => replaceIf(path, (file) => write(file && { path: path!, file }));
  await (path === undefined ? replace() : inFile(path, replace));
}

async function writeAllLists(plan: Plan, duplicates?: ListFile, groups?: ListFile): Promise<void> {
  if (duplicates === undefined && groups === undefined) return;
  const { reading } = plan.session;
  const fields = { ...reading.hints.fields!, idField: plan.settings.idField };
  await writeLists({ duplicates, groups }, plan, { ...reading, hints: { ...reading.hints, fields } });
}

async function printResult({
  settings,
  session,
  table,
  removals,
  failures: { failed, empty },
  references,
}: Plan): Promise<void> {
  const { removed, identical, different } = removals;
  const rows = table.rows - references;
  session.progress.hide();
  if (failed > 1) warn(`${pluralize(failed, 'row')} could not be read and are kept`);
  const counted = settings.allowsEmpty ? { empty } : {};
  if (settings.isJson)
    await printJson({ rows, kept: rows - removed, removed, identical, different, failed, ...counted });
  else {
    const counts =
      settings.outputs.out === undefined
        ? `${pluralize(rows, 'row')}: ${formatNumber(rows - removed)} to keep, ${formatNumber(removed)} to remove`
        : `${printable(settings.out)}: kept ${formatNumber(rows - removed)} of ${pluralize(rows, 'row')}, removed ${formatNumber(removed)}`;
    await print(
      `${counts}, of which ${formatNumber(identical)} identical${describeDifferent(different)}${empty === 0 ? '' : `; kept ${formatNumber(empty)} without text`}\n`,
    );
  }
}

/** Says which rows are kept although others have most of their words. */
function describeDifferent(different: Plan['removals']['different']): string {
  const found = Object.entries(different).filter(([, count]) => count > 0);
  if (found.length === 0) return '';
  const total = found.reduce((sum, [, count]) => sum + count, 0);
  const list = found.map(
    ([reason, count]) => `${formatNumber(count)} in ${reason === 'title' ? 'the first line' : reason}`,
  );
  return `; kept ${formatNumber(total)} that ${total === 1 ? 'differs' : 'differ'}: ${list.join(', ')} (--ignore-numbers removes ${total === 1 ? 'it' : 'them'})`;
}
