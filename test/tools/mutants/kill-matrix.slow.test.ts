import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findResemblances, isCertain } from '../../../src/conformance/diagnosis/resemblance.ts';
import { STEP_OF_OPERATION } from '../../../src/conformance/diagnosis/steps.ts';
import { loadGroups, loadMutants, type Mutant, VECTORS } from '../../../src/conformance/suite/load-suite.ts';
import type { Vector } from '../../../src/conformance/vector.ts';
import { findRows, formatMutants, formatReport, idsOf, mutantsOf, type Row } from '../generate/mutants.ts';
import { mutations } from './mutants.ts';
import { makeSlowRuns } from './run.ts';

const vectors: readonly Vector[] = loadGroups()
  .flatMap((group) => group.vectors)
  .filter(({ status }) => status !== 'retired');
const rows = findRows(vectors);
const mutants = mutantsOf(rows);
const read = (name: string): string => readFileSync(new URL(name, VECTORS), 'utf8');

describe('mutants', () => {
  test('are many, each with a name, a title and who makes the mistake', () => {
    expect(mutations.length).toBeGreaterThanOrEqual(80);
    expect(new Set(mutations.map(({ name }) => name)).size).toBe(mutations.length);
    expect(new Set(mutations.map(({ title }) => title)).size).toBe(mutations.length);
    for (const { name, title, source } of mutations) {
      expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      for (const text of [title, source]) expect(text).toMatch(/^[ -~]+$/);
    }
  });

  test('are each killed by a vector whose outcome is recorded', () => {
    const survivors = rows.filter(({ failed, outcomes }) => failed.size === 0 || outcomes.size === 0);
    expect(survivors.map(({ mutation }) => mutation.name)).toEqual([]);
  });

  test('fail vectors about single steps from their wrong step on', () => {
    const steps = new Map(vectors.map(({ id, operation }) => [id, STEP_OF_OPERATION[operation]]));
    // The hexadecimal form of SER-6 is what all steps are shown in.
    const shown = /^(?:leading-zeros-dropped|hex-(?:upper-case|prefixed|signed|form-halves-unpadded))$/;
    const others = rows
      .filter(({ mutation }) => mutation.step > 0 && !shown.test(mutation.name))
      .map(({ mutation: { name, step }, failed }) => {
        const own = [...failed].map((id) => steps.get(id)).filter((each) => each !== undefined && each > 0) as number[];
        return { name, step, first: own.length === 0 ? step : Math.min(...own) };
      })
      .filter(({ step, first }) => step !== first);
    expect(others).toEqual([]);
  });

  test('all have different outcomes', () => {
    const same = new Map<string, string[]>();
    for (const { mutation, outcomes } of rows) {
      const key = JSON.stringify([...outcomes]);
      same.set(key, [...(same.get(key) ?? []), mutation.name]);
    }
    expect([...same.values()].filter((names) => names.length > 1)).toEqual([]);
  });

  test('have the same outcomes with shortcuts', () => {
    // Every thirtieth, on vectors that the twin is fast enough for.
    const some = mutations.filter(({ html }, i) => i % 30 === 0 && html === undefined);
    const short = vectors.filter(
      ({ operation, input }) =>
        operation !== 'accumulate' && operation !== 'extract-html' && operation !== 'probe' && !('generate' in input),
    );
    const show = (list: readonly Row[]) => list.map(({ mutation, outcomes }) => [mutation.name, ...outcomes]);
    expect(show(findRows(short, some, makeSlowRuns))).toEqual(show(findRows(short, some)));
  });
});

test('vectors/mutants.json is what `npm run generate -- mutants` writes', () => {
  expect(read('mutants.json')).toBe(formatMutants(rows, idsOf(vectors)));
  const sorted = (list: readonly Mutant[]) => list.map((each) => ({ ...each, unknown: [...each.unknown].sort() }));
  expect(sorted(loadMutants())).toEqual(sorted(mutants));
});

test('vectors/KILLS.md is what `npm run generate -- mutants` writes', () => {
  expect(read('KILLS.md')).toBe(formatReport(rows));
});

describe('diagnosis', () => {
  const ran = new Set(vectors.map(({ id }) => id));

  test('names the mutant for an implementation that fails like it', () => {
    const others = rows
      .map(({ mutation, outcomes }) => ({ name: mutation.name, found: findResemblances(outcomes, ran, mutants)[0] }))
      .filter(({ name, found }) => found?.mutant !== name)
      .map(({ name, found }) => `${name}: ${found?.mutant}`);
    expect(others).toEqual([]);
  });

  test('explains all its failures', () => {
    for (const { mutation, outcomes } of rows) {
      const own = findResemblances(outcomes, ran, mutants).find(({ mutant }) => mutant === mutation.name);
      expect(own, mutation.name).toMatchObject({ missing: 0, step: mutation.step, same: own!.failed });
      expect(isCertain(own!), mutation.name).toBe(true);
    }
  });

  test('explains failures whose outcome is not known', () => {
    for (const { mutation, outcomes, failed } of rows) {
      const failures = new Map([...failed].map((id) => [id, outcomes.get(id) ?? 'other'] as const));
      const own = findResemblances(failures, ran, mutants).find(({ mutant }) => mutant === mutation.name);
      expect(own!.same + own!.unrecorded, mutation.name).toBe(failed.size);
    }
  });

  test('counts failures that a mutant does not explain', () => {
    const row = rows.find(({ mutation }) => mutation.name === 'tie-to-one')!;
    const passed = vectors.filter(({ id }) => !row.failed.has(id)).map(({ id }) => id);
    const failures = new Map([...row.outcomes, ...passed.slice(0, 200).map((id) => [id, 'other'] as const)]);
    const own = findResemblances(failures, ran, mutants).find(({ mutant }) => mutant === 'tie-to-one');
    expect(own === undefined || own.failed > own.same).toBe(true);
  });
});
