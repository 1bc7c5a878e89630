/** Hashes octets, `length` of them from `from` on, to an unsigned 32-bit number. */
export type OctetsHash = (octets: Uint8Array, from: number, length: number) => number;

/**
 * Makes a hash function with a random key for at most `maxLength` octets: the sum of products of UMAC (NH, RFC 4418, section 5.2)
 * with halves of 16 bits, then mixed. Whatever two values somebody chooses, at most one key in 2^15 gives them the same sum.
 * So without the key nobody can choose many that collide, and it takes less time than HalfSipHash.
 */
export function createKeyedHash(maxLength: number): OctetsHash {
  const keys = randomWords((maxLength >> 2) + 2);
  const last = keys.length - 1;
  return (octets, from, length) => {
    let sum = keys[last]!;
    const words = length >> 2;
    let at = from;
    for (let i = 0; i < words; i++, at += 4) {
      const key = keys[i]!;
      const low = ((octets[at]! | (octets[at + 1]! << 8)) + key) & 0xffff;
      const high = ((octets[at + 2]! | (octets[at + 3]! << 8)) + (key >>> 16)) & 0xffff;
      sum = (sum + Math.imul(low, high)) | 0;
    }
    // What is left, and how much that is: no two values are the same words.
    let rest = (length & 3) << 24;
    for (let i = length & 3; i > 0; i--) rest |= octets[at + i - 1]! << (8 * (i - 1));
    const key = keys[words]!;
    sum = (sum + Math.imul((rest + key) & 0xffff, ((rest >>> 16) + (key >>> 16)) & 0xffff)) | 0;
    sum = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b);
    sum = Math.imul(sum ^ (sum >>> 13), 0xc2b2ae35);
    return (sum ^ (sum >>> 16)) >>> 0;
  };
}

/** Random unsigned 32-bit numbers. */
export function randomWords(count: number): Uint32Array {
  const { crypto } = globalThis as { crypto?: { getRandomValues?(words: Uint32Array): Uint32Array } };
  const words = new Uint32Array(count);
  if (typeof crypto?.getRandomValues === 'function') crypto.getRandomValues(words);
  else for (let i = 0; i < count; i++) words[i] = Math.random() * 2 ** 32;
  return words;
}
