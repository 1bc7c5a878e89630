import { describe, expect, test } from 'vitest';
import { explainReply, explainVector } from '../../../../src/conformance/report/terminal/explain-vector.ts';
import { loadGroups } from '../../../../src/conformance/suite/load-suite.ts';
import { loadRules } from '../../../../src/conformance/suite/rules.ts';
import type { Vector } from '../../../../src/conformance/vector.ts';
import { IS_SLOW } from '../../../suite.ts';

const vectors = loadGroups().flatMap((group) => group.vectors);
const find = (test: (vector: Vector) => boolean): Vector => vectors.find(test)!;
const explained = (vector: Vector): string => explainVector(vector).join('\n');

describe('the rules', () => {
  const rules = loadRules();

  test('are those of the specification, each with its heading and its text', () => {
    expect(rules.size).toBeGreaterThan(70);
    expect(rules.get('TOK-2')).toMatchObject({
      ...{ origin: 'decided', section: 'Step 5: Tokenise', link: 'spec/simhash-doc.md#TOK-2' },
      text: expect.stringMatching(/^Cut the text into maximal runs of code points/),
    });
    for (const { text, section } of rules.values()) {
      expect(text).not.toMatch(/\]\(|\*\*|\n/);
      expect(section).not.toBe('');
    }
  });
});

describe('the explanation of a vector', () => {
  test('has the text of its rules and the meaning of its flags', () => {
    const text = explained(find(({ rules, flags }) => rules.includes('TOK-2') && flags.length > 0));
    expect(text).toContain('TOK-2  Step 5: Tokenise (decided), spec/simhash-doc.md#TOK-2');
    expect(text).toContain('Cut the text into maximal runs');
    expect(text).toMatch(/\nLooks for\n {2}\w+: \w/);
    for (const line of text.split('\n')) expect(line).toMatch(/^[^\p{Cc}]*$/u);
  });

  test('shows bytes as text, and generating rules as their result', () => {
    expect(explained(find(({ operation, input }) => operation === 'decode' && 'utf8' in input))).toContain(
      'as UTF-8: "',
    );
    expect(explained(find(({ input }) => 'generate' in input))).toMatch(/builds [\d,]+ code points?:\n/);
  });

  test('names known mistakes that the vector detects, of many the first ones', () => {
    const text = explained(find(({ id }) => id === 'simhash/one'));
    expect(text).toMatch(/\nDetects\n( {2}[a-z0-9-]+: \S.*\n){8} {2}and \d+ more\n/);
    expect(explained(find(({ id }) => id === 'decode/empty'))).not.toContain('\nDetects\n');
  });

  test('exists for vectors of all kinds', () => {
    const isBuilt = ({ input }: Vector): boolean => 'generate' in input;
    const every = IS_SLOW ? 5 : 200;
    const some = vectors.filter((each, i) => i % every === 0 && !isBuilt(each));
    some.push(...vectors.filter(isBuilt).slice(0, IS_SLOW ? 20 : 1));
    for (const vector of some) expect(explainVector(vector).length).toBeGreaterThan(5);
  });

  test('has its error', () => {
    expect(explained(find(({ error }) => error === 'invalid-label'))).toContain('\nExpected\n  error invalid-label');
  });
});

describe('the explanation of an answer', () => {
  const vector = find(({ operation, expected }) => operation === 'tokenise' && expected !== undefined);
  const ok = (result: unknown) => ({ kind: 'ok', result: result as Record<string, unknown> }) as const;

  test.each([
    ['right', ok(vector.expected), true, 'right'],
    ['wrong', ok({ tokens: ['?'] }), false, 'wrong at tokens'],
    ['refused', { kind: 'error', code: 'out-of-range', message: 'no \u001b' } as const, false, 'no \\u{001b}'],
    ['crashed', { kind: 'crash', detail: 'ended by SIGSEGV', stderr: 'oh' } as const, false, 'stderr: oh'],
    ['not offered', { kind: 'unsupported' } as const, null, 'not offered'],
  ])('%s', (_, reply, right, text) => {
    const explanation = explainReply(vector, reply);
    expect(explanation.right).toBe(right);
    expect(explanation.lines.join('\n')).toContain(text);
  });
});
