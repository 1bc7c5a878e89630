import { FIRST_JOINED, JOINED, MARK } from '../../scheme/bg1.ts';
import { BINS, FACTORS, ROUNDS, STEP } from '../../scheme/minhash.ts';
import * as locators from '../../scheme/strip-locators.ts';
import { INITIAL } from '../../scheme/token-hash.ts';
import { BOUNDARY, classOf, LETTER, quickCheckOf } from '../../scheme/unicode.ts';
import * as codePoints from '../code-points.ts';

// Writes what the kernel shares with the scheme and its host as AssemblyScript, scheme.generated.as.ts: `../../wasm/build.mjs` runs this.

const hex = (number) => `0x${number.toString(16)}`;

const packed = (word) => hex(BigInt(`0x${Buffer.from(word).toString('hex')}`));

function writeSwitch(comment, name, type, cases) {
  const lines = [...cases].map(([number, words]) => `    case ${number}: // ${words.join(' ')}\n`);
  return `/** ${comment} */
@inline
export function ${name}(word: ${type}): bool {
  switch (word) {
${lines.join('')}      return true;
  }
  return false;
}
`;
}

function writeLocators() {
  const { PREFIXES, SETS, ...others } = locators;
  const sizes = PREFIXES.map((prefix) => prefix.length);
  const words = new Map(PREFIXES.map((prefix) => [packed(prefix), [prefix]]));
  const ends = new Map();
  for (const prefix of PREFIXES) {
    const end = packed(prefix.slice(-2));
    ends.set(end, [...(ends.get(end) ?? []), prefix]);
  }
  const names = ['ALPHANUMERIC', 'ASCII_LETTER', 'DIGIT', 'HEX', 'SCHEME', 'LOCAL', 'LABEL', 'URIC'];
  return [
    '// LOC-13: the sets of bytes that the forms are made of.\n',
    ...names.map((name) => `export const ${name}: u32 = ${others[name]};\n`),
    '/** The sets that each byte is in. */\n',
    `export const SETS_OF_BYTES: usize = memory.data<u8>([${[...SETS].join(', ')}]);\n`,
    `export const MIN_PREFIX: u32 = ${Math.min(...sizes)};\n`,
    `export const MAX_PREFIX: u32 = ${Math.max(...sizes)};\n`,
    writeSwitch('LOC-7: the prefixes of form 3, in lower case.', 'isPrefixWord', 'u64', words),
    writeSwitch('The last two letters of the prefixes.', 'endsPrefix', 'u32', ends),
  ].join('');
}

const isPlainLetter = (codePoint) => classOf(codePoint) === LETTER && quickCheckOf(codePoint) === BOUNDARY;

const vector = (bytes) => `i8x16(${bytes.map((byte) => (byte << 24) >> 24).join(', ')})`;

/** A range of second bytes by the lead byte, whose first is `lead`: the smallest of each, and how many there are. */
function writeSeconds(name, ranges) {
  const columns = [0, 1].map((i) => Array.from({ length: 16 }, (_, lead) => ranges[lead]?.[i] ?? 0));
  return ['LEAST', 'COUNT']
    .map((column, i) => `export const ${name}_${column}: v128 = ${vector(columns[i])};\n`)
    .join('');
}

/** The longest run of second bytes that are followed by nothing but letters: of two-byte sequences. */
function longestRun(lead) {
  let [least, count] = [0, 0];
  for (let first = 0x80, second = 0x80; second <= 0xc0; second++) {
    if (second < 0xc0 && isPlainLetter(((lead & 0x1f) << 6) | (second & 0x3f))) continue;
    if (second - first > count) [least, count] = [first, second - first];
    first = second + 1;
  }
  return [least, count];
}

/** Ranges of letters of three bytes that are frequent, in blocks of 64. */
const KANA = [0x3040, 0x30ff];
const FREQUENT = [
  [0x4e00, 0x9fbf],
  [0xac00, 0xd77f],
];
/** The code points among kana that the kernel looks up instead: some are not letters. */
const NO_KANA = [0x3040, ...Array.from({ length: 10 }, (_, i) => 0x3097 + i), 0x30fb];

function writeLetters() {
  const seconds = Array.from({ length: 16 }, () => [0, 0]);
  for (const [first, last] of [KANA, ...FREQUENT])
    for (let codePoint = first; codePoint <= last; codePoint++) {
      if (!isPlainLetter(codePoint) && !NO_KANA.includes(codePoint))
        throw new Error(`U+${codePoint.toString(16)} is no letter`);
      const range = seconds[codePoint >> 12];
      const second = 0x80 | ((codePoint >> 6) & 0x3f);
      if (range[1] === 0) range[0] = second;
      range[1] = second - range[0] + 1;
    }
  const [ideographs, syllables] = FREQUENT;
  return [
    '// Letters that NFC leaves alone: the least second byte for each lead byte, and how many follow.\n',
    writeSeconds(
      'TWO',
      Array.from({ length: 8 }, (_, i) => longestRun(0xd0 + i)),
    ),
    writeSeconds('THREE', seconds),
    ...[
      ['IDEOGRAPHS', ideographs],
      ['SYLLABLES', syllables],
    ].map(
      ([name, [first, last]]) =>
        `export const ${name}: u32 = ${hex(first)};\nexport const ${name}_END: u32 = ${hex(last + 1)};\n`,
    ),
  ].join('');
}

function writeCodePoints() {
  const numbers = Object.entries(codePoints).filter(([name]) => /^FLAG_|_SHIFT$/.test(name));
  const kinds = { JOINED, MARK, LEAD_OF_JOINED: Buffer.from(String.fromCodePoint(FIRST_JOINED))[0] };
  return [
    '// The flags of an entry of the table, and places of bits: see src/fingerprint/code-points.ts.\n',
    ...numbers.map(([name, value]) => `export const ${name.replace('FLAG_', '')}: u32 = ${value};\n`),
    '// The kinds of code points of bg1 (BIG-1), and the least first byte of joined ones.\n',
    ...Object.entries(kinds).map(([name, value]) => `export const ${name}: u32 = ${value};\n`),
  ].join('');
}

function writeHashes() {
  return [
    '/** The initial value of lookup3 (HSH-1). */\n',
    `export const INITIAL: u32 = ${hex(INITIAL)};\n`,
    '/** The numbers of bins in a word, and of draws of an element for it (MIN-3). */\n',
    `export const BINS: u32 = ${BINS};\n`,
    `export const DRAWS: u32 = ${ROUNDS};\n`,
    '/** The constants of SplitMix64 (MIN-2). */\n',
    `export const STEP: u64 = ${hex(STEP)};\n`,
    `export const FACTOR_A: u64 = ${hex(FACTORS[0])};\n`,
    `export const FACTOR_B: u64 = ${hex(FACTORS[1])};\n`,
  ].join('');
}

export function generate() {
  return [
    '// Generated by src/wasm/build.mjs from src/scheme/ and src/fingerprint/code-points.ts.\n',
    ...[writeCodePoints(), writeLocators(), writeLetters(), writeHashes()],
  ].join('\n');
}
