import type { Hex16 } from '../../../../src/conformance/types.ts';
import { casesOf, type Group, type Table } from '../case.ts';

const zero = '0000000000000000';
const ones = 'ffffffffffffffff';
const first = '8000000000000000';
const last = '0000000000000001';
const middle = '0000000080000000';
const mixed = '0123456789abcdef';
const complement = 'fedcba9876543210';

const times = (count: number, hash: Hex16): Hex16[] => Array.from({ length: count }, () => hash);

/** 64 counters, all alike but the ones given. */
function counters(others: number, given: Readonly<Record<number, number>> = {}): number[] {
  return Array.from({ length: 64 }, (_, bit) => given[bit] ?? others);
}

const rows: Table<[hashes: readonly Hex16[], fingerprint: Hex16 | null, counters?: readonly number[]]> = [
  'SIM-1 EmptyAsZero',
  ['none', 'no hashes give no fingerprint and counters of 0', [], null, counters(0)],
  'SIM-2 BitOrder',
  ['one', 'the simhash of one hash is that hash', [mixed], mixed],
  'SIM-5 SIM-2 ZeroAsEmpty',
  ['one-zero', 'a single hash of 0 gives 64 zeros, which are a fingerprint', [zero], zero, counters(-1)],
  'SIM-2 SignedWords',
  ['one-ones', 'a single hash of ones gives ones', [ones], ones, counters(1)],
  'SIM-3 BitOrder',
  ['bit-0', 'bit 0 is the most significant', [first], first, counters(-1, { 0: 1 })],
  ['bit-63', 'bit 63 is the least significant', [last], last, counters(-1, { 63: 1 })],
  'SIM-3 BitOrder SignedWords',
  ['bit-32', 'bit 32 is the first of the lower half', [middle], middle, counters(-1, { 32: 1 })],
  'SIM-3 BitOrder',
  ['bit-7', 'bit 7 is the last of octet 0', ['0100000000000000'], '0100000000000000', counters(-1, { 7: 1 })],
  ['bit-8', 'bit 8 is the first of octet 1', ['0080000000000000'], '0080000000000000', counters(-1, { 8: 1 })],
  'SIM-3 BitOrder SignedWords',
  ['bit-31', 'bit 31 is the last of the upper half', ['0000000100000000'], '0000000100000000', counters(-1, { 31: 1 })],
  'SIM-4 SIM-5 TieToOne ZeroAsEmpty',
  ['tie', 'two hashes that are complements: every tie gives 0', [mixed, complement], zero, counters(0)],
  'SIM-4 TieToOne',
  ['tie-some', 'two hashes: bits that differ are ties', [mixed, '0123456789abcdee'], '0123456789abcdee'],
  ['tie-four', 'two hashes against two others: every tie gives 0', [ones, ones, zero, zero], zero, counters(0)],
  'SIM-2 Majority',
  ['majority', 'two of three hashes decide a bit', [ones, ones, zero], ones, counters(1)],
  ['minority', 'one of three hashes does not decide a bit', [ones, zero, zero], zero, counters(-1)],
  'SIM-4 Majority',
  [
    'threshold',
    'a counter of 1 gives a bit 1',
    ['c000000000000000', first, zero],
    first,
    counters(-3, { 0: 1, 1: -1 }),
  ],
  'SIM-2 Majority',
  [
    'three',
    'three hashes decide each bit by majority',
    ['ff00ff00ff00ff00', 'f0f0f0f0f0f0f0f0', 'cccccccccccccccc'],
    'fcc0fcc0fcc0fcc0',
  ],
  'SIM-2 TOK-4 Deduplicated',
  ['occurrences', 'a hash that occurs twice counts twice', [mixed, mixed, complement], mixed],
  'SIM-2 TOK-4 Deduplicated TieToOne',
  [
    'occurrences-tie',
    'two occurrences of one hash and two of another tie',
    [mixed, complement, complement, mixed],
    zero,
    counters(0),
  ],
  'SIM-2 TOK-4 Deduplicated',
  [
    'occurrences-many',
    'five occurrences of one hash outweigh three other hashes',
    [...times(5, mixed), complement, ones, zero],
    mixed,
  ],
  'TOK-4 SIM-2 OrderMatters',
  ['order', 'the order of the hashes does not matter', [complement, ones, zero, ...times(5, mixed)], mixed],
  'SIM-2 SIM-4 TieToOne',
  ['even', 'an even number of hashes: ties give 0', [mixed, mixed, mixed, complement], mixed],
  'SIM-2 Weighted',
  [
    'exact',
    'each occurrence weighs 1: one hash does not outweigh two',
    [ones, zero, zero, zero, ones, ones, ones],
    ones,
    counters(1),
  ],
  'SIM-2 NarrowCounter',
  ['narrow-8', '130 equal hashes do not overflow a counter', times(130, mixed), mixed],
  'SIM-2 SIM-4 NarrowCounter TieToOne',
  ['narrow-8-tie', '129 hashes against 129 others tie', [...times(129, ones), ...times(129, zero)], zero, counters(0)],
  'SIM-2',
  [
    'words',
    'the hashes of four words give their fingerprint',
    ['3ca65a3d92225370', '582647ac58d68708', '6b79a0f2fbb3a8df', '3c03be9e0e397631'],
    '382202bc1a320210',
  ],
];

export const simhashGroup: Group = {
  group: 'simhash',
  description: 'Step 8: the hashes of all tokens, one for each occurrence, to 64 counters and the fingerprint.',
  cases: casesOf('simhash', rows, (hashes, fingerprint, counters?) => ({
    input: { hashes },
    hand: { fingerprint, ...(counters && { counters }) },
  })),
};
