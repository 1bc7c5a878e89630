/** Wrong implementations of the steps 8 to 10: simhash, serialise, compare. */

import { type Print, type Steps, steps, TwinError, widthOf } from '../../twin/twin.ts';
import { printOf } from '../generate/oracle.ts';
import { countQuickly } from './counters.ts';
import type { Changes } from './mutation.ts';

/** A fingerprint as one number, of 64 bits or 256. */
const numberOf = (fingerprint: Print): bigint => BigInt(`0x${steps.toHex(fingerprint, steps)}`);

/** Changes each word of a fingerprint. */
const eachWord =
  (change: (word: bigint) => bigint) =>
  (fingerprint: Print): Print =>
    steps.joinWordsOfPrint(steps.wordsOf(fingerprint).map(change), steps);

const low64 = (x: bigint): bigint => BigInt.asUintN(64, x);

/** Counters that are cut after each addition, as narrow numbers are. */
const narrow = (cut: (counter: number) => number): Partial<Steps> => ({
  counters: (hashes, s) => {
    const result: number[] = new Array(64).fill(0);
    for (const hash of hashes) {
      const bits = s.toBits(hash);
      for (let i = 0; i < 64; i++) result[i] = cut(result[i]! + (bits[i] === '1' ? 1 : -1));
    }
    return result.map(BigInt);
  },
});

/** Fingerprints that are changed once they are made. */
const changedFingerprint = (change: (fingerprint: bigint) => bigint | null): Partial<Steps> => ({
  simhash: (hashes, s) => {
    const fingerprint = steps.simhash(hashes, s);
    return fingerprint === null ? null : change(fingerprint);
  },
});

/** Hashes that are changed before they are counted. */
const changedHashes = (change: (hashes: readonly bigint[]) => readonly bigint[]): Partial<Steps> => ({
  counters: (hashes, s) => countQuickly(change([...hashes]), s),
});

const reverseBits = (x: bigint): bigint =>
  BigInt(`0b${Array.from(x.toString(2).padStart(64, '0')).reverse().join('')}`);

const bytes = (x: bigint): bigint[] => Array.from({ length: 8 }, (_, i) => (x >> BigInt(56 - 8 * i)) & 0xffn);
const ofBytes = (list: readonly bigint[]): bigint => list.reduce((x, byte) => (x << 8n) | byte, 0n);
const reverseBytes = (x: bigint): bigint => ofBytes(bytes(x).reverse());

/** The same hash for tokens counted with a weight. */
const weighted = (weightOf: (token: string, count: number) => number): Partial<Steps> => ({
  explain: (input, s, label) => {
    if (label !== undefined && s.schemeOf(label).words > 0) return steps.explain(input, s, label);
    const { fingerprint: _none, ...all } = steps.explain(input, s, label);
    const counts = new Map<string, number>();
    for (const token of all.selected) counts.set(token, (counts.get(token) ?? 0) + 1);
    const counters: number[] = new Array(64).fill(0);
    for (const [token, count] of counts) {
      const bits = s.toBits(s.hashToken(token, s));
      const weight = weightOf(token, count);
      for (let i = 0; i < 64; i++) counters[i]! += bits[i] === '1' ? weight : -weight;
    }
    const rounded = counters.map((counter) => BigInt(Math.sign(counter) * Math.ceil(Math.abs(counter))));
    const bits = rounded.map((counter) => s.fingerprintBit(counter)).join('');
    const fingerprint = counts.size === 0 ? null : s.fromBits(bits);
    return {
      ...{ ...all, fingerprint, counters: rounded },
      octets: fingerprint === null ? null : s.toBytes(fingerprint, s),
      hex: fingerprint === null ? null : s.toHex(fingerprint, s),
      base32: fingerprint === null ? null : s.serialise(fingerprint, s),
      keys: fingerprint === null ? null : s.tableKeys(fingerprint, s),
    };
  },
});

const simhashChanges: Changes = {
  'tie-to-one': { fingerprintBit: (counter) => (counter >= 0n ? '1' : '0') },
  'greater-than-one': { fingerprintBit: (counter) => (counter > 1n ? '1' : '0') },
  'bits-inverted': { fingerprintBit: (counter) => (counter < 0n ? '1' : '0') },
  'hashes-deduplicated': changedHashes((hashes) => [...new Set(hashes)]),
  'weights-by-logarithm': weighted((_token, count) => 1 + Math.log2(count)),
  'smallest-hash': {
    simhash: (hashes) => {
      const list = [...hashes];
      return list.length === 0 ? null : list.sort((x, y) => (x < y ? -1 : 1))[0]!;
    },
  },
  'counters-unsigned': { counters: (hashes, s) => countQuickly(hashes, s).map(low64) },
  'counters-not-below-zero': narrow((counter) => Math.max(counter, 0)),
  'counters-8-bit': narrow((counter) => (counter << 24) >> 24),
  'counters-16-bit': {
    ...narrow((counter) => (counter << 16) >> 16),
    long: ['fingerprint/narrow-16', 'fingerprint/narrow-16-one', 'fingerprint/narrow-16-tie'],
  },
  'ones-16-bit': {
    counters: (hashes, s) => {
      const list = [...hashes];
      const ones = (count: bigint): bigint => (BigInt(list.length) + count) / 2n;
      return countQuickly(list, s).map((count) => 2n * (ones(count) & 0xffffn) - BigInt(list.length));
    },
    long: ['fingerprint/narrow-16', 'fingerprint/narrow-16-tie', 'fingerprint/narrow-16-unsigned'],
  },
  'low-half-repeated': changedHashes((hashes) =>
    hashes.map((hash) => ((hash & 0xffffffffn) << 32n) | (hash & 0xffffffffn)),
  ),
  'low-half-alone': changedHashes((hashes) => hashes.map((hash) => hash & 0xffffffffn)),
  'mask-sign-extended': changedHashes((hashes) =>
    hashes.map((hash) => ((hash & 0xffffffff80000000n) !== 0n ? hash | 0x80000000n : hash)),
  ),
  'sign-bit-lost': changedHashes((hashes) => hashes.map((hash) => hash & 0x7fffffffffffffffn)),
  'bits-reversed': changedFingerprint(reverseBits),
  'fingerprint-as-double': changedFingerprint((x) => low64(BigInt(Number(x)))),
  'no-tokens-as-zero': { simhash: (hashes, s) => steps.simhash(hashes, s) ?? 0n },
};
const RFC = steps.base32Alphabet;

const alphabet = (base32Alphabet: string): Partial<Steps> => ({ base32Alphabet });

/** Reads a text that was repaired first; `length` characters are expected. */
const mended = (mend: (text: string, length: number) => string): Partial<Steps> => ({
  parse: (text, s, bytes = 8) => steps.parse(mend(text, bytes === 8 ? 13 : 52), s, bytes),
});

/** The same for the hexadecimal form. */
const hexRead = (mend: (text: string, digits: number) => string): Partial<Steps> => ({
  fromHex: (text, s, bytes = 8) => steps.fromHex(mend(text, 2 * bytes), s, bytes),
});

/** Reads and writes fingerprints whose words are changed on the way. */
const through = (write: (x: bigint) => bigint, read: (x: bigint) => bigint): Partial<Steps> => ({
  serialise: (fingerprint, s) => steps.serialise(eachWord(write)(fingerprint), s),
  parse: (text, s, bytes) => eachWord(read)(steps.parse(text, s, bytes)),
});

/** Base32 of the digits of a number, the spare bits first. */
function numberToBase32(fingerprint: Print): string {
  const [length, number] = [typeof fingerprint === 'bigint' ? 13 : 52, numberOf(fingerprint)];
  return Array.from({ length }, (_, i) => RFC[Number((number >> BigInt(5 * (length - 1 - i))) & 31n)]).join('');
}

const refuse = (code: 'invalid-fingerprint' | 'invalid-label'): never => {
  throw new TwinError(code, 'refused');
};

/** A label read in another way, and what is after the first colon as usual. */
const labelRead = (read: (label: string, s: Steps) => string): Partial<Steps> => ({ parseLabel: read });

const serialiseChanges: Changes = {
  'base32-hex': alphabet('0123456789ABCDEFGHIJKLMNOPQRSTUV'),
  'base32-crockford': alphabet('0123456789ABCDEFGHJKMNPQRSTVWXYZ'),
  'padding-kept': { base32Padding: '===' },
  'spare-bit-first': {
    serialise: (fingerprint) => numberToBase32(fingerprint),
    parse: (text, s, bytes = 8) => {
      steps.parse(text.toUpperCase().replace(/[A-Z2-7](=*)$/, 'A$1'), s, bytes);
      const digits = Array.from(text.toUpperCase().slice(0, bytes === 8 ? 13 : 52));
      const value = digits.reduce((x, one) => x * 32n + BigInt(RFC.indexOf(one)), 0n);
      if (value >> BigInt(8 * bytes) > 0n) refuse('invalid-fingerprint');
      return printOf(value.toString(16).padStart(2 * bytes, '0'));
    },
  },
  'leading-zeros-dropped': { toHex: (fingerprint) => numberOf(fingerprint).toString(16) },
  'leading-characters-dropped': {
    serialise: (fingerprint, s) => steps.serialise(fingerprint, s).replace(/^A+(?=.)/, ''),
  },
  'hex-upper-case': { toHex: (fingerprint, s) => steps.toHex(fingerprint, s).toUpperCase() },
  'hex-prefixed': { toHex: (fingerprint, s) => `0x${steps.toHex(fingerprint, s)}` },
  'hex-signed': {
    toHex: (fingerprint) => {
      if (typeof fingerprint !== 'bigint') return steps.toHex(fingerprint, steps);
      const number = BigInt.asIntN(64, fingerprint);
      return (number < 0n ? '-' : '') + (number < 0n ? -number : number).toString(16).padStart(16, '0');
    },
  },
  'hex-form-halves-unpadded': {
    toHex: (fingerprint) =>
      steps
        .wordsOf(fingerprint)
        .map((word) => (word >> 32n).toString(16) + (word & 0xffffffffn).toString(16))
        .join(''),
  },
  'written-octets-reversed': through(reverseBytes, reverseBytes),
  'written-as-double': through(
    (x) => low64(BigInt(Number(x))),
    (x) => low64(BigInt(Number(x))),
  ),
  'written-as-signed': through(
    (x) => (x >> 63n ? refuse('invalid-fingerprint') : x),
    (x) => (x >> 63n ? refuse('invalid-fingerprint') : x),
  ),

  // Readers.
  'spare-bit-ignored': { isSpareBit: () => true },
  'small-letters-refused': {
    base32Value: (character, s) => (/^[a-z]$/.test(character) ? undefined : steps.base32Value(character, s)),
  },
  'mixed-case-refused': {
    parse: (text, s, bytes) =>
      /[a-z]/.test(text) && /[A-Z]/.test(text) ? refuse('invalid-fingerprint') : steps.parse(text, s, bytes),
  },
  'padding-wanted': { isTrailer: (trailer, bytes) => trailer === (bytes === 32 ? '====' : '===') },
  'padding-any': { isTrailer: (trailer) => /^=*$/.test(trailer) },
  'digits-mended': mended((text) => text.replaceAll('0', 'O').replaceAll('1', 'I').replaceAll('8', 'B')),
  'digits-mended-l': mended((text) => text.replaceAll('0', 'O').replaceAll('1', 'L')),
  'line-end-accepted': mended((text) => text.replace(/\n$/, '')),
  'nul-ends-string': mended((text) => text.replace(/\0[\s\S]*/, '')),
  'others-skipped': mended((text) => text.replace(/[^A-Za-z2-7=]/g, '')),
  'unicode-upper-case': mended((text) => text.toUpperCase()),
  'unicode-lower-case': mended((text) => text.toLowerCase()),
  'hex-short-read': hexRead((text, digits) => (/^[0-9a-f]+$/i.test(text) ? text.padStart(digits, '0') : text)),
  'hex-trimmed': hexRead((text) => text.trim()),
  'hex-underscores-read': hexRead((text, digits) =>
    text.includes('_') ? text.replaceAll('_', '').padStart(digits, '0') : text,
  ),
  'hex-stops-early': hexRead((text) => /^[0-9a-f]*/i.exec(text)![0].slice(0, 16).padStart(16, '0')),
  'hex-any-number': {
    fromHex: (text, s) => {
      const digits = text.trim().replace(/^[+-]?0x/i, '');
      return steps.fromHex(/^[0-9a-f]{1,16}$/i.test(digits) ? digits.padStart(16, '0') : text, s);
    },
  },
  'hex-unicode-digits': hexRead((text) =>
    text.normalize('NFKC').replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660)),
  ),
  'label-unicode-folded': { foldLabel: (text) => text.toUpperCase().toLowerCase() },
  'label-line-end': labelRead((text, s) => steps.parseLabel(text.replace(/\n$/, ''), s)),
  'second-part': { parseLabelled: (text, s) => steps.parseLabelled(text.split(':').slice(0, 2).join(':'), s) },
  'space-behind-colon': { parseLabelled: (text, s) => steps.parseLabelled(text.replace(/:\s+/, ':'), s) },
};

/** Distances counted over something else than bits. */
const distanceBy = (count: (a: bigint, b: bigint) => number): Partial<Steps> => ({
  distance: (a, b) => {
    if (a === null || b === null) return steps.distance(a, b);
    const others = steps.wordsOf(b);
    return steps.wordsOf(a).reduce((sum, word, w) => sum + count(word, others[w]!), 0);
  },
});

const ones = (x: bigint): number => steps.distance(x, 0n);

/** Differences of the characters of two strings. */
const differences = (x: string, y: string): number => Array.from(x).filter((one, i) => one !== y[i]).length;

const compareChanges: Changes = {
  'distance-of-characters': distanceBy((a, b) => differences(steps.serialise(a, steps), steps.serialise(b, steps))),
  'distance-of-hex-digits': distanceBy((a, b) => differences(steps.toHex(a, steps), steps.toHex(b, steps))),
  'distance-low-half': distanceBy((a, b) => ones((a ^ b) & 0xffffffffn)),
  'distance-sign-extended': distanceBy((a, b) => {
    const x = a ^ b;
    return ones(x & 0x80000000n ? x | 0xffffffff00000000n : x);
  }),
  'distance-of-doubles': distanceBy((a, b) => ones(low64(BigInt(Number(a))) ^ low64(BigInt(Number(b))))),
  'similarity-integer': { similarity: (a, b, s) => 1 - Math.floor(s.distance(a, b) / widthOf(a)) },
  'threshold-close-2': { verdict: (d, bits) => (bits !== 256 && d === 2 ? 'close' : steps.verdict(d, bits)) },
  'threshold-close-3': { verdict: (d, bits) => (bits !== 256 && d <= 3 ? 'close' : steps.verdict(d, bits)) },
  'threshold-loose-7': { verdict: (d, bits) => (bits !== 256 && d === 7 ? 'loose' : steps.verdict(d, bits)) },
  'threshold-loose-3': { verdict: (d, bits) => (bits !== 256 && d > 3 ? 'none' : steps.verdict(d, bits)) },
  'none-alike': { distance: (a, b) => (a === null && b === null ? 0 : steps.distance(a, b)) },
};

export const fingerprintChanges: Changes = { ...simhashChanges, ...serialiseChanges, ...compareChanges };
