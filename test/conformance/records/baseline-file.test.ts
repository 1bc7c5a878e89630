import { describe, expect, test } from 'vitest';
import {
  applyBaseline,
  type Baseline,
  baselineOf,
  readBaseline,
  writeBaseline,
} from '../../../src/conformance/records/baseline-file.ts';
import type { Report } from '../../../src/conformance/report/report.ts';
import type { VectorOutcome } from '../../../src/conformance/vector-outcome.ts';
import { FAILING } from '../report/report.ts';

const report: Report = { ...FAILING, random: null };
const suite = new Set(report.outcomes.map(({ id }) => id));
const baseline = baselineOf(report);

/** The report with other outcomes for some vectors. */
function changed(id: string, more: Partial<VectorOutcome>): Report {
  return { ...report, outcomes: report.outcomes.map((each) => (each.id === id ? { ...each, ...more } : each)) };
}

test('a process that ends badly is not a known failure', () => {
  const exit = 'exited with code 9 when its standard input was closed';
  expect(applyBaseline({ ...report, exit }, baseline, suite)).toMatchObject({
    ...{ passes: false, problems: [{ kind: 'exit', id: '', message: `the adapter ${exit}` }] },
  });
});

const problems = (given: Report, known: Baseline = baseline): readonly (readonly [string, string])[] =>
  applyBaseline(given, known, suite).problems.map(({ kind, id }) => [kind, id]);

describe('a run with its own baseline', () => {
  test('passes if each failure has the recorded outcome', () => {
    expect(baseline.failures).toEqual({
      'tokenise/bad': '0123456789abcdef',
      'tokenise/refused': 'error:nasty',
      'token-hash/crashed': 'crash',
      'token-hash/hung': 'timeout',
      'token-hash/garbage': 'protocol',
      'token-hash/silent': 'not-run',
    });
    expect(applyBaseline(report, baseline, suite)).toEqual({
      ...{ passes: true, known: Object.keys(baseline.failures), problems: [] },
    });
  });

  test('names ids of no suite, and another implementation', () => {
    const failures = { ...baseline.failures, 'gone/vector': 'x' };
    expect(problems(report, { ...baseline, failures })).toEqual([['stale', 'gone/vector']]);
    expect(problems(report, { ...baseline, adapter: 'other' })).toEqual([['other implementation', '']]);
  });

  test('ignores vectors that were not run', () => {
    const part = { ...report, selection: '--group tokenise', outcomes: report.outcomes.slice(0, 3) };
    expect(problems(part)).toEqual([]);
  });

  test('counts random cases of operations without a known failure', () => {
    const random = FAILING.random!;
    expect(problems({ ...report, random })).toEqual([]);
    const lookup = { ...random.disagreements[0]!, operation: 'lookup' as const };
    expect(problems({ ...report, random: { ...random, disagreements: [lookup, lookup] } })).toEqual([
      ['random cases', 'lookup'],
    ]);
  });
});

describe('the file of a baseline', () => {
  test('is read as written, in the order of the ids', () => {
    const text = writeBaseline(baseline);
    expect(readBaseline(text, 'b.json')).toEqual(baseline);
    const ids = Object.keys(JSON.parse(text).failures);
    expect(ids).toEqual([...ids].sort());
  });

  test('keeps the known failures of vectors that were not run', () => {
    const part = { ...changed('tokenise/bad', { status: 'pass' }), selection: 'x' };
    const outcomes = part.outcomes.slice(0, 3);
    expect(baselineOf({ ...part, outcomes }, baseline).failures).toEqual(
      Object.fromEntries(Object.entries(baseline.failures).filter(([id]) => id !== 'tokenise/bad')),
    );
    expect(baselineOf({ ...part, outcomes, selection: null }, baseline).failures).toEqual({
      'tokenise/refused': 'error:nasty',
    });
  });

  test.each([
    ['{', 'b.json: expected JSON'],
    ['{}', 'expected "kind": "simhash-doc-baseline"'],
    [JSON.stringify({ ...baseline, format: 2 }), 'b.json: expected "format": 1, which this version reads, got 2'],
    [JSON.stringify({ ...baseline, failures: { a: 1 } }), 'b.json: expected an object of texts "failures"'],
    [JSON.stringify({ ...baseline, adapter: null }), 'b.json: expected a text "adapter", got null'],
    [JSON.stringify({ ...baseline, suite: 1 }), 'b.json: expected a text "suite", got 1'],
  ])('with %s is rejected with the reason', (content, message) => {
    expect(() => readBaseline(content, 'b.json')).toThrow(message);
  });
});
