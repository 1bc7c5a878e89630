import type { ErrorCode } from '../../../src/errors.ts';
import { type Case, type Group, list } from '../case.ts';
import { bare } from '../oracle.ts';

/** The labelled form of a fingerprint given in hex. */
const labelled = (hex: string): string => `simhash-doc:${bare.serialise(BigInt(`0x${hex}`))}`;

type Row = readonly [
  name: string,
  title: string,
  rules: string,
  flags: string,
  a: string,
  b: string,
  distance: number,
  verdict: 'close' | 'loose' | 'none',
];

const zero = '0000000000000000';

const rows: readonly Row[] = [
  ['d-0', 'equal fingerprints', 'CMP-1 CMP-2 CMP-4', 'Threshold', '3020ceaa2375a74e', '3020ceaa2375a74e', 0, 'close'],
  ['d-0-zero', 'two fingerprints of 64 bits 0 are comparable', 'CMP-1 SIM-5', 'ZeroAsEmpty', zero, zero, 0, 'close'],
  ['d-1', 'one bit: still close', 'CMP-1 CMP-2 CMP-4', 'Threshold', '3020ceaa2375a74e', '3020ceaa2375a74f', 1, 'close'],
  [
    'd-1-bit-0',
    'one bit, the highest',
    'CMP-1',
    'Popcount SignedWords',
    '3020ceaa2375a74e',
    'b020ceaa2375a74e',
    1,
    'close',
  ],
  ['d-1-bit-31', 'one bit, the lowest of the upper half', 'CMP-1', 'Popcount', zero, '0000000100000000', 1, 'close'],
  [
    'd-1-bit-32',
    'one bit, the highest of the lower half',
    'CMP-1',
    'Popcount SignedWords',
    zero,
    '0000000080000000',
    1,
    'close',
  ],
  ['d-2', 'two bits: loose', 'CMP-1 CMP-2 CMP-3 CMP-4', 'Threshold', zero, '8000000000000001', 2, 'loose'],
  ['d-3', 'three bits: loose', 'CMP-1 CMP-2 CMP-3', 'Threshold', zero, '8000000080000001', 3, 'loose'],
  ['d-6', 'six bits: still loose', 'CMP-1 CMP-2 CMP-3', 'Threshold', zero, '8001000180018000', 6, 'loose'],
  ['d-7', 'seven bits: no match', 'CMP-1 CMP-2 CMP-3', 'Threshold', zero, '8001800180018000', 7, 'none'],
  ['d-16', 'a difference of one block', 'CMP-1 CMP-2', 'Popcount', '3020ceaa2375a74e', '302031552375a74e', 16, 'none'],
  ['d-32', 'the upper half', 'CMP-1 CMP-2', 'Popcount', zero, 'ffffffff00000000', 32, 'none'],
  ['d-32-lower', 'the lower half', 'CMP-1 CMP-2', 'Popcount SignedWords', zero, '00000000ffffffff', 32, 'none'],
  ['d-33', 'one bit more than the half', 'CMP-1 CMP-2', 'Popcount', zero, '80000000ffffffff', 33, 'none'],
  ['d-63', 'all bits but one', 'CMP-1 CMP-2', 'Popcount', '8000000000000000', 'ffffffffffffffff', 63, 'none'],
  ['d-64', 'complements: similarity 0', 'CMP-1 CMP-2', 'Popcount', '0123456789abcdef', 'fedcba9876543210', 64, 'none'],
  ['d-64-ends', '64 bits 0 and 64 bits 1', 'CMP-1 CMP-2', 'Popcount SignedWords', zero, 'ffffffffffffffff', 64, 'none'],
  ['symmetric', 'the order of the two does not matter', 'CMP-1', 'Popcount', '8001000180018000', zero, 6, 'loose'],
  [
    'numbers-apart',
    'near as numbers, far in bits',
    'CMP-1',
    'NumericDistance',
    '7fffffffffffffff',
    '8000000000000000',
    64,
    'none',
  ],
  [
    'numbers-near',
    'far as numbers, near in bits',
    'CMP-1',
    'NumericDistance',
    '8000000000000001',
    '0000000000000001',
    1,
    'close',
  ],
];

type ErrorRow = readonly [
  name: string,
  title: string,
  rules: string,
  flags: string,
  a: string | null,
  b: string | null,
  error: ErrorCode,
];

const good = 'simhash-doc:GAQM5KRDOWTU4';

const errors: readonly ErrorRow[] = [
  ['none-first', 'the first document has no fingerprint', 'CMP-6 SIM-4', 'EmptyAsZero', null, good, 'no-fingerprint'],
  ['none-second', 'the second document has no fingerprint', 'CMP-6 SIM-4', 'EmptyAsZero', good, null, 'no-fingerprint'],
  [
    'none-both',
    'neither has: they are not known to be alike',
    'CMP-6 SIM-4',
    'EmptyAsZero',
    null,
    null,
    'no-fingerprint',
  ],
  [
    'none-zero',
    'a document without a fingerprint and one of 64 bits 0',
    'CMP-6 SIM-4 SIM-5',
    'EmptyAsZero',
    null,
    'simhash-doc:AAAAAAAAAAAAA',
    'no-fingerprint',
  ],
  ['bare-first', 'the first has no label', 'LAB-2 LAB-4', 'LabelIgnored', 'GAQM5KRDOWTU4', good, 'invalid-label'],
  ['bare-second', 'the second has no label', 'LAB-2 LAB-4', 'LabelIgnored', good, 'GAQM5KRDOWTU4', 'invalid-label'],
  [
    'other-label',
    'fingerprints of another label, which this version does not know, are refused and not compared',
    'CMP-5 LAB-2',
    'LabelRegistry LabelIgnored',
    good,
    'simhash-doc+sw1:GAQM5KRDOWTU4',
    'invalid-label',
  ],
  [
    'unregistered',
    'both have the same label, which is not registered',
    'LAB-2',
    'LabelRegistry',
    'simhash-doc+sw1:GAQM5KRDOWTU4',
    'simhash-doc+sw1:GAQM5KRDOWTU4',
    'invalid-label',
  ],
  [
    'spare',
    'the spare bit of the second is 1',
    'SER-4',
    'SpareBit',
    good,
    'simhash-doc:GAQM5KRDOWTU5',
    'invalid-fingerprint',
  ],
  [
    'left-first',
    'both are at fault: the first one decides',
    'SER-5 LAB-2',
    'ErrorOrder',
    'simhash-doc:?',
    'nosuch:GAQM5KRDOWTU4',
    'invalid-fingerprint',
  ],
  [
    'none-before-spoilt',
    'the first document has no fingerprint, the second string is spoilt: the first one decides',
    'CMP-6 SER-5',
    'ErrorOrder EmptyAsZero',
    null,
    'simhash-doc:?',
    'no-fingerprint',
  ],
  [
    'none-before-label',
    'the first document has no fingerprint, the second has another label: the first one decides',
    'CMP-6 LAB-2',
    'ErrorOrder EmptyAsZero',
    null,
    'nosuch:GAQM5KRDOWTU4',
    'no-fingerprint',
  ],
  [
    'spoilt-before-none',
    'the first string is spoilt, the second document has no fingerprint: the first one decides',
    'SER-5 CMP-6',
    'ErrorOrder EmptyAsZero',
    'simhash-doc:?',
    null,
    'invalid-fingerprint',
  ],
  [
    'label-before-none',
    'the first string has another label, the second document has no fingerprint: the first one decides',
    'LAB-2 CMP-6',
    'ErrorOrder EmptyAsZero',
    'nosuch:GAQM5KRDOWTU4',
    null,
    'invalid-label',
  ],
];

export const compareGroup: Group = {
  group: 'compare',
  description: 'Step 10: distance, similarity and verdict of two labelled fingerprints.',
  cases: [
    ...rows.map(
      ([name, title, rules, flags, a, b, distance, verdict]): Case => ({
        ...{ name, operation: 'compare', title, rules: list(rules), flags: list(flags) },
        ...{ input: { a: labelled(a), b: labelled(b) }, hand: { distance, similarity: (64 - distance) / 64, verdict } },
      }),
    ),
    {
      ...{ name: 'spellings', operation: 'compare', title: 'case and padding make no difference' },
      ...{ rules: ['CMP-1', 'SER-2', 'SER-3', 'LAB-1'], flags: ['LetterCase', 'LabelCase', 'Padding'] },
      input: { a: 'SIMHASH-DOC:gaqm5krdowtu4===', b: good },
      hand: { distance: 0, similarity: 1, verdict: 'close' },
    },
    ...errors.map(
      ([name, title, rules, flags, a, b, error]): Case => ({
        ...{ name, operation: 'compare', title, rules: list(rules), flags: [...list(flags), 'InvalidInput'] },
        ...{ input: { a, b }, error },
      }),
    ),
  ],
};
