import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encode, encodeInto } from '../../src/common/utf8.ts';
import { forAll } from '../suite.ts';

/** Texts with code points of every length, and with lone surrogates. */
const anyText = fc.string({
  unit: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\ud800', '\udfff', '\udbff')),
});

test('encodeInto equals the Encoding API for any room', () => {
  forAll([anyText, fc.nat(40)], 2000, (text, room) => {
    const [own, platform] = [new Uint8Array(room), new Uint8Array(room)];
    expect(encodeInto(text, own)).toEqual(new TextEncoder().encodeInto(text, platform));
    expect(own).toEqual(platform);
  });
});

test.each(['a', 'é', '文', '\u{1f600}', '\ud800'])('encodeInto writes no part of %j', (character) => {
  const { length } = new TextEncoder().encode(character);
  expect(encodeInto(character, new Uint8Array(length - 1))).toEqual({ read: 0, written: 0 });
  expect(encodeInto(character, new Uint8Array(length))).toEqual({ read: character.length, written: length });
});

test('encode equals the Encoding API for well-formed texts', () => {
  forAll([anyText], 100, (text) => {
    const wellFormed = text.replace(/[\ud800-\udfff]/gu, '?');
    expect(encode(wellFormed)).toEqual(new TextEncoder().encode(wellFormed));
  });
});
