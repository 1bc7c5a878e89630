import type { Hits } from './hits.ts';
import { createSegmentList, type Fill, spread } from './segment-list.ts';
import { createTail, MAX_TAIL_SIZE } from './tail.ts';

export type FingerprintList = ReturnType<typeof createFingerprintList>;

/**
 * Makes a list of fingerprints of one word or more by position. New ones go to a short unsorted tail, which becomes a
 * segment when it is full; segments of similar size are merged, so that each fingerprint is moved a logarithmic number
 * of times. Arguments are not checked.
 */
export function createFingerprintList(maxSegmentSize: number, words: number) {
  const segments = createSegmentList(maxSegmentSize, words);
  const tail = createTail(words);

  function flush(): void {
    if (tail.length === 0) return;
    segments.push(tail.length, (...targets) => {
      for (const [word, target] of targets.entries()) target.set(tail.toArray(word));
    });
    tail.clear();
  }

  /** Adds fingerprints that are not in memory yet: `read` fills the arrays that it is given with the next ones. */
  function addFrom(count: number, read: Fill): void {
    flush();
    for (let left = count; left > 0; left -= Math.min(left, maxSegmentSize))
      segments.push(Math.min(left, maxSegmentSize), read);
  }

  return {
    get length() {
      return segments.length + tail.length;
    },
    get bytes() {
      return segments.bytes + tail.bytes;
    },
    add(...fingerprint: bigint[]): void {
      if (tail.length === MAX_TAIL_SIZE) flush();
      tail.push(fingerprint, 0);
    },
    /** Adds fingerprints; the words of each are next to each other. */
    addAll(fingerprints: BigUint64Array): void {
      const count = fingerprints.length / words;
      if (count > MAX_TAIL_SIZE - tail.length) addFrom(count, readerOf(fingerprints));
      else for (let at = 0; at < fingerprints.length; at += words) tail.push(fingerprints, at);
    },
    addFrom,
    get: (position: number, word: number): bigint =>
      position < segments.length ? segments.get(position, word) : tail.get(position - segments.length, word),
    /** Adds the positions of which a word is at distance `k` or less to `hits`, in any order. */
    query(value: bigint, k: number, hits: Hits, word: number): void {
      segments.query(value, k, hits, word);
      // Splitting the number takes a third of the time of a query.
      if (tail.length > 0) tail.query(value, k, hits, segments.length, word);
    },
    work: (value: bigint, k: number, word: number): number => segments.work(value, k, word) + tail.length,
    /** Returns a function that reads the present fingerprints, whatever changes later. */
    snapshot() {
      const [sorted, read] = [segments.length, segments.snapshot()];
      const last = Array.from({ length: words }, (_, word) => tail.toArray(word));
      return (position: number, word: number): bigint =>
        position < sorted ? read(position, word) : last[word]![position - sorted]!;
    },
  };
}

/** Makes the reader of an array that `addFrom` takes. */
function readerOf(fingerprints: BigUint64Array): Fill {
  let next = 0;
  return (...targets) => {
    const end = next + targets.length * targets[0]!.length;
    spread(fingerprints.subarray(next, end), targets);
    next = end;
  };
}
