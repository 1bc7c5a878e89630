import { expect, test } from 'vitest';
import { judgeResult, prune } from '../../../src/conformance/judge/judge.ts';
import type { Operation } from '../../../src/conformance/vector.ts';

const FINGERPRINT = { fingerprint: 'LATEPLCY22DQQ', decoded: 'a', tokens: ['a'], counters: [1, -1] };
const EXTRACTION = { fingerprint: 'LATEPLCY22DQQ', within: 2 };
const LOOKUP = { completeTo: 3, matches: [{ id: 'a', fingerprint: '00', distance: 1 }] };

test.each<readonly [string, Operation, unknown, unknown, string | null]>([
  ['the same', 'tokenise', { tokens: ['a'] }, { tokens: ['a'] }, null],
  ['members that nobody asked for', 'tokenise', { tokens: ['a'] }, { tokens: ['a'], more: 1 }, null],
  ['a missing member', 'tokenise', { tokens: ['a'] }, { words: ['a'] }, 'tokens'],
  ['another item', 'tokenise', { tokens: ['a', 'b'] }, { tokens: ['a', 'c'] }, 'tokens[1]'],
  ['too many', 'tokenise', { tokens: ['a'] }, { tokens: ['a', 'b'] }, 'tokens[1]'],
  ['a number as text', 'compare', { distance: 1 }, { distance: '1' }, 'distance'],
  ['a fingerprint without intermediates', 'fingerprint', FINGERPRINT, { fingerprint: 'LATEPLCY22DQQ' }, null],
  ['a wrong intermediate', 'fingerprint', FINGERPRINT, { fingerprint: 'LATEPLCY22DQQ', tokens: ['b'] }, 'tokens[0]'],
  ['intermediates without a fingerprint', 'fingerprint', FINGERPRINT, { tokens: ['a'] }, 'fingerprint'],
  ['no fingerprint where there is one', 'fingerprint', FINGERPRINT, { fingerprint: null }, 'fingerprint'],
  ['complete to more than asked', 'lookup', LOOKUP, { ...LOOKUP, completeTo: 64 }, null],
  ['complete to less', 'lookup', LOOKUP, { ...LOOKUP, completeTo: 2 }, 'completeTo'],
  ['complete to nothing', 'lookup', LOOKUP, { matches: LOOKUP.matches }, 'completeTo'],
  ['another match', 'lookup', LOOKUP, { completeTo: 3, matches: [] }, 'matches[0]'],
  ['an extraction within the distance', 'extract', EXTRACTION, { fingerprint: 'LATEPLCY22DQY' }, null],
  ['in small letters', 'extract', EXTRACTION, { fingerprint: 'lateplcy22dqq' }, null],
  ['an extraction too far away', 'extract', EXTRACTION, { fingerprint: 'LATEPLCY22D54' }, 'fingerprint'],
  ['an extraction without a text', 'extract', EXTRACTION, { fingerprint: null }, 'fingerprint'],
  ['an extraction that is no fingerprint', 'extract', EXTRACTION, { fingerprint: 'LATEPLCY22DQR' }, 'fingerprint'],
  ['an extraction of nothing', 'extract', { fingerprint: null, within: 3 }, { fingerprint: null }, null],
  ['no object', 'tokenise', { tokens: [] }, null, ''],
])('%s', (_, operation, expected, actual, place) => {
  expect(judgeResult(operation, expected, actual)).toBe(place);
});

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
