import type { GeneratingRule, InputOf } from '../../../../src/conformance/types.ts';
import { type CaseOf, casesOf, type Group, list, type Table } from '../case.ts';
import { concat, repeat, utf8Of, utf16Of } from './inputs.ts';
import { languages } from './languages.ts';

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

/** Tokens are separated by spaces, which no token contains. */
const rows: Table<[input: string | InputOf<'fingerprint'>, tokens: string]> = [
  'SIM-2 HSH-2 HalvesSwapped BitOrder',
  ['word', 'a text of one word has the hash of that word', 'word', 'word'],
  'SIM-2 Majority',
  ['words', 'three words have a fingerprint', 'one two three', 'one two three'],
  'SIM-4 TieToOne',
  ['even', 'two words: bits that differ are ties', 'one two', 'one two'],
  'TOK-4 SIM-2 Deduplicated',
  [
    'occurrences',
    'a word that occurs twice counts twice',
    'the cat and the dog and the bird',
    'the cat and the dog and the bird',
  ],
  'TOK-4 OrderMatters',
  [
    'order',
    'the same words in another order have the same fingerprint',
    'bird the and dog the and cat the',
    'bird the and dog the and cat the',
  ],
  'NRM-4 TOK-4 CaseFolded',
  ['case', 'words that differ in case are two', 'Word word WORD', 'Word word WORD'],
  'STP-1 StopWords',
  ['function-words', 'no word is dropped', 'it is what it is', 'it is what it is'],
  'TOK-3 NumbersKept DigitsStripped',
  ['numbers', 'numbers are left out, alphanumerics kept', 'In 2024 the 3rd of 17 H2O tests', 'In the 3rd of H2O tests'],

  'SIM-1 EmptyAsZero',
  ['none-empty', 'the empty text has no fingerprint', '', ''],
  ['none-octets', 'no octets have no fingerprint', { utf8: '' }, ''],
  ['none-units', 'no 16-bit units have no fingerprint', { utf16: '' }, ''],
  'SIM-1 EmptyAsZero WhiteSpace',
  ['none-white-space', 'white space has no fingerprint', ' \t\r\n\u3000', ''],
  'SIM-1 TOK-3 EmptyAsZero NumbersKept',
  ['none-numbers', 'numbers have no fingerprint', '2024 1,000 \u0663', ''],
  'SIM-1 EmptyAsZero Punctuation',
  ['none-punctuation', 'punctuation has no fingerprint', '... --- ... \u00a7', ''],
  'SIM-1 LOC-4 EmptyAsZero',
  ['none-locators', 'locators have no fingerprint', `http://example.org/a www.b a@b.c ${uuid}`, ''],
  'SIM-1 NRM-2 EmptyAsZero Ignorable',
  ['none-ignorable', 'ignorable code points have no fingerprint', '\u00ad\u200d\u{e0100}', ''],
  'SIM-1 NRM-1 EmptyAsZero NewerUnicode',
  ['none-unassigned', 'unassigned code points have no fingerprint', '\u32ff\ua7c0\u{30000}', ''],
  'SIM-1 EmptyAsZero Emoji',
  ['none-emoji', 'emoji have no fingerprint', '\u{1f600}\u{1f44d}\u{1f3fd}', ''],
  'SIM-1 TOK-3 EmptyAsZero Underscore MarkAtBorder',
  ['none-marks', 'marks, digits and underscores have no fingerprint', '_1_ \u0301 __', ''],
  'SIM-1 DEC-1 EmptyAsZero Bom',
  ['none-bom', 'a byte order mark has no fingerprint', { utf8: 'efbbbf' }, ''],
  'SIM-1 DEC-2 EmptyAsZero IllFormed',
  ['none-ill-formed', 'ill-formed octets have no fingerprint', { utf8: 'fffefd' }, ''],
  'SIM-1 DEC-4 EmptyAsZero LoneSurrogate',
  ['none-surrogates', 'lone surrogates have no fingerprint', { utf16: 'd800dbffdc00' }, ''],

  'DEC-3 EncodingSniffed',
  [
    'octets',
    'octets are read as UTF-8',
    { utf8: '636166c3a9 20 6f75 20 7468c3a9'.replaceAll(' ', '') },
    'caf\u00e9 ou th\u00e9',
  ],
  'DEC-1 Bom',
  [
    'octets-bom',
    'a byte order mark does not change a fingerprint',
    { utf8: 'efbbbf 636166c3a9 20 6f75 20 7468c3a9'.replaceAll(' ', '') },
    'caf\u00e9 ou th\u00e9',
  ],
  'DEC-2 IllFormed',
  ['octets-ill-formed', 'an ill-formed octet splits a word', { utf8: '636166e973206f6b' }, 'caf s ok'],
  'DEC-2 Truncated',
  ['octets-cut', 'a sequence that is cut off at the end splits nothing else', { utf8: '6f6b20636166c3' }, 'ok caf'],
  'DEC-3 EncodingSniffed NulEndsText',
  ['octets-utf-16', 'octets of UTF-16 are read as UTF-8', { utf8: 'fffe68006900' }, 'h i'],
  'DEC-2 TOK-2 NulEndsText',
  ['octets-nul', 'octets 0 separate words', { utf8: '6f6e650074776f' }, 'one two'],
  'DEC-4 Utf16Units',
  [
    'units',
    '16-bit units give the same fingerprint as octets',
    { utf16: '0063006100660065030100200079' },
    'caf\u00e9 y',
  ],
  'DEC-4 TOK-5 Utf16Units',
  ['units-astral', 'surrogate pairs are astral letters', { utf16: 'd801dc00d801dc28' }, '\u{10400}\u{10428}'],
  'DEC-4 LoneSurrogate',
  ['units-lone', 'a lone surrogate splits a word', { utf16: '0061d80000620063dc00' }, 'a bc'],
  'DEC-1 NRM-2 Bom Ignorable',
  ['units-bom', 'U+FEFF in 16-bit units is ignorable', { utf16: 'feff00610062' }, 'ab'],

  'NRM-3 MissingNfc',
  [
    'composed-across',
    'a letter composes with an accent behind a mark of a lower class',
    `e\u0316${acute}`,
    '\u00e9\u0316',
  ],
  [
    'composed-singletons',
    'letters that NFC replaces by others have the fingerprint of these',
    '\u212b \u0958',
    '\u00c5 \u0915\u093c',
  ],
  [
    'composed-pairs',
    'one code point of each range that may compose with the letter before it does so',
    PAIRS.join(' '),
    '\u0201 \u0203 \u1f00 \u01a1 \u1ea1 \u1e13 \u1e1b \u1fb6 \u1fb3 \u0622 \u0929 \u0c15\u0c48 \u0d9a \u1026 \uac00 \uac01 \u1b06 \u{1109a}',
  ],
  'NRM-3 Nfd',
  ['composed', 'a word with composed letters has a fingerprint', 'caf\u00e9 na\u00efve', 'caf\u00e9 na\u00efve'],
  'NRM-3 MissingNfc',
  [
    'decomposed',
    'the same word in decomposed letters has the same fingerprint',
    `cafe${acute} nai\u0308ve`,
    'caf\u00e9 na\u00efve',
  ],
  'NRM-3 Hangul MissingNfc',
  [
    'jamo',
    'conjoining jamo have the fingerprint of the syllables',
    '\u1112\u1161\u11ab\u1100\u1173\u11af',
    '\ud55c\uae00',
  ],
  'NRM-4 Nfkc',
  ['ligature', 'a ligature is a letter of its own', '\ufb01n fin', '\ufb01n fin'],
  'NRM-2 Ignorable',
  ['soft-hyphens', 'soft hyphens do not split words', 'docu\u00adment finger\u00adprint', 'document fingerprint'],
  'CLS-6 ZeroWidthSpace',
  ['zero-width-space', 'zero width spaces split words', 'docu\u200bment', 'docu ment'],
  'NRM-2 Ignorable Bom',
  ['byte-order-mark-inside', 'U+FEFF does not split a word', 'docu\ufeffment', 'document'],
  'NRM-2 Ignorable',
  ['selectors', 'variation selectors do not split words', '\u845b\u{e0100}\u57ce\ufe00', '\u845b\u57ce'],
  'NRM-1 CLS-1 NewerUnicode',
  [
    'newer-letters',
    'letters of a later Unicode version split a word',
    'ab\ua7c0cd \u4e2d\u{30000}\u6587',
    'ab cd \u4e2d \u6587',
  ],
  'NRM-1 NRM-3 NewerUnicode RuleOrder',
  [
    'newer-marks',
    'marks of a later Unicode version split a word and keep a letter and a mark from composing',
    `e\u1ac3${acute}`,
    'e',
  ],
  'CLS-6 TOK-2 SpacingMark',
  ['spacing-marks', 'spacing marks split words', '\u0939\u093f\u0928\u094d\u0926\u0940', '\u0939 \u0928\u094d\u0926'],
  'NRM-3 TOK-5 CompositionExclusion',
  [
    'nukta',
    'a nukta letter, a composition exclusion, is hashed as two code points',
    '\u0958\u0932\u092e',
    '\u0915\u093c\u0932\u092e',
  ],
  'NRM-3 TOK-5 Singleton',
  ['angstrom', 'a singleton is hashed as the code point that it becomes', '\u212bngstr\u00f6m', '\u00c5ngstr\u00f6m'],
  'NRM-3 TOK-1 Singleton',
  [
    'greek-question-mark',
    'a singleton becomes punctuation',
    '\u03c4\u03b9\u037e\u03bd\u03b1\u03b9',
    '\u03c4\u03b9 \u03bd\u03b1\u03b9',
  ],
  'TOK-1 NRM-3 MissingNfc',
  [
    'class-after-nfc',
    'classes are those after NFC: a mark that composes with a symbol begins no word',
    'a=\u0338b',
    'a b',
  ],

  'LOC-4 LocatorScheme',
  [
    'locator-between',
    'a locator between words is stripped',
    'see http://example.org/a%20b?c=d for more',
    'see for more',
  ],
  'LOC-3 LocatorOrder',
  [
    'locator-forms',
    'each of the seven forms is stripped',
    `a http://a www.b doi:c 10.1234/d e@f.g ${uuid} ${'0123456789abcdef'.repeat(2)} z`,
    'a z',
  ],
  'LOC-1 LOC-4 LocatorReplacement UnicodeLetters',
  [
    'locator-joined',
    'letters outside ASCII directly before and after a locator stay',
    '\u4e2dhttp://a\u6587',
    '\u4e2d \u6587',
  ],
  'NRM-3 LOC-7 Singleton RuleOrder',
  ['locator-kelvin', 'a kelvin sign is a K in step 4', 'ar\u212a:x end', 'end'],
  'NRM-2 LOC-5 Ignorable RuleOrder',
  ['locator-soft-hyphen', 'a soft hyphen in a scheme is deleted before step 4', 'ht\u00adtp://x\u00ady end', 'end'],
  'NRM-2 LOC-1 Ignorable RuleOrder',
  [
    'locator-ignorable-before',
    'an ignorable code point before a locator is deleted before step 4: a letter precedes it',
    'x\u200dwww.a',
    'xwww a',
  ],
  'NRM-3 LOC-13 MissingNfc RuleOrder',
  [
    'locator-composed',
    'a mark after an equals sign composes to another sign, which ends a locator',
    'http://a=\u0338b',
    'b',
  ],
  ...(
    [
      ['scheme', 'an address with a scheme', 'LOC-5 LocatorScheme', 'http://x'],
      ['www', 'an address without a scheme', 'LOC-6 LocatorWww', 'www.x'],
      ['prefix', 'an identifier with a prefix', 'LOC-7 LocatorPrefix', 'tel:b'],
      ['doi', 'a DOI', 'LOC-8 LocatorDoi', '10.1234/x'],
      ['email', 'an e-mail address', 'LOC-9 LocatorEmail', 'a@b.c'],
      ['email-labels', 'an e-mail address of three labels', 'LOC-9 LocatorEmail', 'a@b.c.d'],
    ] as const
  ).flatMap(([name, what, heading, locator]) => {
    const title = `${what} is stripped at the end of a document, as short as it can be`;
    return [heading, [`locator-last-${name}`, title, `see ${locator}`, 'see'] as const];
  }),
  'SIM-1 LOC-11 EmptyAsZero LocatorDigest',
  ['none-digest', 'a document that is one digest has no fingerprint', md5, ''],
  'LOC-9 LocatorEmail LocatorGreedy',
  ['locator-email-word', 'a word behind a short e-mail address stays', 'a@b.c d', 'd'],
  'NRM-3 LOC-4 TOK-2 RepeatedNfc MarkAtBorder',
  ['locator-mark-behind', 'a mark after a locator begins a word: NFC is not applied again', 'x@y.z\u0308d', '\u0308d'],
  'NRM-3 LOC-9 RuleOrder',
  ['locator-mark-composed', 'a letter that composes with a mark is not part of a locator', 'x@y.zu\u0308d', '\u00fcd'],
  'NRM-1 LOC-13 NewerUnicode',
  ['locator-unassigned', 'an unassigned code point ends a locator', 'http://a\u32ffb', 'b'],
  'DEC-2 LOC-13 IllFormed',
  ['locator-ill-formed', 'an ill-formed octet ends a locator', { utf8: '687474703a2f2f61ff62' }, 'b'],
  'LOC-6 LOC-7 LocatorTooWide',
  [
    'locator-look-alike',
    'words that look like locators are words',
    'Info: see example.org, page 10.5/x',
    'Info see example org page x',
  ],
  'TOK-2 WhiteSpace',
  [
    'line-ends',
    'line ends of any kind separate words',
    'one\ntwo\r\nthree\rfour\u2028five\u0085six',
    'one two three four five six',
  ],
  'TOK-2 MarkupStripped',
  ['markup', 'markup in plain text is text', '<p class="a">one &eacute;</p>', 'p class a one eacute p'],
  'HSH-1 TailLength',
  [
    'long-token',
    'a word of 40 octets is one token',
    'pneumonoultramicroscopicsilicovolcanosis',
    'pneumonoultramicroscopicsilicovolcanosis',
  ],
];

export type LongRows = Table<[rule: GeneratingRule, tokenCount: number]>;

export const longCases = (rows: LongRows): CaseOf<'fingerprint'>[] =>
  casesOf('fingerprint', rows, (generate, tokenCount) => ({ input: { generate }, hand: { tokenCount } }));

const long: LongRows = [
  'SIM-2 NarrowCounter',
  [
    'narrow-8',
    '128 occurrences of one word and 127 of another do not overflow 8 bits',
    concat(repeat('one ', 128), repeat('two ', 127)),
    255,
  ],
  [
    'narrow-16',
    '33,000 occurrences of one word and 32,999 of another do not overflow 16 bits',
    concat(repeat('one ', 33000), repeat('two ', 32999)),
    65999,
  ],
  'SIM-2 SIM-4 NarrowCounter TieToOne',
  ['narrow-16-tie', '33,000 occurrences of each of two words tie', repeat('one two ', 33000), 66000],
  'TOK-2 HSH-1 LengthLimit LongInput',
  ['long-word', 'a word of 300,000 letters is one token', concat(repeat('ab', 150000), repeat(' end', 1)), 2],
  'LOC-14 LengthLimit LongInput',
  [
    'long-locator',
    'a locator of 300,000 characters is stripped',
    concat(repeat('http://', 1), repeat('a', 300000), repeat(' end', 1)),
    1,
  ],
  'LOC-11 LOC-14 LengthLimit LongInput',
  ['long-digest', 'a digest of 300,000 digits is stripped', concat(repeat('0', 300000), repeat(' end', 1)), 1],
  'TOK-2 LongInput',
  [
    'long-space',
    '300,000 spaces separate two words',
    concat(repeat('one', 1), repeat(' ', 300000), repeat('two', 1)),
    2,
  ],
  'NRM-3 StreamSafe LongInput',
  [
    'long-marks',
    'a letter with 10,000 marks of two classes is one token',
    concat(repeat('q', 1), repeat('\u0301\u0323', 5000), repeat(' end', 1)),
    2,
  ],
  [
    'long-jamo',
    'a consonant with 10,000 Hangul vowels of class 0 is one token',
    concat(repeat('\u1100', 1), repeat('\u1161', 10000), repeat(' end', 1)),
    2,
  ],
  'NRM-2 Ignorable LongInput',
  [
    'long-ignorable',
    '100,000 soft hyphens in a word are deleted',
    concat(repeat('docu', 1), repeat('\u00ad', 100000), repeat('ment', 1)),
    1,
  ],
  'TOK-4 SIM-2 Deduplicated LongInput',
  ['long-lines', 'a long text of equal lines has a fingerprint', repeat('All work and no play\r\n', 2000), 10000],
  'DEC-2 ChunkBorder LongInput',
  [
    'buffers-2',
    'letters of two octets after one octet: buffers of every even size cut one',
    concat(repeat('a', 1), repeat('\u00e9', 40000), repeat(' \u00e9t\u00e9', 10000)),
    10001,
  ],
  [
    'buffers-3',
    'letters of three octets after one octet: buffers cut one',
    concat(repeat('a', 1), repeat('\u4e2d', 40000), repeat('\u3002\u6587', 10000)),
    10001,
  ],
  'DEC-2 DEC-4 ChunkBorder Utf16Units LongInput',
  [
    'buffers-4',
    'letters of four octets after one octet: buffers cut one',
    concat(repeat('a', 1), repeat('\u{20000}', 40000), repeat(' \u{10400}', 10000)),
    10001,
  ],
  'NRM-3 ChunkBorder LongInput',
  [
    'buffers-marks',
    'letters with decomposed marks after one letter: buffers cut one',
    concat(repeat('a', 1), repeat(`e${acute}`, 30000)),
    1,
  ],
  'NRM-3 ChunkBorder Hangul LongInput',
  [
    'buffers-jamo',
    'conjoining jamo after one letter: buffers cut a syllable',
    concat(repeat('a', 1), repeat('\u1112\u1161\u11ab', 30000)),
    1,
  ],
  'LOC-4 ChunkBorder LongInput',
  [
    'buffers-locators',
    'locators with one space between them after one letter: buffers cut one',
    concat(repeat('a', 1), repeat(' http://example.org/', 5000), repeat(' end', 1)),
    2,
  ],
];

const end = repeat(' end', 1);

/**
 * LOC-14: texts on which a naive search for locators reads to the end again and again. All tokens of each are alike, so
 * that a shorter text of the kind has the same fingerprint.
 */
const hostile: Table<[rule: (count: number) => GeneratingRule, count: number, tokenCount: number]> = [
  'LOC-14 LOC-5 QuadraticTime LongInput',
  ['hostile-scheme', 'unending starts of schemes take linear time: a.a.a.', (n) => repeat('a.', n), 100000, 100000],
  'LOC-14 LOC-9 QuadraticTime LongInput',
  [
    'hostile-local',
    'unending starts of local parts take linear time: 1-1-1-',
    (n) => concat(repeat('1-', n), end),
    250000,
    1,
  ],
  'LOC-14 LOC-8 QuadraticTime LongInput',
  [
    'hostile-doi',
    'unending starts of DOIs take linear time: 10.1111.10.1111.',
    (n) => concat(repeat('10.1111.', n), end),
    100000,
    1,
  ],
  'LOC-14 LOC-9 QuadraticTime LongInput',
  [
    'hostile-domain',
    'local parts before a domain that never gets a second label take linear time',
    (n) => concat(repeat('1-', n), repeat('@', 1), repeat('1-', n), end),
    125000,
    1,
  ],
];

/** Each language once, alternating between text, bytes and 16-bit units. */
const byLanguage = languages.map(({ code, name, text, flags }, i): CaseOf<'fingerprint'> => {
  const inputs: InputOf<'fingerprint'>[] = [{ text }, { utf8: utf8Of(text) }, { utf16: utf16Of(text) }];
  const ascii = /^[\0-\x7f]*$/.test(text);
  return {
    ...{ name: `language-${code}`, operation: 'fingerprint', title: `a sentence in ${name}` },
    rules: ['TOK-2', 'HSH-1', 'SIM-2'],
    ...{ flags: ascii ? list(flags) : ['AsciiOnly', ...list(flags)], input: inputs[i % 3]! },
  };
});

export const fingerprintGroup: Group = {
  group: 'fingerprint',
  description: 'Steps 1 to 9 and 11: a text to its fingerprint, with every intermediate where it is short.',
  cases: [
    ...casesOf('fingerprint', rows, (input, tokens) => ({
      input: typeof input === 'string' ? { text: input } : input,
      hand: { tokens: list(tokens), tokenCount: list(tokens).length },
    })),
    ...casesOf('fingerprint', hostile, (rule, count, tokenCount) => ({
      input: { generate: rule(count) },
      hand: { tokenCount },
      shorter: { generate: rule(100) },
    })),
    ...longCases(long),
    ...byLanguage,
  ],
};
