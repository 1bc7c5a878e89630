import { ones } from '../../scheme/compare.ts';
import { addHit, type Hits } from './hits.ts';

/** The maximum number of fingerprints compared one by one: about as much work as a query of the tables. */
export const MAX_TAIL_SIZE = 4096;

/** Makes a list of fingerprints that are in no segment yet; it takes no memory before something is added. */
export function createTail(words: number) {
  // The words of a fingerprint are next to each other.
  let high = new Uint32Array(0);
  let low = new Uint32Array(0);
  let length = 0;
  const get = (index: number, word: number): bigint => {
    const at = words * index + word;
    return (BigInt(high[at]!) << 32n) | BigInt(low[at]!);
  };

  function grow(): void {
    const larger = words * Math.min(MAX_TAIL_SIZE, Math.max(64, 2 * length));
    const [oldHigh, oldLow] = [high, low];
    high = new Uint32Array(larger);
    low = new Uint32Array(larger);
    high.set(oldHigh);
    low.set(oldLow);
  }

  return {
    get length() {
      return length;
    },
    get bytes() {
      return high.byteLength + low.byteLength;
    },
    /** Adds a fingerprint, whose words are in an array from `at` on; there must be room, up to {@link MAX_TAIL_SIZE}. */
    push(from: ArrayLike<bigint>, at: number): void {
      if (words * length === high.length) grow();
      for (let word = 0; word < words; word++) {
        high[words * length + word] = Number(from[at + word]! >> 32n);
        low[words * length + word] = Number(from[at + word]! & 0xffffffffn);
      }
      length++;
    },
    get,
    clear(): void {
      length = 0;
    },
    /** Like `Segment.query`, in one word of each fingerprint. */
    query(value: bigint, k: number, hits: Hits, base: number, word: number): void {
      const queryHigh = Number(value >> 32n);
      const queryLow = Number(value & 0xffffffffn);
      for (let i = 0, at = word; i < length; i++, at += words) {
        const distance = ones(high[at]! ^ queryHigh) + ones(low[at]! ^ queryLow);
        if (distance <= k) addHit(hits, base + i, distance);
      }
    },
    toArray: (word: number): BigUint64Array => BigUint64Array.from({ length }, (_, i) => get(i, word)),
  };
}
