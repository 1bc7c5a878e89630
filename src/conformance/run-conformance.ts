import { assertInteger, assertOptions } from '../errors.ts';
import { classify } from '../index.ts';
import type { Adapter } from './adapter/protocol.ts';
import { assertGroups, assertShape } from './checks.ts';
import { tryRoundTrip } from './diagnosis/encoding.ts';
import { type Disagreement, findFirstStep, isWrongAnswer, keepPlausible } from './diagnosis/first-step.ts';
import { findResemblances, type Resemblance } from './diagnosis/resemblance.ts';
import {
  type ClassVerdict,
  type Counts,
  claimedClasses,
  countOutcomes,
  judgeClasses,
} from './judge/conformance-classes.ts';
import { gradeOf } from './judge/grade.ts';
import { runVector, type VectorRun } from './judge/judge-vector.ts';
import { compareRandomly } from './random/compare-random.ts';
import type { Report } from './report/report.ts';
import { createPool } from './runner/adapter-pool.ts';
import { createAgain } from './runner/ask-again.ts';
import { createGate, guard, type RunLimits } from './runner/run-limits.ts';
import { runVectors, withLocation } from './runner/vector-runner.ts';
import type { Mutant, Suite } from './suite/load-suite.ts';
import { listLiveVectors } from './suite/select-vectors.ts';
import type { Vector, VectorGroup } from './vector.ts';
import type { VectorOutcome } from './vector-outcome.ts';

/** Options of a run. */
export interface RunOptions extends RunLimits {
  /** The vectors to run. */
  readonly groups: readonly VectorGroup[];
  readonly suite: Suite;
  /** Known wrong implementations. Default none. */
  readonly mutants?: readonly Mutant[];
  /** A description of the part of the suite that `groups` holds, if that is not all of it. No class can be claimed from a part. */
  readonly selection?: string;
  /** The command of the adapter, for the report. */
  readonly command?: readonly string[];
  /** The number of random cases for each operation; 0 for none. Default 100. */
  readonly randomCases?: number;
  /** The seed of the random cases, 0 to 2^32 - 1. Default: a random one for each run, so that answers cannot be prepared. */
  readonly seed?: number;
  /** True if large accumulated vectors, of more than 10,000 cases, are also run. Default false. */
  readonly large?: boolean;
  /** True if vectors over all scalar values are run, of thousands of requests. Default true. */
  readonly scalars?: boolean;
  /** The maximum number of wrong documents searched for the step at fault. Default 40. */
  readonly located?: number;
  /** The ids of vectors to leave out. No class can be claimed if one is left out. */
  readonly skip?: ReadonlySet<string>;
  /** The number of processes of the adapter that work side by side, 1 to 256. The report does not depend on it. Default 1. */
  readonly jobs?: number;
  /** Tests whether an outcome ends the run. Default never. */
  readonly stopAt?: (outcome: VectorOutcome) => boolean;
  /** Called after each vector, with the numbers of vectors that are done and of all. */
  readonly onOutcome?: (outcome: VectorOutcome, done: number, all: number) => void;
}

const MAX_SEED = 0xffffffff;
const MAX_JOBS = 256;

/**
 * Runs an implementation through vectors and random cases, and diagnoses its failures.
 * @param adapter - the implementation under test; its process is ended to check its exit, and may be started again
 * @param options - see {@link RunOptions}
 * @returns the report
 * @throws (rejects) TypeError `wrong-type`, RangeError `out-of-range`; Error when the adapter cannot be run at all
 * @example
 * const adapter = createProcessAdapter(['python3', 'adapter.py']);
 * const { verdict, counts } = await runConformance(adapter, { groups: loadGroups(), suite: suiteOf(loadManifest()) });
 * await adapter.close();
 */
export async function runConformance(adapter: Adapter, options: RunOptions): Promise<Report> {
  checkOptions(adapter, options);
  const { groups, suite, mutants = [], command = [], randomCases = 100, large = false, scalars } = options;
  const { jobs = 1, skip = new Set(), located = 40, stopAt, onOutcome } = options;
  const { seed = Math.floor(Math.random() * (MAX_SEED + 1)) } = options;
  const hello = await adapter.hello();
  const live = listLiveVectors(groups, large, scalars);
  const skipped = live.filter(({ vector }) => skip.has(vector.id)).length;
  const parts = [options.selection ?? [], skipped === 0 ? [] : `${skipped} skipped`].flat();
  const selection = parts.length === 0 ? null : parts.join(', ');
  const [pool, again, gate] = [createPool(adapter, jobs), createAgain(adapter), createGate(options)];
  const results = await runVectors(pool, live, gate, again, { skip, located, stopAt, onOutcome });
  const { outcomes, pairs, isStopped } = results;
  const selected = new Set<string>(live.map(({ vector }) => vector.operation));
  const cases = { cases: randomCases, seed, operations: selection === null ? undefined : selected };
  const random = randomCases > 0 && !isStopped ? await compareRandomly(guard(adapter, gate), cases) : null;
  const tryTexts = () => pool.use((each) => tryRoundTrip(guard(each, gate)));
  const encoding = outcomes.some(isWrongAnswer) ? await tryTexts() : null;
  // A fault in one exit must not keep the other processes running.
  const exits = [await pool.end(), await again.end()];
  const exit = exits.find((fault) => fault !== null) ?? null;
  const disagreements = random?.disagreements ?? [];
  const counts = countOutcomes(outcomes);
  const ran = { ...counts, notRun: counts.notRun - skipped };
  const classes = judgeClasses(outcomes, hello, random ?? { disagreements, unanswered: [] }, selection === null);
  return {
    format: 1,
    suite,
    adapter: { ...hello, command },
    selection,
    verdict: exit !== null || disagreements.length > 0 ? 'fails' : judgeRun(ran, classes, selection === null),
    counts,
    // A class also fails if a process of the adapter did not end as it should.
    classes: classes.map((each) =>
      exit === null || each.verdict !== 'conforms'
        ? each
        : { ...each, verdict: 'fails', reason: `the adapter ${exit}` },
    ),
    ...(encoding === null ? diagnose(outcomes, disagreements, mutants) : NO_DIAGNOSIS),
    encoding,
    grade: pairs.length === 0 ? null : gradeOf(pairs),
    random,
    restarts: gate.failures,
    exit,
    outcomes,
  };
}

/** A run of all vectors conforms only if a class conforms; extraction is graded, and does not count. */
function judgeRun(
  { passed, failed, notRun }: Counts,
  classes: readonly ClassVerdict[],
  isWhole: boolean,
): Report['verdict'] {
  if (failed + notRun > 0 || passed === 0) return 'fails';
  return isWhole && claimedClasses(classes).length === 0 ? 'untested' : 'conforms';
}

function checkOptions(adapter: Adapter, options: RunOptions): void {
  assertShape('adapter', adapter);
  assertOptions('options', options, {
    suite: 'object',
    mutants: 'list?',
    selection: 'string?',
    command: 'list?',
    large: 'boolean?',
    scalars: 'boolean?',
    skip: 'object?',
    stopAt: 'function?',
    onOutcome: 'function?',
  });
  assertGroups('options.groups', options.groups);
  for (const name of ['randomCases', 'located', 'crashes', 'time'] as const)
    if (options[name] !== undefined) assertInteger(`options.${name}`, options[name], 0, Number.MAX_SAFE_INTEGER);
  if (options.jobs !== undefined) assertInteger('options.jobs', options.jobs, 1, MAX_JOBS);
  if (options.seed !== undefined) assertInteger('options.seed', options.seed, 0, MAX_SEED);
}

/**
 * Runs one vector and, if it is a wrong document or a wrong digest over scalar values, finds out where it goes wrong.
 * @param adapter - the implementation under test; it is not closed
 * @param vector - the vector
 * @throws (rejects) TypeError `wrong-type`; Error when the adapter cannot be run at all
 * @example
 * const { outcome } = await checkVector(adapter, vector);
 */
export async function checkVector(adapter: Adapter, vector: Vector): Promise<VectorRun> {
  assertShape('adapter', adapter);
  assertShape('vector', vector);
  const group = vector.id.slice(0, vector.id.indexOf('/'));
  return withLocation(adapter, vector, await runVector(adapter, group, vector));
}

function isOfNewerUnicode({ flags, scalars }: VectorOutcome): boolean {
  const isNew = ([first, last]: readonly [number, number]): boolean =>
    [first, last].every((codePoint) => classify(codePoint) === 'unassigned');
  return flags.includes('NewerUnicode') && (scalars === undefined || scalars.ranges.every(isNew));
}

type Diagnosis = Pick<Report, 'firstStep' | 'resemblances' | 'newerUnicodeOnly'>;

const NO_DIAGNOSIS: Diagnosis = { firstStep: null, resemblances: [], newerUnicodeOnly: false };

function diagnose(
  outcomes: readonly VectorOutcome[],
  disagreements: readonly Disagreement[],
  mutants: readonly Mutant[],
): Diagnosis {
  // If answers vary, other wrong ones do not point to a step.
  const varying = new Set(outcomes.filter(({ slip }) => slip?.kind === 'varies').map(({ operation }) => operation));
  const steady = outcomes.filter(({ operation }) => !varying.has(operation));
  const wrong = steady.filter(isWrongAnswer);
  const answered = steady.filter(({ status }) => status === 'pass' || status === 'fail');
  const resemblances: Resemblance[] = findResemblances(
    new Map(wrong.map(({ id, outcome }) => [id, outcome ?? ''])),
    new Set(answered.map(({ id }) => id)),
    mutants,
  );
  const firstStep = findFirstStep(
    steady,
    resemblances,
    disagreements.filter(({ operation }) => !varying.has(operation)),
  );
  return {
    firstStep,
    resemblances: keepPlausible(resemblances, firstStep, steady),
    newerUnicodeOnly:
      wrong.length > 0 && wrong.length === countOutcomes(outcomes).failed && wrong.every(isOfNewerUnicode),
  };
}
