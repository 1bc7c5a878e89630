import { type Case, type Group, list } from '../case.ts';
import { bare } from '../oracle.ts';

type Row = readonly [name: string, title: string, rules: string, flags: string, hex: string, keys?: readonly number[]];

const rows: readonly Row[] = [
  [
    'digits',
    'every hexadecimal digit once, in ascending order: all blocks and sub-blocks differ',
    'TAB-1 TAB-2 TAB-3 TAB-4',
    'BlockOrder SubBlockOrder KeyWidth PermutedRest',
    '0123456789abcdef',
    [
      0x0123456, 0x0123789, 0x0123abc, 0x0123def, 0x4567012, 0x4567389, 0x4567abc, 0x4567def, 0x89ab012, 0x89ab345,
      0x89ab67c, 0x89abdef, 0xcdef012, 0xcdef345, 0xcdef678, 0xcdef9ab,
    ],
  ],
  [
    'digits-descending',
    'every hexadecimal digit once, in descending order: the highest bit is 1',
    'TAB-1 TAB-2 TAB-3 TAB-4',
    'BlockOrder SubBlockOrder SignedWords',
    'fedcba9876543210',
  ],
  [
    'specification',
    'the example of the specification',
    'TAB-1 TAB-2 TAB-3 TAB-4',
    'BlockOrder SubBlockOrder',
    '3020ceaa2375a74e',
  ],
  ['zero', '64 zeros have sixteen keys 0', 'TAB-3 TAB-4 SIM-5', 'ZeroAsEmpty', '0000000000000000', Array(16).fill(0)],
  [
    'ones',
    '64 ones have sixteen keys of 28 ones',
    'TAB-3 TAB-4',
    'KeyWidth SignedWords',
    'ffffffffffffffff',
    Array(16).fill(0xfffffff),
  ],
  ['bit-0', 'the highest bit is in block 0', 'TAB-1 TAB-3', 'SignedWords BlockOrder', '8000000000000000'],
  ['bit-63', 'the lowest bit is in block 3', 'TAB-1 TAB-3', 'BlockOrder', '0000000000000001'],
  ['block-0', 'ones in block 0 only', 'TAB-1 TAB-2', 'BlockOrder SubBlockOrder', 'ffff000000000000'],
  ['block-1', 'ones in block 1 only', 'TAB-1 TAB-2', 'BlockOrder SubBlockOrder', '0000ffff00000000'],
  ['block-2', 'ones in block 2 only', 'TAB-1 TAB-2', 'BlockOrder SubBlockOrder', '00000000ffff0000'],
  ['block-3', 'ones in block 3 only', 'TAB-1 TAB-2', 'BlockOrder SubBlockOrder', '000000000000ffff'],
  [
    'sub-borders',
    'bits at both sides of the borders of sub-blocks',
    'TAB-2 TAB-3',
    'SubBlockOrder',
    '0018018000180180',
  ],
  [
    '53-bits',
    '2^53 + 1, which a double cannot hold, is permuted exactly',
    'TAB-3 TAB-4',
    'FloatingPoint',
    '0020000000000001',
  ],
];

const fingerprint = '0123456789abcdef';

const back = Array.from({ length: 16 }, (_, table): Case => {
  const permuted = bare.toHex(bare.permute(BigInt(`0x${fingerprint}`), table));
  return {
    ...{
      name: `back-${table}`,
      operation: 'unpermute',
      title: `table ${table}: the fingerprint from its permuted form`,
    },
    ...{ rules: ['TAB-4', 'TAB-2'], flags: ['BlockOrder', 'SubBlockOrder', 'PermutedRest'] },
    ...{ input: { permuted, table }, hand: { fingerprint } },
  };
});

const PROBES = [1, 1, 1, 1, 29, 221, 221, 221, 1847];

const probes = PROBES.flatMap((count, k): Case[] =>
  [0, 6, 15].map((table) => ({
    ...{ name: `probe-k${k}-table-${table}`, operation: 'probe' },
    ...{ title: `the probes of table ${table} for distance ${k}`, rules: ['LKP-5'], flags: ['ProbeSet'] },
    ...{ input: { fingerprint: '3020ceaa2375a74e', table, k }, hand: { count } },
  })),
);

type ErrorRow = readonly [name: string, title: string, given: Pick<Case, 'operation' | 'input'>, error: Case['error']];

const permuted = '0123456789abcdef';

const errors: readonly ErrorRow[] = [
  [
    'none',
    'a document without a fingerprint has no keys',
    { operation: 'tables', input: { fingerprint: null } },
    'no-fingerprint',
  ],
  [
    'back-table-16',
    'table 16 is out of range for the inverse',
    { operation: 'unpermute', input: { permuted, table: 16 } },
    'out-of-range',
  ],
  [
    'back-table-negative',
    'table -1 is out of range for the inverse',
    { operation: 'unpermute', input: { permuted, table: -1 } },
    'out-of-range',
  ],
  [
    'probe-table-16',
    'table 16 is out of range for probes',
    { operation: 'probe', input: { fingerprint, table: 16, k: 3 } },
    'out-of-range',
  ],
  [
    'probe-table-negative',
    'table -1 is out of range for probes',
    { operation: 'probe', input: { fingerprint, table: -1, k: 3 } },
    'out-of-range',
  ],
  [
    'probe-k-65',
    'distance 65 is out of range for probes',
    { operation: 'probe', input: { fingerprint, table: 0, k: 65 } },
    'out-of-range',
  ],
  [
    'probe-k-negative',
    'distance -1 is out of range for probes',
    { operation: 'probe', input: { fingerprint, table: 0, k: -1 } },
    'out-of-range',
  ],
  [
    'probe-none-table-16',
    'the fingerprint is checked before the table',
    { operation: 'probe', input: { fingerprint: null, table: 16, k: 3 } },
    'no-fingerprint',
  ],
  [
    'probe-none',
    'a document without a fingerprint has no probes',
    { operation: 'probe', input: { fingerprint: null, table: 0, k: 3 } },
    'no-fingerprint',
  ],
];

export const tablesGroup: Group = {
  group: 'tables',
  description: 'Step 11: keys and permuted fingerprints of the 16 tables, the inverse, and the probes.',
  cases: [
    ...rows.map(
      ([name, title, rules, flags, hex, keys]): Case => ({
        ...{ name, operation: 'tables', title, rules: list(rules), flags: list(flags), input: { fingerprint: hex } },
        ...(keys === undefined ? {} : { hand: { keys } }),
      }),
    ),
    ...back,
    ...probes,
    {
      ...{ name: 'probe-ones', operation: 'probe', title: 'flips clear the bits of keys of ones' },
      ...{ rules: ['LKP-5'], flags: ['ProbeSet', 'SignedWords'] },
      ...{ input: { fingerprint: 'ffffffffffffffff', table: 9, k: 7 }, hand: { count: 221 } },
    },
    ...errors.map(
      ([name, title, given, error]) =>
        ({
          ...{ name, title, flags: ['InvalidInput'] },
          rules: error === 'no-fingerprint' ? ['LKP-1', 'SIM-1'] : given.operation === 'probe' ? ['LKP-5'] : ['TAB-2'],
          ...given,
          error,
        }) as Case,
    ),
  ],
};
