import { isRecord } from '../../common/text.ts';
import { wrongType } from '../../errors.ts';
import { assertShape, formatError, readJsonText } from '../checks.ts';
import type { Report } from '../report/report.ts';
import type { VectorOutcome } from '../vector-outcome.ts';

/** The known failures of one implementation, with their outcomes. */
export interface Baseline {
  readonly kind: 'simhash-doc-baseline';
  readonly format: 1;
  /** The version of the suite. */
  readonly suite: string;
  /** The name of the implementation. */
  readonly adapter: string;
  /** The name of the wrong outcome, or the status if there was no answer, by the ids of vectors. */
  readonly failures: Readonly<Record<string, string>>;
}

/** A difference between a run and its baseline. */
export interface BaselineProblem {
  readonly kind:
    | 'new failure'
    | 'changed failure'
    | 'unexpected pass'
    | 'stale'
    | 'other implementation'
    | 'random cases'
    | 'exit';
  /** The vector or the operation; `''` for the whole file. */
  readonly id: string;
  readonly message: string;
}

/** The verdict on a run with its baseline. */
export interface BaselineVerdict {
  readonly passes: boolean;
  /** Vectors that fail with the recorded outcome. */
  readonly known: readonly string[];
  readonly problems: readonly BaselineProblem[];
}

/** Options of every writer of a report. */
export interface ReportOptions {
  /** The verdict with known failures. */
  readonly baseline?: BaselineVerdict | undefined;
}

/**
 * Reads a baseline.
 * @param text - the content of the file
 * @param name - the name of the file, for messages
 * @throws TypeError `wrong-type`; RangeError `out-of-range` for anything else than a baseline
 * @example
 * const baseline = readBaseline(readFileSync('known.json', 'utf8'), 'known.json');
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

/**
 * Writes a baseline, with its vectors in the order of their ids.
 * @throws TypeError `wrong-type`
 * @example
 * writeFileSync('known.json', writeBaseline(baselineOf(report)));
 */
export function writeBaseline(baseline: Baseline): string {
  assertShape('baseline', baseline);
  const { failures, ...rest } = baseline;
  const sorted = Object.entries(failures).sort(([x], [y]) => (x < y ? -1 : 1));
  return `${JSON.stringify({ ...rest, failures: Object.fromEntries(sorted) }, null, 2)}\n`;
}

function recordOf({ status, outcome, skipped }: VectorOutcome): string | undefined {
  if (skipped || status === 'pass' || status === 'unsupported') return undefined;
  return status === 'fail' ? (outcome ?? status) : status;
}

/**
 * Makes the baseline of a run.
 * @param report - the report of a run
 * @param before - the previous baseline, from which the outcomes of vectors that were not run are kept
 * @throws TypeError `wrong-type`
 * @example
 * const { failures } = baselineOf(report);
 */
export function baselineOf(report: Report, before?: Baseline): Baseline {
  assertShape('report', report);
  if (before !== undefined) assertShape('baseline', before, 'before');
  const ran = new Set(report.outcomes.filter(({ skipped }) => !skipped).map(({ id }) => id));
  const kept = Object.entries(before?.failures ?? {}).filter(([id]) => report.selection !== null && !ran.has(id));
  const failed = report.outcomes.flatMap((outcome) => {
    const record = recordOf(outcome);
    return record === undefined ? [] : [[outcome.id, record] as const];
  });
  return {
    ...{ kind: 'simhash-doc-baseline', format: 1, suite: report.suite.version, adapter: report.adapter.name },
    failures: Object.fromEntries([...kept, ...failed]),
  };
}

/**
 * Judges a run by a baseline: it passes if each known failure has exactly the recorded outcome and nothing else fails.
 * Random cases cannot be recorded; they count for operations without a known failure.
 * @param report - the report of a run
 * @param baseline - the known failures
 * @param suite - the ids of all vectors of the suite, also of those that this run did not select
 * @throws TypeError `wrong-type`
 * @example
 * const { passes } = applyBaseline(report, baseline, new Set(groups.flatMap(({ vectors }) => vectors.map(({ id }) => id))));
 */
export function applyBaseline(report: Report, baseline: Baseline, suite: ReadonlySet<string>): BaselineVerdict {
  assertShape('report', report);
  assertShape('baseline', baseline);
  if (!(suite instanceof Set)) throw wrongType('suite', 'a Set of ids', suite);
  const { failures, adapter } = baseline;
  const problems: BaselineProblem[] = [];
  if (adapter !== report.adapter.name) {
    const message = `the baseline is of ${JSON.stringify(adapter)}, not of ${JSON.stringify(report.adapter.name)}`;
    problems.push({ kind: 'other implementation', id: '', message });
  }
  for (const outcome of report.outcomes) {
    const problem = compareOutcome(outcome, failures[outcome.id]);
    if (problem !== undefined) problems.push(problem);
  }
  for (const id of Object.keys(failures))
    if (!suite.has(id))
      problems.push({ kind: 'stale', id, message: `no such vector in suite ${report.suite.version}` });
  problems.push(...judgeRandomCases(report, failures));
  if (report.exit !== null) problems.push({ kind: 'exit', id: '', message: `the adapter ${report.exit}` });
  const known = report.outcomes.filter((outcome) => {
    const record = recordOf(outcome);
    return record !== undefined && record === failures[outcome.id];
  });
  return { passes: problems.length === 0, known: known.map(({ id }) => id), problems };
}

function compareOutcome(outcome: VectorOutcome, expected: string | undefined): BaselineProblem | undefined {
  const { id, status, skipped } = outcome;
  if (skipped) return undefined;
  const actual = recordOf(outcome);
  if (expected === actual) return undefined;
  if (expected === undefined) return { kind: 'new failure', id, message: `fails with ${actual}` };
  if (status === 'pass') return { kind: 'unexpected pass', id, message: `was known to fail with ${expected}` };
  return { kind: 'changed failure', id, message: `expected ${expected}, got ${actual ?? status}` };
}

function judgeRandomCases({ outcomes, random }: Report, failures: Baseline['failures']): BaselineProblem[] {
  const excused = new Set(outcomes.filter(({ id }) => Object.hasOwn(failures, id)).map(({ operation }) => operation));
  const differing = new Set(random?.disagreements.map(({ operation }) => operation));
  return [...differing]
    .filter((operation) => !excused.has(operation))
    .map((id) => ({ kind: 'random cases', id, message: 'differ, and none of its vectors is known to fail' }));
}
