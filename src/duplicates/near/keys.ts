/** The 32-bit lanes of a fingerprint of 256 bits. */
export const LANES = 8;

/** An odd factor, by which a band is mixed with the bits of its bins. */
export const BAND_FACTOR = 0x2c1b3c6d;

/** Groups fingerprints of 256 bits by some of their bits. */
export interface Key {
  readonly masks: Uint32Array;
  /** Returns what else has to be the same, of a fingerprint by its index. */
  readonly bandOf?: (index: number) => number;
}

/** Chooses `bits` bits for each key, the same in every run. Pairs at distance d share one with odds of (1 - d/256)^bits. */
export function chooseKeys(keys: number, bits: number): Key[] {
  const random = createRandom();
  return Array.from({ length: keys }, () => {
    const masks = new Uint32Array(LANES);
    for (let chosen = 0; chosen < bits; ) {
      const bit = random() >>> 24;
      const mask = 1 << (bit & 31);
      if ((masks[bit >>> 5]! & mask) !== 0) continue;
      masks[bit >>> 5]! |= mask;
      chosen++;
    }
    return { masks };
  });
}

/** Makes a generator of 32-bit numbers (xorshift32), always with the same seed. */
function createRandom(): () => number {
  let state = 0x9e3779b9;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/** Fingerprints that share a key, in buckets: bucket b has `order[starts[b]]` to `order[starts[b + 1] - 1]`, ascending. */
export interface Buckets {
  readonly order: Uint32Array;
  readonly starts: Uint32Array;
}

export function createBuckets(size: number, { masks }: Key): Buckets {
  // A short key has few values.
  const values = 2 + masks.reduce((bits, mask) => bits + countBits(mask), 0);
  return { order: new Uint32Array(size), starts: new Uint32Array(2 ** Math.min(values, bucketBits(size)) + 1) };
}

/** Returns the bits of the number of a bucket. With fewer than two to four buckets for each fingerprint, more strangers share one. */
export function bucketBits(size: number): number {
  return Math.min(22, Math.max(4, Math.floor(Math.log2(size + 1)) + 2));
}

/** Sorts `items`, ascending, into buckets by a key; `hashes` has room for each. Keys may share a bucket: callers compare. */
export function fillBuckets(
  { order, starts }: Buckets,
  lanes: Uint32Array,
  items: Uint32Array,
  key: Key,
  hashes: Uint32Array,
): void {
  const shift = 32 - Math.log2(starts.length - 1);
  starts.fill(0);
  for (let i = 0; i < order.length; i++) {
    const bucket = hashOf(lanes, items[i]!, key) >>> shift;
    hashes[i] = bucket;
    starts[bucket + 1]!++;
  }
  for (let bucket = 1; bucket < starts.length; bucket++) starts[bucket]! += starts[bucket - 1]!;
  // Filling moves each start to the start of the next bucket.
  for (let i = 0; i < order.length; i++) order[starts[hashes[i]!]!++] = items[i]!;
  starts.copyWithin(1, 0, starts.length - 1);
  starts[0] = 0;
}

export function bucketOf({ starts }: Buckets, lanes: Uint32Array, index: number, key: Key): number {
  return hashOf(lanes, index, key) >>> (32 - Math.log2(starts.length - 1));
}

/** Hashes a key: a sum of products, which do not wait for each other, mixed by the last multiplication. */
export function hashOf(lanes: Uint32Array, index: number, { masks, bandOf }: Key): number {
  const at = LANES * index;
  const hash =
    (bandOf === undefined ? 0 : Math.imul(bandOf(index), BAND_FACTOR)) +
    Math.imul(lanes[at]! & masks[0]!, 0x9e3779b1) +
    Math.imul(lanes[at + 1]! & masks[1]!, 0x85ebca6b) +
    Math.imul(lanes[at + 2]! & masks[2]!, 0xc2b2ae35) +
    Math.imul(lanes[at + 3]! & masks[3]!, 0x27d4eb2f) +
    Math.imul(lanes[at + 4]! & masks[4]!, 0x7feb352d) +
    Math.imul(lanes[at + 5]! & masks[5]!, 0x165667b1) +
    Math.imul(lanes[at + 6]! & masks[6]!, 0xd3a2646d) +
    Math.imul(lanes[at + 7]! & masks[7]!, 0xfd7046c5);
  return Math.imul(hash ^ (hash >>> 15), 0x846ca68b) >>> 0;
}

/** Returns the distance of two fingerprints of 256 bits, or a number greater than `max` if it is greater. */
export function wideDistance(lanes: Uint32Array, a: number, b: number, max: number): number {
  let distance = 0;
  const from = LANES * b - LANES * a;
  for (let at = LANES * a, half = 0; half < 2; half++) {
    for (const end = at + LANES / 2; at < end; at++) distance += countBits(lanes[at]! ^ lanes[at + from]!);
    if (distance > max) return distance;
  }
  return distance;
}

export function countBits(x: number): number {
  x -= (x >>> 1) & 0x55555555;
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Returns the place of the first number that is `min` or more, among ascending ones. */
export function firstFrom(order: ArrayLike<number>, from: number, to: number, min: number): number {
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (order[middle]! < min) from = middle + 1;
    else to = middle;
  }
  return from;
}
