/**
 * Cases for each place of a grammar: every ASCII character in the place, one to a line, or the ends of a range of bytes
 * and their neighbours. Each machine-made mutant that earlier vectors let pass failed at such a place.
 */
import { prefixes } from '../../../twin/locator-cases.ts';
import { type Case, list } from '../case.ts';

const uuid = '550e8400-e29b-41d4-a716-446655440000';
const md5 = 'd41d8cd98f00b204e9800998ecf8427e';

/** The printable characters of ASCII. */
const ASCII = Array.from({ length: 0x7f - 0x20 }, (_, i) => String.fromCharCode(0x20 + i));
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const ALPHANUMERICS = LETTERS + DIGITS;
const HEX = `${DIGITS}ABCDEFabcdef`;
const URIC = `${ALPHANUMERICS}-._~%:/?#[]@!$&'()*+,;=`;
const SCHEME = `${ALPHANUMERICS}+.-`;
const LOCAL = `${ALPHANUMERICS}._%+-`;
const LABEL = `${ALPHANUMERICS}-`;

/** A place: what stands before and after it, the characters with which all of the line matches, and what remains else. */
type Place = readonly [
  name: string,
  title: string,
  rules: string,
  flags: string,
  before: string,
  behind: string,
  matching: string,
  remains?: (character: string) => string,
];

const behindMatch = (character: string): string => ` ${character}`;

/** The rest where a letter or digit after the match prevents it. */
const notFollowed =
  (match: string) =>
  (character: string): string =>
    ALPHANUMERICS.includes(character) ? match + character : ` ${character}`;

const places: readonly Place[] = [
  ['scheme-1', 'a scheme starts with a letter', 'LOC-5', 'LocatorScheme', '', '://x', LETTERS],
  ['scheme-2', 'letters, digits, +, . and - continue a scheme', 'LOC-5', 'LocatorScheme', 'a', '://x', SCHEME],
  ['scheme-colon', 'a colon ends a scheme', 'LOC-5', 'LocatorScheme', 'a', '//x', ':'],
  ['scheme-slash-1', 'a slash follows the colon', 'LOC-5', 'LocatorScheme', 'a:', '/x', '/'],
  ['scheme-slash-2', 'a second slash follows the first', 'LOC-5', 'LocatorScheme', 'a:/', 'x', '/'],
  ['scheme-uric-1', 'a uric follows the slashes', 'LOC-5 LOC-13', 'LocatorCharacters', 'x://', '', URIC],
  ['scheme-uric-2', 'a uric continues an address', 'LOC-5 LOC-13', 'LocatorCharacters', 'x://a', '', URIC, behindMatch],

  ['www-1', 'the first w of www.', 'LOC-6', 'LocatorWww', '', 'ww.x', 'wW'],
  ['www-2', 'the second w of www.; w@w.x is an e-mail address', 'LOC-6 LOC-9', 'LocatorWww', 'w', 'w.x', 'wW@'],
  ['www-3', 'the third w of www.', 'LOC-6', 'LocatorWww', 'ww', '.x', 'wW'],
  ['www-dot', 'the dot of www.', 'LOC-6', 'LocatorWww', 'www', 'x', '.'],
  ['www-uric', 'a uric follows www.', 'LOC-6 LOC-13', 'LocatorWww', 'www.', '', URIC],

  ['prefix-1', 'the first letter of doi', 'LOC-7', 'LocatorPrefix', '', 'oi:x', 'dD'],
  ['prefix-2', 'the second letter of doi', 'LOC-7', 'LocatorPrefix', 'd', 'i:x', 'oO'],
  ['prefix-3', 'the third letter of doi', 'LOC-7', 'LocatorPrefix', 'do', ':x', 'iI'],
  ['prefix-colon', 'a colon follows a prefix', 'LOC-7', 'LocatorPrefix', 'doi', 'x', ':'],
  ['prefix-uric', 'a uric follows the colon', 'LOC-7 LOC-13', 'LocatorPrefix', 'doi:', '', URIC],

  ['doi-1', 'the 1 of 10.', 'LOC-8', 'LocatorDoi', '', '0.1234/x', '1'],
  ['doi-0', 'the 0 of 10.', 'LOC-8', 'LocatorDoi', '1', '.1234/x', '0'],
  ['doi-dot', 'the dot of 10.', 'LOC-8', 'LocatorDoi', '10', '1234/x', '.'],
  ['doi-digit-1', 'the first digit of a registrant', 'LOC-8', 'LocatorDoi', '10.', '234/x', DIGITS],
  ['doi-digit-4', 'the fourth digit of a registrant', 'LOC-8', 'LocatorDoi', '10.123', '/x', DIGITS],
  ['doi-group-1', 'the first digit of a group', 'LOC-8', 'LocatorDoi', '10.1234.', '/x', DIGITS],
  [
    'doi-group-2',
    'digits continue a group; a slash ends it, and the next one is a uric',
    'LOC-8',
    'LocatorDoi',
    '10.1234.1',
    '/x',
    `${DIGITS}/`,
  ],
  ['doi-slash', 'a slash follows the digits', 'LOC-8', 'LocatorDoi', '10.1234', 'x', '/'],
  ['doi-uric', 'a uric follows the slash', 'LOC-8 LOC-13', 'LocatorDoi', '10.1234/', '', URIC],

  ['email-local-1', 'a local part of one character', 'LOC-9', 'LocatorEmail', '', '@a.b', LOCAL],
  [
    'email-local-2',
    'a local part of three characters; where the second cannot be in it, the third is a local part',
    'LOC-9',
    'LocatorEmail',
    'a',
    'b@c.d',
    LOCAL,
    (character) => `a${character} `,
  ],
  ['email-at', 'an at sign follows a local part', 'LOC-9', 'LocatorEmail', 'a', 'b.c', '@'],
  ['email-label-1', 'the first label of one character', 'LOC-9', 'LocatorEmail', 'a@', '.c', LABEL],
  ['email-label-2', 'the second character of the first label', 'LOC-9', 'LocatorEmail', 'a@b', '.d', LABEL],
  ['email-dot', 'a dot follows the first label', 'LOC-9', 'LocatorEmail', 'a@b', 'c', '.'],
  ['email-last-1', 'the last label of one character', 'LOC-9', 'LocatorEmail', 'a@b.', '', LABEL],
  [
    'email-last-2',
    'a character that a label cannot contain ends an e-mail address',
    'LOC-9',
    'LocatorEmail',
    'a@b.c',
    '',
    LABEL,
    behindMatch,
  ],

  [
    'uuid-follow',
    'a letter or digit directly behind a UUID prevents the match',
    'LOC-12 LOC-10',
    'LookAhead',
    uuid,
    '',
    '',
    notFollowed(uuid),
  ],
  ['digest-1', 'the first of 32 characters of a digest', 'LOC-11', 'LocatorDigest', '', md5.slice(1), HEX],
  [
    'digest-16',
    'the 16th of 32 characters of a digest',
    'LOC-11',
    'LocatorDigest',
    md5.slice(0, 15),
    md5.slice(16),
    HEX,
  ],
  ['digest-32nd', 'the last of 32 characters of a digest', 'LOC-11', 'LocatorDigest', md5.slice(0, 31), '', HEX],
  [
    'digest-follow',
    'a letter or digit directly behind a digest prevents the match',
    'LOC-12 LOC-11',
    'LookAhead',
    md5,
    '',
    HEX,
    notFollowed(md5),
  ],
  ['digest-digit', 'a digest holds a digit', 'LOC-11', 'LocatorDigest', 'abcdefabcdefabcdefabcdefabcdefa', '', DIGITS],

  [
    'behind',
    'a match starts directly behind every character but a letter or digit',
    'LOC-1',
    'LocatorBorder',
    '',
    'www.x',
    '',
    (character) => (ALPHANUMERICS.includes(character) ? `${character}www.x` : `${character} `),
  ],
];

const placeCases = places.map(([name, title, rules, flags, before, behind, matching, remains]): Case => {
  const line = (character: string): string => before + character + behind;
  const rest = (character: string): string => (matching.includes(character) ? ' ' : (remains ?? line)(character));
  return {
    ...{ name: `place-${name}`, operation: 'strip-locators', title: `${title}: each ASCII character in turn` },
    ...{ rules: list(rules), flags: list(flags) },
    ...{ input: { text: ASCII.map(line).join('\n') }, hand: { text: ASCII.map(rest).join('\n') } },
  };
});

/** The neighbours of hexadecimal digits in ASCII, and an apostrophe. */
const NOT_HEX = Array.from("/:@G`g'");

const GROUPS = [
  [0, 8],
  [9, 13],
  [14, 18],
  [19, 23],
  [24, 36],
] as const;

const uuidCases = GROUPS.map(([start, end], i): Case => {
  const lines = Array.from({ length: end - start }, (_, place) =>
    NOT_HEX.map((other) => uuid.slice(0, start + place) + other + uuid.slice(start + place + 1)),
  );
  const text = lines.flat().join('\n');
  return {
    ...{ name: `place-uuid-group-${i + 1}`, operation: 'strip-locators', rules: ['LOC-10'], flags: ['LocatorUuid'] },
    title: `a UUID has hexadecimal digits only: the neighbours of their ranges at each place of group ${i + 1}`,
    ...{ input: { text }, hand: { text } },
  };
});

const hyphens: Case = (() => {
  const text = [8, 13, 18, 23]
    .flatMap((place) => Array.from(",.+_ 0a'", (other) => uuid.slice(0, place) + other + uuid.slice(place + 1)))
    .join('\n');
  return {
    ...{ name: 'place-uuid-hyphens', operation: 'strip-locators', title: 'a UUID has hyphens at four places' },
    ...{ rules: ['LOC-10'], flags: ['LocatorUuid'], input: { text }, hand: { text } },
  };
})();

/** Each letter of each prefix replaced by its neighbours in ASCII and by an apostrophe. */
const prefixLetters: Case = (() => {
  const others = (letter: string): string[] => {
    const code = letter.charCodeAt(0);
    return [code - 1, code + 1, code - 0x20 - 1, code - 0x20 + 1, 0x27].map((each) => String.fromCharCode(each));
  };
  const lines = prefixes.flatMap((prefix) =>
    Array.from(prefix, (letter, i) =>
      others(letter).map((other) => `${prefix.slice(0, i)}${other}${prefix.slice(i + 1)}:x`),
    ).flat(),
  );
  // Two lines are another prefix, and two end in one after a character that is neither letter nor digit.
  const rest = lines.map((line) => (/^(cid|did):x$/i.test(line) ? ' ' : line.replace(/(?<![A-Za-z0-9])cid:x$/, ' ')));
  return {
    ...{ name: 'place-prefix-letters', operation: 'strip-locators', rules: ['LOC-7'], flags: ['LocatorPrefix'] },
    title: 'each letter of each prefix is that letter, and not its neighbour in ASCII',
    ...{ input: { text: lines.join('\n') }, hand: { text: rest.join('\n') } },
  };
})();

const R = '\ufffd';

/** The table of step 1: a first byte, how many follow, and the range of the second. */
const LEADS = [
  [0xc2, 1, 0x80, 0xbf],
  [0xdf, 1, 0x80, 0xbf],
  [0xe0, 2, 0xa0, 0xbf],
  [0xe1, 2, 0x80, 0xbf],
  [0xec, 2, 0x80, 0xbf],
  [0xed, 2, 0x80, 0x9f],
  [0xee, 2, 0x80, 0xbf],
  [0xef, 2, 0x80, 0xbf],
  [0xf0, 3, 0x90, 0xbf],
  [0xf1, 3, 0x80, 0xbf],
  [0xf3, 3, 0x80, 0xbf],
  [0xf4, 3, 0x80, 0x8f],
] as const;

const hexOf = (bytes: readonly number[]): string => bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Decodes bytes of which none begins a sequence. */
const alone = (bytes: readonly number[]): string =>
  bytes.map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : R)).join('');

/** A sequence with one byte in question, and what it decodes to; `read` bytes before that one make one U+FFFD. */
function sequence(
  before: readonly number[],
  byte: number,
  behind: readonly number[],
  fits: boolean,
): [number[], string] {
  const bytes = [...before, byte, ...behind];
  if (!fits) return [bytes, R + alone([byte, ...behind])];
  const bits = before[0]! < 0xe0 ? 0x1f : before[0]! < 0xf0 ? 0x0f : 0x07;
  const value = bytes.slice(1).reduce((sum, each) => sum * 64 + (each & 0x3f), before[0]! & bits);
  return [bytes, String.fromCodePoint(value)];
}

/** A case of sequences after `FF`, so that the text is ill-formed even where none of them is. */
function decodeCase(name: string, title: string, sequences: readonly [number[], string][]): Case {
  return {
    ...{ name, operation: 'decode', title, rules: ['DEC-2'], flags: ['IllFormed', 'Boundary'] },
    input: { utf8: hexOf([0xff, ...sequences.flatMap(([bytes]) => bytes)]) },
    hand: { text: R + sequences.map(([, text]) => text).join('') },
  };
}

const upper = (byte: number): string => byte.toString(16).toUpperCase();

const decodeCases: readonly Case[] = [
  ...LEADS.map(([lead, following, low, high]) =>
    decodeCase(
      `bounds-${hexOf([lead])}`,
      `a second octet of ${upper(low)} to ${upper(high)} follows ${upper(lead)}, and no other`,
      [low - 1, low, high, high + 1].map((byte) =>
        sequence([lead], byte, Array(following - 1).fill(0x80), byte >= low && byte <= high),
      ),
    ),
  ),
  ...(
    [
      ['3-3', 'the third octet of three is 80 to BF', [0xe1, 0x80], []],
      ['4-3', 'the third octet of four is 80 to BF', [0xf1, 0x80], [0x80]],
      ['4-4', 'the fourth octet of four is 80 to BF', [0xf1, 0x80, 0x80], []],
    ] as const
  ).map(([name, title, before, behind]) =>
    decodeCase(
      `bounds-${name}`,
      title,
      [0x7f, 0x80, 0xbf, 0xc0].map((byte) => sequence(before, byte, behind, byte >= 0x80 && byte <= 0xbf)),
    ),
  ),
  decodeCase('bounds-lead', 'C1 and F5 begin no sequence, C2 and F4 do', [
    [[0xc1, 0x80], R + R],
    [[0xc2, 0x80], '\x80'],
    [[0xf4, 0x80, 0x80, 0x80], '\u{100000}'],
    [[0xf5, 0x80, 0x80, 0x80], R.repeat(4)],
  ]),
  decodeCase('bounds-ascii', '7F is a code point also in an ill-formed text, 80 is ill-formed', [
    [[0x7f], '\x7f'],
    [[0x80], R],
  ]),
  ...(
    [
      ['low-low', 'each of two low surrogates becomes one U+FFFD', 'dc00dc00', R + R],
      ['high-e000', 'a high surrogate before U+E000 becomes one U+FFFD', 'd800e000', `${R}\ue000`],
      ['high-dbff', 'a high surrogate before DBFF, the last high surrogate, becomes one U+FFFD', 'd800dbff', R + R],
      ['low-behind-d7ff', 'a low surrogate after U+D7FF becomes one U+FFFD', 'd7ffdc00', `\ud7ff${R}`],
      ['nul', 'the unit 0000 is U+0000', '0000', '\0'],
    ] as const
  ).map(
    ([name, title, utf16, text]): Case => ({
      ...{ name: `units-${name}`, operation: 'decode', title, rules: ['DEC-4'], flags: ['LoneSurrogate'] },
      ...{ input: { utf16 }, hand: { text } },
    }),
  ),
];

/** Characters next to the ranges of an alphabet, each in the place of one character of a string. */
const neighbours = (
  operation: 'parse' | 'parse-hex',
  alphabet: string,
  characters: string,
  before: string,
  behind: string,
): Case[] =>
  Array.from(characters, (character): Case => {
    const code = character.charCodeAt(0).toString(16);
    const string = before + character + behind;
    return {
      name: `${operation === 'parse' ? 'read' : 'hex'}-neighbour-${code}`,
      ...{ operation, title: `U+00${code.toUpperCase()} is not in the alphabet, although it is next to ${alphabet}` },
      ...{ rules: [operation === 'parse' ? 'SER-5' : 'SER-6'], flags: ['LookAlike', 'InvalidInput'] },
      input: operation === 'parse' ? { serialised: string } : { hex: string },
      error: 'invalid-fingerprint',
    } as Case;
  });

/** Every character of the alphabet, in both cases. */
const alphabets: readonly Case[] = (
  [
    ['1', 'ABCDEFGHIJKLM', '00443214c74254b6'],
    ['2', 'NOPQRSTUVWXY2', '6b9f08ca74adaf8d'],
    ['3', 'Z234567Z2345Y', 'ceb7cefbf9d6f9dc'],
  ] as const
).flatMap(([number, characters, fingerprint]) =>
  (
    [
      ['upper', characters],
      ['lower', characters.toLowerCase()],
    ] as const
  ).map(
    ([name, serialised]): Case => ({
      ...{
        name: `read-${name}-${number}`,
        operation: 'parse',
        title: `${serialised}, a third of the alphabet, is read`,
      },
      ...{ rules: ['SER-3'], flags: ['Base32Alphabet', 'LetterCase'], input: { serialised }, hand: { fingerprint } },
    }),
  ),
);

const highDigits = 'fedcba9876543210';

/** Permuted fingerprints of {@link highDigits}, whose bits differ from those of the other cases at every second place. */
const permutedHigh = [
  'fedcba9876543210 fedc876ba9543210 fedc543ba9876210 fedc210ba9876543 ba98fedc76543210 ba98c76fed543210',
  'ba98543fedc76210 ba98210fedc76543 7654fedcba983210 7654cbafed983210 7654983fedcba210 7654210fedcba983',
  '3210fedcba987654 3210cbafed987654 3210987fedcba654 3210654fedcba987',
]
  .join(' ')
  .split(' ');

const query = '3020ceaa2375a74e';

/** The cases by their groups. */
export const placesByGroup: Readonly<Record<string, readonly Case[]>> = {
  decode: decodeCases,
  normalise: [
    {
      ...{ name: 'marks-around', operation: 'normalise' },
      title: 'a break inside a long run of marks stays in its place: the marks before and behind it are two runs',
      ...{ rules: ['NRM-3'], flags: ['Reordering'] },
      input: { text: `a${'\u0301'.repeat(20)}'${'\u0301'.repeat(20)}` },
      hand: { text: `\u00e1${'\u0301'.repeat(19)}'${'\u0301'.repeat(20)}` },
    },
  ],
  'strip-locators': [...placeCases, ...uuidCases, hyphens, prefixLetters],
  serialise: [
    ...alphabets,
    ...neighbours('parse', 'a letter', '@[`{', 'GAQM5', 'RDOWTU4'),
    ...neighbours('parse-hex', 'a digit or a letter of hexadecimal', '/:@G`', '00000', '0000000000'),
  ],
  tables: [
    ...permutedHigh.map(
      (permuted, table): Case => ({
        ...{ name: `back-high-${table}`, operation: 'unpermute' },
        title: `table ${table}: the fingerprint ${highDigits} from its permuted form`,
        ...{ rules: ['TAB-4', 'TAB-2'], flags: ['BlockOrder', 'SubBlockOrder', 'PermutedRest', 'SignedWords'] },
        ...{ input: { permuted, table }, hand: { fingerprint: highDigits } },
      }),
    ),
    {
      ...{ name: 'back-bit-28', operation: 'unpermute', title: 'the first bit behind the key, alone, in table 0' },
      ...{ rules: ['TAB-4'], flags: ['KeyWidth', 'SignedWords'] },
      ...{ input: { permuted: '0000000800000000', table: 0 }, hand: { fingerprint: '0000000800000000' } },
    },
  ],
  lookup: [
    {
      ...{ name: 'id-empty', operation: 'lookup', title: 'an empty identifier is refused' },
      ...{ rules: ['LKP-3'], flags: ['InvalidInput'] },
      ...{ input: { entries: [{ id: '', fingerprint: query }], query, k: 3 }, error: 'out-of-range' },
    },
    {
      ...{ name: 'query-none-k-8', operation: 'lookup' },
      title: 'an index without entries refuses a query without a fingerprint, for every distance',
      ...{ rules: ['LKP-1', 'SIM-1'], flags: ['EmptyAsZero', 'InvalidInput'] },
      ...{ input: { entries: [], query: null, k: 8 }, error: 'no-fingerprint' },
    },
    {
      ...{ name: 'ids-any-text', operation: 'lookup' },
      title: 'an identifier is any text: a hyphen and the neighbours of the surrogates are taken',
      ...{ rules: ['LKP-3'], flags: ['IdOrder'] },
      input: { entries: ['\ue000', '\ud7ff', 'a-b'].map((id) => ({ id, fingerprint: query })), query, k: 3 },
      hand: { matches: ['a-b', '\ud7ff', '\ue000'].map((id) => ({ id, fingerprint: query, distance: 0 })) },
    },
  ],
};
