import type { InputOf } from '../../../../src/conformance/types.ts';
import { valuesOfBytes, valuesOfText } from '../../../twin/lookup3-values.ts';
import { type Case, type CaseOf, type Group, list } from '../case.ts';

type Row = readonly [
  name: string,
  title: string,
  rules: string,
  flags: string,
  input: string | InputOf<'token-hash'>,
  hash?: string | undefined,
];

const sentence = 'This is the time for all good men to come to the aid of their country...';

/** Hex values by length, from a C program that is independent of the twin. */
const hexByLength = (values: readonly (readonly [octets: number, hash: bigint])[]): ReadonlyMap<number, string> =>
  new Map(values.map(([bytes, hash]) => [bytes, hash.toString(16).padStart(16, '0')]));
const hashesOfText = hexByLength(valuesOfText);
const hashesOfBytes = hexByLength(valuesOfBytes);

const hexOf = (bytes: readonly number[]): string => bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** The parts of a length: blocks of 12 bytes and a last one of 1 to 12. */
function lengthTitle(length: number): string {
  if (length === 0) return 'no octets: neither mixed nor finished';
  const last = ((length - 1) % 12) + 1;
  const blocks = (length - last) / 12;
  return `${length} octet${length === 1 ? '' : 's'}: ${blocks === 0 ? 'no block' : blocks === 1 ? 'one block' : `${blocks} blocks`} of 12 before the last ${last}`;
}

/** Every length to 40 in bytes without and with the highest bit, for the tails of the last block. */
const lengths: readonly Row[] = Array.from({ length: 41 }, (_, length): Row[] => [
  [
    `ascii-${length}`,
    `${lengthTitle(length)}; all are ASCII`,
    'HSH-1 HSH-3',
    length === 0 ? 'EmptyInput' : 'TailLength',
    sentence.slice(0, length),
    hashesOfText.get(length),
  ],
  ...(length === 0
    ? []
    : [
        [
          `high-${length}`,
          `${lengthTitle(length)}; all are 80 or above`,
          'HSH-1 HSH-3',
          'TailLength SignedOctets',
          { utf8: hexOf(Array.from({ length }, (_, i) => 0xff - i)) },
          hashesOfBytes.get(length),
        ] satisfies Row,
      ]),
]).flat();

const rows: readonly Row[] = [
  [
    'four-score',
    'thirty octets have the hash that Jenkins published',
    'HSH-1 HSH-2',
    'HalvesSwapped InitialValue',
    'Four score and seven years ago',
    'ce7226e617770551',
  ],
  ['a', 'one octet: a value of the specification', 'HSH-1 HSH-2', 'HalvesSwapped', 'a', '582647ac58d68708'],
  ['ab', 'two octets: a value of the specification', 'HSH-1 HSH-2', 'HalvesSwapped', 'ab', '6b79a0f2fbb3a8df'],
  [
    'abcdefghijkl',
    'a last block of 12 and no other: a value of the specification',
    'HSH-1',
    'TailLength',
    'abcdefghijkl',
    '75b50ec04012f87b',
  ],
  [
    'abcdefghijklm',
    'a block of 12 and one octet: a value of the specification',
    'HSH-1',
    'TailLength',
    'abcdefghijklm',
    '0f04ab68928128f9',
  ],
  [
    'abcdefghijklmnopqrstuvwx',
    'a block of 12 and a last block of 12: a value of the specification',
    'HSH-1',
    'TailLength',
    'abcdefghijklmnopqrstuvwx',
    'e0bd774e1b631fea',
  ],

  ['zero-1', 'one octet 0 does not hash like no octets', 'HSH-1', 'LengthTerm NulEndsText', { utf8: '00' }],
  ['zero-4', 'four octets 0 enter the hash by their number', 'HSH-1', 'LengthTerm NulEndsText', { utf8: '00000000' }],
  ['zero-12', 'twelve octets 0 are a last block', 'HSH-1', 'LengthTerm NulEndsText', { utf8: '00'.repeat(12) }],
  [
    'zero-13',
    'thirteen octets 0 are a block and one octet',
    'HSH-1',
    'LengthTerm NulEndsText TailLength',
    { utf8: '00'.repeat(13) },
  ],
  ['nul-inside', 'an octet 0 does not end a token', 'HSH-1', 'NulEndsText', { utf8: '610062' }],
  ['trailing-zero', 'an octet 0 at the end enters the hash', 'HSH-1', 'LengthTerm NulEndsText', { utf8: '616200' }],
  ['order', 'octets are read with the least significant first', 'HSH-3', 'ByteOrder', { utf8: '01020304' }],
  ['order-reversed', 'the same octets in reverse order have another hash', 'HSH-3', 'ByteOrder', { utf8: '04030201' }],
  ['order-12', 'twelve different octets are read in order', 'HSH-3', 'ByteOrder', { utf8: '0102030405060708090a0b0c' }],
  [
    'order-13',
    'thirteen different octets are read in order',
    'HSH-3',
    'ByteOrder',
    { utf8: '0102030405060708090a0b0c0d' },
  ],
  [
    'unaligned',
    'octets that need not be aligned to words',
    'HSH-3',
    'ByteOrder',
    { utf8: '000102030405060708090a0b0c0d0e0f101112' },
  ],

  ['e-acute', 'a letter of two octets is hashed as UTF-8', 'TOK-5 HSH-1', 'Utf16Units SignedOctets', '\u00e9'],
  [
    'e-acute-octets',
    'octets are hashed as they are given',
    'TOK-5 HSH-1',
    'Utf16Units SignedOctets',
    { utf8: 'c3a973' },
  ],
  [
    'cyrillic',
    'a Russian word is hashed as UTF-8',
    'TOK-5 HSH-1',
    'Utf16Units SignedOctets',
    '\u0434\u043e\u043a\u0443\u043c\u0435\u043d\u0442',
  ],
  [
    'greek',
    'a Greek word is hashed as UTF-8',
    'TOK-5 HSH-1',
    'Utf16Units SignedOctets',
    '\u03ba\u03b5\u03af\u03bc\u03b5\u03bd\u03bf',
  ],
  [
    'han',
    'a Chinese word is hashed as UTF-8, three octets for each code point',
    'TOK-5 HSH-1',
    'Utf16Units SignedOctets',
    '\u6587\u4ef6',
  ],
  ['hangul', 'a Korean word is hashed as UTF-8', 'TOK-5 HSH-1', 'Utf16Units SignedOctets', '\ubb38\uc11c'],
  [
    'arabic',
    'an Arabic word is hashed as UTF-8',
    'TOK-5 HSH-1',
    'Utf16Units SignedOctets',
    '\u0648\u062b\u064a\u0642\u0629',
  ],
  [
    'devanagari',
    'consonants and a virama are hashed as UTF-8',
    'TOK-5 HSH-1',
    'Utf16Units SignedOctets',
    '\u0928\u094d\u0926',
  ],
  [
    'astral',
    'an astral letter is hashed as four octets, not as surrogates',
    'TOK-5 HSH-1',
    'Utf16Units EncodedSurrogate',
    '\u{10400}',
  ],
  [
    'astral-two',
    'two ideographs of plane 2 are hashed as four octets each',
    'TOK-5 HSH-1',
    'Utf16Units EncodedSurrogate',
    '\u{20000}\u{2a6d6}',
  ],
  [
    'two-octets-ends',
    'the first and the last code point of two octets are hashed as UTF-8',
    'TOK-5',
    'Utf16Units',
    '\u0080\u07ff',
  ],
  [
    'three-octets-ends',
    'the first and the last code point of three octets are hashed as UTF-8',
    'TOK-5',
    'Utf16Units',
    '\u0800\uffff',
  ],
  [
    'four-octets-ends',
    'the first and the last code point of four octets are hashed as UTF-8',
    'TOK-5',
    'Utf16Units',
    '\u{10000}\u{10ffff}',
  ],
  ['case', 'case is not folded', 'HSH-1 NRM-4', 'CaseFolded', 'A'],
  ['mark-first', 'a token may begin with a mark', 'TOK-5', 'MarkAtBorder', '\u0308d'],
  ['not-normalised', 'this step does not normalise', 'TOK-5', 'RepeatedNfc', 'e\u0301'],
  ['no-mark', 'U+FEFF is hashed like any other code point', 'TOK-5', 'Bom', '\ufeffa'],
  ['not-utf-8', 'octets need not be UTF-8', 'HSH-1', 'IllFormed', { utf8: 'fffec0' }],
  ['space', 'the octets need not be those of a token', 'HSH-1', 'WhiteSpace', 'two words '],

  [
    'length-255',
    'a length of 255 enters the hash',
    'HSH-1',
    'LengthTerm LengthLimit',
    { generate: { rule: 'repeat', text: 'a', count: 255 } },
  ],
  [
    'length-256',
    'a length of 256 enters the hash',
    'HSH-1',
    'LengthTerm LengthLimit',
    { generate: { rule: 'repeat', text: 'a', count: 256 } },
  ],
  [
    'length-65536',
    'a length of 65,536 enters the hash',
    'HSH-1',
    'LengthTerm LengthLimit',
    { generate: { rule: 'repeat', text: 'a', count: 65536 } },
  ],
  [
    'long-word',
    'a word of 100,000 letters of two octets is hashed',
    'HSH-1 TOK-5',
    'LengthLimit',
    { generate: { rule: 'repeat', text: '\u00e9', count: 100000 } },
  ],
  [
    'octets-1000',
    '1,000 pseudo-random octets are hashed',
    'HSH-1 HSH-3',
    'WordOverflow',
    { generate: { rule: 'octets', seed: 1, count: 1000 } },
  ],
  [
    'octets-4099',
    '4,099 pseudo-random octets are hashed',
    'HSH-1 HSH-3',
    'WordOverflow',
    { generate: { rule: 'octets', seed: 4294967295, count: 4099 } },
  ],
  ['ff-11', 'eleven octets FF: sums exceed 2^32', 'HSH-3', 'WordOverflow SignedOctets', { utf8: 'ff'.repeat(11) }],
  ['ff-12', 'twelve octets FF: sums exceed 2^32', 'HSH-3', 'WordOverflow SignedOctets', { utf8: 'ff'.repeat(12) }],
  ['ff-25', 'twenty-five octets FF: sums exceed 2^32', 'HSH-3', 'WordOverflow SignedOctets', { utf8: 'ff'.repeat(25) }],
];

/**
 * Words whose hash shows a fault of its written form or of its arithmetic, found by search: an upper or lower half that
 * begins with zeros, or with the highest bit set.
 */
const searched: readonly Row[] = [
  [
    'upper-half-zeros',
    'the upper half begins with four hexadecimal zeros, which are kept',
    'HSH-2',
    'LeadingZeros',
    'etln',
    '0000c8820f17cd97',
  ],
  [
    'upper-half-zeros-3',
    'the upper half begins with three hexadecimal zeros, which are kept',
    'HSH-2',
    'LeadingZeros',
    'okb',
    '000b5455d8374327',
  ],
  [
    'lower-half-zeros',
    'the lower half begins with four hexadecimal zeros, which are kept',
    'HSH-2',
    'LeadingZeros',
    'vtfj',
    'b1f5218200004f9f',
  ],
  [
    'lower-half-zeros-3',
    'the lower half begins with three hexadecimal zeros, which are kept',
    'HSH-2',
    'LeadingZeros',
    'gvb',
    '724bdb880001aacc',
  ],
  [
    'both-halves-zero',
    'both halves begin with a hexadecimal zero, which is kept',
    'HSH-2',
    'LeadingZeros',
    'jg',
    '051e09df0070e648',
  ],
  ['trailing-zeros', 'the hash ends in four hexadecimal zeros', 'HSH-2', 'LeadingZeros', 'shrb', '2c31de9025010000'],
  [
    'highest-bit-upper',
    'the highest bit is 1 in the upper half only',
    'HSH-2',
    'SignedWords',
    'aa',
    'e1c528560cbfe8a9',
  ],
  [
    'highest-bit-lower',
    'the highest bit is 1 in the lower half only',
    'HSH-2',
    'SignedWords',
    'ba',
    '435733f4d2f1594b',
  ],
  ['highest-bit-both', 'the highest bit is 1 in both halves', 'HSH-2', 'SignedWords', 'da', 'b1d3c76fb1e9eb7d'],
];

type Lookup3Row = readonly [
  name: string,
  title: string,
  flags: string,
  text: string,
  pc: string,
  pb: string,
  c?: string | undefined,
  b?: string | undefined,
];

const fourScore = 'Four score and seven years ago';
const [none, one, dead] = ['00000000', '00000001', 'deadbeef'];

/** lookup3 by itself. Values with `c` and `b` are those that Jenkins published with it (driver5 of lookup3.c). */
const lookup3Rows: readonly Lookup3Row[] = [
  ['empty', 'no octets: the published result', 'EmptyInput', '', none, none, 'deadbeef', 'deadbeef'],
  [
    'empty-pb',
    'no octets, second initial value deadbeef: the published result',
    'EmptyInput InitialValue WordOverflow',
    ...(['', none, dead, 'bd5b7dde', 'deadbeef'] as const),
  ],
  [
    'empty-both',
    'no octets, both initial values deadbeef: the published result',
    'EmptyInput InitialValue WordOverflow',
    ...(['', dead, dead, '9c093ccd', 'bd5b7dde'] as const),
  ],
  ['four-score', 'thirty octets: the published result', '', fourScore, none, none, '17770551', 'ce7226e6'],
  [
    'four-score-pb',
    'thirty octets, second initial value 1: the published result',
    'InitialValue HalvesSwapped',
    ...([fourScore, none, one, 'e3607cae', 'bd371de4'] as const),
  ],
  [
    'four-score-pc',
    'thirty octets, first initial value 1: the published result',
    'InitialValue HalvesSwapped',
    ...([fourScore, one, none, 'cd628161', '6cbea4b3'] as const),
  ],
  [
    'empty-pc',
    'no octets: the first initial value enters both results',
    'EmptyInput InitialValue',
    '',
    '12345678',
    none,
  ],
  [
    'ones',
    'initial values of 32 bits 1: sums exceed 2^32',
    'InitialValue WordOverflow SignedWords',
    'a',
    'ffffffff',
    'ffffffff',
  ],
  ['leading-zeros', 'a result with a leading zero keeps it', 'LeadingZeros', 'okb', none, none, 'd8374327', '000b5455'],
  [
    'one-block',
    'twelve octets with initial values: no block before the last',
    'InitialValue TailLength',
    'abcdefghijkl',
    one,
    '80000000',
  ],
  [
    'two-blocks',
    'twenty-five octets with initial values: two blocks before the last',
    'InitialValue TailLength',
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
    ...[...rows, ...searched, ...lengths].map(
      ([name, title, rules, flags, input, hash]): CaseOf<'token-hash'> => ({
        ...{ name, operation: 'token-hash', title, rules: list(rules), flags: list(flags) },
        input: typeof input === 'string' ? { text: input } : input,
        ...(hash === undefined ? {} : { hand: { hash } }),
      }),
    ),
    ...lookup3Rows.map(
      ([name, title, flags, text, pc, pb, c, b]): Case => ({
        ...{ name: `lookup3-${name}`, operation: 'lookup3', title, rules: ['HSH-1', 'HSH-3'], flags: list(flags) },
        input: { utf8: Buffer.from(text).toString('hex'), pc, pb },
        ...(c !== undefined && b !== undefined && { hand: { c, b } }),
      }),
    ),
  ],
};
