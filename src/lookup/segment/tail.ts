import { ones } from '../../scheme/compare.ts';
import { addHit, type Hits } from './hits.ts';

/** The most fingerprints that are compared one by one: about as much work as a query of the tables. */
export const MAX_TAIL_SIZE = 4096;

/** The fingerprints of a table that are in no segment yet. */
export interface Tail {
  readonly length: number;
  /** How many octets of memory it takes. */
  readonly octets: number;
  /** Adds a fingerprint; there must be room, up to {@link MAX_TAIL_SIZE}. */
  push(fingerprint: bigint): void;
  get(index: number): bigint;
  clear(): void;
  /** As `Segment.query`. */
  query(fingerprint: bigint, k: number, hits: Hits, base: number): void;
  /** A copy of all fingerprints. */
  toArray(): BigUint64Array;
}

/** Makes an empty {@link Tail}; it takes no memory before something is added. */
export function createTail(): Tail {
  let high = new Uint32Array(0);
  let low = new Uint32Array(0);
  let length = 0;
  const get = (index: number): bigint => (BigInt(high[index]!) << 32n) | BigInt(low[index]!);

  function grow(): void {
    const larger = Math.min(MAX_TAIL_SIZE, Math.max(64, 2 * length));
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
    get octets() {
      return high.byteLength + low.byteLength;
    },
    push(fingerprint) {
      if (length === high.length) grow();
      high[length] = Number(fingerprint >> 32n);
      low[length] = Number(fingerprint & 0xffffffffn);
      length++;
    },
    get,
    clear() {
      length = 0;
    },
    query(fingerprint, k, hits, base) {
      const queryHigh = Number(fingerprint >> 32n);
      const queryLow = Number(fingerprint & 0xffffffffn);
      for (let i = 0; i < length; i++) {
        const distance = ones(high[i]! ^ queryHigh) + ones(low[i]! ^ queryLow);
        if (distance <= k) addHit(hits, base + i, distance);
      }
    },
    toArray: () => BigUint64Array.from({ length }, (_, i) => get(i)),
  };
}
