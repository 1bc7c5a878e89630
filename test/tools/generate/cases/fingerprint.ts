import type { GeneratingRule, InputOf } from '../../../../src/conformance/types.ts';
import { type CaseOf, type Group, list } from '../case.ts';
import { languages } from './languages.ts';

type Row = readonly [
  name: string,
  title: string,
  rules: string,
  flags: string,
  input: string | InputOf<'fingerprint'>,
  tokens: readonly string[],
];

const acute = '\u0301';

/** One pair for each range of code points with NFC_Quick_Check=Maybe that is rare in other texts. */
const PAIRS = list(
  'a\u030f a\u0311 \u03b1\u0313 o\u031b a\u0323 d\u032d e\u0330 \u03b1\u0342 \u03b1\u0345 \u0627\u0653 \u0928\u093c ' +
    '\u09c7\u09be \u09c7\u09d7 \u0b47\u0b3e \u0b47\u0b56 \u0bc6\u0bbe \u0bc6\u0bd7 \u0c15\u0c46\u0c56 \u0cc6\u0cc2 \u0cbf\u0cd5 ' +
    '\u0d46\u0d3e \u0d46\u0d57 \u0dd9\u0dca\u0d9a \u0dd9\u0dcf \u0dd9\u0ddf \u1025\u102e \u1100\u1161 \uac00\u11a8 \u1b05\u1b35 ' +
    '\u{11099}\u{110ba} \u{11131}\u{11127} \u{11347}\u{1133e} \u{11347}\u{11357} \u{114b9}\u{114b0} \u{114b9}\u{114ba} ' +
    '\u{114b9}\u{114bd} \u{115b8}\u{115af}',
);

const uuid = '550e8400-e29b-41d4-a716-446655440000';
const md5 = 'd41d8cd98f00b204e9800998ecf8427e';

const rows: readonly Row[] = [
  ['word', 'a text of one word has the hash of that word', 'SIM-2 HSH-2', 'HalvesSwapped BitOrder', 'word', ['word']],
  ['words', 'three words have a fingerprint', 'SIM-2', 'Majority', 'one two three', ['one', 'two', 'three']],
  ['even', 'two words: bits that differ are ties', 'SIM-4', 'TieToOne', 'one two', ['one', 'two']],
  [
    'occurrences',
    'a word that occurs twice counts twice',
    'TOK-4 SIM-2',
    'Deduplicated',
    'the cat and the dog and the bird',
    list('the cat and the dog and the bird'),
  ],
  [
    'order',
    'the same words in another order have the same fingerprint',
    'TOK-4',
    'OrderMatters',
    'bird the and dog the and cat the',
    list('bird the and dog the and cat the'),
  ],
  [
    'case',
    'words that differ in case are two',
    'NRM-4 TOK-4',
    'CaseFolded',
    'Word word WORD',
    ['Word', 'word', 'WORD'],
  ],
  ['function-words', 'no word is dropped', 'STP-1', 'StopWords', 'it is what it is', list('it is what it is')],
  [
    'numbers',
    'numbers are left out, alphanumerics kept',
    'TOK-3',
    'NumbersKept DigitsStripped',
    'In 2024 the 3rd of 17 H2O tests',
    list('In the 3rd of H2O tests'),
  ],

  ['none-empty', 'the empty text has no fingerprint', 'SIM-1', 'EmptyAsZero', '', []],
  ['none-octets', 'no octets have no fingerprint', 'SIM-1', 'EmptyAsZero', { utf8: '' }, []],
  ['none-units', 'no 16-bit units have no fingerprint', 'SIM-1', 'EmptyAsZero', { utf16: '' }, []],
  ['none-white-space', 'white space has no fingerprint', 'SIM-1', 'EmptyAsZero WhiteSpace', ' \t\r\n\u3000', []],
  ['none-numbers', 'numbers have no fingerprint', 'SIM-1 TOK-3', 'EmptyAsZero NumbersKept', '2024 1,000 \u0663', []],
  ['none-punctuation', 'punctuation has no fingerprint', 'SIM-1', 'EmptyAsZero Punctuation', '... --- ... \u00a7', []],
  [
    'none-locators',
    'locators have no fingerprint',
    'SIM-1 LOC-4',
    'EmptyAsZero',
    `http://example.org/a www.b a@b.c ${uuid}`,
    [],
  ],
  [
    'none-ignorable',
    'ignorable code points have no fingerprint',
    'SIM-1 NRM-2',
    'EmptyAsZero Ignorable',
    '\u00ad\u200d\u{e0100}',
    [],
  ],
  [
    'none-unassigned',
    'unassigned code points have no fingerprint',
    'SIM-1 NRM-1',
    'EmptyAsZero NewerUnicode',
    '\u32ff\ua7c0\u{30000}',
    [],
  ],
  ['none-emoji', 'emoji have no fingerprint', 'SIM-1', 'EmptyAsZero Emoji', '\u{1f600}\u{1f44d}\u{1f3fd}', []],
  [
    'none-marks',
    'marks, digits and underscores have no fingerprint',
    'SIM-1 TOK-3',
    'EmptyAsZero Underscore MarkAtBorder',
    '_1_ \u0301 __',
    [],
  ],
  ['none-bom', 'a byte order mark has no fingerprint', 'SIM-1 DEC-1', 'EmptyAsZero Bom', { utf8: 'efbbbf' }, []],
  [
    'none-ill-formed',
    'ill-formed octets have no fingerprint',
    'SIM-1 DEC-2',
    'EmptyAsZero IllFormed',
    { utf8: 'fffefd' },
    [],
  ],
  [
    'none-surrogates',
    'lone surrogates have no fingerprint',
    'SIM-1 DEC-4',
    'EmptyAsZero LoneSurrogate',
    { utf16: 'd800dbffdc00' },
    [],
  ],

  [
    'octets',
    'octets are read as UTF-8',
    'DEC-3',
    'EncodingSniffed',
    { utf8: '636166c3a9 20 6f75 20 7468c3a9'.replaceAll(' ', '') },
    ['caf\u00e9', 'ou', 'th\u00e9'],
  ],
  [
    'octets-bom',
    'a byte order mark does not change a fingerprint',
    'DEC-1',
    'Bom',
    { utf8: 'efbbbf 636166c3a9 20 6f75 20 7468c3a9'.replaceAll(' ', '') },
    ['caf\u00e9', 'ou', 'th\u00e9'],
  ],
  [
    'octets-ill-formed',
    'an ill-formed octet splits a word',
    'DEC-2',
    'IllFormed',
    { utf8: '636166e973206f6b' },
    ['caf', 's', 'ok'],
  ],
  [
    'octets-cut',
    'a sequence that is cut off at the end splits nothing else',
    'DEC-2',
    'Truncated',
    { utf8: '6f6b20636166c3' },
    ['ok', 'caf'],
  ],
  [
    'octets-utf-16',
    'octets of UTF-16 are read as UTF-8',
    'DEC-3',
    'EncodingSniffed NulEndsText',
    { utf8: 'fffe68006900' },
    ['h', 'i'],
  ],
  ['octets-nul', 'octets 0 separate words', 'DEC-2 TOK-2', 'NulEndsText', { utf8: '6f6e650074776f' }, ['one', 'two']],
  [
    'units',
    '16-bit units give the same fingerprint as octets',
    'DEC-4',
    'Utf16Units',
    { utf16: '0063006100660065030100200079' },
    ['caf\u00e9', 'y'],
  ],
  [
    'units-astral',
    'surrogate pairs are astral letters',
    'DEC-4 TOK-5',
    'Utf16Units',
    { utf16: 'd801dc00d801dc28' },
    ['\u{10400}\u{10428}'],
  ],
  [
    'units-lone',
    'a lone surrogate splits a word',
    'DEC-4',
    'LoneSurrogate',
    { utf16: '0061d80000620063dc00' },
    ['a', 'bc'],
  ],
  [
    'units-bom',
    'U+FEFF in 16-bit units is ignorable',
    'DEC-1 NRM-2',
    'Bom Ignorable',
    { utf16: 'feff00610062' },
    ['ab'],
  ],

  [
    'composed-across',
    'a letter composes with an accent behind a mark of a lower class',
    'NRM-3',
    'MissingNfc',
    `e\u0316${acute}`,
    ['\u00e9\u0316'],
  ],
  [
    'composed-singletons',
    'letters that NFC replaces by others have the fingerprint of these',
    'NRM-3',
    'MissingNfc',
    '\u212b \u0958',
    ['\u00c5', '\u0915\u093c'],
  ],
  [
    'composed-pairs',
    'one code point of each range that may compose with the letter before it does so',
    'NRM-3',
    'MissingNfc',
    PAIRS.join(' '),
    list(
      '\u0201 \u0203 \u1f00 \u01a1 \u1ea1 \u1e13 \u1e1b \u1fb6 \u1fb3 \u0622 \u0929 \u0c15\u0c48 \u0d9a \u1026 \uac00 \uac01 \u1b06 \u{1109a}',
    ),
  ],
  [
    'composed',
    'a word with composed letters has a fingerprint',
    'NRM-3',
    'Nfd',
    'caf\u00e9 na\u00efve',
    ['caf\u00e9', 'na\u00efve'],
  ],
  [
    'decomposed',
    'the same word in decomposed letters has the same fingerprint',
    'NRM-3',
    'MissingNfc',
    `cafe${acute} nai\u0308ve`,
    ['caf\u00e9', 'na\u00efve'],
  ],
  [
    'jamo',
    'conjoining jamo have the fingerprint of the syllables',
    'NRM-3',
    'Hangul MissingNfc',
    '\u1112\u1161\u11ab\u1100\u1173\u11af',
    ['\ud55c\uae00'],
  ],
  ['ligature', 'a ligature is a letter of its own', 'NRM-4', 'Nfkc', '\ufb01n fin', ['\ufb01n', 'fin']],
  [
    'soft-hyphens',
    'soft hyphens do not split words',
    'NRM-2',
    'Ignorable',
    'docu\u00adment finger\u00adprint',
    ['document', 'fingerprint'],
  ],
  ['zero-width-space', 'zero width spaces split words', 'CLS-6', 'ZeroWidthSpace', 'docu\u200bment', ['docu', 'ment']],
  ['byte-order-mark-inside', 'U+FEFF does not split a word', 'NRM-2', 'Ignorable Bom', 'docu\ufeffment', ['document']],
  [
    'selectors',
    'variation selectors do not split words',
    'NRM-2',
    'Ignorable',
    '\u845b\u{e0100}\u57ce\ufe00',
    ['\u845b\u57ce'],
  ],
  [
    'newer-letters',
    'letters of a later Unicode version split a word',
    'NRM-1 CLS-1',
    'NewerUnicode',
    'ab\ua7c0cd \u4e2d\u{30000}\u6587',
    ['ab', 'cd', '\u4e2d', '\u6587'],
  ],
  [
    'newer-marks',
    'marks of a later Unicode version split a word and keep a letter and a mark from composing',
    'NRM-1 NRM-3',
    'NewerUnicode RuleOrder',
    `e\u1ac3${acute}`,
    ['e'],
  ],
  [
    'spacing-marks',
    'spacing marks split words',
    'CLS-6 TOK-2',
    'SpacingMark',
    '\u0939\u093f\u0928\u094d\u0926\u0940',
    ['\u0939', '\u0928\u094d\u0926'],
  ],
  [
    'nukta',
    'a nukta letter, a composition exclusion, is hashed as two code points',
    'NRM-3 TOK-5',
    'CompositionExclusion',
    '\u0958\u0932\u092e',
    ['\u0915\u093c\u0932\u092e'],
  ],
  [
    'angstrom',
    'a singleton is hashed as the code point that it becomes',
    'NRM-3 TOK-5',
    'Singleton',
    '\u212bngstr\u00f6m',
    ['\u00c5ngstr\u00f6m'],
  ],
  [
    'greek-question-mark',
    'a singleton becomes punctuation',
    'NRM-3 TOK-1',
    'Singleton',
    '\u03c4\u03b9\u037e\u03bd\u03b1\u03b9',
    ['\u03c4\u03b9', '\u03bd\u03b1\u03b9'],
  ],
  [
    'class-after-nfc',
    'classes are those after NFC: a mark that composes with a symbol begins no word',
    'TOK-1 NRM-3',
    'MissingNfc',
    'a=\u0338b',
    ['a', 'b'],
  ],

  [
    'locator-between',
    'a locator between words is stripped',
    'LOC-4',
    'LocatorScheme',
    'see http://example.org/a%20b?c=d for more',
    ['see', 'for', 'more'],
  ],
  [
    'locator-forms',
    'each of the seven forms is stripped',
    'LOC-3',
    'LocatorOrder',
    `a http://a www.b doi:c 10.1234/d e@f.g ${uuid} ${'0123456789abcdef'.repeat(2)} z`,
    ['a', 'z'],
  ],
  [
    'locator-joined',
    'letters outside ASCII directly before and after a locator stay',
    'LOC-1 LOC-4',
    'LocatorReplacement UnicodeLetters',
    '\u4e2dhttp://a\u6587',
    ['\u4e2d', '\u6587'],
  ],
  ['locator-kelvin', 'a kelvin sign is a K in step 4', 'NRM-3 LOC-7', 'Singleton RuleOrder', 'ar\u212a:x end', ['end']],
  [
    'locator-soft-hyphen',
    'a soft hyphen in a scheme is deleted before step 4',
    'NRM-2 LOC-5',
    'Ignorable RuleOrder',
    'ht\u00adtp://x\u00ady end',
    ['end'],
  ],
  [
    'locator-ignorable-before',
    'an ignorable code point before a locator is deleted before step 4: a letter precedes it',
    'NRM-2 LOC-1',
    'Ignorable RuleOrder',
    'x\u200dwww.a',
    ['xwww', 'a'],
  ],
  [
    'locator-composed',
    'a mark after an equals sign composes to another sign, which ends a locator',
    'NRM-3 LOC-13',
    'MissingNfc RuleOrder',
    'http://a=\u0338b',
    ['b'],
  ],
  ...(
    [
      ['scheme', 'an address with a scheme', 'LOC-5', 'LocatorScheme', 'http://x'],
      ['www', 'an address without a scheme', 'LOC-6', 'LocatorWww', 'www.x'],
      ['prefix', 'an identifier with a prefix', 'LOC-7', 'LocatorPrefix', 'tel:b'],
      ['doi', 'a DOI', 'LOC-8', 'LocatorDoi', '10.1234/x'],
      ['email', 'an e-mail address', 'LOC-9', 'LocatorEmail', 'a@b.c'],
      ['email-labels', 'an e-mail address of three labels', 'LOC-9', 'LocatorEmail', 'a@b.c.d'],
    ] as const
  ).map(
    ([name, what, rule, flag, locator]): Row => [
      `locator-last-${name}`,
      `${what} is stripped at the end of a document, as short as it can be`,
      rule,
      flag,
      `see ${locator}`,
      ['see'],
    ],
  ),
  [
    'none-digest',
    'a document that is one digest has no fingerprint',
    'SIM-1 LOC-11',
    'EmptyAsZero LocatorDigest',
    md5,
    [],
  ],
  [
    'locator-email-word',
    'a word behind a short e-mail address stays',
    'LOC-9',
    'LocatorEmail LocatorGreedy',
    'a@b.c d',
    ['d'],
  ],
  [
    'locator-mark-behind',
    'a mark after a locator begins a word: NFC is not applied again',
    'NRM-3 LOC-4 TOK-2',
    'RepeatedNfc MarkAtBorder',
    'x@y.z\u0308d',
    ['\u0308d'],
  ],
  [
    'locator-mark-composed',
    'a letter that composes with a mark is not part of a locator',
    'NRM-3 LOC-9',
    'RuleOrder',
    'x@y.zu\u0308d',
    ['\u00fcd'],
  ],
  [
    'locator-unassigned',
    'an unassigned code point ends a locator',
    'NRM-1 LOC-13',
    'NewerUnicode',
    'http://a\u32ffb',
    ['b'],
  ],
  [
    'locator-ill-formed',
    'an ill-formed octet ends a locator',
    'DEC-2 LOC-13',
    'IllFormed',
    { utf8: '687474703a2f2f61ff62' },
    ['b'],
  ],
  [
    'locator-look-alike',
    'words that look like locators are words',
    'LOC-6 LOC-7',
    'LocatorTooWide',
    'Info: see example.org, page 10.5/x',
    list('Info see example org page x'),
  ],
  [
    'line-ends',
    'line ends of any kind separate words',
    'TOK-2',
    'WhiteSpace',
    'one\ntwo\r\nthree\rfour\u2028five\u0085six',
    list('one two three four five six'),
  ],
  [
    'markup',
    'markup in plain text is text',
    'TOK-2',
    'MarkupStripped',
    '<p class="a">one &eacute;</p>',
    list('p class a one eacute p'),
  ],
  [
    'long-token',
    'a word of 40 octets is one token',
    'HSH-1',
    'TailLength',
    'pneumonoultramicroscopicsilicovolcanosis',
    ['pneumonoultramicroscopicsilicovolcanosis'],
  ],
];

export type LongRow = readonly [
  name: string,
  title: string,
  rules: string,
  flags: string,
  rule: GeneratingRule,
  tokenCount: number,
];

export const repeat = (text: string, count: number): GeneratingRule => ({ rule: 'repeat', text, count });
export const concat = (...parts: GeneratingRule[]): GeneratingRule => ({ rule: 'concat', parts });

export const longCase = ([name, title, rules, flags, generate, tokenCount]: LongRow): CaseOf<'fingerprint'> => ({
  ...{ name, operation: 'fingerprint', title, rules: list(rules), flags: list(flags) },
  ...{ input: { generate }, hand: { tokenCount } },
});

const long: readonly LongRow[] = [
  [
    'narrow-8',
    '128 occurrences of one word and 127 of another do not overflow 8 bits',
    'SIM-2',
    'NarrowCounter',
    concat(repeat('one ', 128), repeat('two ', 127)),
    255,
  ],
  [
    'narrow-16',
    '33,000 occurrences of one word and 32,999 of another do not overflow 16 bits',
    'SIM-2',
    'NarrowCounter',
    concat(repeat('one ', 33000), repeat('two ', 32999)),
    65999,
  ],
  [
    'narrow-16-tie',
    '33,000 occurrences of each of two words tie',
    'SIM-2 SIM-4',
    'NarrowCounter TieToOne',
    repeat('one two ', 33000),
    66000,
  ],
  [
    'long-word',
    'a word of 300,000 letters is one token',
    'TOK-2 HSH-1',
    'LengthLimit LongInput',
    concat(repeat('ab', 150000), repeat(' end', 1)),
    2,
  ],
  [
    'long-locator',
    'a locator of 300,000 characters is stripped',
    'LOC-14',
    'LengthLimit LongInput',
    concat(repeat('http://', 1), repeat('a', 300000), repeat(' end', 1)),
    1,
  ],
  [
    'long-digest',
    'a digest of 300,000 digits is stripped',
    'LOC-11 LOC-14',
    'LengthLimit LongInput',
    concat(repeat('0', 300000), repeat(' end', 1)),
    1,
  ],
  [
    'long-space',
    '300,000 spaces separate two words',
    'TOK-2',
    'LongInput',
    concat(repeat('one', 1), repeat(' ', 300000), repeat('two', 1)),
    2,
  ],
  [
    'long-marks',
    'a letter with 10,000 marks of two classes is one token',
    'NRM-3',
    'StreamSafe LongInput',
    concat(repeat('q', 1), repeat('\u0301\u0323', 5000), repeat(' end', 1)),
    2,
  ],
  [
    'long-jamo',
    'a consonant with 10,000 Hangul vowels of class 0 is one token',
    'NRM-3',
    'StreamSafe LongInput',
    concat(repeat('\u1100', 1), repeat('\u1161', 10000), repeat(' end', 1)),
    2,
  ],
  [
    'long-ignorable',
    '100,000 soft hyphens in a word are deleted',
    'NRM-2',
    'Ignorable LongInput',
    concat(repeat('docu', 1), repeat('\u00ad', 100000), repeat('ment', 1)),
    1,
  ],
  [
    'long-lines',
    'a long text of equal lines has a fingerprint',
    'TOK-4 SIM-2',
    'Deduplicated LongInput',
    repeat('All work and no play\r\n', 2000),
    10000,
  ],
  [
    'buffers-2',
    'letters of two octets after one octet: buffers of every even size cut one',
    'DEC-2',
    'ChunkBorder LongInput',
    concat(repeat('a', 1), repeat('\u00e9', 40000), repeat(' \u00e9t\u00e9', 10000)),
    10001,
  ],
  [
    'buffers-3',
    'letters of three octets after one octet: buffers cut one',
    'DEC-2',
    'ChunkBorder LongInput',
    concat(repeat('a', 1), repeat('\u4e2d', 40000), repeat('\u3002\u6587', 10000)),
    10001,
  ],
  [
    'buffers-4',
    'letters of four octets after one octet: buffers cut one',
    'DEC-2 DEC-4',
    'ChunkBorder Utf16Units LongInput',
    concat(repeat('a', 1), repeat('\u{20000}', 40000), repeat(' \u{10400}', 10000)),
    10001,
  ],
  [
    'buffers-marks',
    'letters with decomposed marks after one letter: buffers cut one',
    'NRM-3',
    'ChunkBorder LongInput',
    concat(repeat('a', 1), repeat(`e${acute}`, 30000)),
    1,
  ],
  [
    'buffers-jamo',
    'conjoining jamo after one letter: buffers cut a syllable',
    'NRM-3',
    'ChunkBorder Hangul LongInput',
    concat(repeat('a', 1), repeat('\u1112\u1161\u11ab', 30000)),
    1,
  ],
  [
    'buffers-locators',
    'locators with one space between them after one letter: buffers cut one',
    'LOC-4',
    'ChunkBorder LongInput',
    concat(repeat('a', 1), repeat(' http://example.org/', 5000), repeat(' end', 1)),
    2,
  ],
];

type HostileRow = readonly [
  name: string,
  title: string,
  rules: string,
  rule: (count: number) => GeneratingRule,
  count: number,
  tokenCount: number,
];

const end = repeat(' end', 1);

/**
 * LOC-14: texts on which a naive search for locators reads to the end again and again. All tokens of each are alike, so
 * that a shorter text of the kind has the same fingerprint.
 */
const hostile: readonly HostileRow[] = [
  [
    'hostile-scheme',
    'unending starts of schemes take linear time: a.a.a.',
    'LOC-14 LOC-5',
    (n) => repeat('a.', n),
    100000,
    100000,
  ],
  [
    'hostile-local',
    'unending starts of local parts take linear time: 1-1-1-',
    'LOC-14 LOC-9',
    (n) => concat(repeat('1-', n), end),
    250000,
    1,
  ],
  [
    'hostile-doi',
    'unending starts of DOIs take linear time: 10.1111.10.1111.',
    'LOC-14 LOC-8',
    (n) => concat(repeat('10.1111.', n), end),
    100000,
    1,
  ],
  [
    'hostile-domain',
    'local parts before a domain that never gets a second label take linear time',
    'LOC-14 LOC-9',
    (n) => concat(repeat('1-', n), repeat('@', 1), repeat('1-', n), end),
    125000,
    1,
  ],
];

const utf16Of = (text: string): string =>
  Array.from({ length: text.length }, (_, i) => text.charCodeAt(i).toString(16).padStart(4, '0')).join('');
const utf8Of = (text: string): string => Buffer.from(text, 'utf8').toString('hex');

/** Each language once, alternating between text, bytes and 16-bit units. */
const byLanguage = languages.map(({ code, name, text, flags }, i): CaseOf<'fingerprint'> => {
  const inputs: InputOf<'fingerprint'>[] = [{ text }, { utf8: utf8Of(text) }, { utf16: utf16Of(text) }];
  const ascii = /^[\0-\x7f]*$/.test(text);
  return {
    ...{
      name: `language-${code}`,
      operation: 'fingerprint',
      title: `a sentence in ${name}`,
      rules: ['TOK-2', 'HSH-1', 'SIM-2'],
    },
    ...{ flags: ascii ? list(flags) : ['AsciiOnly', ...list(flags)], input: inputs[i % 3]! },
  };
});

export const fingerprintGroup: Group = {
  group: 'fingerprint',
  description: 'Steps 1 to 9 and 11: a text to its fingerprint, with every intermediate where it is short.',
  cases: [
    ...rows.map(
      ([name, title, rules, flags, input, tokens]): CaseOf<'fingerprint'> => ({
        ...{ name, operation: 'fingerprint', title, rules: list(rules), flags: list(flags) },
        input: typeof input === 'string' ? { text: input } : input,
        hand: { tokens, tokenCount: tokens.length },
      }),
    ),
    ...hostile.map(
      ([name, title, rules, rule, count, tokenCount]): CaseOf<'fingerprint'> => ({
        ...{ name, operation: 'fingerprint', title, rules: list(rules), flags: ['QuadraticTime', 'LongInput'] },
        ...{ input: { generate: rule(count) }, hand: { tokenCount }, shorter: { generate: rule(100) } },
      }),
    ),
    ...long.map(longCase),
    ...byLanguage,
  ],
};
