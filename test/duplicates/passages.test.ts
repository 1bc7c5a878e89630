import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadPassages, type Part } from '../../src/duplicates/passages.ts';
import { forAll } from '../suite.ts';

// The limit of time is for slow machines: these tests must not depend on it.
const compareWith = await loadPassages({ timeout: 1e9 });
const compareAll = await loadPassages({ timeout: 1e9, maxPassages: Number.POSITIVE_INFINITY });

/** Shows a side: changes between brackets, omitted text as its number of words between angle brackets. */
const show = (parts: readonly Part[]): string =>
  parts
    .map((part) => (part.kind === 'gap' ? `<${part.words}>` : part.kind === 'changed' ? `[${part.text}]` : part.text))
    .join('');
const numbered = (count: number, word = 'w'): string[] => Array.from({ length: count }, (_, i) => `${word}${i}`);

describe('a passage', () => {
  test.each([
    [
      'pay 1,234.50 to DE12 now',
      'pay 1,299.50 to DE13 now',
      'pay [1,234.50] to [DE12] now',
      'pay [1,299.50] to [DE13] now',
    ],
    ['one two', 'one and two', 'one two', 'one [and] two'],
    ['one', 'one\ntwo', 'one', 'one\n[two]'],
    ['中文字', '中国字', '中[文]字', '中[国]字'],
    ['a (b)', 'a [b]', 'a [(]b[)]', 'a [[]b[]]'],
    ['', 'new', '', '[new]'],
    // Two words that both sentences have by chance do not split the change.
    [
      'x one two three and four five six y',
      'x 1 2 3 and 4 5 6 y',
      'x [one two three and four five six] y',
      'x [1 2 3 and 4 5 6] y',
    ],
  ])('shows the differences of %j and %j', (a, b, left, right) => {
    const { shown, total, isComplete } = compareWith(a)(b);
    expect({ total, isComplete }).toEqual({ total: 1, isComplete: true });
    expect([show(shown[0]!.a), show(shown[0]!.b)]).toEqual([left, right]);
  });

  test('does not consist of other spaces, lines or normal forms', () => {
    expect(compareWith('caf\u00e9 one\ntwo')('cafe\u0301  one two\n')).toEqual({
      shown: [],
      total: 0,
      isComplete: true,
    });
  });

  test('has context of 12 words', () => {
    const words = numbered(100);
    const changed = words.with(50, 'other');
    const [passage] = compareWith(words.join(' '))(changed.join(' ')).shown;
    const [before, after] = [words.slice(38, 50).join(' '), words.slice(51, 63).join(' ')];
    expect(show(passage!.a)).toBe(`<0>${before} [w50] ${after}<0>`);
    expect(show(passage!.b)).toBe(`<0>${before} [other] ${after}<0>`);
  });

  test('has the same unmarked text on both sides', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', 'd,', '中', ' ', '\n'), { maxLength: 60 })
      .map((each) => each.join(' '));
    forAll([text, text], 100, (a, b) => {
      const { shown, total } = compareAll(a)(b);
      expect(shown.length).toBe(total);
      const same = (parts: readonly Part[]): string =>
        parts.map((part) => (part.kind === 'same' ? part.text.replace(/\s/g, '') : '')).join('');
      for (const passage of shown) {
        expect(same(passage.a)).toBe(same(passage.b));
        expect([...passage.a, ...passage.b].some(({ kind }) => kind === 'changed')).toBe(true);
      }
      expect(total === 0).toBe(a.replace(/\s/g, '') === b.replace(/\s/g, ''));
    });
  });
});

describe('the search for passages', () => {
  test('finds each change in long texts with other line ends, and shows the first 12', () => {
    const words = numbered(100_000);
    const changed = words.map((word, i) => (i % 2500 === 1000 ? 'other' : word));
    const { shown, total, isComplete } = compareWith(words.join(' '))(changed.join('\n'));
    expect({ shown: shown.length, total, isComplete }).toEqual({ shown: 12, total: 40, isComplete: true });
    expect(show(shown[1]!.b)).toContain('w3499\n[other]\nw3501');
  });

  test('shows texts without common words as one change, cut after 80 words', () => {
    const { shown, total, isComplete } = compareWith(numbered(30_000).join(' '))(numbered(30_000, 'x').join(' '));
    expect({ total, isComplete }).toEqual({ total: 1, isComplete: false });
    expect(shown[0]!.a).toEqual([
      { kind: 'changed', text: numbered(80).join(' ') },
      { kind: 'gap', words: 29_920 },
    ]);
  });

  test('ends for texts that repeat a few words', () => {
    const repeat = (words: string, count: number): string => Array(count).fill(words).join(' ');
    const { total, isComplete } = compareWith(repeat('a b a', 200_000))(repeat('b a b', 200_000));
    expect(total).toBe(1);
    expect(isComplete).toBe(false);
  });

  test('stops after too many edits, and after the time', async () => {
    const [a, b] = [numbered(1000).join(' '), numbered(1000, 'x').join(' ')];
    for (const limits of [{ maxEdits: 100, timeout: 1e9 }, { timeout: -1 }]) {
      const { total, isComplete } = (await loadPassages(limits))(a)(`${b} ${b}`);
      expect({ total, isComplete }).toEqual({ total: 1, isComplete: false });
    }
  });
});
