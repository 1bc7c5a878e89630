import { HIGH_LANE, type Lanes, LOW_LANE } from '../lanes.ts';

/** A permutation of the 64 bits of fingerprints. */
export interface Permutation {
  /** Writes the permuted fingerprints, given by their lanes, as pairs of lanes in the order of the processor. */
  apply(lanes: Lanes, target: Uint32Array): void;
  /** The upper lane of the fingerprint that was permuted, from the lanes of the permuted one. */
  originalHigh(high: number, low: number): number;
  /** Its lower lane. */
  originalLow(high: number, low: number): number;
}

/**
 * Makes a permutation.
 * @param order - for each bit of the result, the most significant first, the number of its source bit, 0 (most
 * significant) to 63
 */
export function createPermutation(order: readonly number[]): Permutation {
  const forth = tableOf(order);
  const back = tableOf(order.map((_, place) => order.indexOf(place)));
  return {
    apply({ high, low }, target) {
      for (let i = 0; i < high.length; i++) {
        target[2 * i + HIGH_LANE] = permuteLane(forth, high[i]!, low[i]!, 0);
        target[2 * i + LOW_LANE] = permuteLane(forth, high[i]!, low[i]!, 1);
      }
    },
    originalHigh: (high, low) => permuteLane(back, high, low, 0),
    originalLow: (high, low) => permuteLane(back, high, low, 1),
  };
}

/** For each value of each of the 8 bytes, the most significant first, the two lanes that it becomes. */
function tableOf(order: readonly number[]): Uint32Array {
  const table = new Uint32Array(8 * 256 * 2);
  for (const [to, from] of order.entries()) {
    const octet = from >> 3;
    const bit = 0x80 >> (from & 7);
    const lane = to >> 5;
    const value = (0x80000000 >>> (to & 31)) >>> 0;
    for (let i = 0; i < 256; i++) if ((i & bit) !== 0) table[2 * (256 * octet + i) + lane]! |= value;
  }
  return table;
}

/** One lane (0 the upper) of a permuted number. */
function permuteLane(table: Uint32Array, high: number, low: number, lane: number): number {
  return (
    (table[2 * (high >>> 24) + lane]! |
      table[2 * (256 + ((high >>> 16) & 255)) + lane]! |
      table[2 * (512 + ((high >>> 8) & 255)) + lane]! |
      table[2 * (768 + (high & 255)) + lane]! |
      table[2 * (1024 + (low >>> 24)) + lane]! |
      table[2 * (1280 + ((low >>> 16) & 255)) + lane]! |
      table[2 * (1536 + ((low >>> 8) & 255)) + lane]! |
      table[2 * (1792 + (low & 255)) + lane]!) >>>
    0
  );
}
