import { isRecord, joinWithAnd, pluralize } from '../../../common/text.ts';
import { LABEL } from '../../../index.ts';
import { assertReport, assertReportOptions, assertResults } from '../../options.ts';
import { nameUnanswered, unansweredOf } from '../answers.ts';
import type { ReportOptions } from '../baseline.ts';
import type { Report } from '../report.ts';
import type { Results } from './results.ts';

export interface Badge {
  readonly schemaVersion: 1;
  readonly label: string;
  readonly message: string;
  readonly color: string;
}

type Run = Pick<Report, 'counts' | 'classes' | 'selection' | 'verdict' | 'suite'>;

/** @see https://shields.io/badges/endpoint-badge */
export function badgeOf(report: Run, { baseline }: ReportOptions = {}): Badge {
  const badge = (message: string, color: string): Badge => ({ schemaVersion: 1, label: LABEL, message, color });
  const { counts, classes, selection, verdict, suite } = report;
  const conforming = classes.filter((each) => each.verdict === 'conforms');
  const conforms = [...new Set(conforming.map((each) => each.class))];
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
  const left = nameUnanswered(unansweredOf(conforming));
  const message = `${joinWithAnd(conforms)}, vectors ${suite.version}`;
  return left === '' ? badge(message, 'brightgreen') : badge(`${message}; not answered: ${left}`, 'green');
}

/**
 * Writes the badge of a run as JSON for shields.io.
 * @param report - the report of a run, or its results
 * @param options - the baseline
 * @throws TypeError `wrong-type`
 * @example
 * writeFileSync('badge.json', writeBadge(report));
 */
export function writeBadge(report: Report | Results, options: ReportOptions = {}): string {
  if (isRecord(report) && 'vectors' in report) assertResults('report', report);
  else assertReport(report);
  assertReportOptions(options);
  return `${JSON.stringify(badgeOf(report, options))}\n`;
}
