import { formatNumber, joinWithAnd, pluralize, wrapWords } from '../../../common/text.ts';
import { assertInteger, assertOptions } from '../../../errors.ts';
import { LABEL } from '../../../index.ts';
import { assertShape } from '../../checks.ts';
import { stepOf } from '../../diagnosis/first-step.ts';
import { STEP_OF_OPERATION } from '../../diagnosis/steps.ts';
import {
  type ClassVerdict,
  type Counts,
  claimedClasses,
  isFailure,
  nameOfClass,
} from '../../judge/conformance-classes.ts';
import type { Grade } from '../../judge/grade.ts';
import { joinSections, namedStep, type Paint, PLAIN, visibleLine } from '../printable-text.ts';
import type { Report } from '../report.ts';
import {
  aboutClass,
  countByGroup,
  diagnose,
  nameFunctions,
  recomposedOf,
  sentenceOfUntested,
  wordOf,
} from '../wording.ts';
import { failureSection, randomSection } from './failures.ts';

/** Options for the report for a person. */
export interface TerminalOptions {
  readonly paint?: Paint;
  /** The maximum number of failures to show in full. Default 10. */
  readonly failures?: number;
  /** The options and the command of this run as they would be typed again, such as `-- python3 adapter.py`. */
  readonly again?: string;
  /** The command as the user starts it. Default `simhash-doc`. */
  readonly program?: string;
}

/**
 * Writes a report for a person.
 * @param report - the report of a run
 * @param options - see {@link TerminalOptions}
 * @returns the text, which ends with a line break
 * @throws TypeError `wrong-type`, RangeError `out-of-range`
 * @example
 * process.stderr.write(writeTerminal(report, { failures: 3 }));
 */
export function writeTerminal(report: Report, options: TerminalOptions = {}): string {
  assertShape('report', report);
  assertOptions('options', options, { again: 'string?', program: 'string?' });
  const { paint = PLAIN, failures = 10, again = '', program = 'simhash-doc' } = options;
  assertShape('paint', paint);
  assertInteger('failures', failures, 0, Number.MAX_SAFE_INTEGER);
  const call = (what: string): string => `  ${program} conformance ${what}${again === '' ? '' : ` ${again}`}`;
  return joinSections([
    headerSection(report, paint),
    groupSection(report, paint),
    classSection(report, paint),
    functionSection(report, paint),
    diagnosisSection(report, paint),
    failureSection(report, failures, paint),
    randomSection(report, failures, paint),
    gradeSection(report.grade, paint),
    [verdictLine(report, paint)],
    adviceSection(report, call, paint),
  ]);
}

function alignCells(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>((all, row) => row.map((cell, i) => Math.max(all[i] ?? 0, cell.length)), []);
  return rows.map((row) => `  ${row.map((cell, i) => cell.padEnd(widths[i]!)).join('  ')}`.trimEnd());
}

function headerSection({ adapter, suite, selection }: Report, paint: Paint): string[] {
  const { name, version, language, unicode, command, operations, declines = [] } = adapter;
  const unknown = operations.filter((operation) => !Object.hasOwn(STEP_OF_OPERATION, operation));
  return [
    paint.strong(`Conformance to ${LABEL}, vectors ${suite.version}`),
    ...alignCells([
      ['implementation', visibleLine(`${name} ${version} (${language})`)],
      ['command', command.length === 0 ? 'the reference implementation' : visibleLine(command.join(' '))],
      ['Unicode of NFC', unicode === null ? 'not known' : visibleLine(unicode)],
      ...(selection === null ? [] : [['only', visibleLine(selection)]]),
      ...(declines.length === 0 ? [] : [['declines', joinWithAnd(declines)]]),
      ...(unknown.length === 0 ? [] : [['unknown here', visibleLine(joinWithAnd(unknown))]]),
    ]),
  ];
}

/** Columns of a line of names. */
const MAX_COLUMNS = 110;

function functionSection({ adapter }: Report, paint: Paint): string[] {
  const functions = nameFunctions(adapter);
  const [first, ...others] = recomposedOf(adapter);
  if (functions.length === 0)
    return [paint.strong('Product functions'), '  None is named: what conforms is what the adapter recomposes.'];
  return [
    paint.strong('Product functions'),
    ...wrapNames(functions.map(visibleLine), ';'),
    ...(first === undefined ? [] : wrapNames([`recomposed: ${first}`, ...others].map(visibleLine), ',')),
  ];
}

function wrapNames(names: readonly string[], separator: string): string[] {
  const items = names.map((name, i) => (i < names.length - 1 ? name + separator : name));
  return wrapWords(items, MAX_COLUMNS - 2).map((line) => `  ${line}`);
}

function markOf(passed: number, failed: number, paint: Paint): string {
  if (failed > 0) return paint.bad('✗');
  return passed > 0 ? paint.good('✓') : paint.faint('–');
}

function groupSection({ outcomes, counts, random }: Report, paint: Paint): string[] {
  const rows: [name: string, Counts][] = [...countByGroup(outcomes), ['all', counts]];
  const width = Math.max(...rows.map(([name]) => name.length));
  const digits = Math.max(...rows.flatMap(([, { passed, failed }]) => [passed, failed])).toString().length + 1;
  const cell = (count: number, word: string, colour: (text: string) => string): string => {
    const text = `${formatNumber(count).padStart(digits)} ${word}`;
    return count > 0 ? colour(text) : paint.faint(text);
  };
  const lines = rows.map(([name, { passed, failed, unsupported, notRun }]) => {
    const missing = [
      unsupported > 0 ? paint.faint(`  ${formatNumber(unsupported)} not offered`) : '',
      notRun > 0 ? paint.faint(`  ${formatNumber(notRun)} not run`) : '',
    ].join('');
    const cells = [cell(passed, 'passed', (text) => text), cell(failed, 'failed', paint.bad)];
    return `  ${markOf(passed, failed, paint)} ${name.padEnd(width)}  ${cells.join('  ')}${missing}`;
  });
  const section = [paint.strong('Vectors'), ...lines];
  if (random === null || random.compared === 0) return section;
  const { compared, seed, disagreements } = random;
  const differing = disagreements.length;
  const found = differing === 0 ? 'none differs' : paint.bad(`${pluralize(differing, 'difference')} found`);
  const summary = `${pluralize(compared, 'case')} with seed ${seed}: ${found}`;
  const title = paint.strong('Random cases against the reference');
  return [...section, '', title, `  ${markOf(compared, differing, paint)} ${summary}`];
}

function classSection({ classes, selection }: Report, paint: Paint): string[] {
  const colours = { conforms: paint.good, fails: paint.bad, untested: paint.faint };
  const widthOf = (nameOf: (verdict: ClassVerdict) => string): number =>
    Math.max(...classes.map((each) => nameOf(each).length));
  const [width, wordWidth] = [widthOf(nameOfClass), widthOf(wordOf)];
  const rows = classes.map((each) => {
    const word = wordOf(each);
    const verdict = colours[each.verdict](word) + ' '.repeat(wordWidth - word.length);
    return `  ${nameOfClass(each).padEnd(width)}  ${verdict}  ${paint.faint(aboutClass(each, selection !== null))}`.trimEnd();
  });
  return [paint.strong('Conformance classes'), ...rows];
}

function diagnosisSection(report: Report, paint: Paint): string[] {
  const lines = diagnose(report);
  return lines.length === 0 ? [] : [paint.strong('What goes wrong'), ...lines.map((line) => `  ${line}`)];
}

function verdictLine(report: Report, paint: Paint): string {
  if (report.verdict === 'fails') return paint.bad(failureVerdict(report));
  const untested = sentenceOfUntested(report);
  return untested === null ? passVerdict(report, paint) : `Does not conform yet: ${untested}.`;
}

function failureVerdict({ counts, outcomes, random, exit }: Report): string {
  if (counts.passed + counts.failed === 0) return 'Fails: it answered no vector.';
  const notRun = counts.notRun - outcomes.filter(({ skipped }) => skipped).length;
  const parts = [
    ...(counts.failed > 0 ? [`${pluralize(counts.failed, 'vector')} failed`] : []),
    ...(notRun > 0 ? [`${formatNumber(notRun)} ${notRun === 1 ? 'was' : 'were'} not run`] : []),
    ...(random !== null && random.disagreements.length > 0 ? ['random cases differ'] : []),
    ...(exit === null ? [] : [`the adapter ${exit}`]),
  ];
  return `Does not conform: ${joinWithAnd(parts)}.`;
}

function passVerdict({ counts, selection, classes, suite, random }: Report, paint: Paint): string {
  if (selection !== null)
    return paint.good(`All of ${pluralize(counts.passed, 'vector')} passed; the others were not run.`);
  const claimed = claimedClasses(classes);
  const noun = claimed.length === 1 ? 'class' : 'classes';
  const note = random === null ? ' Without random cases, nothing can be claimed.' : '';
  return paint.good(`Conforms to ${noun} ${joinWithAnd(claimed)} of ${LABEL}, by vectors ${suite.version}.${note}`);
}

const ADVICE: Readonly<Record<string, string>> = {
  crash: 'Fix the crashes first: they are not attributed to a step.',
  timeout: 'Fix the missing answers first, or allow more time (--deadline 60): they are not attributed to a step.',
  protocol: 'Fix the replies first: they are not attributed to a step.',
};

function adviceSection(report: Report, call: (what: string) => string, paint: Paint): string[] {
  const { outcomes, firstStep, random, encoding } = report;
  const failed = outcomes.filter(isFailure);
  const fault = failed.find(({ status }) => status !== 'fail');
  const slip = failed.find((outcome) => outcome.slip !== undefined);
  const first = fault ?? slip ?? failed.find((outcome) => stepOf(outcome) === firstStep?.step) ?? failed[0];
  const lines: string[] = [];
  if (first !== undefined) {
    if (fault !== undefined) lines.push(`  ${ADVICE[fault.status]}`);
    else if (encoding !== null)
      lines.push('  Fix how the adapter reads and writes texts first: damaged texts are not attributed to a step.');
    else if (slip !== undefined)
      lines.push(
        slip.slip!.kind === 'varies'
          ? '  Make the answers the same each time first: varying ones are not attributed to a step.'
          : '  Fix the form of the replies first: such faults are not attributed to a step.',
      );
    else if (firstStep !== null) lines.push(`  Fix ${namedStep(firstStep.step)} first; later failures may disappear.`);
    lines.push(call(`explain ${first.id}`), call(`--group ${first.group}`));
  } else if (random !== null && random.disagreements.length > 0)
    lines.push(call(`--operation ${random.disagreements[0]!.operation} --seed ${random.seed}`));
  return lines.length === 0 ? [] : [paint.strong('Next'), ...lines];
}

function gradeSection(grade: Grade | null, paint: Paint): string[] {
  if (grade === null) return [];
  const { documents, bothNone, missing, extra, mean, largest, shares } = grade;
  if ((largest === null || largest === 0) && missing + extra === 0) return [];
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  const lines = [
    `${paint.strong('Grade')} ${paint.faint('distance of fingerprints from the reference, over the documents of the vectors')}`,
    `  ${pluralize(documents, 'document')}: ${bothNone} without a fingerprint, as expected; ${pluralize(missing, 'fingerprint')} missing, ${extra} unexpected`,
  ];
  if (shares !== null && mean !== null)
    lines.push(
      `  mean ${mean.toFixed(2)}, largest ${largest}; equal ${percent(shares[0])}, within 1 ${percent(shares[1])}, within 3 ${percent(shares[3])}, within 6 ${percent(shares[6])}`,
    );
  return lines;
}
