import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runOperation } from '../../src/conformance/adapter/operations.ts';
import { findFirstStep } from '../../src/conformance/diagnosis/first-step.ts';
import { caseOf, countDeadlines, isLarge, isOfScalars, lineOf } from '../../src/conformance/suite/accumulate.ts';
import { loadFiles } from '../../src/conformance/suite/load-suite.ts';
import type { AccumulatedStep, InputOf, SeededCases, VectorOf } from '../../src/conformance/vector.ts';
import type { VectorOutcome } from '../../src/conformance/vector-outcome.ts';

type Input = SeededCases;
type Accumulated = VectorOf<'accumulate'> & { readonly input: SeededCases };

const vectors = loadFiles()
  .flatMap((group) => group.vectors)
  .filter((vector): vector is Accumulated => vector.operation === 'accumulate' && !isOfScalars(vector.input));

describe('accumulate', () => {
  const example: Input = { step: 'token-hash', rule: { rule: 'octets', least: 0, most: 2 }, seed: 1, count: 4 };

  test('gives the digest of the example of the specification', async () => {
    const text = readFileSync(new URL('../../vectors/README.md', import.meta.url), 'utf8').replace(/\s+/g, ' ');
    const found = /An example: .* inputs (.*), the lines (.*), and the digest `([0-9a-f]{64})`/.exec(text)!;
    const listed = (part: string): string[] =>
      (part.match(/`[0-9a-f]+`|\(nothing\)/g) ?? []).map((each) => each.replace(/`|\(nothing\)/g, ''));
    const [inputs, lines] = [listed(found[1]!), listed(found[2]!)];
    expect(inputs).toEqual(Array.from({ length: 4 }, (_, i) => (caseOf(example, i).input as { utf8: string }).utf8));
    const digest = createHash('sha256')
      .update(lines.map((line) => `${line}\n`).join(''))
      .digest('hex');
    expect(found[3]).toBe(digest);
    expect(await runOperation('accumulate', example)).toEqual({ result: { digest } });
  });

  test('gives the digest of no bytes for no cases', async () => {
    const digest = createHash('sha256').digest('hex');
    expect(await runOperation('accumulate', { ...example, count: 0 })).toEqual({ result: { digest } });
  });

  // The inputs of each step are worked out by hand from the first numbers of seed 1234567 (generate.test.ts).
  const seed = 1234567;
  const bytes = (count: number) => ({ rule: 'octets', least: count, most: count }) as const;
  const letter = { rule: 'code-points', least: 2, most: 2, ranges: [[0x61, 0x62]] } as const;
  const cases: readonly (readonly [AccumulatedStep, Input['rule'], unknown])[] = [
    ['decode', bytes(3), { utf8: '85a577' }],
    ['classify', letter, { text: 'bb' }],
    ['parse', letter, { serialised: 'bb' }],
    ['token-hash', letter, { text: 'bb' }],
    ['token-hash', bytes(1), { utf8: '85' }],
    ['fingerprint', bytes(1), { utf8: '85' }],
    ['simhash', bytes(5), { hashes: [] }],
    ['words', letter, null],
    ['decode', letter, null],
    ['normalise', bytes(1), null],
    ['serialise', bytes(5), null],
  ].map((each) => each as [AccumulatedStep, Input['rule'], unknown]);
  test.each(cases)('makes the input of %s by %j', (step, rule, input) => {
    const run = () => caseOf({ step, rule, seed, count: 1 }, 0);
    if (input === null) expect(run).toThrow(TypeError);
    else expect(run()).toEqual({ operation: step, input });
  });

  test('alternates tables and distances', () => {
    const probe: Input = { step: 'probe', rule: bytes(8), seed, count: 300 };
    const asked = (i: number) => {
      const { table, k } = caseOf(probe, i).input as InputOf<'probe'>;
      return [table, k];
    };
    expect([0, 15, 16, 127, 128].map(asked)).toEqual([
      [0, 0],
      [15, 0],
      [0, 1],
      [15, 7],
      [0, 0],
    ]);
  });

  test.each([
    ['classify', { classes: ['letter', 'word', 'break', 'ignorable', 'unassigned'] }, 'lwbiu'],
    ['tokenise', { tokens: ['a', '\u00e9'] }, '61 c3a9'],
    ['tokenise', { tokens: [] }, ''],
    ['decode', { text: 'a\u00e9' }, '61c3a9'],
    ['simhash', { fingerprint: null }, '-'],
    ['fingerprint', { fingerprint: null }, '-'],
    ['serialise', { text: 'AAAAAAAAAAAAC', hex: '0000000000000001' }, 'AAAAAAAAAAAAC 0000000000000001'],
    ['tables', { keys: [1, 2], permuted: ['a', 'b'] }, '1 2 a b'],
    ['probe', { count: 29, digest: 'ff' }, '29 ff'],
  ] as const)('writes the line of %s: %j', (step, result, line) => {
    expect(lineOf(step, { result })).toBe(`${line}\n`);
    expect(lineOf(step, { error: 'out-of-range' })).toBe('out-of-range\n');
  });

  test('extends the deadline for each thousand cases', () => {
    const times = (count: number): number => countDeadlines('accumulate', { ...example, count });
    expect([0, 1, 1000, 1001, 100_000].map(times)).toEqual([1, 1, 1, 2, 100]);
    expect(countDeadlines('decode', { utf8: '' })).toBe(1);
  });
});

describe('accumulated vectors', () => {
  test('have three tiers of each kind, with one rule and seed', () => {
    const kinds = new Map<string, Accumulated[]>();
    for (const vector of vectors) {
      const kind = vector.id.replace(/-\d+$/, '');
      kinds.set(kind, [...(kinds.get(kind) ?? []), vector]);
    }
    for (const tiers of kinds.values()) {
      expect(tiers.map(({ input }) => input.count)).toEqual([100, 10_000, 100_000]);
      expect(tiers.map(isLarge)).toEqual([false, false, true]);
      for (const { input } of tiers) expect({ ...input, count: 0 }).toEqual({ ...tiers[0]!.input, count: 0 });
    }
    expect(new Set(vectors.map(({ input }) => input.step)).size).toBe(12);
  });

  test('have a digest on which another implementation agrees', () => {
    for (const { id, agrees } of vectors) expect(agrees.length, id).toBeGreaterThan(0);
  });

  test('count as failures of the step that they name', () => {
    const failed: VectorOutcome = {
      ...{ id: 'x', group: 'x', operation: 'accumulate', about: 'tokenise', title: '', rules: ['TOK-2'], flags: [] },
      ...{ status: 'fail', place: 'digest', expected: {}, actual: {} },
    };
    expect(findFirstStep([failed], [])?.step).toBe(5);
  });
});
