import { hexDigits, toHexDigits } from '../../common/bytes.ts';
import { LABELS } from '../../index.ts';
import { LABEL, schemeOf } from '../../scheme/labels/label.ts';
import { charactersOf } from '../../scheme/serialise.ts';
import { splitmix64 } from '../suite/vector-inputs.ts';
import type { InputOf, Operation } from '../vector.ts';

export type Random = () => number;

/** Makes a {@link Random}; the same seed (0 to 2^32 - 1) gives the same numbers. */
export function createRandom(seed: number): Random {
  const { next } = splitmix64(seed);
  return () => Number(next() >> 32n);
}

const below = (random: Random, limit: number): number => random() % limit;

const pick = <T>(random: Random, list: readonly T[]): T => list[below(random, list.length)]!;

const many = <T>(random: Random, most: number, make: () => T): T[] =>
  Array.from({ length: below(random, most + 1) }, make);

// Code points at which implementations differ: classes, compositions, ignorables, newer letters.
const INTERESTING =
  'aZ09_ .,-\u00ad\u00aa\u00b2\u00df\u00e9\u0130\u0131\u017f\u01c5\u02b0\u0301\u0308\u0323\u0344\u034f\u0378\u0660\u0903\u093f\u094d\u0958\u0e33\u0e49\u0f73\u1100\u1160\u1161\u11a8\u11a9\u17b4\u200b\u200c\u200d\u2028\u203f\u2102\u212a\u2160\u20dd\u2329\u2adc\u3042\u3099\u30ab\u30fb\u3164\u32ff\u4e2d\uac00\uac01\ud7a3\uf900\ufb01\ufe0f\ufeff\uff21\uff3f\ufffd\uffff\u{10400}\u{1d7ce}\u{1d15e}\u{1f600}\u{20000}\u{2f800}\u{30000}\u{1df00}\u{e0001}\u{10ffff}';
const CHARACTERS: readonly string[] = Array.from(INTERESTING);

const FRAGMENTS: readonly string[] = [
  ...['http://', 'https://example.org/a?b=c', '://', 'www.', 'WWW.x', 'doi:', 'DOI:10.1000/182', 'isbn:', 'i\u017fbn:'],
  ...['urn:x', 'pmid: ', '10.', '10.1000/', '10.123/x', '10.1234567890/x', 'me@', 'me@example.org', 'a@b..c', '.org'],
  ...['550e8400-e29b-41d4-a716-446655440000', 'd41d8cd98f00b204e9800998ecf8427e', 'abcdef'.repeat(5).concat('ab')],
  ...'+-:/@. x7\u00e9',
];

/** The neighbours of 0–9, A–Z and a–z in ASCII, and an apostrophe, which is a uric. */
const NEIGHBOURS: readonly string[] = Array.from("/:@[`{'");

const WORDS: readonly string[] = [
  ...['The', 'document', 'na\u00efve', 'H2O', '2026', 'don\u2019t', 'F\u00fc\u00dfe'],
  ...['\u043f\u0440\u0438\u0432\u0435\u0442', '\u6587\u66f8\u306e\u985e\u4f3c'],
  ...['\u0939\u093f\u0928\u094d\u0926\u0940', '\u0627\u0644\u0639\u0631\u0628\u064a\u0629'],
  ...['\ud55c\uad6d\uc5b4', '\u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22', 'cafe\u0301'],
];

function anyScalar(random: Random): string {
  for (;;) {
    const codePoint = pick(random, [0x80, 0x800, 0x3000, 0x10000, 0x20000, 0x110000]);
    const value = below(random, codePoint);
    if (value < 0xd800 || value > 0xdfff) return String.fromCodePoint(value);
  }
}

function piece(random: Random): string {
  const kind = below(random, 5);
  if (kind === 0) return pick(random, CHARACTERS);
  if (kind === 1) return pick(random, FRAGMENTS);
  if (kind === 2) return `${pick(random, WORDS)} `;
  if (kind === 3) return pick(random, ['a', '\u00e9', '\u4e2d', '\u{10400}', '0']).repeat(below(random, 30));
  return anyScalar(random);
}

const text = (random: Random): string => many(random, 14, () => piece(random)).join('');

const hexOfBytes = (bytes: Iterable<number>): string => toHexDigits(Uint8Array.from(bytes));

function bytes(random: Random): string {
  const edges = [
    0x00, 0x41, 0x7f, 0x80, 0xbf, 0xc0, 0xc2, 0xdf, 0xe0, 0xe2, 0xed, 0xef, 0xbb, 0xf0, 0xf4, 0xf5, 0x82, 0xa0, 0x9f,
    0x8f, 0x90,
  ];
  const list = many(random, 24, () => (below(random, 3) === 0 ? below(random, 256) : pick(random, edges)));
  const mark = below(random, 8) === 0 ? [0xef, 0xbb, 0xbf] : [];
  return hexOfBytes([...mark, ...list]);
}

function units(random: Random): string {
  const edges = [0x0000, 0x0041, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xfeff, 0xfffe, 0xffff];
  return many(random, 12, () =>
    hexDigits(below(random, 3) === 0 ? below(random, 0x10000) : pick(random, edges), 4),
  ).join('');
}

/** A text in which step 4 has something to decide: fragments of locators, often with one character replaced. */
function locators(random: Random): string {
  const characters = Array.from(many(random, 10, () => pick(random, FRAGMENTS)).join(''));
  if (characters.length > 0 && below(random, 2) === 0)
    characters[below(random, characters.length)] = pick(random, [...NEIGHBOURS, ...'AZaz09Gg']);
  return characters.join('');
}

function hex16(random: Random): string {
  const word = (): string => hexDigits(random(), 8);
  return pick(random, [word() + word(), word() + word(), `0000${word()}ffff`, '8000000000000001']);
}

const hex8 = (random: Random): string => hexDigits(pick(random, [0, 1, 0xdeadbeef, 0xffffffff, random(), random()]), 8);

function written16(random: Random): string {
  const digits = Array.from(hex16(random));
  const spoilt = below(random, 12);
  if (spoilt === 0) digits[below(random, 16)] = pick(random, [...NEIGHBOURS, ...'gG -\uff11\u0661_']);
  if (spoilt === 1) digits.shift();
  if (spoilt === 2) digits.push(pick(random, ['0', '\n', ' ', 'h']));
  if (spoilt === 3) digits.unshift('0', pick(random, ['x', 'X']));
  return digits.map((digit) => (below(random, 3) === 0 ? digit.toUpperCase() : digit)).join('');
}

function flipped(random: Random, hex: string, flips: number): string {
  let value = BigInt(`0x${hex}`);
  for (let i = 0; i < flips; i++) value ^= 1n << BigInt(below(random, 64));
  return hexDigits(value, 16);
}

const BASE32: readonly string[] = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'];

function base32(random: Random, isWide = false): string {
  const length = charactersOf(isWide ? WIDE : LABEL);
  const characters = Array.from({ length }, () => pick(random, BASE32));
  if (below(random, 4) > 0) characters[length - 1] = pick(random, [...(isWide ? 'AQ' : 'ACEGIKMOQSUWY246')]);
  const spoilt = below(random, 12);
  if (spoilt === 0) characters[below(random, length)] = pick(random, [...NEIGHBOURS, ...'0189 =\u017f\u212a-']);
  if (spoilt === 1) characters.pop();
  if (spoilt === 2) characters.push(pick(random, ['A', '=', '==', '===', '====', '\n', ' ']));
  const joined = characters.join('');
  return below(random, 3) === 0 ? joined.toLowerCase() : joined;
}

const hex64 = (random: Random): string => {
  const words = [hex16(random), hex16(random), hex16(random)];
  return [...words, pick(random, words)].join('');
};

function label(random: Random): string {
  return pick(random, [
    ...['simhash-doc', 'simhash-doc', 'SimHash-Doc', 'SIMHASH-DOC', 'simhash', '', 'simhash-doc+', 'simhash-doc+bg1'],
    ...['minhash-doc', 'MinHash-Doc', 'minhash-doc+bg1', 'minhash-doc-64', 'simhash-doc-256', 'simhash-doc+zz9'],
    ...['simhash\u2010doc', 'constructor', ' simhash-doc'],
  ]);
}

const labelled = (random: Random): string =>
  label(random) + pick(random, [':', ':', ':', ':', '', '::', ': ']) + base32(random);

const WIDE = 'minhash-doc-256';

const wideLabelled = (random: Random): string =>
  pick(random, [WIDE, WIDE, WIDE, 'MinHash-Doc-256', 'minhash-doc']) +
  pick(random, [':', ':', ':', '', ': ']) +
  base32(random, below(random, 6) > 0);

/** Inputs of 256 bits, for the operations in which the label changes more than the result. */
const wideInputs: { readonly [O in Operation]?: (random: Random) => InputOf<O> } = {
  serialise: (random) => ({ fingerprint: hex64(random), label: WIDE }),
  parse: (random) => ({ serialised: base32(random, below(random, 8) > 0), label: WIDE }),
  'parse-hex': (random) => ({
    hex: below(random, 8) === 0 ? written16(random) : hex64(random).slice(16) + written16(random),
    label: WIDE,
  }),
  'parse-labelled': (random) => ({ labelled: wideLabelled(random) }),
  'format-labelled': (random) => ({
    label: pick(random, [WIDE, 'MINHASH-DOC-256']),
    fingerprint: below(random, 10) === 0 ? null : hex64(random),
  }),
  compare: (random) => ({ a: wideLabelled(random), b: below(random, 10) === 0 ? null : wideLabelled(random) }),
  lookup: (random) => {
    const query = hex64(random);
    const entries = distinctEntries(random, () =>
      (query.match(/.{16}/g) ?? [])
        .map((word) => (below(random, 2) === 0 ? hex16(random) : flipped(random, word, below(random, 9))))
        .join(''),
    );
    return { entries, query, ...(below(random, 10) > 0 && { k: below(random, 8) }), label: WIDE };
  },
};

const LABELLED = ['tokenise', 'minhash', 'serialise', 'parse', 'parse-hex', 'lookup', 'fingerprint'];

export function withLabels(
  operation: Operation,
  make: (random: Random) => object,
  labels: readonly string[],
): (random: Random) => object {
  const known = LABELS.filter(
    (each) => labels.includes(each) && (operation !== 'minhash' || schemeOf(each).method === 'minhash'),
  );
  const makeWide = labels.includes(WIDE) ? wideInputs[operation] : undefined;
  if (makeWide === undefined && (known.length === 0 || !LABELLED.includes(operation))) return make;
  return (random) => {
    if (operation !== 'minhash' && below(random, 2) === 0) return make(random);
    const label = LABELLED.includes(operation) ? pick(random, known) : WIDE;
    if (label === WIDE && makeWide !== undefined) return makeWide(random);
    const input = make(random);
    // A token that is repeated, and more tokens.
    const longer = 'text' in input && { text: many(random, 20, () => input.text).join(' ') };
    return { ...input, ...longer, label };
  };
}

function distinctEntries(random: Random, makeFingerprint: () => string): InputOf<'lookup'>['entries'] {
  const entries = many(random, 12, () => ({
    id: pick(random, ['a', 'b', 'c', '\uff5e', '\u{10400}', '']) + String(below(random, 1000)),
    fingerprint: makeFingerprint(),
  }));
  const known = new Set<string>();
  return entries.filter(({ id }) => !known.has(id) && known.add(id));
}

function elements(random: Random): string[] {
  const hashes = many(random, pick(random, [3, 8, 100]), () => hex16(random));
  return hashes.length > 0 && below(random, 2) === 0 ? [...hashes, pick(random, hashes)] : hashes;
}

export const randomInputs: { readonly [O in Operation]?: (random: Random) => InputOf<O> } = {
  decode: (random) => (below(random, 4) === 0 ? { utf16: units(random) } : { utf8: bytes(random) }),
  classify: (random) => ({
    text: many(random, 20, () => (below(random, 2) === 0 ? anyScalar(random) : pick(random, CHARACTERS))).join(''),
  }),
  normalise: (random) => ({ text: text(random) }),
  'strip-locators': (random) => ({ text: locators(random) }),
  tokenise: (random) => ({ text: text(random) }),
  'token-hash': (random) => ({ utf8: hexOfBytes(many(random, 40, () => below(random, 256))) }),
  lookup3: (random) => ({
    utf8: hexOfBytes(many(random, 40, () => below(random, 256))),
    ...{ pc: hex8(random), pb: hex8(random) },
  }),
  simhash: (random) => ({ hashes: many(random, 8, () => hex16(random)) }),
  draw: (random) => ({ hash: hex16(random), n: below(random, 8) === 0 ? pick(random, [-1, 512]) : below(random, 512) }),
  minhash: (random) => ({ hashes: elements(random), label: 'minhash-doc' }),
  truncate: (random) => ({ fingerprint: hex64(random) }),
  serialise: (random) => ({ fingerprint: hex16(random) }),
  parse: (random) => ({ serialised: base32(random) }),
  'parse-hex': (random) => ({ hex: written16(random) }),
  'parse-label': (random) => ({ label: label(random) }),
  'parse-labelled': (random) => ({ labelled: labelled(random) }),
  'format-labelled': (random) => ({
    label: label(random),
    fingerprint: below(random, 10) === 0 ? null : hex16(random),
  }),
  compare: (random) => ({
    a: below(random, 10) === 0 ? null : labelled(random),
    b: below(random, 10) === 0 ? null : labelled(random),
  }),
  tables: (random) => ({ fingerprint: hex16(random) }),
  unpermute: (random) => ({ permuted: hex16(random), table: below(random, 16) }),
  probe: (random) => ({ fingerprint: hex16(random), table: below(random, 16), k: below(random, 7) }),
  lookup: (random) => {
    const query = hex16(random);
    const entries = distinctEntries(random, () =>
      below(random, 5) === 0 ? hex16(random) : flipped(random, query, below(random, 9)),
    );
    return { entries, query, ...(below(random, 10) > 0 && { k: below(random, 8) }) };
  },
  fingerprint: (random) => (below(random, 4) === 0 ? { utf8: bytes(random) } : { text: text(random) }),
};
