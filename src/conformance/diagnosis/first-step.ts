import type { Disagreement } from '../differential.ts';
import { judgeResult } from '../judge/judge.ts';
import { valueAt } from '../report/differences.ts';
import type { VectorOutcome } from '../run.ts';
import type { Resemblance } from './resemblance.ts';
import { STEP_OF_OPERATION, stepOfRule } from './steps.ts';

/** The first step that goes wrong in the whole run. */
export interface FirstStep {
  readonly step: number;
  /** How many failed vectors show it. */
  readonly vectors: number;
  /** Later steps that were asked with correct input: right everywhere, or wrong somewhere. */
  readonly right: readonly number[];
  readonly wrong: readonly number[];
}

/** What is known of a failure, of a vector or of a random case. */
type Failure = Pick<VectorOutcome, 'operation' | 'about' | 'location' | 'place' | 'expected' | 'actual'>;

/** The step that a failure is about; undefined where it does not tell. */
export function stepOf(failure: Failure): number | undefined {
  const { operation, about = operation, location } = failure;
  if (isMiswritten(failure)) return 9;
  // An extraction is also wrong where a step behind it is.
  return operation === 'extract-html' ? location?.step : (STEP_OF_OPERATION[about] ?? location?.step);
}

/** Whether the number of 64 bits that a failure is about is right, and written in another form than SER-6 says. */
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

/**
 * Finds the first step that goes wrong in a run, and what is known of the later ones.
 * @param outcomes - of the vectors
 * @param resemblances - to known mistakes
 * @param disagreements - on random inputs
 * @returns null when nothing failed
 */
export function findFirstStep(
  outcomes: readonly VectorOutcome[],
  resemblances: readonly Resemblance[],
  disagreements: readonly Disagreement[] = [],
): FirstStep | null {
  const failures = outcomes.filter(
    ({ status }) => status !== 'pass' && status !== 'unsupported' && status !== 'not-run',
  );
  if (failures.length === 0 && disagreements.length === 0) return null;
  const steps = failures.map(stepOf);
  const step =
    stepOfMistake(resemblances) ?? earliest([...failures, ...disagreements.map(failureOf)]) ?? guessFromRules(failures);
  // Steps 10 and 11 read what step 9 writes, and a probe is hashed by step 7: they may be wrong for that alone. So may be
  // what fingerprints alone tell of a later step.
  const own = [...failures, ...disagreements.map(failureOf)].filter(({ location }) => location?.by !== 'documents');
  const later = own.map(stepOf).filter((each) => each !== undefined && each > step && (step > 9 || each < 10));
  const wrong = new Set(later as number[]);
  const locations = [...failures, ...disagreements].flatMap(({ location }) => location?.steps ?? []);
  const right = new Set<number>();
  for (const finding of locations) {
    if (finding.step <= step || finding.state === 'unknown') continue;
    (finding.state === 'right' ? right : wrong).add(finding.step);
  }
  for (const { operation, status } of outcomes) {
    const own = STEP_OF_OPERATION[operation];
    // An extraction takes a document, not the output of a step.
    if (status === 'pass' && own !== undefined && own > step) right.add(own);
  }
  const ascending = (set: Iterable<number>): number[] => [...set].sort((x, y) => x - y);
  return {
    step,
    vectors: steps.filter((each) => each === step).length,
    right: ascending([...right].filter((each) => !wrong.has(each))),
    wrong: ascending(wrong),
  };
}

function failureOf({ operation, expected, reply, location }: Disagreement): Failure {
  const about = { operation, ...(location !== undefined && { location }) };
  if (!('result' in expected) || reply.kind !== 'ok') return about;
  const place = judgeResult(operation, expected.result, reply.result) ?? '';
  return { ...about, place, expected: expected.result, actual: reply.result };
}

// Fewer documents than this share of all that are wrong do not make a step the first: their other steps may have made up
// for each other.
const LEAST_SHARE = 0.15;

/** The earliest step that failures are about. What was found by fingerprints alone counts where several documents show it. */
function earliest(failures: readonly Failure[]): number | undefined {
  const byDocuments = failures.filter(({ location }) => location?.by === 'documents' && location.step !== 0);
  const shown = (step: number): number => byDocuments.filter(({ location }) => location?.step === step).length;
  const steps = failures.flatMap((failure) => {
    const step = stepOf(failure);
    const weak = byDocuments.includes(failure) && shown(step!) < LEAST_SHARE * byDocuments.length;
    return step === undefined || weak ? [] : [step];
  });
  return steps.length > 0 ? Math.min(...steps) : undefined;
}

/** The step of the known mistakes that explain every failure, where they have one: they know more than answers show. */
function stepOfMistake(resemblances: readonly Resemblance[]): number | undefined {
  const certain = resemblances.filter(({ same, failed, missing }) => same === failed && missing === 0);
  const [first] = certain;
  return first !== undefined && certain.every(({ step }) => step === first.step) ? first.step : undefined;
}

/** Where nothing else is known: a late step breaks vectors about all the steps before it, an early one not about later. */
function guessFromRules(failures: readonly VectorOutcome[]): number {
  return Math.max(0, ...failures.map(({ rules }) => stepOfRule(rules[0] ?? '') ?? 0));
}
