import { LABEL } from '../../index.ts';
import { assertReport, assertVerdict } from '../options.ts';
import type { Report, VectorOutcome } from '../run.ts';
import type { BaselineVerdict } from './baseline.ts';
import { differenceOf } from './differences.ts';
import { diagnose } from './terminal.ts';
import { lastLines, shown } from './text.ts';

const STDERR_LINES = 40;

/**
 * Writes a report as JUnit XML: a suite for each group, one for the random cases, one for the baseline. Wrong answers are
 * failures; crashes, timeouts and breaches of the protocol are errors; what is not offered, or known to fail, is skipped.
 * @param report - of a run
 * @param baseline - what it comes to with known failures
 */
export function writeJunit(report: Report, baseline?: BaselineVerdict): string {
  assertReport(report);
  assertVerdict(baseline);
  const { outcomes, random, adapter, suite, firstStep } = report;
  const known = new Set(baseline?.known);
  const groups = new Map<string, Case[]>();
  for (const outcome of outcomes) {
    const cases = groups.get(outcome.group) ?? [];
    cases.push(caseOf(outcome, known.has(outcome.id)));
    groups.set(outcome.group, cases);
  }
  if (random !== null && random.compared > 0) groups.set('random', randomCases(report, baseline));
  if (baseline !== undefined)
    groups.set('baseline', [
      {
        name: 'known failures are as pinned',
        kind: baseline.passes ? 'pass' : 'failure',
        message: 'other failures than known',
        text: baseline.problems.map(({ kind, id, message }) => `${kind} ${id}: ${message}`).join('\n'),
      },
    ]);
  const all = [...groups.values()].flat();
  const properties: [string, string][] = [
    ['implementation', `${adapter.name} ${adapter.version}`],
    ['language', adapter.language],
    ['command', adapter.command.join(' ')],
    ['unicode', adapter.unicode ?? 'unknown'],
    ['suite', suite.version],
    ['suite-digest', suite.digest],
    ...(random === null ? [] : [['seed', String(random.seed)] as [string, string]]),
    ...(firstStep === null ? [] : [['first-step', String(firstStep.step)] as [string, string]]),
  ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xml(`${LABEL} conformance of ${adapter.name}`)}" ${counts(all)}>`,
    ...[...groups].flatMap(([group, cases]) => [
      `  <testsuite name="${xml(group)}" ${counts(cases)}>`,
      '    <properties>',
      ...properties.map(([name, value]) => `      <property name="${xml(name)}" value="${xml(value)}"/>`),
      '    </properties>',
      ...cases.flatMap((each) => caseLines(group, each)),
      ...(group === 'random' ? [`    <system-out>${xml(diagnose(report).join('\n'))}</system-out>`] : []),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

interface Case {
  readonly name: string;
  readonly kind: 'pass' | 'failure' | 'error' | 'skipped';
  readonly message?: string;
  readonly type?: string;
  readonly text?: string;
  readonly stderr?: string;
}

function caseOf(outcome: VectorOutcome, known: boolean): Case {
  const { id, title, status, operation, rules, detail = '', stderr = '' } = outcome;
  const name = `${id}: ${title}`;
  if (status === 'pass') return { name, kind: 'pass' };
  if (status === 'unsupported') return { name, kind: 'skipped', message: `${operation} is not offered` };
  if (known) return { name, kind: 'skipped', message: 'known failure' };
  if (status !== 'fail')
    return { name, kind: 'error', type: status, message: detail, stderr: lastLines(stderr, STDERR_LINES).join('\n') };
  const { place, expected, actual } = differenceOf(outcome);
  return {
    name,
    kind: 'failure',
    type: operation,
    message: `${place === '' ? '' : `${place}: `}expected ${expected}, got ${actual}`,
    text: [
      `rules:    ${rules.join(', ')}`,
      `input:    ${shown(outcome.input, 400)}`,
      `expected: ${shown(outcome.expected, 400)}`,
      `actual:   ${shown(outcome.actual, 400)}`,
    ].join('\n'),
  };
}

function randomCases({ random }: Report, baseline: BaselineVerdict | undefined): Case[] {
  const { seed, compared, disagreements } = random!;
  if (disagreements.length === 0) return [{ name: `${compared} random cases, seed ${seed}`, kind: 'pass' }];
  const counting = new Set(baseline?.problems.filter(({ kind }) => kind === 'random cases').map(({ id }) => id));
  return disagreements.map(({ operation, case: number, input, expected, reply }): Case => {
    const name = `${operation}, seed ${seed}, case ${number}`;
    if (baseline !== undefined && !counting.has(operation)) return { name, kind: 'skipped', message: 'known failures' };
    const text = `input:    ${shown(input, 400)}\nexpected: ${shown(expected, 400)}\nactual:   ${shown(reply, 400)}`;
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

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Escapes a text for content and attributes, without the characters that XML 1.0 does not have. */
function xml(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[\u007f-\u009f]/g, '')
    .replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
