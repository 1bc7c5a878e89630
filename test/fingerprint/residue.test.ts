import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import unicode from 'unicode-properties';
import { describe, expect, test } from 'vitest';
import { extract, type Medium } from '../../src/extract/index.ts';
import { createResidue, type Difference, differencesOf, type Residue } from '../../src/fingerprint/residue.ts';
import {
  asciiDigitOf,
  DASH,
  DIGIT,
  foldCase,
  kindOf,
  LETTER,
  MARK,
  SPACE,
} from '../../src/fingerprint/residue-kinds.ts';
import { countTokens, overlap } from '../../src/index.ts';
import { classify } from '../../src/scheme/classify.ts';
import { forAll } from '../suite.ts';
import { chunkedBytes, chunkedText, composingText, locatorText } from '../twin/arbitraries.ts';
import { cut } from './pipelines.ts';

function residueOf(...pieces: readonly (string | Uint8Array)[]): Residue {
  const residue = createResidue();
  for (const piece of pieces) residue.update(piece);
  return residue.digest();
}

/** The differences of two texts whose tokens agree, or agree by so much. */
function differences(a: string, b: string, share?: number, matchCase = false): readonly Difference[] {
  const common = share ?? overlap(countTokens(`x ${a}`), countTokens(`x ${b}`));
  return differencesOf(residueOf(a), residueOf(b), common, { matchCase });
}

const INVOICE = `Invoice 2024-117
To the account DE02 1203 0000 0000 2020 51, with thanks for your order of three bells.
Total: € 1,240.00, payable within 14 days. Terms: https://example.org/terms/117`;

describe('invoices with the same words', () => {
  test.each<[string, string, string, readonly Difference[]]>([
    ['amount', '1,240.00', '1,420.00', ['numbers']],
    ['separators', '1,240.00', '1.240,00', ['numbers']],
    ['account', '2020 51', '2020 15', ['numbers']],
    ['URL', 'terms/117', 'terms/118', ['locators']],
    ['currency', '€', '$', ['characters']],
    ['date', '2024-117', '2023-117', ['numbers']],
    ['sign', '€ 1,240', '€ -1,240', ['numbers']],
    ['nothing', '', '', []],
  ])('differ in the %s', (_what, from, to, expected) => {
    expect(differences(INVOICE, INVOICE.replace(from, to))).toEqual(expected);
  });

  test('differ in numbers even if only most words are shared', () => {
    const other = INVOICE.replace('three bells', 'three drums').replace('14', '30');
    expect(differences(INVOICE, other)).toEqual(['numbers']);
    expect(differences(INVOICE, INVOICE.replace('three bells', 'three drums;'))).toEqual([]);
  });
});

describe('numbers', () => {
  test.each([
    ['a digit within a word', '2021年3月5日', '2021年4月5日', 0.9],
    ['an exponent', '10² m', '10³ m', 1],
    ['a ratio', 'at 1:2', 'at 1/2', 1],
    ['a boundary', '12 3', '1 23', 1],
    ['a digit of a word', 'type A4 paper', 'type A5 paper', 0.9],
    ['a letter between two', 'type a5b6', 'type a56b', 0.9],
    ['a minus sign', 'at -5', 'at 5', 1],
    ['a plus sign', 'at +5', 'at 5', 1],
    ['a minus sign after a bracket', '(−5)', '(5)', 1],
    ['an apostrophe', "1'000", '1000', 1],
    ['an order', '1 2', '2 1', 1],
  ])('differ by %s', (_what, a, b, share) => {
    expect(differences(a, b, share)).toEqual(['numbers']);
  });

  test.each([
    ['minus signs', 'at -5, −6, –7', 'at −5, –6, -7'],
    ['ranges', '1939–1945', '1939-1945'],
    ['apostrophes', "1'000", '1’000'],
    ['spaces', '1\u202f000', '1 000'],
    ['digits of other scripts', 'at ٣٫٥ and ３', 'at 3٫5 and 3'],
    ['a hyphen after a word', 'covid-19', 'covid 19'],
    ['the end of a sentence', 'in “2014”', "in '2014'"],
  ])('agree except for typography: %s', (_what, a, b) => {
    expect(differences(a, b, 1)).toEqual([]);
  });

  test('do not include punctuation after them', () => {
    expect(differences('in 2014.', 'in 2014!', 1)).toEqual(['characters']);
    expect(differences('5+3', '5-3', 1)).toContain('numbers');
  });
});

describe('locators', () => {
  test.each([
    ['digits', 'see https://x.y/1 a', 'see https://x.y/2 a'],
    ['an address', 'mail ann@example.org', 'mail bob@example.org'],
    ['a digest', `sum ${'0a'.repeat(16)}`, `sum ${'0b'.repeat(16)}`],
    ['one more', 'see https://x.y/ now', 'see https://x.y/ https://x.y/ now'],
    ['a space between two', 'see https://x.y/ https://y.x now', 'see https://x.y/https://y.x now'],
    ['an order', 'https://x.y https://y.x', 'https://y.x https://x.y'],
  ])('differ by %s', (_what, a, b) => {
    expect(differences(a, b)).toEqual(['locators']);
  });

  test('may be in quotation marks of any kind', () => {
    expect(differences("see 'https://x.y/a' now", 'see ‘https://x.y/a’ now')).toEqual([]);
  });
});

describe('characters', () => {
  const code = 'int f(int a, int b) {\n  a = -b;\n  a -= b * c;\n  *p = a--;\n  return a + b / c;\n}';
  test.each([
    ['+', '-'],
    ['/', '%'],
    ['= -b', '= b'],
    ['-=', '='],
    ['*p', 'p'],
    ['a--;', 'a;'],
    ['a = ', 'a == '],
    ['b * c', 'b / c'],
    ['(int a', '(_ int a'],
  ])('differ by the operators of a program: %s, %s', (from, to) => {
    expect(differences(code, code.replace(from, to))).toEqual(['characters']);
  });

  test.each([
    ['quotation marks', '"It\'s", he said, "so."', '„It’s“, he said, «so.»'],
    ['dashes', 'a bell - or two -- rings — no', 'a bell – or two—rings – no'],
    ['hyphens', 'a well-known bell', 'a well‐known bell'],
    ['soft hyphens', 'a bell', 'a be\u00adll'],
    ['bullets', '- one\n* two\n• three', 'one\n• two\n\uf0b7 three'],
    ['ellipses', 'and so on...', 'and so on…'],
    ['spaces', 'a bell ,\trings !\n', 'a bell, rings!'],
    ['zero-width spaces', 'a / b', 'a\u200b/\u200bb'],
    ['joiners', 'ferry — boat', 'fer\u2060ry – boat'],
  ])('agree except for typography: %s', (_what, a, b) => {
    expect(differences(a, b)).toEqual([]);
  });

  test('include vowel signs outside tokens', () => {
    expect(differences('कि', 'की')).toEqual(['characters']);
  });

  test('distinguish filled boxes from empty ones', () => {
    expect(differences('■ yes □ no', '□ yes ■ no')).toEqual(['characters']);
  });

  test('count only if all tokens agree', () => {
    expect(differences('a + b', 'a - b', 0.99)).toEqual([]);
  });
});

describe('words', () => {
  test('differ in another order, and then the order of the characters does not count', () => {
    expect(differences('One, two. Three!', 'Three! One, two.')).toEqual(['order']);
    expect(differences('One, two. Three!', 'Three? One, two.')).toEqual(['characters', 'order']);
    expect(differences('Red red', 'red Red')).toEqual(['order']);
    expect(differences('ab c', 'ab c', 0.9)).toEqual([]);
  });

  test('differ in another case on request', () => {
    const [a, b] = ['Der Fluß bei Ὀδυσσεύς', 'DER FLUß bei ὈΔΥΣΣΕΎΣ'];
    expect(differences(a, b)).toEqual([]);
    expect(differences(a, b, undefined, true)).toEqual(['case']);
    expect(differences(a, a, undefined, true)).toEqual([]);
    expect(differences(a, `${b} bell`, undefined, true)).toEqual([]);
  });
});

describe('a document', () => {
  const pieces = fc.oneof(
    chunkedText,
    chunkedBytes,
    fc.record({ whole: locatorText, size: fc.integer({ min: 1, max: 9 }) }).map(({ whole, size }) => ({
      whole,
      pieces: cut(whole, size),
    })),
  );
  test('has the same residue however it is cut', () => {
    forAll([pieces], 100, ({ whole, pieces }) => {
      expect(residueOf(...pieces)).toEqual(residueOf(whole));
    });
  });

  test('with locators side by side has the same residue however it is cut', () => {
    const text = "see a@b.c-_x@y.z/1—-5.0*'6'... https://x.y/…+7--\n* 8,9 Ё";
    for (let size = 1; size < text.length; size++) expect(residueOf(...cut(text, size))).toEqual(residueOf(text));
  });

  test('has the same residue in NFC and NFD, as text and as UTF-8', () => {
    forAll([composingText], 100, (text) => {
      const expected = residueOf(text);
      expect(residueOf(text.normalize('NFD'))).toEqual(expected);
      expect(residueOf(new TextEncoder().encode(text.normalize('NFC')))).toEqual(expected);
    });
  });

  test('has the residue of the document alone, whatever others are read before or at the same time', () => {
    const text = 'x -1, Y+ https://x.y/ "…';
    const expected = residueOf(text);
    const [a, b] = [createResidue().update(text.slice(0, 5)), createResidue().update('Bell 7* https://y')];
    b.digest();
    expect(a.update(text.slice(5)).digest()).toEqual(expected);
    expect(residueOf(text)).toEqual(expected);
  });

  test('has a residue even without characters, and a long one of each kind', () => {
    expect(differencesOf(residueOf(), residueOf(''), 1)).toEqual([]);
    for (const one of ['1', '+', 'Ж', 'https://x.y/'])
      expect(residueOf(one.repeat(5000)), one).not.toEqual(residueOf(one.repeat(5001)));
  });
});

test('one document as HTML, EPUB, DOCX, ODT and PDF has all characters of its plain text', async () => {
  const { vectors } = JSON.parse(
    readFileSync(new URL('../../vectors/extract-media.json', import.meta.url), 'utf8'),
  ) as {
    vectors: { id: string; input: { base64: string; type: Medium } }[];
  };
  const texts = new Map<string, string>();
  for (const { id, input } of vectors)
    texts.set(id, (await extract(Buffer.from(input.base64, 'base64'), { type: input.type })).text);
  for (const [id, text] of texts) {
    const [, language, medium] = /ferry-(.*)-(.*)/.exec(id)!;
    const plain = texts.get(`extract-media/ferry-${language}-text`)!;
    // The JATS has labels of its own.
    if (medium !== 'jats') expect(differences(plain, text), id).not.toContain('characters');
    expect(differences(plain, text), id).not.toContain('locators');
    if (medium === 'odt') expect(differences(plain, text), id).toEqual([]);
  }
});

test('the kinds are those of the categories of Unicode 12.0', () => {
  const wrong: number[] = [];
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
    const wordClass = classify(codePoint);
    if (wordClass === 'unassigned' || wordClass === 'ignorable') continue;
    const category = unicode.getCategory(codePoint);
    const kind = kindOf(codePoint);
    const isRight =
      (kind === DIGIT) === category.startsWith('N') &&
      (kind === LETTER) === category.startsWith('L') &&
      (kind === MARK) === ['Mn', 'Pc'].includes(category) &&
      (kind === DASH) === (category === 'Pd' || codePoint === 0x2212) &&
      (kind === SPACE || !/^[ZC]/.test(category) || ['Co', 'Cs'].includes(category));
    if (!isRight) wrong.push(codePoint);
    if (kind === DIGIT && category === 'Nd' && (asciiDigitOf(codePoint) < 0x30 || asciiDigitOf(codePoint) > 0x39))
      wrong.push(codePoint);
  }
  expect(wrong).toEqual([]);
  expect(Array.from('٠٩０９𝟎𝟿½一', (one) => String.fromCodePoint(asciiDigitOf(one.codePointAt(0)!))).join('')).toBe(
    '090909½一',
  );
  expect(Array.from('AÉΣςſЖßİ', (one) => String.fromCodePoint(foldCase(one.codePointAt(0)!))).join('')).toBe(
    'aéσσsжßİ',
  );
});
