import { splitmix64 } from '../../../../src/conformance/suite/generate.ts';
import type { LookupEntry, Match } from '../../../../src/conformance/types.ts';
import type { ErrorCode } from '../../../../src/errors.ts';
import { type CaseOf, casesOf, type Group, type Table } from '../case.ts';
import { bare } from '../oracle.ts';
import { hex16, in256Bits } from './inputs.ts';

const query = '3020ceaa2375a74e';
const away = (mask: bigint): string => hex16(BigInt(`0x${query}`) ^ mask);

/** Counts the different bits in the two parts of the keys in each table of two fingerprints that differ in `mask`. */
function flipsByTable(mask: bigint): { table: number; block: number; sub: number }[] {
  const ones = (bits: string): number => bits.replaceAll('0', '').length;
  return Array.from({ length: 16 }, (_, table) => {
    const key = bare.tableKeys(mask)[table]!.toString(2).padStart(28, '0');
    return { table, block: ones(key.slice(0, 16)), sub: ones(key.slice(16)) };
  });
}

type Flips = ReturnType<typeof flipsByTable>;

/** The first mask with `bits` ones, of a seeded series, whose flips are as wanted. */
function findMask(bits: number, wanted: (flips: Flips) => boolean): bigint {
  const { below } = splitmix64(bits);
  for (;;) {
    let mask = 0n;
    const places = new Set<number>();
    while (places.size < bits) places.add(below(64));
    for (const place of places) mask |= 1n << BigInt(place);
    if (wanted(flipsByTable(mask))) return mask;
  }
}

/** Tables whose key is the same. */
const sharing = (flips: Flips): number[] =>
  flips.filter(({ block, sub }) => block === 0 && sub === 0).map(({ table }) => table);

/** Tests whether no probe with fewer than these flips finds it, and one with these does. */
const onlyWith =
  (block: number, sub: number) =>
  (flips: Flips): boolean =>
    flips.some((each) => each.block === block && each.sub === sub) &&
    flips.every((each) => each.block > block || (each.block === block && each.sub >= sub));

const match = (id: string, mask: bigint): Match => ({
  ...{ id, fingerprint: away(mask) },
  distance: mask.toString(2).replaceAll('0', '').length,
});

/** An entry that shares the key of a table although it is far away. */
const decoy = { id: 'decoy', fingerprint: away(0x0000000fffffffffn) };

/** For each table, what differs in three bits and shares the key of that table alone. */
const tableMasks = Array.from({ length: 16 }, (_, table) =>
  findMask(3, (flips) => sharing(flips).length === 1 && sharing(flips)[0] === table),
);

const tables: Table<[mask: bigint]> = [
  'LKP-6 TAB-2 TAB-3 MissingTable BlockOrder SubBlockOrder',
  ...tableMasks.map(
    (mask, table) => [`table-${table}`, `an entry at distance 3 that only table ${table} finds`, mask] as const,
  ),
];

const masks = {
  d0: 0n,
  d1: 0x1n,
  d2: 0x8000000000000001n,
  d3: 0x8000000100000001n,
  d4: 0x8000800080008000n,
  d6: 0x8001000180018000n,
  d7: 0x8001800180018000n,
  d8: 0x8001800180018001n,
};
const d = (distance: keyof typeof masks, id: string = distance): LookupEntry => ({
  id,
  fingerprint: away(masks[distance]),
});
const found = (distance: keyof typeof masks, id: string = distance): Match => match(id, masks[distance]);

const blockFlip = findMask(4, onlyWith(1, 0));
const subFlip = findMask(4, onlyWith(0, 1));
const bothFlips = findMask(7, onlyWith(1, 1));
const fiveFlips = findMask(5, onlyWith(1, 1));
const twoBlockFlips = findMask(8, onlyWith(2, 0));
const subFlips = findMask(8, onlyWith(0, 2));

const same = (...ids: readonly string[]): LookupEntry[] => ids.map((id) => ({ id, fingerprint: query }));

const all = [d('d8'), d('d7'), d('d6'), d('d4'), d('d3'), d('d2'), d('d1'), d('d0')];

const rows: Table<[entries: readonly LookupEntry[], k: number, matches: readonly (Match | string)[]]> = [
  'LKP-2',
  ['empty', 'an index without entries gives an empty answer', [], 3, []],
  'LKP-2 OwnEntry',
  ['own', "the query's own entry is in the answer", [d('d0')], 3, [found('d0')]],
  'LKP-2 Unchecked',
  ['nothing', 'no entry is near: the answer is empty', [decoy, d('d8')], 3, []],
  'LKP-2 LKP-3 EqualFingerprints',
  ['equal', 'documents with equal fingerprints are each listed', same('c', 'a', 'b'), 3, ['a', 'b', 'c']],
  'LKP-2 LKP-3 EqualFingerprints OwnEntry',
  ['equal-k-0', 'documents with equal fingerprints are each listed for distance 0', same('b', 'a'), 0, ['a', 'b']],
  'LKP-2 ListedTwice',
  ['once', 'an entry that several tables find is listed once', [d('d1')], 3, [found('d1')]],
  'LKP-2 Unchecked',
  ['decoy', 'an entry that shares a key but is far away is not in the answer', [decoy, d('d2')], 3, [found('d2')]],
  ['decoy-k-7', 'an entry that shares probed keys but is far away is not in the answer', [decoy, d('d8')], 7, []],

  'LKP-2 LKP-4 Boundary',
  ['k-0', 'distance 0 includes 0 and not 1', all, 0, [found('d0')]],
  ['k-1', 'distance 1 includes 1 and not 2', all, 1, [found('d0'), found('d1')]],
  ['k-2', 'distance 2 includes 2 and not 3', all, 2, [found('d0'), found('d1'), found('d2')]],
  'LKP-6 LKP-2 LKP-4 Boundary',
  ['k-3', 'distance 3 includes 3 and not 4', all, 3, [found('d0'), found('d1'), found('d2'), found('d3')]],
  'LKP-5 LKP-2 LKP-4 Boundary ProbeSet',
  ['k-4', 'distance 4 includes 4 and not 6', all, 4, ['d0', 'd1', 'd2', 'd3', 'd4']],
  ['k-6', 'distance 6, the loose threshold, includes 6 and not 7', all, 6, ['d0', 'd1', 'd2', 'd3', 'd4', 'd6']],
  ['k-7', 'distance 7 includes 7 and not 8', all, 7, ['d0', 'd1', 'd2', 'd3', 'd4', 'd6', 'd7']],
  ['k-8', 'distance 8 includes 8', all, 8, ['d0', 'd1', 'd2', 'd3', 'd4', 'd6', 'd7', 'd8']],
  'LKP-2 LKP-4 Boundary',
  [
    'k-64',
    'distance 64 includes every entry',
    [decoy, { id: 'far', fingerprint: away(0xffffffffffffffffn) }, d('d8')],
    64,
    ['d8', 'decoy', 'far'],
  ],
  ['k-35', 'distance 35 does not include 36', [decoy, d('d0')], 35, ['d0']],
  ['k-36', 'distance 36 includes 36', [decoy, d('d0')], 36, ['d0', 'decoy']],

  'LKP-5 ProbeSet',
  [
    'probe-block',
    'distance 4: an entry is found with one bit flipped in the block',
    [decoy, { id: 'near', fingerprint: away(blockFlip) }],
    4,
    [match('near', blockFlip)],
  ],
  [
    'probe-sub',
    'distance 4: an entry is found with one bit flipped in the sub-block',
    [decoy, { id: 'near', fingerprint: away(subFlip) }],
    4,
    [match('near', subFlip)],
  ],
  [
    'probe-both-5',
    'distance 5: an entry is found with one bit flipped in each part of the key',
    [{ id: 'near', fingerprint: away(fiveFlips) }],
    5,
    [match('near', fiveFlips)],
  ],
  [
    'probe-both-7',
    'distance 7: an entry is found with one bit flipped in each part of the key',
    [{ id: 'near', fingerprint: away(bothFlips) }],
    7,
    [match('near', bothFlips)],
  ],
  [
    'probe-two-block',
    'distance 8: an entry is found with two bits flipped in the block',
    [{ id: 'near', fingerprint: away(twoBlockFlips) }],
    8,
    [match('near', twoBlockFlips)],
  ],
  [
    'probe-two-sub',
    'distance 8: an entry is found with two bits flipped in the sub-block',
    [{ id: 'near', fingerprint: away(subFlips) }],
    8,
    [match('near', subFlips)],
  ],

  'LKP-3 IdOrder',
  [
    'order-distance',
    'matches are ordered by distance first, whatever their identifiers',
    [d('d3', 'a'), d('d2', 'b'), d('d1', 'c'), d('d0', 'd')],
    3,
    ['d', 'c', 'b', 'a'],
  ],
  [
    'order-id',
    'matches at one distance are ordered by identifier',
    [d('d1', 'b'), d('d0', 'z'), d('d1', 'a')],
    3,
    ['z', 'a', 'b'],
  ],
  [
    'order-fingerprint',
    'matches are not ordered by fingerprint',
    [
      { id: 'b', fingerprint: away(1n) },
      { id: 'a', fingerprint: away(0x8000000000000000n) },
    ],
    3,
    ['a', 'b'],
  ],
  'LKP-3 IdOrder Collation',
  [
    'order-case',
    'digits come before upper-case letters, and these before lower-case letters',
    same('a', 'B', 'b', 'A', '1', '_'),
    3,
    ['1', 'A', 'B', '_', 'a', 'b'],
  ],
  [
    'order-numbers',
    'digits are compared one by one, not as numbers',
    same('9', '10', '1', '2'),
    3,
    ['1', '10', '2', '9'],
  ],
  ['order-prefix', 'an identifier comes after its prefix', same('ab', 'a', 'a.b', 'abc'), 3, ['a', 'a.b', 'ab', 'abc']],
  [
    'order-accents',
    'letters with accents come after all of ASCII',
    same('\u00e9', 'z', 'e', 'f'),
    3,
    ['e', 'f', 'z', '\u00e9'],
  ],
  'LKP-3 IdOrder Utf16Units',
  [
    'order-utf-16',
    'U+FF5E comes before U+1F600: the order is not that of 16-bit units',
    same('\u{1f600}', '\uff5e', '\ufffd'),
    3,
    ['\uff5e', '\ufffd', '\u{1f600}'],
  ],
  [
    'order-utf-16-later',
    'after equal beginnings, the order is not that of 16-bit units',
    same('a\u{10000}', 'a\ue000', 'a\u{10000}b', 'a'),
    3,
    ['a', 'a\ue000', 'a\u{10000}', 'a\u{10000}b'],
  ],
  'LKP-3 IdOrder SignedOctets',
  [
    'order-signed',
    'octets are compared as unsigned values',
    same('\u00e9', '\u4e2d', '~'),
    3,
    ['~', '\u00e9', '\u4e2d'],
  ],
  'LKP-3 IdOrder',
  [
    'ids-not-normalised',
    'identifiers are not normalised: composed and decomposed forms are two',
    same('\u00e9', 'e\u0301'),
    3,
    ['e\u0301', '\u00e9'],
  ],
  'LKP-3 IdOrder Collation',
  ['ids-not-folded', 'case and white space of identifiers are kept', same('a', 'A', ' a'), 3, [' a', 'A', 'a']],
];

/** Rows of one key whose permuted fingerprints, and keys on both sides of the highest bit, a signed order would part. */
const signedRows = {
  a: 0x8000000000000000n,
  b: 0n,
  c: 0x0000800000000000n,
  d: 0x8000800080008000n,
  e: 0x8000000080008000n,
};
const nearSignedRows = '7fffffffffffffff';
const signedRow = (id: keyof typeof signedRows): LookupEntry => ({
  ...{ id, fingerprint: hex16(BigInt(`0x${nearSignedRows}`) ^ signedRows[id]) },
});

/** Flips so many bits, or fewer, of the query, by a seeded series. */
function flipped(count: number, below: (limit: number) => number): string {
  let mask = 0n;
  for (let flips = count; flips > 0; flips--) mask |= 1n << BigInt(below(64));
  return away(mask);
}

/** Entries that a seeded series flips 0 to 9 bits of. */
function crowd(): LookupEntry[] {
  const { below } = splitmix64(2026);
  return Array.from({ length: 60 }, (_, i) => ({ id: `document ${i}`, fingerprint: flipped(below(10), below) }));
}

/** More entries than all probes for distance 4, which are 464: an index that scans few entries has to probe here. */
function manyEntries(): LookupEntry[] {
  const { below, next } = splitmix64(464);
  return Array.from({ length: 600 }, (_, i) => ({
    id: `${i}`,
    fingerprint: i % 6 > 0 ? hex16(next()) : flipped(below(7), below),
  }));
}

/** More entries than tables: an index that scans few entries has to read its tables here, all of them. */
const everyTable: readonly LookupEntry[] = [
  ...tableMasks.map((mask, table) => ({ id: `table ${table}`, fingerprint: away(mask) })),
  ...Array.from({ length: 48 }, (_, i) => ({
    id: `far ${i}`,
    fingerprint: away(0xffffffffffffffffn ^ (1n << BigInt(i))),
  })),
];

const single: Table<[given: Pick<CaseOf<'lookup'>, 'input' | 'hand'>]> = [
  'LKP-2 SIM-3 SignedWords',
  [
    'highest-bit',
    'entries with and without the highest bit are told apart',
    {
      input: {
        entries: [
          { id: 'a', fingerprint: '8000000000000000' },
          { id: 'b', fingerprint: '7fffffffffffffff' },
          { id: 'c', fingerprint: 'ffffffffffffffff' },
          { id: 'd', fingerprint: 'c000000000000000' },
        ],
        ...{ query: '8000000000000000', k: 3 },
      },
      hand: {
        matches: [
          { id: 'a', fingerprint: '8000000000000000', distance: 0 },
          { id: 'd', fingerprint: 'c000000000000000', distance: 1 },
        ],
      },
    },
  ],
  'SIM-5 LKP-2 ZeroAsEmpty',
  [
    'zero',
    '64 zeros are an entry and a query like any other',
    {
      input: {
        entries: [
          { id: 'a', fingerprint: '0000000000000000' },
          { id: 'b', fingerprint: '0000000000000001' },
        ],
        ...{ query: '0000000000000000', k: 3 },
      },
      hand: {
        matches: [
          { id: 'a', fingerprint: '0000000000000000', distance: 0 },
          { id: 'b', fingerprint: '0000000000000001', distance: 1 },
        ],
      },
    },
  ],
  'CMP-7 LKP-2 Boundary Threshold',
  [
    'k-absent',
    'without a distance, a lookup is within 3',
    {
      input: { entries: [d('d4'), d('d3'), d('d0')], query },
      hand: { completeTo: 3, matches: [found('d0'), found('d3')] },
    },
  ],
  'TAB-5 LKP-2 SignedWords',
  [
    'unsigned-rows',
    'permuted fingerprints are sorted as unsigned numbers',
    {
      input: { entries: (['a', 'b', 'c', 'd', 'e'] as const).map(signedRow), query: nearSignedRows, k: 3 },
      hand: {
        matches: [
          { ...signedRow('b'), distance: 0 },
          { ...signedRow('a'), distance: 1 },
          { ...signedRow('c'), distance: 1 },
          { ...signedRow('e'), distance: 3 },
        ] as Match[],
      },
    },
  ],
  'LKP-5 LKP-2 LKP-3 ProbeSet Boundary Collation',
  ['crowd', 'sixty entries at distances 0 to 9 are found and ordered', { input: { entries: crowd(), query, k: 7 } }],
  'LKP-5 LKP-2 LKP-3 ProbeSet Boundary',
  [
    'many-entries',
    'of 600 entries, those within distance 4 are found',
    { input: { entries: manyEntries(), query, k: 4 } },
  ],
  'LKP-6 TAB-2 TAB-3 MissingTable BlockOrder SubBlockOrder',
  [
    'every-table',
    'of 64 entries, 16 are at distance 3, each found by another table alone',
    {
      input: { entries: everyTable, query, k: 3 },
      hand: {
        matches: tableMasks.map((mask, table) => match(`table ${table}`, mask)).sort((a, b) => (a.id < b.id ? -1 : 1)),
      },
    },
  ],
  'LKP-2',
  [
    'minhash',
    'entries of minhash-doc are found as those of simhash-doc are',
    {
      input: { entries: all, query, k: 3, label: 'minhash-doc' },
      hand: { completeTo: 3, matches: [found('d0'), found('d1'), found('d2'), found('d3')] },
    },
  ],
];

const errors: Table<[entries: readonly LookupEntry[], query: string | null, k: number, error: ErrorCode]> = [
  'LKP-1 SIM-1 EmptyAsZero',
  [
    'entry-none',
    'a document without a fingerprint is entered in no table',
    [d('d0'), { id: 'empty', fingerprint: null }],
    query,
    3,
    'no-fingerprint',
  ],
  ['query-none', 'a document without a fingerprint is not looked up', [d('d0')], null, 3, 'no-fingerprint'],
  'LKP-1 EmptyAsZero',
  [
    'entry-empty-none',
    'the identifier of an entry is checked before its fingerprint',
    [d('d0'), { id: '', fingerprint: null }],
    query,
    3,
    'out-of-range',
  ],
  [
    'entry-none-then-empty',
    'each entry is checked completely before the next one',
    [
      { id: 'none', fingerprint: null },
      { ...d('d0'), id: '' },
    ],
    query,
    3,
    'no-fingerprint',
  ],
  [
    'entry-empty-query-none',
    'the entries are checked before the query',
    [{ ...d('d0'), id: '' }],
    null,
    3,
    'out-of-range',
  ],
  'LKP-1 LKP-4 EmptyAsZero',
  [
    'entry-none-k-65',
    'the entries are checked before the distance',
    [{ id: 'none', fingerprint: null }],
    query,
    65,
    'no-fingerprint',
  ],
  ['query-none-k-65', 'the fingerprint is checked before the distance', [d('d0')], null, 65, 'no-fingerprint'],
  'LKP-4 EmptyAsZero',
  ['k-negative', 'distance -1 is out of range', [d('d0')], query, -1, 'out-of-range'],
  ['k-65', 'distance 65 is out of range', [d('d0')], query, 65, 'out-of-range'],
];

const WIDE = 'minhash-doc-256';

/** Words that lie far apart from each other. */
const wordsOfQuery = ['3020ceaa2375a74e', 'cfdf31555c8a58b1', '0123456789abcdef', 'f0e1d2c3b4a59687'] as const;
const wideQuery = wordsOfQuery.join('');

/** 256 bits that differ from the query by these masks in words 0 to 3; the other words are inverted in 30 bits. */
const FAR = 0x3fffffff00000000n;
const wideAway = (...byWord: readonly (bigint | undefined)[]): string =>
  wordsOfQuery.map((word, w) => hex16(BigInt(`0x${word}`) ^ (byWord[w] ?? FAR))).join('');
const wideMatch = (id: string, fingerprint: string): Match => ({
  ...{ id, fingerprint },
  distance: (BigInt(`0x${fingerprint}`) ^ BigInt(`0x${wideQuery}`)).toString(2).replaceAll('0', '').length,
});
const w = (id: string, ...byWord: readonly (bigint | undefined)[]): LookupEntry => ({
  id,
  fingerprint: wideAway(...byWord),
});
const [w0, w1, w3, w4, w7, w8] = [0n, 0x1n, 0x8000000100000001n, 0x8000800080008000n, masks.d7, masks.d8] as const;
const none = undefined;

const wideRows: Table<[entries: readonly LookupEntry[], k: number | undefined, matches: readonly string[]]> = [
  'MIN-11 WideLookup',
  ['word-0', 'an entry that only word 0 finds', [w('near', w3), w('far')], 3, ['near']],
  ['word-1', 'an entry that only word 1 finds', [w('near', none, w3), w('far')], 3, ['near']],
  ['word-2', 'an entry that only word 2 finds', [w('near', none, none, w3), w('far')], 3, ['near']],
  ['word-3', 'an entry that only word 3 finds', [w('near', none, none, none, w3), w('far')], 3, ['near']],
  [
    'total',
    'an entry whose words each differ in four bits is not within 3, however small the sum is',
    [w('spread', w4, w4, w4, w4), w('near', w3)],
    3,
    ['near'],
  ],
  'MIN-11 WideLookup WordOrder',
  [
    'other-word',
    'a word is compared with the same word of the query, not with another',
    [
      { id: 'shifted', fingerprint: [...wordsOfQuery.slice(1), wordsOfQuery[0]].join('') },
      { id: 'swapped', fingerprint: [wordsOfQuery[0], wordsOfQuery[2], wordsOfQuery[1], wordsOfQuery[3]].join('') },
    ],
    3,
    ['swapped'],
  ],
  'MIN-11 WideLookup',
  [
    'order',
    'the answer is ordered by the distance of 256 bits, not by that of a word',
    [w('word', w0), w('whole', w3, w3, w3, w3), w('two', w1, none, w1)],
    3,
    ['whole', 'two', 'word'],
  ],
  'MIN-11 WideLookup Collation',
  [
    'ties',
    'entries at one distance of 256 bits are ordered by their identifiers',
    [w('b', w1, w3), w('a', w3, w1), w('\u00e9', none, w3, w1), w('Z', none, w1, w3), w('10', w1, w3), w('9', w3, w1)],
    3,
    ['10', '9', 'a', 'b', 'Z', '\u00e9'].sort((x, y) => (x < y ? -1 : 1)),
  ],
  'MIN-11 OwnEntry',
  ['equal', 'the entry of the query itself is listed', [w('own', w0, w0, w0, w0)], 0, ['own']],
  'MIN-11 WideLookup Boundary',
  ['k-0', 'distance 0: one equal word is enough', [w('equal', none, w0), w('near', w1, w1, w1, w1)], 0, ['equal']],
  'MIN-11 Boundary',
  [
    'k-3-boundary',
    'a word at distance 4 is not within 3',
    [w('four', none, none, w4), w('three', none, none, w3)],
    3,
    ['three'],
  ],
  'MIN-11 WideLookup Boundary',
  [
    'k-7',
    'distance 7: probes in the tables of every word',
    [w('seven-0', w7), w('seven-3', none, none, none, w7), w('eight', w8, w8, w8, w8), w('three', none, w3)],
    7,
    ['seven-0', 'seven-3', 'three'],
  ],
  'MIN-11 Boundary',
  ['k-64', 'distance 64: every entry', [w('far'), w('near', w3)], 64, ['near', 'far']],
  ['default', 'without k, it is 3', [w('four', w4), w('three', none, w3)], none, ['three']],
  'MIN-11 EqualFingerprints',
  ['once', 'an entry that all words find is listed once', [w('all', w1, w1, w1, w1)], 3, ['all']],
  'MIN-11',
  ['empty', 'an index without entries gives an empty answer', [], 3, []],
];

const wideErrors: Table<[entries: readonly LookupEntry[], query: string | null, k: number, error: ErrorCode]> = [
  'MIN-11 LKP-1 EmptyAsZero',
  [
    'entry-none',
    'an entry without a fingerprint is refused',
    [{ id: 'a', fingerprint: null }],
    wideQuery,
    3,
    'no-fingerprint',
  ],
  ['query-none', 'a query without a fingerprint is refused', [w('a')], null, 3, 'no-fingerprint'],
  ['k-65', 'distance 65 is out of range, though 256 bits can differ by it', [w('a')], wideQuery, 65, 'out-of-range'],
];

export const lookupGroup: Group = {
  group: 'lookup',
  description: 'Step 11: the entries within a distance of a fingerprint, in their order.',
  cases: [
    ...casesOf('lookup', tables, (mask) => ({
      input: { entries: [decoy, { id: 'near', fingerprint: away(mask) }], query, k: 3 },
      hand: { matches: [match('near', mask)] },
    })),
    ...casesOf('lookup', rows, (entries, k, matches) => {
      const expected = matches.map((each) => {
        if (typeof each !== 'string') return each;
        const entry = entries.find(({ id }) => id === each)!;
        return match(each, BigInt(`0x${entry.fingerprint}`) ^ BigInt(`0x${query}`));
      });
      return { input: { entries, query, k }, hand: { completeTo: k, matches: expected } };
    }),
    ...casesOf('lookup', single, (given) => given),
    ...casesOf('lookup', wideRows, (entries, k, ids) => {
      const matches = ids
        .map((id) => wideMatch(id, entries.find((entry) => entry.id === id)!.fingerprint!))
        .sort((x, y) => x.distance - y.distance);
      return {
        input: { entries, query: wideQuery, ...(k !== undefined && { k }), label: WIDE },
        hand: { completeTo: k ?? 3, matches },
      };
    }).map(in256Bits),
    ...casesOf('lookup', wideErrors, (entries, query, k, error) => ({
      input: { entries, query, k, label: WIDE },
      error,
    })).map(in256Bits),
    ...casesOf('lookup', errors, (entries, query, k, error) => ({ input: { entries, query, k }, error })),
  ],
};
