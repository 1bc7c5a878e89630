import { classOf, LETTER as LETTER_CLASS, WORD } from '../scheme/unicode.ts';

// The kinds of code points for a residue, by the data of Unicode 12.0 (DerivedGeneralCategory.txt, version 12.0.0).

/** White space, controls and invisible characters, which never count. */
export const SPACE = 0;
export const LETTER = 1;
/** Marks and connectors, which are parts of words but are not words. */
export const MARK = 2;
/** General categories Nd, Nl and No. */
export const DIGIT = 3;
/** Separators within a number, if digits are on both sides. */
export const SEPARATOR = 4;
export const DASH = 5;
export const PLUS = 6;
export const QUOTE = 7;
/** A symbol that is a bullet at the beginning of a line. */
export const LINE_BULLET = 8;
const SYMBOL = 9;

/** Ranges from U+0080 on: how far each begins after the one before, and how many code points follow its first. Base 36. */
const DECIMAL_DIGITS =
  '19c+9 3q+9 5i+9 bg+9 3a+9 3a+9 3a+9 3a+9 3a+9 3a+9 3a+9 3a+9 3a+9 2o+9 3a+9 1y+9 7q+9 1y+9 1fq+9 12+9 8c+9 ' +
  '3k+9 4m+9 6+9 52+9 2e+9 3q+9 6+9 r7q+9 iu+9 12+9 5i+9 m+9 2e+9 ba+9 geu+9 13a+9 1om+9 mk+9 3k+9 1o+9 40+9 ' +
  '7q+9 9i+9 3a+9 ae+9 2u+9 2u+9 bq+9 o6+9 6u+9 1y+9 f5i+9 6e+9 lf8+1d 1ts+9 bq+9 192+9';
const OTHER_NUMBERS =
  '4y+1 5 2+2 1th+5 ag+5 3c+2 3p+6 61+6 h+8 c1+9 tx+j oh+2 73+9 dc 1at 3+5 6+9 5i+1e 2+4 k6+1n 26+l hi+t 12h ll ' +
  'p+8 e+2 9j+3 3u+9 u+7 1+e w+9 13+e mxy+9 8w+5 hjl+18 c+1k h+1 9h+q 10+3 t 8 3q+4 w2+7 p+6 13+8 23+4 m+5 4g+1 ' +
  '2+f 2+19 1s+8 1g+1 u+2 23+4 2w+7 o+7 15+6 96+5 9s+u 4e+9 16+3 71+j aj+j 11h+1 by+8 o7+i nn+k tn+32 e0c+6 m6+m ' +
  'jt5+j 30+o 47i+8 pt+1m 1+2 1+3 24+18 1+e qq+c';
/** Category Pd, and U+2212. */
const DASHES = '13e 1f 2td sl 1l5+5 e4 2dg 2 v+1 4 d7 j 33 14ls+1 11 a 4p';
/** Categories Zs, Zl, Zp, Cc and Cf. */
const SPACES = '3k+w c 11u+5 m 5c 1d cy 2ot b1 1kh+f o+7 1b+5 1+9 32o 14vy 6x+2 3b5 f 6zm+8 qxz+3 43z+7 h406 u+2n';

type Range = readonly [first: number, last: number];

function rangesOf(text: string): Range[] {
  let end = 0;
  return text.split(' ').map((part) => {
    const [gap, more = '0'] = part.split('+') as [string, string?];
    const first = end + Number.parseInt(gap, 36);
    const last = first + Number.parseInt(more, 36);
    end = last + 1;
    return [first, last];
  });
}

/** Bullets wherever they are: the dots, small squares, triangles, and bullets of the fonts Symbol and Wingdings. */
const BULLETS = '\u2022\u2023\u2043\u204c\u204d\u2219\u25aa\u25ab\u25e6\uf02d\uf06f\uf076\uf0a7\uf0b7\uf0d8';
/** Filled and empty boxes and circles may be answers: only filled ones are bullets, and only before the text of a line. */
const LINE_BULLETS = '*\u00b7\u25a0\u25b6\u25b8\u25ba\u25c6\u25cf\u2756\u27a2\u27a4';
const QUOTES =
  '\'"\u00ab\u00b4\u00bb\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2032\u2033\u2034\u2035\u2036\u2037\u2039\u203a\u301d\u301e\u301f\uff02\uff07';
const SEPARATORS = '.,:/\u066b\u066c\u2044';

const DECIMALS = rangesOf(DECIMAL_DIGITS);
const RANGES: readonly (readonly [kind: number, ranges: readonly Range[]])[] = [
  [DIGIT, [[0x30, 0x39], ...DECIMALS, ...rangesOf(OTHER_NUMBERS)]],
  [DASH, rangesOf(DASHES)],
  [SPACE, [[0x00, 0x20], [0x7f, 0x7f], ...rangesOf(SPACES)]],
];
const SINGLE: ReadonlyMap<number, number> = new Map(
  (
    [
      [BULLETS, SPACE],
      [LINE_BULLETS, LINE_BULLET],
      [QUOTES, QUOTE],
      [SEPARATORS, SEPARATOR],
      ['-', DASH],
      ['+', PLUS],
    ] as const
  ).flatMap(([text, kind]) => Array.from(text, (one) => [one.codePointAt(0)!, kind] as const)),
);

function deriveKind(codePoint: number): number {
  const isIn = ([first, last]: Range): boolean => codePoint >= first && codePoint <= last;
  const kind = SINGLE.get(codePoint) ?? RANGES.find(([, list]) => list.some(isIn))?.[0];
  if (kind !== undefined) return kind;
  const wordClass = classOf(codePoint);
  return wordClass === LETTER_CLASS ? LETTER : wordClass === WORD ? MARK : SYMBOL;
}

const kinds = new Uint8Array(0x110000);

export function kindOf(codePoint: number): number {
  const known = kinds[codePoint]!;
  if (known > 0) return known - 1;
  const kind = deriveKind(codePoint);
  kinds[codePoint] = kind + 1;
  return kind;
}

export const ASCII_KINDS = Uint8Array.from({ length: 0x80 }, (_, codePoint) => kindOf(codePoint));

export function asciiDigitOf(codePoint: number): number {
  // Decimal digits come in runs that begin with a zero.
  const range = DECIMALS.find(([first, last]) => codePoint >= first && codePoint <= last);
  return range === undefined ? codePoint : 0x30 + ((codePoint - range[0]) % 10);
}

/** Almost all letters that have case are before this one. */
const MAX_FOLDED = 0x3000;
/** The lower case of code points plus one, each derived on first use. */
const folded = new Uint32Array(MAX_FOLDED);

/**
 * Returns the lower case, if that is one code point, and σ for ς. The version of the engine does not matter: assigned characters
 * never become a pair of cases later (stability policy of Unicode).
 */
export function foldCase(codePoint: number): number {
  if (codePoint >= MAX_FOLDED) return deriveLower(codePoint);
  const known = folded[codePoint]!;
  if (known > 0) return known - 1;
  const lower = deriveLower(codePoint);
  folded[codePoint] = lower + 1;
  return lower;
}

function deriveLower(codePoint: number): number {
  // Ideographs and Hangul syllables have no case.
  if (codePoint >= 0x3000 && codePoint < 0xa000) return codePoint;
  if (codePoint >= 0xac00 && codePoint < 0xd7b0) return codePoint;
  return convert(convert(codePoint, 'toUpperCase'), 'toLowerCase');
}

function convert(codePoint: number, method: 'toUpperCase' | 'toLowerCase'): number {
  const [one, ...others] = String.fromCodePoint(codePoint)[method]();
  return others.length > 0 ? codePoint : one!.codePointAt(0)!;
}
