/** Wrong implementations of the steps 8 to 10: simhash, serialise, compare. */

import { type Print, type Steps, steps, TwinError, widthOf } from '../../twin/twin.ts';
import { printOf } from '../generate/oracle.ts';
import { countQuickly } from './counters.ts';
import { type Mutation, mistakesBy, mistakesOfStep } from './mutation.ts';

/** A fingerprint as one number, of 64 bits or 256. */
const numberOf = (fingerprint: Print): bigint => BigInt(`0x${steps.toHex(fingerprint, steps)}`);

/** Changes each word of a fingerprint. */
const eachWord =
  (change: (word: bigint) => bigint) =>
  (fingerprint: Print): Print =>
    steps.joinWordsOfPrint(steps.wordsOf(fingerprint).map(change), steps);

const low64 = (x: bigint): bigint => BigInt.asUintN(64, x);

// ------------------------------------------------------------------------------------------------ step 8: simhash

const simhash = mistakesOfStep(8);

/** Counters that are cut after each addition, as narrow numbers are. */
const narrow = mistakesBy(8, (cut: (counter: number) => number) => ({
  counters: (hashes, s) => {
    const result: number[] = new Array(64).fill(0);
    for (const hash of hashes) {
      const bits = s.toBits(hash);
      for (let i = 0; i < 64; i++) result[i] = cut(result[i]! + (bits[i] === '1' ? 1 : -1));
    }
    return result.map(BigInt);
  },
}));

/** Fingerprints that are changed once they are made. */
const changedFingerprint = mistakesBy(8, (change: (fingerprint: bigint) => bigint | null) => ({
  simhash: (hashes, s) => {
    const fingerprint = steps.simhash(hashes, s);
    return fingerprint === null ? null : change(fingerprint);
  },
}));

/** Hashes that are changed before they are counted. */
const changedHashes = mistakesBy(8, (change: (hashes: readonly bigint[]) => readonly bigint[]) => ({
  counters: (hashes, s) => countQuickly(change([...hashes]), s),
}));

const reverseBits = (x: bigint): bigint =>
  BigInt(`0b${Array.from(x.toString(2).padStart(64, '0')).reverse().join('')}`);

const bytes = (x: bigint): bigint[] => Array.from({ length: 8 }, (_, i) => (x >> BigInt(56 - 8 * i)) & 0xffn);
const ofBytes = (list: readonly bigint[]): bigint => list.reduce((x, byte) => (x << 8n) | byte, 0n);
const reverseBytes = (x: bigint): bigint => ofBytes(bytes(x).reverse());

/** The same hash for tokens counted with a weight. */
const weighted = mistakesBy(8, (weightOf: (token: string, count: number) => number) => ({
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
}));

const simhashMistakes: readonly Mutation[] = [
  simhash(
    'tie-to-one',
    'gives 1 for a tie',
    { fingerprintBit: (counter) => (counter >= 0n ? '1' : '0') },
    'sean-public/python-hashes, mfonda/simhash (Go), early versions of 1e0ng/simhash (Python)',
  ),
  simhash(
    'greater-than-one',
    'requires a counter of 2 for a bit 1',
    { fingerprintBit: (counter) => (counter > 1n ? '1' : '0') },
    'sing1ee/simhash-java',
  ),
  simhash(
    'bits-inverted',
    'gives 1 if the counter is negative',
    { fingerprintBit: (counter) => (counter < 0n ? '1' : '0') },
    'gaoya (Rust)',
  ),
  changedHashes(
    'hashes-deduplicated',
    'counts each hash once',
    (hashes) => [...new Set(hashes)],
    'features kept in a set or a map',
  ),
  weighted(
    'weights-by-logarithm',
    'weighs each token by 1 plus the logarithm of its number of occurrences',
    (_token, count) => 1 + Math.log2(count),
    'weights of search engines',
  ),
  simhash(
    'smallest-hash',
    'uses the smallest hash',
    {
      simhash: (hashes) => {
        const list = [...hashes];
        return list.length === 0 ? null : list.sort((x, y) => (x < y ? -1 : 1))[0]!;
      },
    },
    'minhash',
  ),
  simhash(
    'counters-unsigned',
    'uses unsigned counters',
    { counters: (hashes, s) => countQuickly(hashes, s).map(low64) },
    'uint64_t of C',
  ),
  narrow(
    'counters-not-below-zero',
    'uses counters that do not fall below 0',
    (counter) => Math.max(counter, 0),
    'saturating_sub of Rust',
  ),
  narrow(
    'counters-8-bit',
    'uses signed counters of 8 bits that wrap around',
    (counter) => (counter << 24) >> 24,
    'int8_t of C',
  ),
  narrow('counters-16-bit', 'uses signed counters of 16 bits that wrap around', (counter) => (counter << 16) >> 16, {
    source: 'short of C and Java',
    long: ['fingerprint/narrow-16', 'fingerprint/narrow-16-one', 'fingerprint/narrow-16-tie'],
  }),
  changedHashes(
    'low-half-repeated',
    'tests bits by a shift in 32 bits, so it counts the lower half twice',
    (hashes) => hashes.map((hash) => ((hash & 0xffffffffn) << 32n) | (hash & 0xffffffffn)),
    '1 << i of JavaScript, of int of Java and C',
  ),
  changedHashes(
    'low-half-alone',
    'counts only the lower 32 bits',
    (hashes) => hashes.map((hash) => hash & 0xffffffffn),
    'fingerprints of 32 bits',
  ),
  changedHashes(
    'mask-sign-extended',
    'tests bit 32 by a mask whose sign is extended to the upper half',
    (hashes) => hashes.map((hash) => ((hash & 0xffffffff80000000n) !== 0n ? hash | 0x80000000n : hash)),
    '(long) (1 << 31) of Java',
  ),
  changedHashes(
    'sign-bit-lost',
    'does not count bit 0',
    (hashes) => hashes.map((hash) => hash & 0x7fffffffffffffffn),
    'signed numbers of 64 bits',
  ),
  changedFingerprint(
    'bits-reversed',
    'puts bit 0 at the least significant end of the fingerprint',
    reverseBits,
    'fingerprint |= 1 << i',
  ),
  changedFingerprint(
    'fingerprint-as-double',
    'stores the fingerprint as a double of 53 bits',
    (x) => low64(BigInt(Number(x))),
    'numbers of JavaScript and JSON',
  ),
  simhash(
    'no-tokens-as-zero',
    'gives 64 zeros for a document without tokens',
    { simhash: (hashes, s) => steps.simhash(hashes, s) ?? 0n },
    'most libraries',
  ),
];

// ---------------------------------------------------------------------------------------------- step 9: serialise

const serialise = mistakesOfStep(9);
const RFC = steps.base32Alphabet;

const alphabet = mistakesBy(9, (base32Alphabet: string) => ({ base32Alphabet }));

/** Reads a text that was repaired first; `length` characters are expected. */
const mended = mistakesBy(9, (mend: (text: string, length: number) => string) => ({
  parse: (text, s, bytes = 8) => steps.parse(mend(text, bytes === 8 ? 13 : 52), s, bytes),
}));

/** The same for the hexadecimal form. */
const hexRead = mistakesBy(9, (mend: (text: string, digits: number) => string) => ({
  fromHex: (text, s, bytes = 8) => steps.fromHex(mend(text, 2 * bytes), s, bytes),
}));

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
const labelRead = mistakesBy(9, (read: (label: string, s: Steps) => string) => ({ parseLabel: read }));

const serialiseMistakes: readonly Mutation[] = [
  alphabet(
    'base32-hex',
    'uses the alphabet 0-9 A-V',
    '0123456789ABCDEFGHIJKLMNOPQRSTUV',
    'base32hex of RFC 4648, toString(32) of JavaScript',
  ),
  alphabet(
    'base32-crockford',
    "uses Crockford's alphabet",
    '0123456789ABCDEFGHJKMNPQRSTVWXYZ',
    'libraries that offer several alphabets',
  ),
  serialise('padding-kept', 'writes three equals signs', { base32Padding: '===' }, 'base64.b32encode of Python'),
  serialise(
    'spare-bit-first',
    'puts the spare bit before the 64 bits',
    {
      serialise: (fingerprint) => numberToBase32(fingerprint),
      parse: (text, s, bytes = 8) => {
        steps.parse(text.toUpperCase().replace(/[A-Z2-7](=*)$/, 'A$1'), s, bytes);
        const digits = Array.from(text.toUpperCase().slice(0, bytes === 8 ? 13 : 52));
        const value = digits.reduce((x, one) => x * 32n + BigInt(RFC.indexOf(one)), 0n);
        if (value >> BigInt(8 * bytes) > 0n) refuse('invalid-fingerprint');
        return printOf(value.toString(16).padStart(2 * bytes, '0'));
      },
    },
    'numbers written in base 32',
  ),
  serialise(
    'leading-zeros-dropped',
    'drops leading zeros of the hexadecimal form',
    { toHex: (fingerprint) => numberOf(fingerprint).toString(16) },
    'toString(16), %x',
  ),
  serialise(
    'leading-characters-dropped',
    'drops every leading A of the written form',
    { serialise: (fingerprint, s) => steps.serialise(fingerprint, s).replace(/^A+(?=.)/, '') },
    'numbers written in base 32',
  ),
  serialise(
    'hex-upper-case',
    'writes the hexadecimal form in upper case',
    { toHex: (fingerprint, s) => steps.toHex(fingerprint, s).toUpperCase() },
    '%X',
  ),
  serialise(
    'hex-prefixed',
    'writes 0x before the hexadecimal form',
    { toHex: (fingerprint, s) => `0x${steps.toHex(fingerprint, s)}` },
    'hex of Python',
  ),
  serialise(
    'hex-signed',
    'writes the hexadecimal form of a signed number',
    {
      toHex: (fingerprint) => {
        if (typeof fingerprint !== 'bigint') return steps.toHex(fingerprint, steps);
        const number = BigInt.asIntN(64, fingerprint);
        return (number < 0n ? '-' : '') + (number < 0n ? -number : number).toString(16).padStart(16, '0');
      },
    },
    'Long.toString(x, 16) of Java',
  ),
  serialise(
    'hex-form-halves-unpadded',
    'writes the halves of the hexadecimal form without leading zeros',
    {
      toHex: (fingerprint) =>
        steps
          .wordsOf(fingerprint)
          .map((word) => (word >> 32n).toString(16) + (word & 0xffffffffn).toString(16))
          .join(''),
    },
    'vkandy/simhash-js',
  ),
  serialise(
    'written-octets-reversed',
    'writes and reads the octets in reverse order, as on a little-endian machine',
    through(reverseBytes, reverseBytes),
    'memcpy of a 64-bit number',
  ),
  serialise(
    'written-as-double',
    'writes and reads through a double of 53 bits',
    through(
      (x) => low64(BigInt(Number(x))),
      (x) => low64(BigInt(Number(x))),
    ),
    'numbers of JavaScript and JSON',
  ),
  serialise(
    'written-as-signed',
    'refuses to write and read fingerprints whose highest bit is 1',
    through(
      (x) => (x >> 63n ? refuse('invalid-fingerprint') : x),
      (x) => (x >> 63n ? refuse('invalid-fingerprint') : x),
    ),
    'signed numbers of 64 bits',
  ),

  // Readers.
  serialise(
    'spare-bit-ignored',
    'reads a string whose spare bit is 1',
    { isSpareBit: () => true },
    'most base32 libraries',
  ),
  serialise(
    'small-letters-refused',
    'refuses lower-case letters',
    { base32Value: (character, s) => (/^[a-z]$/.test(character) ? undefined : steps.base32Value(character, s)) },
    'base64.b32decode of Python without casefold',
  ),
  serialise(
    'mixed-case-refused',
    'refuses a string with lower-case and upper-case letters',
    {
      parse: (text, s, bytes) =>
        /[a-z]/.test(text) && /[A-Z]/.test(text) ? refuse('invalid-fingerprint') : steps.parse(text, s, bytes),
    },
    'Bech32',
  ),
  serialise(
    'padding-wanted',
    'requires equals signs',
    { isTrailer: (trailer, bytes) => trailer === (bytes === 32 ? '====' : '===') },
    'base64.b32decode of Python',
  ),
  serialise(
    'padding-any',
    'reads any number of equals signs',
    { isTrailer: (trailer) => /^=*$/.test(trailer) },
    'libraries that strip padding',
  ),
  mended(
    'digits-mended',
    'reads 0, 1 and 8 as O, I and B',
    (text) => text.replaceAll('0', 'O').replaceAll('1', 'I').replaceAll('8', 'B'),
    'base64.b32decode of Python with map01, libraries that forgive typing errors',
  ),
  mended(
    'digits-mended-l',
    'reads 0 and 1 as O and L',
    (text) => text.replaceAll('0', 'O').replaceAll('1', 'L'),
    'base64.b32decode of Python with map01="L"',
  ),
  mended(
    'line-end-accepted',
    'reads a string with a line feed after it',
    (text) => text.replace(/\n$/, ''),
    '$ of patterns in Python, Perl, PCRE, Java',
  ),
  mended('nul-ends-string', 'reads nothing after a NUL', (text) => text.replace(/\0[\s\S]*/, ''), 'strings of C'),
  mended(
    'others-skipped',
    'skips characters outside the alphabet',
    (text) => text.replace(/[^A-Za-z2-7=]/g, ''),
    'decoders of PHP and other lenient ones',
  ),
  mended(
    'unicode-upper-case',
    'converts what it reads to upper case by Unicode',
    (text) => text.toUpperCase(),
    'toUpperCase of Java and JavaScript',
  ),
  mended(
    'unicode-lower-case',
    'converts what it reads to lower case by Unicode',
    (text) => text.toLowerCase(),
    'toLowerCase of Java and JavaScript',
  ),
  hexRead(
    'hex-short-read',
    'reads hexadecimal forms without leading zeros',
    (text, digits) => (/^[0-9a-f]+$/i.test(text) ? text.padStart(digits, '0') : text),
    'parseInt, strtoull, BigInt',
  ),
  hexRead(
    'hex-trimmed',
    'trims white space around the hexadecimal form',
    (text) => text.trim(),
    'parseInt, BigInt, int of Python',
  ),
  hexRead(
    'hex-underscores-read',
    'skips underscores in the hexadecimal form',
    (text, digits) => (text.includes('_') ? text.replaceAll('_', '').padStart(digits, '0') : text),
    'int of Python',
  ),
  hexRead(
    'hex-stops-early',
    'reads a hexadecimal form up to the first character that is not a digit',
    (text) => /^[0-9a-f]*/i.exec(text)![0].slice(0, 16).padStart(16, '0'),
    'parseInt of JavaScript, strtoull of C',
  ),
  serialise(
    'hex-any-number',
    'reads anything that the language reads as a number',
    {
      fromHex: (text, s) => {
        const digits = text.trim().replace(/^[+-]?0x/i, '');
        return steps.fromHex(/^[0-9a-f]{1,16}$/i.test(digits) ? digits.padStart(16, '0') : text, s);
      },
    },
    'int of Python, BigInt of JavaScript',
  ),
  hexRead(
    'hex-unicode-digits',
    'reads digits of other scripts in the hexadecimal form',
    (text) => text.normalize('NFKC').replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660)),
    'int of Python',
  ),
  serialise(
    'label-unicode-folded',
    'folds labels by Unicode',
    { foldLabel: (text) => text.toUpperCase().toLowerCase() },
    'equalsIgnoreCase of Java, casefold of Python',
  ),
  labelRead(
    'label-line-end',
    'accepts a line feed after a label',
    (text, s) => steps.parseLabel(text.replace(/\n$/, ''), s),
    '$ of patterns in Python, Perl, PCRE, Java',
  ),
  serialise(
    'second-part',
    'reads the part between the first and the second colon',
    { parseLabelled: (text, s) => steps.parseLabelled(text.split(':').slice(0, 2).join(':'), s) },
    'split(":")[1]',
  ),
  serialise(
    'space-behind-colon',
    'skips white space after the colon',
    { parseLabelled: (text, s) => steps.parseLabelled(text.replace(/:\s+/, ':'), s) },
    'readers of header fields',
  ),
];

// ----------------------------------------------------------------------------------------------- step 10: compare

const compare = mistakesOfStep(10);

/** Distances counted over something else than bits. */
const distanceBy = mistakesBy(10, (count: (a: bigint, b: bigint) => number) => ({
  distance: (a, b) => {
    if (a === null || b === null) return steps.distance(a, b);
    const others = steps.wordsOf(b);
    return steps.wordsOf(a).reduce((sum, word, w) => sum + count(word, others[w]!), 0);
  },
}));

const ones = (x: bigint): number => steps.distance(x, 0n);

/** Differences of the characters of two strings. */
const differences = (x: string, y: string): number => Array.from(x).filter((one, i) => one !== y[i]).length;

const compareMistakes: readonly Mutation[] = [
  distanceBy(
    'distance-of-characters',
    'counts differing characters of the written form',
    (a, b) => differences(steps.serialise(a, steps), steps.serialise(b, steps)),
    'Hamming distances of strings',
  ),
  distanceBy(
    'distance-of-hex-digits',
    'counts differing hexadecimal digits',
    (a, b) => differences(steps.toHex(a, steps), steps.toHex(b, steps)),
    'Hamming distances of strings',
  ),
  distanceBy(
    'distance-low-half',
    'counts only bits of the lower half',
    (a, b) => ones((a ^ b) & 0xffffffffn),
    'bit operators of JavaScript, __builtin_popcount of C',
  ),
  distanceBy(
    'distance-sign-extended',
    'counts the upper half as differing if bit 32 does',
    (a, b) => {
      const x = a ^ b;
      return ones(x & 0x80000000n ? x | 0xffffffff00000000n : x);
    },
    'int of Java and C made long',
  ),
  distanceBy(
    'distance-of-doubles',
    'stores fingerprints as doubles of 53 bits',
    (a, b) => ones(low64(BigInt(Number(a))) ^ low64(BigInt(Number(b)))),
    'numbers of JavaScript and JSON',
  ),
  compare(
    'similarity-integer',
    'divides integers',
    { similarity: (a, b, s) => 1 - Math.floor(s.distance(a, b) / widthOf(a)) },
    '/ of integers in C, Java, Python 2',
  ),
  compare(
    'threshold-close-2',
    'calls a distance of 2 close',
    { verdict: (d, bits) => (bits !== 256 && d === 2 ? 'close' : steps.verdict(d, bits)) },
    '0.98 rounded up to bits',
  ),
  compare(
    'threshold-close-3',
    'calls distances of up to 3 close',
    { verdict: (d, bits) => (bits !== 256 && d <= 3 ? 'close' : steps.verdict(d, bits)) },
    'the distance of filters taken for a threshold',
  ),
  compare(
    'threshold-loose-7',
    'calls a distance of 7 loose',
    { verdict: (d, bits) => (bits !== 256 && d === 7 ? 'loose' : steps.verdict(d, bits)) },
    '0.90 rounded up to bits',
  ),
  compare(
    'threshold-loose-3',
    'calls distances above 3 no match',
    { verdict: (d, bits) => (bits !== 256 && d > 3 ? 'none' : steps.verdict(d, bits)) },
    'the distance of filters taken for a threshold',
  ),
  compare(
    'none-alike',
    'calls two documents without a fingerprint alike',
    { distance: (a, b) => (a === null && b === null ? 0 : steps.distance(a, b)) },
    'null equals null',
  ),
];

export const fingerprintMutations: readonly Mutation[] = [...simhashMistakes, ...serialiseMistakes, ...compareMistakes];
