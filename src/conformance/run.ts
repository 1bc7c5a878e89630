import { assertInteger, assertOptions } from '../errors.ts';
import type { Adapter } from './adapter/protocol.ts';
import type { Disagreement } from './diagnosis/failure.ts';
import { findFirstStep, isWrongAnswer, keepPlausible } from './diagnosis/first-step.ts';
import { locateFailure } from './diagnosis/locate.ts';
import { findResemblances, type Resemblance } from './diagnosis/resemblance.ts';
import { type ClassVerdict, type Counts, countOutcomes, judgeClasses } from './judge/classes.ts';
import { type FingerprintPair, fingerprintIn, gradeOf } from './judge/grade.ts';
import { runVector, type VectorRun } from './judge/vector.ts';
import { assertAdapter, assertGroups, assertVector } from './options.ts';
import type { VectorOutcome } from './outcome.ts';
import { compareRandomly } from './random/compare.ts';
import type { Report } from './report/report.ts';
import type { Mutant, Suite } from './suite/load.ts';
import { type GroupedVector, listLiveVectors } from './suite/select.ts';
import type { Vector, VectorGroup } from './types.ts';

/** What to run. */
export interface RunOptions {
  readonly groups: readonly VectorGroup[];
  readonly suite: Suite;
  /** Known wrong implementations. Default none. */
  readonly mutants?: readonly Mutant[];
  /** If the groups are only a part of the suite: which part. No class can be claimed from it. */
  readonly selection?: string;
  /** The command of the adapter, for the report. */
  readonly command?: readonly string[];
  /** Random cases for each operation; 0 for none. Default 100. */
  readonly randomCases?: number;
  /** The seed of the random cases, 0 to 2^32 - 1. By default another one for each run, so that answers cannot be learned. */
  readonly seed?: number;
  /** Whether large accumulated vectors, of more than 10,000 cases, are run too. Default false. */
  readonly large?: boolean;
  /** How many wrong documents are searched for the step at fault. Default 40. */
  readonly located?: number;
  readonly onOutcome?: (outcome: VectorOutcome, done: number, all: number) => void;
}

/** The flag of vectors that an implementation with newer Unicode data fails. */
const NEWER_UNICODE = 'NewerUnicode';

const MAX_SEED = 0xffffffff;

/**
 * Runs an implementation through vectors and random cases, and diagnoses its failures.
 * @param adapter - the implementation under test; it is not closed
 * @param options - what to run
 * @returns the report
 * @throws (rejects) TypeError `wrong-type`, RangeError `out-of-range`; Error when the adapter cannot be run at all
 */
export async function runConformance(adapter: Adapter, options: RunOptions): Promise<Report> {
  checkOptions(adapter, options);
  const { groups, suite, selection = null, mutants = [], command = [], randomCases = 100, large = false } = options;
  const { seed = Math.floor(Math.random() * (MAX_SEED + 1)) } = options;
  const hello = await adapter.hello();
  const live = listLiveVectors(groups, large);
  const { outcomes, pairs } = await runVectors(adapter, live, options);
  const operations =
    selection === null ? undefined : new Set<string>(live.map(({ vector: { operation } }) => operation));
  const random = randomCases > 0 ? await compareRandomly(adapter, { cases: randomCases, seed, operations }) : null;
  const disagreements = random?.disagreements ?? [];
  const counts = countOutcomes(outcomes);
  const classes = judgeClasses(outcomes, hello, random ?? { disagreements, unanswered: [] }, selection === null);
  return {
    format: 1,
    suite,
    adapter: { ...hello, command },
    selection,
    verdict: judgeRun(counts, classes, disagreements.length > 0, selection === null),
    ...{ counts, classes },
    ...diagnose(outcomes, disagreements, mutants),
    grade: pairs.length === 0 ? null : gradeOf(pairs),
    random,
    restarts: adapter.restarts,
    outcomes,
  };
}

/** Judges a run. If all vectors were run, something conforms only if a class does. */
function judgeRun(
  { passed, failed, notRun }: Counts,
  classes: readonly ClassVerdict[],
  differs: boolean,
  isWhole: boolean,
): Report['verdict'] {
  if (failed + notRun > 0 || passed === 0 || differs) return 'fails';
  return isWhole && classes.every(({ verdict }) => verdict !== 'conforms') ? 'untested' : 'conforms';
}

function checkOptions(adapter: Adapter, options: RunOptions): void {
  assertAdapter(adapter);
  assertOptions('options', options, {
    suite: 'object',
    mutants: 'list?',
    selection: 'string?',
    command: 'list?',
    large: 'boolean?',
    onOutcome: 'function?',
  });
  assertGroups('options.groups', options.groups);
  for (const name of ['randomCases', 'located'] as const)
    if (options[name] !== undefined) assertInteger(`options.${name}`, options[name], 0, Number.MAX_SAFE_INTEGER);
  if (options.seed !== undefined) assertInteger('options.seed', options.seed, 0, MAX_SEED);
}

/** Runs the vectors, and finds out where wrong documents go wrong. */
async function runVectors(
  adapter: Adapter,
  live: readonly GroupedVector[],
  { located: maxLocated = 40, onOutcome }: RunOptions,
): Promise<{ readonly outcomes: VectorOutcome[]; readonly pairs: FingerprintPair[] }> {
  const outcomes: VectorOutcome[] = [];
  const pairs: FingerprintPair[] = [];
  let located = 0;
  for (const { group, vector } of live) {
    let run = await runVector(adapter, group, vector);
    pairs.push(...pairOf(vector, run));
    if (located < maxLocated) run = await withLocation(adapter, vector, run);
    const { outcome } = run;
    if (outcome.location !== undefined) located++;
    outcomes.push(outcome);
    onOutcome?.(outcome, outcomes.length, live.length);
  }
  return { outcomes, pairs };
}

/** Finds out where a wrong document goes wrong. */
async function withLocation(adapter: Adapter, vector: Vector, run: VectorRun): Promise<VectorRun> {
  if (!isWrongAnswer(run.outcome)) return run;
  const location = await locateFailure(adapter, vector, run.sent, run.reply);
  return location === undefined ? run : { ...run, outcome: { ...run.outcome, location } };
}

/**
 * Runs one vector and, if it is a wrong document, finds out where it goes wrong.
 * @param adapter - the implementation under test; it is not closed
 * @param vector - the vector
 * @throws (rejects) TypeError `wrong-type`; Error when the adapter cannot be run at all
 */
export async function checkVector(adapter: Adapter, vector: Vector): Promise<VectorRun> {
  assertAdapter(adapter);
  assertVector(vector);
  const group = vector.id.slice(0, vector.id.indexOf('/'));
  return withLocation(adapter, vector, await runVector(adapter, group, vector));
}

/** The fingerprints of a document vector that was run, for the grade, which is about `simhash-doc`. */
function pairOf(vector: Vector, { outcome, reply }: VectorRun): FingerprintPair[] {
  if (vector.operation !== 'fingerprint' || vector.expected === undefined) return [];
  if (outcome.status === 'unsupported' || outcome.label !== undefined) return [];
  const actual = reply?.kind === 'ok' ? fingerprintIn(reply.result) : undefined;
  return [[vector.expected.fingerprint, actual ?? null]];
}

type Diagnosis = Pick<Report, 'firstStep' | 'resemblances' | 'newerUnicodeOnly'>;

function diagnose(
  outcomes: readonly VectorOutcome[],
  disagreements: readonly Disagreement[],
  mutants: readonly Mutant[],
): Diagnosis {
  const wrong = outcomes.filter(isWrongAnswer);
  const answered = outcomes.filter(({ status }) => status === 'pass' || status === 'fail');
  const resemblances: Resemblance[] = findResemblances(
    new Map(wrong.map(({ id, outcome }) => [id, outcome ?? ''])),
    new Set(answered.map(({ id }) => id)),
    mutants,
  );
  const firstStep = findFirstStep(outcomes, resemblances, disagreements);
  return {
    firstStep,
    resemblances: keepPlausible(resemblances, firstStep, outcomes),
    newerUnicodeOnly:
      wrong.length > 0 &&
      wrong.length === countOutcomes(outcomes).failed &&
      wrong.every(({ flags }) => flags.includes(NEWER_UNICODE)),
  };
}
