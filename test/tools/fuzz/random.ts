import type fc from 'fast-check';
import { sample } from 'fast-check';
import { createRandom } from '../bench/corpus.ts';

/** Choices that follow from a seed. */
export interface Random {
  /** 0 to `limit` - 1. */
  below(limit: number): number;
  choose<T>(list: readonly T[]): T;
  /** Returns true with a probability of 1 in `odds`. */
  isOneIn(odds: number): boolean;
  /** A value of an arbitrary. */
  draw<T>(arbitrary: fc.Arbitrary<T>): T;
}

export function randomOf(seed: number): Random {
  const next = createRandom(seed);
  const below = (limit: number): number => next() % limit;
  return {
    below,
    choose: (list) => list[below(list.length)]!,
    isOneIn: (odds) => below(odds) === 0,
    draw: (arbitrary) => sample(arbitrary, { seed: next() | 0, numRuns: 1 })[0]!,
  };
}

/** A number that depends on every byte: the random choices of a check follow from its input alone. */
export function seedOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** Cuts bytes or a text anywhere, into up to nine pieces, some of them empty. */
export function cutAnywhere<T extends string | Uint8Array>(whole: T, random: Random): T[] {
  const places = Array.from({ length: random.below(9) }, () => random.below(whole.length + 1)).sort((a, b) => a - b);
  return [...places, whole.length].map((end, i) => whole.slice(i === 0 ? 0 : places[i - 1], end) as T);
}
