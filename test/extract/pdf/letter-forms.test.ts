import { expect, test } from 'vitest';
import { isAccent, joinAccent, SPACING_ACCENTS } from '../../../src/extract/pdf/letter-forms.ts';

/** The characters that Unicode decomposes into a space and a mark, by that mark. Those up to U+02FF are drawn over Latin letters. */
const ACCENTS = Array.from({ length: 0x300 - 0x80 }, (_, i) => String.fromCharCode(0x80 + i)).flatMap((accent) => {
  const [, mark] = /^ (\p{Mn})$/u.exec(accent.normalize('NFKD')) ?? [];
  return mark === undefined ? [] : [[accent, mark] as const];
});

/** The letters of Latin scripts that consist of a letter and one mark. */
const LETTERS = Array.from({ length: 0x180 - 0xc0 }, (_, i) => String.fromCharCode(0xc0 + i))
  .map((letter) => [letter, ...letter.normalize('NFD')] as const)
  .filter(([, base, mark]) => base !== undefined && mark !== undefined);

test('free-standing accents join their letters', () => {
  for (const [accent, mark] of ACCENTS) {
    expect([accent, isAccent(accent.charCodeAt(0))]).toEqual([accent, true]);
    expect([accent, joinAccent(accent, 'x')]).toEqual([accent, `x${mark}`.normalize('NFC')]);
  }
  for (const accent of '`^~\u02C6\u02C7\u02C9\u02CA')
    expect([accent, isAccent(accent.charCodeAt(0))]).toEqual([accent, true]);
  for (const other of ['a', "'", '"', '\u00AA', '\u0300', '_', '+'])
    expect([other, isAccent(other.charCodeAt(0)), joinAccent(other, 'a'), joinAccent('a', other)]).toEqual([
      other,
      false,
      null,
      null,
    ]);
});

test.each(LETTERS)('the mark of %s has an accent, which joins its letter before and after', (letter, base, mark) => {
  const accent = SPACING_ACCENTS.get(mark!)!;
  expect(accent).toEqual(expect.any(String));
  for (const [before, after] of [
    [accent, base!],
    [base!, accent],
  ] as const)
    expect(joinAccent(`a-${before}`, `${after}-b`)).toBe(`a-${letter}-b`);
});

test('a dotless letter carries an accent in place of its dot; a wide cedilla leaves no space', () => {
  expect(['\u0131', '\u0237'].map((dotless) => joinAccent('^', dotless))).toEqual(['\u00EE', '\u0135']);
  expect(joinAccent('C', '\u00B8 a')).toBe('\u00C7a');
  expect(joinAccent('c', '\u00B8 a')).toBe('\u00E7 a');
});
