import { joinWithAnd, pluralize } from '../../common/text.ts';
import { assertInteger, assertOptions } from '../../errors.ts';
import { LABEL } from '../../index.ts';
import type { Reply } from '../adapter/protocol.ts';
import { stepOf } from '../diagnosis/first-step.ts';
import type { Location } from '../diagnosis/locate.ts';
import { CLASSES, STEP_OF_OPERATION } from '../diagnosis/steps.ts';
import type { Disagreement } from '../differential.ts';
import { judgeResult } from '../judge/judge.ts';
import { assertPaint, assertReport, assertVerdict } from '../options.ts';
import type { ClassVerdict, Counts, Grade, Report, VectorOutcome } from '../run.ts';
import type { Operation } from '../types.ts';
import type { BaselineVerdict } from './baseline.ts';
import { differenceOf, type ShownDifference, showDifference } from './differences.ts';
import { lastLines, namedStep, namedSteps, shown, visibleLine } from './text.ts';

/** Colours for a terminal, or functions that leave the text alone. */
export interface Paint {
  strong(text: string): string;
  faint(text: string): string;
  good(text: string): string;
  bad(text: string): string;
}

/** How the report for a person is written. */
export interface TerminalOptions {
  readonly paint?: Paint;
  /** How many failures are shown in full. Default 10. */
  readonly failures?: number;
  readonly baseline?: BaselineVerdict;
  /** How the runner is called, for the advice at the end. Default `simhash-doc`. */
  readonly program?: string;
  /** Options and command of this run as they would be typed again, such as `-- python3 adapter.py`. */
  readonly again?: string;
}

const same = (text: string): string => text;
/** No colours. */
export const PLAIN: Paint = { strong: same, faint: same, good: same, bad: same };
const STDERR_LINES = 5;

/**
 * Writes a report for a person.
 * @param report - of a run
 * @param options - see {@link TerminalOptions}
 * @returns the text, its last line ended
 */
export function writeTerminal(report: Report, options: TerminalOptions = {}): string {
  assertReport(report);
  assertOptions('options', options, { program: 'string?', again: 'string?' });
  const { paint = PLAIN, failures = 10, baseline, program = 'simhash-doc', again = '' } = options;
  assertPaint(paint);
  assertInteger('failures', failures, 0, Number.MAX_SAFE_INTEGER);
  assertVerdict(baseline);
  const sections = [
    header(report, paint),
    groups(report, paint),
    classes(report, paint),
    diagnosis(report, paint),
    grade(report.grade, paint),
    failureDetails(report, baseline, failures, paint),
    randomDetails(report, failures, paint),
    baselineDetails(baseline, paint),
    verdict(report, baseline, paint),
    advice(report, baseline, program, again, paint),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** Rows of cells under each other; the first cells to the left, the others as they are. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>((all, row) => row.map((cell, i) => Math.max(all[i] ?? 0, cell.length)), []);
  return rows.map((row) => `  ${row.map((cell, i) => cell.padEnd(widths[i]!)).join('  ')}`.trimEnd());
}

function header({ adapter, suite, selection }: Report, paint: Paint): string[] {
  const { name, version, language, unicode, command, operations } = adapter;
  const unknown = operations.filter((operation) => !Object.hasOwn(STEP_OF_OPERATION, operation));
  return [
    paint.strong(`Conformance to ${LABEL}, vectors ${suite.version}`),
    ...aligned([
      ['implementation', visibleLine(`${name} ${version} (${language})`)],
      ['command', command.length === 0 ? 'the one that ships with this program' : visibleLine(command.join(' '))],
      ['Unicode of NFC', unicode === null ? 'not known' : visibleLine(unicode)],
      ...(selection === null ? [] : [['only', visibleLine(selection)]]),
      ...(unknown.length === 0 ? [] : [['not known here', visibleLine(joinWithAnd(unknown))]]),
    ]),
  ];
}

/** Counts per group, in the order of the run. */
export function countsByGroup(outcomes: readonly VectorOutcome[]): ReadonlyMap<string, Counts> {
  const groups = new Map<string, { passed: number; failed: number; unsupported: number }>();
  for (const { group, status } of outcomes) {
    const counts = groups.get(group) ?? { passed: 0, failed: 0, unsupported: 0 };
    counts[status === 'pass' ? 'passed' : status === 'unsupported' ? 'unsupported' : 'failed']++;
    groups.set(group, counts);
  }
  return groups;
}

function groups({ outcomes, counts, random }: Report, paint: Paint): string[] {
  const rows: [name: string, Counts][] = [...countsByGroup(outcomes), ['all', counts]];
  const width = Math.max(...rows.map(([name]) => name.length));
  const digits = Math.max(...rows.flatMap(([, { passed, failed }]) => [passed, failed])).toString().length + 1;
  const lines = rows.map(([name, { passed, failed, unsupported }]) => {
    const cells = [
      `${passed.toLocaleString('en-US').padStart(digits)} passed`,
      `${failed.toLocaleString('en-US').padStart(digits)} failed`,
    ];
    const mark = failed > 0 ? paint.bad('✗') : passed > 0 ? paint.good('✓') : paint.faint('–');
    const right = passed > 0 ? cells[0]! : paint.faint(cells[0]!);
    const wrong = failed > 0 ? paint.bad(cells[1]!) : paint.faint(cells[1]!);
    const missing = unsupported > 0 ? paint.faint(`  ${unsupported.toLocaleString('en-US')} not offered`) : '';
    return `  ${mark} ${name.padEnd(width)}  ${right}  ${wrong}${missing}`;
  });
  if (random === null) return [paint.strong('Vectors'), ...lines];
  const { compared, seed, disagreements } = random;
  const mark = disagreements.length > 0 ? paint.bad('✗') : compared > 0 ? paint.good('✓') : paint.faint('–');
  const found =
    disagreements.length === 0 ? 'none differs' : paint.bad(`${pluralize(disagreements.length, 'difference')} found`);
  return [
    paint.strong('Vectors'),
    ...lines,
    '',
    paint.strong('Random cases against the reference'),
    `  ${mark} ${pluralize(compared, 'case')} with seed ${seed}: ${found}`,
  ];
}

function classes({ classes, selection }: Report, paint: Paint): string[] {
  const rows = classes.map((each) => {
    const verdict = {
      conforms: paint.good('conforms'),
      fails: paint.bad('fails'),
      untested: paint.faint('not tested'),
    };
    const word = verdict[each.verdict] + ' '.repeat(10 - (each.verdict === 'untested' ? 10 : each.verdict.length));
    return `  ${each.class.padEnd(10)}  ${word}  ${paint.faint(aboutClass(each, selection !== null))}`.trimEnd();
  });
  return [paint.strong('Conformance classes'), ...rows];
}

/** Why a class has its verdict, in words. */
export function aboutClass({ verdict, counts, missing, class: name }: ClassVerdict, partial: boolean): string {
  const { passed, failed } = counts;
  const all = pluralize(passed + failed, 'vector');
  if (verdict === 'fails')
    return failed > 0 ? `${failed.toLocaleString('en-US')} of ${all} failed` : 'random cases differ';
  const absent = CLASSES[name].needed.filter((operation) => missing.includes(operation));
  if (verdict === 'untested') {
    if (absent.length > 0) return `needs ${joinWithAnd(absent)}`;
    return partial ? 'a part of the vectors was run' : 'its operations were not answered';
  }
  const silent =
    missing.length === 0 ? '' : `; by ${joinWithAnd(CLASSES[name].needed)} alone: ${joinWithAnd(missing)} not offered`;
  return `all of ${all}${missing.length > 4 ? `; ${pluralize(missing.length, 'operation')} not offered` : silent}`;
}

/** Where it first goes wrong and what it looks like, in sentences. */
export function diagnose({ firstStep, resemblances, newerUnicodeOnly, counts, random }: Report): string[] {
  const lines: string[] = [];
  if (firstStep !== null) {
    const { step, vectors, right, wrong } = firstStep;
    const where = vectors > 0 ? pluralize(vectors, 'vector') : 'random cases';
    const later = [
      ...(right.length > 0 ? [`${namedSteps(right)} ${right.length === 1 ? 'is' : 'are'} right`] : []),
      ...(wrong.length > 0 ? [`${namedSteps(wrong)} ${wrong.length === 1 ? 'is' : 'are'} wrong too`] : []),
    ].join(', ');
    lines.push(
      `First goes wrong in ${namedStep(step)}, ${where}${later === '' ? '.' : `; given correct input, ${later}.`}`,
    );
  }
  for (const { mutant, title, same, failed, missing } of resemblances) {
    const more = missing > 0 ? ` (which would fail ${missing} more)` : '';
    lines.push(visibleLine(`Fails like ${mutant} on ${same} of ${failed}${more}: ${title}.`).replace(/\.\.$/, '.'));
  }
  if (newerUnicodeOnly && counts.failed > 0)
    lines.push(
      'Newer Unicode tables explain every failure: the classes of code points are frozen at Unicode 12.0 (CLS-1).',
    );
  const documents = random?.disagreements.filter(({ operation }) => operation === 'fingerprint').length ?? 0;
  if (counts.failed === 0 && documents > 0)
    lines.push('All vectors pass and fresh cases do not: the vectors miss a mistake, or their answers were learned.');
  return lines;
}

function diagnosis(report: Report, paint: Paint): string[] {
  const lines = diagnose(report);
  return lines.length === 0 ? [] : [paint.strong('What goes wrong'), ...lines.map((line) => `  ${line}`)];
}

/** How far the fingerprints lie from the reference's; nothing where all are equal. */
function grade(given: Grade | null, paint: Paint): string[] {
  if (given === null) return [];
  const { documents, bothNone, missing, extra, distances, mean, largest, shares } = given;
  if (largest === null ? missing + extra === 0 : largest === 0 && missing + extra === 0) return [];
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  const rows = Object.entries(distances).map(([distance, count]): [number, number] => [Number(distance), count]);
  const most = Math.max(1, ...rows.map(([, count]) => count));
  return [
    `${paint.strong('Grade')} ${paint.faint('distance of fingerprints from the reference, over the documents of the vectors')}`,
    `  ${pluralize(documents, 'document')}: ${bothNone} rightly without, ${missing} missing, ${extra} too many`,
    ...(shares === null || mean === null
      ? []
      : [
          `  mean ${mean.toFixed(2)}, largest ${largest}; equal ${percent(shares[0])}, within 1 ${percent(shares[1])}, within 3 ${percent(shares[3])}, within 6 ${percent(shares[6])}`,
        ]),
    ...rows
      .sort(([x], [y]) => x - y)
      .map(([distance, count]) => {
        const bar = '█'.repeat(Math.max(1, Math.round((40 * count) / most)));
        return `  ${String(distance).padStart(4)}  ${bar} ${count}`;
      }),
  ];
}

const STATUS_WORDS = {
  fail: 'wrong answer',
  crash: 'crashed',
  timeout: 'did not answer',
  protocol: 'broke the protocol',
  'not-run': 'not run',
} as const;

function failureDetails(
  { outcomes }: Report,
  baseline: BaselineVerdict | undefined,
  most: number,
  paint: Paint,
): string[] {
  const known = new Set(baseline?.known);
  const failed = outcomes.filter(
    ({ id, status }) => status !== 'pass' && status !== 'unsupported' && status !== 'not-run' && !known.has(id),
  );
  const silent = outcomes.filter(({ status }) => status === 'not-run');
  if (failed.length + silent.length === 0) return [];
  const count = most < failed.length ? `${most} of ${failed.length}` : `${failed.length}`;
  const lines = [
    `${paint.strong('Failures')} ${paint.faint(`${count} shown${most < failed.length ? `; --failures ${failed.length} shows all` : ''}`)}`,
  ];
  for (const outcome of spread(failed, most)) lines.push(...failureLines(outcome, paint));
  if (silent.length > 0) lines.push('', `  ${pluralize(silent.length, 'vector')} not run: ${silent[0]!.detail}`);
  return lines;
}

/** Chooses failures so that each group shows some: its first ones in turn. */
function spread(failed: readonly VectorOutcome[], most: number): VectorOutcome[] {
  if (failed.length <= most) return [...failed];
  const places = new Map<string, number>();
  const ranked = failed.map((outcome) => {
    const rank = places.get(outcome.group) ?? 0;
    places.set(outcome.group, rank + 1);
    return { outcome, rank };
  });
  const chosen = new Set(
    ranked
      .sort((x, y) => x.rank - y.rank)
      .slice(0, most)
      .map(({ outcome }) => outcome),
  );
  return failed.filter((outcome) => chosen.has(outcome));
}

function failureLines(outcome: VectorOutcome, paint: Paint): string[] {
  const { id, title, rules, status, detail, stderr = '', location } = outcome;
  const lines = [
    '',
    `  ${paint.bad('✗')} ${paint.strong(id)}  ${visibleLine(title)} ${paint.faint(`[${rules.join(', ')}]`)}`,
  ];
  if (status === 'fail')
    lines.push(`      input     ${shown(outcome.input)}`, ...differenceLines(differenceOf(outcome), paint));
  else lines.push(`      ${STATUS_WORDS[status as keyof typeof STATUS_WORDS]}: ${visibleLine(detail ?? '')}`);
  if (location !== undefined) lines.push(...locationLines(location));
  lines.push(...stderrLines(stderr, paint));
  return lines;
}

function stderrLines(stderr: string, paint: Paint): string[] {
  return lastLines(stderr, STDERR_LINES).map((line) => `      ${paint.faint(`stderr: ${line}`)}`);
}

/** Two lines with what was expected and what came, and a mark where two texts part. */
export function differenceLines({ place, expected, actual, column }: ShownDifference, paint: Paint = PLAIN): string[] {
  const at = place === '' ? '' : `${place}: `;
  return [
    `      expected  ${at}${paint.good(expected)}`,
    `      actual    ${at}${paint.bad(actual)}`,
    ...(column === undefined ? [] : [`${' '.repeat(16 + at.length + column)}${paint.faint('^')}`]),
  ];
}

/** Where a document goes wrong, in words. */
export function locationLines({ step, by, steps }: Location): string[] {
  if (step === undefined)
    return by === 'composition' ? ['      each step by itself is right: they are not put together right'] : [];
  const how = {
    step: 'asked by itself, it is wrong',
    intermediates: 'seen in what the reply says of the steps',
    documents: 'found by the fingerprints of the texts between the steps',
    composition: '',
    unknown: '',
  }[by];
  const lines = [`      goes wrong in ${namedStep(step)}: ${how}`];
  const finding = steps.find((each) => each.step === step && each.state === 'wrong');
  if (finding !== undefined)
    lines.push(`        given ${shown(finding.input)}`, `        gave  ${shown(finding.actual)}`);
  return lines;
}

function randomDetails({ random }: Report, most: number, paint: Paint): string[] {
  if (random === null || random.disagreements.length === 0) return [];
  const lines = [
    `${paint.strong('Random cases that differ')} ${paint.faint(`inputs made small; --seed ${random.seed} repeats them`)}`,
  ];
  for (const each of random.disagreements.slice(0, Math.max(most, 1)))
    lines.push('', ...disagreementLines(each, paint));
  return lines;
}

function disagreementLines(disagreement: Disagreement, paint: Paint): string[] {
  const { operation, input, expected, reply, case: number, location } = disagreement;
  const right = 'result' in expected ? expected.result : { error: expected.error };
  return [
    `  ${paint.bad('✗')} ${paint.strong(operation)} ${paint.faint(`case ${number}`)}`,
    `      input     ${shown(input)}`,
    ...replyLines(operation, right, reply, paint),
    ...(location === undefined ? [] : locationLines(location)),
  ];
}

/** What came of a request and what was expected. */
export function replyLines(operation: string, expected: unknown, reply: Reply, paint: Paint = PLAIN): string[] {
  if (reply.kind === 'unsupported') return ['      not offered'];
  if (reply.kind === 'ok' || reply.kind === 'error') {
    const actual = reply.kind === 'ok' ? reply.result : { error: reply.code };
    return differenceLines(showDifference(firstPlace(operation, expected, actual), expected, actual), paint);
  }
  return [
    `      ${STATUS_WORDS[reply.kind]}: ${visibleLine(reply.detail)}`,
    ...stderrLines('stderr' in reply ? reply.stderr : '', paint),
  ];
}

function firstPlace(operation: string, expected: unknown, actual: unknown): string {
  const refused = [expected, actual].some((each) => typeof (each as { error?: unknown } | null)?.error === 'string');
  return refused ? '' : (judgeResult(operation as Operation, expected, actual) ?? '');
}

function baselineDetails(baseline: BaselineVerdict | undefined, paint: Paint): string[] {
  if (baseline === undefined) return [];
  const { known, problems } = baseline;
  return [
    `${paint.strong('Baseline')} ${paint.faint(`${pluralize(known.length, 'known failure')} as pinned`)}`,
    ...problems.map(({ kind, id, message }) => `  ${paint.bad('✗')} ${kind}${id === '' ? '' : ` ${id}`}: ${message}`),
  ];
}

function verdict(report: Report, baseline: BaselineVerdict | undefined, paint: Paint): string[] {
  const { counts, selection, random } = report;
  if (baseline !== undefined)
    return [
      baseline.passes
        ? paint.good(
            `Passes with its baseline: ${pluralize(baseline.known.length, 'known failure')}, nothing else fails.`,
          )
        : paint.bad('Fails: the run is not what its baseline says.'),
    ];
  if (report.verdict === 'fails') {
    if (counts.passed + counts.failed === 0) return [paint.bad('Fails: it answered no vector.')];
    const parts = [
      ...(counts.failed > 0 ? [`${pluralize(counts.failed, 'vector')} failed`] : []),
      ...(random !== null && random.disagreements.length > 0 ? ['random cases differ'] : []),
    ];
    return [paint.bad(`Does not conform: ${joinWithAnd(parts)}.`)];
  }
  if (selection !== null)
    return [paint.good(`All of ${pluralize(counts.passed, 'vector')} passed; the others were not run.`)];
  const claimed = report.classes.filter((each) => each.verdict === 'conforms').map((each) => each.class);
  return [
    claimed.length > 0
      ? paint.good(
          `Conforms to ${claimed.length === 1 ? 'class' : 'classes'} ${joinWithAnd(claimed)} of ${LABEL}, by vectors ${report.suite.version}.`,
        )
      : 'Nothing is wrong, but no class was tested as a whole.',
  ];
}

/** What to do next: the vectors of the first step that goes wrong. */
function advice(
  report: Report,
  baseline: BaselineVerdict | undefined,
  program: string,
  again: string,
  paint: Paint,
): string[] {
  const { outcomes, firstStep, random } = report;
  const known = new Set(baseline?.known);
  const failed = outcomes.filter(
    ({ id, status }) => !known.has(id) && status !== 'pass' && status !== 'unsupported' && status !== 'not-run',
  );
  const first = failed.find((outcome) => stepOf(outcome) === firstStep?.step) ?? failed[0];
  const call = (what: string): string => `  ${program} conformance ${what}${again === '' ? '' : ` ${again}`}`;
  const lines: string[] = [];
  if (first !== undefined) {
    if (first.status === 'fail' && firstStep !== null)
      lines.push(`  Mend ${namedStep(firstStep.step)} first: later failures may go with it.`);
    if (first.status === 'crash' || first.status === 'timeout' || first.status === 'protocol')
      lines.push(call('smoke'));
    lines.push(call(`explain ${first.id}`), call(`--group ${first.group}`));
  } else if (random !== null && random.disagreements.length > 0)
    lines.push(call(`--operation ${random.disagreements[0]!.operation} --seed ${random.seed}`));
  return lines.length === 0 ? [] : [paint.strong('Next'), ...lines];
}
