import { joinWithAnd, pluralize } from '../../../common/text.ts';
import { LABEL } from '../../../index.ts';
import { assertReport, assertReportOptions } from '../../options.ts';
import type { ReportOptions } from '../baseline.ts';
import type { Report } from '../report.ts';

/** An endpoint badge of shields.io. */
export interface Badge {
  readonly schemaVersion: 1;
  readonly label: string;
  readonly message: string;
  readonly color: string;
}

/**
 * Makes the badge of a run, which names the classes that the implementation conforms to.
 * @see https://shields.io/badges/endpoint-badge
 */
export function badgeOf(report: Report, { baseline }: ReportOptions = {}): Badge {
  const badge = (message: string, color: string): Badge => ({ schemaVersion: 1, label: LABEL, message, color });
  const { counts, classes, selection, verdict, suite } = report;
  const conforms = [...new Set(classes.filter((each) => each.verdict === 'conforms').map((each) => each.class))];
  if (baseline?.passes && baseline.known.length > 0)
    return badge(pluralize(baseline.known.length, 'known failure'), 'yellow');
  if (verdict === 'fails' || baseline?.passes === false) {
    const message =
      counts.failed > 0
        ? `${counts.failed} of ${pluralize(counts.passed + counts.failed, 'vector')} failed`
        : 'does not conform';
    return badge(message, conforms.length > 0 ? 'orange' : 'red');
  }
  // No class can be claimed from a part of the vectors.
  if (selection !== null || conforms.length === 0)
    return badge(`${pluralize(counts.passed, 'vector')} passed`, 'lightgrey');
  return badge(`${joinWithAnd(conforms)}, vectors ${suite.version}`, 'brightgreen');
}

/**
 * Writes the badge of a run as JSON.
 * @param report - of the run
 * @param options - the baseline
 * @throws TypeError `wrong-type`
 */
export function writeBadge(report: Report, options: ReportOptions = {}): string {
  assertReport(report);
  assertReportOptions(options);
  return `${JSON.stringify(badgeOf(report, options))}\n`;
}
