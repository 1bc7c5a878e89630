import type { Hits } from './hits.ts';
import { createKernelSegment } from './kernel-segment.ts';
import { createPlainSegment } from './plain.ts';
import type { Segment } from './types.ts';

interface Part {
  /** The position of its first fingerprint. */
  readonly base: number;
  readonly segment: Segment;
}

/** Segments one after the other, as one sequence of positions. */
export interface SegmentList {
  /** How many fingerprints there are. */
  readonly length: number;
  /** How many octets of memory they take. */
  readonly octets: number;
  /**
   * Appends a segment, merging it with those before it that are not much larger.
   * @param size - how many fingerprints, 1 or more
   * @param fill - writes them into the array that it is given
   */
  push(size: number, fill: (target: BigUint64Array) => void): void;
  get(position: number): bigint;
  /** As `Segment.query`. */
  query(fingerprint: bigint, k: number, hits: Hits): void;
  /** As `Segment.work`. */
  work(fingerprint: bigint, k: number): number;
  /** Reads the fingerprints that are there now, also after changes. */
  snapshot(): (position: number) => bigint;
}

function createSegment(size: number, fill: (target: BigUint64Array) => void): Segment {
  return createKernelSegment(size, fill) ?? createPlainSegment(size, fill);
}

function read(parts: readonly Part[], position: number): bigint {
  // The largest segments come first and hold most of the positions.
  for (const { base, segment } of parts) if (position < base + segment.size) return segment.get(position - base);
  throw new Error(`position ${position} is in no segment`);
}

/**
 * Makes an empty {@link SegmentList}.
 * @param maxSize - the most fingerprints of one segment
 */
export function createSegmentList(maxSize: number): SegmentList {
  // Never changed but replaced: snapshots keep the old array.
  let parts: readonly Part[] = [];
  let length = 0;
  return {
    get length() {
      return length;
    },
    get octets() {
      return parts.reduce((sum, { segment }) => sum + segment.octets, 0);
    },
    push(size, fill) {
      let count = size;
      let from = parts.length;
      while (from > 0 && parts[from - 1]!.segment.size <= Math.min(2 * count, maxSize - count))
        count += parts[--from]!.segment.size;
      const base = length + size - count;
      const merged = parts.slice(from);
      const segment = createSegment(count, (target) => {
        for (const part of merged) part.segment.copy(target, part.base - base);
        fill(target.subarray(count - size));
      });
      // Only now, so that nothing has changed if there was no memory for it.
      parts = [...parts.slice(0, from), { base, segment }];
      length += size;
    },
    get: (position) => read(parts, position),
    query(fingerprint, k, hits) {
      // Not by destructuring: one query takes a quarter of a microsecond.
      for (let i = 0; i < parts.length; i++) parts[i]!.segment.query(fingerprint, k, hits, parts[i]!.base);
    },
    work: (fingerprint, k) => parts.reduce((sum, { segment }) => sum + segment.work(fingerprint, k), 0),
    snapshot() {
      const now = parts;
      return (position) => read(now, position);
    },
  };
}
