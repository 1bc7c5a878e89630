import { type TokenCounts, viewLanes } from '../../fingerprint/hash-table.ts';

/** Sketches of documents, by which most pairs can be told apart that overlap by less than what is asked for. */
export interface Sketches {
  /** Keeps the sketch of a document, in 32 octets. */
  add(document: number, counts: TokenCounts): void;
  /**
   * Whether two documents may overlap by so much. Of pairs that do, fewer than one in 100,000 is denied; with the same
   * tokens, none. Always true unless both have a sketch.
   */
  mayOverlap(a: number, b: number, least: number): boolean;
}

/** A sketch has a bit for each bin. */
const BINS = 256;
const BIN_BITS = 8;
const WORDS = BINS / 32;

/** How many bits of a bin's value tell the round in which it was filled: there are two for each bin. */
const ROUND_BITS = BIN_BITS + 1;

/** So many standard deviations below the expected number of equal bits, a pair is denied. */
const DEVIATIONS = 5;

/** Makes {@link Sketches} of so many documents. */
export function createSketches(documents: number): Sketches {
  let words = new Uint32Array(0);
  const isMissing = (document: number): boolean => {
    for (let at = WORDS * document; at < WORDS * (document + 1); at++) if (words[at] !== 0) return false;
    return true;
  };
  return {
    add(document, counts) {
      if (words.length === 0) words = new Uint32Array(WORDS * documents);
      words.set(sketchOf(counts), WORDS * document);
    },
    mayOverlap(a, b, least) {
      if (words.length === 0) return true;
      let different = 0;
      for (let i = 0; i < WORDS; i++) different += countBits(words[WORDS * a + i]! ^ words[WORDS * b + i]!);
      return different <= mostDifferent(least) || isMissing(a) || isMissing(b);
    },
  };
}

/** How many bits of two sketches differ at most: of unequal bins, half have the same bit. */
function mostDifferent(least: number): number {
  const share = (1 - least) / 2;
  return BINS * share + DEVIATIONS * Math.sqrt(BINS * share * (1 - share));
}

/**
 * The sketch of a document: a MinHash of its tokens, the occurrences of each taken as different ones, so that the share of bins
 * in which two documents have the same token is about their overlap. Each token falls into a bin at random, round after round,
 * until every bin has one: that of the smallest value (Dahlgaard, Knudsen and Thorup, Fast Similarity Sketching, 2017). Only a
 * bit of that value is kept (Li and König, b-Bit Minwise Hashing, 2010).
 */
export function sketchOf({ hashes, counts }: TokenCounts): Uint32Array {
  const lanes = viewLanes(hashes);
  const values = new Uint32Array(BINS).fill(0xffffffff);
  for (let round = 0, empty = BINS; empty > 0 && round < 2 * BINS; round++) {
    for (let token = 0; token < counts.length; token++) {
      const [first, second] = [lanes[2 * token]!, lanes[2 * token + 1]!];
      for (let occurrence = 0; occurrence < counts[token]!; occurrence++) {
        const random = mix(first + Math.imul(second + round, 2 * round + 1) + Math.imul(occurrence, 0x9e3779b1));
        // In the last rounds, all tokens fall into the same bin.
        const bin = round < BINS ? random >>> (32 - BIN_BITS) : round - BINS;
        const value = ((round << (32 - ROUND_BITS)) | (random & (0xffffffff >>> ROUND_BITS))) >>> 0;
        if (values[bin] === 0xffffffff) empty--;
        if (value < values[bin]!) values[bin] = value;
      }
    }
  }
  const sketch = new Uint32Array(WORDS);
  for (let bin = 0; bin < BINS; bin++) sketch[bin >>> 5]! |= (values[bin]! & 1) << (bin & 31);
  return sketch;
}

/** Mixes 32 bits, one to one, by two multiplications (the constants are those of Ettinger's hash-prospector). */
function mix(x: number): number {
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}

function countBits(x: number): number {
  x -= (x >>> 1) & 0x55555555;
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
