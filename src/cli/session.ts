import { printable } from '../common/text.ts';
import { measure, type Walked } from '../documents/plan.ts';
import { type DocumentOptions, type Documents, openDocuments, type ReportedDocuments } from '../documents/session.ts';
import { createReport, type Report, type ReportOptions } from './report.ts';
import { createProgress, type Progress } from './terminal/progress.ts';

export interface SessionOptions extends DocumentOptions, ReportOptions {
  readonly quiet: boolean;
  /** The walk that is measured for the progress line, if any. */
  readonly measured?: Walked;
}

export interface Session extends ReportedDocuments {
  readonly progress: Progress;
  readonly report: Report;
}

/** Milliseconds between two updates of the progress line while workers are busy. */
const PROGRESS_INTERVAL = 100;

/** Runs an action with workers and a progress line, and ends both in any case. */
export async function withSession<T>(options: SessionOptions, action: (session: Session) => Promise<T>): Promise<T> {
  const { quiet, measured } = options;
  const progress = createProgress(process.stderr, quiet);
  const report = createReport(progress, options);
  const show = (): void => {
    const { bytes, ahead } = documents.done();
    progress.update(report.documents + ahead, bytes);
  };
  const documents: Documents = openDocuments(options, {
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
