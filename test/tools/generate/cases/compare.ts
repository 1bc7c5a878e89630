import type { ErrorCode } from '../../../../src/errors.ts';
import type { Verdict } from '../../../../src/index.ts';
import { casesOf, type Group, type Table } from '../case.ts';
import { bare } from '../oracle.ts';
import { base32, WIDE_HEX } from './label.ts';

/** The labelled form of a fingerprint given in hex. */
export const labelled = (hex: string): string => `simhash-doc:${bare.serialise(BigInt(`0x${hex}`))}`;

const zero = '0000000000000000';

const rows: Table<[a: string, b: string, distance: number, verdict: Verdict]> = [
  'CMP-3 CMP-4 CMP-5 Threshold',
  ['d-0', 'equal fingerprints are a close match', '3020ceaa2375a74e', '3020ceaa2375a74e', 0, 'close'],
  'CMP-3 SIM-5 ZeroAsEmpty',
  ['d-0-zero', 'two fingerprints of 64 zeros are comparable', zero, zero, 0, 'close'],
  'CMP-3 CMP-4 CMP-5 Threshold',
  ['d-1', 'one bit is close', '3020ceaa2375a74e', '3020ceaa2375a74f', 1, 'close'],
  'CMP-3 Popcount SignedWords',
  ['d-1-bit-0', 'the highest bit counts as one bit', '3020ceaa2375a74e', 'b020ceaa2375a74e', 1, 'close'],
  'CMP-3 Popcount',
  ['d-1-bit-31', 'the lowest bit of the upper half counts as one bit', zero, '0000000100000000', 1, 'close'],
  'CMP-3 Popcount SignedWords',
  ['d-1-bit-32', 'the highest bit of the lower half counts as one bit', zero, '0000000080000000', 1, 'close'],
  'CMP-3 CMP-4 CMP-6 CMP-5 Threshold',
  ['d-2', 'two bits are loose', zero, '8000000000000001', 2, 'loose'],
  'CMP-3 CMP-4 CMP-6 Threshold',
  ['d-3', 'three bits are loose', zero, '8000000080000001', 3, 'loose'],
  ['d-6', 'six bits are loose', zero, '8001000180018000', 6, 'loose'],
  ['d-7', 'seven bits are no match', zero, '8001800180018000', 7, 'none'],
  'CMP-3 CMP-4 Popcount',
  ['d-16', 'the 16 bits of a block are counted', '3020ceaa2375a74e', '302031552375a74e', 16, 'none'],
  ['d-32', 'the 32 bits of the upper half are counted', zero, 'ffffffff00000000', 32, 'none'],
  'CMP-3 CMP-4 Popcount SignedWords',
  ['d-32-lower', 'the 32 bits of the lower half are counted', zero, '00000000ffffffff', 32, 'none'],
  'CMP-3 CMP-4 Popcount',
  ['d-33', '33 bits, one more than a half, are counted', zero, '80000000ffffffff', 33, 'none'],
  ['d-63', '63 bits are counted', '8000000000000000', 'ffffffffffffffff', 63, 'none'],
  ['d-64', 'complements have the similarity 0', '0123456789abcdef', 'fedcba9876543210', 64, 'none'],
  'CMP-3 CMP-4 Popcount SignedWords',
  ['d-64-ends', '64 zeros and 64 ones have the similarity 0', zero, 'ffffffffffffffff', 64, 'none'],
  'CMP-3 Popcount',
  ['symmetric', 'the order of the two does not matter', '8001000180018000', zero, 6, 'loose'],
  'CMP-3 NumericDistance',
  [
    'numbers-apart',
    'fingerprints that are near as numbers may differ in many bits',
    '7fffffffffffffff',
    '8000000000000000',
    64,
    'none',
  ],
  [
    'numbers-near',
    'fingerprints that are far apart as numbers may differ in few bits',
    '8000000000000001',
    '0000000000000001',
    1,
    'close',
  ],
];

const good = 'simhash-doc:GAQM5KRDOWTU4';

const errors: Table<[a: string | null, b: string | null, error: ErrorCode]> = [
  'CMP-1 SIM-1 EmptyAsZero',
  ['none-first', 'the first document has no fingerprint: refused', null, good, 'no-fingerprint'],
  ['none-second', 'the second document has no fingerprint: refused', good, null, 'no-fingerprint'],
  [
    'none-both',
    'neither document has a fingerprint: refused, since they are not known to be alike',
    null,
    null,
    'no-fingerprint',
  ],
  'CMP-1 SIM-1 SIM-5 EmptyAsZero',
  [
    'none-zero',
    'a document without a fingerprint is not compared as 64 zeros',
    null,
    'simhash-doc:AAAAAAAAAAAAA',
    'no-fingerprint',
  ],
  'LAB-2 LAB-4 LabelIgnored',
  ['bare-first', 'the first fingerprint has no label: refused', 'GAQM5KRDOWTU4', good, 'invalid-label'],
  ['bare-second', 'the second fingerprint has no label: refused', good, 'GAQM5KRDOWTU4', 'invalid-label'],
  'CMP-2 LabelIgnored',
  [
    'mismatch',
    'a fingerprint of another label and one of the bare scheme are refused',
    good,
    'simhash-doc+bg1:GAQM5KRDOWTU4',
    'label-mismatch',
  ],
  [
    'mismatch-methods',
    'a fingerprint of minhash-doc and one of simhash-doc are refused',
    'minhash-doc:GAQM5KRDOWTU4',
    good,
    'label-mismatch',
  ],
  [
    'mismatch-bg1',
    'fingerprints of minhash-doc and of simhash-doc+bg1, whose tokens are alike, are refused',
    'minhash-doc:GAQM5KRDOWTU4',
    'simhash-doc+bg1:GAQM5KRDOWTU4',
    'label-mismatch',
  ],
  'CMP-2 MIN-10 LabelIgnored Truncation',
  [
    'mismatch-widths',
    'a fingerprint of 256 bits and one of 64 bits are refused: nothing is truncated',
    `minhash-doc-256:${'A'.repeat(52)}`,
    'minhash-doc:AAAAAAAAAAAAA',
    'label-mismatch',
  ],
  [
    'mismatch-widths-back',
    'a fingerprint of 64 bits and one of 256 bits are refused',
    'minhash-doc:AAAAAAAAAAAAA',
    `minhash-doc-256:${'A'.repeat(52)}`,
    'label-mismatch',
  ],
  'MIN-9 SpareBit WideString',
  [
    'wide-spare',
    'a spare bit of the second fingerprint of 256 bits is 1: refused',
    `minhash-doc-256:${'A'.repeat(52)}`,
    `minhash-doc-256:${'A'.repeat(51)}I`,
    'invalid-fingerprint',
  ],
  'CMP-1 MIN-6 EmptyAsZero',
  [
    'wide-none',
    'the second document has no fingerprint of 256 bits',
    `minhash-doc-256:${'A'.repeat(52)}`,
    null,
    'no-fingerprint',
  ],
  'CMP-2 SER-5 ErrorOrder',
  [
    'mismatch-last',
    'labels differ and the second string is at fault: that is reported',
    'simhash-doc+bg1:GAQM5KRDOWTU4',
    'simhash-doc:GAQM5KRDOWTU5',
    'invalid-fingerprint',
  ],
  'CMP-1 CMP-2 ErrorOrder EmptyAsZero',
  [
    'mismatch-none',
    'the first has another label, the second document has no fingerprint: that is reported',
    'simhash-doc+bg1:GAQM5KRDOWTU4',
    null,
    'no-fingerprint',
  ],
  'CMP-2 LAB-2 LabelRegistry LabelIgnored',
  [
    'other-label',
    'fingerprints of a label that is not registered are refused, not compared',
    good,
    'simhash-doc+x1:GAQM5KRDOWTU4',
    'invalid-label',
  ],
  'LAB-2 LabelRegistry',
  [
    'unregistered',
    'two fingerprints of the same label that is not registered are refused',
    'simhash-doc+x1:GAQM5KRDOWTU4',
    'simhash-doc+x1:GAQM5KRDOWTU4',
    'invalid-label',
  ],
  'SER-4 SpareBit',
  [
    'spare',
    'the spare bit of the second fingerprint is 1: refused',
    good,
    'simhash-doc:GAQM5KRDOWTU5',
    'invalid-fingerprint',
  ],
  'SER-5 LAB-2 ErrorOrder',
  [
    'left-first',
    'both strings are at fault: the first is reported',
    'simhash-doc:?',
    'nosuch:GAQM5KRDOWTU4',
    'invalid-fingerprint',
  ],
  'CMP-1 SER-5 ErrorOrder EmptyAsZero',
  [
    'none-before-spoilt',
    'the first document has no fingerprint, the second string is malformed: the first is reported',
    null,
    'simhash-doc:?',
    'no-fingerprint',
  ],
  'CMP-1 LAB-2 ErrorOrder EmptyAsZero',
  [
    'none-before-label',
    'the first document has no fingerprint, the second has another label: the first is reported',
    null,
    'nosuch:GAQM5KRDOWTU4',
    'no-fingerprint',
  ],
  'SER-5 CMP-1 ErrorOrder EmptyAsZero',
  [
    'spoilt-before-none',
    'the first string is malformed, the second document has no fingerprint: the first is reported',
    'simhash-doc:?',
    null,
    'invalid-fingerprint',
  ],
  'LAB-2 CMP-1 ErrorOrder EmptyAsZero',
  [
    'label-before-none',
    'the first string has another label, the second document has no fingerprint: the first is reported',
    'nosuch:GAQM5KRDOWTU4',
    null,
    'invalid-label',
  ],
];

/** Other spellings of the same fingerprint. */
const alike: Table<[a: string, b: string]> = [
  'CMP-3 SER-3 SER-2 LAB-1 LetterCase LabelCase Padding',
  ['spellings', 'case and padding make no difference', 'SIMHASH-DOC:gaqm5krdowtu4===', good],
  'CMP-3 CMP-2 LabelRegistry LabelCase',
  [
    'bg1',
    'two fingerprints of another label are compared',
    'SIMHASH-DOC+BG1:GAQM5KRDOWTU4',
    'simhash-doc+bg1:GAQM5KRDOWTU4',
  ],
];

type Distances = readonly (readonly [verdict: Verdict, distances: readonly number[]])[];

const narrowDistances: Distances = [
  ['close', [0, 1]],
  ['loose', [2, 6]],
  ['none', [7, 32, 64]],
];

const wideDistances: Distances = [
  ['close', [0, 1, 4, 5]],
  ['loose', [6, 7, 24, 25]],
  ['none', [26, 64, 128, 255, 256]],
];

const narrow: Table<[distance: number, verdict: Verdict]> = narrowDistances.flatMap(([verdict, distances]) => [
  verdict === 'close' ? 'CMP-3 CMP-5 Threshold' : 'CMP-3 CMP-6 Threshold',
  ...distances.map((d) => [`minhash-${d}`, `two fingerprints of minhash-doc at distance ${d}`, d, verdict] as const),
]);

const wide: Table<[distance: number, verdict: Verdict]> = wideDistances.flatMap(([verdict, distances]) => [
  'MIN-10 Threshold WideString',
  ...distances.map((d) => [`wide-${d}`, `two fingerprints of 256 bits at distance ${d}`, d, verdict] as const),
]);

const wideWords: Table<[mask: string, distance: number, verdict: Verdict]> = [
  'MIN-10 WideString',
  ['wide-word-0', 'only word 0 differs', `${'f'.repeat(16)}${'0'.repeat(48)}`, 64, 'none'],
  ['wide-word-3', 'only word 3 differs', `${'0'.repeat(48)}${'f'.repeat(16)}`, 64, 'none'],
  ['wide-word-3-bit', 'only the last bit differs', `${'0'.repeat(63)}1`, 1, 'close'],
  ['wide-words', 'each word differs by two bits', '8000000000000001'.repeat(4), 8, 'loose'],
  [
    'wide-words-7',
    'each word differs by seven bits, more than a loose match of 64 bits',
    '80c0000000000f00'.repeat(4),
    28,
    'none',
  ],
];

/** The hexadecimal form with so many bits inverted, spread over all of them. */
function flip(digits: string, count: number): string {
  const bits = 4 * digits.length;
  let mask = 0n;
  for (let i = 0; i < count; i++) mask |= 1n << BigInt((i * 37) % bits);
  return (BigInt(`0x${digits}`) ^ mask).toString(16).padStart(digits.length, '0');
}

export const compareGroup: Group = {
  group: 'compare',
  description: 'Step 10: distance, similarity and verdict of two labelled fingerprints.',
  cases: [
    ...casesOf('compare', rows, (a, b, distance, verdict) => ({
      input: { a: labelled(a), b: labelled(b) },
      hand: { distance, similarity: (64 - distance) / 64, verdict },
    })),
    ...casesOf('compare', alike, (a, b) => ({
      input: { a, b },
      hand: { distance: 0, similarity: 1, verdict: 'close' as const },
    })),
    ...casesOf('compare', narrow, (distance, verdict) => ({
      input: {
        a: `minhash-doc:${base32('3020ceaa2375a74e')}`,
        b: `MinHash-Doc:${base32(flip('3020ceaa2375a74e', distance))}`,
      },
      hand: { distance, similarity: (64 - distance) / 64, verdict },
    })),
    ...casesOf('compare', wide, (distance, verdict) => ({
      input: { a: `minhash-doc-256:${base32(WIDE_HEX)}`, b: `minhash-doc-256:${base32(flip(WIDE_HEX, distance))}` },
      hand: { distance, similarity: (256 - distance) / 256, verdict },
    })),
    ...casesOf('compare', wideWords, (mask, distance, verdict) => ({
      input: { a: `minhash-doc-256:${'A'.repeat(52)}`, b: `minhash-doc-256:${base32(mask)}` },
      hand: { distance, similarity: (256 - distance) / 256, verdict },
    })),
    ...casesOf('compare', errors, (a, b, error) => ({ input: { a, b }, error })),
  ],
};
