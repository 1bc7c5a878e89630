import { hexDigits } from '../../../common/bytes.ts';
import { formatNumber, joinWithAnd, pluralize } from '../../../common/text.ts';
import type { Reply } from '../../adapter/protocol.ts';
import { isFailure } from '../../judge/conformance-classes.ts';
import { judge } from '../../judge/judge.ts';
import { bareOutcome, outcomeOf } from '../../judge/judge-vector.ts';
import { findSlip, type Slip } from '../../judge/slips.ts';
import type { Operation, Outcome } from '../../vector.ts';
import type { Location, ScalarFinding, VectorOutcome } from '../../vector-outcome.ts';
import {
  lastLines,
  namedStep,
  type Paint,
  type ShownDifference,
  showDifference,
  showInput,
  shown,
  visibleLine,
} from '../printable-text.ts';
import type { Report } from '../report.ts';
import { byGroup } from '../wording.ts';

const MAX_STDERR_LINES = 5;

const STATUS_WORDS: Readonly<Record<string, string>> = {
  crash: 'crashed',
  timeout: 'did not answer',
  protocol: 'broke the protocol',
  'not-run': 'not run',
};

export function failureSection({ outcomes }: Report, limit: number, paint: Paint): string[] {
  const failed = outcomes.filter(isFailure);
  const silent = outcomes.filter(({ status }) => status === 'not-run');
  if (failed.length + silent.length === 0) return [];
  const isCut = limit < failed.length;
  const count = isCut ? `${limit} of ${failed.length}` : `${failed.length}`;
  const lines = [
    `${paint.strong('Failures')} ${paint.faint(`${count} shown${isCut ? `; --failures ${failed.length} shows all` : ''}`)}`,
  ];
  for (const outcome of spread(failed, limit)) lines.push(...failureLines(outcome, paint));
  const reasons = new Map<string, number>();
  for (const { detail = '' } of silent) reasons.set(detail, (reasons.get(detail) ?? 0) + 1);
  if (silent.length > 0) lines.push('');
  for (const [reason, count] of reasons) lines.push(`  ${pluralize(count, 'vector')} not run: ${visibleLine(reason)}`);
  return lines;
}

/** Chooses failures of every group: the first ones of each in turn. */
function spread(failed: readonly VectorOutcome[], limit: number): VectorOutcome[] {
  if (failed.length <= limit) return [...failed];
  const ranked = [...byGroup(failed).values()].flatMap((own) => own.map((outcome, rank) => ({ outcome, rank })));
  const first = ranked.sort((x, y) => x.rank - y.rank).slice(0, limit);
  const chosen = new Set(first.map(({ outcome }) => outcome));
  return failed.filter((outcome) => chosen.has(outcome));
}

function failureLines(outcome: VectorOutcome, paint: Paint): string[] {
  const { id, title, rules, status, detail, stderr = '', location, scalars, slip } = outcome;
  const lines = [
    '',
    `  ${paint.bad('✗')} ${paint.strong(id)}  ${visibleLine(title)} ${paint.faint(`[${rules.join(', ')}]`)}`,
  ];
  if (outcome.input !== undefined) lines.push(`      input     ${showInput(outcome)}`);
  if (slip !== undefined) lines.push(slipLine(slip));
  if (status === 'fail') lines.push(...differenceLines(showDifference(outcome), paint));
  else lines.push(`      ${STATUS_WORDS[status]}: ${visibleLine(detail ?? '')}`);
  if (location !== undefined) lines.push(...locationLines(location));
  if (scalars !== undefined) lines.push(...scalarLines(scalars));
  lines.push(...stderrLines(stderr, paint));
  return lines;
}

function slipLine({ kind, message, isOnly }: Slip): string {
  return `      ${kind === 'varies' ? 'varies' : 'form  '}    ${visibleLine(message)}${isOnly ? '' : ' (the answer is also wrong)'}`;
}

function stderrLines(stderr: string, paint: Paint): string[] {
  return lastLines(stderr, MAX_STDERR_LINES).map((line) => `      ${paint.faint(`stderr: ${line}`)}`);
}

function differenceLines({ place, expected, actual, column }: ShownDifference, paint: Paint): string[] {
  const at = place === '' ? '' : `${place}: `;
  return [
    `      expected  ${at}${paint.good(expected)}`,
    `      actual    ${at}${paint.bad(actual)}`,
    ...(column === undefined ? [] : [`${' '.repeat(16 + at.length + column)}${paint.faint('^')}`]),
  ];
}

const EVIDENCE: Readonly<Record<Location['by'], string>> = {
  step: 'wrong when asked by itself',
  intermediates: 'an intermediate of the reply is wrong',
  documents: 'found by fingerprints of the texts between the steps',
  composition: '',
  unknown: '',
};

export function locationLines({ step, by, steps }: Location): string[] {
  if (step === undefined)
    return by === 'composition' ? ['      each step by itself is right: they are composed wrongly'] : [];
  const lines = [`      goes wrong in ${namedStep(step)}: ${EVIDENCE[by]}`];
  const finding = steps.find((each) => each.step === step && each.state === 'wrong');
  if (finding !== undefined)
    lines.push(`        given     ${shown(finding.input)}`, `        returned  ${shown(finding.actual)}`);
  return lines;
}

function rangeName([first, last]: readonly [first: number, last: number]): string {
  const [start, end] = [first, last].map((codePoint) => `U+${hexDigits(codePoint, 4).toUpperCase()}`);
  return first === last ? start! : `${start}..${end}`;
}

export function scalarLines({ cases, differing, ranges, isComplete, ...example }: ScalarFinding): string[] {
  const names = ranges.map(rangeName);
  const lines = [
    `      wrong in ${formatNumber(differing)} of ${pluralize(cases, 'case')}, by ${isComplete ? joinWithAnd(names) : `${names.join(', ')} and others`}`,
  ];
  if (example.input !== undefined)
    lines.push(
      `        given     ${shown(example.input)}`,
      `        expected  ${shown(example.expected)}`,
      `        returned  ${shown(example.actual)}`,
    );
  return lines;
}

export function randomSection({ random }: Report, limit: number, paint: Paint): string[] {
  if (random === null || random.disagreements.length === 0) return [];
  const lines = [
    `${paint.strong('Random cases that differ')} ${paint.faint(`with reduced inputs; --seed ${random.seed} repeats them`)}`,
  ];
  for (const { operation, input, expected, reply, case: number, location } of random.disagreements.slice(0, limit || 1))
    lines.push(
      '',
      `  ${paint.bad('✗')} ${paint.strong(operation)} ${paint.faint(`case ${number}`)}`,
      `      input     ${shown(input)}`,
      ...replyLines(operation, expected, reply, paint),
      ...(location === undefined ? [] : locationLines(location)),
    );
  return lines;
}

export function replyLines(operation: Operation, expected: Outcome, reply: Reply, paint: Paint): string[] {
  if (reply.kind === 'unsupported') return ['      not offered'];
  if (reply.kind === 'ok' || reply.kind === 'error') {
    const actual = outcomeOf(reply)!;
    const slip = findSlip(operation, expected, reply);
    const place = judge(operation, expected, actual) ?? '';
    const difference = showDifference({ place, expected: bareOutcome(expected), actual: bareOutcome(actual) });
    return [...(slip === undefined ? [] : [slipLine(slip)]), ...differenceLines(difference, paint)];
  }
  return [
    `      ${STATUS_WORDS[reply.kind]}: ${visibleLine(reply.detail)}`,
    ...stderrLines('stderr' in reply ? reply.stderr : '', paint),
  ];
}
