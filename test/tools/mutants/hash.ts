/** Wrong implementations of step 7: hash the tokens. */
import { createHash } from 'node:crypto';
import { type Lookup3, lookup3, type Steps, steps, type Three } from '../../twin/twin.ts';
import { type Mutation, mistakesBy, mistakesOfStep } from './mutation.ts';

const hash = mistakesOfStep(7);

const low32 = (x: bigint): bigint => BigInt.asUintN(32, x);
const low64 = (x: bigint): bigint => BigInt.asUintN(64, x);

/** lookup3 with some of its details changed. */
const details = (changes: Partial<Lookup3>): Partial<Steps> => ({ lookup3: { ...lookup3, ...changes } });

/** Another function of the bytes in the place of lookup3. */
const otherHash = mistakesBy(7, (run: (bytes: Uint8Array) => bigint) => ({
  hashToken: (token, s) => run(typeof token === 'string' ? s.encode(token) : token),
}));

/** Bytes of units of 16 or 32 bits. */
function bytesOf(values: readonly number[], width: number, little: boolean): Uint8Array {
  const shifts = Array.from({ length: width }, (_, i) => 8 * (little ? i : width - 1 - i));
  return Uint8Array.from(values.flatMap((value) => shifts.map((shift) => Math.floor(value / 2 ** shift) % 256)));
}

const unitsOf = (text: string): number[] => Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));

const codePoints = (text: string): number[] => Array.from(text, (one) => one.codePointAt(0)!);

/** CESU-8: each unit of a pair encoded by itself. */
function cesu8(text: string): Uint8Array {
  return Uint8Array.from(
    unitsOf(text).flatMap((unit) =>
      unit >= 0xd800 && unit <= 0xdfff
        ? [0xe0 + (unit >> 12), 0x80 + ((unit >> 6) % 64), 0x80 + (unit % 64)]
        : [...steps.encode(String.fromCharCode(unit))],
    ),
  );
}

const bigEndian = (bytes: Uint8Array): bigint => bytes.reduce((word, byte) => word * 256n + BigInt(byte), 0n);

/** Variables of 64 bits where 32 are meant, as `unsigned long` gives them. */
function wideLookup3(bytes: Uint8Array, pc: bigint, pb: bigint): { c: bigint; b: bigint } {
  const rotate = (x: bigint, by: number): bigint => low64(x << BigInt(by)) ^ (x >> BigInt(32 - by));
  const [mixBy, finalBy] = [lookup3.mixRotations, lookup3.finalRotations];
  const words = (from: number): bigint[] =>
    [0, 4, 8].map((at) => lookup3.word(bytes.slice(from + at, Math.min(from + at + 4, bytes.length))));
  const start = lookup3.initial + BigInt(bytes.length) + pc;
  let [a, b, c] = [start, start, start + pb];
  let at = 0;
  for (; bytes.length - at > 12; at += 12) {
    const [x, y, z] = words(at) as [bigint, bigint, bigint];
    [a, b, c] = [low64(a + x), low64(b + y), low64(c + z)];
    a = low64(a - c) ^ rotate(c, mixBy[0]!);
    c = low64(c + b);
    b = low64(b - a) ^ rotate(a, mixBy[1]!);
    a = low64(a + c);
    c = low64(c - b) ^ rotate(b, mixBy[2]!);
    b = low64(b + a);
    a = low64(a - c) ^ rotate(c, mixBy[3]!);
    c = low64(c + b);
    b = low64(b - a) ^ rotate(a, mixBy[4]!);
    a = low64(a + c);
    c = low64(c - b) ^ rotate(b, mixBy[5]!);
    b = low64(b + a);
  }
  if (bytes.length === 0) return { c: low32(c), b: low32(b) };
  const [x, y, z] = words(at) as [bigint, bigint, bigint];
  [a, b, c] = [low64(a + x), low64(b + y), low64(c + z)];
  c = low64((c ^ b) - rotate(b, finalBy[0]!));
  a = low64((a ^ c) - rotate(c, finalBy[1]!));
  b = low64((b ^ a) - rotate(a, finalBy[2]!));
  c = low64((c ^ b) - rotate(b, finalBy[3]!));
  a = low64((a ^ c) - rotate(c, finalBy[4]!));
  b = low64((b ^ a) - rotate(a, finalBy[5]!));
  c = low64((c ^ b) - rotate(b, finalBy[6]!));
  return { c: low32(c), b: low32(b) };
}

/** Jenkins' one-at-a-time hash (1997), 32 bits. */
function oneAtATime(bytes: Uint8Array, seed = 0n): bigint {
  let x = seed;
  for (const byte of bytes) {
    x = low32(x + BigInt(byte));
    x = low32(x + (x << 10n));
    x ^= x >> 6n;
  }
  x = low32(x + (x << 3n));
  x ^= x >> 11n;
  return low32(x + (x << 15n));
}

const littleEndian = (bytes: Uint8Array): bigint => bytes.reduceRight((word, byte) => word * 256n + BigInt(byte), 0n);

/** Jenkins' lookup8 (1997), 64 bits. */
function lookup8(bytes: Uint8Array): bigint {
  const right = [43n, 8n, 38n, 5n, 35n, 11n, 12n, 22n];
  const left = [9n, 23n, 49n, 18n];
  const mix = ([a, b, c]: Three): Three => {
    for (let i = 0; i < 4; i++) {
      a = low64(a - b - c) ^ (c >> right[2 * i]!);
      b = low64(b - c - a) ^ low64(a << left[i]!);
      c = low64(c - a - b) ^ (b >> right[2 * i + 1]!);
    }
    return [a, b, c];
  };
  let abc: Three = [0n, 0n, 0x9e3779b97f4a7c13n];
  let at = 0;
  const word = (from: number): bigint => littleEndian(bytes.slice(at + from, at + from + 8));
  for (; bytes.length - at >= 24; at += 24)
    abc = mix([low64(abc[0] + word(0)), low64(abc[1] + word(8)), low64(abc[2] + word(16))]);
  const c = littleEndian(bytes.slice(at + 16)) << 8n;
  return mix([low64(abc[0] + word(0)), low64(abc[1] + word(8)), low64(abc[2] + c + BigInt(bytes.length))])[2];
}

function fnv1(bytes: Uint8Array): bigint {
  return bytes.reduce((x, byte) => low64(x * 0x100000001b3n) ^ BigInt(byte), 0xcbf29ce484222325n);
}

function fnv1a(bytes: Uint8Array): bigint {
  return bytes.reduce((x, byte) => low64((x ^ BigInt(byte)) * 0x100000001b3n), 0xcbf29ce484222325n);
}

const md5 = (bytes: Uint8Array): Uint8Array => createHash('md5').update(bytes).digest();

const swap32 = (x: bigint): bigint =>
  bigEndian(Uint8Array.from([0, 8, 16, 24], (shift) => Number((x >> BigInt(shift)) & 0xffn)));

/** Signs 32 bits. */
const signed = (x: bigint): bigint => BigInt.asIntN(32, x);

const tails: readonly Mutation[] = Array.from({ length: 12 }, (_, i) => {
  const length = i + 1;
  return hash(
    `tail-${length}-short`,
    `forgets the last octet of a tail of ${length}`,
    details({ tail: (bytes, l) => lookup3.tail(bytes.length === length ? bytes.slice(0, -1) : bytes, l) }),
    'a missing case of the switch',
  );
});

export const hashMutations: readonly Mutation[] = [
  // The input of the hash.
  hash(
    'utf16-units-hashed',
    'hashes UTF-16 units, two octets each, little-endian',
    { encode: (text) => bytesOf(unitsOf(text), 2, true) },
    'strings of C#, wchar_t of Windows',
  ),
  hash(
    'utf16-big-endian-hashed',
    'hashes UTF-16 units, two octets each, big-endian',
    { encode: (text) => bytesOf(unitsOf(text), 2, false) },
    'getBytes("UTF-16BE") of Java',
  ),
  hash(
    'utf16-units-as-octets',
    'hashes each UTF-16 unit as if it were an octet',
    { encode: (text) => Uint16Array.from(unitsOf(text)) as unknown as Uint8Array },
    'vkandy/simhash-js, charCodeAt of JavaScript',
  ),
  hash(
    'utf16-low-octets-hashed',
    'hashes the low octet of each UTF-16 unit',
    { encode: (text) => Uint8Array.from(unitsOf(text)) },
    '(byte) of a char of Java, "binary" of Node',
  ),
  hash(
    'code-points-hashed',
    'hashes code points, four octets each, little-endian',
    { encode: (text) => bytesOf(codePoints(text), 4, true) },
    'wchar_t of Linux',
  ),
  hash(
    'latin-1-hashed',
    'hashes Latin-1, with a question mark for what it lacks',
    { encode: (text) => Uint8Array.from(codePoints(text), (codePoint) => (codePoint > 0xff ? 0x3f : codePoint)) },
    'getBytes of Java with a platform charset',
  ),
  hash(
    'cesu-8-hashed',
    'hashes surrogates as three octets each',
    { encode: cesu8 },
    'GetStringUTFChars of JNI, utf8 of old databases',
  ),
  hash(
    'bom-hashed',
    'hashes a byte order mark with each token',
    { encode: (text) => Uint8Array.from([0xef, 0xbb, 0xbf, ...steps.encode(text)]) },
    'encodings with a signature, "utf-8-sig" of Python',
  ),
  otherHash(
    'nul-hashed',
    'hashes a NUL after each token',
    (bytes) => steps.hashToken(Uint8Array.from([...bytes, 0]), steps),
    'sizeof of a string literal of C',
  ),
  otherHash(
    'nul-ends-token',
    'hashes nothing after a NUL',
    (bytes) => {
      const end = bytes.indexOf(0);
      return steps.hashToken(end < 0 ? bytes : bytes.slice(0, end), steps);
    },
    'strlen of C',
  ),
  otherHash(
    'first-64-octets-hashed',
    'hashes the first 64 octets of a token',
    (bytes) => steps.hashToken(bytes.slice(0, 64), steps),
    'buffers of a fixed size',
  ),
  otherHash(
    'first-255-octets-hashed',
    'hashes the first 255 octets of a token',
    (bytes) => steps.hashToken(bytes.slice(0, 255), steps),
    { source: 'lengths kept in an octet', long: ['token-hash/long-word', 'token-hash/length-65536'] },
  ),

  // Making 64 bits of the two words.
  hash(
    'words-swapped',
    'puts c in the upper half and b in the lower',
    { joinWords: (c, b) => steps.joinWords(b, c) },
    'earlier versions of seomoz/simhash-cpp',
  ),
  hash(
    'hex-halves-unpadded',
    'joins the two words as hexadecimal without leading zeros',
    { joinWords: (c, b) => BigInt(`0x${b.toString(16)}${c.toString(16)}`) },
    'vkandy/simhash-js',
  ),
  hash(
    'words-joined-in-32-bits',
    'shifts b by 32 in 32 bits, which shifts nothing',
    { joinWords: (c, b) => b | c },
    '(b << 32) | c of JavaScript, of int of Java and C',
  ),
  hash(
    'low-word-repeated',
    'repeats c in the upper half',
    { joinWords: (c) => steps.joinWords(c, c) },
    'a signed shift by 32, which is one by 0',
  ),
  hash(
    'low-word-sign-extended',
    'extends the sign of c over b',
    { joinWords: (c, b) => low64((b << 32n) | signed(c)) },
    '((long) b << 32) | c of Java',
  ),
  hash(
    'low-word-added-signed',
    'adds c as a signed number',
    { joinWords: (c, b) => low64((b << 32n) + signed(c)) },
    'b * 2 ** 32 + c of JavaScript without >>> 0',
  ),
  hash(
    'hashlittle',
    'uses the 32 bits of hashlittle, with the upper half 0',
    { joinWords: (c) => c },
    'hashlittle of lookup3, libraries of 32 bits',
  ),
  hash(
    'hash-octets-reversed',
    'reverses the 8 octets of the hash, as on a little-endian machine',
    { joinWords: (c, b) => (swap32(c) << 32n) | swap32(b) },
    'memcpy of a 64-bit number',
  ),
  hash(
    'word-octets-reversed',
    'reverses the octets of each word, as on a little-endian machine',
    { joinWords: (c, b) => (swap32(b) << 32n) | swap32(c) },
    'memcpy of two 32-bit numbers',
  ),
  hash(
    'hash-as-double',
    'stores the hash as a double of 53 bits',
    { joinWords: (c, b) => low64(BigInt(Number(steps.joinWords(c, b)))) },
    'numbers of JavaScript and JSON',
  ),
  hash(
    'sign-bit-cleared',
    'clears the highest bit of the hash',
    { joinWords: (c, b) => steps.joinWords(c, b) & 0x7fffffffffffffffn },
    'signed 64-bit integers of SQL and Java made positive',
  ),
  hash(
    'initial-pb-ignored',
    'ignores pb',
    { hashlittle2: (bytes, pc, _pb, s) => steps.hashlittle2(bytes, pc, 0n, s) },
    'hashlittle, which has one initial value',
  ),
  hash(
    'initial-constant-golden',
    'starts from 9e3779b9 instead of deadbeef',
    details({ initial: 0x9e3779b9n }),
    'lookup2',
  ),
  hash(
    'length-times-4',
    'adds four times the length',
    details({ lengthTerm: (bytes) => 4n * BigInt(bytes.length) }),
    'hashword of lookup3',
  ),
  hash(
    'length-in-characters',
    'adds the number of code points',
    details({ lengthTerm: (bytes) => BigInt(bytes.filter((byte) => byte < 0x80 || byte > 0xbf).length) }),
    'length of a string for that of its octets',
  ),
  hash(
    'length-two-octets',
    'adds the two lowest octets of the length',
    details({ lengthTerm: (bytes) => BigInt(bytes.length % 65536) }),
    { source: 'uint16_t of C', long: ['token-hash/length-65536', 'token-hash/long-word'] },
  ),
  hash(
    'big-endian-words',
    'reads words big-endian',
    details({ word: (bytes) => (bytes.length === 0 ? 0n : bigEndian(bytes) << BigInt(32 - 8 * bytes.length)) }),
    'hashbig of lookup3 on a big-endian machine',
  ),
  hash(
    'signed-octets',
    'reads octets from 80 on as negative numbers',
    details({
      word: (bytes) =>
        low32(bytes.reduceRight((word, byte, i) => word + (BigInt.asIntN(8, BigInt(byte)) << BigInt(8 * i)), 0n)),
    }),
    'char of C, byte of Java',
  ),
  hash(
    'rotation-signed',
    'rotates by a shift that extends the sign',
    details({ rotate: (x, by) => low32((x << BigInt(by)) | (signed(x) >> BigInt(32 - by))) }),
    'vkandy/simhash-js, >> of JavaScript and Java',
  ),
  hash(
    'no-wrap-around',
    'uses variables of 64 bits, so nothing wraps around at 2^32',
    { hashlittle2: wideLookup3 },
    'unsigned long of C, numbers of Python and PHP',
  ),
  hash(
    'final-without-tail',
    'mixes the last block of 12 octets, and does Final without a tail',
    details({ isInnerBlock: (left) => left >= 12, hasFinal: () => true }),
    'while (length >= 12) for while (length > 12)',
  ),
  ...tails,
  hash(
    'tail-octet-reserved',
    'leaves the lowest octet of c free in the tail',
    details({
      tail: (bytes, l) => [
        l.word(bytes.slice(0, 4)),
        l.word(bytes.slice(4, 8)),
        low32(l.word(bytes.slice(8, 12)) << 8n),
      ],
    }),
    'lookup2',
  ),
  // Other functions.
  otherHash(
    'one-at-a-time',
    "uses Jenkins' one-at-a-time hash, with another start for the upper half",
    (bytes) => {
      const low = oneAtATime(bytes);
      return steps.joinWords(low, oneAtATime(bytes, low));
    },
    'libraries that call one-at-a-time the Jenkins hash',
  ),
  otherHash(
    'one-at-a-time-32',
    "uses Jenkins' one-at-a-time hash, with the upper half 0",
    (bytes) => oneAtATime(bytes),
    'libraries that call one-at-a-time the Jenkins hash',
  ),
  otherHash('lookup8', "uses Jenkins' lookup8", lookup8, 'the "64-bit Jenkins hash" of some libraries'),
  otherHash('fnv-1', 'uses FNV-1', fnv1, 'mfonda/simhash (Go)'),
  otherHash('fnv-1a', 'uses FNV-1a', fnv1a, 'com.xzixi.algorithm:simhash-core (Java)'),
  otherHash(
    'md5-first-octets',
    'uses the first 8 octets of MD5',
    (bytes) => bigEndian(md5(bytes).subarray(0, 8)),
    'seomoz/simhash-py',
  ),
  otherHash(
    'md5-last-octets',
    'uses the last 8 octets of MD5',
    (bytes) => bigEndian(md5(bytes).subarray(8)),
    '1e0ng/simhash (Python)',
  ),
];
