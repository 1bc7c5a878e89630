import { describe, expect, test } from 'vitest';
import { findFirstStep } from '../../../src/conformance/diagnosis/first-step.ts';
import { findResemblances, isCertain } from '../../../src/conformance/diagnosis/resemblance.ts';
import type { Mutant } from '../../../src/conformance/suite/load.ts';

const ids = Array.from({ length: 239 }, (_, i) => `fingerprint/${i}`);
const ran = new Set([...ids, 'fingerprint/passed']);

/** Failures: the first ones have the outcome "x", the others have outcomes of their own. */
const failures = (same: number, all = ids.length): Map<string, string> =>
  new Map(ids.slice(0, all).map((id, i) => [id, i < same ? 'x' : `other ${i}`]));

const mutant = (name: string, recorded: number, unknown = 0, others: readonly string[] = []): Mutant => ({
  ...{ name, title: name, step: 9, unknown: ids.slice(recorded, recorded + unknown) },
  outcomes: Object.fromEntries([...ids.slice(0, recorded), ...others].map((id) => [id, 'x'])),
});

describe('resemblance', () => {
  test('is counted against all failures, also where the outcomes of a mistake are not recorded', () => {
    const [found] = findResemblances(failures(10), ran, [mutant('spare-bit-first', 10, 229)]);
    expect(found).toMatchObject({ same: 10, failed: 239, missing: 0, unrecorded: 229 });
    expect(isCertain(found!)).toBe(false);
  });

  test('is never certain while the mistake would fail other vectors', () => {
    for (const wrong of [mutant('unrecorded', 2, 3), mutant('missing', 5, 0, ['fingerprint/passed'])])
      expect(findResemblances(failures(5, 5), ran, [wrong]).map(isCertain)).toEqual([false]);
    for (const right of [mutant('exact', 5), mutant('unrecorded', 4, 3)])
      expect(findResemblances(failures(5, 5), ran, [right]).map(isCertain)).toEqual([true]);
  });

  test('that explains everything silences weaker ones', () => {
    const mutants = [mutant('weaker', 3), mutant('exact', 5), mutant('unrecorded', 4, 9)];
    expect(findResemblances(failures(5, 5), ran, mutants).map((each) => each.mutant)).toEqual(['exact']);
    const uncertain = [mutant('weaker', 3), mutant('unrecorded', 4, 9)];
    expect(findResemblances(failures(5, 5), ran, uncertain).map((each) => each.mutant)).toEqual(['unrecorded']);
  });

  test('that is not certain does not overrule the step that was found', () => {
    const outcomes = ids.map((id) => ({
      ...{ id, group: 'fingerprint', operation: 'fingerprint', title: '', rules: ['SIM-3'], flags: [], status: 'fail' },
      location: { step: 8, by: 'documents', steps: [] },
    })) as unknown as Parameters<typeof findFirstStep>[0];
    const resemblances = findResemblances(failures(10), ran, [mutant('spare-bit-first', 10, 229)]);
    expect(findFirstStep(outcomes, resemblances)?.step).toBe(8);
  });
});
