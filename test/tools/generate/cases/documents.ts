import type { GeneratingRule } from '../../../../src/conformance/types.ts';
import { type CaseOf, casesOf, type Group, list, rangesOf, type Table } from '../case.ts';
import { concat, repeat } from './inputs.ts';
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

/** Scripts by blocks that hold letters, marks, digits, punctuation and what is not assigned. */
const scripts: readonly (readonly [name: string, title: string, flags: string, ranges: string])[] = [
  ['ascii', 'ASCII without control characters', 'Underscore', '20-7e 20*15'],
  ['latin-1', 'Latin-1 with its control characters', 'AsciiOnly', '0-ff 20*40'],
  ['latin', 'the Latin blocks', 'AsciiOnly', '41-5a 61-7a c0-24f 1e00-1eff 20*100'],
  ['ipa', 'phonetic letters, modifiers and marks', 'MarkClass Reordering', '61-7a 250-36f 1ab0-1aff 1dc0-1dff 20*80'],
  [
    'combining',
    'a few letters with many marks',
    'Reordering MissingNfc',
    '61 65 69 6f 75 63 6e 73 71 41 45 49 4f 55 58 300-34f 20*10',
  ],
  ['greek', 'Greek, with its extended block', 'Singleton MissingNfc', '370-3ff 1f00-1fff 300-345 20*70'],
  ['cyrillic', 'Cyrillic and its supplements', 'EnclosingMark', '400-52f 2de0-2dff a640-a69f 20*80'],
  ['caucasus', 'Armenian and Georgian', 'NewerUnicode', '530-58f 10a0-10ff 1c90-1cbf 2d00-2d2f 20*60'],
  ['hebrew', 'Hebrew and its presentation forms', 'CompositionExclusion Reordering', '590-5ff fb1d-fb4f 20*30'],
  [
    'arabic',
    'Arabic, its supplements and presentation forms',
    'Reordering Nfkc NewerUnicode',
    '600-6ff 750-77f 870-8ff fb50-fdff fe70-feff 20*200',
  ],
  [
    'indic',
    'the Indic blocks from Devanagari to Sinhala',
    'SpacingMark CompositionExclusion NewerUnicode',
    '900-dff 200c-200d 20*200',
  ],
  [
    'south-east-asia',
    'Thai, Lao, Tibetan, Burmese, Khmer',
    'MarkClass SpacingMark CompositionExclusion',
    'e00-109f 1780-17ff 200b 20*100',
  ],
  ['ethiopic', 'Ethiopic', 'OtherNumber', '1200-139f 2d80-2ddf 20*60'],
  ['americas', 'Cherokee and syllabics', 'NewerUnicode', '13a0-167f 18b0-18ff ab70-abbf 20*100'],
  ['mongolian', 'Mongolian with its selectors', 'Ignorable NewerUnicode', '1800-18af 180b-180f 202f 20*25'],
  ['jamo', 'conjoining jamo and syllables', 'Hangul', '1100-11ff 1100-1112 1161-1175 11a7-11c2 ac00-ac40 20*30'],
  ['hangul', 'Hangul syllables and compatibility jamo', 'Hangul', 'ac00-d7ff 3130-318f 20*3000'],
  [
    'kana',
    'kana with voicing marks, half-width forms, CJK punctuation',
    'MissingNfc Nfkc Segmenter',
    '3000-30ff 3099-309a ff61-ff9f 20*20',
  ],
  [
    'han',
    'ideographs of all blocks, with compatibility ones',
    'Segmenter NewerUnicode Singleton',
    '3400-4dbf 4e00-9fff f900-faff 20000-2ffff 3001-3002*4000 fe00-fe0f',
  ],
  [
    'symbols',
    'symbols, arrows, numbers in circles and squares',
    'LetterNumber OtherNumber Alphabetic',
    '2000-2bff 3200-33ff 61-7a 61-7a 20*200',
  ],
  [
    'emoji',
    'emoji, joiners, selectors, tags and letters',
    'Emoji Ignorable Utf16Units',
    '1f000-1faff 200d fe0e-fe0f e0020-e007f 61-7a 20*200',
  ],
  ['smp', 'the Supplementary Multilingual Plane', 'Utf16Units NewerUnicode', '10000-1ffff 20*5000'],
  ['math', 'mathematical letters and musical symbols', 'Utf16Units Nfkc CompositionExclusion', '1d000-1d7ff 20*200'],
  [
    'ignorable',
    'ignorable code points among letters',
    'Ignorable ZeroWidthSpace',
    '61-7a 61-7a ad 34f 200b-200f 202a-202e 2060-206f fe00-fe0f feff 301 20*10',
  ],
  ['everything', 'all scalar values', 'Utf16Units NewerUnicode', '0-d7ff e000-10ffff'],
  ['everything-low', 'the Basic Multilingual Plane', 'NewerUnicode', '0-d7ff e000-ffff 20*4000'],
];

const byScript = scripts.map(
  ([name, title, flags, ranges], i): DocumentCase => ({
    ...{ name: `script-${name}`, operation: 'fingerprint', title: `pseudo-random code points: ${title}` },
    ...{ rules: ['CLS-1', 'NRM-3', 'TOK-2', 'SIM-2'], flags: [...new Set(['LongInput', ...list(flags)])] },
    input: { generate: { rule: 'code-points', seed: 2000 + i, count: 6000, ranges: rangesOf(ranges) } },
  }),
);

const literal = (text: string): GeneratingRule => repeat(text, 1);
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

const rows: Table<[rule: GeneratingRule]> = [
  'SIM-2 LongInput',
  ['one-page', 'one page has a fingerprint', english(1, PAGE)],
  ['one-page-again', 'another page of the same words has another fingerprint', english(2, PAGE)],
  [
    'one-page-and-a-line',
    'the first page with one more line',
    concat(english(1, PAGE), literal('\n\nPrinted by the ferry company, with kind regards.')),
  ],
  'DEC-1 NRM-2 Bom LongInput',
  [
    'one-page-bom',
    'the first page after a byte order mark has the same fingerprint',
    concat(literal('\ufeff'), english(1, PAGE)),
  ],
  'TOK-4 SIM-2 Deduplicated LongInput',
  [
    'one-page-twice',
    'the first page twice has the same fingerprint',
    concat(english(1, PAGE), literal('\n'), english(1, PAGE)),
  ],
  'SIM-2 LongInput',
  ['fifty-pages', 'fifty pages have a fingerprint', english(3, 50 * PAGE)],
  'NRM-2 NRM-3 MissingNfc Ignorable LongInput',
  ['decomposed-vi', 'ten pages of decomposed Vietnamese words, with soft hyphens', decomposed('vi', 4, 10 * PAGE)],
  'NRM-2 NRM-3 Hangul MissingNfc Ignorable LongInput',
  ['decomposed-ko', 'ten pages of Korean words as conjoining jamo', decomposed('ko', 5, 10 * PAGE)],
  'NRM-2 NRM-3 MissingNfc Ignorable LongInput',
  ['decomposed-el', 'ten pages of decomposed Greek words', decomposed('el', 6, 10 * PAGE)],
  'TOK-2 HSH-1 SIM-2 AsciiOnly LongInput',
  [
    'mixed',
    'a page in each of sixteen languages',
    concat(...mixedPages.flatMap((code, i) => [words(code, 100 + i, PAGE), literal('\n\n')])),
  ],
  'LOC-3 LOC-4 LocatorScheme LocatorDoi LocatorEmail LongInput',
  [
    'references',
    'ten pages with locators among the words',
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
  'LOC-13 LOC-1 LOC-2 LOC-3 LocatorOrder LocatorGreedy LocatorBorder LongInput',
  [
    'locator-pieces',
    'pieces of locators in pseudo-random order',
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
    { rule: 'words', seed: 9, count: 12000, vocabulary: list(locatorPieces), separators: ['', '', '', '', ' '] },
  ],
  'LOC-10 LOC-11 LOC-12 LocatorUuid LocatorDigest LookAhead LongInput',
  [
    'hex-pieces',
    'pieces of UUIDs and digests in pseudo-random order',
    {
      rule: 'words',
      seed: 10,
      count: 12000,
      vocabulary: list(hexPieces),
      separators: ['', '', '', '', '', '', '', '', '', ' '],
    },
  ],
  'DEC-2 DEC-3 IllFormed LongInput',
  ['octets', '20,000 pseudo-random octets', { rule: 'octets', seed: 11, count: 20000 }],
  [
    'octets-among-words',
    'pages with pseudo-random octets between them',
    concat(
      words('fr', 12, PAGE),
      { rule: 'octets', seed: 13, count: 200 },
      words('ja', 14, PAGE),
      { rule: 'octets', seed: 15, count: 201 },
      words('ko', 16, PAGE),
    ),
  ],
  'DEC-1 DEC-2 Bom IllFormed LongInput',
  [
    'octets-bom',
    'a byte order mark before pseudo-random octets',
    concat(literal('\ufeff'), { rule: 'octets', seed: 17, count: 999 }),
  ],
  'TOK-2 TOK-3 NumbersKept DigitsStripped Underscore MarkAtBorder LongInput',
  [
    'tokens-of-marks',
    'letters, digits, underscores and marks in pseudo-random order',
    {
      rule: 'words',
      seed: 18,
      count: 20000,
      vocabulary: list('a B \u00e9 1 2 \u0663 _ \u203f \u0301 \u094d \u0903 \u2167 \u00b2 \u20dd'),
      separators: ['', '', ' '],
    },
  ],
  'NRM-4 TOK-4 CaseFolded LongInput',
  [
    'case',
    'words in lower case, capitalised and in upper case',
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
  cases: [...casesOf('fingerprint', rows, (generate) => ({ input: { generate } })), ...byLanguage, ...byScript],
};
