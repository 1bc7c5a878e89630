import { escapeHtml } from '../../common/text.ts';
import { LABEL } from '../../index.ts';
import { assertShape } from '../checks.ts';
import { nameOfClass } from '../judge/conformance-classes.ts';
import type { RandomReport } from '../random/compare-random.ts';
import type { VectorOutcome } from '../vector-outcome.ts';
import { lastLines, showDifference, shown } from './printable-text.ts';
import type { Report } from './report.ts';
import { byGroup, describeClass, describeFunctions, diagnose, sentenceOfUntested } from './wording.ts';

const MAX_STDERR_LINES = 40;

/**
 * Writes a report as JUnit XML: a suite for each group, one for the random cases, and one with a failure if no class was
 * answered as a whole. Wrong answers are failures; crashes, timeouts and breaches of the protocol are errors; operations that
 * are not offered, and vectors that were not run, are skipped.
 * @param report - the report of a run
 * @throws TypeError `wrong-type`
 * @example
 * writeFileSync('junit.xml', writeJunit(report));
 */
export function writeJunit(report: Report): string {
  assertShape('report', report);
  const groups = groupCases(report);
  const properties = propertyLines(report);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xml(`${LABEL} conformance of ${report.adapter.name}`)}" ${counts([...groups.values()].flat())}>`,
    ...[...groups].flatMap(([group, cases]) => [
      `  <testsuite name="${xml(group)}" ${counts(cases)}>`,
      ...properties,
      ...cases.flatMap((each) => caseLines(group, each)),
      ...(group === 'random' ? [`    <system-out>${xml(diagnose(report).join('\n'))}</system-out>`] : []),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

function groupCases(report: Report): ReadonlyMap<string, readonly Case[]> {
  const groups = new Map([...byGroup(report.outcomes)].map(([group, own]) => [group, own.map(caseOf)]));
  const untested = sentenceOfUntested(report);
  if (untested !== null)
    groups.set('classes', [{ name: 'a class is answered as a whole', kind: 'failure', message: untested }]);
  if (report.random !== null && report.random.compared > 0) groups.set('random', randomCases(report.random));
  return groups;
}

function propertyLines({ adapter, suite, random, firstStep, classes, selection }: Report): string[] {
  const properties: readonly (readonly [name: string, value: string])[] = [
    ['implementation', `${adapter.name} ${adapter.version}`],
    ['language', adapter.language],
    ['command', adapter.command.join(' ')],
    ['unicode', adapter.unicode ?? 'unknown'],
    ['declines', (adapter.declines ?? []).join(', ')],
    ['functions', describeFunctions(adapter)],
    ...classes.map((each) => [`class ${nameOfClass(each)}`, describeClass(each, selection !== null)] as const),
    ['suite', suite.version],
    ['suite-digest', suite.digest],
    ...(random === null ? [] : ([['seed', String(random.seed)]] as const)),
    ...(firstStep === null ? [] : ([['first-step', String(firstStep.step)]] as const)),
  ];
  const lines = properties.map(([name, value]) => `      <property name="${xml(name)}" value="${xml(value)}"/>`);
  return ['    <properties>', ...lines, '    </properties>'];
}

interface Case {
  readonly name: string;
  readonly kind: 'pass' | 'failure' | 'error' | 'skipped';
  readonly message?: string;
  readonly type?: string;
  readonly text?: string;
  readonly stderr?: string;
}

function caseOf(outcome: VectorOutcome): Case {
  const { id, title, status, operation, rules, detail = '', stderr = '' } = outcome;
  const name = `${id}: ${title}`;
  if (status === 'pass') return { name, kind: 'pass' };
  if (status === 'unsupported') return { name, kind: 'skipped', message: `${operation} is not offered` };
  if (status === 'not-run') return { name, kind: 'skipped', message: `not run: ${detail}` };
  if (status !== 'fail') {
    const shownErrors = lastLines(stderr, MAX_STDERR_LINES).join('\n');
    return { name, kind: 'error', type: status, message: detail, stderr: shownErrors };
  }
  const { place, expected, actual } = showDifference(outcome);
  const message = `${place === '' ? '' : `${place}: `}expected ${expected}, got ${actual}`;
  const text = `rules:    ${rules.join(', ')}\n${comparedText(outcome.input, outcome.expected, outcome.actual)}`;
  return { name, kind: 'failure', type: operation, message, text };
}

function comparedText(input: unknown, expected: unknown, actual: unknown): string {
  return `input:    ${shown(input, 400)}\nexpected: ${shown(expected, 400)}\nactual:   ${shown(actual, 400)}`;
}

function randomCases({ seed, compared, disagreements }: RandomReport): Case[] {
  if (disagreements.length === 0) return [{ name: `${compared} random cases, seed ${seed}`, kind: 'pass' }];
  return disagreements.map(({ operation, case: number, input, expected, reply }): Case => {
    const name = `${operation}, seed ${seed}, case ${number}`;
    const text = comparedText(input, expected, reply);
    return { name, kind: 'failure', type: operation, message: `differs from the reference on ${shown(input)}`, text };
  });
}

function counts(cases: readonly Case[]): string {
  const count = (kind: Case['kind']): number => cases.filter((each) => each.kind === kind).length;
  return `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`;
}

function caseLines(group: string, { name, kind, message = '', type = '', text = '', stderr = '' }: Case): string[] {
  const open = `    <testcase classname="${xml(`${LABEL}.${group}`)}" name="${xml(name)}"`;
  if (kind === 'pass') return [`${open}/>`];
  if (kind === 'skipped') return [`${open}><skipped message="${xml(message)}"/></testcase>`];
  return [
    `${open}>`,
    `      <${kind} type="${xml(type)}" message="${xml(message)}">${xml(text)}</${kind}>`,
    ...(stderr === '' ? [] : [`      <system-err>${xml(stderr)}</system-err>`]),
    '    </testcase>',
  ];
}

/** Escapes a text for XML, without characters that XML 1.0 does not allow or that change the order of the text. */
function xml(text: string): string {
  const allowed = text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, '');
  return escapeHtml(allowed).replaceAll('&#39;', '&apos;');
}
