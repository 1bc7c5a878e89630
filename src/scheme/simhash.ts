import { assertFingerprint, assertIterable, wrongType, wrongValue } from '../errors.ts';

/**
 * Counts of hashes by their hexadecimal digits: 16 places of 16 values each. The 64 counters of step 8 follow from these,
 * and a hash costs 16 additions instead of 64. Exact to 2^53 hashes.
 */
export type DigitCounts = Float64Array;

export function createDigitCounts(): DigitCounts {
  return new Float64Array(256);
}

/** Counts the hash b·2^32 + c once. */
export function countDigits(counts: DigitCounts, c: number, b: number): void {
  counts[0 + ((b >>> 28) & 15)]! += 1;
  counts[16 + ((b >>> 24) & 15)]! += 1;
  counts[32 + ((b >>> 20) & 15)]! += 1;
  counts[48 + ((b >>> 16) & 15)]! += 1;
  counts[64 + ((b >>> 12) & 15)]! += 1;
  counts[80 + ((b >>> 8) & 15)]! += 1;
  counts[96 + ((b >>> 4) & 15)]! += 1;
  counts[112 + ((b >>> 0) & 15)]! += 1;
  counts[128 + ((c >>> 28) & 15)]! += 1;
  counts[144 + ((c >>> 24) & 15)]! += 1;
  counts[160 + ((c >>> 20) & 15)]! += 1;
  counts[176 + ((c >>> 16) & 15)]! += 1;
  counts[192 + ((c >>> 12) & 15)]! += 1;
  counts[208 + ((c >>> 8) & 15)]! += 1;
  counts[224 + ((c >>> 4) & 15)]! += 1;
  counts[240 + ((c >>> 0) & 15)]! += 1;
}

function sizeOfCounts(counts: DigitCounts): number {
  let size = 0;
  for (let digit = 0; digit < 16; digit++) size += counts[digit]!;
  return size;
}

/** The 64 counters, bit 0 (the most significant) first: SIM-2, SIM-3. */
export function countersOf(counts: DigitCounts): number[] {
  const size = sizeOfCounts(counts);
  return Array.from({ length: 64 }, (_, bit) => {
    // Counter = ones - zeros = 2 · ones - all.
    let ones = 0;
    for (let digit = 0; digit < 16; digit++)
      if ((digit >> (3 - (bit & 3))) & 1) ones += counts[16 * (bit >> 2) + digit]!;
    return 2 * ones - size;
  });
}

/** Makes the fingerprint of 64 counters, bit 0 first; a tie is 0 (SIM-4). */
export function fingerprintOfCounters(counters: readonly number[]): bigint {
  let high = 0;
  let low = 0;
  for (let bit = 0; bit < 32; bit++) {
    high = (high << 1) | (counters[bit]! > 0 ? 1 : 0);
    low = (low << 1) | (counters[bit + 32]! > 0 ? 1 : 0);
  }
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

/**
 * Computes the 64 counters of step 8: each hash adds its weight to counter i where its bit i is 1, else subtracts it (SIM-2, SIM-3).
 * @param hashes - hashes of 64 bits, one for every occurrence of a token
 * @param weights - a finite number for each hash; 1 if not given, as in the scheme. Sums of integers are exact to 2^53.
 * @returns 64 numbers, bit 0 (the most significant) first
 * @throws TypeError `wrong-type`, RangeError `out-of-range`
 * @see spec/simhash-doc.md#step-8
 * @example
 * countBits([5n]).slice(60); // [-1, 1, -1, 1]
 */
export function countBits(hashes: Iterable<bigint>, weights?: Iterable<number>): number[] {
  return count(hashes, weights).counters;
}

/** The counters and the number of hashes. */
function count(hashes: Iterable<bigint>, weights: Iterable<number> | undefined) {
  assertIterable('hashes', hashes, 'an iterable of bigints');
  if (weights !== undefined) assertIterable('weights', weights, 'an iterable of numbers');
  const counters = new Array<number>(64).fill(0);
  const weightOf = weights?.[Symbol.iterator]();
  let index = 0;
  for (const hash of hashes) {
    assertFingerprint(`hashes[${index}]`, hash);
    const weight = nextWeight(weightOf, index++);
    const high = Number(hash >> 32n);
    const low = Number(hash & 0xffffffffn);
    for (let bit = 0; bit < 32; bit++) {
      counters[bit]! += (high >>> (31 - bit)) & 1 ? weight : -weight;
      counters[bit + 32]! += (low >>> (31 - bit)) & 1 ? weight : -weight;
    }
  }
  if (weightOf !== undefined && weightOf.next().done !== true)
    throw wrongValue('out-of-range', 'weights', `as many as there are hashes (${index})`, weights, 'more');
  return { counters, size: index };
}

function nextWeight(weights: Iterator<number> | undefined, index: number): number {
  if (weights === undefined) return 1;
  const { done, value } = weights.next();
  if (done === true) throw wrongValue('out-of-range', 'weights', 'as many as there are hashes', index);
  if (typeof value !== 'number') throw wrongType(`weights[${index}]`, 'a finite number', value);
  if (!Number.isFinite(value)) throw wrongValue('out-of-range', `weights[${index}]`, 'a finite number', value);
  return value;
}

/**
 * Computes the simhash of hashes (step 8; SIM-1 to SIM-5).
 * @param hashes - hashes of 64 bits, one for every occurrence of a token
 * @param weights - a finite number for each hash. The scheme uses none: every occurrence counts 1.
 * @returns 0 to 2^64 - 1, or `null` when there is no hash: such a document has no fingerprint (SIM-1)
 * @throws TypeError `wrong-type`, RangeError `out-of-range`
 * @see spec/simhash-doc.md#step-8
 * @example
 * simhash([5n, 7n, 5n]); // 5n
 */
export function simhash(hashes: Iterable<bigint>, weights?: Iterable<number>): bigint | null {
  const { counters, size } = count(hashes, weights);
  return size === 0 ? null : fingerprintOfCounters(counters);
}
