import { ones } from '../../scheme/compare.ts';
import { addHit, createHits, type Hits } from './hits.ts';

/** Fingerprints of several words, which can be searched by one word of each. */
export interface Words {
  /** The word of a fingerprint. */
  get(position: number, word: number): bigint;
  /** Adds the positions of which a word is at distance `k` or less to `hits`, each once. */
  query(value: bigint, k: number, hits: Hits, word: number): void;
}

export type FindByWords = (words: Words, query: readonly bigint[], k: number, hits: Hits, base?: number) => void;

/** Makes a {@link FindByWords}, which keeps the memory for the hits of one word. */
export function createFindByWords(): FindByWords {
  const near = createHits();
  return (words, query, k, hits, base = 0) => find(words, query, k, near, hits, base);
}

/**
 * Adds the positions of which at least one word is at distance `k` or less from the same word of the query (MIN-11),
 * each once and with the distance of all words. `near` is memory for the hits of one word.
 */
function find(words: Words, query: readonly bigint[], k: number, near: Hits, hits: Hits, base: number): void {
  for (const [word, value] of query.entries()) {
    near.count = 0;
    words.query(value, k, near, word);
    for (let i = 0; i < near.count; i++) {
      const position = near.positions[i]!;
      let distance = near.distances[i]!;
      let isFirst = true;
      for (let other = 0; other < query.length && isFirst; other++) {
        if (other === word) continue;
        const ofOther = distanceOf(words.get(position, other), query[other]!);
        distance += ofOther;
        // Another word has found it already.
        if (other < word && ofOther <= k) isFirst = false;
      }
      if (isFirst) addHit(hits, base + position, distance);
    }
  }
}

/** The distance of two words, which need no check. */
function distanceOf(a: bigint, b: bigint): number {
  const difference = a ^ b;
  return ones(Number(difference >> 32n)) + ones(Number(difference & 0xffffffffn));
}
