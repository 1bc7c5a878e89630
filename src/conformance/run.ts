import { assertInteger, assertOptions } from '../errors.ts';
import { distance, parse } from '../index.ts';
import type { Adapter, Hello, Reply } from './adapter/protocol.ts';
import { type FirstStep, findFirstStep } from './diagnosis/first-step.ts';
import { type Location, locate, locateExtraction } from './diagnosis/locate.ts';
import { findResemblances, type Mutant, type Resemblance } from './diagnosis/resemblance.ts';
import { CLASSES, type ConformanceClass } from './diagnosis/steps.ts';
import { compareRandomly, type DifferentialReport } from './differential.ts';
import { judge } from './judge/check.ts';
import { judgeResult } from './judge/judge.ts';
import { nameOfOutcome } from './judge/outcome-name.ts';
import { assertAdapter, assertGroups, assertList, assertVector } from './options.ts';
import { isLarge } from './suite/accumulate.ts';
import { generate } from './suite/generate.ts';
import type { Operation, Vector, VectorGroup } from './types.ts';

export { digestOfSuite } from './suite/load.ts';

/** How a vector fared. */
export type Status = 'pass' | 'fail' | 'unsupported' | 'crash' | 'timeout' | 'protocol' | 'not-run';

/** One vector and what became of it. */
export interface VectorOutcome {
  readonly id: string;
  readonly group: string;
  readonly operation: Operation;
  /** Of an accumulated vector: the operation that all of its cases are about. */
  readonly about?: Operation;
  readonly title: string;
  readonly rules: readonly string[];
  readonly flags: readonly string[];
  readonly status: Status;
  /** Of a failure: where in the result the first difference is; `''` for the whole. */
  readonly place?: string;
  readonly input?: unknown;
  readonly expected?: unknown;
  readonly actual?: unknown;
  /** Of a failure by answer: the outcome by a short name, which baselines and known mistakes go by. */
  readonly outcome?: string;
  /** What the adapter did instead of answering, and the end of what it wrote to standard error. */
  readonly detail?: string;
  readonly stderr?: string;
  /** Of a failed document: where it goes wrong. */
  readonly location?: Location;
}

/** Counts of one group or operation. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly unsupported: number;
}

/** What can be said of a conformance class. */
export interface ClassVerdict {
  readonly class: ConformanceClass;
  /**
   * `conforms`: all vectors passed; `fails`; `untested`: an operation that the class needs is not offered or answered, or
   * a part of the vectors was run only.
   */
  readonly verdict: 'conforms' | 'fails' | 'untested';
  readonly counts: Counts;
  /** Operations of the class that the adapter does not offer. */
  readonly missing: readonly Operation[];
}

/** How far the fingerprints of documents lie from the reference's. */
export interface Grade {
  readonly documents: number;
  readonly bothNone: number;
  readonly missing: number;
  readonly extra: number;
  /** Documents by distance; distances that do not occur are left out. */
  readonly distances: Readonly<Record<number, number>>;
  readonly mean: number | null;
  readonly largest: number | null;
  /** Shares with distance 0, at most 1, 3 and 6. */
  readonly shares: Readonly<Record<0 | 1 | 3 | 6, number>> | null;
}

/** The outcome of a run. */
export interface Report {
  readonly format: 1;
  readonly suite: { readonly version: string; readonly digest: string };
  readonly adapter: Hello & { readonly command: readonly string[] };
  /** Which part of the vectors was run; null for all. */
  readonly selection: string | null;
  readonly verdict: 'conforms' | 'fails';
  readonly counts: Counts;
  readonly classes: readonly ClassVerdict[];
  readonly firstStep: FirstStep | null;
  readonly resemblances: readonly Resemblance[];
  /** Whether every failure is one that only newer Unicode data explain. */
  readonly newerUnicodeOnly: boolean;
  readonly grade: Grade | null;
  readonly random: DifferentialReport | null;
  readonly restarts: number;
  readonly outcomes: readonly VectorOutcome[];
}

/** What to run; everything has a default. */
export interface RunOptions {
  readonly groups: readonly VectorGroup[];
  readonly suite: { readonly version: string; readonly digest: string };
  readonly mutants?: readonly Mutant[];
  /** Set where the groups are a part of the suite: which part, for a person. No class can be claimed from it. */
  readonly selection?: string;
  /** What is reported as the adapter's command. */
  readonly command?: readonly string[];
  /** Random cases for each operation; 0 for none. Default 100. */
  readonly randomCases?: number;
  /** The seed of the random cases; a new one for each run by default, so that nothing can be learned by heart. */
  readonly seed?: number;
  /** Whether accumulated vectors of more than 10,000 cases are run too. Not by default. */
  readonly large?: boolean;
  /** How many failed documents are looked into step by step. Default 40. */
  readonly located?: number;
  readonly onOutcome?: (outcome: VectorOutcome, done: number, all: number) => void;
}

/** Flag of vectors that an implementation with newer Unicode data fails. */
export const NEWER_UNICODE = 'NewerUnicode';

/** The input as it is sent: a generating rule is carried out here, so that no adapter has to. */
export function inputToSend(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || !('generate' in input)) return input;
  const { generate: rule, ...rest } = input as { generate: Parameters<typeof generate>[0] };
  const made = generate(rule);
  return typeof made === 'string'
    ? { ...rest, text: made }
    : { ...rest, utf8: Buffer.from(made.buffer, made.byteOffset, made.length).toString('hex') };
}

function count(outcomes: readonly VectorOutcome[]): Counts {
  const passed = outcomes.filter(({ status }) => status === 'pass').length;
  const unsupported = outcomes.filter(({ status }) => status === 'unsupported').length;
  return { passed, failed: outcomes.length - passed - unsupported, unsupported };
}

/** Judges what an implementation under test gave by what a vector expects. */
export function judgeVector(
  vector: Vector,
  given: { readonly result: unknown } | { readonly error: never },
): string | null {
  return vector.expected !== undefined && 'result' in given
    ? judgeResult(vector.operation, vector.expected, given.result)
    : judge(vector, given);
}

async function runVector(
  adapter: Adapter,
  hello: Hello,
  group: string,
  vector: Vector,
): Promise<{ outcome: VectorOutcome; reply?: Reply; sent?: unknown }> {
  const { id, operation, title, rules, flags } = vector;
  const step = operation === 'accumulate' ? { about: vector.input.step } : {};
  const about = { id, group, operation, ...step, title, rules, flags };
  if (!hello.operations.includes(operation)) return { outcome: { ...about, status: 'unsupported' } };
  const sent = inputToSend(vector.input);
  const reply = await adapter.request(operation, sent);
  switch (reply.kind) {
    case 'unsupported':
      return { outcome: { ...about, status: 'unsupported' }, reply, sent };
    case 'ok':
    case 'error': {
      // A code that the specification does not have is a wrong answer like any other.
      const given = reply.kind === 'ok' ? { result: reply.result } : { error: reply.code as never };
      const place = judgeVector(vector, given);
      if (place === null) return { outcome: { ...about, status: 'pass' }, reply, sent };
      const expected = vector.error === undefined ? vector.expected : { error: vector.error };
      const actual = reply.kind === 'ok' ? reply.result : { error: reply.code };
      const outcome = nameOfOutcome(vector, reply);
      return {
        outcome: { ...about, status: 'fail', place, input: vector.input, expected, actual, outcome },
        reply,
        sent,
      };
    }
    case 'not-run':
      return { outcome: { ...about, status: 'not-run', detail: reply.detail }, reply, sent };
    default:
      return { outcome: { ...about, status: reply.kind, detail: reply.detail, stderr: reply.stderr }, reply, sent };
  }
}

/** Grades fingerprints by their distance (spec/simhash-doc.md, "Graded interoperability"). */
export function gradeOf(pairs: readonly (readonly [expected: string | null, actual: string | null])[]): Grade {
  assertList('pairs', pairs);
  for (const [i, pair] of pairs.entries()) assertList(`pairs[${i}]`, pair);
  const distances: Record<number, number> = {};
  let bothNone = 0;
  let missing = 0;
  let extra = 0;
  const all: number[] = [];
  for (const [expected, actual] of pairs) {
    if (expected === null && actual === null) bothNone++;
    else if (actual === null) missing++;
    else if (expected === null) extra++;
    else {
      const d = distance(parse(expected), parse(actual));
      distances[d] = (distances[d] ?? 0) + 1;
      all.push(d);
    }
  }
  const share = (most: number): number => all.filter((d) => d <= most).length / all.length;
  return {
    documents: pairs.length,
    bothNone,
    missing,
    extra,
    distances,
    mean: all.length === 0 ? null : all.reduce((sum, d) => sum + d, 0) / all.length,
    largest: all.length === 0 ? null : Math.max(...all),
    shares: all.length === 0 ? null : { 0: share(0), 1: share(1), 3: share(3), 6: share(6) },
  };
}

function fingerprintIn(result: unknown): string | null | undefined {
  const value = (result as { fingerprint?: unknown } | undefined)?.fingerprint;
  if (value === null) return null;
  if (typeof value !== 'string') return undefined;
  try {
    parse(value);
    return value;
  } catch {
    return undefined;
  }
}

/** The operations that go through several steps. */
const LOCATED: { readonly [O in Operation]?: typeof locate } = {
  fingerprint: locate,
  'extract-html': locateExtraction,
};

/**
 * Finds where a wrong answer to a vector goes wrong, if the vector is about several steps.
 * @param adapter - the implementation under test
 * @param vector - what was asked
 * @param sent - its input as it was sent
 * @param reply - the answer
 */
export async function locateFailure(
  adapter: Adapter,
  vector: Vector,
  sent: unknown,
  reply: Reply | undefined,
): Promise<Location | undefined> {
  assertAdapter(adapter);
  assertVector(vector);
  if (reply !== undefined) assertOptions('reply', reply, { kind: 'string' });
  if (vector.expected === undefined || (reply?.kind !== 'ok' && reply?.kind !== 'error')) return undefined;
  return LOCATED[vector.operation]?.(adapter, sent, reply);
}

/**
 * Runs an implementation through vectors and random cases, and finds out what is wrong with it.
 * @param adapter - the implementation under test; it is not closed
 * @param options - what to run
 * @returns the report
 * @throws (rejects) TypeError `wrong-type`, RangeError `out-of-range`; Error when the adapter cannot be run at all
 */
export async function runConformance(adapter: Adapter, options: RunOptions): Promise<Report> {
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
  for (const name of ['randomCases', 'seed', 'located'] as const)
    if (options[name] !== undefined) assertInteger(`options.${name}`, options[name], 0, Number.MAX_SAFE_INTEGER);
  const { groups, suite, selection = null, mutants = [], command = [], located = 40, onOutcome } = options;
  const { randomCases = 100, large = false } = options;
  const hello = await adapter.hello();
  const live = groups.flatMap(({ group, vectors }) =>
    vectors
      .filter((vector) => vector.status !== 'retired' && (large || !isLarge(vector)))
      .map((vector) => ({ group, vector })),
  );
  const outcomes: VectorOutcome[] = [];
  const pairs: [string | null, string | null][] = [];
  let looked = 0;
  for (const { group, vector } of live) {
    const run = await runVector(adapter, hello, group, vector);
    let { outcome } = run;
    if (vector.operation === 'fingerprint' && vector.expected !== undefined && outcome.status !== 'unsupported') {
      const actual = run.reply?.kind === 'ok' ? fingerprintIn(run.reply.result) : undefined;
      pairs.push([vector.expected.fingerprint, actual ?? null]);
    }
    if (outcome.status === 'fail' && looked < located) {
      const location = await locateFailure(adapter, vector, run.sent, run.reply);
      if (location !== undefined) {
        looked++;
        outcome = { ...outcome, location };
      }
    }
    outcomes.push(outcome);
    onOutcome?.(outcome, outcomes.length, live.length);
  }
  const seed = options.seed ?? Number(process.hrtime.bigint() & 0xffffffffn);
  const selected = selection === null ? undefined : new Set<string>(live.map(({ vector }) => vector.operation));
  const random = randomCases > 0 ? await compareRandomly(adapter, randomCases, seed, selected) : null;
  const failures = outcomes.filter(({ status }) => status === 'fail');
  const answered = outcomes.filter(({ status }) => status === 'pass' || status === 'fail');
  const resemblances = findResemblances(
    new Map(failures.map(({ id, outcome }) => [id, outcome ?? ''])),
    new Set(answered.map(({ id }) => id)),
    mutants,
  );
  const counts = count(outcomes);
  const wrong = counts.failed > 0 || (random?.disagreements.length ?? 0) > 0 || answered.length === 0;
  return {
    format: 1,
    suite,
    adapter: { ...hello, command },
    selection,
    verdict: wrong ? 'fails' : 'conforms',
    counts,
    classes: judgeClasses(outcomes, hello, random, selection === null),
    firstStep: findFirstStep(outcomes, resemblances, random?.disagreements),
    resemblances,
    newerUnicodeOnly:
      counts.failed > 0 &&
      counts.failed === failures.length &&
      failures.every(({ flags }) => flags.includes(NEWER_UNICODE)),
    grade: pairs.length === 0 ? null : gradeOf(pairs),
    random,
    restarts: adapter.restarts,
    outcomes,
  };
}

function judgeClasses(
  outcomes: readonly VectorOutcome[],
  hello: Hello,
  random: DifferentialReport | null,
  whole: boolean,
): ClassVerdict[] {
  return Object.entries(CLASSES).map(([name, { needed, others }]) => {
    const all: readonly Operation[] = [...needed, ...others];
    const missing = all.filter((operation) => !hello.operations.includes(operation));
    const counts = count(outcomes.filter(({ operation, about = operation }) => all.includes(about)));
    const disagrees = random?.disagreements.some(({ operation }) => all.includes(operation)) ?? false;
    const passed = new Set(outcomes.filter(({ status }) => status === 'pass').map(({ operation }) => operation));
    const tested = whole && needed.every((operation) => passed.has(operation));
    const verdict = counts.failed > 0 || disagrees ? 'fails' : tested ? 'conforms' : 'untested';
    return { class: name as ConformanceClass, verdict, counts, missing };
  });
}
