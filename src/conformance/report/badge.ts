import { joinWithAnd, pluralize } from '../../common/text.ts';
import { LABEL } from '../../index.ts';
import { assertReport, assertVerdict } from '../options.ts';
import type { Report } from '../run.ts';
import type { BaselineVerdict } from './baseline.ts';

/** What an endpoint badge of shields.io takes. */
export interface Badge {
  readonly schemaVersion: 1;
  readonly label: string;
  readonly message: string;
  readonly color: string;
}

/**
 * Makes the badge of a run: the classes that it conforms to.
 * @throws TypeError `wrong-type`
 * @see https://shields.io/badges/endpoint-badge
 */
export function badgeOf(report: Report, baseline?: BaselineVerdict): Badge {
  assertReport(report);
  assertVerdict(baseline);
  const badge = (message: string, color: string): Badge => ({ schemaVersion: 1, label: LABEL, message, color });
  const { counts, classes, selection, verdict, suite } = report;
  const conforms = classes.filter((each) => each.verdict === 'conforms').map((each) => each.class);
  if (baseline?.passes && baseline.known.length > 0)
    return badge(pluralize(baseline.known.length, 'known failure'), 'yellow');
  if (verdict === 'fails' || baseline?.passes === false) {
    const message =
      counts.failed > 0
        ? `${counts.failed} of ${pluralize(counts.passed + counts.failed, 'vector')} failed`
        : 'does not conform';
    return badge(message, conforms.length > 0 ? 'orange' : 'red');
  }
  // A part of the vectors proves no class.
  if (selection !== null || conforms.length === 0)
    return badge(`${pluralize(counts.passed, 'vector')} passed`, 'lightgrey');
  return badge(`${joinWithAnd(conforms)}, vectors ${suite.version}`, 'brightgreen');
}

/** Writes the file of a badge. */
export function writeBadge(report: Report, baseline?: BaselineVerdict): string {
  return `${JSON.stringify(badgeOf(report, baseline))}\n`;
}
