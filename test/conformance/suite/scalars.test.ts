import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Reply } from '../../../src/conformance/adapter/protocol.ts';
import { runVector } from '../../../src/conformance/judge/judge-vector.ts';
import { scalarLines } from '../../../src/conformance/report/terminal/failures.ts';
import { checkVector } from '../../../src/conformance/run-conformance.ts';
import { caseOf, countCases } from '../../../src/conformance/suite/accumulate.ts';
import type { Operation, ScalarCases, ScalarsRule, VectorOf } from '../../../src/conformance/vector.ts';
import type { ScalarFinding } from '../../../src/conformance/vector-outcome.ts';
import { bare, makeOracle } from '../../tools/generate/oracle.ts';
import { createChanged, run } from '../changed.ts';

const rule = (change: Partial<ScalarsRule> = {}): ScalarsRule => ({
  ...{ rule: 'scalars', ranges: [[0x61, 0x65]], each: 2, before: [''], after: [''] },
  ...change,
});
const textsOf = (given: ScalarsRule): string[] =>
  Array.from({ length: countCases({ step: 'classify', rule: given }) }, (_, i) => {
    const { input } = caseOf({ step: 'classify', rule: given }, i);
    return (input as { readonly text: string }).text;
  });

describe('the rule over scalar values', () => {
  test.each<[string, Partial<ScalarsRule>, string[]]>([
    ['cuts a range into cases', {}, ['ab', 'cd', 'e']],
    [
      'goes on in the next range within a case',
      {
        ranges: [
          ...([
            [0x61, 0x63],
            [0x78, 0x79],
          ] as const),
        ],
      },
      ['ab', 'cx', 'y'],
    ],
    ['leaves surrogates out', { ranges: [[0xd7ff, 0xe000]] }, ['\ud7ff\ue000']],
    ['of surrogates alone builds nothing', { ranges: [[0xd800, 0xdfff]] }, []],
    ['that begins and ends at a surrogate', { ranges: [[0xdfff, 0xe001]] }, ['\ue000\ue001']],
    [
      'writes what stands around, in turn, anew in each case',
      { each: 3, before: ['<', '['], after: ['> '] },
      ['<a> [b> <c> ', '<d> [e> '],
    ],
  ])('makes the cases of %s', (_name, change, texts) => {
    expect(textsOf(rule(change))).toEqual(texts);
  });

  test('covers all 1,112,064 scalar values', () => {
    expect(countCases({ step: 'classify', rule: rule({ ranges: [[0, 0x10ffff]], each: 1 }) })).toBe(1_112_064);
    const last = caseOf(
      { step: 'tokenise', label: 'minhash-doc', rule: rule({ ranges: [[0, 0x10ffff]], each: 4096 }) },
      271,
    );
    expect(last).toMatchObject({ operation: 'tokenise', input: { label: 'minhash-doc' } });
    expect(Array.from((last.input as { text: string }).text).length).toBe(1_112_064 - 271 * 4096);
  });
});

const cases: ScalarCases = { step: 'classify', rule: rule({ ranges: [[0x2f, 0xff]], each: 64 }) };

function vectorOf(input: ScalarCases): VectorOf<'accumulate'> {
  return {
    ...{ id: 'scalars/x', since: '0.2.0', operation: 'accumulate', title: 'x' },
    ...{ rules: ['CLS-1'], flags: ['NewerUnicode'], agrees: [] },
    ...{ input, expected: makeOracle(bare).accumulate(input) },
  };
}

type Change = (reply: Reply, input: { readonly text: string }) => Reply;

/** The reference, which offers some operations and answers them in its own way. */
const createAdapter = (operations: readonly Operation[], change: Change = (reply) => reply) =>
  createChanged({ hello: { operations }, after: (reply, _, input) => change(reply, input) });

const groupOf = (input: ScalarCases) => [{ group: 'scalars', description: '', vectors: [vectorOf(input)] }];

describe('a vector over scalar values', () => {
  test('is sent case by case; `accumulate` need not be offered', async () => {
    const asked: string[] = [];
    const adapter = createAdapter(['classify'], (reply, { text }) => {
      asked.push(text);
      return reply;
    });
    const { outcome } = await runVector(adapter, 'scalars', vectorOf(cases));
    expect(outcome).toMatchObject({ status: 'pass', operation: 'classify' });
    expect(asked).toEqual(textsOf(cases.rule));
    const others = createAdapter(['accumulate', 'tokenise']);
    expect((await runVector(others, 'scalars', vectorOf(cases))).outcome.status).toBe('unsupported');
  });

  test('has the digest of its lines', () => {
    const few: ScalarCases = { step: 'classify', rule: rule({ ranges: [[0x30, 0x41]], each: 17 }) };
    const digest = createHash('sha256')
      .update(`${'w'.repeat(10)}${'b'.repeat(7)}\nl\n`)
      .digest('hex');
    expect(vectorOf(few).expected).toEqual({ digest });
  });

  test('keeps its label', async () => {
    const input: ScalarCases = { ...cases, step: 'tokenise', label: 'simhash-doc+bg1' };
    const { outcome } = await runVector(createAdapter(['tokenise']), 'scalars', vectorOf(input));
    expect(outcome).toMatchObject({ status: 'pass', operation: 'tokenise', label: 'simhash-doc+bg1' });
  });

  test('of the step `decode` is of octets, which an adapter may decline', async () => {
    const adapter = createChanged({
      hello: { operations: ['decode'], declines: ['utf8'] },
      after: (reply, _, input) => ('utf8' in (input as object) ? { kind: 'unsupported' } : reply),
    });
    const { outcome } = await runVector(adapter, 'scalars', vectorOf({ ...cases, step: 'decode' }));
    expect(outcome).toMatchObject({ status: 'unsupported', operation: 'decode', kind: 'utf8' });
  });

  test.each<[string, Reply, string]>([
    ['unsupported', { kind: 'unsupported' }, 'unsupported'],
    ['a crash', { kind: 'crash', detail: 'ended', stderr: '' }, 'crash'],
    ['an error', { kind: 'error', code: 'internal', message: '' }, 'fail'],
    ['a result of another form', { kind: 'ok', result: { classes: 7 } }, 'fail'],
  ])('has the status of one case that is %s', async (_name, other, status) => {
    const adapter = createAdapter(['classify'], (reply, { text }) => (text.includes('\u00e9') ? other : reply));
    expect((await checkVector(adapter, vectorOf(cases))).outcome.status).toBe(status);
  });

  test('can be left out', async () => {
    const adapter = createAdapter(['classify']);
    expect((await run(adapter, groupOf(cases))).counts.passed).toBe(1);
    expect((await run(adapter, groupOf(cases), { scalars: false })).outcomes).toEqual([]);
  });
});

/** Gives code points another class. */
const misclassify =
  (wrong: (codePoint: number) => string | undefined): Change =>
  (reply, { text }) => {
    if (reply.kind !== 'ok') return reply;
    const right = reply.result['classes'] as readonly string[];
    return { kind: 'ok', result: { classes: Array.from(text, (each, i) => wrong(each.codePointAt(0)!) ?? right[i]) } };
  };

describe('a wrong digest', () => {
  const find = async (change: Change): Promise<ScalarFinding | undefined> =>
    (await checkVector(createAdapter(['classify'], change), vectorOf(cases))).outcome.scalars;

  test('is narrowed down to code points', async () => {
    const wrong = [0x3a, 0x3b, 0x3c, 0xd7];
    const found = await find(misclassify((codePoint) => (wrong.includes(codePoint) ? 'letter' : undefined)));
    expect(found).toEqual({
      ...{
        cases: 4,
        differing: 2,
        ranges: [
          [0x3a, 0x3c],
          [0xd7, 0xd7],
        ],
        isComplete: true,
      },
      ...{ input: { text: ':' }, expected: { classes: ['break'] }, actual: { classes: ['letter'] } },
    });
    expect(scalarLines(found!)).toEqual([
      '      wrong in 2 of 4 cases, by U+003A..U+003C and U+00D7',
      '        given     { text: ":" }',
      '        expected  { classes: ["break"] }',
      '        returned  { classes: ["letter"] }',
    ]);
  });

  test('names only some of many code points', async () => {
    const found = await find(misclassify((codePoint) => (codePoint % 2 === 0 ? 'ignorable' : undefined)));
    expect(found).toMatchObject({ cases: 4, differing: 4, isComplete: false });
    expect(found!.ranges.length).toBe(12);
    expect(scalarLines(found!)[0]).toMatch(/^ {6}wrong in 4 of 4 cases, by U\+0030, U\+0032, .*, U\+0046 and others$/);
  });

  test('names code points that are wrong only together', async () => {
    const found = await find((reply, { text }) =>
      text.includes('0') && text.includes('n') ? { kind: 'ok', result: { classes: [] } } : reply,
    );
    expect(found).toEqual({ cases: 4, differing: 1, ranges: [[0x2f, 0x6e]], isComplete: true });
  });

  test('is explained by newer Unicode data only if the code points were unassigned', async () => {
    const groups = groupOf({ ...cases, rule: rule({ ranges: [[0x370, 0x3ff]], each: 64 }) });
    const isNewer = async (codePoint: number): Promise<boolean> => {
      const change = misclassify((each) => (each === codePoint ? 'word' : undefined));
      return (await run(createAdapter(['classify'], change), groups)).newerUnicodeOnly;
    };
    expect([await isNewer(0x378), await isNewer(0x37e)]).toEqual([true, false]);
  });
});
