import { expect, test } from 'vitest';
import { printable, quote } from '../../src/common/text.ts';

test.each([
  ['a zero-width space', 'a\u200bb', 'a\\u{200b}b'],
  ['a byte order mark', 'a\ufeff', 'a\\u{feff}'],
  ['a soft hyphen', 'a\u00adb', 'a\\xadb'],
  ['a tag', 'a\u{e0041}b', 'a\\u{e0041}b'],
  ['a word joiner', 'a\u2060b', 'a\\u{2060}b'],
  ['a Hangul filler', '\u3164', '\\u{3164}'],
  ['an interlinear mark', '\ufff9x', '\\u{fff9}x'],
  ['a joiner between Latin letters', 'a\u200db', 'a\\u{200d}b'],
  ['a non-joiner alone', '\u200c', '\\u{200c}'],
  ['a joiner at the end of a word', 'क्\u200d', 'क्\\u{200d}'],
  ['a joiner before a letter', '👩\u200db', '👩\\u{200d}b'],
  ['a non-joiner between pictures', '👩\u200c👩', '👩\\u{200c}👩'],
  ['two joiners', 'ش\u200d\u200dش', 'ش\\u{200d}\\u{200d}ش'],
])('printable escapes %s', (_, name, shown) => {
  expect(printable(name)).toBe(shown);
});

test.each([
  'می\u200cخواهم',
  'क्\u200dष',
  '👩\u200d👩\u200d👧',
  '❤\ufe0f\u200d🔥',
  '👍🏽\u200d👩',
  '葛\u{e0100}',
  'é',
  'plain.txt',
])('printable keeps a joiner or selector that is needed: %s', (name) => {
  expect(printable(name)).toBe(name);
});

test('a quotation of invisible characters is JSON of the same text', () => {
  const text = 'a\u{e0041}\u200b"b';
  expect(quote(text)).toMatch(/^[ -~]*$/);
  expect(JSON.parse(quote(text))).toBe(text);
});
