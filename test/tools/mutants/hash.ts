/** Wrong implementations of step 7: hash the tokens. */
import { createHash } from 'node:crypto';
import { type Lookup3, lookup3, type Steps, steps, type Three } from '../../twin/twin.ts';
import type { Changes } from './mutation.ts';

const low32 = (x: bigint): bigint => BigInt.asUintN(32, x);
const low64 = (x: bigint): bigint => BigInt.asUintN(64, x);

/** lookup3 with some of its details changed. */
const details = (changes: Partial<Lookup3>): Partial<Steps> => ({ lookup3: { ...lookup3, ...changes } });

/** Another function of the bytes in the place of lookup3. */
const otherHash = (run: (bytes: Uint8Array) => bigint): Partial<Steps> => ({
  hashToken: (token, s) => run(typeof token === 'string' ? s.encode(token) : token),
});

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

const tails: Changes = Object.fromEntries(
  Array.from({ length: 12 }, (_, i) => [
    `tail-${i + 1}-short`,
    details({ tail: (bytes, l) => lookup3.tail(bytes.length === i + 1 ? bytes.slice(0, -1) : bytes, l) }),
  ]),
);

export const hashChanges: Changes = {
  // The input of the hash.
  'utf16-units-hashed': { encode: (text) => bytesOf(unitsOf(text), 2, true) },
  'utf16-big-endian-hashed': { encode: (text) => bytesOf(unitsOf(text), 2, false) },
  'utf16-units-as-octets': { encode: (text) => Uint16Array.from(unitsOf(text)) as unknown as Uint8Array },
  'utf16-low-octets-hashed': { encode: (text) => Uint8Array.from(unitsOf(text)) },
  'code-points-hashed': { encode: (text) => bytesOf(codePoints(text), 4, true) },
  'latin-1-hashed': {
    encode: (text) => Uint8Array.from(codePoints(text), (codePoint) => (codePoint > 0xff ? 0x3f : codePoint)),
  },
  'cesu-8-hashed': { encode: cesu8 },
  'bom-hashed': { encode: (text) => Uint8Array.from([0xef, 0xbb, 0xbf, ...steps.encode(text)]) },
  'nul-hashed': otherHash((bytes) => steps.hashToken(Uint8Array.from([...bytes, 0]), steps)),
  'nul-ends-token': otherHash((bytes) => {
    const end = bytes.indexOf(0);
    return steps.hashToken(end < 0 ? bytes : bytes.slice(0, end), steps);
  }),
  'first-64-octets-hashed': otherHash((bytes) => steps.hashToken(bytes.slice(0, 64), steps)),
  'first-255-octets-hashed': {
    ...otherHash((bytes) => steps.hashToken(bytes.slice(0, 255), steps)),
    long: ['token-hash/long-word', 'token-hash/length-65536'],
  },

  // Making 64 bits of the two words.
  'words-swapped': { joinWords: (c, b) => steps.joinWords(b, c) },
  'hex-halves-unpadded': { joinWords: (c, b) => BigInt(`0x${b.toString(16)}${c.toString(16)}`) },
  'words-joined-in-32-bits': { joinWords: (c, b) => b | c },
  'low-word-repeated': { joinWords: (c) => steps.joinWords(c, c) },
  'low-word-sign-extended': { joinWords: (c, b) => low64((b << 32n) | signed(c)) },
  'low-word-added-signed': { joinWords: (c, b) => low64((b << 32n) + signed(c)) },
  hashlittle: { joinWords: (c) => c },
  'hash-octets-reversed': { joinWords: (c, b) => (swap32(c) << 32n) | swap32(b) },
  'word-octets-reversed': { joinWords: (c, b) => (swap32(b) << 32n) | swap32(c) },
  'hash-as-double': { joinWords: (c, b) => low64(BigInt(Number(steps.joinWords(c, b)))) },
  'sign-bit-cleared': { joinWords: (c, b) => steps.joinWords(c, b) & 0x7fffffffffffffffn },
  'initial-pb-ignored': { hashlittle2: (bytes, pc, _pb, s) => steps.hashlittle2(bytes, pc, 0n, s) },
  'initial-constant-golden': details({ initial: 0x9e3779b9n }),
  'length-times-4': details({ lengthTerm: (bytes) => 4n * BigInt(bytes.length) }),
  'length-in-characters': details({
    lengthTerm: (bytes) => BigInt(bytes.filter((byte) => byte < 0x80 || byte > 0xbf).length),
  }),
  'length-two-octets': {
    ...details({ lengthTerm: (bytes) => BigInt(bytes.length % 65536) }),
    long: ['token-hash/length-65536', 'token-hash/long-word'],
  },
  'big-endian-words': details({
    word: (bytes) => (bytes.length === 0 ? 0n : bigEndian(bytes) << BigInt(32 - 8 * bytes.length)),
  }),
  'signed-octets': details({
    word: (bytes) =>
      low32(bytes.reduceRight((word, byte, i) => word + (BigInt.asIntN(8, BigInt(byte)) << BigInt(8 * i)), 0n)),
  }),
  'rotation-signed': details({ rotate: (x, by) => low32((x << BigInt(by)) | (signed(x) >> BigInt(32 - by))) }),
  'no-wrap-around': { hashlittle2: wideLookup3 },
  'final-without-tail': details({ isInnerBlock: (left) => left >= 12, hasFinal: () => true }),
  ...tails,
  'tail-octet-reserved': details({
    tail: (bytes, l) => [l.word(bytes.slice(0, 4)), l.word(bytes.slice(4, 8)), low32(l.word(bytes.slice(8, 12)) << 8n)],
  }),
  // Other functions.
  'one-at-a-time': otherHash((bytes) => {
    const low = oneAtATime(bytes);
    return steps.joinWords(low, oneAtATime(bytes, low));
  }),
  'one-at-a-time-32': otherHash((bytes) => oneAtATime(bytes)),
  lookup8: otherHash(lookup8),
  'fnv-1': otherHash(fnv1),
  'fnv-1a': otherHash(fnv1a),
  'md5-first-octets': otherHash((bytes) => bigEndian(md5(bytes).subarray(0, 8))),
  'md5-last-octets': otherHash((bytes) => bigEndian(md5(bytes).subarray(8))),
};
