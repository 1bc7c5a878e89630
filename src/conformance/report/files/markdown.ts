import { formatNumber, pluralize } from '../../../common/text.ts';
import { LABEL } from '../../../index.ts';
import { nameOfClass } from '../../judge/classes.ts';
import { assertReport, assertReportOptions } from '../../options.ts';
import type { VectorOutcome } from '../../outcome.ts';
import { describeFunctions } from '../answers.ts';
import type { ReportOptions } from '../baseline.ts';
import { aboutClass, countByGroup, diagnose } from '../diagnose.ts';
import type { Report } from '../report.ts';
import { listFailures } from '../terminal/failures.ts';
import { verdictLine } from '../terminal/terminal.ts';
import { joinSections, PLAIN, visibleLine } from '../text.ts';

/** Failures to list: a summary is read as a whole, and GitHub takes 1 MiB of it. */
const MAX_FAILURES = 50;

/**
 * Writes a summary in GitHub Flavored Markdown, such as for GITHUB_STEP_SUMMARY.
 * @param report - the report of a run
 * @param options - the baseline
 * @throws TypeError `wrong-type`
 * @example
 * writeFileSync('conformance.md', writeMarkdown(report));
 */
export function writeMarkdown(report: Report, options: ReportOptions = {}): string {
  assertReport(report);
  assertReportOptions(options);
  const { baseline } = options;
  const { adapter, suite, classes, outcomes, selection } = report;
  const words = { conforms: '✅ conforms', fails: '❌ fails', untested: '– not tested' };
  const about = `Vectors ${suite.version}${selection === null ? '' : `, only ${selection}`}; ${adapter.language}.`;
  return joinSections([
    [`## Conformance to ${LABEL}: ${escapeMarkdown(`${adapter.name} ${adapter.version}`)}`],
    [`**${escapeMarkdown(verdictLine(report, baseline, PLAIN))}**`],
    [escapeMarkdown(about)],
    [escapeMarkdown(`Product functions: ${describeFunctions(adapter)}.`)],
    diagnose(report).map((line) => `- ${escapeMarkdown(line)}`),
    table(
      ['Class', 'Verdict', ''],
      classes.map((each) => [nameOfClass(each), words[each.verdict], aboutClass(each, selection !== null)]),
    ),
    table(
      ['Vectors', 'Passed', 'Failed', 'Not offered', 'Not run'],
      [...countByGroup(outcomes), ['all', report.counts] as const].map(([name, counts]) => [
        name,
        ...[counts.passed, counts.failed, counts.unsupported, counts.notRun].map(formatNumber),
      ]),
    ),
    failures(listFailures(outcomes, new Set(baseline?.known))),
    (baseline?.problems ?? []).map(({ kind, id, message }) => `- ${escapeMarkdown(`${kind} ${id}: ${message}`)}`),
  ]);
}

function failures(failed: readonly VectorOutcome[]): string[] {
  if (failed.length === 0) return [];
  const more = failed.length - MAX_FAILURES;
  return [
    `<details><summary>${pluralize(failed.length, 'failure')}</summary>`,
    '',
    ...failed.slice(0, MAX_FAILURES).map(({ id, title }) => `- ${escapeMarkdown(id)}: ${escapeMarkdown(title)}`),
    ...(more > 0 ? [`- and ${formatNumber(more)} more`] : []),
    '',
    '</details>',
  ];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map((cells) => line(cells.map(escapeMarkdown)))];
}

/** Escapes a text of an adapter, which must not become markup, a mention or a link. */
function escapeMarkdown(text: string): string {
  return visibleLine(text)
    .replace(/[\\`*_[\]|~#]/g, '\\$&')
    .replace(/[&<>@]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/:\/\//g, '&#58;//');
}
