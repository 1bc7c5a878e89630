import { expect, test } from 'vitest';
import { abbreviate } from '../../../src/conformance/judge/outcome-name.ts';
import { loadGroups, loadMutants } from '../../../src/conformance/suite/load.ts';
import { IS_SLOW } from '../../suite.ts';
import { findRows } from '../generate/mutants.ts';
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
