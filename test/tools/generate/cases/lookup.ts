import { splitmix64 } from '../../../../src/conformance/suite/generate.ts';
import type { Entry, Match } from '../../../../src/conformance/types.ts';
import { type Case, type CaseOf, type Group, list } from '../case.ts';
import { bare } from '../oracle.ts';

const query = '3020ceaa2375a74e';
const hex = (value: bigint): string => value.toString(16).padStart(16, '0');
const away = (mask: bigint): string => hex(BigInt(`0x${query}`) ^ mask);

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

const byTable = tableMasks.map((mask, table): Case => {
  return {
    ...{ name: `table-${table}`, operation: 'lookup', title: `an entry at distance 3 that only table ${table} finds` },
    ...{ rules: ['LKP-6', 'TAB-2', 'TAB-3'], flags: ['MissingTable', 'BlockOrder', 'SubBlockOrder'] },
    input: { entries: [decoy, { id: 'near', fingerprint: away(mask) }], query, k: 3 },
    hand: { matches: [match('near', mask)] },
  };
});

type Row = readonly [
  name: string,
  title: string,
  rules: string,
  flags: string,
  entries: readonly Entry[],
  k: number,
  matches: readonly Match[] | readonly string[],
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
const d = (distance: keyof typeof masks, id: string = distance): Entry => ({ id, fingerprint: away(masks[distance]) });
const found = (distance: keyof typeof masks, id: string = distance): Match => match(id, masks[distance]);

const blockFlip = findMask(4, onlyWith(1, 0));
const subFlip = findMask(4, onlyWith(0, 1));
const bothFlips = findMask(7, onlyWith(1, 1));
const fiveFlips = findMask(5, onlyWith(1, 1));
const twoBlockFlips = findMask(8, onlyWith(2, 0));
const subFlips = findMask(8, onlyWith(0, 2));

const same = (...ids: readonly string[]): Entry[] => ids.map((id) => ({ id, fingerprint: query }));

const all = [d('d8'), d('d7'), d('d6'), d('d4'), d('d3'), d('d2'), d('d1'), d('d0')];

const rows: readonly Row[] = [
  ['empty', 'an index without entries gives an empty answer', 'LKP-2', '', [], 3, []],
  ['own', "the query's own entry is in the answer", 'LKP-2', 'OwnEntry', [d('d0')], 3, [found('d0')]],
  ['nothing', 'no entry is near: the answer is empty', 'LKP-2', 'Unchecked', [decoy, d('d8')], 3, []],
  [
    'equal',
    'documents with equal fingerprints are each listed',
    'LKP-2 LKP-3',
    'EqualFingerprints',
    same('c', 'a', 'b'),
    3,
    ['a', 'b', 'c'],
  ],
  [
    'equal-k-0',
    'documents with equal fingerprints are each listed for distance 0',
    'LKP-2 LKP-3',
    'EqualFingerprints OwnEntry',
    same('b', 'a'),
    0,
    ['a', 'b'],
  ],
  ['once', 'an entry that several tables find is listed once', 'LKP-2', 'ListedTwice', [d('d1')], 3, [found('d1')]],
  [
    'decoy',
    'an entry that shares a key but is far away is not in the answer',
    'LKP-2',
    'Unchecked',
    [decoy, d('d2')],
    3,
    [found('d2')],
  ],
  [
    'decoy-k-7',
    'an entry that shares probed keys but is far away is not in the answer',
    'LKP-2',
    'Unchecked',
    [decoy, d('d8')],
    7,
    [],
  ],

  ['k-0', 'distance 0 includes 0 and not 1', 'LKP-2 LKP-4', 'Boundary', all, 0, [found('d0')]],
  ['k-1', 'distance 1 includes 1 and not 2', 'LKP-2 LKP-4', 'Boundary', all, 1, [found('d0'), found('d1')]],
  [
    'k-2',
    'distance 2 includes 2 and not 3',
    'LKP-2 LKP-4',
    'Boundary',
    all,
    2,
    [found('d0'), found('d1'), found('d2')],
  ],
  [
    'k-3',
    'distance 3 includes 3 and not 4',
    'LKP-6 LKP-2 LKP-4',
    'Boundary',
    all,
    3,
    [found('d0'), found('d1'), found('d2'), found('d3')],
  ],
  [
    'k-4',
    'distance 4 includes 4 and not 6',
    'LKP-5 LKP-2 LKP-4',
    'Boundary ProbeSet',
    all,
    4,
    ['d0', 'd1', 'd2', 'd3', 'd4'],
  ],
  [
    'k-6',
    'distance 6, the loose threshold, includes 6 and not 7',
    'LKP-5 LKP-2 LKP-4',
    'Boundary ProbeSet',
    all,
    6,
    ['d0', 'd1', 'd2', 'd3', 'd4', 'd6'],
  ],
  [
    'k-7',
    'distance 7 includes 7 and not 8',
    'LKP-5 LKP-2 LKP-4',
    'Boundary ProbeSet',
    all,
    7,
    ['d0', 'd1', 'd2', 'd3', 'd4', 'd6', 'd7'],
  ],
  [
    'k-8',
    'distance 8 includes 8',
    'LKP-5 LKP-2 LKP-4',
    'Boundary ProbeSet',
    all,
    8,
    ['d0', 'd1', 'd2', 'd3', 'd4', 'd6', 'd7', 'd8'],
  ],
  [
    'k-64',
    'distance 64 includes every entry',
    'LKP-2 LKP-4',
    'Boundary',
    [decoy, { id: 'far', fingerprint: away(0xffffffffffffffffn) }, d('d8')],
    64,
    ['d8', 'decoy', 'far'],
  ],
  ['k-35', 'distance 35 does not include 36', 'LKP-2 LKP-4', 'Boundary', [decoy, d('d0')], 35, ['d0']],
  ['k-36', 'distance 36 includes 36', 'LKP-2 LKP-4', 'Boundary', [decoy, d('d0')], 36, ['d0', 'decoy']],

  [
    'probe-block',
    'distance 4: an entry is found with one bit flipped in the block',
    'LKP-5',
    'ProbeSet',
    [decoy, { id: 'near', fingerprint: away(blockFlip) }],
    4,
    [match('near', blockFlip)],
  ],
  [
    'probe-sub',
    'distance 4: an entry is found with one bit flipped in the sub-block',
    'LKP-5',
    'ProbeSet',
    [decoy, { id: 'near', fingerprint: away(subFlip) }],
    4,
    [match('near', subFlip)],
  ],
  [
    'probe-both-5',
    'distance 5: an entry is found with one bit flipped in each part of the key',
    'LKP-5',
    'ProbeSet',
    [{ id: 'near', fingerprint: away(fiveFlips) }],
    5,
    [match('near', fiveFlips)],
  ],
  [
    'probe-both-7',
    'distance 7: an entry is found with one bit flipped in each part of the key',
    'LKP-5',
    'ProbeSet',
    [{ id: 'near', fingerprint: away(bothFlips) }],
    7,
    [match('near', bothFlips)],
  ],
  [
    'probe-two-block',
    'distance 8: an entry is found with two bits flipped in the block',
    'LKP-5',
    'ProbeSet',
    [{ id: 'near', fingerprint: away(twoBlockFlips) }],
    8,
    [match('near', twoBlockFlips)],
  ],
  [
    'probe-two-sub',
    'distance 8: an entry is found with two bits flipped in the sub-block',
    'LKP-5',
    'ProbeSet',
    [{ id: 'near', fingerprint: away(subFlips) }],
    8,
    [match('near', subFlips)],
  ],

  [
    'order-distance',
    'matches are ordered by distance first, whatever their identifiers',
    'LKP-3',
    'IdOrder',
    [d('d3', 'a'), d('d2', 'b'), d('d1', 'c'), d('d0', 'd')],
    3,
    ['d', 'c', 'b', 'a'],
  ],
  [
    'order-id',
    'matches at one distance are ordered by identifier',
    'LKP-3',
    'IdOrder',
    [d('d1', 'b'), d('d0', 'z'), d('d1', 'a')],
    3,
    ['z', 'a', 'b'],
  ],
  [
    'order-fingerprint',
    'matches are not ordered by fingerprint',
    'LKP-3',
    'IdOrder',
    [
      { id: 'b', fingerprint: away(1n) },
      { id: 'a', fingerprint: away(0x8000000000000000n) },
    ],
    3,
    ['a', 'b'],
  ],
  [
    'order-case',
    'digits come before upper-case letters, and these before lower-case letters',
    'LKP-3',
    'IdOrder Collation',
    same('a', 'B', 'b', 'A', '1', '_'),
    3,
    ['1', 'A', 'B', '_', 'a', 'b'],
  ],
  [
    'order-numbers',
    'digits are compared one by one, not as numbers',
    'LKP-3',
    'IdOrder Collation',
    same('9', '10', '1', '2'),
    3,
    ['1', '10', '2', '9'],
  ],
  [
    'order-prefix',
    'an identifier comes after its prefix',
    'LKP-3',
    'IdOrder Collation',
    same('ab', 'a', 'a.b', 'abc'),
    3,
    ['a', 'a.b', 'ab', 'abc'],
  ],
  [
    'order-accents',
    'letters with accents come after all of ASCII',
    'LKP-3',
    'IdOrder Collation',
    same('\u00e9', 'z', 'e', 'f'),
    3,
    ['e', 'f', 'z', '\u00e9'],
  ],
  [
    'order-utf-16',
    'U+FF5E comes before U+1F600: the order is not that of 16-bit units',
    'LKP-3',
    'IdOrder Utf16Units',
    same('\u{1f600}', '\uff5e', '\ufffd'),
    3,
    ['\uff5e', '\ufffd', '\u{1f600}'],
  ],
  [
    'order-utf-16-later',
    'after equal beginnings, the order is not that of 16-bit units',
    'LKP-3',
    'IdOrder Utf16Units',
    same('a\u{10000}', 'a\ue000', 'a\u{10000}b', 'a'),
    3,
    ['a', 'a\ue000', 'a\u{10000}', 'a\u{10000}b'],
  ],
  [
    'order-signed',
    'octets are compared as unsigned values',
    'LKP-3',
    'IdOrder SignedOctets',
    same('\u00e9', '\u4e2d', '~'),
    3,
    ['~', '\u00e9', '\u4e2d'],
  ],
  [
    'ids-not-normalised',
    'identifiers are not normalised: composed and decomposed forms are two',
    'LKP-3',
    'IdOrder',
    same('\u00e9', 'e\u0301'),
    3,
    ['e\u0301', '\u00e9'],
  ],
  [
    'ids-not-folded',
    'case and white space of identifiers are kept',
    'LKP-3',
    'IdOrder Collation',
    same('a', 'A', ' a'),
    3,
    [' a', 'A', 'a'],
  ],
];

const highest: Case = {
  ...{ name: 'highest-bit', operation: 'lookup', title: 'entries with and without the highest bit are told apart' },
  ...{ rules: ['LKP-2', 'SIM-3'], flags: ['SignedWords'] },
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
};

const zero: Case = {
  ...{ name: 'zero', operation: 'lookup', title: '64 zeros are an entry and a query like any other' },
  ...{ rules: ['SIM-5', 'LKP-2'], flags: ['ZeroAsEmpty'] },
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
};

/** Without a distance: three are within it, one is just beyond. */
const byDefault: Case = {
  ...{ name: 'k-absent', operation: 'lookup', title: 'without a distance, a lookup is within 3' },
  ...{ rules: ['CMP-7', 'LKP-2'], flags: ['Boundary', 'Threshold'] },
  input: { entries: [d('d4'), d('d3'), d('d0')], query },
  hand: { completeTo: 3, matches: [found('d0'), found('d3')] },
};

/** Rows of one key whose permuted fingerprints, and keys on both sides of the highest bit, a signed order would part. */
const unsignedRows: Case = (() => {
  const asked = '7fffffffffffffff';
  const beyond = (mask: bigint): string => hex(BigInt(`0x${asked}`) ^ mask);
  const masks = {
    a: 0x8000000000000000n,
    b: 0n,
    c: 0x0000800000000000n,
    d: 0x8000800080008000n,
    e: 0x8000000080008000n,
  };
  const entries = Object.entries(masks).map(([id, mask]) => ({ id, fingerprint: beyond(mask) }));
  const found = (id: keyof typeof masks, distance: number): Match => ({ id, fingerprint: beyond(masks[id]), distance });
  return {
    ...{ name: 'unsigned-rows', operation: 'lookup', title: 'permuted fingerprints are sorted as unsigned numbers' },
    ...{ rules: ['TAB-5', 'LKP-2'], flags: ['SignedWords'], input: { entries, query: asked, k: 3 } },
    hand: { matches: [found('b', 0), found('a', 1), found('c', 1), found('e', 3)] },
  };
})();

/** Entries that a seeded series flips 0 to 9 bits of. */
const crowd: Case = (() => {
  const { below } = splitmix64(2026);
  const entries = Array.from({ length: 60 }, (_, i): Entry => {
    let mask = 0n;
    for (let flips = below(10); flips > 0; flips--) mask |= 1n << BigInt(below(64));
    return { id: `document ${i}`, fingerprint: away(mask) };
  });
  return {
    ...{ name: 'crowd', operation: 'lookup', title: 'sixty entries at distances 0 to 9 are found and ordered' },
    ...{
      rules: ['LKP-5', 'LKP-2', 'LKP-3'],
      flags: ['ProbeSet', 'Boundary', 'Collation'],
      input: { entries, query, k: 7 },
    },
  };
})();

/** More entries than all probes for distance 4, which are 464: an index that scans few entries has to probe here. */
const manyEntries: Case = (() => {
  const { below, next } = splitmix64(464);
  const entries = Array.from({ length: 600 }, (_, i): Entry => {
    if (i % 6 > 0) return { id: `${i}`, fingerprint: hex(next()) };
    let mask = 0n;
    for (let flips = below(7); flips > 0; flips--) mask |= 1n << BigInt(below(64));
    return { id: `${i}`, fingerprint: away(mask) };
  });
  return {
    ...{ name: 'many-entries', operation: 'lookup', title: 'of 600 entries, those within distance 4 are found' },
    ...{ rules: ['LKP-5', 'LKP-2', 'LKP-3'], flags: ['ProbeSet', 'Boundary'], input: { entries, query, k: 4 } },
  };
})();

/** More entries than tables: an index that scans few entries has to read its tables here, all of them. */
const everyTable: Case = {
  ...{ name: 'every-table', operation: 'lookup', rules: ['LKP-6', 'TAB-2', 'TAB-3'] },
  title: 'of 64 entries, 16 are at distance 3, each found by another table alone',
  flags: ['MissingTable', 'BlockOrder', 'SubBlockOrder'],
  input: {
    entries: [
      ...tableMasks.map((mask, table) => ({ id: `table ${table}`, fingerprint: away(mask) })),
      ...Array.from({ length: 48 }, (_, i) => ({
        id: `far ${i}`,
        fingerprint: away(0xffffffffffffffffn ^ (1n << BigInt(i))),
      })),
    ],
    query,
    k: 3,
  },
  hand: {
    matches: tableMasks.map((mask, table) => match(`table ${table}`, mask)).sort((a, b) => (a.id < b.id ? -1 : 1)),
  },
};

type ErrorRow = readonly [
  name: string,
  title: string,
  rules: string,
  input: CaseOf<'lookup'>['input'],
  error: NonNullable<Case['error']>,
];

const errors: readonly ErrorRow[] = [
  [
    'entry-none',
    'a document without a fingerprint is entered in no table',
    'LKP-1 SIM-1',
    { entries: [d('d0'), { id: 'empty', fingerprint: null }], query, k: 3 },
    'no-fingerprint',
  ],
  [
    'query-none',
    'a document without a fingerprint is not looked up',
    'LKP-1 SIM-1',
    { entries: [d('d0')], query: null, k: 3 },
    'no-fingerprint',
  ],
  [
    'entry-empty-none',
    'the identifier of an entry is checked before its fingerprint',
    'LKP-1',
    { entries: [d('d0'), { id: '', fingerprint: null }], query, k: 3 },
    'out-of-range',
  ],
  [
    'entry-none-then-empty',
    'each entry is checked completely before the next one',
    'LKP-1',
    {
      entries: [
        { id: 'none', fingerprint: null },
        { ...d('d0'), id: '' },
      ],
      query,
      k: 3,
    },
    'no-fingerprint',
  ],
  [
    'entry-empty-query-none',
    'the entries are checked before the query',
    'LKP-1',
    { entries: [{ ...d('d0'), id: '' }], query: null, k: 3 },
    'out-of-range',
  ],
  [
    'entry-none-k-65',
    'the entries are checked before the distance',
    'LKP-1 LKP-4',
    { entries: [{ id: 'none', fingerprint: null }], query, k: 65 },
    'no-fingerprint',
  ],
  [
    'query-none-k-65',
    'the fingerprint is checked before the distance',
    'LKP-1 LKP-4',
    { entries: [d('d0')], query: null, k: 65 },
    'no-fingerprint',
  ],
  ['k-negative', 'distance -1 is out of range', 'LKP-4', { entries: [d('d0')], query, k: -1 }, 'out-of-range'],
  ['k-65', 'distance 65 is out of range', 'LKP-4', { entries: [d('d0')], query, k: 65 }, 'out-of-range'],
];

const WIDE = 'minhash-doc-256';

/** Words that lie far apart from each other. */
const wordsOfQuery = ['3020ceaa2375a74e', 'cfdf31555c8a58b1', '0123456789abcdef', 'f0e1d2c3b4a59687'] as const;
const wideQuery = wordsOfQuery.join('');

/** 256 bits that differ from the query by these masks in words 0 to 3; the other words are inverted in 30 bits. */
const FAR = 0x3fffffff00000000n;
const wideAway = (...byWord: readonly (bigint | undefined)[]): string =>
  wordsOfQuery.map((word, w) => hex(BigInt(`0x${word}`) ^ (byWord[w] ?? FAR))).join('');
const wideMatch = (id: string, fingerprint: string): Match => ({
  ...{ id, fingerprint },
  distance: (BigInt(`0x${fingerprint}`) ^ BigInt(`0x${wideQuery}`)).toString(2).replaceAll('0', '').length,
});
const w = (id: string, ...byWord: readonly (bigint | undefined)[]): Entry => ({
  id,
  fingerprint: wideAway(...byWord),
});
const [w0, w1, w3, w4, w7, w8] = [0n, 0x1n, 0x8000000100000001n, 0x8000800080008000n, masks.d7, masks.d8] as const;
const none = undefined;

type WideRow = readonly [
  name: string,
  title: string,
  flags: string,
  entries: readonly Entry[],
  k: number | undefined,
  matches: readonly string[],
];

const wideRows: readonly WideRow[] = [
  ['word-0', 'an entry that only word 0 finds', 'WideLookup', [w('near', w3), w('far')], 3, ['near']],
  ['word-1', 'an entry that only word 1 finds', 'WideLookup', [w('near', none, w3), w('far')], 3, ['near']],
  ['word-2', 'an entry that only word 2 finds', 'WideLookup', [w('near', none, none, w3), w('far')], 3, ['near']],
  ['word-3', 'an entry that only word 3 finds', 'WideLookup', [w('near', none, none, none, w3), w('far')], 3, ['near']],
  [
    'total',
    'an entry whose words each differ in four bits is not within 3, however small the sum is',
    'WideLookup',
    [w('spread', w4, w4, w4, w4), w('near', w3)],
    3,
    ['near'],
  ],
  [
    'other-word',
    'a word is compared with the same word of the query, not with another',
    'WideLookup WordOrder',
    [
      { id: 'shifted', fingerprint: [...wordsOfQuery.slice(1), wordsOfQuery[0]].join('') },
      { id: 'swapped', fingerprint: [wordsOfQuery[0], wordsOfQuery[2], wordsOfQuery[1], wordsOfQuery[3]].join('') },
    ],
    3,
    ['swapped'],
  ],
  [
    'order',
    'the answer is ordered by the distance of 256 bits, not by that of a word',
    'WideLookup',
    [w('word', w0), w('whole', w3, w3, w3, w3), w('two', w1, none, w1)],
    3,
    ['whole', 'two', 'word'],
  ],
  [
    'ties',
    'entries at one distance of 256 bits are ordered by their identifiers',
    'WideLookup Collation',
    [w('b', w1, w3), w('a', w3, w1), w('\u00e9', none, w3, w1), w('Z', none, w1, w3), w('10', w1, w3), w('9', w3, w1)],
    3,
    ['10', '9', 'a', 'b', 'Z', '\u00e9'].sort((x, y) => (x < y ? -1 : 1)),
  ],
  ['equal', 'the entry of the query itself is listed', 'OwnEntry', [w('own', w0, w0, w0, w0)], 0, ['own']],
  [
    'k-0',
    'distance 0: one equal word is enough',
    'WideLookup Boundary',
    [w('equal', none, w0), w('near', w1, w1, w1, w1)],
    0,
    ['equal'],
  ],
  [
    'k-3-boundary',
    'a word at distance 4 is not within 3',
    'Boundary',
    [w('four', none, none, w4), w('three', none, none, w3)],
    3,
    ['three'],
  ],
  [
    'k-7',
    'distance 7: probes in the tables of every word',
    'WideLookup Boundary',
    [w('seven-0', w7), w('seven-3', none, none, none, w7), w('eight', w8, w8, w8, w8), w('three', none, w3)],
    7,
    ['seven-0', 'seven-3', 'three'],
  ],
  ['k-64', 'distance 64: every entry', 'Boundary', [w('far'), w('near', w3)], 64, ['near', 'far']],
  ['default', 'without k, it is 3', 'Boundary', [w('four', w4), w('three', none, w3)], none, ['three']],
  ['once', 'an entry that all words find is listed once', 'EqualFingerprints', [w('all', w1, w1, w1, w1)], 3, ['all']],
  ['empty', 'an index without entries gives an empty answer', '', [], 3, []],
];

const wide: readonly Case[] = wideRows.map(([name, title, flags, entries, k, ids]): Case => {
  const matches = ids
    .map((id) => wideMatch(id, entries.find((entry) => entry.id === id)!.fingerprint!))
    .sort((x, y) => x.distance - y.distance);
  return {
    ...{
      name: `wide-${name}`,
      operation: 'lookup',
      title: `${title}: 256 bits`,
      rules: ['MIN-11'],
      flags: list(flags),
    },
    input: { entries, query: wideQuery, ...(k !== undefined && { k }), label: WIDE },
    hand: { completeTo: k ?? 3, matches },
  };
});

const wideErrors: readonly Case[] = (
  [
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
  ] as const
).map(
  ([name, title, entries, query, k, error]): Case => ({
    ...{ name: `wide-${name}`, operation: 'lookup', title: `${title}: 256 bits`, rules: ['MIN-11', 'LKP-1'] },
    ...{ flags: ['EmptyAsZero', 'InvalidInput'], input: { entries, query, k, label: WIDE }, error },
  }),
);

/** A lookup with the label minhash-doc is that of 64 bits. */
const narrow: Case = {
  ...{ name: 'minhash', operation: 'lookup', title: 'entries of minhash-doc are found as those of simhash-doc are' },
  ...{ rules: ['LKP-2'], flags: [], input: { entries: all, query, k: 3, label: 'minhash-doc' } },
  hand: { completeTo: 3, matches: [found('d0'), found('d1'), found('d2'), found('d3')] },
};

export const lookupGroup: Group = {
  group: 'lookup',
  description: 'Step 11: the entries within a distance of a fingerprint, in their order.',
  cases: [
    ...byTable,
    ...rows.map(([name, title, rules, flags, entries, k, matches]): Case => {
      const expected = matches.map((each) => {
        if (typeof each !== 'string') return each;
        const entry = entries.find(({ id }) => id === each)!;
        return match(each, BigInt(`0x${entry.fingerprint}`) ^ BigInt(`0x${query}`));
      });
      return {
        ...{ name, operation: 'lookup', title, rules: list(rules), flags: list(flags), input: { entries, query, k } },
        hand: { completeTo: k, matches: expected },
      };
    }),
    highest,
    zero,
    byDefault,
    unsignedRows,
    crowd,
    manyEntries,
    everyTable,
    narrow,
    ...wide,
    ...wideErrors,
    ...errors.map(
      ([name, title, rules, input, error]): Case => ({
        ...{
          name,
          operation: 'lookup',
          title,
          rules: list(rules),
          flags: ['EmptyAsZero', 'InvalidInput'],
          input,
          error,
        },
      }),
    ),
  ],
};
