import { splitmix64 } from '../../../../src/conformance/suite/generate.ts';
import type { GeneratingRule, Hex16, InputOf } from '../../../../src/conformance/types.ts';
import { type Case, type CaseOf, type Group, list } from '../case.ts';
import { bare } from '../oracle.ts';

const NARROW = 'minhash-doc';
const WIDE = 'minhash-doc-256';
const BOTH = [NARROW, WIDE] as const;

const MASK = 2n ** 64n - 1n;
const { increment, factors } = bare.steps.splitMix;
const hex = (value: bigint): Hex16 => value.toString(16).padStart(16, '0');

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

type DrawRow = readonly [name: string, title: string, flags: string, hash: bigint, n: number, draw?: bigint];

const drawRows: readonly DrawRow[] = [
  ['first', 'output 0 of the seed 1234567', '', 1234567n, 0, 6457827717110365317n],
  ['second', 'output 1 of the seed 1234567', '', 1234567n, 1, 3203168211198807973n],
  ['third', 'output 2 of the seed 1234567', '', 1234567n, 2, 9817491932198370423n],
  ['fifth', 'output 4 of the seed 1234567', '', 1234567n, 4, 16408922859458223821n],
  ['zero', 'the seed 0', '', 0n, 0],
  ['ones', 'the largest seed', 'SignedWords', MASK, 0],
  ['highest', 'a seed whose highest bit alone is 1', 'SignedWords', 1n << 63n, 0],
  ['wraps', 'the sum of seed and constant exceeds 64 bits', '', MASK - increment + 2n, 0],
  ['shared', 'the seed with the constant added has the next output', '', 1234567n + increment, 0, 3203168211198807973n],
  ['round-63', 'the last round that draws into any bin', 'DrawNumber', 1234567n, 63],
  ['round-64', 'the first round of one bin', 'DrawNumber', 1234567n, 64],
  ['round-127', 'the last round of word 0', 'DrawNumber', 1234567n, 127],
  ['word-1', 'the first round of word 1', 'DrawNumber', 1234567n, 128],
  ['word-2', 'the first round of word 2', 'DrawNumber', 1234567n, 256],
  ['last', 'the last round of word 3', 'DrawNumber', 1234567n, 511],
  ['result-zero', 'a draw of 0', 'EmptyBin', hashOfDraw(0n), 0, 0n],
  ['result-ones', 'the largest draw', 'EmptyBin SignedWords', hashOfDraw(MASK), 0, MASK],
  ['high', 'a draw whose highest bit is 1 is an unsigned number', 'SignedWords', hashOfDraw(1n << 63n), 0, 1n << 63n],
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

type HashRow = readonly [
  name: string,
  title: string,
  rules: string,
  flags: string,
  labels: readonly string[],
  hashes: readonly bigint[],
  fingerprint?: string | null,
];

const same = (hash: bigint, times: number): bigint[] => Array.from({ length: times }, () => hash);
const shuffled = [five[3]!, five[0]!, five[4]!, five[2]!, five[1]!];

const hashRows: readonly HashRow[] = [
  ['none', 'no hashes give no fingerprint and no draws', 'MIN-6', 'EmptyAsZero', BOTH, [], null],
  ['zero', 'a single hash of 0', 'MIN-3 MIN-5', 'ZeroAsEmpty', BOTH, [0n]],
  ['ones', 'a single hash of ones', 'MIN-3 MIN-5', 'SignedWords', BOTH, [MASK]],
  ['one', 'one hash', 'MIN-3 MIN-5', 'Rounds', BOTH, [1234567n]],
  ['two', 'two hashes', 'MIN-4', 'Rounds', BOTH, five.slice(0, 2)],
  ['five', 'five hashes', 'MIN-4 MIN-5', 'Rounds BitOrder', BOTH, five],
  ['five-order', 'the order of hashes makes no difference', 'MIN-1 MIN-4', 'OrderMatters', BOTH, shuffled],
  [
    'repeated',
    'a repeated hash counts once',
    'MIN-1',
    'Repeated',
    BOTH,
    [...same(five[4]!, 40), ...five, ...same(five[0]!, 9)],
  ],
  ['repeated-one', 'one hash, a hundred times', 'MIN-1', 'Repeated', [NARROW], same(1234567n, 100)],
  [
    'low-halves',
    'hashes with one lower half are different',
    'MIN-1',
    'Repeated',
    [NARROW],
    [1n, 2n, 3n].map((high) => (high << 32n) | 0x12345678n),
  ],
  [
    'high-halves',
    'hashes with one upper half are different',
    'MIN-1',
    'Repeated',
    [NARROW],
    [1n, 2n, 3n].map((low) => (0x12345678n << 32n) | low),
  ],
  ['fifty', 'fifty hashes', 'MIN-4', 'Rounds', BOTH, hashes(50, 50)],
  ['many', '300 hashes', 'MIN-4', 'Rounds', BOTH, hashes(300, 300)],
  ['more', '513 hashes: one more than an implementation may hold back', 'MIN-4', 'Rounds', BOTH, hashes(513, 513)],
  ['edges', 'bins 0 and 63 have a draw of their own only, in rounds 64 and 127', 'MIN-3', 'Rounds', [NARROW], [edges]],
  [
    'last-round',
    'a bin is won in round 63, the last one that draws into any bin',
    'MIN-3 MIN-4',
    'Rounds',
    [NARROW],
    [lastRound],
  ],
  ['unsigned', 'draws are compared as unsigned numbers', 'MIN-4', 'SignedWords', [NARROW], [signed, signed + 1n]],
  [
    'crafted',
    'a hash for each bin that wins in round 0: their bits are those of the fingerprint, bit 0 first',
    'MIN-3 MIN-5',
    'BitOrder',
    [NARROW],
    crafted(0),
    WANTED[0],
  ],
  [
    'crafted-words',
    'a hash for each bin of the four words, which are in their order',
    'MIN-3 MIN-5 MIN-7',
    'BitOrder WordOrder',
    [WIDE],
    [2, 0, 3, 1].flatMap(crafted),
    WANTED.join(''),
  ],
  [
    'smallest-zero',
    'a draw of 0 wins against one of 1',
    'MIN-4',
    'EmptyBin',
    [NARROW],
    [hashOfDraw(1n), hashOfDraw(0n)],
  ],
  ['draw-zero', 'a draw of 0 in round 0 is a draw', 'MIN-4', 'EmptyBin', [NARROW], [hashOfDraw(0n)]],
  [
    'largest',
    'the largest draw of all is a draw, in bin 63',
    'MIN-4',
    'EmptyBin SignedWords',
    [NARROW],
    [hashOfDraw(MASK), firstHash((hash) => firstRound(hash, 63) === 1 && bitOf(hash, 1) === 0n)],
  ],
  [
    'largest-late',
    'the largest draw of all is a draw, in the round of its bin alone',
    'MIN-4',
    'EmptyBin',
    [NARROW],
    [lateDraw(MASK)],
  ],
  ['zero-late', 'a draw of 0 in the round of its bin alone', 'MIN-4', 'EmptyBin', [NARROW], [lateDraw(0n)]],
  [
    'halves',
    'two draws of one bin differ in their lower halves, the larger one first',
    'MIN-4',
    'DrawOrder',
    [NARROW],
    [hashOfDraw(0x0400000000000005n), hashOfDraw(0x0400000000000002n)],
  ],
  [
    'halves-signed',
    'two draws of one bin whose lower halves differ in their highest bit',
    'MIN-4',
    'DrawOrder SignedWords',
    [NARROW],
    [hashOfDraw(0x0400000080000001n), hashOfDraw(0x0400000000000002n)],
  ],
  [
    'doubles',
    'two draws of one bin are the same number of 53 bits, the larger one first',
    'MIN-4',
    'DrawOrder',
    [NARROW],
    [hashOfDraw(0xfc00000000000003n), hashOfDraw(0xfc00000000000002n)],
  ],
  [
    'doubles-back',
    'two draws of one bin are the same number of 53 bits, the smaller one first',
    'MIN-4',
    'DrawOrder',
    [NARROW],
    [hashOfDraw(0xfc00000000000002n), hashOfDraw(0xfc00000000000003n)],
  ],
  [
    'shared',
    'two hashes share a draw in two rounds: the earlier one counts',
    'MIN-4',
    'Rounds',
    BOTH,
    [1234567n, 1234567n + increment],
  ],
  [
    'earlier',
    'a larger draw in an earlier round wins',
    'MIN-4',
    'Rounds',
    [NARROW],
    [hashOfDraw((7n << 58n) | 1n, 0, 1), hashOfDraw((8n << 58n) - 2n)],
  ],
  ['sparse', '600 hashes of which none draws into bin 5 in round 0', 'MIN-4', 'Rounds', BOTH, sparse],
  [
    'sparse-late',
    'a hash after 600 others wins bin 5 in round 1',
    'MIN-4',
    'Rounds',
    [NARROW],
    [...sparse, hashOfDraw(better, 0, 1)],
  ],
  [
    'sparse-first',
    'a hash after 600 others wins bin 5 in round 0',
    'MIN-4',
    'Rounds',
    [NARROW],
    [...sparse, hashOfDraw((6n << 58n) - 1n - (sparseBit & 1n))],
  ],
  [
    'late-word',
    'a hash after 600 others wins a bin of word 3',
    'MIN-4 MIN-7',
    'WordOrder',
    [WIDE],
    [...sparse, hashOfDraw(1n, 3), hashOfDraw((63n << 58n) + 1n, 3)],
  ],
];

const utf8Of = (text: string): string => Buffer.from(text, 'utf8').toString('hex');
const utf16Of = (text: string): string =>
  Array.from({ length: text.length }, (_, i) => text.charCodeAt(i).toString(16).padStart(4, '0')).join('');

type DocumentRow = readonly [
  name: string,
  title: string,
  rules: string,
  flags: string,
  input: string | Readonly<InputOf<'fingerprint'>>,
  tokens: string | undefined,
  fingerprint?: string,
];

const FOX = 'The quick brown fox jumps over the lazy dog.';

const documentRows: readonly DocumentRow[] = [
  ['one', 'a text of one token', 'MIN-1 MIN-3', 'Rounds', 'a', 'a', 'GEIVFIXBGPOBK'],
  ['two', 'a text of two tokens', 'MIN-4', 'SignedWords', 'hello world', 'hello world', 'DBH7LFUXLLC6E'],
  ['fox', 'a sentence', 'MIN-4', 'Rounds', FOX, 'The quick brown fox jumps over the lazy dog', 'EZEFOEQ2U2YJ6'],
  ['five', 'five tokens, of which one occurs twice', 'MIN-1', 'Repeated', 'the fox and the dog', 'the fox and the dog'],
  ['repeated', 'a token counts once', 'MIN-1', 'Repeated', 'to be or not to be, to be', 'to be or not to be to be'],
  ['order', 'the order of tokens makes no difference', 'MIN-1', 'OrderMatters', 'dog and fox the', 'dog and fox the'],
  ['case', 'tokens that differ in case are different', 'MIN-1', 'CaseFolded', 'Fox fox FOX', 'Fox fox FOX'],
  ['none', 'a text without tokens has no fingerprint', 'MIN-6', 'EmptyAsZero', '123', ''],
  ['empty', 'an empty text has no fingerprint', 'MIN-6', 'EmptyAsZero EmptyInput', '', ''],
  [
    'japanese',
    'a Japanese sentence gives pairs',
    'MIN-1 BIG-3',
    'Pairs',
    '東京タワーへ行く。',
    '東京 京タ タワ ワー ーへ へ行 行く',
    '6LZYUFY5IMGIW',
  ],
  [
    'thai',
    'a Thai sentence gives pairs',
    'MIN-1 BIG-3',
    'Pairs',
    { utf8: utf8Of('ลายนิ้วมือสำหรับค้นหาเอกสาร') },
    undefined,
  ],
  [
    'chinese',
    'Chinese, Latin letters, digits and a locator',
    'MIN-1 BIG-4',
    'Pairs',
    { utf16: utf16Of('使用Unicode12的文档https://example.org/文档与PDF文件3个') },
    '使用 Unicode12 的文 文档 文档 档与 PDF 文件 个',
  ],
  [
    'cyrillic',
    'a Russian sentence',
    'MIN-1',
    'AsciiOnly',
    { utf8: utf8Of('Съешь ещё этих мягких французских булок') },
    'Съешь ещё этих мягких французских булок',
  ],
  [
    'octets',
    'a byte order mark, an ill-formed sequence and a decomposed letter',
    'MIN-1 DEC-2 NRM-3',
    'Bom IllFormed',
    { utf8: `efbbbf${utf8Of('Cafe\u0301 ')}e282${utf8Of(' caf\u00e9')}` },
    'Caf\u00e9 caf\u00e9',
  ],
  [
    'units',
    'a lone surrogate between words',
    'MIN-1 DEC-4',
    'LoneSurrogate',
    { utf16: utf16Of('one\ud800two \u{1d4d0}') },
    'one two \u{1d4d0}',
  ],
  [
    'locators',
    'locators are stripped',
    'MIN-1 LOC-4',
    'LocatorScheme LocatorEmail',
    'see https://example.org/a and a@b.org',
    'see and',
  ],
];

const repeat = (text: string, count: number): GeneratingRule => ({ rule: 'repeat', text, count });
/** Random words of small letters; a space is one code point in six. */
const randomWords = (seed: number, count: number): GeneratingRule => ({
  ...{ rule: 'code-points', seed, count },
  ranges: [
    [0x61, 0x7a],
    [0x20, 0x20, 5],
  ],
});

/** The fingerprints of 100,000 words: the twin, which makes all draws of each, takes a minute for them. */
type LongRow = readonly [
  name: string,
  title: string,
  labels: readonly string[],
  rule: GeneratingRule,
  shorter?: GeneratingRule,
  hand?: CaseOf<'fingerprint'>['hand'],
];

const longRows: readonly LongRow[] = [
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

const tokensOf = (tokens: string): string[] => (tokens === '' ? [] : tokens.split(' '));
const suffix = (labels: readonly string[], label: string): string =>
  labels.length > 1 && label === WIDE ? '-256' : '';

export const minhashGroup: Group = {
  group: 'minhash',
  description: 'minhash-doc: the draws of SplitMix64, the winners of bins, whole texts, truncation.',
  cases: [
    ...drawRows.map(
      ([name, title, flags, hash, n, draw]): CaseOf<'draw'> => ({
        ...{ name: `draw-${name}`, operation: 'draw', title, rules: ['MIN-2'], flags: ['SplitMix', ...list(flags)] },
        ...{ input: { hash: hex(hash), n }, ...(draw !== undefined && { hand: { draw: hex(draw) } }) },
      }),
    ),
    ...([-1, 512] as const).map(
      (n): CaseOf<'draw'> => ({
        ...{ name: n < 0 ? 'draw-negative' : 'draw-512', operation: 'draw', title: `output ${n} is out of range` },
        ...{ rules: ['MIN-2'], flags: ['DrawNumber', 'InvalidInput'], input: { hash: hex(1234567n), n } },
        error: 'out-of-range',
      }),
    ),
    ...hashRows.flatMap(([name, title, rules, flags, labels, given, fingerprint]) =>
      labels.map(
        (label): CaseOf<'minhash'> => ({
          ...{ name: `hashes-${name}${suffix(labels, label)}`, operation: 'minhash' },
          ...{ title: labels.length > 1 && label === WIDE ? `${title}: 256 bits` : title },
          ...{ rules: label === WIDE ? [...new Set([...list(rules), 'MIN-7'])] : list(rules), flags: list(flags) },
          input: { hashes: given.map(hex), label },
          ...(fingerprint !== undefined && { hand: { fingerprint } }),
        }),
      ),
    ),
    ...documentRows.flatMap(([name, title, rules, flags, input, tokens, fingerprint]) =>
      BOTH.map(
        (label): CaseOf<'fingerprint'> => ({
          ...{ name: `text-${name}${suffix(BOTH, label)}`, operation: 'fingerprint' },
          ...{ title: label === WIDE ? `${title}: 256 bits` : title },
          ...{ rules: label === WIDE ? [...list(rules), 'MIN-7'] : list(rules), flags: list(flags) },
          input: { ...(typeof input === 'string' ? { text: input } : input), label },
          ...(tokens !== undefined && {
            hand: {
              ...{ tokens: tokensOf(tokens), tokenCount: tokensOf(tokens).length },
              ...(label === NARROW && fingerprint !== undefined && { fingerprint }),
            },
          }),
        }),
      ),
    ),
    ...longRows.flatMap(([name, title, labels, rule, shorter, hand]) =>
      labels.map(
        (label): CaseOf<'fingerprint'> => ({
          ...{ name: `text-${name}${suffix(labels, label)}`, operation: 'fingerprint' },
          ...{ title: label === WIDE ? `${title}: 256 bits` : title, rules: ['MIN-1', 'MIN-4'] },
          ...{ flags: ['Rounds', 'LongInput'], input: { generate: rule, label } },
          ...(hand !== undefined && { hand }),
          ...(shorter !== undefined && { shorter: { generate: shorter, label } }),
        }),
      ),
    ),
    ...truncated(),
  ],
};

function truncated(): Case[] {
  const rows: readonly (readonly [name: string, title: string, wide: string, narrow: string])[] = [
    [
      'fox',
      'the first eight octets are the fingerprint of minhash-doc for the same text',
      bare.explain(FOX, WIDE).hex!,
      bare.explain(FOX, NARROW).hex!,
    ],
    ['words', 'word 0 is the first', WANTED.join(''), WANTED[0]],
    ['zero', '64 zeros in front are a fingerprint', '0'.repeat(16) + WANTED.slice(1).join(''), '0'.repeat(16)],
    ['high', 'the first octet is 80', `8${'0'.repeat(63)}`, `8${'0'.repeat(15)}`],
    ['low', 'the last octet is 1: it is cut off', `${'0'.repeat(63)}1`, '0'.repeat(16)],
  ];
  return [
    ...rows.map(
      ([name, title, fingerprint, narrow]): CaseOf<'truncate'> => ({
        ...{ name: `truncate-${name}`, operation: 'truncate', title, rules: ['MIN-8'], flags: ['Truncation'] },
        ...{ input: { fingerprint }, hand: { fingerprint: narrow } },
      }),
    ),
    {
      ...{ name: 'truncate-none', operation: 'truncate', title: 'a document without a fingerprint is not truncated' },
      ...{ rules: ['MIN-8', 'SIM-1'], flags: ['EmptyAsZero', 'InvalidInput'], input: { fingerprint: null } },
      error: 'no-fingerprint',
    },
  ];
}
