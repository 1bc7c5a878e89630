import { assertFingerprint, assertInteger, assertIterable, wrongValue } from '../errors.ts';
import { assertWide, type Fingerprint, fingerprintOfWords, wordsOf } from './labels/fingerprint.ts';

// minhash-doc, in the place of step 8: each bit is one bit of the smallest draw in its bin.

/** The number of bins in a word: one for each bit (MIN-3). */
export const BINS = 64;
/** The number of draws of an element for a word: {@link BINS} that fall into any bin, then one for each bin (MIN-3). */
export const ROUNDS = 128;

const MASK = 2n ** 64n - 1n;

/** The constants of SplitMix64 (MIN-2): the step between two states, and the factors of its mixer. */
export const STEP = 0x9e3779b97f4a7c15n;
export const FACTORS = [0xbf58476d1ce4e5b9n, 0x94d049bb133111ebn] as const;

/**
 * Returns S(x, n): output n of SplitMix64 seeded with x (MIN-2).
 * @param hash - x, 0 to 2^64 - 1
 * @param n - 0 to 511: 128 · word + round
 * @returns 0 to 2^64 - 1
 * @throws TypeError `wrong-type`, RangeError `out-of-range`
 * @see spec/minhash-doc.md#MIN-2
 * @example
 * draw(0n, 0); // 0xe220a8397b1dcdafn
 */
export function draw(hash: bigint, n: number): bigint {
  assertFingerprint('hash', hash);
  assertInteger('n', n, 0, 4 * ROUNDS - 1);
  let z = (hash + BigInt(n + 1) * STEP) & MASK;
  z = ((z ^ (z >> 30n)) * FACTORS[0]) & MASK;
  z = ((z ^ (z >> 27n)) * FACTORS[1]) & MASK;
  return z ^ (z >> 31n);
}

/** The draw that wins a bin. */
export interface Winner {
  /** The element that made the draw. */
  readonly hash: bigint;
  /** The round of the draw, 0 to 127. */
  readonly round: number;
  /** The value of the draw, 0 to 2^64 - 1. Its least significant bit is the bit of the fingerprint (MIN-5). */
  readonly draw: bigint;
}

/**
 * Returns the draw that wins each bin (MIN-1, MIN-3, MIN-4).
 * @param hashes - hashes of 64 bits; repeated ones make no difference
 * @param words - the number of words in the fingerprint: 1 or 4
 * @returns 64 winners for each word, bin 0 of word 0 first; none if there are no hashes
 * @throws TypeError `wrong-type`, RangeError `out-of-range`
 * @see spec/minhash-doc.md#MIN-4
 * @example
 * findWinners([1n, 2n], 1).length; // 64
 */
export function findWinners(hashes: Iterable<bigint>, words: 1 | 4): Winner[] {
  assertIterable('hashes', hashes, 'an iterable of bigints');
  if (words !== 1 && words !== 4) throw wrongValue('out-of-range', 'words', '1 or 4', words);
  const elements = new Set<bigint>();
  let index = 0;
  for (const hash of hashes) {
    assertFingerprint(`hashes[${index++}]`, hash);
    elements.add(hash);
  }
  if (elements.size === 0) return [];
  return Array.from({ length: words }, (_, word) => findWordWinners(elements, word)).flat();
}

function findWordWinners(elements: ReadonlySet<bigint>, word: number): Winner[] {
  const winners = new Array<Winner>(BINS);
  let filled = 0;
  for (let round = 0; filled < BINS; round++) {
    for (const hash of elements) {
      const value = draw(hash, ROUNDS * word + round);
      const bin = round < BINS ? Number(value >> 58n) : round - BINS;
      const winner = winners[bin];
      if (winner === undefined) filled++;
      else if (winner.round < round || winner.draw <= value) continue;
      winners[bin] = { hash, round, draw: value };
    }
  }
  return winners;
}

/** Returns the fingerprint of its winners, 64 for each word (MIN-5). */
export function fingerprintOfWinners(winners: readonly Pick<Winner, 'draw'>[]): Fingerprint {
  const words: bigint[] = [];
  for (let at = 0; at < winners.length; at += BINS) {
    let word = 0n;
    for (const winner of winners.slice(at, at + BINS)) word = (word << 1n) | (winner.draw & 1n);
    words.push(word);
  }
  return fingerprintOfWords(words);
}

/**
 * Returns the one-bit MinHash of hashes (MIN-1 to MIN-7).
 * @param hashes - hashes of 64 bits; repeated ones make no difference
 * @param words - 1 for `minhash-doc`, 4 for `minhash-doc-256`
 * @returns a bigint for one word, 32 bytes for four, `null` when there is no hash (MIN-6)
 * @throws TypeError `wrong-type`, RangeError `out-of-range`
 * @see spec/minhash-doc.md
 * @example
 * minhash([], 1); // null
 */
export function minhash(hashes: Iterable<bigint>, words: 1): bigint | null;
export function minhash(hashes: Iterable<bigint>, words: 4): Uint8Array | null;
export function minhash(hashes: Iterable<bigint>, words: 1 | 4): Fingerprint | null;
export function minhash(hashes: Iterable<bigint>, words: 1 | 4): Fingerprint | null {
  const winners = findWinners(hashes, words);
  return winners.length === 0 ? null : fingerprintOfWinners(winners);
}

/**
 * Truncates a fingerprint of `minhash-doc-256` to `minhash-doc` for the same document: its first 8 bytes (MIN-8).
 * @param fingerprint - 32 bytes
 * @returns 0 to 2^64 - 1
 * @throws TypeError `wrong-type`; RangeError `no-fingerprint` for `null`, `out-of-range` unless there are 32 bytes
 * @see spec/minhash-doc.md#MIN-8
 * @example
 * truncate(minhash([1n, 2n], 4)); // minhash([1n, 2n], 1)
 */
export function truncate(fingerprint: Uint8Array): bigint {
  assertWide('fingerprint', fingerprint);
  return wordsOf('fingerprint', fingerprint)[0]!;
}
