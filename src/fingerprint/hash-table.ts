import { HIGH_LANE, LOW_LANE, viewLanes } from '../common/lanes.ts';

/** The number of occurrences of each token in a document. Tokens are identified by their hashes (step 7). */
export interface TokenCounts {
  /** The hashes of the distinct tokens, ascending. */
  readonly hashes: BigUint64Array;
  /** The number of times that each of these tokens occurs: 1 or more. */
  readonly counts: Float64Array;
}

/** Creates a hash table with counts. Its factors are random: an author can invert lookup3 and choose tokens that collide. */
export function createHashTable() {
  const [factorHigh, factorLow] = [randomFactor(), randomFactor()];
  let bits = 8;
  let keys = new Uint32Array(2 << bits);
  let counts = new Float64Array(1 << bits);
  let size = 0;

  function placeOf(high: number, low: number): number {
    const mask = counts.length - 1;
    let at = (Math.imul(high, factorHigh) + Math.imul(low, factorLow)) >>> (32 - bits);
    while (counts[at]! > 0 && (keys[2 * at] !== high || keys[2 * at + 1] !== low)) at = (at + 1) & mask;
    return at;
  }

  function grow(): void {
    const [oldKeys, oldCounts] = [keys, counts];
    bits++;
    keys = new Uint32Array(2 << bits);
    counts = new Float64Array(1 << bits);
    for (let i = 0; i < oldCounts.length; i++)
      if (oldCounts[i]! > 0) {
        const at = placeOf(oldKeys[2 * i]!, oldKeys[2 * i + 1]!);
        keys[2 * at] = oldKeys[2 * i]!;
        keys[2 * at + 1] = oldKeys[2 * i + 1]!;
        counts[at] = oldCounts[i]!;
      }
  }

  function each(visit: (high: number, low: number, count: number) => void): void {
    for (let at = 0; at < counts.length; at++)
      if (counts[at]! > 0) visit(keys[2 * at]!, keys[2 * at + 1]!, counts[at]!);
  }

  return {
    get size() {
      return size;
    },
    add(high: number, low: number, count: number): void {
      const at = placeOf(high, low);
      if (counts[at] === 0) {
        keys[2 * at] = high;
        keys[2 * at + 1] = low;
        size++;
      }
      counts[at]! += count;
      if (2 * size > counts.length) grow();
    },
    each,
    sorted(): TokenCounts {
      const hashes = new BigUint64Array(size);
      const lanes = viewLanes(hashes);
      let filled = 0;
      each((high, low) => {
        lanes[2 * filled + HIGH_LANE] = high;
        lanes[2 * filled++ + LOW_LANE] = low;
      });
      hashes.sort();
      const sorted = new Float64Array(size);
      for (let i = 0; i < size; i++) sorted[i] = counts[placeOf(lanes[2 * i + HIGH_LANE]!, lanes[2 * i + LOW_LANE]!)]!;
      return { hashes, counts: sorted };
    },
  };
}

export function randomFactor(): number {
  return Math.floor(Math.random() * 2 ** 31) * 2 + 1;
}
