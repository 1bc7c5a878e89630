/**
 * Cases for wrong implementations (test/tools/mutants/) that survived all others: limits on lengths, and texts that
 * are cut at places where the others happen to be whole.
 */
import type { LookupEntry } from '../../../../src/conformance/types.ts';
import type { Verdict } from '../../../../src/index.ts';
import { type Case, casesOf, type Table } from '../case.ts';
import { labelled } from './compare.ts';
import { type LongRows, longCases } from './fingerprint.ts';
import { concat, repeat } from './inputs.ts';

const md5 = 'd41d8cd98f00b204e9800998ecf8427e';

const locators: Table<[text: string, stripped?: string]> = [
  'LOC-14 LOC-5 LengthLimit LocatorScheme',
  ['scheme-long', 'a scheme of 300 letters matches', `${'a'.repeat(300)}://x y`, '  y'],
  ['address-long', 'an address of 3,007 characters matches', `http://${'a'.repeat(3000)} b`, '  b'],
  'LOC-14 LOC-9 LengthLimit LocatorEmail',
  ['email-local-long', 'a local part of 100 letters matches', `${'a'.repeat(100)}@b.c d`, '  d'],
  ['email-label-long', 'labels of 100 letters match', `a@${'b'.repeat(100)}.${'c'.repeat(100)} d`, '  d'],
  'LOC-7 LocatorPrefix LocatorTooWide',
  ['prefix-no-colon', 'a prefix and digits without a colon do not match', 'isbn978 doi10'],
  'LOC-8 LocatorDoi',
  ['doi-6-digits', 'six digits match', '10.123456/x', ' '],
  ['doi-5-digits', 'five digits match', '10.12345/x', ' '],
  'LOC-11 LocatorDigest',
  ['digest-16', '16 hexadecimal digits are too few', md5.slice(16)],
  'LOC-14 LOC-11 LengthLimit LocatorDigest',
  ['digest-224', '224 hexadecimal digits are one match', `${md5.repeat(7)} a`, '  a'],
];

const comparisons: Table<[hex: string, distance: number, verdict: Verdict]> = [
  'CMP-3 CMP-4 CMP-6 Threshold',
  ['d-4', 'four bits are loose', '8000800080008000', 4, 'loose'],
  ['d-5', 'five bits are loose', '8000800080008001', 5, 'loose'],
  ['d-9', 'nine bits, whose similarity rounds to 0.9, are no match', '8001800180018003', 9, 'none'],
];

const zero = '0000000000000000';

const long: LongRows = [
  'SIM-2 NarrowCounter',
  [
    'narrow-16-one',
    '40,000 occurrences of one word do not overflow a signed number of 16 bits',
    repeat('one ', 40000),
    40000,
  ],
  'DEC-2 ChunkBorder LongInput',
  [
    'buffers-3-later',
    'letters of three octets after two octets: buffers of 4,096, 16,384 and 65,536 cut one',
    concat(repeat('a', 2), repeat('\u4e2d', 45000)),
    1,
  ],
  'NRM-3 ChunkBorder Hangul LongInput',
  [
    'buffers-jamo-later',
    'conjoining jamo after two letters: buffers of 4,096, 16,384 and 65,536 cut a syllable',
    concat(repeat('a', 2), repeat('\u1112\u1161\u11ab', 45000)),
    1,
  ],
  'NRM-3 ChunkBorder LongInput',
  [
    'buffers-marks-later',
    'letters with decomposed marks after one letter: buffers of every even size up to 131,072 cut one',
    concat(repeat('a', 1), repeat('e\u0301', 70000)),
    1,
  ],
];

const refused: Table<[entries: readonly LookupEntry[], query: string | null]> = [
  'LKP-1 SIM-1 SIM-5 EmptyAsZero ZeroAsEmpty',
  [
    'entry-none-zero',
    'an entry without a fingerprint is refused, not entered as 64 zeros',
    [{ id: 'empty', fingerprint: null }],
    zero,
  ],
  [
    'query-none-zero',
    'a query without a fingerprint is refused, not looked up as 64 zeros',
    [{ id: 'zero', fingerprint: zero }],
    null,
  ],
];

const decoded: Table<[utf8: string, text: string]> = [
  'DEC-1 Bom',
  ['mark-first-octet', 'EE BB BF is U+EEFF and no byte order mark', 'eebbbf61', '\ueeffa'],
  'DEC-2 ChunkBorder LongInput',
  [
    'pair-behind-4096',
    'a code point of two units is whole behind 4,096 others',
    `${'61'.repeat(4096)}f0909080`,
    `${'a'.repeat(4096)}\u{10400}`,
  ],
];

/** The cases by their groups. */
export const addedCases: Readonly<Record<string, readonly Case[]>> = {
  decode: casesOf('decode', decoded, (utf8, text) => ({ input: { utf8 }, hand: { text } })),
  classify: casesOf(
    'classify',
    [
      'CLS-2 Ignorable',
      [
        'joiners',
        'both joiners and the next two code points, direction marks, are ignorable',
        '\u200c\u200d\u200e\u200f',
      ],
    ],
    (text) => ({ input: { text }, hand: { classes: Array.from(text, () => 'ignorable' as const) } }),
  ),
  compare: casesOf('compare', comparisons, (hex, distance, verdict) => ({
    input: { a: labelled(zero), b: labelled(hex) },
    hand: { distance, similarity: 1 - distance / 64, verdict },
  })),
  lookup: casesOf('lookup', refused, (entries, query) => ({
    input: { entries, query, k: 3 },
    error: 'no-fingerprint',
  })),
  'strip-locators': casesOf('strip-locators', locators, (text, stripped = text) => ({
    input: { text },
    hand: { text: stripped },
  })),
  fingerprint: [
    ...longCases(long),
    // Insertion, in time n * n, is too slow for so many marks in every language. The twin is given fewer of them.
    ...casesOf(
      'fingerprint',
      [
        'NRM-3 QuadraticTime LongInput Reordering',
        [
          'hostile-marks',
          '400,000 marks of two classes in turn are sorted in less than quadratic time',
          (count: number) => concat(repeat('a', 1), repeat('\u0301\u0323', count)),
        ],
      ],
      (rule) => ({
        ...{ input: { generate: rule(200_000) }, shorter: { generate: rule(10) } },
        hand: { fingerprint: 'EIFELMIWUKNY6', hex: '220a45b116a29b8f', tokenCount: 1 },
      }),
    ),
  ],
};
