/**
 * Cases for each place of a grammar: every ASCII character in the place, one to a line, or the ends of a range of bytes
 * and their neighbours. Each machine-made mutant that earlier vectors let pass failed at such a place.
 */
import { prefixes } from '../../../twin/locator-cases.ts';
import { type Case, type CaseOf, casesOf, type Table } from '../case.ts';
import { hexOf } from './inputs.ts';

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
type Place = [before: string, behind: string, matching: string, remains?: (character: string) => string];

const behindMatch = (character: string): string => ` ${character}`;

/** The rest where a letter or digit after the match prevents it. */
const notFollowed =
  (match: string) =>
  (character: string): string =>
    ALPHANUMERICS.includes(character) ? match + character : ` ${character}`;

const places: Table<Place> = [
  'LOC-5 LocatorScheme',
  ['scheme-1', 'a scheme starts with a letter', '', '://x', LETTERS],
  ['scheme-2', 'letters, digits, +, . and - continue a scheme', 'a', '://x', SCHEME],
  ['scheme-colon', 'a colon ends a scheme', 'a', '//x', ':'],
  ['scheme-slash-1', 'a slash follows the colon', 'a:', '/x', '/'],
  ['scheme-slash-2', 'a second slash follows the first', 'a:/', 'x', '/'],
  'LOC-5 LOC-13 LocatorCharacters',
  ['scheme-uric-1', 'a uric follows the slashes', 'x://', '', URIC],
  ['scheme-uric-2', 'a uric continues an address', 'x://a', '', URIC, behindMatch],

  'LOC-6 LocatorWww',
  ['www-1', 'the first w of www.', '', 'ww.x', 'wW'],
  'LOC-6 LOC-9 LocatorWww',
  ['www-2', 'the second w of www.; w@w.x is an e-mail address', 'w', 'w.x', 'wW@'],
  'LOC-6 LocatorWww',
  ['www-3', 'the third w of www.', 'ww', '.x', 'wW'],
  ['www-dot', 'the dot of www.', 'www', 'x', '.'],
  'LOC-6 LOC-13 LocatorWww',
  ['www-uric', 'a uric follows www.', 'www.', '', URIC],

  'LOC-7 LocatorPrefix',
  ['prefix-1', 'the first letter of doi', '', 'oi:x', 'dD'],
  ['prefix-2', 'the second letter of doi', 'd', 'i:x', 'oO'],
  ['prefix-3', 'the third letter of doi', 'do', ':x', 'iI'],
  ['prefix-colon', 'a colon follows a prefix', 'doi', 'x', ':'],
  'LOC-7 LOC-13 LocatorPrefix',
  ['prefix-uric', 'a uric follows the colon', 'doi:', '', URIC],

  'LOC-8 LocatorDoi',
  ['doi-1', 'the 1 of 10.', '', '0.1234/x', '1'],
  ['doi-0', 'the 0 of 10.', '1', '.1234/x', '0'],
  ['doi-dot', 'the dot of 10.', '10', '1234/x', '.'],
  ['doi-digit-1', 'the first digit of a registrant', '10.', '234/x', DIGITS],
  ['doi-digit-4', 'the fourth digit of a registrant', '10.123', '/x', DIGITS],
  ['doi-group-1', 'the first digit of a group', '10.1234.', '/x', DIGITS],
  [
    'doi-group-2',
    'digits continue a group; a slash ends it, and the next one is a uric',
    '10.1234.1',
    '/x',
    `${DIGITS}/`,
  ],
  ['doi-slash', 'a slash follows the digits', '10.1234', 'x', '/'],
  'LOC-8 LOC-13 LocatorDoi',
  ['doi-uric', 'a uric follows the slash', '10.1234/', '', URIC],

  'LOC-9 LocatorEmail',
  ['email-local-1', 'a local part of one character', '', '@a.b', LOCAL],
  [
    'email-local-2',
    'a local part of three characters; where the second cannot be in it, the third is a local part',
    'a',
    'b@c.d',
    LOCAL,
    (character) => `a${character} `,
  ],
  ['email-at', 'an at sign follows a local part', 'a', 'b.c', '@'],
  ['email-label-1', 'the first label of one character', 'a@', '.c', LABEL],
  ['email-label-2', 'the second character of the first label', 'a@b', '.d', LABEL],
  ['email-dot', 'a dot follows the first label', 'a@b', 'c', '.'],
  ['email-last-1', 'the last label of one character', 'a@b.', '', LABEL],
  ['email-last-2', 'a character that a label cannot contain ends an e-mail address', 'a@b.c', '', LABEL, behindMatch],

  'LOC-12 LOC-10 LookAhead',
  ['uuid-follow', 'a letter or digit directly behind a UUID prevents the match', uuid, '', '', notFollowed(uuid)],
  'LOC-11 LocatorDigest',
  ['digest-1', 'the first of 32 characters of a digest', '', md5.slice(1), HEX],
  ['digest-16', 'the 16th of 32 characters of a digest', md5.slice(0, 15), md5.slice(16), HEX],
  ['digest-32nd', 'the last of 32 characters of a digest', md5.slice(0, 31), '', HEX],
  'LOC-12 LOC-11 LookAhead',
  ['digest-follow', 'a letter or digit directly behind a digest prevents the match', md5, '', HEX, notFollowed(md5)],
  'LOC-11 LocatorDigest',
  ['digest-digit', 'a digest holds a digit', 'abcdefabcdefabcdefabcdefabcdefa', '', DIGITS],

  'LOC-1 LocatorBorder',
  [
    'behind',
    'a match starts directly behind every character but a letter or digit',
    '',
    'www.x',
    '',
    (character) => (ALPHANUMERICS.includes(character) ? `${character}www.x` : `${character} `),
  ],
];

const placeCases = casesOf('strip-locators', places, (before, behind, matching, remains?) => {
  const line = (character: string): string => before + character + behind;
  const rest = (character: string): string => (matching.includes(character) ? ' ' : (remains ?? line)(character));
  return { input: { text: ASCII.map(line).join('\n') }, hand: { text: ASCII.map(rest).join('\n') } };
}).map((each) => ({ ...each, name: `place-${each.name}`, title: `${each.title}: each ASCII character in turn` }));

/** The neighbours of hexadecimal digits in ASCII, and an apostrophe. */
const NOT_HEX = Array.from("/:@G`g'");

const GROUPS = [
  [0, 8],
  [9, 13],
  [14, 18],
  [19, 23],
  [24, 36],
] as const;

const uuidGroups: Table<[lines: readonly string[]]> = [
  'LOC-10 LocatorUuid',
  ...GROUPS.map(([start, end], i) => {
    const title = `a UUID has hexadecimal digits only: the neighbours of their ranges at each place of group ${i + 1}`;
    const places = Array.from({ length: end - start }, (_, place) => start + place);
    const lines = places.flatMap((at) => NOT_HEX.map((other) => uuid.slice(0, at) + other + uuid.slice(at + 1)));
    return [`place-uuid-group-${i + 1}`, title, lines] as const;
  }),
  [
    'place-uuid-hyphens',
    'a UUID has hyphens at four places',
    [8, 13, 18, 23].flatMap((at) => Array.from(",.+_ 0a'", (other) => uuid.slice(0, at) + other + uuid.slice(at + 1))),
  ],
];

const uuidCases = casesOf('strip-locators', uuidGroups, (lines) => {
  const text = lines.join('\n');
  return { input: { text }, hand: { text } };
});

/** Each letter of each prefix replaced by its neighbours in ASCII and by an apostrophe. */
const prefixLines = prefixes.flatMap((prefix) =>
  Array.from(prefix, (letter, i) => {
    const code = letter.charCodeAt(0);
    const others = [code - 1, code + 1, code - 0x20 - 1, code - 0x20 + 1, 0x27];
    return others.map((other) => `${prefix.slice(0, i)}${String.fromCharCode(other)}${prefix.slice(i + 1)}:x`);
  }).flat(),
);

const prefixLetters = casesOf(
  'strip-locators',
  [
    'LOC-7 LocatorPrefix',
    ['place-prefix-letters', 'each letter of each prefix is that letter, and not its neighbour in ASCII', prefixLines],
  ],
  (lines) => {
    // Two lines are another prefix, and two end in one after a character that is neither letter nor digit.
    const rest = lines.map((line) => (/^(cid|did):x$/i.test(line) ? ' ' : line.replace(/(?<![A-Za-z0-9])cid:x$/, ' ')));
    return { input: { text: lines.join('\n') }, hand: { text: rest.join('\n') } };
  },
);

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

const upper = (byte: number): string => byte.toString(16).toUpperCase();

const sequences: Table<[sequences: readonly [number[], string][]]> = [
  'DEC-2 IllFormed Boundary',
  ...LEADS.map(
    ([lead, following, low, high]) =>
      [
        `bounds-${hexOf([lead])}`,
        `a second octet of ${upper(low)} to ${upper(high)} follows ${upper(lead)}, and no other`,
        [low - 1, low, high, high + 1].map((byte) =>
          sequence([lead], byte, Array(following - 1).fill(0x80), byte >= low && byte <= high),
        ),
      ] as const,
  ),
  ...(
    [
      ['3-3', 'the third octet of three is 80 to BF', [0xe1, 0x80], []],
      ['4-3', 'the third octet of four is 80 to BF', [0xf1, 0x80], [0x80]],
      ['4-4', 'the fourth octet of four is 80 to BF', [0xf1, 0x80, 0x80], []],
    ] as const
  ).map(
    ([name, title, before, behind]) =>
      [
        `bounds-${name}`,
        title,
        [0x7f, 0x80, 0xbf, 0xc0].map((byte) => sequence(before, byte, behind, byte >= 0x80 && byte <= 0xbf)),
      ] as const,
  ),
  [
    'bounds-lead',
    'C1 and F5 begin no sequence, C2 and F4 do',
    [
      [[0xc1, 0x80], R + R],
      [[0xc2, 0x80], '\x80'],
      [[0xf4, 0x80, 0x80, 0x80], '\u{100000}'],
      [[0xf5, 0x80, 0x80, 0x80], R.repeat(4)],
    ],
  ],
  [
    'bounds-ascii',
    '7F is a code point also in an ill-formed text, 80 is ill-formed',
    [
      [[0x7f], '\x7f'],
      [[0x80], R],
    ],
  ],
];

const units: Table<[utf16: string, text: string]> = [
  'DEC-4 LoneSurrogate',
  ['units-low-low', 'each of two low surrogates becomes one U+FFFD', 'dc00dc00', R + R],
  ['units-high-e000', 'a high surrogate before U+E000 becomes one U+FFFD', 'd800e000', `${R}\ue000`],
  ['units-high-dbff', 'a high surrogate before DBFF, the last high surrogate, becomes one U+FFFD', 'd800dbff', R + R],
  ['units-low-behind-d7ff', 'a low surrogate after U+D7FF becomes one U+FFFD', 'd7ffdc00', `\ud7ff${R}`],
  ['units-nul', 'the unit 0000 is U+0000', '0000', '\0'],
];

const decodeCases: readonly Case[] = [
  // After `FF`, so that the text is ill-formed even where none of the sequences is.
  ...casesOf('decode', sequences, (sequences) => ({
    input: { utf8: hexOf([0xff, ...sequences.flatMap(([bytes]) => bytes)]) },
    hand: { text: R + sequences.map(([, text]) => text).join('') },
  })),
  ...casesOf('decode', units, (utf16, text) => ({ input: { utf16 }, hand: { text } })),
];

/** Characters next to the ranges of an alphabet, each in the place of one character of a string. */
const neighbours = (heading: string, name: string, characters: string, alphabet: string): Table<[one: string]> => [
  heading,
  ...Array.from(characters, (one) => {
    const code = one.charCodeAt(0).toString(16);
    const title = `U+00${code.toUpperCase()} is not in the alphabet, although it is next to ${alphabet}`;
    return [`${name}-neighbour-${code}`, title, one] as const;
  }),
];

/** Every character of the alphabet, in both cases. */
const alphabets: Table<[serialised: string, fingerprint: string]> = [
  'SER-3 Base32Alphabet LetterCase',
  ...(
    [
      ['1', 'ABCDEFGHIJKLM', '00443214c74254b6'],
      ['2', 'NOPQRSTUVWXY2', '6b9f08ca74adaf8d'],
      ['3', 'Z234567Z2345Y', 'ceb7cefbf9d6f9dc'],
    ] as const
  ).flatMap(([number, upper, fingerprint]) => {
    const lower = upper.toLowerCase();
    return [
      [`read-upper-${number}`, `${upper}, a third of the alphabet, is read`, upper, fingerprint] as const,
      [`read-lower-${number}`, `${lower}, a third of the alphabet, is read`, lower, fingerprint] as const,
    ];
  }),
];

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

const backHigh: Table<[permuted: string, table: number]> = [
  'TAB-4 TAB-2 BlockOrder SubBlockOrder PermutedRest SignedWords',
  ...permutedHigh.map((permuted, table) => {
    return [
      `back-high-${table}`,
      `table ${table}: the fingerprint ${highDigits} from its permuted form`,
      permuted,
      table,
    ] as const;
  }),
];

const lookups: Table<[given: Pick<CaseOf<'lookup'>, 'input' | 'hand' | 'error'>]> = [
  'LKP-3',
  [
    'id-empty',
    'an empty identifier is refused',
    { input: { entries: [{ id: '', fingerprint: query }], query, k: 3 }, error: 'out-of-range' },
  ],
  'LKP-1 SIM-1 EmptyAsZero',
  [
    'query-none-k-8',
    'an index without entries refuses a query without a fingerprint, for every distance',
    { input: { entries: [], query: null, k: 8 }, error: 'no-fingerprint' },
  ],
  'LKP-3 IdOrder',
  [
    'ids-any-text',
    'an identifier is any text: a hyphen and the neighbours of the surrogates are taken',
    {
      input: { entries: ['\ue000', '\ud7ff', 'a-b'].map((id) => ({ id, fingerprint: query })), query, k: 3 },
      hand: { matches: ['a-b', '\ud7ff', '\ue000'].map((id) => ({ id, fingerprint: query, distance: 0 })) },
    },
  ],
];

/** The cases by their groups. */
export const placesByGroup: Readonly<Record<string, readonly Case[]>> = {
  decode: decodeCases,
  normalise: casesOf(
    'normalise',
    [
      'NRM-3 Reordering',
      [
        'marks-around',
        'a break inside a long run of marks stays in its place: the marks before and behind it are two runs',
        `a${'\u0301'.repeat(20)}'${'\u0301'.repeat(20)}`,
        `\u00e1${'\u0301'.repeat(19)}'${'\u0301'.repeat(20)}`,
      ],
    ],
    (text, normalised) => ({ input: { text }, hand: { text: normalised } }),
  ),
  'strip-locators': [...placeCases, ...uuidCases, ...prefixLetters],
  serialise: [
    ...casesOf('parse', alphabets, (serialised, fingerprint) => ({ input: { serialised }, hand: { fingerprint } })),
    ...casesOf('parse', neighbours('SER-5 LookAlike', 'read', '@[`{', 'a letter'), (one) => ({
      input: { serialised: `GAQM5${one}RDOWTU4` },
      error: 'invalid-fingerprint',
    })),
    ...casesOf(
      'parse-hex',
      neighbours('SER-6 LookAlike', 'hex', '/:@G`', 'a digit or a letter of hexadecimal'),
      (one) => ({ input: { hex: `00000${one}0000000000` }, error: 'invalid-fingerprint' }),
    ),
  ],
  tables: [
    ...casesOf('unpermute', backHigh, (permuted, table) => ({
      input: { permuted, table },
      hand: { fingerprint: highDigits },
    })),
    ...casesOf(
      'unpermute',
      ['TAB-4 KeyWidth SignedWords', ['back-bit-28', 'the first bit behind the key, alone, in table 0', 0]],
      (table) => ({ input: { permuted: '0000000800000000', table }, hand: { fingerprint: '0000000800000000' } }),
    ),
  ],
  lookup: casesOf('lookup', lookups, (given) => given),
};
