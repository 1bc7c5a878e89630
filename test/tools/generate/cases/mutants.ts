/**
 * Cases for wrong implementations (test/tools/mutants/) that survived all others: limits on lengths, and texts that
 * are cut at places where the others happen to be whole.
 */
import type { Verdict } from '../../../../src/index.ts';
import { type Case, list } from '../case.ts';
import { bare } from '../oracle.ts';
import { concat, type LongRow, longCase, repeat } from './fingerprint.ts';

const md5 = 'd41d8cd98f00b204e9800998ecf8427e';

type LocatorRow = readonly [name: string, title: string, rules: string, flags: string, text: string, stripped: string];

const locators: readonly LocatorRow[] = [
  [
    'scheme-long',
    'a scheme of 300 letters matches',
    'LOC-14 LOC-5',
    'LengthLimit LocatorScheme',
    `${'a'.repeat(300)}://x y`,
    '  y',
  ],
  [
    'address-long',
    'an address of 3,007 characters matches',
    'LOC-14 LOC-5',
    'LengthLimit LocatorScheme',
    `http://${'a'.repeat(3000)} b`,
    '  b',
  ],
  [
    'email-local-long',
    'a local part of 100 letters matches',
    'LOC-14 LOC-9',
    'LengthLimit LocatorEmail',
    `${'a'.repeat(100)}@b.c d`,
    '  d',
  ],
  [
    'email-label-long',
    'labels of 100 letters match',
    'LOC-14 LOC-9',
    'LengthLimit LocatorEmail',
    `a@${'b'.repeat(100)}.${'c'.repeat(100)} d`,
    '  d',
  ],
  [
    'prefix-no-colon',
    'a prefix and digits without a colon do not match',
    'LOC-7',
    'LocatorPrefix LocatorTooWide',
    'isbn978 doi10',
    'isbn978 doi10',
  ],
  ['doi-6-digits', 'six digits match', 'LOC-8', 'LocatorDoi', '10.123456/x', ' '],
  ['doi-5-digits', 'five digits match', 'LOC-8', 'LocatorDoi', '10.12345/x', ' '],
  ['digest-16', '16 hexadecimal digits are too few', 'LOC-11', 'LocatorDigest', md5.slice(16), md5.slice(16)],
  [
    'digest-224',
    '224 hexadecimal digits are one match',
    'LOC-14 LOC-11',
    'LengthLimit LocatorDigest',
    `${md5.repeat(7)} a`,
    '  a',
  ],
];

type CompareRow = readonly [name: string, title: string, hex: string, distance: number, verdict: Verdict];

const comparisons: readonly CompareRow[] = [
  ['d-4', 'four bits are loose', '8000800080008000', 4, 'loose'],
  ['d-5', 'five bits are loose', '8000800080008001', 5, 'loose'],
  ['d-9', 'nine bits, whose similarity rounds to 0.9, are no match', '8001800180018003', 9, 'none'],
];

const zero = '0000000000000000';
const labelled = (hex: string): string => `simhash-doc:${bare.serialise(BigInt(`0x${hex}`))}`;

const long: readonly LongRow[] = [
  [
    'narrow-16-one',
    '40,000 occurrences of one word do not overflow a signed number of 16 bits',
    'SIM-2',
    'NarrowCounter',
    repeat('one ', 40000),
    40000,
  ],
  [
    'buffers-3-later',
    'letters of three octets after two octets: buffers of 4,096, 16,384 and 65,536 cut one',
    'DEC-2',
    'ChunkBorder LongInput',
    concat(repeat('a', 2), repeat('\u4e2d', 45000)),
    1,
  ],
  [
    'buffers-jamo-later',
    'conjoining jamo after two letters: buffers of 4,096, 16,384 and 65,536 cut a syllable',
    'NRM-3',
    'ChunkBorder Hangul LongInput',
    concat(repeat('a', 2), repeat('\u1112\u1161\u11ab', 45000)),
    1,
  ],
  [
    'buffers-marks-later',
    'letters with decomposed marks after one letter: buffers of every even size up to 131,072 cut one',
    'NRM-3',
    'ChunkBorder LongInput',
    concat(repeat('a', 1), repeat('e\u0301', 70000)),
    1,
  ],
];

/** The cases by their groups. */
export const addedCases: Readonly<Record<string, readonly Case[]>> = {
  decode: [
    {
      ...{ name: 'mark-first-octet', operation: 'decode', title: 'EE BB BF is U+EEFF and no byte order mark' },
      ...{ rules: ['DEC-1'], flags: ['Bom'], input: { utf8: 'eebbbf61' }, hand: { text: '\ueeffa' } },
    },
    {
      ...{
        name: 'pair-behind-4096',
        operation: 'decode',
        title: 'a code point of two units is whole behind 4,096 others',
      },
      ...{ rules: ['DEC-2'], flags: ['ChunkBorder', 'LongInput'] },
      input: { utf8: `${'61'.repeat(4096)}f0909080` },
      hand: { text: `${'a'.repeat(4096)}\u{10400}` },
    },
  ],
  classify: [
    {
      ...{
        name: 'joiners',
        operation: 'classify',
        title: 'both joiners and the next two code points, direction marks, are ignorable',
      },
      ...{ rules: ['CLS-2'], flags: ['Ignorable'], input: { text: '\u200c\u200d\u200e\u200f' } },
      hand: { classes: ['ignorable', 'ignorable', 'ignorable', 'ignorable'] },
    },
  ],
  compare: comparisons.map(
    ([name, title, hex, distance, verdict]): Case => ({
      ...{ name, operation: 'compare', title, rules: ['CMP-3', 'CMP-4', 'CMP-6'], flags: ['Threshold'] },
      input: { a: labelled(zero), b: labelled(hex) },
      hand: { distance, similarity: 1 - distance / 64, verdict },
    }),
  ),
  lookup: [
    {
      ...{ name: 'entry-none-zero', operation: 'lookup' },
      title: 'an entry without a fingerprint is refused, not entered as 64 zeros',
      ...{ rules: ['LKP-1', 'SIM-1', 'SIM-5'], flags: ['EmptyAsZero', 'ZeroAsEmpty', 'InvalidInput'] },
      input: { entries: [{ id: 'empty', fingerprint: null }], query: zero, k: 3 },
      error: 'no-fingerprint',
    },
    {
      ...{ name: 'query-none-zero', operation: 'lookup' },
      title: 'a query without a fingerprint is refused, not looked up as 64 zeros',
      ...{ rules: ['LKP-1', 'SIM-1', 'SIM-5'], flags: ['EmptyAsZero', 'ZeroAsEmpty', 'InvalidInput'] },
      input: { entries: [{ id: 'zero', fingerprint: zero }], query: null, k: 3 },
      error: 'no-fingerprint',
    },
  ],
  'strip-locators': locators.map(
    ([name, title, rules, flags, text, stripped]): Case => ({
      ...{ name, operation: 'strip-locators', title, rules: list(rules), flags: list(flags), input: { text } },
      hand: { text: stripped },
    }),
  ),
  fingerprint: [
    ...long.map(longCase),
    // Insertion, in time n * n, is too slow for so many marks in every language. The twin is given fewer of them.
    {
      ...{ name: 'hostile-marks', operation: 'fingerprint' },
      title: '400,000 marks of two classes in turn are sorted in less than quadratic time',
      ...{ rules: ['NRM-3'], flags: ['QuadraticTime', 'LongInput', 'Reordering'] },
      input: { generate: concat(repeat('a', 1), repeat('\u0301\u0323', 200_000)) },
      shorter: { generate: concat(repeat('a', 1), repeat('\u0301\u0323', 10)) },
      hand: { fingerprint: 'EIFELMIWUKNY6', hex: '220a45b116a29b8f', tokenCount: 1 },
    },
  ],
};
