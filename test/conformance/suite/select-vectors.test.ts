import { expect, test } from 'vitest';
import { loadGroups } from '../../../src/conformance/suite/load-suite.ts';
import { selectVectors } from '../../../src/conformance/suite/select-vectors.ts';

const groups = loadGroups();
const ids = (selection: Parameters<typeof selectVectors>[1]): string[] =>
  selectVectors(groups, selection).flatMap(({ vectors }) => vectors.map(({ id }) => id));

test('an empty selection selects everything', () =>
  expect(ids({}).length).toBe(groups.flatMap(({ vectors }) => vectors).length));

test('groups, parts of ids, operations, rules and flags have to match together', () => {
  expect(new Set(ids({ groups: ['tokenise', 'decode'] }).map((id) => id.split('/')[0]))).toEqual(
    new Set(['decode', 'tokenise']),
  );
  expect(ids({ ids: ['oken'] }).every((id) => id.includes('oken'))).toBe(true);
  expect(ids({ operations: ['parse'] }).length).toBeGreaterThan(0);
  const loc5 = ids({ rules: ['LOC-4'] });
  expect(loc5.length).toBeGreaterThan(0);
  expect(ids({ rules: ['LOC'] }).length).toBeGreaterThan(loc5.length);
  expect(ids({ rules: ['LOC-4'], groups: ['strip-locators'] }).length).toBeLessThanOrEqual(loc5.length);
  const flag = groups.flatMap(({ vectors }) => vectors.flatMap(({ flags }) => flags))[0]!;
  expect(ids({ flags: [flag] }).length).toBeGreaterThan(0);
  expect(ids({ groups: ['decode'], operations: ['parse'] })).toEqual([]);
});

test('a rule does not select rules that begin with its name', () => {
  const rules = new Set(
    selectVectors(groups, { rules: ['LOC-13'] }).flatMap(({ vectors }) =>
      vectors.map(({ rules }) => rules.includes('LOC-13')),
    ),
  );
  expect([...rules]).toEqual([true]);
});

test.each([
  [{ groups: ['tokens'] }, /no such group: "tokens": did you mean tokenise\?/],
  [{ operations: ['dance'] }, /no such operation: "dance"/],
  [{ rules: ['TOK-' + '99'] }, /no such rule: "TOK.99"/],
  [{ flags: ['Nope'] }, /no such flag: "Nope"/],
])('the selection %j is rejected', (selection, message) => {
  expect(() => selectVectors(groups, selection)).toThrow(message);
});
