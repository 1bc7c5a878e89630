import { describe, expect, test } from 'vitest';
import { valueAt } from '../../../src/conformance/judge/judge.ts';
import {
  lastLines,
  namedSteps,
  quoted,
  showDifference,
  showInput,
  shown,
  visible,
} from '../../../src/conformance/report/printable-text.ts';
import type { VectorOutcome } from '../../../src/conformance/vector-outcome.ts';

describe('the text', () => {
  test.each([
    [[7], 'step 7'],
    [[5, 7, 8, 9], 'steps 5 to 9'],
    [[3, 4, 7, 8, 9], 'steps 3, 4 and 7 to 9'],
    [[1, 3], 'steps 1 and 3'],
  ])('for %j is %s', (steps, words) => expect(namedSteps(steps)).toBe(words));

  test.each([
    ['e\u0301', 'e\\u{0301}'],
    ['\u00e9', '\u00e9'],
    ['\u212b', '\\u{212b}'],
    ['\u1100\u1161', '\\u{1100}\\u{1161}'],
    ['a\u00a0b c', 'a\\u{00a0}b c'],
    ['\u200b\u{e0001}\ud800', '\\u{200b}\\u{e0001}\\u{d800}'],
    ['"\\', '\\"\\\\'],
    ['\u0939\u093f', '\u0939\u093f'],
  ])('of %j is %j', (text, expected) => expect(visible(text)).toBe(expected));

  test('of long values is cut', () => {
    expect(quoted('\u{10400}'.repeat(100), 3)).toBe('"\u{10400}\u{10400}\u{10400}" … (200 UTF-16 units)');
    expect(shown(Array.from({ length: 1000 }, (_, i) => i)).length).toBeLessThan(150);
    expect(shown({ text: 'x'.repeat(10_000), more: 1 }).length).toBeLessThan(200);
    expect(shown([])).toBe('[]');
    expect(shown(undefined)).toBe('nothing');
  });

  test('of standard error has the last lines', () =>
    expect(lastLines('a\n\nb\r\n\u001b[0mc\n', 2)).toEqual(['b', '\\x1b[0mc']));
});

describe('differences', () => {
  test('are read at their place', () => {
    const result = { matches: [{ id: 'a' }, { id: 'b' }], text: 'x' };
    expect(valueAt(result, 'matches[1].id')).toBe('b');
    expect(valueAt(result, 'text')).toBe('x');
    expect(valueAt(result, '')).toBe(result);
    expect(valueAt(result, 'matches[5].id')).toBeUndefined();
  });

  test('are shown with their surroundings in long texts', () => {
    const same = 'same words '.repeat(50);
    const { expected, actual, column } = showDifference({
      place: 'text',
      expected: { text: `${same}right end` },
      actual: { text: `${same}wrong end` },
    });
    expect(expected).toMatch(/^…".{24}right end" \(559 code points\)$/);
    expect(actual[column!]).toBe('w');
    expect(expected[column!]).toBe('r');
  });

  test('show a missing item as nothing', () => {
    expect(showDifference({ place: 'tokens[1]', expected: { tokens: ['a', 'b'] }, actual: { tokens: ['a'] } })).toEqual(
      {
        ...{ place: 'tokens[1]', expected: '"b"', actual: 'nothing' },
      },
    );
  });
});

describe('a long input is shown where the results begin to differ', () => {
  const words = Array.from({ length: 400 }, (_, i) => `w${i}`);
  const text = words.join(' ');
  const outcome = (place: string, expected: unknown, actual: unknown, input: unknown = { text }): VectorOutcome => ({
    ...{ id: 'a/b', group: 'a', operation: 'tokenise', title: '', rules: [], flags: [], status: 'fail' },
    ...{ place, expected, actual, input },
  });

  test('in a text', () => {
    const shownInput = showInput(outcome('text', { text }, { text: text.replace('w300', 'W300') }));
    expect(shownInput).toMatch(/^\{ text: …"[^"]* w299 w300 [^"]*"… \(from code point \d+ of 1889, from 0\) \}$/);
  });

  test('at a token', () => {
    const wrong = words.with(300, 'x');
    expect(showInput(outcome('tokens[300]', { tokens: words }, { tokens: wrong }))).toContain(' w299 w300 ');
  });

  test('at its beginning if the place is unknown, and whole if it is short', () => {
    expect(showInput(outcome('fingerprint', { fingerprint: 'A' }, { fingerprint: 'B' }))).toBe(shown({ text }));
    expect(showInput(outcome('tokens[300]', { tokens: ['y'] }, { tokens: [] }))).toBe(shown({ text }));
    expect(showInput(outcome('text', { text: 'a b' }, { text: 'a' }, { text: 'a b' }))).toBe('{ text: "a b" }');
    expect(showInput(outcome('', { text }, undefined, { rule: 'x' }))).toBe('{ rule: "x" }');
  });
});
