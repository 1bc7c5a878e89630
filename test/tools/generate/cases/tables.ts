import type { ErrorCode } from '../../../../src/errors.ts';
import { casesOf, type Group, type Table } from '../case.ts';
import { bare } from '../oracle.ts';

const rows: Table<[fingerprint: string, keys?: readonly number[]]> = [
  'TAB-1 TAB-2 TAB-3 TAB-4 BlockOrder SubBlockOrder KeyWidth PermutedRest',
  [
    'digits',
    'every hexadecimal digit once, in ascending order: all blocks and sub-blocks differ',
    '0123456789abcdef',
    [
      0x0123456, 0x0123789, 0x0123abc, 0x0123def, 0x4567012, 0x4567389, 0x4567abc, 0x4567def, 0x89ab012, 0x89ab345,
      0x89ab67c, 0x89abdef, 0xcdef012, 0xcdef345, 0xcdef678, 0xcdef9ab,
    ],
  ],
  'TAB-1 TAB-2 TAB-3 TAB-4 BlockOrder SubBlockOrder SignedWords',
  ['digits-descending', 'every hexadecimal digit once, in descending order: the highest bit is 1', 'fedcba9876543210'],
  'TAB-1 TAB-2 TAB-3 TAB-4 BlockOrder SubBlockOrder',
  ['specification', 'the example of the specification', '3020ceaa2375a74e'],
  'TAB-3 TAB-4 SIM-5 ZeroAsEmpty',
  ['zero', '64 zeros have sixteen keys 0', '0000000000000000', Array(16).fill(0)],
  'TAB-3 TAB-4 KeyWidth SignedWords',
  ['ones', '64 ones have sixteen keys of 28 ones', 'ffffffffffffffff', Array(16).fill(0xfffffff)],
  'TAB-1 TAB-3 SignedWords BlockOrder',
  ['bit-0', 'the highest bit is in block 0', '8000000000000000'],
  'TAB-1 TAB-3 BlockOrder',
  ['bit-63', 'the lowest bit is in block 3', '0000000000000001'],
  'TAB-1 TAB-2 BlockOrder SubBlockOrder',
  ['block-0', 'ones in block 0 only', 'ffff000000000000'],
  ['block-1', 'ones in block 1 only', '0000ffff00000000'],
  ['block-2', 'ones in block 2 only', '00000000ffff0000'],
  ['block-3', 'ones in block 3 only', '000000000000ffff'],
  'TAB-2 TAB-3 SubBlockOrder',
  ['sub-borders', 'bits at both sides of the borders of sub-blocks', '0018018000180180'],
  'TAB-3 TAB-4 FloatingPoint',
  ['53-bits', '2^53 + 1, which a double cannot hold, is permuted exactly', '0020000000000001'],
];

const fingerprint = '0123456789abcdef';

const back: Table<[permuted: string, table: number]> = [
  'TAB-4 TAB-2 BlockOrder SubBlockOrder PermutedRest',
  ...Array.from({ length: 16 }, (_, table) => {
    const permuted = bare.toHex(bare.permute(BigInt(`0x${fingerprint}`), table));
    return [`back-${table}`, `table ${table}: the fingerprint from its permuted form`, permuted, table] as const;
  }),
];

/** Rows for the numbers of probes, by distances from `firstK` on, in three of the tables. */
export const probesOf = (counts: readonly number[], firstK: number): Table<[table: number, k: number, count: number]> =>
  counts.flatMap((count, i) => {
    const k = firstK + i;
    return [
      'LKP-5 ProbeSet',
      ...[0, 6, 15].map((table) => {
        const title = `the probes of table ${table} for distance ${k}`;
        return [`probe-k${k}-table-${table}`, title, table, k, count] as const;
      }),
    ];
  });

const backOutOfRange: Table<[table: number]> = [
  'TAB-2',
  ['back-table-16', 'table 16 is out of range for the inverse', 16],
  ['back-table-negative', 'table -1 is out of range for the inverse', -1],
];

const refusedProbes: Table<[fingerprint: string | null, table: number, k: number, error: ErrorCode]> = [
  'LKP-5',
  ['probe-table-16', 'table 16 is out of range for probes', fingerprint, 16, 3, 'out-of-range'],
  ['probe-table-negative', 'table -1 is out of range for probes', fingerprint, -1, 3, 'out-of-range'],
  ['probe-k-65', 'distance 65 is out of range for probes', fingerprint, 0, 65, 'out-of-range'],
  ['probe-k-negative', 'distance -1 is out of range for probes', fingerprint, 0, -1, 'out-of-range'],
  'LKP-1 SIM-1',
  ['probe-none-table-16', 'the fingerprint is checked before the table', null, 16, 3, 'no-fingerprint'],
  ['probe-none', 'a document without a fingerprint has no probes', null, 0, 3, 'no-fingerprint'],
];

export const tablesGroup: Group = {
  group: 'tables',
  description: 'Step 11: keys and permuted fingerprints of the 16 tables, the inverse, and the probes.',
  cases: [
    ...casesOf('tables', rows, (fingerprint, keys?) => ({ input: { fingerprint }, ...(keys && { hand: { keys } }) })),
    ...casesOf('unpermute', back, (permuted, table) => ({ input: { permuted, table }, hand: { fingerprint } })),
    ...casesOf('probe', probesOf([1, 1, 1, 1, 29, 221, 221, 221, 1847], 0), (table, k, count) => ({
      input: { fingerprint: '3020ceaa2375a74e', table, k },
      hand: { count },
    })),
    ...casesOf(
      'probe',
      ['LKP-5 ProbeSet SignedWords', ['probe-ones', 'flips clear the bits of keys of ones', 'ffffffffffffffff']],
      (fingerprint) => ({ input: { fingerprint, table: 9, k: 7 }, hand: { count: 221 } }),
    ),
    ...casesOf(
      'tables',
      ['LKP-1 SIM-1', ['none', 'a document without a fingerprint has no keys', null]],
      (fingerprint) => ({ input: { fingerprint }, error: 'no-fingerprint' }),
    ),
    ...casesOf('unpermute', backOutOfRange, (table) => ({
      input: { permuted: '0123456789abcdef', table },
      error: 'out-of-range',
    })),
    ...casesOf('probe', refusedProbes, (fingerprint, table, k, error) => ({ input: { fingerprint, table, k }, error })),
  ],
};
