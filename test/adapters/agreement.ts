import { expect } from 'vitest';
import { createProcessAdapter } from '../../src/conformance/adapter/process-adapter.ts';
import type { Report } from '../../src/conformance/report/report.ts';
import { runConformance } from '../../src/conformance/run-conformance.ts';
import { isLarge } from '../../src/conformance/suite/accumulate.ts';
import { digestOfSuite, loadManifest } from '../../src/conformance/suite/load-suite.ts';
import type { VectorGroup } from '../../src/conformance/vector.ts';
import { type Implementation, WITHOUT } from './implementations.ts';

const { suite, vectors } = loadManifest();

/** Runs an adapter on vectors and random cases: it fails none, and conforms to the classes that it answers. */
export async function expectConformance(
  command: readonly string[],
  groups: readonly VectorGroup[],
  randomCases: number,
): Promise<Report> {
  const adapter = createProcessAdapter(command, { deadline: 60_000 });
  let report: Report;
  try {
    report = await runConformance(adapter, {
      groups,
      suite: { version: suite, digest: digestOfSuite(vectors) },
      randomCases,
    });
  } finally {
    await adapter.close();
  }
  const wrong = report.outcomes.filter(({ status }) => status !== 'pass' && status !== 'unsupported');
  expect(wrong.map(({ id, status, place, actual }) => ({ id, status, place, actual }))).toEqual([]);
  expect(report.random?.disagreements, `seed ${report.random?.seed}`).toEqual([]);
  expect(report.restarts).toBe(0);
  expect(report.verdict).toBe('conforms');
  return report;
}

/** Runs an implementation on vectors and random cases: it agrees with all, and with those that are recorded. */
export async function expectAgreement(
  { name }: Implementation,
  command: readonly string[],
  groups: readonly VectorGroup[],
  randomCases: number,
): Promise<Report> {
  const report = await expectConformance(command, groups, randomCases);
  const unanswered = report.outcomes.filter(
    ({ status, operation }) => status === 'unsupported' && !WITHOUT.includes(operation),
  );
  expect(unanswered.map(({ id }) => id)).toEqual([]);
  // The record of who agrees is that of this run.
  const recorded = groups
    .flatMap((group) => group.vectors)
    .filter((vector) => vector.status !== 'retired' && !isLarge(vector));
  const passed = new Set(report.outcomes.filter(({ status }) => status === 'pass').map(({ id }) => id));
  expect(recorded.filter(({ id, agrees }) => agrees.includes(name) !== passed.has(id)).map(({ id }) => id)).toEqual([]);
  return report;
}
