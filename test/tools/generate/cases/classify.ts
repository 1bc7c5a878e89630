import type { WordClass } from '../../../../src/index.ts';
import { type CaseOf, casesOf, endsOf, type Group, list, type Table } from '../case.ts';

const hex = (codePoint: number): string => codePoint.toString(16).padStart(4, '0');

/** CLS-2, as scheme and specification list it. */
const IGNORABLE =
  '00ad 034f 061c 115f-1160 17b4-17b5 180b-180e 200c-200f 202a-202e 2060-206f 3164 fe00-fe0f feff ffa0 fff0-fff8 ' +
  '1bca0-1bca3 1d173-1d17a e0000-e0fff';

/** The code points before, first, last and after of each range, each once. */
const ignorable: CaseOf<'classify'>[] = list(IGNORABLE).map((range) => {
  const [first, last] = endsOf(range);
  const points = [...new Set([first - 1, first, last, last + 1])];
  const single = first === last;
  return {
    name: `ignorable-${hex(first)}`,
    operation: 'classify',
    title: single
      ? `U+${hex(first).toUpperCase()} is ignorable; its neighbours are not`
      : `U+${hex(first).toUpperCase()} to U+${hex(last).toUpperCase()} are ignorable; their neighbours are not`,
    rules: ['CLS-1', 'CLS-2'],
    flags: ['Ignorable'],
    input: { text: String.fromCodePoint(...points) },
  };
});

const rows: Table<[text: string, classes: WordClass | readonly WordClass[]]> = [
  'CLS-1',
  ['empty', 'an empty text has no classes', '', []],
  'CLS-3 AsciiOnly',
  ['lu', 'upper-case letters (Lu) are letters', 'AZ\u00c0\u0416\u{10400}', 'letter'],
  ['ll', 'lower-case letters (Ll) are letters', 'az\u00b5\u00df\u{10428}', 'letter'],
  ['lt', 'title-case letters (Lt) are letters', '\u01c5\u1f88', 'letter'],
  ['lm', 'modifier letters (Lm) are letters', '\u02b0\u0640\u30fc\u3005\uff70', 'letter'],
  [
    'lo',
    'other letters (Lo) are letters: ordinal indicators, Hebrew, Thai, kana, ideographs, Hangul, astral letters',
    '\u00aa\u05d0\u0e01\u3042\u4e2d\uac00\u{20000}',
    'letter',
  ],
  'CLS-3 RangeEnds',
  [
    'ideographs',
    'the first and last ideographs of the blocks of Unicode 12.0 are letters; data files name such blocks by their ends',
    '\u3400\u4db5\u4e00\u9fef\u{20000}\u{2a6d6}\u{2a700}\u{2b734}\u{2ceb0}\u{2ebe0}',
    'letter',
  ],
  ['hangul', 'the first and the last Hangul syllable are letters', '\uac00\ud7a3', 'letter'],
  'CLS-4 MarkClass',
  ['mn', 'non-spacing marks (Mn) are of class word', '\u0300\u0483\u064e\u094d\u0e31\u3099\u{1d167}', 'word'],
  'CLS-4 AsciiOnly',
  ['nd', 'decimal digits (Nd) of any script are of class word', '09\u0660\u096f\u0e50\uff19\u{1d7ff}', 'word'],
  'CLS-4 Underscore',
  ['pc', 'connector punctuation (Pc) is of class word', '_\u203f\u2054\ufe33\ufe4d\uff3f', 'word'],
  'CLS-6 SpacingMark',
  [
    'mc',
    'spacing marks (Mc) are breaks: the list of eight categories is closed',
    '\u0903\u093e\u093f\u0bbe\u102b\u302e\u{1d165}',
    'break',
  ],
  'CLS-6 EnclosingMark',
  ['me', 'enclosing marks (Me) are breaks', '\u0488\u1abe\u20dd\ua670', 'break'],
  'CLS-6 LetterNumber',
  ['nl', 'letter-like numbers (Nl) are breaks', '\u16ee\u2160\u2188\u3007\u3021\u{12400}', 'break'],
  'CLS-6 OtherNumber',
  ['no', 'other numbers (No) are breaks', '\u00b2\u00bc\u0bf0\u2070\u2460\u{1f100}', 'break'],
  'CLS-6 Punctuation',
  ['pd', 'dashes (Pd) are breaks', '-\u058a\u2010\u2014\u301c\uff0d', 'break'],
  ['ps-pe', 'brackets (Ps, Pe) are breaks', '()[]\u201a\u3008\u3009\uff08', 'break'],
  ['pi-pf', 'quotes (Pi, Pf) are breaks, including the apostrophe U+2019', '\u00ab\u00bb\u2018\u2019', 'break'],
  'CLS-6 Punctuation Segmenter',
  [
    'po',
    'other punctuation (Po) is a break, including the apostrophe, middle dots and the geresh, which UAX #29 keeps in words',
    "!'.:\u00b7\u055a\u05f3\u30fb\u0387",
    'break',
  ],
  'CLS-6 Punctuation',
  ['sm-sc', 'mathematical and currency symbols (Sm, Sc) are breaks', '+<\u00d7\u221e$\u20ac', 'break'],
  ['sk', 'modifier symbols (Sk) are breaks, including emoji modifiers', '^`\u00a8\u02c5\u309b\u{1f3fb}', 'break'],
  'CLS-6 Alphabetic',
  [
    'so',
    'other symbols (So) are breaks, including circled letters, which are Alphabetic',
    '\u00a9\u24b6\u24e9\u2764\u{1f600}\u{1f170}\ufffc\ufffd',
    'break',
  ],
  'CLS-6 WhiteSpace',
  ['zs', 'spaces (Zs) are breaks', ' \u00a0\u1680\u2000\u202f\u3000', 'break'],
  ['zl-zp', 'line and paragraph separators (Zl, Zp) are breaks', '\u2028\u2029', 'break'],
  'CLS-6 CLS-5 UnassignedAsControl',
  ['cc', 'control characters (Cc) are breaks; all of them are assigned', '\0\t\n\x1f\x7f\x80\x85\x9f', 'break'],
  'CLS-6 Ignorable',
  [
    'cf',
    'format characters (Cf) that are not ignorable are breaks',
    '\u0600\u0605\u06dd\u070f\u08e2\ufff9\ufffb\u{110bd}\u{13430}',
    'break',
  ],
  'CLS-6 RangeEnds',
  [
    'co',
    'private-use code points (Co) are breaks: the first and last of each area',
    '\ue000\uf8ff\u{f0000}\u{ffffd}\u{100000}\u{10fffd}',
    'break',
  ],
  'CLS-6 CLS-2 ZeroWidthSpace',
  [
    'zero-width-space',
    'U+200B is a break although it is Default_Ignorable_Code_Point; the next code point, U+200C, is ignorable',
    '\u200a\u200b\u200c',
    ['break', 'break', 'ignorable'],
  ],
  'CLS-5 UnassignedAsControl',
  [
    'cn',
    'code points that no version has assigned are unassigned, not control characters',
    '\u0378\u0530\u2fe0\u{1fffd}\u{40000}\u{e1000}',
    'unassigned',
  ],
  'CLS-5 Noncharacter UnassignedAsControl',
  ['noncharacters', 'noncharacters are unassigned', '\ufdd0\ufdef\ufffe\uffff\u{1fffe}\u{10ffff}', 'unassigned'],
  'CLS-2 Ignorable UnassignedAsControl',
  [
    'ignorable-unassigned',
    'unassigned code points with Default_Ignorable_Code_Point are ignorable: the class takes precedence',
    '\u2065\ufff0\ufff8\u{e0000}\u{e0080}\u{e0fff}',
    'ignorable',
  ],
  'CLS-2 Ignorable',
  [
    'ignorable-letter',
    'Hangul fillers (Lo) are ignorable: the class takes precedence over letter',
    '\u115f\u1160\u3164\uffa0',
    'ignorable',
  ],
  [
    'ignorable-mark',
    'U+034F, Khmer inherent vowels and variation selectors (Mn) are ignorable: the class takes precedence over word',
    '\u034f\u17b4\u180b\ufe0f\u{e0100}\u{e01ef}',
    'ignorable',
  ],
  ['tags', 'tag characters (Cf) are ignorable', '\u{e0001}\u{e0020}\u{e0061}\u{e007f}', 'ignorable'],
  'CLS-3 CLS-4 CLS-6 Alphabetic',
  [
    'alphabetic-mark',
    'the property Alphabetic does not make a letter: U+0345 (Mn), U+093E (Mc)',
    '\u0345\u0939\u093e',
    ['word', 'letter', 'break'],
  ],
  'CLS-1 OlderUnicode',
  [
    'new-in-12-0-letters',
    'letters new in Unicode 12.0 are letters',
    '\u0e86\ua7c2\u{1e100}\u{16f45}\u{1e2c0}',
    'letter',
  ],
  [
    'new-in-12-0-words',
    'marks and digits new in Unicode 12.0 are of class word',
    '\u0eba\u{1e130}\u{1e140}\u{1e2f0}',
    'word',
  ],
  [
    'new-in-11-0',
    'letters and digits new in Unicode 11.0 are letters and of class word',
    '\u1c90\u0560\u{10d30}',
    ['letter', 'letter', 'word'],
  ],
  'CLS-1 CLS-5 NewerUnicode',
  ['new-in-12-1', 'U+32FF, new in Unicode 12.1, is unassigned', '\u32fe\u32ff', ['break', 'unassigned']],
  [
    'new-in-13-0',
    'letters and digits of Unicode 13.0 are unassigned',
    '\u08be\u31bb\u{10e80}\u{1fbf0}\u{30000}',
    'unassigned',
  ],
  'CLS-1 CLS-5 NewerUnicode RangeEnds',
  [
    'new-in-13-0-ideographs',
    'ideographs that Unicode 13.0 and 14.0 added to the ends of blocks are unassigned',
    '\u4db6\u9ff0\u9fff\u{2a6d7}\u{2b735}',
    'unassigned',
  ],
  'CLS-1 CLS-5 NewerUnicode',
  ['new-in-14-0', 'letters of Unicode 14.0 are unassigned', '\u0870\u2c2f\u2c5f\ua7c0\u{10570}', 'unassigned'],
  'CLS-1 CLS-2 CLS-5 NewerUnicode Ignorable',
  [
    'new-in-14-0-selector',
    'U+180F, a variation selector of Unicode 14.0, is unassigned and not ignorable',
    '\u180e\u180f',
    ['ignorable', 'unassigned'],
  ],
  'CLS-1 CLS-5 NewerUnicode',
  [
    'new-in-15-0',
    'letters and a spacing mark of Unicode 15.0 are unassigned',
    '\u0cf3\u{11f04}\u{1e4d0}\u{31350}',
    'unassigned',
  ],
  ['new-in-15-1', 'ideographs of Unicode 15.1 are unassigned', '\u2ffc\u31ef\u{2ebf0}\u{2ee5d}', 'unassigned'],
  [
    'new-in-16-0',
    'letters, marks and digits of Unicode 16.0 are unassigned',
    '\u0897\u1c89\ua7cb\u{10d40}\u{16d40}',
    'unassigned',
  ],
  ['new-in-17-0', 'letters of Unicode 17.0 are unassigned', '\u088f\ua7ce\u{10940}\u{16ea0}\u{323b0}', 'unassigned'],
  'CLS-1 CLS-4 NewerUnicode',
  [
    'recategorised-1734',
    'U+1734 was Mn in Unicode 12.0 and has been Mc since 14.0: it stays of class word',
    '\u1734',
    'word',
  ],
  [
    'recategorised-1171e',
    'U+1171E was Mn in Unicode 12.0 and has been Mc since: it stays of class word',
    '\u{1171e}',
    'word',
  ],
  'CLS-1 CLS-6 RuntimeWord',
  [
    'runtime-word',
    'characters that engines include in \\w are breaks or ignorable here: joiners, spacing and enclosing marks, letter numbers',
    '\u20dd\u2160\u0903\u24b6',
    'break',
  ],
  'CLS-3 CLS-4 CLS-6 AsciiOnly',
  [
    'halves',
    'full-width and half-width forms have the classes of their categories',
    '\uff21\uff66\uff9e\uff10\uff0c',
    ['letter', 'letter', 'letter', 'word', 'break'],
  ],
  'CLS-1 RangeEnds',
  [
    'last',
    'the code points around the last planes have the right classes',
    '\u{e0fff}\u{e1000}\u{effff}\u{f0000}',
    ['ignorable', 'unassigned', 'unassigned', 'break'],
  ],
];

export const classifyGroup: Group = {
  group: 'classify',
  description: 'Step 2: the class of each code point of a text, by the data of Unicode 12.0.',
  cases: [
    ...casesOf('classify', rows, (text, classes) => ({
      input: { text },
      hand: { classes: typeof classes === 'string' ? Array.from(text, () => classes) : classes },
    })),
    ...ignorable,
  ],
};
