import { replaceFile, syncFile } from '../../../common/replace-file.ts';
import { formatNumber, joinWithAnd, pluralize, printable } from '../../../common/text.ts';
import { nameOf } from '../../../documents/document-outcome.ts';
import { failureOf } from '../../../documents/failure.ts';
import { STDIN } from '../../../documents/walk.ts';
import { TRUSTED_TOKENS } from '../../../duplicates/answer.ts';
import { MIN_BANDED_OVERLAP } from '../../../duplicates/near/bands.ts';
import { createWriter, type WritePart } from '../../../duplicates/rows/compressed-writer.ts';
import { fingerprintRows, type OnFailedRow } from '../../../duplicates/rows/fingerprint-rows.ts';
import { createFirstTokens } from '../../../duplicates/rows/first-tokens.ts';
import { findRowRemovals } from '../../../duplicates/rows/removed-rows.ts';
import { inFile, type RowSource } from '../../../duplicates/rows/row-sources.ts';
import { createRowTable } from '../../../duplicates/rows/row-table.ts';
import { type ListFile, writeLists } from '../../../duplicates/rows/write-lists.ts';
import { writeRows } from '../../../duplicates/rows/write-rows.ts';
import { schemeOf } from '../../../scheme/labels/label.ts';
import { type Arguments, DONE, FAILED, isUsageError } from '../../command.ts';
import { assertStillFree } from '../../files/output-files.ts';
import { type Session, withSession } from '../../session.ts';
import { print, printJson, warn } from '../../terminal/print.ts';
import { type DedupeSettings, dedupeSettingsOf, filesOf } from './dedupe-settings.ts';
import { openRowFiles, type RowFiles } from './row-files.ts';

type Plan = Awaited<ReturnType<typeof planOf>>;

export async function runDedupe(args: Arguments): Promise<number> {
  const settings = await dedupeSettingsOf(args);
  const { hints, isQuiet, jobs, out } = settings;
  const options = { hints, jobs, isHandful: false, json: false, quiet: isQuiet, finds: settings.finds };
  return withSession(options, async (session) => {
    let files: RowFiles | undefined;
    try {
      files = await openRowFiles(settings, session);
      const plan = await planOf(files, settings, session);
      if (settings.outputs.out !== undefined) warnOfCodecs(plan.sources.slice(files.references));
      await write(plan);
      await printResult(plan);
      return session.report.failures > 0 ? FAILED : DONE;
    } catch (error) {
      if (isUsageError(error)) throw error;
      session.report.fail(out === STDIN ? 'standard output' : out, `not written: ${failureOf(error).message}`);
      return FAILED;
    } finally {
      await files?.close();
    }
  });
}

async function planOf({ files, references: count }: RowFiles, settings: DedupeSettings, session: Session) {
  const { words } = schemeOf(settings.hints.label);
  const table = createRowTable(words, words === 4 && settings.minOverlap >= MIN_BANDED_OVERLAP);
  const rows = { table, tokens: createFirstTokens() };
  const counts = { failed: 0, empty: 0 };
  const onFailed: OnFailedRow = (place, { message, isMissing }) => {
    if (settings.allowsEmpty && isMissing === true) counts.empty++;
    else {
      counts.failed++;
      session.report.fail(nameOf(place), message, true);
    }
  };
  let sources: readonly RowSource[];
  try {
    sources = await fingerprintRows(files, session, rows, onFailed, count);
  } finally {
    session.report.flush();
  }
  // The numbers of rows and of sources that are only compared with; they are the first ones.
  const references = count === 0 ? 0 : (sources[count]?.first ?? table.rows);
  const removals = await findRowRemovals(sources, rows, { ...settings, references }, session);
  return { settings, session, sources, table, removals, counts, references, referenceSources: count };
}

function warnOfCodecs(sources: readonly RowSource[]): void {
  const codecs = [...new Set(sources.flatMap(({ changed }) => changed))];
  if (codecs.length === 0) return;
  const hint = codecs.includes('ZSTD') ? ' (ZSTD needs Node 22.15)' : '';
  warn(`columns compressed with ${joinWithAnd(codecs)} are written with SNAPPY${hint}`);
}

async function write(plan: Plan): Promise<void> {
  const { out, duplicates, groups } = plan.settings.outputs;
  for (const output of filesOf(plan.settings.outputs)) assertStillFree(output);
  const writeOut = (path: string, writePart: WritePart): Promise<void> =>
    writeRows(plan.sources.slice(plan.referenceSources), plan.session.reading, plan.removals.isKept, {
      path,
      write: writePart,
    });
  const { reading } = plan.session;
  const fields = { ...reading.hints.fields!, idField: plan.settings.idField };
  const withIds = { ...reading, hints: { ...reading.hints, fields } };
  const writeAllLists = async (removed?: ListFile, all?: ListFile): Promise<void> => {
    if (removed !== undefined || all !== undefined)
      await writeLists({ duplicates: removed, groups: all }, plan, withIds);
  };
  const replaceLists = () =>
    replaceList(duplicates, (removed) => replaceList(groups, (all) => writeAllLists(removed, all)));
  // The memory of a part is used again.
  if (out === STDIN) await writeOut(out, (part) => print(part.slice()));
  if (out === undefined || out === STDIN) return replaceLists();
  // The lists are renamed before the dataset: where the dataset exists, so do they.
  await replaceFile(out, async (file) => {
    await writeOut(out, createWriter(file));
    // A full disk is noticed here, before the lists are renamed.
    await syncFile(file);
    await replaceLists();
  });
}

/** Writes a list, if its name is given; failures name the file. */
async function replaceList(path: string | undefined, write: (list?: ListFile) => Promise<void>): Promise<void> {
  if (path === undefined) return write();
  await inFile(path, () => replaceFile(path, (file) => write({ path, file })));
}

async function printResult({
  settings,
  session,
  table,
  removals,
  counts: { failed, empty },
  references,
}: Plan): Promise<void> {
  const { removed, identical, short, different } = removals;
  const rows = table.rows - references;
  session.progress.hide();
  if (failed > 1) warn(`${pluralize(failed, 'row')} could not be read and are kept`);
  const counted = settings.allowsEmpty ? { empty } : {};
  if (settings.isJson)
    await printJson({ rows, kept: rows - removed, removed, identical, short, different, failed, ...counted });
  else {
    const { out } = settings.outputs;
    const start =
      out === undefined
        ? `${pluralize(rows, 'row')}: ${formatNumber(rows - removed)} to keep, ${formatNumber(removed)} to remove`
        : `${out === STDIN ? '' : `${printable(out)}: `}kept ${formatNumber(rows - removed)} of ${pluralize(rows, 'row')}, removed ${formatNumber(removed)}`;
    const ofWhich = `of which ${formatNumber(identical)} identical${short === 0 ? '' : `, and ${formatNumber(short)} of fewer than ${TRUSTED_TOKENS} tokens`}`;
    const withoutText = empty === 0 ? '' : `; kept ${formatNumber(empty)} without text`;
    const result = `${start}, ${ofWhich}${describeDifferent(different)}${withoutText}`;
    if (out !== STDIN) await print(`${result}\n`);
    else if (!settings.isQuiet) warn(result);
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
