import { describe, expect, test } from 'vitest';
import { createInProcessAdapter } from '../../src/conformance/adapter/in-process-adapter.ts';
import type { Adapter } from '../../src/conformance/adapter/protocol.ts';
import { claimedClasses, labelOf, labelsOfVector } from '../../src/conformance/judge/conformance-classes.ts';
import { compareRandomly } from '../../src/conformance/random/compare-random.ts';
import { createRandom, randomInputs, withLabels } from '../../src/conformance/random/random-inputs.ts';
import type { Operation } from '../../src/conformance/vector.ts';
import { LABELS } from '../../src/index.ts';
import { type Steps, steps } from '../twin/twin.ts';
import { run as runGroups, shortGroups } from './changed.ts';
import { createWrongAdapter } from './wrong.ts';

const groups = shortGroups(
  ['serialise', 'label', 'compare', 'lookup', 'variants', 'minhash'],
  ({ input, operation }) => operation !== 'accumulate' && JSON.stringify(input).length < 3000,
);

/** The twin with some steps replaced, and the labels that it offers. */
const createTwinAdapter = (overrides: Partial<Steps> = {}, labels: readonly string[] = LABELS): Adapter =>
  createWrongAdapter(overrides, { labels });

const run = (adapter: Adapter, randomCases = 0) => runGroups(adapter, groups, { randomCases });

describe('the class label', () => {
  test('is claimed for each label that is offered', async () => {
    const { classes, counts } = await run(createTwinAdapter());
    expect(counts).toMatchObject({ failed: 0, unsupported: 0 });
    expect(claimedClasses(classes)).toContain('label (simhash-doc+bg1, minhash-doc and minhash-doc-256)');
  });

  test('is neither asked nor judged for a label that is not offered', async () => {
    const { classes, counts, outcomes } = await run(createTwinAdapter({}, ['simhash-doc']), 20);
    expect(counts.failed).toBe(0);
    expect(classes.filter((each) => each.class === 'label')).toEqual([]);
    const asked = outcomes.filter(({ label, status }) => label !== undefined && status !== 'unsupported');
    expect(asked.map(({ id }) => id)).toEqual([]);
    expect(counts.unsupported).toBe(outcomes.filter(({ label }) => label !== undefined).length);
  });

  test('draw and truncate count for both labels of minhash-doc', async () => {
    expect(labelsOfVector({ operation: 'draw' as Operation, label: 'minhash-doc' })).toEqual([
      ...['minhash-doc', 'minhash-doc-256'],
    ]);
    const { classes } = await run(createTwinAdapter({ truncate: () => 1n }, ['simhash-doc', 'minhash-doc-256']));
    expect(classes.find((each) => each.class === 'label')).toMatchObject({
      label: 'minhash-doc-256',
      verdict: 'fails',
    });
    expect(classes.find((each) => each.class === 'hash')?.counts.failed).toBe(0);
  });

  test('a mistake in 256 bits fails it, and no other class', async () => {
    const wrong = createTwinAdapter({ isNear: (a, b, k, s) => steps.isNear(a, b, k, s) || s.distance(a, b) === 256 });
    const failed = async (adapter: Adapter, cases: number): Promise<string[]> =>
      (await run(adapter, cases)).classes.flatMap(({ verdict, class: name, label }) =>
        verdict === 'fails' ? [label ?? name] : [],
      );
    for (const cases of [0, 60])
      expect((await failed(wrong, cases)).filter((name) => name !== 'minhash-doc-256')).toEqual([]);
    const spare = createTwinAdapter({ isSpareBit: (bits) => bits.length > 1 || bits === '0' });
    expect(await failed(spare, 60)).toEqual(['minhash-doc-256']);
  });

  test.each<[Operation, unknown, string | undefined]>([
    ['draw', { hash: '', n: 0 }, 'minhash-doc'],
    ['parse', { serialised: 'A', label: 'minhash-doc' }, 'minhash-doc'],
    ['parse', { serialised: 'A', label: 'simhash-doc' }, undefined],
    ['parse-label', { label: 'minhash-doc-256' }, undefined],
    ['parse-labelled', { labelled: 'minhash-doc:A' }, undefined],
    ['parse-labelled', { labelled: 'MinHash-Doc-256:A' }, 'minhash-doc-256'],
    ['format-labelled', { label: 'MINHASH-doc-256', fingerprint: null }, 'minhash-doc-256'],
    ['format-labelled', { label: 'minhash-doc', fingerprint: null }, undefined],
    ['compare', { a: null, b: 'minhash-doc-256:A' }, 'minhash-doc-256'],
    ['decode', null, undefined],
  ])('of %s %j is %s', (operation, input, label) => {
    expect(labelOf(operation, input)).toBe(label);
  });
});

describe('the diagnosis', () => {
  test('names step 8 for wrong winners of right draws', async () => {
    const { firstStep, outcomes } = await run(createTwinAdapter({ wins: (x, y) => x.round < y.round }));
    expect(firstStep?.step).toBe(8);
    const { location } = outcomes.find(({ id }) => id === 'minhash/text-two')!;
    expect(location).toMatchObject({ step: 8, by: 'step' });
    const states = location!.steps.map(({ operation, state }) => `${operation} ${state}`);
    for (const state of ['draw right', 'minhash wrong', 'serialise right']) expect(states).toContain(state);
  });

  test('grades only simhash-doc', async () => {
    const wrong = createTwinAdapter({ wins: (x, y) => x.value < y.value });
    const minhash = groups.filter(({ group }) => group === 'minhash');
    expect((await runGroups(wrong, minhash)).grade).toBeNull();
  });
});

describe('random cases', () => {
  test('agree for the reference and the twin under all labels', async () => {
    const { disagreements, compared } = await compareRandomly(createTwinAdapter(), { cases: 60, seed: 7 });
    expect(disagreements).toEqual([]);
    expect(compared).toBeGreaterThan(1000);
  });

  test('have all labels that are offered, and no others', () => {
    for (const [name, make] of Object.entries(randomInputs)) {
      for (const offered of [LABELS, ['simhash-doc', 'minhash-doc'], ['simhash-doc', 'minhash-doc-256']]) {
        const random = createRandom(1);
        const inputs = withLabels(name as Operation, make as (random: () => number) => object, offered);
        const labels = new Set(Array.from({ length: 300 }, () => labelOf(name as Operation, inputs(random))));
        if (['draw', 'truncate', 'parse-label'].includes(name)) continue;
        for (const label of labels) if (label !== undefined) expect(offered).toContain(label);
        if (['tokenise', 'fingerprint', 'parse', 'parse-hex', 'serialise', 'lookup'].includes(name))
          expect([name, labels.size]).toEqual([name, offered.length]);
      }
    }
  });

  test('of the reference have exactly the registered labels', async () => {
    expect((await createInProcessAdapter().hello()).labels).toEqual(LABELS);
  });
});
