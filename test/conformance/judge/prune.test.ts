import { expect, test } from 'vitest';
import { prune } from '../../../src/conformance/judge/judge.ts';

test('a pruned result is about as large as the expected one', () => {
  const actual = { text: 'x'.repeat(1e6), tokens: Array.from({ length: 1e5 }, () => 'y'.repeat(1e4)), more: [[['z']]] };
  const pruned = prune(actual, { text: 'x'.repeat(5000), tokens: ['a'] }) as typeof actual;
  expect(pruned.text.length).toBe(6001);
  expect(pruned.tokens.length).toBe(101);
  expect(pruned.tokens[0]!.length).toBe(1002);
  expect(pruned.more).toEqual([[['z']]]);
});

test('pruning keeps the expected members of many', () => {
  const actual = Object.fromEntries([...Array.from({ length: 500 }, (_, i) => [`m${i}`, i]), ['hash', 'x']]);
  const pruned = prune(actual, { hash: '' }) as Record<string, unknown>;
  expect([Object.keys(pruned).length, pruned['hash']]).toEqual([101, 'x']);
});
