import { expect, test } from 'vitest';
import * as scheme from '../src/index.ts';

// A value that is not of the declared type, as a caller without types would give it.
// biome-ignore lint/suspicious/noExplicitAny: that is the point.
const wrong = (value: unknown): any => value;
const tooLarge = 2n ** 64n;

const cases: readonly [call: string, code: string, run: () => unknown][] = [
  ['decode of a string', 'wrong-type', () => scheme.decode(wrong('a'))],
  ['classify of NaN', 'out-of-range', () => scheme.classify(Number.NaN)],
  ['hashlittle2 of a string', 'wrong-type', () => scheme.hashlittle2(wrong('a'))],
  ['hashlittle2 with pc too large', 'out-of-range', () => scheme.hashlittle2(new Uint8Array(0), 2 ** 32)],
  ['hashlittle2 with pb negative', 'out-of-range', () => scheme.hashlittle2(new Uint8Array(0), 0, -1)],
  ['simhash of numbers', 'wrong-type', () => scheme.simhash(wrong([1]))],
  ['simhash of a hash too large', 'out-of-range', () => scheme.simhash([tooLarge])],
  ['simhash with too few weights', 'out-of-range', () => scheme.simhash([1n, 2n], [1])],
  ['simhash with an infinite weight', 'out-of-range', () => scheme.simhash([1n], [Number.POSITIVE_INFINITY])],
  ['simhash with a weight of another type', 'wrong-type', () => scheme.simhash([1n], wrong(['1']))],
  ['toBytes of 2^64', 'out-of-range', () => scheme.toBytes(tooLarge)],
  ['toBytes of null', 'no-fingerprint', () => scheme.toBytes(wrong(null))],
  ['fromBytes of seven', 'out-of-range', () => scheme.fromBytes(new Uint8Array(7))],
  ['fromBytes of an array', 'wrong-type', () => scheme.fromBytes(wrong([1, 2, 3, 4, 5, 6, 7, 8]))],
  ['fromHex of a bigint', 'wrong-type', () => scheme.fromHex(wrong(1n))],
  ['serialise of null', 'no-fingerprint', () => scheme.serialise(wrong(null))],
  ['parse of null', 'wrong-type', () => scheme.parse(wrong(null))],
  ['parseLabel of a name every object has', 'invalid-label', () => scheme.parseLabel('constructor')],
  ['parseLabel of a symbol', 'wrong-type', () => scheme.parseLabel(wrong(Symbol('label')))],
  ['formatLabelled with another label', 'invalid-label', () => scheme.formatLabelled('minhash', 0n)],
  ['formatLabelled of null', 'no-fingerprint', () => scheme.formatLabelled('simhash-doc', wrong(null))],
  ['draw of a number', 'wrong-type', () => scheme.draw(wrong(1), 0)],
  ['draw with n of another type', 'wrong-type', () => scheme.draw(0n, wrong(1n))],
  ['minhash of a string', 'wrong-type', () => scheme.minhash(wrong('a'), 1)],
  ['minhash with two words', 'out-of-range', () => scheme.minhash([1n], wrong(2))],
  ['findWinners of numbers', 'wrong-type', () => scheme.findWinners(wrong([1]), 4)],
  ['truncate of null', 'no-fingerprint', () => scheme.truncate(wrong(null))],
  ['truncate of a bigint', 'wrong-type', () => scheme.truncate(wrong(1n))],
  ['truncate of 31 bytes', 'out-of-range', () => scheme.truncate(new Uint8Array(31))],
  ['serialise of 8 bytes', 'out-of-range', () => scheme.serialise(new Uint8Array(8))],
  [
    'parse of an item and its position, as map passes them',
    'wrong-type',
    () => ['A'.repeat(13)].map(wrong(scheme.parse)),
  ],
  ['formatLabelled of bytes as 64 bits', 'wrong-type', () => scheme.formatLabelled('minhash-doc', new Uint8Array(32))],
  ['formatLabelled of a bigint as 256 bits', 'wrong-type', () => scheme.formatLabelled('minhash-doc-256', 0n)],
  ['distance of 256 bits and 64', 'label-mismatch', () => scheme.distance(new Uint8Array(32), 0n)],
  ['distance of 256 bits and null', 'no-fingerprint', () => scheme.distance(new Uint8Array(32), wrong(null))],
  ['similarityOfDistance of 257', 'out-of-range', () => scheme.similarityOfDistance(257, 256)],
  ['verdictOfDistance of 128 bits', 'out-of-range', () => scheme.verdictOfDistance(1, wrong(128))],
  [
    'compare of two widths',
    'label-mismatch',
    () => scheme.compare(`minhash-doc-256:${'A'.repeat(52)}`, 'minhash-doc:AAAAAAAAAAAAA'),
  ],
  ['fingerprint with another label', 'invalid-label', () => scheme.fingerprint('a', wrong({ label: 'cap8' }))],
  ['distance of null', 'no-fingerprint', () => scheme.distance(0n, wrong(null))],
  ['distance of numbers', 'wrong-type', () => scheme.distance(wrong(0), 0n)],
  ['similarityOfDistance of 65', 'out-of-range', () => scheme.similarityOfDistance(65)],
  ['isCloseMatch of 2^64', 'out-of-range', () => scheme.isCloseMatch(0n, tooLarge)],
  ['compare of a fingerprint and null', 'no-fingerprint', () => scheme.compare(0n, null)],
  ['compare of text and a fingerprint', 'wrong-type', () => scheme.compare('simhash-doc:AAAAAAAAAAAAA', wrong(0n))],
  ['compare of two widths without labels', 'label-mismatch', () => scheme.compare(0n, new Uint8Array(32))],
  ['tableKeys of null', 'no-fingerprint', () => scheme.tableKeys(wrong(null))],
  ['unpermute of 2^64', 'out-of-range', () => scheme.unpermute(tooLarge, 0)],
  ['explain of an array', 'wrong-type', () => scheme.explain(wrong([1]))],
  [
    'update after digest',
    'wrong-type',
    () => {
      const fingerprinter = scheme.createFingerprinter();
      fingerprinter.digest();
      fingerprinter.update('a');
    },
  ],
  ['update with another kind', 'wrong-type', () => scheme.createFingerprinter().update('a').update(new Uint8Array(1))],
];

test.each(cases)('%s fails with %s', (_call, code, run) => {
  let error: unknown;
  try {
    run();
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({ code });
  expect(error).toBeInstanceOf(code === 'wrong-type' ? TypeError : RangeError);
  expect((error as Error).message).toMatch(/^[^:]+: (expected )?.+, got /);
});

test('a message is short for any input', () => {
  expect(() => scheme.parse('A'.repeat(1e6))).toThrow(/^.{0,200}$/);
});
