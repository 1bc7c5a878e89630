import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { marksOf, type Reason, reasonOf, SAFE, viewMarks } from '../../src/duplicates/marks.ts';
import { DIGIT, kindOf } from '../../src/fingerprint/residue-kinds.ts';
import { countTokens } from '../../src/index.ts';
import { BOUNDARY, classOf, IGNORABLE, quickCheckOf } from '../../src/scheme/unicode.ts';
import { forAll } from '../suite.ts';
import { composingText } from '../twin/arbitraries.ts';

const marks = (text: string, tokens = 0) => viewMarks(marksOf(text, tokens), 0);
const MORE = Array.from({ length: 70 }, (_, i) => `w${String.fromCharCode(97 + (i % 26))}`).join(' ');
const page = (title: string, body: string): string => `${title}\n\n${body}\nThe end.\n${MORE}\n`;

describe('two texts are different (VER-5)', () => {
  test.each<[string, Reason | null, string, string]>([
    ['other first lines', 'title', page('# git-add', 'a'), page('# git-rm', 'a')],
    ['a first line with more words', null, page('Guide', 'a'), page('Guide to the end', 'a')],
    ['case and punctuation of a first line', null, page('# The Guide', 'a'), page('the guide:', 'a')],
    ['a first line that is another line of the other text', null, page('New name', 'Old name'), page('Old name', 'a')],
    ['a long first line', null, page(`one ${MORE}`, 'a'), page(`two ${MORE}`, 'a')],
    ['a first line without two lines after it', null, `one\n${MORE}`, `two\n${MORE}`],
    [
      'front matter',
      null,
      `---\ntitle: one\n---\n${page('Left', 'a')}`,
      `---\ntitle: two\n---\r\n${page('Left', 'a')}`,
    ],
    [
      'a first line after front matter',
      'title',
      `---\nx: y\n---\n${page('Left', 'a')}`,
      `---\nx: y\n---\n${page('Right', 'a')}`,
    ],
    [
      'front matter with CR at the ends of lines',
      'title',
      `---\rx: y\r---\r${page('Left', 'a')}`,
      `---\rx: y\r---\r${page('Right', 'a')}`,
    ],
    ['ten million empty lines after a line of hyphens', null, `---${'\n'.repeat(10_000_000)}${MORE}`, MORE],
    ['no end of front matter', 'title', page('---\nLeft', 'a'), page('---\nRight', 'a')],
    ['other numbers', 'numbers', `${MORE} 1 2`, `${MORE} 1 3`],
    ['more numbers', null, `${MORE} 1 2`, `${MORE} 2 7 1 1`],
    ['a number that occurs twice', 'numbers', `${MORE} 1 1`, `${MORE} 1 2`],
    ['nine of ten numbers', null, `${MORE} 1 2 3 4 5 6 7 8 9 10`, `${MORE} 1 2 3 4 5 6 7 8 9 11`],
    ['eight of nine numbers', 'numbers', `${MORE} 1 2 3 4 5 6 7 8 9`, `${MORE} 1 2 3 4 5 6 7 8 11`],
    ['numbers in words', 'numbers', `${MORE} RFC7231`, `${MORE} RFC7232`],
    ['numbers of another script', null, `${MORE} 12`, `${MORE} ١٢`],
    ['numbers that the other text lacks', null, `${MORE} 1 2`, MORE],
    ['words of a long text', null, `${MORE} one`, `${MORE} two`],
    ['words of a short text', 'words', 'one text with some words', 'one text with other words'],
    ['more words of a short text', null, 'one text', 'one text with more words'],
    ['case of a short text', null, 'One text', 'one TEXT'],
    ['composed and decomposed letters', null, 'un caf\u00e9', 'un cafe\u0301'],
    ['ideographs of a short text', 'words', '東京の天気', '大阪の天気'],
    ['letters beside an ideograph', null, '東Tokyo, a9é', '東 tokyo A9É'],
    ['order of ideographs', null, '京東の天気', '東京の天気'],
  ])('by %s: %s', (_what, reason, a, b) => {
    const [left, right] = [a, b].map((text) => marks(text, text.includes(MORE) ? 70 : 0));
    expect([reasonOf(left!, right!), reasonOf(right!, left!)]).toEqual([reason, reason]);
  });
});

test('what is not short is scanned for its numbers alone, with the same result', () => {
  const piece = fc.oneof(
    composingText,
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.stringMatching(/^[ -~\r\n]{0,30}$/),
    fc.constantFrom('٠٩０９𝟎½', '“x” – 日本語 한국', '\ud800', '---\n', `${MORE}\n`),
  );
  forAll([fc.array(piece, { maxLength: 6 })], 1000, (pieces) => {
    const text = pieces.join('');
    const { counts } = countTokens(text, { label: 'minhash-doc-256' });
    const tokens = counts.reduce((sum, count) => sum + count, 0);
    // No token is more than a piece.
    expect(marks(text, tokens)).toEqual(marks(text));
    expect(marks(text).pieces === null || tokens < 60).toBe(true);
  });
});

test('characters that are safe have no numbers, and step 3 leaves them as they are', () => {
  const isSafe = new RegExp(`[${SAFE}]`);
  const safe = Array.from({ length: 0x1_0000 }, (_, unit) => unit).filter((unit) =>
    isSafe.test(String.fromCharCode(unit)),
  );
  expect(safe.length).toBeGreaterThan(30_000);
  const isPlain = (unit: number): boolean =>
    kindOf(unit) !== DIGIT && classOf(unit) < IGNORABLE && quickCheckOf(unit) === BOUNDARY;
  expect(safe.filter((unit) => !isPlain(unit))).toEqual([]);
});
