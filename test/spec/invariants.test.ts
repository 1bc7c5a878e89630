/** "What does not change a fingerprint" of spec/simhash-doc.md. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classify, fingerprint } from '../../src/index.ts';
import { forAll, IS_SLOW } from '../suite.ts';
import { text as anyText } from '../twin/arbitraries.ts';

const isUnassigned = (character: string): boolean => classify(character.codePointAt(0)!) === 'unassigned';

const WHITE_SPACE = /[\0- \u0085\u00a0\u2028\u2029\u3000]+/gu;

const same = (change: (text: string, random: number) => string, prepare = (text: string): string => text): void =>
  forAll([anyText, fc.nat()], IS_SLOW ? 2000 : 500, (text, random) => {
    const prepared = prepare(text);
    expect(fingerprint(change(prepared, random))).toBe(fingerprint(prepared));
  });

describe('the fingerprint does not change', () => {
  test('with ignorable code points anywhere', () => {
    same((text, random) => {
      const characters = Array.from(text);
      const ignorable = ['\ufeff', '\u00ad', '\u200d', '\u034f'][random % 4]!;
      return characters.toSpliced(random % (characters.length + 1), 0, ignorable).join('');
    });
  });

  test('with several U+FFFD instead of one', () => {
    same((text, random) => text.replace(/\ufffd+/g, '\ufffd'.repeat(1 + (random % 4))));
    for (const bytes of [[0xe2, 0x82], [0xf0, 0x9f, 0x98], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xff]]) {
      const document = Uint8Array.of(0x61, ...bytes, 0x62);
      for (const count of [1, 2, 3, 4]) expect(fingerprint(`a${'\ufffd'.repeat(count)}b`)).toBe(fingerprint(document));
    }
  });

  test('in NFC and in NFD', () => {
    // The normaliser of the runtime may be of a later version: code points that are not in 12.0 are replaced first.
    const known = (text: string): string => Array.from(text, (one) => (isUnassigned(one) ? '?' : one)).join('');
    same((text) => text.normalize('NFD'), known);
    same((text) => text.normalize('NFC'), known);
  });

  test('with other white space', () => {
    same((text, random) => {
      return text.replace(WHITE_SPACE, [' ', '\n', '\r\n\t ', '\u3000', '\u2028\u00a0', '\0'][random % 6]!);
    });
  });

  test('in another order of its parts', () => {
    same((text, random) => {
      const parts = text.split(WHITE_SPACE);
      const at = random % parts.length;
      return [...parts.slice(at), ...parts.slice(0, at)].join(' ');
    });
  });
});
