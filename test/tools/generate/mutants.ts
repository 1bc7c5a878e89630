/**
 * Finds and records how the vectors fail under wrong implementations (test/tools/mutants/): `npm run generate -- mutants`, in
 * two minutes. The outcomes of each are in vectors/mutants.json, so that a runner can name a mutant with the same failures;
 * vectors/KILLS.md is for people.
 */
import { writeFileSync } from 'node:fs';
import { STEP_NAMES } from '../../../src/conformance/diagnosis/steps.ts';
import { judgeResult } from '../../../src/conformance/judge/judge.ts';
import { abbreviate, nameOfOutcome } from '../../../src/conformance/judge/outcome-name.ts';
import { caseOf, countCases, isOfScalars, lineOf } from '../../../src/conformance/suite/accumulate.ts';
import { loadGroups, loadManifest, type Mutant, VECTORS } from '../../../src/conformance/suite/load-suite.ts';
import type { InputOf, Operation, Outcome, ResultOf, ScalarCases, Vector } from '../../../src/conformance/vector.ts';
import { mutations } from '../mutants/mutants.ts';
import type { Mutation, Runs } from '../mutants/mutation.ts';
import { concerns, isLeftOut, makeRuns, outcomeOf } from '../mutants/run.ts';
import { canonicalJson } from './json.ts';

/** Cases of an accumulated vector that are run: one that differs changes the digest of all. */
const FIRST_CASES = 20;

/** The outcomes of the vectors under a mutation. */
export interface Row {
  readonly mutation: Mutation;
  /** The names of the outcomes of the vectors that it fails. */
  readonly outcomes: ReadonlyMap<string, string>;
  /** The vectors that it fails, those among them whose outcome is not known. */
  readonly failed: ReadonlySet<string>;
  /** The vectors that it may fail, but was not run on. */
  readonly skipped: readonly string[];
}

const unchanged: Mutation = { name: 'unchanged', title: 'changes nothing', step: 0, source: '', overrides: {} };

type Accumulated = InputOf<'accumulate'>;

/** Returns what tiers of one accumulated vector share. */
const keyOf = ({ count: _, ...input }: Accumulated & { readonly count?: number }): string => JSON.stringify(input);

/** Letters, digits, marks and punctuation of scripts that mistakes are about. */
const SOME_SCALARS = (
  '0-17f 2b0-36f 640-65f 900-97f e30-e5f 2000-206f 2110-216f 3000-30ff abf0-ac1f f900-f90f ff00-ffa0 ' +
  '1d150-1d16f 1f5f0-1f60f 20000-2000f'
)
  .split(' ')
  .map((range) => range.split('-').map((end) => Number.parseInt(end, 16))) as unknown as ScalarCases['rule']['ranges'];

/** The cases of an accumulated vector that mistakes are run on. */
function someCases(input: Accumulated): Pick<Vector, 'operation' | 'input'>[] {
  const some = isOfScalars(input) ? { ...input, rule: { ...input.rule, ranges: SOME_SCALARS, each: 64 } } : input;
  const count = isOfScalars(some) ? countCases(some) : FIRST_CASES;
  return Array.from({ length: count }, (_, i) => caseOf(some, i) as Pick<Vector, 'operation' | 'input'>);
}

const firstCases = new Map<string, readonly Pick<Vector, 'operation' | 'input'>[]>();

/** The lines of the first cases of accumulated vectors, by what their tiers share. */
function makeLines(runs: Runs): (input: Accumulated) => string {
  const known = new Map<string, string>();
  return (input) => {
    const key = keyOf(input);
    const cases = firstCases.get(key) ?? someCases(input);
    firstCases.set(key, cases);
    const lines = known.get(key) ?? cases.map((each) => lineOf(input.step, outcomeOf(runs, each))).join('');
    known.set(key, lines);
    return lines;
  };
}

/** Tests whether an outcome is a wrong one, as a runner judges it. */
function isWrong({ operation, expected, error }: Vector, outcome: Outcome): boolean {
  if (error !== undefined) return !('error' in outcome && outcome.error === error);
  return !('result' in outcome && judgeResult(operation, expected, outcome.result) === null);
}

/** Tests whether an implementation that gives no intermediates is wrong too. */
function isSeen({ operation, expected }: Vector, outcome: Outcome): boolean {
  if (operation !== 'fingerprint' || !('result' in outcome)) return true;
  return (outcome.result as ResultOf<'fingerprint'>).fingerprint !== expected!.fingerprint;
}

function nameOf(vector: Vector, outcome: Outcome): string {
  return nameOfOutcome(
    vector,
    'error' in outcome
      ? { kind: 'error', code: outcome.error, message: '' }
      : { kind: 'ok', result: outcome.result as Readonly<Record<string, unknown>> },
  );
}

/** Runs every mutation over all vectors that are not retired. */
export function findRows(
  vectors: readonly Vector[],
  wrong: readonly Mutation[] = mutations,
  makeRunsOf: (mutation: Mutation) => Runs = makeRuns,
): Row[] {
  const live = vectors.filter(({ status }) => status !== 'retired');
  const rightLinesOf = makeLines(makeRunsOf(unchanged));

  return wrong.map((mutation) => {
    const runs = makeRunsOf(mutation);
    const linesOf = makeLines(runs);
    const concerned = new Map<Operation, boolean>();
    const isConcerned = (operation: Operation): boolean => {
      if (!concerned.has(operation)) concerned.set(operation, concerns(mutation, operation));
      return concerned.get(operation)!;
    };
    const outcomes = new Map<string, string>();
    const failed = new Set<string>();
    const skipped: string[] = [];
    for (const vector of live) {
      const { id, operation, input } = vector;
      if (operation === 'accumulate') {
        if (!isConcerned(input.step)) continue;
        if (linesOf(input) === rightLinesOf(input)) skipped.push(id);
        else failed.add(id);
        continue;
      }
      if (!isConcerned(operation)) continue;
      if (isLeftOut(mutation, vector)) {
        skipped.push(id);
        continue;
      }
      const outcome = outcomeOf(runs, vector);
      if (!isWrong(vector, outcome)) continue;
      failed.add(id);
      if (isSeen(vector, outcome)) outcomes.set(id, nameOf(vector, outcome));
    }
    return { mutation, outcomes, failed, skipped };
  });
}

/** Returns what a runner needs of mutants. */
export function mutantsOf(rows: readonly Row[]): Mutant[] {
  return rows.map(({ mutation: { name, title, step, source }, outcomes, failed, skipped }) => ({
    ...{ name, title, step, source },
    outcomes: Object.fromEntries([...outcomes].map(([id, outcome]) => [id, abbreviate(outcome)])),
    unknown: [...failed, ...skipped].filter((id) => !outcomes.has(id)),
  }));
}

/** Ascending numbers as ranges: `0-4 7`. */
function rangesOf(numbers: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const number of numbers) {
    const range = ranges.at(-1);
    if (range !== undefined && range[1] === number - 1) range[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(' ');
}

/** The text of vectors/mutants.json: one mutant a line, one vector a line. */
export function formatMutants(rows: readonly Row[], ids: readonly string[]): string {
  const mutants = mutantsOf(rows);
  const write = (value: unknown): string => ascii(JSON.stringify(value));
  const heads = mutants.map(({ outcomes: _, unknown: __, ...head }) => `    ${write(head)}`);
  const outcomes = ids.flatMap((id) => {
    const named = new Map<string, number[]>();
    for (const [i, mutant] of mutants.entries()) {
      const name = mutant.outcomes[id];
      if (name !== undefined) named.set(name, [...(named.get(name) ?? []), i]);
    }
    const ranges = Object.fromEntries([...named].map(([name, places]) => [name, rangesOf(places)]));
    return named.size === 0 ? [] : [`    ${write(id)}: ${write(ranges)}`];
  });
  const unknown = ids.flatMap((id) => {
    const places = mutants.flatMap((mutant, i) => (mutant.unknown.includes(id) ? [i] : []));
    return places.length === 0 ? [] : [`    ${write(id)}: ${write(rangesOf(places))}`];
  });
  return `{
  "$schema": "./schema/mutants.schema.json",
  "suite": ${write(loadManifest().suite)},
  "mutants": [
${heads.join(',\n')}
  ],
  "outcomes": {
${outcomes.join(',\n')}
  },
  "unknown": {
${unknown.join(',\n')}
  }
}
`;
}

/** JSON with everything outside ASCII escaped. */
function ascii(json: string): string {
  return json.replace(/[^ -~]+/g, (other) => canonicalJson(other).slice(1, -1));
}

/** The text of vectors/KILLS.md. */
export function formatReport(rows: readonly Row[]): string {
  const steps = [...new Set(rows.map(({ mutation }) => mutation.step))];
  const sections = steps.map((step) => {
    const own = rows.filter(({ mutation }) => mutation.step === step);
    const lines = own.map(({ mutation, failed }) => {
      const [title, source] = [mutation.title, mutation.source].map((text) => text.replace(/[|\\*_<]/g, '\\$&'));
      return `| \`${mutation.name}\` | ${title} | ${source} | ${failed.size} |`;
    });
    const head = '| Wrong implementation | What it does | Who does | Vectors |\n|---|---|---|---|';
    return `## Step ${step}: ${STEP_NAMES[step]}\n\n${head}\n${lines.join('\n')}\n`;
  });
  return `# Wrong implementations

Generated by \`npm run generate\`. Each of these ${rows.length} wrong implementations is the slow twin of the scheme with a mistake in the
step named (test/tools/mutants/), one that a library, or a kind of libraries, is known for. Each fails at least one vector, most of them
many; documents of steps count as vectors. None is run on the vectors of HTM-7, and most not on inputs of more than 5,000 or 12,000
characters.

${sections.join('\n')}`;
}

/** The ids of vectors. */
export const idsOf = (vectors: readonly Vector[]): string[] => vectors.map(({ id }) => id);

/** Finds everything anew and writes it. */
export function writeMutants(): void {
  const vectors = loadGroups().flatMap((group) => group.vectors);
  const rows = findRows(vectors);
  writeFileSync(new URL('mutants.json', VECTORS), formatMutants(rows, idsOf(vectors)));
  writeFileSync(new URL('KILLS.md', VECTORS), formatReport(rows));
}
