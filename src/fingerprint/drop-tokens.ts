import { hashRange, lanes } from '../scheme/token-hash.ts';

/**
 * A set of tokens that a variant drops in step 6 (STP-1: the bare scheme drops none), laid out for looking up tokens whose
 * hash is known, in this form also by the kernel.
 */
export interface StopSet {
  /** The octets of all tokens, one behind the other, */
  readonly octets: Uint8Array;
  /** and where each begins; at the end, where the last one ends. */
  readonly starts: Uint32Array;
  /** The half `c` of the hash of each (HSH-1), as a signed number. */
  readonly hashes: Int32Array;
  /** By the lower bits of that half, or at the next free place: the number of a token plus 1. A power of two of places. */
  readonly places: Int32Array;
}

/**
 * Makes the set.
 * @param tokens - the octets of each token, no two alike
 */
export function createStopSet(tokens: readonly Uint8Array[]): StopSet {
  const starts = new Uint32Array(tokens.length + 1);
  for (const [i, token] of tokens.entries()) starts[i + 1] = starts[i]! + token.length;
  const octets = new Uint8Array(starts[tokens.length]!);
  const hashes = new Int32Array(tokens.length);
  // At least half of the places stay free, so that looking up ends soon.
  const places = new Int32Array(2 ** Math.ceil(Math.log2(2 * tokens.length + 2)));
  for (const [i, token] of tokens.entries()) {
    octets.set(token, starts[i]!);
    hashRange(token, 0, token.length, 0, 0);
    hashes[i] = lanes[0]!;
    let place = hashes[i]! & (places.length - 1);
    while (places[place] !== 0) place = (place + 1) & (places.length - 1);
    places[place] = i + 1;
  }
  return { octets, starts, hashes, places };
}

/**
 * Step 6: tells whether a token is dropped, because its octets equal one of the set.
 * @param octets - where the token is
 * @param start - where it begins
 * @param end - where it ends
 * @param hash - the half `c` of its hash, as a signed number
 */
export function isDropped(set: StopSet, octets: Uint8Array, start: number, end: number, hash: number): boolean {
  const { places } = set;
  for (let place = hash & (places.length - 1); places[place] !== 0; place = (place + 1) & (places.length - 1)) {
    const stop = places[place]! - 1;
    if (set.hashes[stop] === hash && isEqual(set, stop, octets, start, end)) return true;
  }
  return false;
}

function isEqual(set: StopSet, stop: number, octets: Uint8Array, start: number, end: number): boolean {
  const from = set.starts[stop]!;
  if (set.starts[stop + 1]! - from !== end - start) return false;
  for (let at = start; at < end; at++) if (octets[at] !== set.octets[from + at - start]) return false;
  return true;
}
