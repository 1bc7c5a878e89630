import type { InputOf } from '../../../../src/conformance/types.ts';
import { valuesOfBytes, valuesOfText } from '../../../twin/lookup3-values.ts';
import { casesOf, type Group, type Table } from '../case.ts';
import { hex16, hexOf, utf8Of } from './inputs.ts';

type Hashes = Table<[input: string | InputOf<'token-hash'>, hash?: string | undefined]>;

const sentence = 'This is the time for all good men to come to the aid of their country...';

/** Hex values by length, from a C program that is independent of the twin. */
const hexByLength = (values: readonly (readonly [octets: number, hash: bigint])[]): ReadonlyMap<number, string> =>
  new Map(values.map(([bytes, hash]) => [bytes, hex16(hash)]));
const hashesOfText = hexByLength(valuesOfText);
const hashesOfBytes = hexByLength(valuesOfBytes);

/** The parts of a length: blocks of 12 bytes and a last one of 1 to 12. */
function lengthTitle(length: number): string {
  if (length === 0) return 'no octets: neither mixed nor finished';
  const last = ((length - 1) % 12) + 1;
  const blocks = (length - last) / 12;
  return `${length} octet${length === 1 ? '' : 's'}: ${blocks === 0 ? 'no block' : blocks === 1 ? 'one block' : `${blocks} blocks`} of 12 before the last ${last}`;
}

/** Every length to 40 in bytes without and with the highest bit, for the tails of the last block. */
const lengths: Hashes = Array.from({ length: 41 }, (_, length) => [
  `HSH-1 HSH-3 ${length === 0 ? 'EmptyInput' : 'TailLength'}`,
  [
    `ascii-${length}`,
    `${lengthTitle(length)}; all are ASCII`,
    sentence.slice(0, length),
    hashesOfText.get(length),
  ] as const,
  'HSH-1 HSH-3 TailLength SignedOctets',
  [
    `high-${length}`,
    `${lengthTitle(length)}; all are 80 or above`,
    { utf8: hexOf(Array.from({ length }, (_, i) => 0xff - i)) },
    hashesOfBytes.get(length),
  ] as const,
])
  .flat()
  .filter((entry) => entry[0] !== 'high-0');

const rows: Hashes = [
  'HSH-1 HSH-2 HalvesSwapped InitialValue',
  [
    'four-score',
    'thirty octets have the hash that Jenkins published',
    'Four score and seven years ago',
    'ce7226e617770551',
  ],
  'HSH-1 HSH-2 HalvesSwapped',
  ['a', 'one octet: a value of the specification', 'a', '582647ac58d68708'],
  ['ab', 'two octets: a value of the specification', 'ab', '6b79a0f2fbb3a8df'],
  'HSH-1 TailLength',
  ['abcdefghijkl', 'a last block of 12 and no other: a value of the specification', 'abcdefghijkl', '75b50ec04012f87b'],
  ['abcdefghijklm', 'a block of 12 and one octet: a value of the specification', 'abcdefghijklm', '0f04ab68928128f9'],
  [
    'abcdefghijklmnopqrstuvwx',
    'a block of 12 and a last block of 12: a value of the specification',
    'abcdefghijklmnopqrstuvwx',
    'e0bd774e1b631fea',
  ],

  'HSH-1 LengthTerm NulEndsText',
  ['zero-1', 'one octet 0 does not hash like no octets', { utf8: '00' }],
  ['zero-4', 'four octets 0 enter the hash by their number', { utf8: '00000000' }],
  ['zero-12', 'twelve octets 0 are a last block', { utf8: '00'.repeat(12) }],
  'HSH-1 LengthTerm NulEndsText TailLength',
  ['zero-13', 'thirteen octets 0 are a block and one octet', { utf8: '00'.repeat(13) }],
  'HSH-1 NulEndsText',
  ['nul-inside', 'an octet 0 does not end a token', { utf8: '610062' }],
  'HSH-1 LengthTerm NulEndsText',
  ['trailing-zero', 'an octet 0 at the end enters the hash', { utf8: '616200' }],
  'HSH-3 ByteOrder',
  ['order', 'octets are read with the least significant first', { utf8: '01020304' }],
  ['order-reversed', 'the same octets in reverse order have another hash', { utf8: '04030201' }],
  ['order-12', 'twelve different octets are read in order', { utf8: '0102030405060708090a0b0c' }],
  ['order-13', 'thirteen different octets are read in order', { utf8: '0102030405060708090a0b0c0d' }],
  ['unaligned', 'octets that need not be aligned to words', { utf8: '000102030405060708090a0b0c0d0e0f101112' }],

  'TOK-5 HSH-1 Utf16Units SignedOctets',
  ['e-acute', 'a letter of two octets is hashed as UTF-8', '\u00e9'],
  ['e-acute-octets', 'octets are hashed as they are given', { utf8: 'c3a973' }],
  ['cyrillic', 'a Russian word is hashed as UTF-8', '\u0434\u043e\u043a\u0443\u043c\u0435\u043d\u0442'],
  ['greek', 'a Greek word is hashed as UTF-8', '\u03ba\u03b5\u03af\u03bc\u03b5\u03bd\u03bf'],
  ['han', 'a Chinese word is hashed as UTF-8, three octets for each code point', '\u6587\u4ef6'],
  ['hangul', 'a Korean word is hashed as UTF-8', '\ubb38\uc11c'],
  ['arabic', 'an Arabic word is hashed as UTF-8', '\u0648\u062b\u064a\u0642\u0629'],
  ['devanagari', 'consonants and a virama are hashed as UTF-8', '\u0928\u094d\u0926'],
  'TOK-5 HSH-1 Utf16Units EncodedSurrogate',
  ['astral', 'an astral letter is hashed as four octets, not as surrogates', '\u{10400}'],
  ['astral-two', 'two ideographs of plane 2 are hashed as four octets each', '\u{20000}\u{2a6d6}'],
  'TOK-5 Utf16Units',
  ['two-octets-ends', 'the first and the last code point of two octets are hashed as UTF-8', '\u0080\u07ff'],
  ['three-octets-ends', 'the first and the last code point of three octets are hashed as UTF-8', '\u0800\uffff'],
  ['four-octets-ends', 'the first and the last code point of four octets are hashed as UTF-8', '\u{10000}\u{10ffff}'],
  'HSH-1 NRM-4 CaseFolded',
  ['case', 'case is not folded', 'A'],
  'TOK-5 MarkAtBorder',
  ['mark-first', 'a token may begin with a mark', '\u0308d'],
  'TOK-5 RepeatedNfc',
  ['not-normalised', 'this step does not normalise', 'e\u0301'],
  'TOK-5 Bom',
  ['no-mark', 'U+FEFF is hashed like any other code point', '\ufeffa'],
  'HSH-1 IllFormed',
  ['not-utf-8', 'octets need not be UTF-8', { utf8: 'fffec0' }],
  'HSH-1 WhiteSpace',
  ['space', 'the octets need not be those of a token', 'two words '],

  'HSH-1 LengthTerm LengthLimit',
  ['length-255', 'a length of 255 enters the hash', { generate: { rule: 'repeat', text: 'a', count: 255 } }],
  ['length-256', 'a length of 256 enters the hash', { generate: { rule: 'repeat', text: 'a', count: 256 } }],
  ['length-65536', 'a length of 65,536 enters the hash', { generate: { rule: 'repeat', text: 'a', count: 65536 } }],
  'HSH-1 TOK-5 LengthLimit',
  [
    'long-word',
    'a word of 100,000 letters of two octets is hashed',
    { generate: { rule: 'repeat', text: '\u00e9', count: 100000 } },
  ],
  'HSH-1 HSH-3 WordOverflow',
  ['octets-1000', '1,000 pseudo-random octets are hashed', { generate: { rule: 'octets', seed: 1, count: 1000 } }],
  [
    'octets-4099',
    '4,099 pseudo-random octets are hashed',
    { generate: { rule: 'octets', seed: 4294967295, count: 4099 } },
  ],
  'HSH-3 WordOverflow SignedOctets',
  ['ff-11', 'eleven octets FF: sums exceed 2^32', { utf8: 'ff'.repeat(11) }],
  ['ff-12', 'twelve octets FF: sums exceed 2^32', { utf8: 'ff'.repeat(12) }],
  ['ff-25', 'twenty-five octets FF: sums exceed 2^32', { utf8: 'ff'.repeat(25) }],
];

/**
 * Words whose hash shows a fault of its written form or of its arithmetic, found by search: an upper or lower half that
 * begins with zeros, or with the highest bit set.
 */
const searched: Hashes = [
  'HSH-2 LeadingZeros',
  ['upper-half-zeros', 'the upper half begins with four hexadecimal zeros, which are kept', 'etln', '0000c8820f17cd97'],
  [
    'upper-half-zeros-3',
    'the upper half begins with three hexadecimal zeros, which are kept',
    'okb',
    '000b5455d8374327',
  ],
  ['lower-half-zeros', 'the lower half begins with four hexadecimal zeros, which are kept', 'vtfj', 'b1f5218200004f9f'],
  [
    'lower-half-zeros-3',
    'the lower half begins with three hexadecimal zeros, which are kept',
    'gvb',
    '724bdb880001aacc',
  ],
  ['both-halves-zero', 'both halves begin with a hexadecimal zero, which is kept', 'jg', '051e09df0070e648'],
  ['trailing-zeros', 'the hash ends in four hexadecimal zeros', 'shrb', '2c31de9025010000'],
  'HSH-2 SignedWords',
  ['highest-bit-upper', 'the highest bit is 1 in the upper half only', 'aa', 'e1c528560cbfe8a9'],
  ['highest-bit-lower', 'the highest bit is 1 in the lower half only', 'ba', '435733f4d2f1594b'],
  ['highest-bit-both', 'the highest bit is 1 in both halves', 'da', 'b1d3c76fb1e9eb7d'],
];

const fourScore = 'Four score and seven years ago';
const [none, one, dead] = ['00000000', '00000001', 'deadbeef'];

/** lookup3 by itself. Values with `c` and `b` are those that Jenkins published with it (driver5 of lookup3.c). */
const lookup3Rows: Table<[text: string, pc: string, pb: string, c?: string, b?: string]> = [
  'HSH-1 HSH-3 EmptyInput',
  ['lookup3-empty', 'no octets: the published result', '', none, none, 'deadbeef', 'deadbeef'],
  'HSH-1 HSH-3 EmptyInput InitialValue WordOverflow',
  [
    'lookup3-empty-pb',
    'no octets, second initial value deadbeef: the published result',
    '',
    none,
    dead,
    'bd5b7dde',
    'deadbeef',
  ],
  [
    'lookup3-empty-both',
    'no octets, both initial values deadbeef: the published result',
    '',
    dead,
    dead,
    '9c093ccd',
    'bd5b7dde',
  ],
  'HSH-1 HSH-3',
  ['lookup3-four-score', 'thirty octets: the published result', fourScore, none, none, '17770551', 'ce7226e6'],
  'HSH-1 HSH-3 InitialValue HalvesSwapped',
  [
    'lookup3-four-score-pb',
    'thirty octets, second initial value 1: the published result',
    fourScore,
    none,
    one,
    'e3607cae',
    'bd371de4',
  ],
  [
    'lookup3-four-score-pc',
    'thirty octets, first initial value 1: the published result',
    fourScore,
    one,
    none,
    'cd628161',
    '6cbea4b3',
  ],
  'HSH-1 HSH-3 EmptyInput InitialValue',
  ['lookup3-empty-pc', 'no octets: the first initial value enters both results', '', '12345678', none],
  'HSH-1 HSH-3 InitialValue WordOverflow SignedWords',
  ['lookup3-ones', 'initial values of 32 bits 1: sums exceed 2^32', 'a', 'ffffffff', 'ffffffff'],
  'HSH-1 HSH-3 LeadingZeros',
  ['lookup3-leading-zeros', 'a result with a leading zero keeps it', 'okb', none, none, 'd8374327', '000b5455'],
  'HSH-1 HSH-3 InitialValue TailLength',
  ['lookup3-one-block', 'twelve octets with initial values: no block before the last', 'abcdefghijkl', one, '80000000'],
  [
    'lookup3-two-blocks',
    'twenty-five octets with initial values: two blocks before the last',
    'abcdefghijklmnopqrstuvwxy',
    '80000000',
    one,
  ],
];

export const tokenHashGroup: Group = {
  group: 'token-hash',
  description:
    'Step 7: the 64-bit hash of a token, given as text (hashed as UTF-8) or as octets; lookup3 with initial values.',
  cases: [
    ...casesOf('token-hash', [...rows, ...searched, ...lengths], (input, hash?) => ({
      input: typeof input === 'string' ? { text: input } : input,
      ...(hash === undefined ? {} : { hand: { hash } }),
    })),
    ...casesOf('lookup3', lookup3Rows, (text, pc, pb, c?, b?) => ({
      input: { utf8: utf8Of(text), pc, pb },
      ...(c !== undefined && b !== undefined && { hand: { c, b } }),
    })),
  ],
};
