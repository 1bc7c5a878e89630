import { sum } from '../../common/numbers.ts';
import { formatNumber, joinWithAnd, pluralize } from '../../common/text.ts';
import type { Declared } from '../adapter/protocol.ts';
import { nameOfResemblance, type Resemblance, titleOfResemblance } from '../diagnosis/resemblance.ts';
import { STEP_OF_OPERATION } from '../diagnosis/steps.ts';
import { type ClassVerdict, type Counts, countOutcomes, type Unanswered } from '../judge/conformance-classes.ts';
import type { VectorOutcome } from '../vector-outcome.ts';
import { namedStep, namedSteps, visibleLine } from './printable-text.ts';
import type { Report } from './report.ts';

export type NotAnswered = Omit<Unanswered, 'isAllowed'>;

/** Names the unanswered inputs: `30 of fingerprint (utf16), 11 of lookup3, 18 accumulated, 3 random cases of parse`. */
export function nameUnanswered(unanswered: readonly NotAnswered[]): string {
  const accumulated = unanswered.filter(({ about }) => about !== undefined);
  const items = unanswered
    .filter(({ about }) => about === undefined)
    .map(({ operation, kind, vectors, randomCases }) => {
      const count = vectors > 0 ? formatNumber(vectors) : pluralize(randomCases, 'random case');
      return `${count} of ${operation}${kind === undefined ? '' : ` (${kind})`}`;
    });
  if (accumulated.length > 0) items.push(`${formatNumber(sum(accumulated.map(({ vectors }) => vectors)))} accumulated`);
  return joinWithAnd(items);
}

type Judged = Pick<ClassVerdict, 'label' | 'medium'> & { readonly unanswered?: readonly NotAnswered[] };

/** Collects the unanswered inputs of classes; an operation that several classes test is counted once. */
export function unansweredOf(classes: readonly Judged[]): NotAnswered[] {
  const counted = new Set<string>();
  const sums = new Map<string, NotAnswered>();
  for (const { label, medium, unanswered = [] } of classes)
    for (const { operation, about, kind, vectors, randomCases } of unanswered) {
      const item = { operation, ...(about !== undefined && { about }), ...(kind !== undefined && { kind }) };
      const key = JSON.stringify(item);
      const part = JSON.stringify([label, medium, key]);
      if (counted.has(part)) continue;
      counted.add(part);
      const known = sums.get(key) ?? { vectors: 0, randomCases: 0 };
      sums.set(key, { ...item, vectors: known.vectors + vectors, randomCases: known.randomCases + randomCases });
    }
  return [...sums.values()];
}

export function nameFunctions({ functions = {} }: Declared): string[] {
  const operations = new Map<string, string[]>();
  for (const [operation, name] of Object.entries(functions))
    operations.set(name, [...(operations.get(name) ?? []), operation]);
  return [...operations].map(([name, answered]) => `${name} (${joinWithAnd(answered)})`);
}

/** Says by which functions the operations were answered, and which ones are recomposed; for files, which do not wrap lines. */
export function describeFunctions(adapter: Parameters<typeof recomposedOf>[0]): string {
  const functions = nameFunctions(adapter);
  const recomposed = recomposedOf(adapter);
  return [
    functions.length === 0 ? 'none named' : functions.join('; '),
    ...(recomposed.length === 0 ? [] : [`recomposed: ${recomposed.join(', ')}`]),
  ].join('; ');
}

/** The operations, `accumulate` aside, that no function of the product answers: their steps are recomposed for the test. */
export function recomposedOf({
  operations,
  functions = {},
}: Declared & { readonly operations: readonly string[] }): string[] {
  return operations.filter(
    (operation) =>
      operation !== 'accumulate' && Object.hasOwn(STEP_OF_OPERATION, operation) && !Object.hasOwn(functions, operation),
  );
}

export function byGroup<T extends Pick<VectorOutcome, 'group'>>(outcomes: readonly T[]): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>(outcomes.map(({ group }) => [group, []]));
  for (const outcome of outcomes) groups.get(outcome.group)!.push(outcome);
  return groups;
}

export function countByGroup(
  outcomes: readonly Pick<VectorOutcome, 'group' | 'status'>[],
): ReadonlyMap<string, Counts> {
  return new Map([...byGroup(outcomes)].map(([group, own]) => [group, countOutcomes(own)]));
}

export function aboutClass(
  { verdict, reason, counts, absent = [], unanswered = [], k }: ClassVerdict,
  isPart: boolean,
): string {
  const { passed, failed } = counts;
  const all = pluralize(passed + failed, 'vector');
  if (reason !== undefined) return reason;
  if (verdict === 'fails') return failed > 0 ? `${formatNumber(failed)} of ${all} failed` : 'random cases differ';
  if (verdict === 'untested') {
    if (absent.length > 0) return `needs ${joinWithAnd(absent)}`;
    if (counts.notRun > 0) return `${pluralize(counts.notRun, 'vector')} not run`;
    if (isPart) return 'only a part of the vectors was run';
    const needed = nameUnanswered(unanswered.filter(({ isAllowed }) => !isAllowed));
    return needed === '' ? 'its operations were not answered' : `needs answers, not given to ${needed}`;
  }
  const left = nameUnanswered(unanswered);
  const notes = [
    ...(k === undefined ? [] : [`complete up to k = ${k}`]),
    ...(left === '' ? [] : [`not answered: ${left}`]),
  ];
  return [`all of ${all}`, ...notes].join('; ');
}

const VERDICTS = { conforms: 'conforms', fails: 'fails', untested: 'not tested' };

export function wordOf({ class: name, verdict }: ClassVerdict): string {
  return name === 'extraction' && verdict === 'conforms' ? 'vectors passed' : VERDICTS[verdict];
}

export function describeClass(verdict: ClassVerdict, isPart: boolean): string {
  return `${wordOf(verdict)}: ${aboutClass(verdict, isPart)}`;
}

export function sentenceOfUntested({ verdict }: Report): string | null {
  return verdict === 'untested' ? 'nothing is wrong, but no class was answered as a whole' : null;
}

const FAULTS: readonly (readonly [status: VectorOutcome['status'], what: string])[] = [
  ['crash', 'The adapter crashed on'],
  ['timeout', 'The adapter did not answer'],
  ['protocol', 'The adapter broke the protocol on'],
];

function describeFaults(outcomes: readonly VectorOutcome[]): string[] {
  const asked = outcomes.filter(({ status }) => status !== 'unsupported' && status !== 'not-run').length;
  return FAULTS.flatMap(([status, what]) => {
    const faults = outcomes.filter((outcome) => outcome.status === status);
    const [first] = faults;
    if (first === undefined) return [];
    const reason = visibleLine(first.detail ?? '');
    return [`${what} ${formatNumber(faults.length)} of ${pluralize(asked, 'vector')}, first ${first.id}: ${reason}.`];
  });
}

function describeVariation(outcomes: readonly VectorOutcome[]): string[] {
  const varying = outcomes.filter(({ slip }) => slip?.kind === 'varies');
  const [first] = varying;
  if (first === undefined) return [];
  const names = [...new Set(varying.map(({ operation }) => operation))];
  return [
    `Not deterministic: answers to ${pluralize(varying.length, 'vector')} of ${joinWithAnd(names)} differ when asked again, first ${first.id}. Look for an order that changes, random numbers, or memory that is read before it is written.`,
  ];
}

function describeSlips(outcomes: readonly VectorOutcome[]): string[] {
  const kinds = [...new Set(outcomes.flatMap(({ slip }) => slip?.kind ?? []))].filter((kind) => kind !== 'varies');
  return kinds.map((kind) => {
    const found = outcomes.filter(({ slip }) => slip?.kind === kind);
    const [{ id, slip }] = found as [VectorOutcome];
    return `Replies to ${pluralize(found.length, 'vector')} do not have the form that the protocol requires, first ${id}: ${visibleLine(slip!.message)}.`;
  });
}

export function diagnose(report: Report): string[] {
  const { firstStep, resemblances, newerUnicodeOnly, counts, random } = report;
  const lines = [
    ...(report.encoding === null ? [] : [visibleLine(report.encoding)]),
    ...describeFaults(report.outcomes),
    ...describeVariation(report.outcomes),
    ...describeSlips(report.outcomes),
    ...(report.exit === null ? [] : [`The adapter ${report.exit}: it has to exit with code 0.`]),
  ];
  if (firstStep !== null) lines.push(sentenceOfStep(firstStep));
  lines.push(...resemblances.map(sentenceOfResemblance));
  if (newerUnicodeOnly && counts.failed > 0)
    lines.push('Newer Unicode data explain every failure: use Unicode 12.0 to classify code points (CLS-1).');
  const documents = random?.disagreements.filter(({ operation }) => operation === 'fingerprint').length ?? 0;
  if (counts.failed === 0 && documents > 0)
    lines.push('All vectors pass but random cases differ: no vector shows this mistake, or the answers were learned.');
  return lines;
}

function sentenceOfResemblance(resemblance: Resemblance): string {
  const { and, same, failed, missing, unrecorded } = resemblance;
  const whose = and === undefined ? 'its' : 'their';
  const notes = [
    ...(missing > 0 ? [`which would fail ${missing} more`] : []),
    ...(same < failed && unrecorded > 0
      ? [`${whose} outcome on ${pluralize(unrecorded, 'other')} is not recorded`]
      : []),
  ];
  const note = notes.length === 0 ? '' : ` (${notes.join('; ')})`;
  const sentence = `Fails like ${nameOfResemblance(resemblance)} on ${same} of ${failed}${note}: ${titleOfResemblance(resemblance)}.`;
  return visibleLine(sentence).replace(/\.\.$/, '.');
}

function sentenceOfStep({ step, vectors, right, wrong }: NonNullable<Report['firstStep']>): string {
  const where = vectors > 0 ? pluralize(vectors, 'vector') : 'random cases';
  const later = [
    ...(right.length > 0 ? [`${namedSteps(right)} ${right.length === 1 ? 'is' : 'are'} right`] : []),
    ...(wrong.length > 0 ? [`${namedSteps(wrong)} ${wrong.length === 1 ? 'is' : 'are'} also wrong`] : []),
  ].join(', ');
  return `First goes wrong in ${namedStep(step)}, ${where}${later === '' ? '.' : `; given correct input, ${later}.`}`;
}
