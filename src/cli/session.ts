import { sum } from '../common/numbers.ts';
import { formatNumber, pluralize, printable } from '../common/text.ts';
import { type DocumentOutcome, nameOf, placeAsJson } from '../documents/document-outcome.ts';
import type { Skipped } from '../documents/documents-at.ts';
import type { FailureCode } from '../documents/failure.ts';
import { type DocumentOptions, openDocuments, type ReportedDocuments } from '../documents/run-documents.ts';
import { STDIN } from '../documents/walk.ts';
import { measure, type Walked } from '../documents/walk-plan.ts';
import { lossesOf } from '../extract/result.ts';
import { usageError } from './command.ts';
import type { Finds } from './files/file-selection.ts';
import { printJson, warn } from './terminal/print.ts';
import { createProgress, type Progress } from './terminal/progress.ts';

export type SessionReport = ReturnType<typeof createReport>;

/** The failures of files that are not documents, as messages count them. */
export const NOT_DOCUMENTS: ReadonlyMap<FailureCode, string> = new Map([
  ['unsupported-media-type', 'of other types'],
  ['no-text', 'without text'],
  ['no-documents', 'without documents'],
  ['no-text-field', 'with rows (see --text-field)'],
  ['no-record', 'not in a WARC file'],
  ['empty', 'empty'],
  ['no-tokens', 'without letters'],
  ['special-file', 'special'],
  ['directory-link', 'links to folders'],
  ['dangling-link', 'links to nothing'],
  ['index-folder', 'with an index'],
]);

function createReport(progress: Progress, { json, finds }: Pick<SessionOptions, 'json' | 'finds'>) {
  let [documents, failures] = [0, 0];
  const skippedFiles = new Map<string, number>();
  const kinds = new Map<string, { readonly first: string; more: number }>();
  const lossy = new Map<string, number>();
  let lossyDocuments = 0;

  function note(message: string): void {
    progress.hide();
    warn(message);
  }

  /** Counts a message of its kind, of which the first one is reported by `flush`. */
  function count(kind: string, first: string): void {
    const known = kinds.get(kind);
    if (known !== undefined) known.more++;
    else if (kinds.size < MAX_KINDS) kinds.set(kind, { first, more: 0 });
    else note(first);
  }

  function addWarnings(name: string, warnings: readonly string[]): void {
    for (const warning of warnings) count(kindOf(warning), `${printable(name)}: warning: ${warning}`);
    const losses = lossesOf(warnings);
    if (losses.length > 0) lossyDocuments++;
    for (const loss of losses) lossy.set(loss, (lossy.get(loss) ?? 0) + 1);
  }

  return {
    note,
    get documents() {
      return documents;
    },
    get failures() {
      return failures;
    },
    add<T>(outcome: DocumentOutcome<T>): T | null | Promise<null> {
      const { warnings } = outcome;
      if (outcome.kind === 'done' && warnings.length === 0) {
        documents++;
        return outcome.result;
      }
      const name = nameOf(outcome);
      const failure = outcome.kind === 'failed' ? outcome.failure : undefined;
      const skipped = failure && NOT_DOCUMENTS.get(failure.code);
      if (skipped !== undefined && finds?.named.has(outcome.path) === false) {
        skippedFiles.set(skipped, (skippedFiles.get(skipped) ?? 0) + 1);
        return null;
      }
      if (failure?.code === 'empty' && name === STDIN && finds?.missing !== undefined) throw usageError(finds.missing);
      if (failure?.code !== 'refused') addWarnings(name, warnings);
      if (outcome.kind === 'done') {
        documents++;
        return outcome.result;
      }
      const { code, message } = outcome.failure;
      if (json) {
        documents++;
        failures++;
        progress.hide();
        const shown = warnings.length === 0 ? {} : { warnings };
        const printed = printJson({ ...placeAsJson(outcome), error: { code, message }, ...shown });
        return printed.then(() => null);
      }
      const shown = code === 'empty' && name === STDIN ? 'standard input is empty: name a PATH?' : message;
      this.fail(name, shown, outcome.member?.row !== undefined);
      return null;
    },
    pass(): void {
      documents++;
    },
    /** Counts a document that failed, and reports it: of rows, which may be many, each kind of failure once, by {@link flush}. */
    fail(name: string, message: string, isRow = false): void {
      documents++;
      failures++;
      const line = `${printable(name)}: ${message}`;
      if (isRow) count(`failure: ${kindOf(message)}`, line);
      else note(line);
    },
    noteSkipped({ path, skipped }: Skipped): void {
      note(`${printable(path)}: skipped: ${listCounts(skipped)}`);
    },
    /** Reports the warnings and the failures of rows so far: each kind once, with the number of others like it. */
    flush(): void {
      for (const { first, more } of kinds.values())
        note(more === 0 ? first : `${first} (and ${formatNumber(more)} more like this)`);
      kinds.clear();
      if (lossyDocuments > 1) note(`${formatNumber(lossyDocuments)} documents have warnings: ${listCounts(lossy)}`);
      lossy.clear();
      lossyDocuments = 0;
    },
    noteLeftOut(): void {
      this.flush();
      const { folders = 0, files = 0 } = finds ?? {};
      const hidden = [pluralize(folders, 'folder'), pluralize(files, 'file')].filter(
        (_, at) => [folders, files][at]! > 0,
      );
      if (hidden.length > 0) note(`skipped ${hidden.join(' and ')}: hidden, or node_modules (--hidden reads them)`);
      const count = sum([...skippedFiles.values()]);
      const noun = count === 1 ? 'not a document' : 'not documents';
      if (count > 0) note(`skipped ${pluralize(count, 'file')}: ${noun} (${listCounts(skippedFiles)})`);
    },
    summarise(names: readonly string[]): void {
      this.noteLeftOut();
      if (documents === 0) warn(`no documents found in ${names.map(printable).join(', ')}`);
      if (failures > 1 && !json) warn(`${formatNumber(failures)} of ${pluralize(documents, 'document')} failed`);
    },
  };
}

function listCounts(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return sorted.map(([what, count]) => `${formatNumber(count)} ${what}`).join(', ');
}

export interface SessionOptions extends DocumentOptions {
  readonly json: boolean;
  readonly finds?: Finds;
  readonly quiet: boolean;
  readonly measured?: Walked;
}

export interface Session extends ReportedDocuments {
  readonly progress: Progress;
  readonly report: SessionReport;
}

const PROGRESS_INTERVAL = 100;

export async function withSession<T>(options: SessionOptions, action: (session: Session) => Promise<T>): Promise<T> {
  const { quiet, measured } = options;
  const progress = createProgress(process.stderr, quiet);
  const report = createReport(progress, options);
  const show = (): void => {
    const { bytes, ahead } = documents.done();
    progress.update(report.documents + ahead, bytes);
  };
  const documents = openDocuments(options, {
    onRead: show,
    onPages: (path, done, total) => progress.detail(`page ${done} of ${total} of ${printable(path)}`),
    onSkipped: report.noteSkipped,
  });
  const timer = setInterval(show, PROGRESS_INTERVAL);
  let isOver = false;
  if (measured !== undefined && !quiet && process.stderr.isTTY)
    void measure(measured, () => isOver).then((total) => total && progress.expect(total.documents, total.bytes));
  try {
    const { reading, run } = documents;
    return await action({ reading, run, progress, report });
  } finally {
    isOver = true;
    clearInterval(timer);
    progress.end();
    report.flush();
    await documents.close();
  }
}

const MAX_KINDS = 1000;

function kindOf(warning: string): string {
  return warning.replace(/"(?:[^"\\]|\\.)*"|\([^)]*\)|\d[\d,]*|(?<=^in )\S+(?=:)/g, '#');
}
