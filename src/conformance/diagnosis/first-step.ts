import type { Reply } from '../adapter/protocol.ts';
import { judgeResult, valueAt } from '../judge/judge.ts';
import { outcomeOf } from '../judge/judge-vector.ts';
import { findSlip } from '../judge/slips.ts';
import type { Operation, Outcome } from '../vector.ts';
import type { Location, VectorOutcome } from '../vector-outcome.ts';
import { isCertain, type Resemblance } from './resemblance.ts';
import { STEP_OF_OPERATION, stepOfRule } from './steps.ts';

/** A random input on which an implementation and the reference disagree. */
export interface Disagreement {
  readonly operation: Operation;
  /** The input, made as small as possible. */
  readonly input: unknown;
  readonly expected: Outcome;
  readonly reply: Reply;
  /** For a document: the place where it goes wrong. */
  readonly location?: Location;
  /** The number of the case: the same seed and number give the same input. */
  readonly case: number;
}

type Failure = Pick<VectorOutcome, 'operation' | 'about' | 'location' | 'place' | 'expected' | 'actual'>;

function failureOf({ operation, expected, reply, location }: Disagreement): Failure {
  const about = { operation, ...(location !== undefined && { location }) };
  if (!('result' in expected) || reply.kind !== 'ok') return about;
  const place = judgeResult(operation, expected.result, reply.result) ?? '';
  return { ...about, place, expected: expected.result, actual: reply.result };
}

export function stepOf(failure: Failure): number | undefined {
  const { operation, about = operation, location } = failure;
  if (isMiswritten(failure)) return 9;
  // An extraction also fails if a later step is wrong.
  return operation === 'extract-html' ? location?.step : (STEP_OF_OPERATION[about] ?? location?.step);
}

/** Tests whether a failure is a right 64-bit number that is not written in the form of SER-6. */
function isMiswritten({ place = '', expected, actual }: Failure): boolean {
  const [right, wrong] = [valueAt(expected, place), valueAt(actual, place)];
  if (typeof right !== 'string' || typeof wrong !== 'string' || !/^[0-9a-f]{16}$/.test(right)) return false;
  const number = BigInt(`0x${right}`);
  const unpadded = [right.slice(0, 8), right.slice(8)].map((half) => half.replace(/^0+(?=.)/, '')).join('');
  const forms = [
    number.toString(),
    BigInt.asIntN(64, number).toString(),
    BigInt.asIntN(64, number).toString(16),
    unpadded,
  ];
  const digits = wrong.toLowerCase().replace(/^0x/, '');
  return right !== wrong && (digits === right || digits === number.toString(16) || forms.includes(digits));
}

/** The first step that goes wrong in the whole run. */
export interface FirstStep {
  readonly step: number;
  /** The number of failed vectors about this step. */
  readonly vectors: number;
  /** The later steps that are always right, given correct input. */
  readonly right: readonly number[];
  /** The later steps that are not always right, given correct input. */
  readonly wrong: readonly number[];
}

/** Finds the first step that goes wrong in a run, and the state of the later steps, by wrong answers only. */
export function findFirstStep(
  outcomes: readonly VectorOutcome[],
  resemblances: readonly Resemblance[],
  disagreements: readonly Disagreement[] = [],
): FirstStep | null {
  const failed = outcomes.filter(isWrongAnswer);
  const differing = disagreements.filter(
    ({ operation, expected, reply }) =>
      outcomeOf(reply) !== undefined && findSlip(operation, expected, reply)?.isOnly !== true,
  );
  const failures = [...failed, ...differing.map(failureOf)];
  if (failures.length === 0) return null;
  // Known mistakes that explain every failure are more reliable than the answers, if they agree.
  const certain = resemblances.filter(isCertain).map((each) => each.step);
  const mistaken = new Set(certain).size === 1 ? certain[0] : undefined;
  // A mistake in a late step breaks vectors about all earlier ones.
  const latest = Math.max(0, ...failed.map(({ rules }) => stepOfRule(rules[0] ?? '') ?? 0));
  const step = mistaken ?? findEarliestStep(failures) ?? latest;
  return {
    step,
    vectors: failed.filter((each) => stepOf(each) === step).length,
    ...judgeLaterSteps(step, failures, outcomes),
  };
}

/** Tests whether a vector was answered wrongly, and not only in a wrong form. */
export function isWrongAnswer({ status, slip }: Pick<VectorOutcome, 'status' | 'slip'>): boolean {
  return status === 'fail' && slip?.isOnly !== true;
}

/** Keeps mistakes in the first wrong step, or that explain every failure, if that step was tested by itself and is wrong. */
export function keepPlausible(
  resemblances: readonly Resemblance[],
  first: FirstStep | null,
  outcomes: readonly VectorOutcome[],
): readonly Resemblance[] {
  const isAsked = outcomes.some((each) => isWrongAnswer(each) && STEP_OF_OPERATION[each.operation] === first?.step);
  if (first === null || !isAsked) return resemblances;
  return resemblances.filter((each) => [each.step, each.and?.step].includes(first.step) || isCertain(each));
}

function judgeLaterSteps(
  step: number,
  failures: readonly Failure[],
  outcomes: readonly VectorOutcome[],
): Pick<FirstStep, 'right' | 'wrong'> {
  const right = new Set<number>();
  const wrong = new Set<number>();
  for (const failure of failures) {
    for (const finding of failure.location?.steps ?? [])
      if (finding.step > step && finding.state !== 'unknown')
        (finding.state === 'right' ? right : wrong).add(finding.step);
    const own = stepOf(failure);
    // Steps 10 and 11 read the output of step 9, and a probe is hashed by step 7; steps found by fingerprints are unsure.
    if (failure.location?.by !== 'documents' && own !== undefined && own > step && (step > 9 || own < 10))
      wrong.add(own);
  }
  for (const { operation, status } of outcomes) {
    const own = STEP_OF_OPERATION[operation];
    if (status === 'pass' && own !== undefined && own > step) right.add(own);
  }
  const ascending = (set: Iterable<number>): number[] => [...set].sort((x, y) => x - y);
  // Of a part of the vectors, only the steps that it is about can be called right.
  const run = new Set(outcomes.map(({ operation }) => STEP_OF_OPERATION[operation]));
  return { right: ascending([...right].filter((each) => run.has(each) && !wrong.has(each))), wrong: ascending(wrong) };
}

// A step that fewer of the wrong documents point to is not the first: in these, other mistakes may have cancelled out.
const MIN_SHARE = 0.15;

function findEarliestStep(failures: readonly Failure[]): number | undefined {
  const byDocuments = failures.filter(({ location }) => location?.by === 'documents' && location.step !== 0);
  const support = (step: number): number => byDocuments.filter(({ location }) => location?.step === step).length;
  const steps = failures.flatMap((failure) => {
    const step = stepOf(failure);
    const weak = byDocuments.includes(failure) && support(step!) < MIN_SHARE * byDocuments.length;
    return step === undefined || weak ? [] : [step];
  });
  return steps.length > 0 ? Math.min(...steps) : undefined;
}
