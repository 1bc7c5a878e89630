import { escapeUnits } from '../../../common/text.ts';
import { LABEL } from '../../../index.ts';
import { nameOfClass } from '../../judge/classes.ts';
import { assertReport, assertReportOptions } from '../../options.ts';
import type { VectorOutcome } from '../../outcome.ts';
import { describeFunctions } from '../answers.ts';
import type { ReportOptions } from '../baseline.ts';
import { CLASSES_CASE, describeClass, diagnose, sentenceOfUntested } from '../diagnose.ts';
import { differenceOf } from '../differences.ts';
import type { Report } from '../report.ts';
import { shown } from '../text.ts';

/**
 * Writes a report by the Test Anything Protocol, version 14: a test point for each vector, then one for the random cases
 * and one for the baseline, if there are any, or one that fails if no class was answered as a whole. Known failures are marked with TODO.
 * @param report - the report of a run
 * @param options - the baseline
 * @throws TypeError `wrong-type`
 * @see https://testanything.org/tap-version-14-specification.html
 * @example
 * process.stdout.write(writeTap(report));
 */
export function writeTap(report: Report, options: ReportOptions = {}): string {
  assertReport(report);
  assertReportOptions(options);
  const { baseline } = options;
  const { outcomes, random, adapter, suite, classes, selection } = report;
  const known = new Set(baseline?.known);
  const points = outcomes.map((outcome) => pointOf(outcome, known.has(outcome.id)));
  if (random !== null && random.compared > 0) {
    const { seed, compared, disagreements } = random;
    // With a baseline, its test point shows whether differences count.
    const good = disagreements.length === 0;
    const found = disagreements.map((each) => ({
      operation: each.operation,
      case: each.case,
      input: shown(each.input),
    }));
    points.push({
      good,
      text: `random cases against the reference, seed ${seed}`,
      directive: !good && baseline?.problems.every(({ kind }) => kind !== 'random cases') ? 'TODO known failures' : '',
      about: { compared, ...(!good && { disagreements: found }) },
    });
  }
  const untested = sentenceOfUntested(report);
  if (untested !== null && baseline === undefined)
    points.push({ good: false, text: CLASSES_CASE, directive: '', about: { message: untested } });
  if (baseline !== undefined)
    points.push({
      good: baseline.passes,
      text: 'known failures are as recorded',
      directive: '',
      about: baseline.passes ? {} : { problems: baseline.problems },
    });
  const lines = points.flatMap(({ good, text, directive, about }, i) => [
    `${good ? 'ok' : 'not ok'} ${i + 1} - ${escapeText(text)}${directive === '' ? '' : ` # ${directive}`}`,
    ...yaml(about),
  ]);
  const comments = [
    `${adapter.name} ${adapter.version} (${adapter.language}), vectors ${suite.version}`,
    `product functions: ${describeFunctions(adapter)}`,
    ...classes.map((each) => `class ${nameOfClass(each)}: ${describeClass(each, selection !== null)}`),
    ...diagnose(report),
  ].map((line) => `# ${oneLine(line)}`);
  const title = `# ${oneLine(`${LABEL} conformance of ${adapter.name}`)}`;
  return `${['TAP version 14', `1..${points.length}`, title, ...lines, ...comments].join('\n')}\n`;
}

interface Point {
  readonly good: boolean;
  readonly text: string;
  readonly directive: string;
  readonly about: Readonly<Record<string, unknown>>;
}

function pointOf(outcome: VectorOutcome, known: boolean): Point {
  const { id, title, status, rules, operation, detail, stderr, outcome: name } = outcome;
  const text = `${id}: ${title}`;
  if (status === 'pass') return { good: true, text, directive: '', about: {} };
  if (status === 'unsupported') return { good: true, text, directive: `SKIP ${operation} is not offered`, about: {} };
  if (status === 'not-run')
    return { good: true, text, directive: `SKIP not run: ${escapeText(detail ?? '')}`, about: {} };
  const { place: at, expected: wanted, actual: found } = differenceOf(outcome);
  const about =
    status === 'fail'
      ? { status, rules, at, wanted, found, outcome: name }
      : { status, rules, detail, ...(stderr && { stderr }) };
  return { good: false, text, directive: known ? 'TODO known failure' : '', about };
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu, ' ');
}

function escapeText(text: string): string {
  return oneLine(text).replace(/[\\#]/g, '\\$&');
}

/** JSON is YAML once non-printable characters are escaped. */
function yaml(about: Readonly<Record<string, unknown>>): string[] {
  const entries = Object.entries(about).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return [];
  return ['  ---', ...entries.map(([key, value]) => `  ${key}: ${jsonForYaml(value)}`), '  ...'];
}

function jsonForYaml(value: unknown): string {
  return escapeUnits(
    JSON.stringify(value),
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g,
  );
}
