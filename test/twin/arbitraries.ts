/**
 * Arbitraries for text, bytes, fingerprints and hashes that find bugs. They lean towards the places where rules meet.
 */
import fc from 'fast-check';
import { type ClassName, type Entry, twin } from './twin.ts';
import { type Category, codePointsOfCategory } from './unicode-12.ts';

const character = (codePoint: number): string => String.fromCodePoint(codePoint);

const list = (items: string): string[] => items.split(' ');

/** An element of a list that may be long. */
function oneOf<T>(list: readonly T[]): fc.Arbitrary<T> {
  return fc.nat(list.length - 1).map((index) => list[index]!);
}

function joined(part: fc.Arbitrary<string>, maxLength: number, minLength = 0): fc.Arbitrary<string> {
  return fc.array(part, { minLength, maxLength, size: 'max' }).map((parts) => parts.join(''));
}

// ----------------------------------------------------------------------------------------------------- code points

/** Any Unicode scalar value: every code point but the surrogates. */
const anyScalar: fc.Arbitrary<number> = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((n) => (n < 0xd800 ? n : n + 0x800));

/** Any 16-bit unit, as a string; surrogates are as frequent as the rest. */
const anyUnit: fc.Arbitrary<string> = fc
  .oneof(
    { arbitrary: fc.integer({ min: 0, max: 0xffff }), weight: 2 },
    { arbitrary: fc.integer({ min: 0x20, max: 0x7e }), weight: 2 },
    { arbitrary: fc.integer({ min: 0xd800, max: 0xdbff }), weight: 2 },
    { arbitrary: fc.integer({ min: 0xdc00, max: 0xdfff }), weight: 2 },
  )
  .map((unit) => String.fromCharCode(unit));

const byCategory = new Map<Category, readonly number[]>();

function listOfCategory(category: Category): readonly number[] {
  const known = byCategory.get(category) ?? codePointsOfCategory(category);
  byCategory.set(category, known);
  return known;
}

/** A code point of one general category of Unicode 12.0. Early ones come as often as all the others. */
function codePointOfCategory(category: Category): fc.Arbitrary<number> {
  const list = listOfCategory(category);
  return fc.oneof(oneOf(list.slice(0, 64)), oneOf(list));
}

/** As the design lists them. */
export const ignorableRanges = list(
  'ad-ad 34f-34f 61c-61c 115f-1160 17b4-17b5 180b-180e 200c-200f 202a-202e 2060-206f 3164-3164 fe00-fe0f feff-feff ' +
    'ffa0-ffa0 fff0-fff8 1bca0-1bca3 1d173-1d17a e0000-e0fff',
).map((range) => range.split('-').map((end) => Number.parseInt(end, 16)) as [first: number, last: number]);

const ignorable: fc.Arbitrary<number> = fc.oneof(...ignorableRanges.map(([min, max]) => fc.integer({ min, max })));

/** A code point of one class. */
function codePointOfClass(className: ClassName): fc.Arbitrary<number> {
  if (className === 'ignorable') return ignorable;
  const wanted: Readonly<Record<Exclude<ClassName, 'ignorable'>, readonly Category[]>> = {
    letter: ['Lu', 'Ll', 'Lt', 'Lm', 'Lo'],
    word: ['Mn', 'Nd', 'Pc'],
    unassigned: ['Cn'],
    break: list('Mc Me Nl No Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Co') as Category[],
  };
  return fc
    .oneof(...wanted[className].map(codePointOfCategory))
    .filter((codePoint) => twin.classify(codePoint) === className);
}

/** Code points at the edge of some rule. */
const specialCodePoints: readonly number[] = [
  ...[
    0x00, 0x09, 0x0a, 0x0d, 0x20, 0x27, 0x2d, 0x2e, 0x30, 0x39, 0x3a, 0x40, 0x41, 0x5a, 0x5b, 0x5f, 0x60, 0x61, 0x7a,
    0x7b,
  ],
  ...[0x7f, 0x80, 0x85, 0x9f, 0xa0, 0xaa, 0xad, 0xb2, 0xb7, 0xba, 0xbc],
  // letters that fold to ASCII, or to more than one letter
  ...[0x130, 0x131, 0x17f, 0x212a, 0x212b, 0xdf, 0x1e9e, 0x1c5, 0x3c2, 0xfb01],
  // zero width: U+200B is a break, its neighbours are ignorable
  ...[0x200a, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2060, 0xfeff, 0x34f, 0x61c, 0x180e, 0x180d],
  // marks: Mn, Mc, Me; some of them ignorable, reordered or composed
  ...[
    0x300, 0x301, 0x307, 0x308, 0x323, 0x327, 0x338, 0x345, 0x488, 0x489, 0x5b0, 0x64b, 0x903, 0x93e, 0x93c, 0x94d,
    0x9be,
  ],
  ...[0x302a, 0x302e, 0x302f, 0x3099, 0x309a, 0x20dd, 0x1d165, 0x1d16d, 0x1d1aa],
  // numbers and connectors
  ...[
    0x660, 0x966, 0x2070, 0x2160, 0x2188, 0x3007, 0x3021, 0x203f, 0x2040, 0x2054, 0xfe33, 0xfe4d, 0xff3f, 0xff10,
    0x1d7ce,
  ],
  // NFC: singletons, exclusions, what decomposes into a break and a mark
  ...[
    0x340, 0x341, 0x343, 0x344, 0x374, 0x37e, 0x387, 0x1fef, 0x2000, 0x2126, 0x2329, 0x2adc, 0x958, 0xfb1d, 0xf900,
    0xfa0e,
  ],
  ...[0x1d15e, 0x2f800, 0x226e, 0x2260, 0x1e9b],
  // Hangul: jamo at the ends of the composing ranges and just outside, LV, LVT, fillers
  ...[0x1100, 0x1112, 0x1113, 0x115f, 0x1160, 0x1161, 0x1175, 0x1176, 0x11a7, 0x11a8, 0x11c2, 0x11c3, 0xac00, 0xac01],
  ...[0xac1c, 0xd7a3, 0xd7a4, 0x3131, 0x3164, 0xffa0],
  // the ends of Unicode 12.0: assigned later, noncharacters, private use
  ...[0x378, 0x32ff, 0x20c0, 0x61d, 0x870, 0x2065, 0xfdd0, 0xfdef, 0xfffe, 0xffff, 0x1fffe, 0x10ffff, 0xe000, 0xf0000],
  ...[0x30000, 0x9ff0, 0x2a6d7, 0x4db6, 0xfff0, 0xfff8, 0xfff9, 0xfffc, 0xfffd, 0xe0001, 0xe0fff, 0xe1000],
  // astral letters and neighbours
  ...[0x10000, 0x10400, 0x10428, 0x1d400, 0x1f600, 0x20000, 0x1f1e6, 0x1f3fb],
];

const specialCodePoint: fc.Arbitrary<number> = fc.constantFrom(...specialCodePoints);

/** A scalar value; every class and every edge often. */
export const classWeightedCodePoint: fc.Arbitrary<number> = fc.oneof(
  { arbitrary: fc.integer({ min: 0x61, max: 0x7a }), weight: 4 },
  { arbitrary: fc.constant(0x20), weight: 2 },
  { arbitrary: codePointOfClass('letter'), weight: 4 },
  { arbitrary: codePointOfClass('word'), weight: 4 },
  { arbitrary: codePointOfClass('break'), weight: 3 },
  { arbitrary: codePointOfClass('ignorable'), weight: 3 },
  { arbitrary: codePointOfClass('unassigned'), weight: 2 },
  { arbitrary: specialCodePoint, weight: 4 },
  { arbitrary: anyScalar, weight: 1 },
);

// ------------------------------------------------------------------------------------------------------------ text

/** Text of any scalar values. */
export const anyText: fc.Arbitrary<string> = joined(anyScalar.map(character), 40);

/** Text of any 16-bit units, lone surrogates included. */
const anyUnits: fc.Arbitrary<string> = joined(
  fc.oneof({ arbitrary: anyUnit, weight: 3 }, { arbitrary: anyScalar.map(character), weight: 1 }),
  40,
);

/** Text with every class well represented. */
const classText: fc.Arbitrary<string> = joined(classWeightedCodePoint.map(character), 60);

const nonspacing = codePointOfCategory('Mn');

const hangul: fc.Arbitrary<string> = joined(
  fc
    .oneof(
      fc.integer({ min: 0x1100, max: 0x1113 }),
      fc.integer({ min: 0x1160, max: 0x1176 }),
      fc.integer({ min: 0x11a7, max: 0x11c3 }),
      fc.nat(398).map((n) => 0xac00 + 28 * n),
      fc.integer({ min: 0xac00, max: 0xd7a3 }),
    )
    .map(character),
  6,
  1,
);

/** A base and marks in any order, a Hangul piece, something that has a decomposition, or either of its two forms. */
const composingPiece: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(...'aeioucnszAEK=<>qxw\u00c5\u0105\u1e69\u03b1\u0438\u0928\u0915\u304b\u30cf\u2adc\u05d0\u0627'),
      fc.array(
        fc.constantFrom(
          ...[0x300, 0x301, 0x302, 0x303, 0x307, 0x308, 0x323, 0x327, 0x328, 0x338, 0x345, 0x5b0, 0x5bc, 0x653, 0x654],
          ...[0x93c, 0x3099, 0x309a, 0x302a, 0x302e, 0x20dd, 0x488, 0x200d, 0x34f, 0xad, 0x378],
        ),
        { maxLength: 4 },
      ),
    )
    .map(([base, marks]) => base + marks.map(character).join('')),
  hangul,
  specialCodePoint.map((codePoint) => character(codePoint).normalize('NFD')),
  codePointOfClass('letter').map((codePoint) => character(codePoint).normalize('NFD')),
  codePointOfClass('letter').map((codePoint) => character(codePoint).normalize('NFC')),
  nonspacing.map(character),
  specialCodePoint.map(character),
  fc.constantFrom(' ', 'a', 'e', '.', '1', '_', '\u00ad', '\u200d', '\u200b', '\ufeff'),
);

/** Text that NFC changes, with what is deleted or replaced before NFC in between. */
export const composingText: fc.Arbitrary<string> = joined(composingPiece, 16);

const words = list(
  "a The quick brown IPv6 x86_64 naïve 2nd 42 _ 3.14 don't état Straße наука résumé 文書 ひらがな 한국어 हिन्दी عربي " +
    'می‌خواهم soft\u00adhyphen ไทย \u{10400}\u{10428} 𝒳 😀',
);

/** Text like prose: words of many scripts and marks between. */
export const prose: fc.Arbitrary<string> = fc
  .array(
    fc.tuple(fc.constantFrom(...words), fc.constantFrom(' ', ' ', ' ', ', ', '. ', '\n', '-', '\u2019', '\u200b', '/')),
    {
      maxLength: 30,
      size: 'max',
    },
  )
  .map((pairs) => pairs.flat().join(''));

// ------------------------------------------------------------------------------------------------------- locators

/** The prefixes of LOC-7, as the rule has them. */
export const prefixes = list(
  'ark arxiv cid data did doi hdl info isbn issn magnet mailto orcid pmcid pmid swh tel urn',
);

/** A word with each letter in either case. */
function mixedCase(word: string): fc.Arbitrary<string> {
  return fc
    .array(fc.boolean(), { minLength: word.length, maxLength: word.length })
    .map((upper) => [...word].map((c, i) => (upper[i] ? c.toUpperCase() : c)).join(''));
}

const hexRun = (min: number, max: number, digits = '0123456789abcdefABCDEF') =>
  joined(fc.constantFrom(...digits), max, min);

const hexPiece: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(4, 8, 12, 31, 32, 33, 40).chain((n) => hexRun(n, n)),
  fc.constantFrom(31, 32, 33, 64).chain((n) => hexRun(n, n, 'abcdefABCDEF')),
  fc.constantFrom(31, 32, 33).chain((n) => fc.nat(n).map((at) => `${'a'.repeat(at)}0${'a'.repeat(n - at)}`)),
);

const uuid: fc.Arbitrary<string> = fc
  .tuple(hexRun(8, 8), hexRun(4, 4), hexRun(4, 4), hexRun(4, 4), hexRun(12, 12))
  .map((parts) => parts.join('-'));

const nearUuid: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(7, 8, 8, 8, 9),
    fc.constantFrom(3, 4, 4, 4, 5),
    fc.constantFrom(4, 4, 4, 5),
    fc.constantFrom('-', '-', '-', '', '_', '\u2010'),
    fc.constantFrom(11, 12, 12, 12, 13),
  )
  .chain(([a, b, c, dash, e]) =>
    fc.tuple(hexRun(a, a), hexRun(b, b), hexRun(c, c), hexRun(4, 4), hexRun(e, e)).map((parts) => parts.join(dash)),
  );

const digitRun = (min: number, max: number) => joined(fc.constantFrom(...'0123456789'), max, min);

const doi: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(...list('10. 10. 10. 10 1. 11. .10. 010.')),
    digitRun(3, 10),
    fc.array(
      fc.tuple(fc.constantFrom('.', '.', '.', '..', ',', '-'), digitRun(0, 3)).map((pair) => pair.join('')),
      { maxLength: 2 },
    ),
    fc.constantFrom('/', '/', '/', '', '//', '/ ', '\\'),
  )
  .map(([start, registrant, groups, slash]) => start + registrant + groups.join('') + slash);

const labels: fc.Arbitrary<string> = fc
  .array(fc.constantFrom('a', 'b1', '-', 'x-y', 'com', 'Z', '', '_', 'é'), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join('.'));

const localParts: fc.Arbitrary<string> = joined(fc.constantFrom(...'aZ09._%+-', 'user', 'é', '!', ''), 5);

const email: fc.Arbitrary<string> = fc
  .tuple(localParts, fc.constantFrom('@', '@', '@', '@', '@@', ''), labels)
  .map((parts) => parts.join(''));

/** Part of a match, or the end of one. */
const tail: fc.Arbitrary<string> = joined(fc.constantFrom(...'aZ0/?#.-_~%@:([=', '\u00e9'), 4, 1);

/** One of the seven forms as it should be. */
const wholeLocator: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(fc.constantFrom('http', 'HTTPS', 'a', 'git+ssh', 'x-y.z', 'z39.50r'), tail)
    .map(([scheme, rest]) => `${scheme}://x${rest}`),
  fc.tuple(mixedCase('www'), tail).map(([www, rest]) => `${www}.x${rest}`),
  fc.tuple(fc.constantFrom(...prefixes).chain(mixedCase), tail).map(([prefix, rest]) => `${prefix}:x${rest}`),
  fc
    .tuple(digitRun(4, 9), fc.array(digitRun(1, 3), { maxLength: 2 }), tail)
    .map(([registrant, groups, rest]) => `${['10', registrant, ...groups].join('.')}/x${rest}`),
  fc
    .tuple(
      joined(fc.constantFrom(...'aZ09._%+-'), 4, 1),
      fc.array(fc.constantFrom('a', 'b1', '-', 'x-', 'Z'), { minLength: 2, maxLength: 4 }),
    )
    .map(([local, names]) => `${local}@${names.join('.')}`),
  uuid,
  fc.constantFrom(32, 33, 40, 64).chain((n) => hexRun(n, n)),
);

/** The neighbours of a match: characters that are in no form, only in some, ASCII or not. */
const beside: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constantFrom(' ', '\n', '<', '>', '"', '|', '{', '}', '\\', '^', '`', '\u00a0'), weight: 4 },
  { arbitrary: fc.constantFrom(...'()[],;!=/:@&*$~?#', "'"), weight: 2 },
  { arbitrary: fc.constantFrom(...'._%+-', '_@', '.@', '-_', '..', '--'), weight: 3 },
  { arbitrary: fc.constantFrom('a', 'Z', '0', '9', 'g', 'G', 'x'), weight: 2 },
  {
    arbitrary: fc.constantFrom(...'\u00e9\u017f\u0130\u0131\u0663\uff10\uff41\u0301\u{10400}\u{1f600}\ufffd'),
    weight: 2,
  },
);

const fragment: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: beside, weight: 5 },
  { arbitrary: wholeLocator, weight: 6 },
  fc.constantFrom(...list('http https HTTP a ftp git+ssh x-y.z 1a z39.50r')),
  fc.constantFrom(...list(':// :/ // : :// / ? # = &')),
  fc.oneof(mixedCase('www'), fc.constantFrom('ww', 'wwww', 'www')).chain((w) => fc.constantFrom(w, `${w}.`, `${w}.`)),
  fc.constantFrom(...prefixes).chain(mixedCase),
  fc.constantFrom(...prefixes).chain((prefix) => mixedCase(prefix).map((mixed) => `${mixed}:`)),
  fc.constantFrom(...list('i\u017fbn: \u0131nfo: \u0130ssn: pmc: data did doi metadata:')),
  doi,
  email,
  fc.constantFrom(...list('@ @a.b a@ .com -. .- 10. 10.1234 10.1234/')),
  nearUuid,
  hexPiece,
);

/** Text glued from pieces of locators, whole ones and near misses. */
export const locatorText: fc.Arbitrary<string> = joined(fragment, 8);

/** The same, with code points that step 3 deletes, replaces or composes between the pieces. */
export const raggedLocatorText: fc.Arbitrary<string> = joined(
  fc.oneof(
    { arbitrary: fragment, weight: 5 },
    {
      arbitrary: fc.constantFrom(
        ...['\u00ad', '\u200d', '\u200b', '\ufeff', '\u037e', '\u212a', '\u0301', '\u0338', '\u0378', '\u2060'],
      ),
      weight: 2,
    },
  ),
  10,
);

/** Text that costs a careless scanner quadratic time, in small: `a.a.a.a…`, `----`, `a@b.a@b.`, `10.1234.1.1.1…`. */
export const repetitiveLocatorText: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('', 'é', '1', '_', '('),
    fc.constantFrom(...list('a. a- a+ - . % _ a@ a@b. 1. 10. www ab a: doi 0- :/')),
    fc.integer({ min: 1, max: 60 }),
    fc.constantFrom('', '://x', '@a.b', '@a', ':x', '/x', ' ', 'é', '.', 'g', '10.1234/x'),
  )
  .map(([start, unit, times, end]) => start + unit.repeat(times) + end);

/** Text of any of the kinds above. */
export const text: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: classText, weight: 3 },
  { arbitrary: composingText, weight: 3 },
  { arbitrary: prose, weight: 2 },
  { arbitrary: locatorText, weight: 2 },
  { arbitrary: raggedLocatorText, weight: 2 },
  { arbitrary: repetitiveLocatorText, weight: 1 },
  { arbitrary: anyText, weight: 1 },
);

/** Well-formed text or not. */
export const textOrUnits: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: text, weight: 4 },
  { arbitrary: anyUnits, weight: 1 },
  { arbitrary: fc.tuple(text, anyUnits, text).map((parts) => parts.join('')), weight: 1 },
);

// ------------------------------------------------------------------------------------------------------------ runs

/** A token whose UTF-8 form has exactly this many bytes (1 or more). */
export function tokenOfBytes(length: number): fc.Arbitrary<string> {
  // Letters of 1, 2, 3 and 4 bytes; the rest is filled up with ASCII.
  return fc.array(fc.constantFrom(...list('a Z é ж 文 한 \u{10400} 9 _')), { maxLength: length }).map((characters) => {
    const encoder = new TextEncoder();
    let token = '';
    let bytes = 0;
    for (const c of characters) {
      const more = encoder.encode(c).length;
      if (bytes + more < length) {
        token += c;
        bytes += more;
      }
    }
    return `${token}${'x'.repeat(length - bytes)}`;
  });
}

/** Tokens of every length modulo 12, short ones and long ones. */
export const runToken: fc.Arbitrary<string> = fc
  .tuple(fc.nat(11), fc.oneof(fc.nat(2), fc.nat(20)))
  .chain(([remainder, blocks]) => tokenOfBytes(Math.max(1, 12 * blocks + remainder)));

/** Text of such tokens, and long runs of one character. */
export const runText: fc.Arbitrary<string> = joined(
  fc.oneof(
    runToken,
    fc.constantFrom(' ', ' ', '\n', '.'),
    fc
      .tuple(
        fc.constantFrom(
          ...['a', 'é', '0', '_', '\u0301', '\u00ad', '.', ' ', '\u{1f600}', '\u{20000}', 'ᄀ', '각', '\u0378'],
        ),
        fc.nat(200),
      )
      .map(([c, times]) => c.repeat(times)),
  ),
  8,
);

// ---------------------------------------------------------------------------------------------------------- bytes

/** Any bytes. */
const anyBytes: fc.Arbitrary<Uint8Array> = fc.uint8Array({ maxLength: 64, size: 'max' });

const utf8 = (string: string): number[] => [...new TextEncoder().encode(string)];

/** A number written as a UTF-8 sequence of the given length, whether that is allowed or not. */
function asSequence(codePoint: number, length: number): number[] {
  if (length === 1) return [codePoint % 0x80];
  const trailing: number[] = [];
  let left = codePoint;
  for (let i = 1; i < length; i += 1) {
    trailing.unshift(0x80 + (left % 64));
    left = Math.floor(left / 64);
  }
  const lead = [0, 0, 0xc0, 0xe0, 0xf0, 0xf8, 0xfc][length]!;
  return [lead + (left % 2 ** (7 - length)), ...trailing];
}

const bytePiece: fc.Arbitrary<number[]> = fc.oneof(
  { arbitrary: classWeightedCodePoint.map((codePoint) => utf8(character(codePoint))), weight: 4 },
  // cut short
  {
    arbitrary: fc
      .tuple(anyScalar, fc.nat(3))
      .map(([codePoint, less]) => utf8(character(codePoint)).slice(0, -less || undefined)),
    weight: 2,
  },
  // overlong, surrogates, beyond U+10FFFF, sequences of five and six bytes
  {
    arbitrary: fc
      .tuple(fc.oneof(fc.nat(0x7f), fc.nat(0x7ff), fc.nat(0xffff), fc.nat(0x1fffff)), fc.integer({ min: 1, max: 6 }))
      .map(([codePoint, length]) => asSequence(codePoint, length)),
    weight: 2,
  },
  { arbitrary: fc.integer({ min: 0xd800, max: 0xdfff }).map((codePoint) => asSequence(codePoint, 3)), weight: 1 },
  { arbitrary: fc.integer({ min: 0x110000, max: 0x1fffff }).map((codePoint) => asSequence(codePoint, 4)), weight: 1 },
  // leads and the bytes at the ends of the ranges
  {
    arbitrary: fc
      .constantFrom(
        ...[0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef],
        ...[0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf7, 0xf8, 0xfb, 0xfc, 0xfd, 0xfe, 0xff],
      )
      .map((byte) => [byte]),
    weight: 5,
  },
  // marks of byte order: UTF-8, UTF-16, UTF-32
  {
    arbitrary: fc.constantFrom<number[]>(
      [0xef, 0xbb, 0xbf],
      [0xef, 0xbb],
      [0xfe, 0xff],
      [0xff, 0xfe],
      [0xff, 0xfe, 0, 0],
    ),
    weight: 1,
  },
);

const byteSequence: fc.Arbitrary<number[]> = fc.array(bytePiece, { maxLength: 20, size: 'max' }).map((p) => p.flat());

/** Bytes: well-formed, cut short, overlong, with surrogates, marks of byte order at the start, or random. */
export const bytes: fc.Arbitrary<Uint8Array> = fc.oneof(
  {
    arbitrary: fc
      .tuple(
        fc.constantFrom<number[]>(
          [],
          [],
          [0xef, 0xbb, 0xbf],
          [0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf],
          [0xff, 0xfe],
          [0xfe, 0xff],
          [0xef],
        ),
        byteSequence,
      )
      .map((parts) => Uint8Array.from(parts.flat())),
    weight: 4,
  },
  { arbitrary: text.map((string) => Uint8Array.from(utf8(string))), weight: 2 },
  { arbitrary: anyBytes, weight: 1 },
);

// ---------------------------------------------------------------------------------------------------------- chunks

/** Places to cut something of this length at, ascending; repeats make empty pieces. */
export function cuts(length: number, maxCuts = 8): fc.Arbitrary<number[]> {
  return fc.oneof(
    {
      arbitrary: fc.array(fc.nat(length), { maxLength: maxCuts }).map((list) => list.sort((a, b) => a - b)),
      weight: 4,
    },
    // everything in pieces of one
    { arbitrary: fc.constant(Array.from({ length: Math.max(0, length - 1) }, (_, i) => i + 1)), weight: 1 },
  );
}

/** The pieces of a text (between any two 16-bit units) or of bytes. */
function cutAt<T extends string | Uint8Array>(whole: T, places: readonly number[]): T[] {
  const ends = [...places, whole.length];
  return ends.map((end, i) => whole.slice(i === 0 ? 0 : ends[i - 1], end) as T);
}

/** Something and its pieces. */
export function chunked<T extends string | Uint8Array>(
  whole: fc.Arbitrary<T>,
): fc.Arbitrary<{ whole: T; pieces: T[] }> {
  return whole.chain((value) => cuts(value.length).map((places) => ({ whole: value, pieces: cutAt(value, places) })));
}

export const chunkedText: fc.Arbitrary<{ whole: string; pieces: string[] }> = chunked(textOrUnits);
export const chunkedBytes: fc.Arbitrary<{ whole: Uint8Array; pieces: Uint8Array[] }> = chunked(bytes);

// ------------------------------------------------------------------------------------------ fingerprints and hashes

const all = (1n << 64n) - 1n;

const places: fc.Arbitrary<number[]> = fc.uniqueArray(fc.nat(63), { maxLength: 8 });

const maskOf = (list: readonly number[]): bigint => list.reduce((mask, place) => mask | (1n << BigInt(place)), 0n);

/** A fingerprint: random, or with few ones, or with few zeros, or with equal halves or blocks. */
export const fingerprint: fc.Arbitrary<bigint> = fc.oneof(
  { arbitrary: fc.bigInt({ min: 0n, max: all }), weight: 4 },
  { arbitrary: places.map(maskOf), weight: 2 },
  { arbitrary: places.map((list) => all ^ maskOf(list)), weight: 2 },
  { arbitrary: fc.bigInt({ min: 0n, max: 0xffffffffn }).map((half) => (half << 32n) | half), weight: 1 },
  { arbitrary: fc.constantFrom(0n, 1n, 1n << 63n, all, all >> 1n, all >> 32n, 0x0123456789abcdefn), weight: 1 },
);

/** Two fingerprints exactly `flips.length` bits apart, up to `maxFlips`. */
export function nearPair(maxFlips: number): fc.Arbitrary<{ a: bigint; b: bigint; distance: number }> {
  return fc
    .tuple(fingerprint, fc.uniqueArray(fc.nat(63), { maxLength: maxFlips, size: 'max' }))
    .map(([a, flips]) => ({ a, b: a ^ maskOf(flips), distance: flips.length }));
}

/** Hashes for step 8: random ones; pairs that cancel out everywhere; lists that miss a tie by one. */
export const hashes: fc.Arbitrary<bigint[]> = fc.oneof(
  fc.array(fingerprint, { maxLength: 12 }),
  // every counter ties
  fc
    .array(fingerprint, { minLength: 1, maxLength: 6 })
    .chain((list) => fc.shuffledSubarray([...list, ...list.map((hash) => hash ^ all)], { minLength: 2 * list.length })),
  // every counter ties but for one hash, or a few bits of one
  fc
    .tuple(fc.array(fingerprint, { minLength: 1, maxLength: 6 }), fingerprint, places)
    .map(([list, last, few]) => [last, ...list, last ^ all ^ maskOf(few), ...list.map((hash) => hash ^ all)]),
  // repeats count
  fc
    .tuple(fingerprint, fc.integer({ min: 1, max: 9 }), fc.array(fingerprint, { maxLength: 6 }))
    .map(([hash, times, others]) => [...others, ...new Array<bigint>(times).fill(hash)]),
);

/** Hashes for minhash: few and many, near one another, repeated, and the edges of unsigned numbers. */
export const elements: fc.Arbitrary<bigint[]> = fc.oneof(
  { arbitrary: fc.array(fingerprint, { maxLength: 12 }), weight: 3 },
  fc.array(fc.bigInt({ min: 0n, max: all }), { minLength: 20, maxLength: 80 }),
  fc
    .tuple(fingerprint, fc.integer({ min: 1, max: 9 }))
    .map(([hash, times]) => [...new Array<bigint>(times).fill(hash), hash ^ 1n]),
  // Elements that share draws: S(x + increment, n - 1) = S(x, n).
  fc
    .tuple(fingerprint, fc.integer({ min: 1, max: 6 }))
    .map(([hash, times]) => Array.from({ length: times }, (_, i) => (hash + BigInt(i) * 0x9e3779b97f4a7c15n) & all)),
);

/** A fingerprint of 256 bits: four words, often equal or extreme ones. */
export const wideFingerprint: fc.Arbitrary<Uint8Array> = fc
  .array(fingerprint, { minLength: 4, maxLength: 4 })
  .map((words) =>
    Uint8Array.from(Buffer.from(words.map((word) => word.toString(16).padStart(16, '0')).join(''), 'hex')),
  );

/** Document ids whose order by UTF-8 bytes differs from their order by 16-bit units, and others. */
export const documentId: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...['', 'a', 'A', 'aa', 'b', '10', '9', 'é', '\uff5e', '\ue000', '\ufffd', '\u{10000}', '\u{10ffff}'],
    ...['a\u{10000}', 'a\uffe5'],
  ),
  joined(fc.constantFrom(...list('a b 0 9 . / é \ud7ff \ue000 \u{1f600}')), 5),
);

/** Entries with different ids, in clusters of near fingerprints, and a query near one of them. */
export const entriesAndQuery: fc.Arbitrary<{ entries: Entry[]; query: bigint }> = fc
  .tuple(
    fc.array(fingerprint, { minLength: 3, maxLength: 3 }),
    fc.uniqueArray(
      fc.record({
        id: documentId,
        centre: fc.nat(2),
        flips: fc.uniqueArray(fc.nat(63), { maxLength: 10, size: 'max' }),
      }),
      { selector: ({ id }) => id, maxLength: 12, size: 'max' },
    ),
    fc.uniqueArray(fc.nat(63), { maxLength: 4 }),
  )
  .map(([centres, list, flips]) => ({
    entries: list.map(({ id, centre, flips: away }) => ({ id, fingerprint: centres[centre]! ^ maskOf(away) })),
    query: centres[0]! ^ maskOf(flips),
  }));

/** The same with 256 bits: entries share some words with one of three centres, nearly. */
export const wideEntriesAndQuery: fc.Arbitrary<{ entries: Entry[]; query: Uint8Array }> = fc
  .tuple(
    fc.array(wideFingerprint, { minLength: 3, maxLength: 3 }),
    fc.uniqueArray(
      fc.record({
        id: documentId,
        centre: fc.nat(2),
        flips: fc.uniqueArray(fc.nat(255), { maxLength: 40, size: 'max' }),
        inverted: fc.uniqueArray(fc.nat(3), { maxLength: 3, size: 'max' }),
      }),
      { selector: ({ id }) => id, maxLength: 12, size: 'max' },
    ),
  )
  .map(([centres, list]) => ({
    entries: list.map(({ id, centre, flips, inverted }) => {
      const bytes = centres[centre]!.slice();
      for (const flip of flips) bytes[flip >> 3]! ^= 0x80 >> (flip & 7);
      for (const word of inverted) for (let i = 8 * word; i < 8 * word + 8; i++) bytes[i]! ^= 0xff;
      return { id, fingerprint: bytes };
    }),
    query: centres[0]!,
  }));

// ----------------------------------------------------------------------------------------------------- written forms

/** Strings a strict reader of fingerprints must decide on: right ones and near misses. */
export const fingerprintText: fc.Arbitrary<string> = fc
  .tuple(
    fc.oneof({ arbitrary: fc.constant(''), weight: 9 }, fc.constantFrom(' ', '\n', '\ufeff', 'simhash-doc:', ':')),
    fc.oneof(
      {
        arbitrary: joined(fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567abcdefghijklmnopqrstuvwxyz'), 12, 12),
        weight: 8,
      },
      joined(fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'), 13, 11),
      fc
        .tuple(fc.nat(11), fc.constantFrom(...'0189=-_ \n\u017f\u0131\u0130\u212a\uff21\u{1d400}\u00e9'))
        .map(([at, wrong]) => 'ABCDEFGHIJKL'.slice(0, at) + wrong + 'ABCDEFGHIJKL'.slice(at + 1)),
    ),
    fc.oneof(
      { arbitrary: fc.constantFrom(...'ACEGIKMOQSUWYacegikmoqsuwy246'), weight: 6 },
      { arbitrary: fc.constantFrom(...'BDFHJLNPRTVXZbdfhjlnprtvxz357'), weight: 2 },
      fc.constantFrom('', '0', '1', '8', '9', '=', '\u212a', '\u017f'),
    ),
    fc.oneof(
      { arbitrary: fc.constantFrom('', '', '==='), weight: 6 },
      fc.constantFrom(
        ...['=', '==', '====', '======', ' ', '\n', '\r\n', '\u0000', '=== ', '===\n', '= ==', '\u200b', 'A', 'AA==='],
      ),
    ),
  )
  .map((parts) => parts.join(''));

/** Strings of 256 bits: right ones and near misses. */
export const wideFingerprintText: fc.Arbitrary<string> = fc
  .tuple(
    joined(fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567abcdefghijklmnopqrstuvwxyz'), 51, 51),
    fc.oneof({ arbitrary: fc.constantFrom(...'AQaq'), weight: 6 }, fc.constantFrom(...'BCEIRYbciy27', '', '1', '=')),
    fc.oneof(
      { arbitrary: fc.constantFrom('', '===='), weight: 5 },
      fc.constantFrom('=', '===', '=====', ' ', '\n', '====\n', 'A', '\u200b'),
    ),
    fc.oneof({ arbitrary: fc.constant(0), weight: 6 }, fc.nat(51)),
  )
  .map(([head, last, tail, dropped]) => (head + last).slice(dropped) + tail);

/** Labels, right ones and near misses. */
export const labelText: fc.Arbitrary<string> = fc.oneof(
  mixedCase('simhash-doc'),
  mixedCase('simhash-doc+bg1'),
  mixedCase('minhash-doc'),
  mixedCase('minhash-doc-256'),
  fc.constantFrom(
    ...['', 'simhash', 'simhash-doc ', ' simhash-doc', 'simhash-doc+', 'simhash-doc++bg1', 'simhash-doc+bg1+bg1'],
    ...['simhash-doc+cap8', 'simhash-doc+bg1+', 'simhash-doc+1bg', 'simhash-doc+b-g', '+bg1', 'bg1', 'simhash_doc'],
    ...['minhash-doc+bg1', 'minhash-doc-256+bg1', 'minhash-doc-64', 'minhash-doc-512', 'minhash-doc256', 'minhash'],
    ...['simhash-doc-256', 'minhash-doc-256 ', 'minhash-doc-2\uff156', '\u017fimhash-doc', 'minha\u017fh-doc'],
    ...['simha\u017fh-doc', 's\u0131mhash-doc', 's\u0130mhash-doc', 'simhash-doc\n', 'simhash-docs'],
    ...['simhash-doc+constructor', 'constructor', '__proto__', 'toString'],
  ),
);
