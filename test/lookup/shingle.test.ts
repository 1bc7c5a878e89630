import { describe, expect, test } from 'vitest';
import { hashToken, simhash } from '../../src/index.ts';
import { shingle } from '../../src/lookup/shingle.ts';
import { codeOf } from './data.ts';

describe('shingle', () => {
  const hash = (...tokens: string[]): bigint => hashToken(tokens.join('\u001f'));

  test('a hash for each window', () => {
    expect([...shingle(['a', 'b', 'c', 'd'], 2)]).toEqual([hash('a', 'b'), hash('b', 'c'), hash('c', 'd')]);
    expect([...shingle(new Set(['a', 'b']), 1)]).toEqual([hash('a'), hash('b')]);
    expect([...shingle(['a', 'b'], 2)]).toEqual([hash('a', 'b')]);
  });

  test('fewer tokens than a window make one, none make none', () => {
    expect([...shingle(['a', 'b'], 4)]).toEqual([hash('a', 'b')]);
    expect([...shingle([], 4)]).toEqual([]);
    expect(simhash(shingle([], 4))).toBe(null);
  });

  test('order matters, and where tokens end', () => {
    const [ab] = shingle(['a', 'b'], 2);
    const [ba] = shingle(['b', 'a'], 2);
    const [joined] = shingle(['ab'], 2);
    expect(new Set([ab, ba, joined]).size).toBe(3);
    expect(simhash(shingle('one two three four five'.split(' '), 2))).not.toBe(
      simhash(shingle('five four three two one'.split(' '), 2)),
    );
  });

  test('refuses invalid arguments', () => {
    expect(codeOf(() => [...shingle('abc', 2)])).toBe('wrong-type');
    expect(codeOf(() => [...shingle(5 as never, 2)])).toBe('wrong-type');
    expect(codeOf(() => [...shingle([5 as never], 2)])).toBe('wrong-type');
    expect(codeOf(() => [...shingle(['a'], 0)])).toBe('out-of-range');
    expect(codeOf(() => [...shingle(['a'], 1.5)])).toBe('out-of-range');
  });
});
