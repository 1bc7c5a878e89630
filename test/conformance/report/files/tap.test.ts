import { Parser } from 'tap-parser';
import { expect, test } from 'vitest';
import type { BaselineVerdict } from '../../../../src/conformance/report/baseline.ts';
import { writeTap } from '../../../../src/conformance/report/files/tap.ts';
import type { Report } from '../../../../src/conformance/report/report.ts';
import { FAILING, PASSING } from '../report.ts';

interface Point {
  readonly ok: boolean;
  readonly id: number;
  readonly name: string;
  readonly skip?: string;
  readonly todo?: string;
  readonly diag?: Readonly<Record<string, unknown>>;
}

/** Reads TAP, strictly. */
function parse(text: string): {
  readonly ok: boolean;
  readonly points: readonly Point[];
  readonly failures: readonly unknown[];
} {
  const points: Point[] = [];
  let results: { ok: boolean; failures: readonly { tapError?: unknown }[] } | undefined;
  const parser = new Parser({ strict: true }, (final) => {
    results = final as never;
  });
  parser.on('assert', (point) => points.push(point as never));
  parser.end(text);
  return { ok: results!.ok, points, failures: results!.failures.filter(({ tapError }) => tapError) };
}

const tap = (report: Report, baseline?: BaselineVerdict) => parse(writeTap(report, { baseline }));

test('the report is TAP 14 with a plan', () => {
  expect(writeTap(FAILING)).toMatch(/^TAP version 14\n1\.\.9\n# simhash-doc conformance of /);
  const { ok, points, failures } = tap(FAILING);
  expect(ok).toBe(false);
  expect(failures).toEqual([]);
  expect(points.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(points.map((point) => point.ok)).toEqual([true, false, false, false, false, false, true, true, false]);
});

test('a vector may pass, be skipped if it is not offered, or fail', () => {
  const { points } = tap(FAILING);
  expect(points[0]).toMatchObject({ ok: true, name: 'tokenise/good: pins tokenise/good' });
  expect(points[6]).toMatchObject({ ok: true, skip: 'not run: failed 3 times' });
  expect(points[7]).toMatchObject({ ok: true, skip: 'lookup is not offered' });
  expect(points[1]!.name).toMatch(/^tokenise\/bad: nasty <b/);
  // Nasty characters in the name do not start a directive.
  expect(points[1]!.todo || false).toBe(false);
  expect(points[1]!.diag).toMatchObject({
    status: 'fail',
    rules: ['TOK-2', 'TOK-3'],
    at: 'tokens[1]',
    wanted: '"cafe\\u{0301}"',
    found: '"café"',
    outcome: '0123456789abcdef',
  });
  expect(points[3]!.diag).toMatchObject({ status: 'crash', detail: 'ended by SIGSEGV' });
  expect(points[8]!.diag).toMatchObject({ compared: 300, disagreements: [{ operation: 'tokenise', case: 7 }, {}] });
});

test('a run without failures is ok', () => {
  expect(tap(PASSING).ok).toBe(true);
});

test('known failures count as passed', () => {
  const known = FAILING.outcomes
    .filter(({ status }) => status !== 'pass' && status !== 'unsupported')
    .map(({ id }) => id);
  const { ok, points } = tap(FAILING, { passes: true, known, problems: [] });
  expect(ok).toBe(true);
  expect(points[1]!.todo).toBe('known failure');
  const problems = [{ kind: 'unexpected pass', id: 'tokenise/good', message: 'x' }] as const;
  expect(tap(FAILING, { passes: false, known, problems }).ok).toBe(false);
});

test('answers of an adapter cannot control a terminal', () => {
  const [good, bad, ...others] = FAILING.outcomes;
  const outcome = { ...bad!, outcome: 'error:\x1b[31m\r\n\u202e\u2066not ok 1' } as typeof bad;
  const written = writeTap({ ...FAILING, outcomes: [good!, outcome!, ...others] });
  expect(written).toContain('\\u202e');
  expect(written).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u);
});
