import { bitsOf, similarityOfDistance } from '../scheme/compare.ts';
import type { Fingerprint } from '../scheme/labels/fingerprint.ts';
import type { Match } from './document-index.ts';

export function isSame(a: Fingerprint, b: Fingerprint): boolean {
  if (!(a instanceof Uint8Array)) return a === b;
  return b instanceof Uint8Array && a.every((byte, i) => byte === b[i]);
}

/**
 * Returns the distance up to which the answer to a query is complete: k, or 4 k + 3. Four words that differ in more
 * than k bits each differ in 4 (k + 1) or more. A limit cuts off matches from the distance `cut` on.
 */
export function completeDistance(words: number, k: number, cut = Number.POSITIVE_INFINITY): number {
  return Math.min(64 * words, words * (k + 1) - 1, cut - 1);
}

export function matchOf(id: string, fingerprint: Fingerprint, distance: number): Match {
  return { id, fingerprint, distance, similarity: similarityOfDistance(distance, bitsOf(fingerprint)) };
}

/** Tests whether the first `count` matches within a distance are also the first within every larger one. */
export function areNearest(
  matches: readonly { readonly distance: number }[],
  count: number,
  words: number,
  k: number,
): boolean {
  return matches.length >= count && matches[count - 1]!.distance <= completeDistance(words, k);
}
