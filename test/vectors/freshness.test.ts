import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadFiles, VECTORS } from '../../src/conformance/suite/load.ts';
import { buildFiles } from '../tools/generate/build.ts';
import { bare, makeOracle, type Outcome, outcomeOf } from '../tools/generate/oracle.ts';
import { recordedFindings } from '../tools/generate/vectors.ts';

// The twin needs a minute for the long documents and the many cases of these groups: freshness.slow.test.ts computes them anew.
const LONG = ['fingerprint', 'documents', 'scalars'];

/** The twin makes all draws of each of many elements, or looks for locators in a long text. */
const isLong = (group: string, input: object): boolean =>
  LONG.includes(group) || (group === 'minhash' && ('generate' in input || ('hashes' in input && isMany(input.hashes))));
const isMany = (hashes: unknown): boolean => Array.isArray(hashes) && hashes.length > 100;

const recorded = new Map<string, Outcome>(
  loadFiles()
    .flatMap(({ group, vectors }) => vectors.filter(({ input }) => isLong(group, input)))
    .map(({ id, expected, error }) => [id, (error === undefined ? { expected } : { error }) as Outcome]),
);
const oracle = makeOracle(bare);
const built = buildFiles(recordedFindings(), (id, given) => recorded.get(id) ?? outcomeOf(oracle, given));

test.each([...built.keys()])('vectors/%s is what `npm run generate -- vectors` writes', (name) => {
  expect(readFileSync(new URL(name, VECTORS), 'utf8')).toBe(built.get(name));
});
