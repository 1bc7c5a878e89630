import { isRecord } from '../../common/text.ts';
import { wrongType } from '../../errors.ts';
import { assertBaseline, assertReport } from '../options.ts';
import type { Report, VectorOutcome } from '../run.ts';
import { formatError, readJsonText } from '../suite/json-file.ts';

/** Known failures of one implementation, each with what came of it. */
export interface Baseline {
  readonly kind: 'simhash-doc-baseline';
  readonly format: 1;
  /** The version of the suite that it was written with. */
  readonly suite: string;
  /** The name of the implementation. */
  readonly adapter: string;
  /** Per vector the name of the wrong outcome, or the status of one that was not answered. */
  readonly failures: Readonly<Record<string, string>>;
}

/** Something about a run that is not as its baseline says. */
export interface BaselineProblem {
  readonly kind:
    | 'new failure'
    | 'changed failure'
    | 'unexpected pass'
    | 'stale'
    | 'other implementation'
    | 'random cases';
  /** The vector, or the operation; `''` where it is about the whole file. */
  readonly id: string;
  readonly message: string;
}

/** What a run comes to with its baseline. */
export interface BaselineVerdict {
  readonly passes: boolean;
  /** Vectors that fail as pinned. */
  readonly known: readonly string[];
  readonly problems: readonly BaselineProblem[];
}

/**
 * Reads a baseline.
 * @param text - of the file
 * @param name - of the file, for messages
 * @throws TypeError `wrong-type`; RangeError `out-of-range` that says what is wrong with it
 */
export function readBaseline(text: string, name: string): Baseline {
  const value = readJsonText(text, name, 'simhash-doc-baseline');
  const { suite, adapter, failures } = value;
  if (typeof suite !== 'string') throw formatError(name, 'a text "suite"', suite);
  if (typeof adapter !== 'string') throw formatError(name, 'a text "adapter"', adapter);
  if (!isRecord(failures) || Object.values(failures).some((outcome) => typeof outcome !== 'string'))
    throw formatError(name, 'an object of texts "failures"', failures);
  return value as unknown as Baseline;
}

/** Writes a baseline, its vectors in the order of their ids. */
export function writeBaseline(baseline: Baseline): string {
  assertBaseline('baseline', baseline);
  const { failures, ...rest } = baseline;
  const sorted = Object.entries(failures).sort(([x], [y]) => (x < y ? -1 : 1));
  return `${JSON.stringify({ ...rest, failures: Object.fromEntries(sorted) }, null, 2)}\n`;
}

/** What a failure is pinned as; undefined for a vector that did not fail. */
function pinOf({ status, outcome }: VectorOutcome): string | undefined {
  if (status === 'pass' || status === 'unsupported') return undefined;
  return status === 'fail' ? (outcome ?? status) : status;
}

/**
 * Makes the baseline of a run.
 * @param report - of the run
 * @param before - the baseline so far: what it says of vectors that were not run is kept
 */
export function baselineOf(report: Report, before?: Baseline): Baseline {
  assertReport(report);
  if (before !== undefined) assertBaseline('before', before);
  const ran = new Set(report.outcomes.map(({ id }) => id));
  const kept = Object.entries(before?.failures ?? {}).filter(([id]) => report.selection !== null && !ran.has(id));
  const failed = report.outcomes.flatMap((outcome) => {
    const pin = pinOf(outcome);
    return pin === undefined ? [] : [[outcome.id, pin] as const];
  });
  return {
    kind: 'simhash-doc-baseline',
    format: 1,
    suite: report.suite.version,
    adapter: report.adapter.name,
    failures: Object.fromEntries([...kept, ...failed]),
  };
}

/**
 * Judges a run by a baseline: it passes when each known failure fails with exactly the pinned outcome, and nothing else
 * fails. Random cases cannot be pinned: they count for operations none of whose vectors is known to fail.
 * @param report - of the run
 * @param baseline - the known failures
 * @param suite - the ids of all vectors that are run, whatever part of them this run was about
 */
export function applyBaseline(report: Report, baseline: Baseline, suite: ReadonlySet<string>): BaselineVerdict {
  assertReport(report);
  assertBaseline('baseline', baseline);
  if (!(suite instanceof Set)) throw wrongType('suite', 'a Set of ids', suite);
  const problems: BaselineProblem[] = [];
  const known: string[] = [];
  const excused = new Set<string>();
  const pinned = new Map(Object.entries(baseline.failures));
  if (baseline.adapter !== report.adapter.name)
    problems.push({
      kind: 'other implementation',
      id: '',
      message: `the baseline is that of ${JSON.stringify(baseline.adapter)}, this is ${JSON.stringify(report.adapter.name)}`,
    });
  for (const outcome of report.outcomes) {
    const { id, status, operation } = outcome;
    const expected = pinned.get(id);
    const actual = pinOf(outcome);
    if (expected !== undefined) excused.add(operation);
    if (expected === actual) {
      if (actual !== undefined) known.push(id);
    } else if (expected === undefined) problems.push({ kind: 'new failure', id, message: `fails with ${actual}` });
    else if (status === 'pass')
      problems.push({ kind: 'unexpected pass', id, message: `was known to fail with ${expected}` });
    else problems.push({ kind: 'changed failure', id, message: `expected ${expected}, got ${actual ?? status}` });
  }
  for (const id of pinned.keys())
    if (!suite.has(id))
      problems.push({ kind: 'stale', id, message: `no such vector in suite ${report.suite.version}` });
  const differing = new Set(report.random?.disagreements.map(({ operation }) => operation));
  for (const operation of differing)
    if (!excused.has(operation))
      problems.push({
        kind: 'random cases',
        id: operation,
        message: 'differ, and none of its vectors is known to fail',
      });
  return { passes: problems.length === 0, known, problems };
}
