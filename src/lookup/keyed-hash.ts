/** Hashes octets, `length` of them from `from` on, to an unsigned 32-bit number. */
export type OctetsHash = (octets: Uint8Array, from: number, length: number) => number;

/**
 * Makes a hash function with a random key: HalfSipHash-1-3 (Aumasson and Bernstein, 32-bit words). Nobody who chooses what
 * is hashed can make values collide, as with a function that is the same everywhere.
 */
export function createKeyedHash(): OctetsHash {
  const [key0, key1] = randomWords();
  return (octets, from, length) => {
    let v0 = key0;
    let v1 = key1;
    let v2 = 0x6c796765 ^ key0;
    let v3 = 0x74656462 ^ key1;
    const words = length >> 2;
    // The words, then one with what is left and the length, then three rounds to finish.
    for (let i = 0; i < words + 4; i++) {
      const word = i > words ? 0 : i < words ? wordAt(octets, from + 4 * i) : lastWord(octets, from, length);
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

function wordAt(octets: Uint8Array, at: number): number {
  return octets[at]! | (octets[at + 1]! << 8) | (octets[at + 2]! << 16) | (octets[at + 3]! << 24);
}

function lastWord(octets: Uint8Array, from: number, length: number): number {
  let word = length << 24;
  for (let i = length & ~3; i < length; i++) word |= octets[from + i]! << (8 * (i & 3));
  return word;
}

/** Two random 32-bit numbers. */
export function randomWords(): [number, number] {
  const { crypto } = globalThis as { crypto?: { getRandomValues?(words: Uint32Array): Uint32Array } };
  const words = new Uint32Array(2);
  if (typeof crypto?.getRandomValues === 'function') crypto.getRandomValues(words);
  else for (let i = 0; i < 2; i++) words[i] = Math.random() * 2 ** 32;
  return [words[0]! | 0, words[1]! | 0];
}
