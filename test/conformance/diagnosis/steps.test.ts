import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { STEP_NAMES, STEP_OF_OPERATION, stepOfRule } from '../../../src/conformance/diagnosis/steps.ts';
import { loadGroups } from '../../../src/conformance/suite/load-suite.ts';

const read = (name: string): string => readFileSync(new URL(`../../../spec/${name}.md`, import.meta.url), 'utf8');
const rulesIn = (text: string): string[] => Array.from(text.matchAll(/<a id="([A-Z]{3}-\d+)">/g), ([, rule]) => rule!);

test('a rule belongs to the step of its section', () => {
  const sections = `${read('simhash-doc')}\n${read('lookup')}`.split(/^## /m).slice(1);
  const steps = sections.flatMap((section) => {
    const [, step] = /^Step (\d+): /.exec(section) ?? [];
    return step === undefined ? [] : [[Number(step), rulesIn(section)] as const];
  });
  expect(steps.map(([step]) => step)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect(steps.flatMap(([, rules]) => rules).length).toBeGreaterThan(60);
  for (const [step, rules] of steps) for (const rule of rules) expect([rule, stepOfRule(rule)]).toEqual([rule, step]);
});

test('rules of other documents belong to steps: extraction to 0, bg1 to 5, minhash to 8 to 11', () => {
  for (const rule of rulesIn(read('extraction') + read('media'))) expect([rule, stepOfRule(rule)]).toEqual([rule, 0]);
  const [before, after] = read('minhash-doc').split('\n## Serialise, truncate, compare and look up\n');
  for (const rule of rulesIn(before!)) expect([rule, stepOfRule(rule)]).toEqual([rule, rule.startsWith('BIG') ? 5 : 8]);
  // In this order: truncate, serialise, compare, look up.
  expect(rulesIn(after!).map(stepOfRule)).toEqual([9, 9, 10, 11]);
  expect(stepOfRule('XYZ-1')).toBeUndefined();
});

test('most vectors of an operation cite a rule of its step', () => {
  const vectors = loadGroups().flatMap((group) => group.vectors);
  for (const [operation, step] of Object.entries(STEP_OF_OPERATION)) {
    const own = vectors.filter((vector) => vector.operation === operation);
    const citing = own.filter(({ rules }) => rules.some((rule) => stepOfRule(rule) === step));
    if (step !== undefined) expect([operation, 2 * citing.length > own.length]).toEqual([operation, true]);
  }
  expect(Object.keys(STEP_NAMES)).toEqual(Array.from({ length: 12 }, (_, step) => `${step}`));
});
