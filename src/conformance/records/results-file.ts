import { Ajv2020 } from 'ajv/dist/2020.js';
import { assertOptions } from '../../errors.ts';
import { assertShape, outOfRange } from '../checks.ts';
import { CLASSES, type Counts, countOutcomes } from '../judge/conformance-classes.ts';
import type { RandomReport } from '../random/compare-random.ts';
import type { Report } from '../report/report.ts';
import type { VectorOutcome } from '../vector-outcome.ts';
import { readJsonText } from './json-file.ts';

/** The result of one vector in a results file. */
export interface VectorResult extends Pick<VectorOutcome, 'status' | 'outcome' | 'detail'> {
  /** For a vector that did not pass: its title. */
  readonly title?: string;
}

/** The results of one run, to keep and to compare. */
export interface Results
  extends Pick<
    Report,
    'suite' | 'adapter' | 'selection' | 'verdict' | 'counts' | 'classes' | 'firstStep' | 'resemblances' | 'grade'
  > {
  readonly kind: 'simhash-doc-results';
  readonly format: 1;
  /** The date of the run in UTC, to the second. */
  readonly date: string;
  readonly random: (Omit<RandomReport, 'disagreements'> & { readonly disagreements: number }) | null;
  /** For a summary, which holds no vectors: the counts of each group. */
  readonly groups?: Readonly<Record<string, Counts>>;
  /** By id, in the order of the run. An id begins with the group and a slash. */
  readonly vectors: Readonly<Record<string, VectorResult>>;
}

/**
 * Makes the results of a run.
 * @param report - the report of a run
 * @param env - the environment; SOURCE_DATE_EPOCH, in seconds, is the date if it is set
 * @throws TypeError `wrong-type`
 * @see https://reproducible-builds.org/specs/source-date-epoch/
 * @example
 * const results = resultsOf(report);
 */
export function resultsOf(report: Report, env: NodeJS.ProcessEnv = process.env): Results {
  assertShape('report', report);
  assertOptions('env', env);
  const { suite, adapter, selection, verdict, counts, classes, firstStep, resemblances, grade, random } = report;
  const { SOURCE_DATE_EPOCH: epoch } = env;
  const date = epoch !== undefined && /^\d{1,12}$/.test(epoch) ? new Date(1000 * Number(epoch)) : new Date();
  return {
    kind: 'simhash-doc-results',
    format: 1,
    date: date.toISOString().replace(/\.\d+Z$/, 'Z'),
    ...{ suite, adapter, selection, verdict, counts, classes, firstStep, resemblances, grade },
    random: random && { ...random, disagreements: random.disagreements.length },
    vectors: Object.fromEntries(
      report.outcomes.map(({ id, status, title, outcome, detail }) => [
        id,
        {
          status,
          ...(status !== 'pass' && { title }),
          ...(outcome !== undefined && { outcome }),
          ...(detail !== undefined && { detail }),
        },
      ]),
    ),
  };
}

/**
 * Writes a results file, with a line for each vector, so that two files can be compared line by line.
 * @throws TypeError `wrong-type`
 * @example
 * writeFileSync('results.json', writeResults(resultsOf(report)));
 */
export function writeResults(results: Results): string {
  assertShape('results', results);
  const { vectors, ...rest } = results;
  const head = JSON.stringify(rest, null, 2).slice(0, -2);
  const lines = Object.entries(vectors).map(([id, result]) => `    ${JSON.stringify(id)}: ${JSON.stringify(result)}`);
  return `${head},\n  "vectors": {\n${lines.join(',\n')}\n  }\n}\n`;
}

const verdicts: readonly Report['verdict'][] = ['conforms', 'fails', 'untested'];
const text = { type: 'string' };
const texts = list(text);
const number = { type: 'number' };
const counts = object({ passed: number, failed: number, unsupported: number, notRun: number });

type Schemas = Readonly<Record<string, object>>;

function object(required: Schemas, optional: Schemas = {}): object {
  return { type: 'object', required: Object.keys(required), properties: { ...required, ...optional } };
}

function list(items: object): object {
  return { type: 'array', items };
}

function orNull(schema: object): object {
  return { anyOf: [schema, { type: 'null' }] };
}

const UNANSWERED = object(
  { operation: text, vectors: number, randomCases: number, isAllowed: { type: 'boolean' } },
  { about: text, kind: text },
);

const SCHEMA = object(
  {
    date: text,
    suite: object({ version: text, digest: text }, { specification: text }),
    adapter: object(
      { name: text, version: text, language: text, unicode: orNull(text), operations: texts, command: texts },
      { declines: texts, functions: { type: 'object', additionalProperties: text } },
    ),
    selection: orNull(text),
    verdict: { enum: verdicts },
    counts,
    classes: list(
      object(
        { class: { enum: CLASSES }, verdict: { enum: verdicts }, counts },
        { unanswered: list(UNANSWERED), firstFailure: text },
      ),
    ),
    firstStep: orNull(object({ step: number, vectors: number, right: list(number), wrong: list(number) })),
    resemblances: list(object({ mutant: text, title: text, same: number, failed: number })),
    grade: orNull(object({ mean: orNull(number), largest: orNull(number) })),
    random: orNull(
      object({
        ...{ seed: number, cases: number, compared: number, disagreements: number },
        unanswered: list(object({ operation: text, count: number })),
      }),
    ),
    vectors: {
      type: 'object',
      propertyNames: { pattern: '/' },
      additionalProperties: {
        type: 'object',
        required: ['status'],
        properties: {
          status: { enum: ['pass', 'fail', 'unsupported', 'crash', 'timeout', 'protocol', 'not-run'] },
          title: text,
          outcome: text,
          detail: text,
        },
      },
    },
  },
  { groups: { type: 'object', additionalProperties: counts } },
);

/**
 * Reads a results file.
 * @param text - the content of the file
 * @param name - the name of the file, for messages
 * @throws TypeError `wrong-type`; RangeError `out-of-range` for anything else than results in format 1, and for numbers that
 * contradict one another: that finds damage, not forgery, which a new run finds ({@link checkClaim})
 * @example
 * const results = readResults(readFileSync('results.json', 'utf8'), 'results.json');
 */
export function readResults(text: string, name: string): Results {
  const value = readJsonText(text, name, 'simhash-doc-results', 1);
  const ajv = new Ajv2020();
  if (!ajv.validate(SCHEMA, value)) throw outOfRange(`${name}: ${ajv.errorsText(ajv.errors, { dataVar: 'results' })}`);
  const results = value as unknown as Results;
  const problem = findContradiction(results);
  if (problem !== null) throw outOfRange(`${name}: damaged or edited: ${problem}`);
  return results;
}

function findContradiction({ counts, classes, groups, vectors }: Results): string | null {
  const parts = groups ? Object.values(groups) : [countOutcomes(Object.values(vectors))];
  for (const key of ['passed', 'failed', 'unsupported'] as const) {
    const sum = parts.reduce((total, each) => total + each[key], 0);
    if (sum !== counts[key])
      return `"counts" has ${counts[key]} ${key}, ${groups ? 'the groups have' : 'the vectors have'} ${sum}`;
  }
  for (const { class: name, verdict, counts: own, unanswered = [] } of classes) {
    if (verdict !== 'conforms') continue;
    if (own.failed > 0) return `class ${name} conforms with ${own.failed} failed`;
    const needed = unanswered.find(({ isAllowed }) => !isAllowed);
    if (needed !== undefined) return `class ${name} conforms without answers to ${needed.operation}`;
  }
  return null;
}
