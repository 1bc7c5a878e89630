import { splitmix64 } from '../../../../src/conformance/suite/generate.ts';
import type { GeneratingRule, InputOf } from '../../../../src/conformance/types.ts';
import { type CaseOf, casesOf, type Group, list, type RowOf, rowsOf, type Table } from '../case.ts';
import { bare } from '../oracle.ts';
import { hex16, repeat, utf8Of, utf16Of } from './inputs.ts';

const NARROW = 'minhash-doc';
const WIDE = 'minhash-doc-256';
const BOTH = [NARROW, WIDE] as const;
type Labels = readonly (typeof BOTH)[number][];

const MASK = 2n ** 64n - 1n;
const { increment, factors } = bare.steps.splitMix;

/** The inverse of an odd factor modulo 2^64, by Newton's method. */
function inverseOf(factor: bigint): bigint {
  let inverse = factor;
  for (let i = 0; i < 6; i++) inverse = (inverse * (2n - factor * inverse)) & MASK;
  return inverse;
}

/** Undoes `z xor (z >> shift)`. */
function unshift(value: bigint, shift: bigint): bigint {
  let z = value;
  for (let i = 0; i < 3; i++) z = value ^ (z >> shift);
  return z;
}

/** The hash whose draw in a round of a word is this value: S(·, n) is a bijection (MIN-2). */
function hashOfDraw(value: bigint, word = 0, round = 0): bigint {
  let z = (unshift(value, 31n) * inverseOf(factors[1])) & MASK;
  z = (unshift(z, 27n) * inverseOf(factors[0])) & MASK;
  const hash = (unshift(z, 30n) - BigInt(128 * word + round + 1) * increment) & MASK;
  if (bare.draw(hash, 128 * word + round) !== value) throw new Error(`no hash has the draw ${value}`);
  return hash;
}

/** So many hashes of a seeded series that pass a test. */
function hashes(seed: number, count: number, test: (hash: bigint) => boolean = () => true): bigint[] {
  const { next } = splitmix64(seed);
  const found: bigint[] = [];
  while (found.length < count) {
    const hash = next();
    if (test(hash)) found.push(hash);
  }
  return found;
}

/** The first number from 1 on that passes a test. */
function firstHash(test: (hash: bigint) => boolean): bigint {
  for (let hash = 1n; ; hash++) if (test(hash)) return hash;
}

const binOf = (hash: bigint, n: number): number => Number(bare.draw(hash, n) >> 58n);
const bitOf = (hash: bigint, n: number): bigint => bare.draw(hash, n) & 1n;

/** The round below 64 in which a hash first draws into a bin of word 0; 64 if there is none. */
function firstRound(hash: bigint, bin: number): number {
  for (let round = 0; round < 64; round++) if (binOf(hash, round) === bin) return round;
  return 64;
}

const bins = Array.from({ length: 64 }, (_, bin) => bin);

const drawRows: Table<[hash: bigint, n: number, draw?: bigint]> = [
  'MIN-2 SplitMix',
  ['draw-first', 'output 0 of the seed 1234567', 1234567n, 0, 6457827717110365317n],
  ['draw-second', 'output 1 of the seed 1234567', 1234567n, 1, 3203168211198807973n],
  ['draw-third', 'output 2 of the seed 1234567', 1234567n, 2, 9817491932198370423n],
  ['draw-fifth', 'output 4 of the seed 1234567', 1234567n, 4, 16408922859458223821n],
  ['draw-zero', 'the seed 0', 0n, 0],
  'MIN-2 SplitMix SignedWords',
  ['draw-ones', 'the largest seed', MASK, 0],
  ['draw-highest', 'a seed whose highest bit alone is 1', 1n << 63n, 0],
  'MIN-2 SplitMix',
  ['draw-wraps', 'the sum of seed and constant exceeds 64 bits', MASK - increment + 2n, 0],
  [
    'draw-shared',
    'the seed with the constant added has the next output',
    1234567n + increment,
    0,
    3203168211198807973n,
  ],
  'MIN-2 SplitMix DrawNumber',
  ['draw-round-63', 'the last round that draws into any bin', 1234567n, 63],
  ['draw-round-64', 'the first round of one bin', 1234567n, 64],
  ['draw-round-127', 'the last round of word 0', 1234567n, 127],
  ['draw-word-1', 'the first round of word 1', 1234567n, 128],
  ['draw-word-2', 'the first round of word 2', 1234567n, 256],
  ['draw-last', 'the last round of word 3', 1234567n, 511],
  'MIN-2 SplitMix EmptyBin',
  ['draw-result-zero', 'a draw of 0', hashOfDraw(0n), 0, 0n],
  'MIN-2 SplitMix EmptyBin SignedWords',
  ['draw-result-ones', 'the largest draw', hashOfDraw(MASK), 0, MASK],
  'MIN-2 SplitMix SignedWords',
  ['draw-high', 'a draw whose highest bit is 1 is an unsigned number', hashOfDraw(1n << 63n), 0, 1n << 63n],
];

const drawsOutOfRange: Table<[n: number]> = [
  'MIN-2 DrawNumber',
  ['draw-negative', 'output -1 is out of range', -1],
  ['draw-512', 'output 512 is out of range', 512],
];

/** A fingerprint that elements are made for. */
const WANTED = ['3020ceaa2375a74e', '8000000000000001', 'ffffffffffffffff', '0123456789abcdef'] as const;

/** The elements whose draws in round 0 are the smallest with the wanted bits, one for each bin of a word. */
const crafted = (word: number): bigint[] =>
  bins.map((bin) => hashOfDraw((BigInt(bin) << 58n) | ((BigInt(`0x${WANTED[word]}`) >> BigInt(63 - bin)) & 1n), word));

const five = hashes(5, 5);

/** A single element has no draw in such a bin before round 64. */
const missed = (hash: bigint, bin: number): boolean => firstRound(hash, bin) === 64;

/** Both edges decide: bins 0 and 63 are won in rounds 64 and 127, whose bits differ from those of the rounds beside them. */
const edges = firstHash(
  (hash) =>
    [0, 63].every((bin) => missed(hash, bin)) &&
    bitOf(hash, 64) !== bitOf(hash, 63) &&
    bitOf(hash, 64) !== bitOf(hash, 65) &&
    bitOf(hash, 127) !== bitOf(hash, 126) &&
    bitOf(hash, 127) !== bitOf(hash, 128),
);

/** A bin is won in round 63, with another bit than in the round of its own. */
const lastRound = firstHash((hash) =>
  bins.some((bin) => firstRound(hash, bin) === 63 && bitOf(hash, 63) !== bitOf(hash, 64 + bin)),
);

/** Two hashes that no round below 64 draws into a bin, where the smaller draw as a signed number has another bit. */
const signed = firstHash((hash) =>
  bins.some((bin) => {
    const [x, y] = [bare.draw(hash, 64 + bin), bare.draw(hash + 1n, 64 + bin)];
    return missed(hash, bin) && missed(hash + 1n, bin) && x >> 63n !== y >> 63n && (x & 1n) !== (y & 1n);
  }),
);

/** The first bin that the hash with this draw in it in a late round does not reach before. */
function lateDraw(value: bigint): bigint {
  for (const bin of bins) {
    const hash = hashOfDraw(value, 0, 64 + bin);
    if (missed(hash, bin)) return hash;
  }
  throw new Error('no bin is missed');
}

/** None of these draws into bin 5 of word 0 in round 0. */
const sparse = hashes(600, 600, (hash) => binOf(hash, 0) !== 5);
/** The smallest draw of these in bin 5, in round 1, has the bit 0 or 1; later ones give the other. */
const sparseBit = sparse
  .filter((hash) => binOf(hash, 1) === 5)
  .map((hash) => bare.draw(hash, 1))
  .reduce((x, y) => (x < y ? x : y));
const better = (5n << 58n) | (1n - (sparseBit & 1n));

const same = (hash: bigint, times: number): bigint[] => Array.from({ length: times }, () => hash);
const shuffled = [five[3]!, five[0]!, five[4]!, five[2]!, five[1]!];

const hashRows: Table<[labels: Labels, hashes: readonly bigint[], fingerprint?: string | null]> = [
  'MIN-6 EmptyAsZero',
  ['none', 'no hashes give no fingerprint and no draws', BOTH, [], null],
  'MIN-3 MIN-5 ZeroAsEmpty',
  ['zero', 'a single hash of 0', BOTH, [0n]],
  'MIN-3 MIN-5 SignedWords',
  ['ones', 'a single hash of ones', BOTH, [MASK]],
  'MIN-3 MIN-5 Rounds',
  ['one', 'one hash', BOTH, [1234567n]],
  'MIN-4 Rounds',
  ['two', 'two hashes', BOTH, five.slice(0, 2)],
  'MIN-4 MIN-5 Rounds BitOrder',
  ['five', 'five hashes', BOTH, five],
  'MIN-1 MIN-4 OrderMatters',
  ['five-order', 'the order of hashes makes no difference', BOTH, shuffled],
  'MIN-1 Repeated',
  ['repeated', 'a repeated hash counts once', BOTH, [...same(five[4]!, 40), ...five, ...same(five[0]!, 9)]],
  ['repeated-one', 'one hash, a hundred times', [NARROW], same(1234567n, 100)],
  [
    'low-halves',
    'hashes with one lower half are different',
    [NARROW],
    [1n, 2n, 3n].map((high) => (high << 32n) | 0x12345678n),
  ],
  [
    'high-halves',
    'hashes with one upper half are different',
    [NARROW],
    [1n, 2n, 3n].map((low) => (0x12345678n << 32n) | low),
  ],
  'MIN-4 Rounds',
  ['fifty', 'fifty hashes', BOTH, hashes(50, 50)],
  ['many', '300 hashes', BOTH, hashes(300, 300)],
  ['more', '513 hashes: one more than an implementation may hold back', BOTH, hashes(513, 513)],
  'MIN-3 Rounds',
  ['edges', 'bins 0 and 63 have a draw of their own only, in rounds 64 and 127', [NARROW], [edges]],
  'MIN-3 MIN-4 Rounds',
  ['last-round', 'a bin is won in round 63, the last one that draws into any bin', [NARROW], [lastRound]],
  'MIN-4 SignedWords',
  ['unsigned', 'draws are compared as unsigned numbers', [NARROW], [signed, signed + 1n]],
  'MIN-3 MIN-5 BitOrder',
  [
    'crafted',
    'a hash for each bin that wins in round 0: their bits are those of the fingerprint, bit 0 first',
    [NARROW],
    crafted(0),
    WANTED[0],
  ],
  'MIN-3 MIN-5 MIN-7 BitOrder WordOrder',
  [
    'crafted-words',
    'a hash for each bin of the four words, which are in their order',
    [WIDE],
    [2, 0, 3, 1].flatMap(crafted),
    WANTED.join(''),
  ],
  'MIN-4 EmptyBin',
  ['smallest-zero', 'a draw of 0 wins against one of 1', [NARROW], [hashOfDraw(1n), hashOfDraw(0n)]],
  ['draw-zero', 'a draw of 0 in round 0 is a draw', [NARROW], [hashOfDraw(0n)]],
  'MIN-4 EmptyBin SignedWords',
  [
    'largest',
    'the largest draw of all is a draw, in bin 63',
    [NARROW],
    [hashOfDraw(MASK), firstHash((hash) => firstRound(hash, 63) === 1 && bitOf(hash, 1) === 0n)],
  ],
  'MIN-4 EmptyBin',
  ['largest-late', 'the largest draw of all is a draw, in the round of its bin alone', [NARROW], [lateDraw(MASK)]],
  ['zero-late', 'a draw of 0 in the round of its bin alone', [NARROW], [lateDraw(0n)]],
  'MIN-4 DrawOrder',
  [
    'halves',
    'two draws of one bin differ in their lower halves, the larger one first',
    [NARROW],
    [hashOfDraw(0x0400000000000005n), hashOfDraw(0x0400000000000002n)],
  ],
  'MIN-4 DrawOrder SignedWords',
  [
    'halves-signed',
    'two draws of one bin whose lower halves differ in their highest bit',
    [NARROW],
    [hashOfDraw(0x0400000080000001n), hashOfDraw(0x0400000000000002n)],
  ],
  'MIN-4 DrawOrder',
  [
    'doubles',
    'two draws of one bin are the same number of 53 bits, the larger one first',
    [NARROW],
    [hashOfDraw(0xfc00000000000003n), hashOfDraw(0xfc00000000000002n)],
  ],
  [
    'doubles-back',
    'two draws of one bin are the same number of 53 bits, the smaller one first',
    [NARROW],
    [hashOfDraw(0xfc00000000000002n), hashOfDraw(0xfc00000000000003n)],
  ],
  'MIN-4 Rounds',
  ['shared', 'two hashes share a draw in two rounds: the earlier one counts', BOTH, [1234567n, 1234567n + increment]],
  [
    'earlier',
    'a larger draw in an earlier round wins',
    [NARROW],
    [hashOfDraw((7n << 58n) | 1n, 0, 1), hashOfDraw((8n << 58n) - 2n)],
  ],
  ['sparse', '600 hashes of which none draws into bin 5 in round 0', BOTH, sparse],
  ['sparse-late', 'a hash after 600 others wins bin 5 in round 1', [NARROW], [...sparse, hashOfDraw(better, 0, 1)]],
  [
    'sparse-first',
    'a hash after 600 others wins bin 5 in round 0',
    [NARROW],
    [...sparse, hashOfDraw((6n << 58n) - 1n - (sparseBit & 1n))],
  ],
  'MIN-4 MIN-7 WordOrder',
  [
    'late-word',
    'a hash after 600 others wins a bin of word 3',
    [WIDE],
    [...sparse, hashOfDraw(1n, 3), hashOfDraw((63n << 58n) + 1n, 3)],
  ],
];

const FOX = 'The quick brown fox jumps over the lazy dog.';

const documentRows: Table<[input: string | InputOf<'fingerprint'>, tokens: string | undefined, fingerprint?: string]> =
  [
    'MIN-1 MIN-3 Rounds',
    ['one', 'a text of one token', 'a', 'a', 'GEIVFIXBGPOBK'],
    'MIN-4 SignedWords',
    ['two', 'a text of two tokens', 'hello world', 'hello world', 'DBH7LFUXLLC6E'],
    'MIN-4 Rounds',
    ['fox', 'a sentence', FOX, 'The quick brown fox jumps over the lazy dog', 'EZEFOEQ2U2YJ6'],
    'MIN-1 Repeated',
    ['five', 'five tokens, of which one occurs twice', 'the fox and the dog', 'the fox and the dog'],
    ['repeated', 'a token counts once', 'to be or not to be, to be', 'to be or not to be to be'],
    'MIN-1 OrderMatters',
    ['order', 'the order of tokens makes no difference', 'dog and fox the', 'dog and fox the'],
    'MIN-1 CaseFolded',
    ['case', 'tokens that differ in case are different', 'Fox fox FOX', 'Fox fox FOX'],
    'MIN-6 EmptyAsZero',
    ['none', 'a text without tokens has no fingerprint', '123', ''],
    'MIN-6 EmptyAsZero EmptyInput',
    ['empty', 'an empty text has no fingerprint', '', ''],
    'MIN-1 BIG-3 Pairs',
    [
      'japanese',
      'a Japanese sentence gives pairs',
      '東京タワーへ行く。',
      '東京 京タ タワ ワー ーへ へ行 行く',
      '6LZYUFY5IMGIW',
    ],
    ['thai', 'a Thai sentence gives pairs', { utf8: utf8Of('ลายนิ้วมือสำหรับค้นหาเอกสาร') }, undefined],
    'MIN-1 BIG-4 Pairs',
    [
      'chinese',
      'Chinese, Latin letters, digits and a locator',
      { utf16: utf16Of('使用Unicode12的文档https://example.org/文档与PDF文件3个') },
      '使用 Unicode12 的文 文档 文档 档与 PDF 文件 个',
    ],
    'MIN-1 AsciiOnly',
    [
      'cyrillic',
      'a Russian sentence',
      { utf8: utf8Of('Съешь ещё этих мягких французских булок') },
      'Съешь ещё этих мягких французских булок',
    ],
    'MIN-1 DEC-2 NRM-3 Bom IllFormed',
    [
      'octets',
      'a byte order mark, an ill-formed sequence and a decomposed letter',
      { utf8: `efbbbf${utf8Of('Cafe\u0301 ')}e282${utf8Of(' caf\u00e9')}` },
      'Caf\u00e9 caf\u00e9',
    ],
    'MIN-1 DEC-4 LoneSurrogate',
    ['units', 'a lone surrogate between words', { utf16: utf16Of('one\ud800two \u{1d4d0}') }, 'one two \u{1d4d0}'],
    'MIN-1 LOC-4 LocatorScheme LocatorEmail',
    ['locators', 'locators are stripped', 'see https://example.org/a and a@b.org', 'see and'],
  ];

/** Random words of small letters; a space is one code point in six. */
const randomWords = (seed: number, count: number): GeneratingRule => ({
  ...{ rule: 'code-points', seed, count },
  ranges: [
    [0x61, 0x7a],
    [0x20, 0x20, 5],
  ],
});

type LongRow = [
  labels: Labels,
  rule: GeneratingRule,
  shorter?: GeneratingRule,
  hand?: NonNullable<CaseOf<'fingerprint'>['hand']>,
];

/** The twin, which makes all draws of each word, would take a minute for 100,000 of them. */
const longRows: Table<LongRow> = [
  'MIN-1 MIN-4 Rounds LongInput',
  ['words-300', 'some 300 words', BOTH, randomWords(1, 1900)],
  ['words-3000', 'some 3,000 words', BOTH, randomWords(2, 19_000)],
  ['words-10000', 'some 10,000 words', [NARROW], randomWords(3, 62_000)],
  [
    'same-100000',
    'one token 100,000 times',
    BOTH,
    repeat('same ', 100_000),
    repeat('same ', 100),
    { tokenCount: 100_000 },
  ],
  [
    'pairs-50000',
    'pairs of one character, 49,999 times',
    [NARROW],
    repeat('\u3042', 50_000),
    repeat('\u3042', 100),
    { tokenCount: 49_999 },
  ],
];

const truncated: Table<[wide: string, narrow: string]> = [
  'MIN-8 Truncation',
  [
    'truncate-fox',
    'the first eight octets are the fingerprint of minhash-doc for the same text',
    bare.explain(FOX, WIDE).hex!,
    bare.explain(FOX, NARROW).hex!,
  ],
  ['truncate-words', 'word 0 is the first', WANTED.join(''), WANTED[0]],
  ['truncate-zero', '64 zeros in front are a fingerprint', '0'.repeat(16) + WANTED.slice(1).join(''), '0'.repeat(16)],
  ['truncate-high', 'the first octet is 80', `8${'0'.repeat(63)}`, `8${'0'.repeat(15)}`],
  ['truncate-low', 'the last octet is 1: it is cut off', `${'0'.repeat(63)}1`, '0'.repeat(16)],
];

const noneTruncated: Table<[fingerprint: null]> = [
  'MIN-8 SIM-1 EmptyAsZero',
  ['truncate-none', 'a document without a fingerprint is not truncated', null],
];

/** A row under each of some labels; 256 bits are named after 64 bits. */
function underLabels({ name, title, rules, flags }: Omit<RowOf<[]>, 'values'>, labels: Labels) {
  return labels.map((label) => {
    const isSecond = labels.length > 1 && label === WIDE;
    return {
      ...{ label, flags, name: isSecond ? `${name}-256` : name, title: isSecond ? `${title}: 256 bits` : title },
      rules: label === WIDE ? [...new Set([...rules, 'MIN-7'])] : rules,
    };
  });
}

const byHashes = rowsOf(hashRows).flatMap(({ values: [labels, hashes, fingerprint], ...row }) =>
  underLabels(row, labels).map(
    ({ label, ...each }): CaseOf<'minhash'> => ({
      ...{ ...each, name: `hashes-${each.name}`, operation: 'minhash' },
      input: { hashes: hashes.map(hex16), label },
      ...(fingerprint !== undefined && { hand: { fingerprint } }),
    }),
  ),
);

const byText = rowsOf(documentRows).flatMap(({ values: [input, tokens, fingerprint], ...row }) =>
  underLabels(row, BOTH).map(
    ({ label, ...each }): CaseOf<'fingerprint'> => ({
      ...{ ...each, name: `text-${each.name}`, operation: 'fingerprint' },
      input: { ...(typeof input === 'string' ? { text: input } : input), label },
      ...(tokens !== undefined && {
        hand: {
          ...{ tokens: list(tokens), tokenCount: list(tokens).length },
          ...(label === NARROW && fingerprint !== undefined && { fingerprint }),
        },
      }),
    }),
  ),
);

const byLongText = rowsOf(longRows).flatMap(({ values: [labels, generate, shorter, hand], ...row }) =>
  underLabels(row, labels).map(
    ({ label, ...each }): CaseOf<'fingerprint'> => ({
      ...{ ...each, name: `text-${each.name}`, operation: 'fingerprint', rules: row.rules },
      input: { generate, label },
      ...(hand !== undefined && { hand }),
      ...(shorter !== undefined && { shorter: { generate: shorter, label } }),
    }),
  ),
);

export const minhashGroup: Group = {
  group: 'minhash',
  description: 'minhash-doc: the draws of SplitMix64, the winners of bins, whole texts, truncation.',
  cases: [
    ...casesOf('draw', drawRows, (hash, n, draw?) => ({
      input: { hash: hex16(hash), n },
      ...(draw !== undefined && { hand: { draw: hex16(draw) } }),
    })),
    ...casesOf('draw', drawsOutOfRange, (n) => ({ input: { hash: hex16(1234567n), n }, error: 'out-of-range' })),
    ...byHashes,
    ...byText,
    ...byLongText,
    ...casesOf('truncate', truncated, (fingerprint, narrow) => ({
      input: { fingerprint },
      hand: { fingerprint: narrow },
    })),
    ...casesOf('truncate', noneTruncated, (fingerprint) => ({ input: { fingerprint }, error: 'no-fingerprint' })),
  ],
};
