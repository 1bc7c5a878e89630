import { type Fingerprint, fingerprintOfWords } from '../scheme/labels/fingerprint.ts';
import { BINS, FACTORS, ROUNDS, STEP } from '../scheme/minhash.ts';

// minhash-doc for a document that arrives in parts (MIN-2 to MIN-5), on pairs of 32-bit lanes and in constant memory.

export type Bins = ReturnType<typeof createBins>;

/** Makes empty bins, which keep the draws that win so far. The bins are in the order of the words. */
export function createBins(words: 1 | 4) {
  return {
    words,
    /** The round of the winner of each bin; {@link ROUNDS} for an empty bin. */
    rounds: new Uint8Array(BINS * words).fill(ROUNDS),
    highs: new Uint32Array(BINS * words),
    lows: new Uint32Array(BINS * words),
    /** The latest round that wins a bin of each word, or {@link ROUNDS}. No later draw can win. */
    latest: new Uint8Array(words).fill(ROUNDS),
    latestCount: new Uint8Array(words).fill(BINS),
  };
}

/** The 16-bit parts of a factor of SplitMix64, the least significant first. */
const partsOf = (factor: bigint): number[] => [0n, 16n, 32n, 48n].map((shift) => Number((factor >> shift) & 0xffffn));
const [A0, A1, A2, A3] = partsOf(FACTORS[0]) as [number, number, number, number];
const [B0, B1, B2, B3] = partsOf(FACTORS[1]) as [number, number, number, number];
const A_LOW = (A0 | (A1 << 16)) >>> 0;
const A_HIGH = (A2 | (A3 << 16)) >>> 0;
const B_LOW = (B0 | (B1 << 16)) >>> 0;
const B_HIGH = (B2 | (B3 << 16)) >>> 0;

/** For each word and round, the halves of what SplitMix64 adds to its seed: (128 · word + round + 1) · STEP. */
const OFFSETS = Uint32Array.from({ length: 2 * 4 * ROUNDS }, (_, i) => {
  const offset = BigInt.asUintN(64, BigInt((i >> 1) + 1) * STEP);
  return Number(i % 2 === 0 ? offset & 0xffffffffn : offset >> 32n);
});

function multiplyHigh(x: number, low: number, high: number): number {
  const x0 = x & 0xffff;
  const x1 = x >>> 16;
  const middle = x1 * low + ((x0 * low) >>> 16);
  const second = x0 * high + (middle & 0xffff);
  return (x1 * high + (middle >>> 16) + (second >>> 16)) >>> 0;
}

/** Adds an element: a token hash of which MIN-1 keeps one. Adding it again changes nothing. */
export function addElement(bins: Bins, low: number, high: number): void {
  for (let word = 0; word < bins.words; word++) addToWord(bins, word, low, high);
}

function addToWord(bins: Bins, word: number, seedLow: number, seedHigh: number): void {
  const { rounds, highs, lows, latest } = bins;
  const first = BINS * word;
  for (let round = 0; round < ROUNDS && round <= latest[word]!; round++) {
    const at = 2 * (ROUNDS * word + round);
    // (The lower half of a draw decides where the upper ones are equal, and its lowest bit is the result.)
    const sum = seedLow + OFFSETS[at]!;
    let low = sum >>> 0;
    let high = (seedHigh + OFFSETS[at + 1]! + (sum > 0xffffffff ? 1 : 0)) >>> 0;
    let x = (low ^ ((low >>> 30) | (high << 2))) >>> 0;
    high ^= high >>> 30;
    high = (multiplyHigh(x, A0, A1) + Math.imul(x, A_HIGH) + Math.imul(high, A_LOW)) >>> 0;
    low = Math.imul(x, A_LOW) >>> 0;
    x = (low ^ ((low >>> 27) | (high << 5))) >>> 0;
    high ^= high >>> 27;
    high = (multiplyHigh(x, B0, B1) + Math.imul(x, B_HIGH) + Math.imul(high, B_LOW)) >>> 0;
    low = Math.imul(x, B_LOW) >>> 0;
    low = (low ^ ((low >>> 31) | (high << 1))) >>> 0;
    high = (high ^ (high >>> 31)) >>> 0;
    const bin = first + (round < BINS ? high >>> 26 : round - BINS);
    const winner = rounds[bin]!;
    if (round > winner) continue;
    if (round === winner && (high > highs[bin]! || (high === highs[bin]! && low >= lows[bin]!))) continue;
    highs[bin] = high;
    lows[bin] = low;
    if (round === winner) continue;
    rounds[bin] = round;
    if (winner === latest[word]! && --bins.latestCount[word]! === 0) findLatest(bins, word);
  }
}

function findLatest({ rounds, latest, latestCount }: Bins, word: number): void {
  const own = rounds.subarray(BINS * word, BINS * (word + 1));
  const last = Math.max(...own);
  latest[word] = last;
  latestCount[word] = own.filter((round) => round === last).length;
}

export function fingerprintOfBins({ words, lows }: Bins): Fingerprint {
  const values: bigint[] = [];
  for (let word = 0; word < words; word++) {
    let value = 0n;
    for (let bin = 0; bin < BINS; bin++) value = (value << 1n) | BigInt(lows[BINS * word + bin]! & 1);
    values.push(value);
  }
  return fingerprintOfWords(values);
}
