import { findSlip } from '../judge/slips.ts';
import { outcomeOf } from '../judge/vector.ts';
import type { VectorOutcome } from '../outcome.ts';
import { type Disagreement, type Failure, failureOf, stepOf } from './failure.ts';
import { isCertain, type Resemblance } from './resemblance.ts';
import { STEP_OF_OPERATION, stepOfRule } from './steps.ts';

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

/**
 * Finds the first step that goes wrong in a run, and the state of the later steps. Only wrong answers count: a crash,
 * a timeout, a breach of the protocol or a right answer in a wrong form is not attributed to a step.
 */
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
  const step = stepOfMistake(resemblances) ?? findEarliestStep(failures) ?? guessFromRules(failed);
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

/**
 * Drops resemblances to mistakes in another step than the first wrong one, if that step was tested by itself and is
 * wrong, unless they explain every failure.
 */
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
    // Steps 10 and 11 read the output of step 9, and a probe is hashed by step 7, so they may fail for these. So may a
    // later step that was found by fingerprints alone.
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

/** A step found by fingerprints alone counts if enough documents point to it. */
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

/** Returns the step of the known mistakes that explain every failure, if they agree: it is more reliable than the answers. */
function stepOfMistake(resemblances: readonly Resemblance[]): number | undefined {
  const certain = resemblances.filter(isCertain);
  const [first] = certain;
  return first !== undefined && certain.every(({ step }) => step === first.step) ? first.step : undefined;
}

/** Guesses the latest step of the failures' rules: a mistake in a late step breaks vectors about all earlier ones. */
function guessFromRules(failed: readonly VectorOutcome[]): number {
  return Math.max(0, ...failed.map(({ rules }) => stepOfRule(rules[0] ?? '') ?? 0));
}
