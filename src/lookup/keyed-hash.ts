export type BytesHash = (bytes: Uint8Array, from: number, length: number) => number;

/**
 * Makes a hash function with a random key: HalfSipHash-1-3 (Aumasson and Bernstein, 32-bit words). The random key
 * keeps an attacker who chooses the input from making values collide.
 */
export function createKeyedHash(): BytesHash {
  const [key0, key1] = new Int32Array(randomWords(2).buffer) as unknown as [number, number];
  return (bytes, from, length) => {
    let v0 = key0;
    let v1 = key1;
    let v2 = 0x6c796765 ^ key0;
    let v3 = 0x74656462 ^ key1;
    const words = length >> 2;
    // The words, then one with the rest and the length, then three rounds to finish.
    for (let i = 0; i < words + 4; i++) {
      const word = i > words ? 0 : i < words ? wordAt(bytes, from + 4 * i) : lastWord(bytes, from, length);
      if (i === words + 1) v2 ^= 0xff;
      v3 ^= word;
      v0 = (v0 + v1) | 0;
      v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
      v0 = (v0 << 16) | (v0 >>> 16);
      v2 = (v2 + v3) | 0;
      v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
      v0 = (v0 + v3) | 0;
      v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
      v2 = (v2 + v1) | 0;
      v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
      v2 = (v2 << 16) | (v2 >>> 16);
      v0 ^= word;
    }
    return (v1 ^ v3) >>> 0;
  };
}

function wordAt(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
}

function lastWord(bytes: Uint8Array, from: number, length: number): number {
  let word = length << 24;
  for (let i = length & ~3; i < length; i++) word |= bytes[from + i]! << (8 * (i & 3));
  return word;
}

/**
 * Makes a hash function with a random key for at most `maxLength` bytes: the sum of products of UMAC (NH, RFC 4418,
 * section 5.2) with halves of 16 bits, then mixed. At most one key in 2^15 gives two chosen values the same sum, so
 * an attacker without the key cannot choose many that collide. That is enough for a hash table, and faster than
 * HalfSipHash.
 */
export function createTableHash(maxLength: number): BytesHash {
  const keys = randomWords((maxLength >> 2) + 2);
  const last = keys.length - 1;
  return (bytes, from, length) => {
    let sum = keys[last]!;
    const words = length >> 2;
    let at = from;
    for (let i = 0; i < words; i++, at += 4) {
      const key = keys[i]!;
      const low = ((bytes[at]! | (bytes[at + 1]! << 8)) + key) & 0xffff;
      const high = ((bytes[at + 2]! | (bytes[at + 3]! << 8)) + (key >>> 16)) & 0xffff;
      sum = (sum + Math.imul(low, high)) | 0;
    }
    // The rest, and its length: different values become different words.
    let rest = (length & 3) << 24;
    for (let i = length & 3; i > 0; i--) rest |= bytes[at + i - 1]! << (8 * (i - 1));
    const key = keys[words]!;
    sum = (sum + Math.imul((rest + key) & 0xffff, ((rest >>> 16) + (key >>> 16)) & 0xffff)) | 0;
    sum = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b);
    sum = Math.imul(sum ^ (sum >>> 13), 0xc2b2ae35);
    return (sum ^ (sum >>> 16)) >>> 0;
  };
}

export function randomWords(count: number): Uint32Array {
  const { crypto } = globalThis as { crypto?: { getRandomValues?(words: Uint32Array): Uint32Array } };
  const words = new Uint32Array(count);
  if (typeof crypto?.getRandomValues === 'function') crypto.getRandomValues(words);
  else for (let i = 0; i < count; i++) words[i] = Math.random() * 2 ** 32;
  return words;
}

export function randomOddKey(): bigint {
  const [high, low] = randomWords(2);
  return (BigInt(high!) << 32n) | BigInt(low!) | 1n;
}
