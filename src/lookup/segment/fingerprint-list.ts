import type { Hits } from './hits.ts';
import { createSegmentList } from './segment-list.ts';
import { createTail, MAX_TAIL_SIZE } from './tail.ts';

/** Fingerprints by position, to be added to and searched. Arguments are not checked. */
export interface FingerprintList {
  readonly length: number;
  /** How many octets of memory it takes. */
  readonly octets: number;
  add(fingerprint: bigint): void;
  addAll(fingerprints: BigUint64Array): void;
  /**
   * Adds fingerprints that are not in memory yet.
   * @param read - called one or more times; fills the array that it is given with the next ones
   */
  addFrom(count: number, read: (target: BigUint64Array) => void): void;
  get(position: number): bigint;
  /** Adds the positions at distance `k` or less to `hits`, in any order. */
  query(fingerprint: bigint, k: number, hits: Hits): void;
  /** How many fingerprints such a query compares. */
  work(fingerprint: bigint, k: number): number;
  /** Reads the fingerprints that are there now, also after changes. */
  snapshot(): (position: number) => bigint;
}

/**
 * Makes an empty {@link FingerprintList}. New fingerprints go to a short unsorted tail, which becomes a segment when it is
 * full; segments of similar size are merged, so that each fingerprint is moved a logarithmic number of times.
 * @param maxSegmentSize - the most fingerprints of one segment
 */
export function createFingerprintList(maxSegmentSize: number): FingerprintList {
  const segments = createSegmentList(maxSegmentSize);
  const tail = createTail();

  function flush(): void {
    if (tail.length === 0) return;
    segments.push(tail.length, (target) => target.set(tail.toArray()));
    tail.clear();
  }

  function addFrom(count: number, read: (target: BigUint64Array) => void): void {
    flush();
    for (let left = count; left > 0; left -= Math.min(left, maxSegmentSize))
      segments.push(Math.min(left, maxSegmentSize), read);
  }

  return {
    get length() {
      return segments.length + tail.length;
    },
    get octets() {
      return segments.octets + tail.octets;
    },
    add(fingerprint) {
      if (tail.length === MAX_TAIL_SIZE) flush();
      tail.push(fingerprint);
    },
    addAll(fingerprints) {
      if (fingerprints.length > MAX_TAIL_SIZE - tail.length) addFrom(fingerprints.length, readerOf(fingerprints));
      else for (const fingerprint of fingerprints) tail.push(fingerprint);
    },
    addFrom,
    get: (position) => (position < segments.length ? segments.get(position) : tail.get(position - segments.length)),
    query(fingerprint, k, hits) {
      segments.query(fingerprint, k, hits);
      // Splitting the number takes a third of the time of a query.
      if (tail.length > 0) tail.query(fingerprint, k, hits, segments.length);
    },
    work: (fingerprint, k) => segments.work(fingerprint, k) + tail.length,
    snapshot() {
      const [sorted, read, last] = [segments.length, segments.snapshot(), tail.toArray()];
      return (position) => (position < sorted ? read(position) : last[position - sorted]!);
    },
  };
}

/** Hands out an array in parts, as {@link FingerprintList.addFrom} reads them. */
function readerOf(fingerprints: BigUint64Array): (target: BigUint64Array) => void {
  let next = 0;
  return (target) => {
    target.set(fingerprints.subarray(next, next + target.length));
    next += target.length;
  };
}
