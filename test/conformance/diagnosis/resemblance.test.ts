import { describe, expect, test } from 'vitest';
import { findFirstStep, keepPlausible } from '../../../src/conformance/diagnosis/first-step.ts';
import { findResemblances, isCertain } from '../../../src/conformance/diagnosis/resemblance.ts';
import { loadMutants, type Mutant } from '../../../src/conformance/suite/load-suite.ts';
import type { VectorOutcome } from '../../../src/conformance/vector-outcome.ts';
import { findRows } from '../../tools/generate/mutants.ts';
import { mutations } from '../../tools/mutants/mutants.ts';
import type { Mutation } from '../../tools/mutants/mutation.ts';
import { shortGroups } from '../changed.ts';

const ids = Array.from({ length: 239 }, (_, i) => `fingerprint/${i}`);
const ran = new Set([...ids, 'fingerprint/passed']);

/** Failures: the first ones have the outcome "x", the others have outcomes of their own. */
const failures = (same: number, all = ids.length): Map<string, string> =>
  new Map(ids.slice(0, all).map((id, i) => [id, i < same ? 'x' : `other ${i}`]));

const mutant = (name: string, recorded: number, unknown = 0, others: readonly string[] = []): Mutant => ({
  ...{ name, title: name, step: 9, unknown: ids.slice(recorded, recorded + unknown) },
  outcomes: Object.fromEntries([...ids.slice(0, recorded), ...others].map((id) => [id, 'x'])),
});

describe('two mistakes at once', () => {
  const vectors = shortGroups(
    [],
    ({ operation }) => !['accumulate', 'extract', 'extract-html'].includes(operation),
  ).flatMap((group) => group.vectors);
  const known = loadMutants();
  const mutationOf = (name: string): Mutation => mutations.find((each) => each.name === name)!;

  /** The resemblances of the twin with the mistakes of both. */
  function resemblancesOf(first: string, second: string) {
    const [one, two] = [mutationOf(first), mutationOf(second)];
    const both: Mutation = { ...one, name: 'both', overrides: { ...one.overrides, ...two.overrides } };
    const [row] = findRows(vectors, [both]);
    return findResemblances(row!.outcomes, new Set(vectors.map(({ id }) => id)), known);
  }

  test.each([
    ['scripts-split', 'order-without-case'],
    ['email-local-unicode', 'single-letters-dropped'],
    ['uuid-end-unicode', 'order-without-case'],
    ['python-word', 'key-32-bits'],
  ])('are found: %s and %s', (first, second) => {
    const [found, ...others] = resemblancesOf(first, second);
    expect(found).toMatchObject({ mutant: first, and: { mutant: second } });
    expect(found!.same + found!.unrecorded).toBe(found!.failed);
    expect(others).toEqual([]);
  });

  test('are not searched for if one explains everything', () => {
    // The upper half is lost, so that its counters do not matter.
    const found = resemblancesOf('counters-16-bit', 'low-word-repeated');
    expect(found.map(({ mutant, and }) => [mutant, and])).toEqual([['low-word-repeated', undefined]]);
  });
});

describe('a resemblance', () => {
  test('to a mistake that would fail more vectors than it explains is not reported', () => {
    const others = Array.from({ length: 5 }, (_, i) => `fingerprint/passed-${i}`);
    const all = new Set([...ran, ...others]);
    const reported = (missing: number) =>
      findResemblances(failures(4, 8), all, [mutant('like', 4, 0, others.slice(0, missing))]).map(
        (each) => each.missing,
      );
    expect([reported(4), reported(5)]).toEqual([[4], []]);
  });

  test('is counted against all failures, even if the outcomes of a mistake are not recorded', () => {
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

  test('that explains everything hides weaker ones', () => {
    const mutants = [mutant('weaker', 3), mutant('exact', 5), mutant('unrecorded', 4, 9)];
    expect(findResemblances(failures(5, 5), ran, mutants).map((each) => each.mutant)).toEqual(['exact']);
    const uncertain = [mutant('weaker', 3), mutant('unrecorded', 4, 9)];
    expect(findResemblances(failures(5, 5), ran, uncertain).map((each) => each.mutant)).toEqual(['unrecorded']);
  });

  test('that explains no failure but those of a better one is not reported, unless it is as good', () => {
    const [best, other] = [
      mutant('best', 4, 0, ['fingerprint/passed']),
      { ...mutant('other', 0), outcomes: { [ids[5]!]: 'x', [ids[6]!]: 'x', [ids[7]!]: 'x' } },
    ];
    const weaker = [
      mutant('part', 3, 0, ['fingerprint/passed']),
      mutant('more', 4, 0, ['fingerprint/passed', ids[8]!]),
    ];
    const wrong = new Map(ids.slice(0, 8).map((id) => [id, 'x']));
    const all = new Set([...ran, ids[8]!]);
    expect(findResemblances(wrong, all, [...weaker, other, best]).map((each) => each.mutant)).toEqual([
      'best',
      'other',
    ]);
    const equal = { ...best, name: 'equal' };
    expect(findResemblances(wrong, all, [best, equal]).map((each) => each.mutant)).toEqual(['best', 'equal']);
  });

  test('to a mistake in another step is not reported if the first wrong step was tested by itself', () => {
    const outcome = { id: ids[0]!, group: 'token-hash', operation: 'token-hash', status: 'fail' } as VectorOutcome;
    const first = { step: 7, vectors: 1, right: [], wrong: [] };
    const [weak] = findResemblances(failures(200), ran, [mutant('step 9', 200)]);
    const [certain] = findResemblances(failures(5, 5), ran, [mutant('step 9', 5)]);
    expect(keepPlausible([weak!, certain!, { ...weak!, step: 7 }], first, [outcome])).toEqual([
      certain,
      { ...weak!, step: 7 },
    ]);
    const unasked = { ...outcome, operation: 'fingerprint' } as VectorOutcome;
    expect(keepPlausible([weak!], first, [unasked])).toEqual([weak]);
    expect(keepPlausible([weak!], null, [unasked])).toEqual([weak]);
  });

  test('that is not certain does not overrule the step that was found', () => {
    const outcomes = ids.map((id) => ({
      ...{ id, group: 'fingerprint', operation: 'fingerprint', title: '', rules: ['SIM-4'], flags: [], status: 'fail' },
      location: { step: 8, by: 'documents', steps: [] },
    })) as unknown as Parameters<typeof findFirstStep>[0];
    const resemblances = findResemblances(failures(10), ran, [mutant('spare-bit-first', 10, 229)]);
    expect(findFirstStep(outcomes, resemblances)?.step).toBe(8);
  });
});
