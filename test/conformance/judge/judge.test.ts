import { expect, test } from 'vitest';
import { judgeResult } from '../../../src/conformance/judge/judge.ts';
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
