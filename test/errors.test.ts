import { expect, test } from 'vitest';
import * as scheme from '../src/index.ts';

// A value that is not of the declared type, as a caller without types would give it.
// biome-ignore lint/suspicious/noExplicitAny: that is the point.
const wrong = (value: unknown): any => value;
const tooLarge = 2n ** 64n;

const cases: readonly [call: string, code: string, run: () => unknown][] = [
  ['decode of a string', 'wrong-type', () => scheme.decode(wrong('a'))],
  ['decode of an ArrayBuffer', 'wrong-type', () => scheme.decode(wrong(new ArrayBuffer(1)))],
  ['toWellFormed of bytes', 'wrong-type', () => scheme.toWellFormed(wrong(new Uint8Array(1)))],
  ['classify of a string', 'wrong-type', () => scheme.classify(wrong('a'))],
  ['classify of -1', 'out-of-range', () => scheme.classify(-1)],
  ['classify of 110000', 'out-of-range', () => scheme.classify(0x110000)],
  ['classify of a fraction', 'out-of-range', () => scheme.classify(65.5)],
  ['classify of NaN', 'out-of-range', () => scheme.classify(Number.NaN)],
  ['normalise of null', 'wrong-type', () => scheme.normalise(wrong(null))],
  ['stripLocators of a number', 'wrong-type', () => scheme.stripLocators(wrong(1))],
  ['findLocators of undefined', 'wrong-type', () => scheme.findLocators(wrong(undefined))],
  ['tokenise of bytes', 'wrong-type', () => scheme.tokenise(wrong(new Uint8Array(1)))],
  ['hashToken of a number', 'wrong-type', () => scheme.hashToken(wrong(1))],
  ['hashlittle2 of a string', 'wrong-type', () => scheme.hashlittle2(wrong('a'))],
  ['hashlittle2 with pc too large', 'out-of-range', () => scheme.hashlittle2(new Uint8Array(0), 2 ** 32)],
  ['hashlittle2 with pb negative', 'out-of-range', () => scheme.hashlittle2(new Uint8Array(0), 0, -1)],
  ['simhash of numbers', 'wrong-type', () => scheme.simhash(wrong([1]))],
  ['simhash of a hash too large', 'out-of-range', () => scheme.simhash([tooLarge])],
  ['simhash of a negative hash', 'out-of-range', () => scheme.simhash([-1n])],
  ['simhash with too few weights', 'out-of-range', () => scheme.simhash([1n, 2n], [1])],
  ['simhash with too many weights', 'out-of-range', () => scheme.simhash([1n], [1, 2])],
  ['simhash with an infinite weight', 'out-of-range', () => scheme.simhash([1n], [Number.POSITIVE_INFINITY])],
  ['simhash with a weight of another type', 'wrong-type', () => scheme.simhash([1n], wrong(['1']))],
  ['toBytes of a number', 'wrong-type', () => scheme.toBytes(wrong(1))],
  ['toBytes of 2^64', 'out-of-range', () => scheme.toBytes(tooLarge)],
  ['toBytes of null', 'no-fingerprint', () => scheme.toBytes(wrong(null))],
  ['fromBytes of seven', 'out-of-range', () => scheme.fromBytes(new Uint8Array(7))],
  ['fromBytes of an array', 'wrong-type', () => scheme.fromBytes(wrong([1, 2, 3, 4, 5, 6, 7, 8]))],
  ['toHex of -1', 'out-of-range', () => scheme.toHex(-1n)],
  ['fromHex of 15 digits', 'invalid-fingerprint', () => scheme.fromHex('0'.repeat(15))],
  ['fromHex with a line end', 'invalid-fingerprint', () => scheme.fromHex(`${'0'.repeat(16)}\n`)],
  ['fromHex with 0x', 'invalid-fingerprint', () => scheme.fromHex(`0x${'0'.repeat(16)}`)],
  ['fromHex of a bigint', 'wrong-type', () => scheme.fromHex(wrong(1n))],
  ['serialise of null', 'no-fingerprint', () => scheme.serialise(wrong(null))],
  ['parse of null', 'wrong-type', () => scheme.parse(wrong(null))],
  ['parse with a spare bit', 'invalid-fingerprint', () => scheme.parse('AAAAAAAAAAAAB')],
  ['parse with a line end', 'invalid-fingerprint', () => scheme.parse('AAAAAAAAAAAAA\n')],
  ['parse of the labelled form', 'invalid-fingerprint', () => scheme.parse('simhash-doc:AAAAAAAAAAAAA')],
  ['parseLabel of nothing', 'invalid-label', () => scheme.parseLabel('')],
  ['parseLabel of a name that is not registered', 'invalid-label', () => scheme.parseLabel('simhash-doc+cap8')],
  ['parseLabel of minhash-doc with a name', 'invalid-label', () => scheme.parseLabel('minhash-doc+bg1')],
  ['parseLabel of a name every object has', 'invalid-label', () => scheme.parseLabel('constructor')],
  ['parseLabel of a symbol', 'wrong-type', () => scheme.parseLabel(wrong(Symbol('label')))],
  ['formatLabelled with another label', 'invalid-label', () => scheme.formatLabelled('minhash', 0n)],
  ['formatLabelled of null', 'no-fingerprint', () => scheme.formatLabelled('simhash-doc', wrong(null))],
  ['parseLabelled of a bare fingerprint', 'invalid-label', () => scheme.parseLabelled('AAAAAAAAAAAAA')],
  ['parseLabelled, both parts wrong', 'invalid-label', () => scheme.parseLabelled('minhash:1')],
  ['parseLabelled, two colons', 'invalid-fingerprint', () => scheme.parseLabelled('simhash-doc::AAAAAAAAAAAAA')],
  ['draw of a number', 'wrong-type', () => scheme.draw(wrong(1), 0)],
  ['draw of 2^64', 'out-of-range', () => scheme.draw(tooLarge, 0)],
  ['draw with n of 512', 'out-of-range', () => scheme.draw(0n, 512)],
  ['draw with n of -1', 'out-of-range', () => scheme.draw(0n, -1)],
  ['draw with n of another type', 'wrong-type', () => scheme.draw(0n, wrong(1n))],
  ['minhash of a string', 'wrong-type', () => scheme.minhash(wrong('a'), 1)],
  ['minhash of a hash too large', 'out-of-range', () => scheme.minhash([1n, tooLarge], 1)],
  ['minhash with two words', 'out-of-range', () => scheme.minhash([1n], wrong(2))],
  ['findWinners of numbers', 'wrong-type', () => scheme.findWinners(wrong([1]), 4)],
  ['truncate of null', 'no-fingerprint', () => scheme.truncate(wrong(null))],
  ['truncate of a bigint', 'wrong-type', () => scheme.truncate(wrong(1n))],
  ['truncate of 31 bytes', 'out-of-range', () => scheme.truncate(new Uint8Array(31))],
  ['serialise of 8 bytes', 'out-of-range', () => scheme.serialise(new Uint8Array(8))],
  ['toHex of 33 bytes', 'out-of-range', () => scheme.toHex(new Uint8Array(33))],
  [
    'parse of 13 characters as 256 bits',
    'invalid-fingerprint',
    () => scheme.parse('AAAAAAAAAAAAA', { label: 'minhash-doc-256' }),
  ],
  [
    'parse of 52 characters as 64 bits',
    'invalid-fingerprint',
    () => scheme.parse('A'.repeat(52), { label: 'minhash-doc' }),
  ],
  [
    'parse of an item and its position, as map passes them',
    'wrong-type',
    () => ['A'.repeat(13)].map(wrong(scheme.parse)),
  ],
  ['parse with another label', 'invalid-label', () => scheme.parse('AAAAAAAAAAAAA', { label: 'minhash' })],
  [
    'fromHex of 16 digits as 256 bits',
    'invalid-fingerprint',
    () => scheme.fromHex('0'.repeat(16), { label: 'minhash-doc-256' }),
  ],
  ['fromHex with another label', 'invalid-label', () => scheme.fromHex('0'.repeat(16), { label: 'minhash' })],
  ['formatLabelled of bytes as 64 bits', 'wrong-type', () => scheme.formatLabelled('minhash-doc', new Uint8Array(32))],
  ['formatLabelled of a bigint as 256 bits', 'wrong-type', () => scheme.formatLabelled('minhash-doc-256', 0n)],
  ['distance of 256 bits and 64', 'label-mismatch', () => scheme.distance(new Uint8Array(32), 0n)],
  ['distance of 64 bits and 256', 'label-mismatch', () => scheme.distance(0n, new Uint8Array(32))],
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
  ['similarity of null', 'no-fingerprint', () => scheme.similarity(wrong(null), 0n)],
  ['similarityOfDistance of 65', 'out-of-range', () => scheme.similarityOfDistance(65)],
  ['verdictOfDistance of -1', 'out-of-range', () => scheme.verdictOfDistance(-1)],
  ['isLooseMatch of null', 'no-fingerprint', () => scheme.isLooseMatch(wrong(null), 0n)],
  ['isCloseMatch of 2^64', 'out-of-range', () => scheme.isCloseMatch(0n, tooLarge)],
  ['compare of bare fingerprints', 'invalid-label', () => scheme.compare('AAAAAAAAAAAAA', 'AAAAAAAAAAAAA')],
  ['compare of a fingerprint and null', 'no-fingerprint', () => scheme.compare(0n, null)],
  ['compare of text and a fingerprint', 'wrong-type', () => scheme.compare('simhash-doc:AAAAAAAAAAAAA', wrong(0n))],
  ['compare of a fingerprint and text', 'wrong-type', () => scheme.compare(0n, wrong('simhash-doc:AAAAAAAAAAAAA'))],
  ['compare of two widths without labels', 'label-mismatch', () => scheme.compare(0n, new Uint8Array(32))],
  ['tableKeys of null', 'no-fingerprint', () => scheme.tableKeys(wrong(null))],
  ['tableKey of table 16', 'out-of-range', () => scheme.tableKey(0n, 16)],
  ['permute of table -1', 'out-of-range', () => scheme.permute(0n, -1)],
  ['unpermute of 2^64', 'out-of-range', () => scheme.unpermute(tooLarge, 0)],
  ['probeKeys with k of 65', 'out-of-range', () => [...scheme.probeKeys(0n, 0, 65)]],
  ['probesPerTable of -1', 'out-of-range', () => scheme.probesPerTable(-1)],
  ['fingerprint of null', 'wrong-type', () => scheme.fingerprint(wrong(null))],
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
