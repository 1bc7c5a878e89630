import { splitLanes } from '../../scheme/labels/lanes.ts';
import { randomWords } from '../keyed-hash.ts';

export interface Distinct {
  /** Each fingerprint once, in the order of first occurrence. */
  readonly once: BigUint64Array;
  /** The position where each of `once` first occurred. */
  readonly origins: Uint32Array;
  /** For each copy the position of the first occurrence, plus 1; 0 for all others. */
  readonly firsts: Uint32Array;
}

/** Makes a hash function with a random key: fingerprints, given by their lanes, may come from an attacker. */
function createLanesHash(): (high: number, low: number) => number {
  const [key0, key1] = randomWords(2) as unknown as [number, number];
  return (high, low) => {
    let hash = Math.imul(high ^ key0, 0x9e3779b1);
    hash = Math.imul(hash ^ (hash >>> 15) ^ key1, 0x85ebca77);
    hash = Math.imul(hash ^ (hash >>> 13) ^ low, 0xc2b2ae3d);
    hash = Math.imul(hash ^ (hash >>> 16) ^ key1, 0x27d4eb2f);
    return hash ^ (hash >>> 15);
  };
}

/** Finds equal fingerprints, by a hash table with open addressing. */
export function distinct(fingerprints: BigUint64Array): Distinct {
  const size = fingerprints.length;
  const { high, low } = splitLanes(fingerprints);
  const hashOf = createLanesHash();
  const mask = 2 ** Math.ceil(Math.log2(2 * size + 2)) - 1;
  // Index in `once` + 1, or 0.
  const slots = new Uint32Array(mask + 1);
  const firsts = new Uint32Array(size);
  const origins = new Uint32Array(size);
  let count = 0;

  /** The slot of a fingerprint, or the empty one where it belongs. */
  function slotOf(itsHigh: number, itsLow: number): number {
    let slot = hashOf(itsHigh, itsLow) & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const first = origins[slots[slot]! - 1]!;
      if (high[first] === itsHigh && low[first] === itsLow) break;
    }
    return slot;
  }

  for (let i = 0; i < size; i++) {
    const slot = slotOf(high[i]!, low[i]!);
    if (slots[slot] === 0) {
      origins[count++] = i;
      slots[slot] = count;
    } else firsts[i] = origins[slots[slot]! - 1]! + 1;
  }
  const once = new BigUint64Array(count);
  for (let i = 0; i < count; i++) once[i] = fingerprints[origins[i]!]!;
  return { once, origins: origins.slice(0, count), firsts };
}
