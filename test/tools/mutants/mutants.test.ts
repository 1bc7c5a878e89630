import { expect, test } from 'vitest';
import { abbreviate } from '../../../src/conformance/judge/outcome-name.ts';
import { loadGroups, loadMutants } from '../../../src/conformance/suite/load-suite.ts';
import { IS_SLOW } from '../../suite.ts';
import { type Steps, steps } from '../../twin/twin.ts';
import { findRows } from '../generate/mutants.ts';
import { locatorForms } from './locators.ts';
import { mutations } from './mutants.ts';

// One vector for each mutant, every second of them in the fast suite: kill-matrix.slow.test.ts runs all vectors.
const vectors = new Map(loadGroups().flatMap((group) => group.vectors.map((vector) => [vector.id, vector])));
const recorded = new Map(loadMutants().map(({ name, outcomes }) => [name, outcomes]));

test('every mutant fails the shortest vector that is recorded for it, with the recorded outcome', () => {
  for (const mutation of mutations.filter((_, i) => IS_SLOW || i % 2 === 0)) {
    const outcomes = Object.entries(recorded.get(mutation.name) ?? {});
    const size = (id: string): number => JSON.stringify(vectors.get(id)!.input).length;
    const short = outcomes.filter(([id]) => !('generate' in vectors.get(id)!.input));
    const [id, outcome] = (short.length > 0 ? short : outcomes).sort(([a], [b]) => size(a) - size(b))[0]!;
    const [row] = findRows([vectors.get(id)!], [mutation]);
    expect([mutation.name, abbreviate(row!.outcomes.get(id) ?? '')]).toEqual([mutation.name, outcome]);
  }
});

test('without a mistake, no vector of HTML fails', () => {
  const right = { name: 'right', title: '', step: 0, source: '', overrides: {}, html: {} };
  expect([...findRows([...vectors.values()], [right])[0]!.failed]).toEqual([]);
});

/** What drops a rule. */
const WITHOUT: Readonly<Record<string, Partial<Steps>>> = {
  ...Object.fromEntries(
    locatorForms.map(({ form }) => [
      `LOC-${form + 4}`,
      { locatorForms: locatorForms.filter((each) => each.form !== form) },
    ]),
  ),
  'LOC-14': { findLocators: () => [] },
  'NRM-2': { isIgnorable: () => false },
  'NRM-3': { compose: (text) => text },
  'TOK-2': { tokenise: (text, s) => steps.tokenise(text, s).filter(({ end }) => end < 255) },
  'TOK-4': {
    tokenise: (text, s) => [...new Map(steps.tokenise(text, s).map((token) => [token.text, token])).values()],
  },
  'BIG-2': { bigramUnits: /j/g },
  'BIG-3': { pairsOfUnits: (units) => [...units] },
};

const long = [...vectors.values()].filter(
  ({ id, operation, status, flags }) =>
    operation === 'fingerprint' && status !== 'retired' && flags.includes('LongInput') && /[/-]long-/.test(id),
);

// Without intermediates, as in a command that prints fingerprints.
test.each(long.map((vector) => [vector.id, vector] as const))('%s fails without its rule', (id, vector) => {
  const rule = vector.rules.find((each) => each in WITHOUT)!;
  const without = { name: rule, title: '', step: 0, source: '', overrides: WITHOUT[rule]!, long: [id] };
  expect([...findRows([vector], [without])[0]!.outcomes.keys()]).toEqual([id]);
});
