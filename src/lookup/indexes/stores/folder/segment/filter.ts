/*
 * A Bloom filter: eight bits for each key, of which five are set. It says "no" for 98 of 100 keys that a segment does not have.
 */

const BITS = 8;
const HASHES = 5;

let first = 0;
let second = 0;

/** Hashes a key into `first` and `second`, the two numbers that its bits follow from. */
function hash(key: string): void {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (let i = 0; i < key.length; i++) {
    const byte = key.charCodeAt(i);
    a = Math.imul(a ^ byte, 0x01000193);
    b = Math.imul(b ^ byte, 0x5bd1e995) ^ (b >>> 15);
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b);
  b = Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  first = (a ^ (a >>> 13)) >>> 0;
  second = ((b ^ (b >>> 16)) | 1) >>> 0;
}

/** Returns the bit for one of the hashes of a key, in a filter of this many bits. */
function bitOf(i: number, bits: number): number {
  return Math.floor((((first + Math.imul(i, second)) >>> 0) / 2 ** 32) * bits);
}

export class BloomFilter {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Makes an empty filter for at most `max` keys. */
  static for(max: number): BloomFilter {
    return new BloomFilter(new Uint8Array(Math.max(1, Math.ceil((max * BITS) / 8))));
  }

  add(key: string): void {
    hash(key);
    const bits = 8 * this.bytes.length;
    for (let i = 0; i < HASHES; i++) {
      const bit = bitOf(i, bits);
      this.bytes[Math.floor(bit / 8)]! |= 1 << (bit % 8);
    }
  }

  /** Tests whether a key may be one of those that were added. */
  has(key: string): boolean {
    hash(key);
    const bits = 8 * this.bytes.length;
    for (let i = 0; i < HASHES; i++) {
      const bit = bitOf(i, bits);
      if ((this.bytes[Math.floor(bit / 8)]! & (1 << (bit % 8))) === 0) return false;
    }
    return true;
  }
}
