import { formatNumber, pluralize, printable } from '../common/text.ts';
import type { Skipped } from '../documents/archive.ts';
import type { FailureCode } from '../documents/failure.ts';
import { nameOf, type OutcomeReport, placeAsJson } from '../documents/outcome.ts';
import { printJson, warn } from './terminal/output.ts';
import type { Progress } from './terminal/progress.ts';

/** Counts documents, and tells a person what is wrong with them. */
export interface Report extends OutcomeReport {
  /** The number of documents that were counted. */
  readonly documents: number;
  /** Counts a document that need not be read. */
  pass(): void;
  /** Counts a document that failed, and tells why. */
  fail(name: string, message: string): void;
  /** Tells what was skipped in an archive, the most frequent reason first. */
  tellSkipped(skipped: Skipped): void;
  /** Says how many documents were skipped for their type. */
  tellUnsupported(): void;
  /**
   * Says that there were no documents, or how many of them were skipped or failed.
   * @param names - what was searched for documents
   */
  summarise(names: readonly string[]): void;
}

/** How documents are reported. */
export interface ReportOptions {
  /** Whether failures are printed as JSON; else they are reported on stderr. */
  readonly json: boolean;
  /** Whether documents that fail with one of {@link UNSUPPORTED} are skipped. */
  readonly skipUnsupported: boolean;
}

/** The failures of documents that this program cannot read. */
const UNSUPPORTED: ReadonlySet<FailureCode> = new Set([
  'unsupported-media-type',
  'no-text',
  'encrypted',
  'missing-parser',
  'no-documents',
  'no-text-field',
  'no-record',
  'empty',
  'no-tokens',
  'special-file',
  'directory-link',
]);

/**
 * Makes a report.
 * @param progress - the line to hide while something is written
 * @param options - see {@link ReportOptions}
 */
export function createReport(progress: Progress, { json, skipUnsupported }: ReportOptions): Report {
  let [documents, failures, skippedFiles] = [0, 0, 0];

  function tell(message: string): void {
    progress.hide();
    warn(message);
  }

  return {
    get documents() {
      return documents;
    },
    get failures() {
      return failures;
    },
    async add(outcome) {
      const { result, warnings } = outcome;
      const name = nameOf(outcome);
      const failure = typeof result === 'object' && result !== null && 'failure' in result ? result.failure : undefined;
      if (skipUnsupported && failure !== undefined && UNSUPPORTED.has(failure.code)) {
        skippedFiles++;
        return null;
      }
      for (const warning of warnings) tell(`${printable(name)}: warning: ${warning}`);
      if (typeof result !== 'object' || result === null || !('failure' in result)) {
        documents++;
        return result;
      }
      const { code, message } = result.failure;
      if (json) {
        documents++;
        failures++;
        progress.hide();
        const told = warnings.length === 0 ? {} : { warnings };
        await printJson({ ...placeAsJson(outcome), error: { code, message }, ...told });
      } else this.fail(name, message);
      return null;
    },
    pass() {
      documents++;
    },
    fail(name, message) {
      documents++;
      failures++;
      tell(`${printable(name)}: ${message}`);
    },
    tellSkipped({ path, skipped }) {
      const reasons = [...skipped].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
      const list = reasons.map(([reason, count]) => `${formatNumber(count)} ${reason}`).join(', ');
      tell(`${printable(path)}: skipped: ${list}`);
    },
    tellUnsupported() {
      if (skippedFiles > 0) tell(`skipped ${pluralize(skippedFiles, 'file')} that cannot be read (--skip-unsupported)`);
    },
    summarise(names) {
      this.tellUnsupported();
      if (documents === 0) warn(`no documents found in ${names.map(printable).join(', ')}`);
      if (failures > 1 && !json) warn(`${formatNumber(failures)} of ${pluralize(documents, 'document')} failed`);
    },
  };
}
