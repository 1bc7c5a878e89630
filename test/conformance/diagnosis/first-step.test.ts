import { describe, expect, test } from 'vitest';
import { findFirstStep } from '../../../src/conformance/diagnosis/first-step.ts';
import type { Report } from '../../../src/conformance/report/report.ts';
import type { VectorGroup } from '../../../src/conformance/vector.ts';
import type { VectorOutcome } from '../../../src/conformance/vector-outcome.ts';
import { firstRows, IS_SLOW } from '../../suite.ts';
import { run as runGroups, shortGroups } from '../changed.ts';
import { createWrongAdapter, type Offer, WRONG } from '../wrong.ts';

// The twin is slow, so only short documents are used, and in the fast suite only the first inputs of each operation of a group.
const counts = new Map<string, number>();
const groups = shortGroups([], ({ id, operation }) => {
  const key = `${id.split('/')[0]} ${operation}`;
  counts.set(key, (counts.get(key) ?? 0) + 1);
  return operation !== 'accumulate' && counts.get(key)! <= (IS_SLOW ? Number.POSITIVE_INFINITY : 30);
});
const documents = groups.filter(({ group }) => group === 'fingerprint');

const run = (
  wrong: Parameters<typeof createWrongAdapter>[0],
  offer: Offer,
  vectors: readonly VectorGroup[],
  randomCases = 0,
): Promise<Report> => runGroups(createWrongAdapter(wrong, offer), vectors, { randomCases });

const wrong = Object.entries(WRONG).flatMap(([name, { step }]) => (step === null ? [] : [[name, step] as const]));

describe('the first wrong step is named', () => {
  test.each(wrong)('for %s, with all operations: step %i', async (name, step) => {
    const { firstStep, verdict } = await run(name, {}, groups);
    expect(verdict).toBe('fails');
    expect(firstStep?.step).toBe(step);
    expect(firstStep?.vectors).toBeGreaterThan(0);
  });

  test.each(firstRows(2, wrong))(
    'for %s, with fingerprint alone, without intermediates: step %i',
    async (name, step) => {
      const { firstStep } = await run(name, { operations: ['fingerprint'], intermediates: false }, documents);
      expect(firstStep?.step).toBe(step);
    },
  );

  test.each(firstRows(2, wrong))('for %s, with fingerprint alone, with intermediates: step %i', async (name, step) => {
    const { firstStep } = await run(name, { operations: ['fingerprint'] }, documents);
    expect(firstStep?.step).toBe(step);
  });

  test.each(firstRows(1, wrong))('for %s, by random cases alone: step %i', async (name, step) => {
    const none = groups.map((group) => ({ ...group, vectors: [] }));
    const { firstStep, counts } = await run(name, {}, none, 150);
    expect(counts.failed).toBe(0);
    expect(firstStep?.step).toBe(step);
    expect(firstStep?.vectors).toBe(0);
  });

  test('for no step of a right implementation', async () => {
    const { firstStep, verdict, counts } = await run('right', {}, groups, 30);
    expect({ firstStep, verdict, failed: counts.failed }).toEqual({ firstStep: null, verdict: 'conforms', failed: 0 });
  });
});

describe('later steps', () => {
  test('are right if they are right for correct input', async () => {
    const { firstStep } = await run('no-locators', {}, groups);
    expect(firstStep).toMatchObject({ right: [5, 7, 8, 9, 10, 11], wrong: [] });
  });

  test('are not called right if their vectors were not run', async () => {
    const locators = groups.filter(({ group }) => group === 'strip-locators');
    expect(await run('no-locators', {}, locators)).toMatchObject({ firstStep: { step: 4, right: [], wrong: [] } });
  });

  test('are wrong if they are wrong by themselves', async () => {
    const both = { ...WRONG['no-locators']!.overrides, ...WRONG['tie-to-1']!.overrides };
    expect((await run(both, {}, groups)).firstStep).toMatchObject({ step: 4, wrong: [8] });
  });
});

describe('with few answers, the first wrong step', () => {
  const failure = (id: string, rules: readonly string[], more: Partial<VectorOutcome> = {}): VectorOutcome => ({
    ...{ id, group: 'documents', operation: 'fingerprint', title: '', rules, flags: [], status: 'fail' },
    ...more,
  });

  test('is guessed as the latest step of the rules, since a late mistake breaks vectors of early steps', () => {
    const outcomes = [failure('a', ['DEC-1']), failure('b', ['SIM-4']), failure('c', ['LOC-4'])];
    expect(findFirstStep(outcomes, [])?.step).toBe(8);
  });

  test('is that of known mistakes that explain everything, if they agree', () => {
    const like = (mutant: string, step: number) => ({
      ...{ mutant, title: '', step, same: 1, failed: 1, missing: 0, unrecorded: 0 },
    });
    const outcomes = [failure('a', ['SIM-4'])];
    expect(findFirstStep(outcomes, [like('x', 2), like('y', 2)])?.step).toBe(2);
    expect(findFirstStep(outcomes, [like('x', 2), like('y', 3)])?.step).toBe(8);
    expect(findFirstStep(outcomes, [{ ...like('x', 2), missing: 1 }])?.step).toBe(8);
  });

  test('is 9 for a right number in another form', () => {
    const hash = (expected: string, actual: string): number | undefined =>
      findFirstStep(
        [
          {
            ...failure('a', ['HSH-1'], { operation: 'token-hash' }),
            ...{ place: 'hash', expected: { hash: expected }, actual: { hash: actual } },
          },
        ],
        [],
      )?.step;
    expect(hash('00ab000000000001', 'ab000000000001')).toBe(9);
    expect(hash('00ab000000000001', '0x00AB000000000001')).toBe(9);
    expect(hash('00ab000000000001', 'ab00001')).toBe(9);
    expect(hash('00ab000000000001', '00000001')).toBe(7);
    expect(hash('8000000000000000', '-9223372036854775808')).toBe(9);
    expect(hash('00ab000000000001', '00ab000000000002')).toBe(7);
  });

  test('is none for crashes, timeouts and breaches of the protocol', () => {
    const statuses = ['crash', 'timeout', 'protocol'] as const;
    const faults = statuses.map((status) => failure(status, ['DEC-1'], { status, operation: 'decode' }));
    const crash = { kind: 'crash', detail: '', stderr: '' } as const;
    const random = { operation: 'decode', input: {}, expected: { result: {} }, reply: crash, case: 1 } as const;
    expect(findFirstStep(faults, [], [random])).toBeNull();
    const wrong = failure('wrong', ['TOK-2'], { operation: 'tokenise' });
    expect(findFirstStep([...faults, wrong], [], [random])).toMatchObject({ step: 5, vectors: 1 });
  });

  test('is none without failures', () => {
    const outcomes = [failure('a', [], { status: 'pass' }), failure('b', [], { status: 'not-run' })];
    expect(findFirstStep(outcomes, [])).toBeNull();
  });
});
