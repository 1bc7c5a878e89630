/** The search for equal fingerprints, shared by several threads that search for the pairs of one input. */
export interface Grouping {
  /** The share of the fingerprints that this thread compares, 0 to `shares` − 1. */
  readonly share: number;
  readonly shares: number;
  /**
   * Shares the copies that this thread found, waits for the other threads, and adds theirs to `firsts` (for each copy, the
   * position of the first occurrence, plus 1; else 0). Returns whether any thread found copies.
   */
  exchange(firsts: Uint32Array, count: number): boolean;
}

/** One thread, which compares all fingerprints. */
export const ALONE: Grouping = { share: 0, shares: 1, exchange: (_, count) => count > 0 };

export type SharedGrouping = ReturnType<typeof createSharedGrouping>;

/** Makes the shared state of `shares` threads that search for the pairs of `size` fingerprints. */
export function createSharedGrouping(shares: number, size: number) {
  return {
    shares,
    /** The `firsts` of {@link Grouping.exchange}. The system provides no memory for pages that are never written. */
    firsts: new Uint32Array(new SharedArrayBuffer(4 * size)),
    /** The number of threads that are done, and the number of copies that they found. */
    counts: new Int32Array(new SharedArrayBuffer(8)),
  };
}

/** Joins a shared grouping as thread `share`, 0 to `shares` − 1. Each thread must call `exchange`, or the others block. */
export function joinGrouping({ shares, firsts: all, counts }: SharedGrouping, share: number): Grouping {
  return {
    share,
    shares,
    exchange(firsts, count) {
      if (count > 0) for (let i = 0; i < firsts.length; i++) if (firsts[i] !== 0) all[i] = firsts[i]!;
      Atomics.add(counts, 1, count);
      Atomics.add(counts, 0, 1);
      Atomics.notify(counts, 0);
      for (let done = Atomics.load(counts, 0); done < shares; done = Atomics.load(counts, 0))
        Atomics.wait(counts, 0, done);
      if (Atomics.load(counts, 1) === 0) return false;
      firsts.set(all);
      return true;
    },
  };
}
