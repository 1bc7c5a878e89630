/**
 * Pairs in batches. Only the first of equal fingerprints is paired with others; copies are paired with it, at distance
 * 0, in table 0.
 */
export type PairBatches = Iterable<PairBatch>;

/** One batch of {@link PairBatches}: a, b, distance, a, b, distance …, with a < b. The next batch overwrites it. */
export interface PairBatch {
  readonly numbers: Uint32Array;
  readonly count: number;
}

/** Two fingerprints that are close to each other, by their positions in the input, from 0: `a` is less than `b`. */
export interface Pair {
  readonly a: number;
  readonly b: number;
  /** The Hamming distance of the two, 0 to k. */
  readonly distance: number;
}

/** The maximum number of pairs in one batch. */
export const PAIRS_PER_BATCH = 4096;

export type PairBuffer = ReturnType<typeof createPairBuffer>;

export function createPairBuffer() {
  const numbers = new Uint32Array(3 * PAIRS_PER_BATCH);
  let count = 0;
  return {
    add(a: number, b: number, distance: number): boolean {
      numbers[3 * count] = Math.min(a, b);
      numbers[3 * count + 1] = Math.max(a, b);
      numbers[3 * count + 2] = distance;
      return ++count === PAIRS_PER_BATCH;
    },
    *take(): Generator<PairBatch, void> {
      if (count > 0) yield { numbers, count };
      count = 0;
    },
  };
}

/** Yields the pairs of copies: `firsts` has, for each copy, the position of the first occurrence, plus 1; 0 for all others. */
export function* copyPairs(firsts: Uint32Array): PairBatches {
  const pairs = createPairBuffer();
  for (let i = 0; i < firsts.length; i++) if (firsts[i] !== 0 && pairs.add(firsts[i]! - 1, i, 0)) yield* pairs.take();
  yield* pairs.take();
}

export function* eachPair(batches: PairBatches): Generator<Pair, void> {
  for (const { numbers, count } of batches)
    for (let i = 0; i < 3 * count; i += 3) yield { a: numbers[i]!, b: numbers[i + 1]!, distance: numbers[i + 2]! };
}
