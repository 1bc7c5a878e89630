import type { GeneratingRule } from '../../../../src/conformance/types.ts';
import { type CaseOf, type Group, list } from '../case.ts';
import { languages, wordsOf } from './languages.ts';

type DocumentCase = CaseOf<'fingerprint'>;

const PAGE = 400;

const bySpaces = [' ', ' ', ' ', ' ', ' ', ' ', ' ', ' ', ', ', '. ', '\n', '-'];
const withoutSpaces = ['', '', '', '', '', '', '\u3001', '\u3002', '\u3002\n'];
const inBlocks = ['', '', '', ' ', ' ', '\n'];

const separatorsOf: Readonly<Record<string, readonly string[]>> = {
  'zh-hans': withoutSpaces,
  ja: withoutSpaces,
  th: inBlocks,
};

/** A document of words of a language. */
function words(code: string, seed: number, count: number): GeneratingRule {
  const language = languages.find((each) => each.code === code)!;
  const vocabulary = wordsOf(language);
  return { rule: 'words', seed, count, vocabulary, separators: separatorsOf[code] ?? bySpaces };
}

const pages = list('1 2 3 5 8 13 20 35 50').map(Number);

/** A document in each language with enough words; the number of pages goes round from 1 to 50. */
const byLanguage = languages
  .filter(({ more }) => more !== undefined)
  .map(({ code, name, flags }, i): DocumentCase => {
    const count = pages[i % pages.length]!;
    return {
      ...{ name: `language-${code}`, operation: 'fingerprint' },
      title: `${count} page${count === 1 ? '' : 's'} of words in ${name}`,
      ...{ rules: ['TOK-2', 'TOK-4', 'HSH-1', 'SIM-2'], flags: [...new Set(['LongInput', ...list(flags)])] },
      input: { generate: words(code, 1000 + i, count * PAGE) },
    };
  });

type Range = readonly [first: number, last: number, times?: number];

const spaces = (times: number): Range => [0x20, 0x20, times];

/** Scripts by blocks that hold letters, marks, digits, punctuation and what is not assigned. */
const scripts: readonly (readonly [name: string, title: string, flags: string, ...ranges: Range[]])[] = [
  ['ascii', 'ASCII without control characters', 'Underscore', [0x20, 0x7e], spaces(15)],
  ['latin-1', 'Latin-1 with its control characters', 'AsciiOnly', [0x00, 0xff], spaces(40)],
  ['latin', 'the Latin blocks', 'AsciiOnly', [0x41, 0x5a], [0x61, 0x7a], [0xc0, 0x24f], [0x1e00, 0x1eff], spaces(100)],
  [
    'ipa',
    'phonetic letters, modifiers and marks',
    'MarkClass Reordering',
    [0x61, 0x7a],
    [0x250, 0x36f],
    [0x1ab0, 0x1aff],
    [0x1dc0, 0x1dff],
    spaces(80),
  ],
  [
    'combining',
    'a few letters with many marks',
    'Reordering MissingNfc',
    ...Array.from('aeioucnsqAEIOUX', (one): Range => [one.charCodeAt(0), one.charCodeAt(0)]),
    [0x300, 0x34f],
    spaces(10),
  ],
  [
    'greek',
    'Greek, with its extended block',
    'Singleton MissingNfc',
    [0x370, 0x3ff],
    [0x1f00, 0x1fff],
    [0x300, 0x345],
    spaces(70),
  ],
  [
    'cyrillic',
    'Cyrillic and its supplements',
    'EnclosingMark',
    [0x400, 0x52f],
    [0x2de0, 0x2dff],
    [0xa640, 0xa69f],
    spaces(80),
  ],
  [
    'caucasus',
    'Armenian and Georgian',
    'NewerUnicode',
    [0x530, 0x58f],
    [0x10a0, 0x10ff],
    [0x1c90, 0x1cbf],
    [0x2d00, 0x2d2f],
    spaces(60),
  ],
  [
    'hebrew',
    'Hebrew and its presentation forms',
    'CompositionExclusion Reordering',
    [0x590, 0x5ff],
    [0xfb1d, 0xfb4f],
    spaces(30),
  ],
  [
    'arabic',
    'Arabic, its supplements and presentation forms',
    'Reordering Nfkc NewerUnicode',
    [0x600, 0x6ff],
    [0x750, 0x77f],
    [0x870, 0x8ff],
    [0xfb50, 0xfdff],
    [0xfe70, 0xfeff],
    spaces(200),
  ],
  [
    'indic',
    'the Indic blocks from Devanagari to Sinhala',
    'SpacingMark CompositionExclusion NewerUnicode',
    [0x900, 0xdff],
    [0x200c, 0x200d],
    spaces(200),
  ],
  [
    'south-east-asia',
    'Thai, Lao, Tibetan, Burmese, Khmer',
    'MarkClass SpacingMark CompositionExclusion',
    [0xe00, 0x109f],
    [0x1780, 0x17ff],
    [0x200b, 0x200b],
    spaces(100),
  ],
  ['ethiopic', 'Ethiopic', 'OtherNumber', [0x1200, 0x139f], [0x2d80, 0x2ddf], spaces(60)],
  [
    'americas',
    'Cherokee and syllabics',
    'NewerUnicode',
    [0x13a0, 0x167f],
    [0x18b0, 0x18ff],
    [0xab70, 0xabbf],
    spaces(100),
  ],
  [
    'mongolian',
    'Mongolian with its selectors',
    'Ignorable NewerUnicode',
    [0x1800, 0x18af],
    [0x180b, 0x180f],
    [0x202f, 0x202f],
    spaces(25),
  ],
  [
    'jamo',
    'conjoining jamo and syllables',
    'Hangul',
    [0x1100, 0x11ff],
    [0x1100, 0x1112],
    [0x1161, 0x1175],
    [0x11a7, 0x11c2],
    [0xac00, 0xac40],
    spaces(30),
  ],
  ['hangul', 'Hangul syllables and compatibility jamo', 'Hangul', [0xac00, 0xd7ff], [0x3130, 0x318f], spaces(3000)],
  [
    'kana',
    'kana with voicing marks, half-width forms, CJK punctuation',
    'MissingNfc Nfkc Segmenter',
    [0x3000, 0x30ff],
    [0x3099, 0x309a],
    [0xff61, 0xff9f],
    spaces(20),
  ],
  [
    'han',
    'ideographs of all blocks, with compatibility ones',
    'Segmenter NewerUnicode Singleton',
    [0x3400, 0x4dbf],
    [0x4e00, 0x9fff],
    [0xf900, 0xfaff],
    [0x20000, 0x2ffff],
    [0x3001, 0x3002, 4000],
    [0xfe00, 0xfe0f],
  ],
  [
    'symbols',
    'symbols, arrows, numbers in circles and squares',
    'LetterNumber OtherNumber Alphabetic',
    [0x2000, 0x2bff],
    [0x3200, 0x33ff],
    [0x61, 0x7a],
    [0x61, 0x7a],
    spaces(200),
  ],
  [
    'emoji',
    'emoji, joiners, selectors, tags and letters',
    'Emoji Ignorable Utf16Units',
    [0x1f000, 0x1faff],
    [0x200d, 0x200d],
    [0xfe0e, 0xfe0f],
    [0xe0020, 0xe007f],
    [0x61, 0x7a],
    spaces(200),
  ],
  ['smp', 'the Supplementary Multilingual Plane', 'Utf16Units NewerUnicode', [0x10000, 0x1ffff], spaces(5000)],
  [
    'math',
    'mathematical letters and musical symbols',
    'Utf16Units Nfkc CompositionExclusion',
    [0x1d000, 0x1d7ff],
    spaces(200),
  ],
  [
    'ignorable',
    'ignorable code points among letters',
    'Ignorable ZeroWidthSpace',
    [0x61, 0x7a],
    [0x61, 0x7a],
    [0xad, 0xad],
    [0x34f, 0x34f],
    [0x200b, 0x200f],
    [0x202a, 0x202e],
    [0x2060, 0x206f],
    [0xfe00, 0xfe0f],
    [0xfeff, 0xfeff],
    [0x301, 0x301],
    spaces(10),
  ],
  ['everything', 'all scalar values', 'Utf16Units NewerUnicode', [0x0, 0xd7ff], [0xe000, 0x10ffff]],
  ['everything-low', 'the Basic Multilingual Plane', 'NewerUnicode', [0x0, 0xd7ff], [0xe000, 0xffff], spaces(4000)],
];

const byScript = scripts.map(
  ([name, title, flags, ...ranges], i): DocumentCase => ({
    ...{ name: `script-${name}`, operation: 'fingerprint', title: `pseudo-random code points: ${title}` },
    ...{ rules: ['CLS-1', 'NRM-3', 'TOK-2', 'SIM-2'], flags: [...new Set(['LongInput', ...list(flags)])] },
    input: { generate: { rule: 'code-points', seed: 2000 + i, count: 6000, ranges } },
  }),
);

type Row = readonly [name: string, title: string, rules: string, flags: string, rule: GeneratingRule];

const literal = (text: string): GeneratingRule => ({ rule: 'repeat', text, count: 1 });
const concat = (...parts: GeneratingRule[]): GeneratingRule => ({ rule: 'concat', parts });
const english = (seed: number, count: number): GeneratingRule => words('en', seed, count);

/** Words with their letters taken apart and soft hyphens in them. */
function decomposed(code: string, seed: number, count: number): GeneratingRule {
  const rule = words(code, seed, count) as Extract<GeneratingRule, { rule: 'words' }>;
  const split = (word: string): string => word.normalize('NFD').replace(/^(..)/u, '$1\u00ad');
  return { ...rule, vocabulary: rule.vocabulary.map(split) };
}

const locatorPieces =
  'a b z word 1 10 0 10.1234 10.1000.2 / // : :// http https ftp www www. WWW. . .. - _ + % @ a@b a@b.c .com doi doi: ' +
  'urn: isbn: mailto: info: arXiv: ( ) < > [ ] { } " \' , ; = # ? & ~ ! $ * | \\ ^ \u00e9 \u4e2d \u017f \u212a \u0301 \u00ad';
const hexPieces =
  'a b c d e f A F 0 1 9 dead beef 550e8400 e29b 41d4 a716 446655440000 d41d8cd98f00b204 e9800998ecf8427e g - _ . x';

const mixedPages = list('en de fr es ru el ar he hi th zh-hans ja ko tr vi am');

const rows: readonly Row[] = [
  ['one-page', 'one page has a fingerprint', 'SIM-2', 'LongInput', english(1, PAGE)],
  ['one-page-again', 'another page of the same words has another fingerprint', 'SIM-2', 'LongInput', english(2, PAGE)],
  [
    'one-page-and-a-line',
    'the first page with one more line',
    'SIM-2',
    'LongInput',
    concat(english(1, PAGE), literal('\n\nPrinted by the ferry company, with kind regards.')),
  ],
  [
    'one-page-bom',
    'the first page after a byte order mark has the same fingerprint',
    'DEC-1 NRM-2',
    'Bom LongInput',
    concat(literal('\ufeff'), english(1, PAGE)),
  ],
  [
    'one-page-twice',
    'the first page twice has the same fingerprint',
    'TOK-4 SIM-2',
    'Deduplicated LongInput',
    concat(english(1, PAGE), literal('\n'), english(1, PAGE)),
  ],
  ['fifty-pages', 'fifty pages have a fingerprint', 'SIM-2', 'LongInput', english(3, 50 * PAGE)],
  [
    'decomposed-vi',
    'ten pages of decomposed Vietnamese words, with soft hyphens',
    'NRM-2 NRM-3',
    'MissingNfc Ignorable LongInput',
    decomposed('vi', 4, 10 * PAGE),
  ],
  [
    'decomposed-ko',
    'ten pages of Korean words as conjoining jamo',
    'NRM-2 NRM-3',
    'Hangul MissingNfc Ignorable LongInput',
    decomposed('ko', 5, 10 * PAGE),
  ],
  [
    'decomposed-el',
    'ten pages of decomposed Greek words',
    'NRM-2 NRM-3',
    'MissingNfc Ignorable LongInput',
    decomposed('el', 6, 10 * PAGE),
  ],
  [
    'mixed',
    'a page in each of sixteen languages',
    'TOK-2 HSH-1 SIM-2',
    'AsciiOnly LongInput',
    concat(...mixedPages.flatMap((code, i) => [words(code, 100 + i, PAGE), literal('\n\n')])),
  ],
  [
    'references',
    'ten pages with locators among the words',
    'LOC-3 LOC-4',
    'LocatorScheme LocatorDoi LocatorEmail LongInput',
    {
      ...{ rule: 'words', seed: 7, count: 10 * PAGE, separators: [' ', ' ', ' ', ', ', '. ', '; ', '\n', ' (', ') '] },
      vocabulary: [
        ...list('see also the paper by and others in volume pages for a review of methods as cited there'),
        ...list('https://example.org/a/b?c=d#e doi:10.1000/182 10.1000/182 www.example.net first.last@example.com'),
        ...list('arXiv:1501.00001v1 ISBN:0451450523 550e8400-e29b-41d4-a716-446655440000 PMID:123456'),
        ...list('d41d8cd98f00b204e9800998ecf8427e urn:isbn:0451450523 2024 1998 12 3rd info:lccn/2003 Data: Info:'),
      ],
    },
  ],
  [
    'locator-pieces',
    'pieces of locators in pseudo-random order',
    'LOC-13 LOC-1 LOC-2 LOC-3',
    'LocatorOrder LocatorGreedy LocatorBorder LongInput',
    {
      rule: 'words',
      seed: 8,
      count: 12000,
      vocabulary: list(locatorPieces),
      separators: ['', '', '', '', '', '', '', ' '],
    },
  ],
  [
    'locator-pieces-again',
    'pieces of locators in another pseudo-random order',
    'LOC-13 LOC-1 LOC-2 LOC-3',
    'LocatorOrder LocatorGreedy LocatorBorder LongInput',
    { rule: 'words', seed: 9, count: 12000, vocabulary: list(locatorPieces), separators: ['', '', '', '', ' '] },
  ],
  [
    'hex-pieces',
    'pieces of UUIDs and digests in pseudo-random order',
    'LOC-10 LOC-11 LOC-12',
    'LocatorUuid LocatorDigest LookAhead LongInput',
    {
      rule: 'words',
      seed: 10,
      count: 12000,
      vocabulary: list(hexPieces),
      separators: ['', '', '', '', '', '', '', '', '', ' '],
    },
  ],
  [
    'octets',
    '20,000 pseudo-random octets',
    'DEC-2 DEC-3',
    'IllFormed LongInput',
    { rule: 'octets', seed: 11, count: 20000 },
  ],
  [
    'octets-among-words',
    'pages with pseudo-random octets between them',
    'DEC-2 DEC-3',
    'IllFormed LongInput',
    concat(
      words('fr', 12, PAGE),
      { rule: 'octets', seed: 13, count: 200 },
      words('ja', 14, PAGE),
      { rule: 'octets', seed: 15, count: 201 },
      words('ko', 16, PAGE),
    ),
  ],
  [
    'octets-bom',
    'a byte order mark before pseudo-random octets',
    'DEC-1 DEC-2',
    'Bom IllFormed LongInput',
    concat(literal('\ufeff'), { rule: 'octets', seed: 17, count: 999 }),
  ],
  [
    'tokens-of-marks',
    'letters, digits, underscores and marks in pseudo-random order',
    'TOK-2 TOK-3',
    'NumbersKept DigitsStripped Underscore MarkAtBorder LongInput',
    {
      rule: 'words',
      seed: 18,
      count: 20000,
      vocabulary: list('a B \u00e9 1 2 \u0663 _ \u203f \u0301 \u094d \u0903 \u2167 \u00b2 \u20dd'),
      separators: ['', '', ' '],
    },
  ],
  [
    'case',
    'words in lower case, capitalised and in upper case',
    'NRM-4 TOK-4',
    'CaseFolded LongInput',
    {
      rule: 'words',
      seed: 19,
      count: 4000,
      vocabulary: list(
        'stra\u00dfe Stra\u00dfe STRASSE STRA\u1e9eE istanbul \u0130stanbul ISTANBUL \u0131 i I \u03c3\u03b1\u03c2 \u03a3\u0391\u03a3 \ufb01 fi',
      ),
      separators: [' ', '\n'],
    },
  ],
];

export const documentsGroup: Group = {
  group: 'documents',
  description:
    'Steps 1 to 9: whole documents of one to fifty pages in many languages and scripts, built by generating rules.',
  cases: [
    ...rows.map(
      ([name, title, rules, flags, generate]): DocumentCase => ({
        ...{ name, operation: 'fingerprint', title, rules: list(rules), flags: list(flags), input: { generate } },
      }),
    ),
    ...byLanguage,
    ...byScript,
  ],
};
