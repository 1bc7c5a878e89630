import type { Hits } from './hits.ts';
import { createKernelSegment } from './kernel-segment.ts';
import { createPlainSegment } from './plain.ts';
import type { Segment } from './segment.ts';

/** Some fingerprints: a segment for each of their words. */
interface Part {
  /** The position of its first fingerprint. */
  readonly base: number;
  readonly size: number;
  readonly segments: readonly Segment[];
}

/** Writes fingerprints: word 0 of each into the first array, word 1 into the second, and so on. */
export type Fill = (...targets: BigUint64Array[]) => void;

function createSegment(size: number, fill: (target: BigUint64Array) => void): Segment {
  return createKernelSegment(size, fill) ?? createPlainSegment(size, fill);
}

/** Makes a segment for each word. All have their memory before `fill` is called. */
function createSegments(words: number, size: number, fill: Fill): Segment[] {
  const segments: Segment[] = [];
  const create = (...targets: BigUint64Array[]): void => {
    if (targets.length === words) fill(...targets);
    // The last word is complete first.
    else segments.unshift(createSegment(size, (target) => create(...targets, target)));
  };
  create();
  return segments;
}

function read(parts: readonly Part[], position: number, word: number): bigint {
  // The largest parts come first and hold most of the positions.
  for (const { base, size, segments } of parts) if (position < base + size) return segments[word]!.get(position - base);
  throw new Error(`position ${position} is in no segment`);
}

/** Makes a list of parts, one after the other, as one sequence of positions. */
export function createSegmentList(maxSize: number, words: number) {
  // Replaced instead of changed, since snapshots keep the old array.
  let parts: readonly Part[] = [];
  let length = 0;
  return {
    get length() {
      return length;
    },
    get bytes() {
      return parts.flatMap(({ segments }) => segments).reduce((sum, { bytes }) => sum + bytes, 0);
    },
    /** Appends a part of one fingerprint or more, merging it with those before it that are not much larger. */
    push(size: number, fill: Fill): void {
      let count = size;
      let from = parts.length;
      while (from > 0 && parts[from - 1]!.size <= Math.min(2 * count, maxSize - count)) count += parts[--from]!.size;
      const base = length + size - count;
      const merged = parts.slice(from);
      const segments = createSegments(words, count, (...targets) => {
        for (const part of merged)
          for (const [word, target] of targets.entries()) part.segments[word]!.copy(target, part.base - base);
        fill(...targets.map((target) => target.subarray(count - size)));
      });
      // Last, so that nothing has changed if there was no memory.
      parts = [...parts.slice(0, from), { base, size: count, segments }];
      length += size;
    },
    get: (position: number, word: number): bigint => read(parts, position, word),
    /** Like `Segment.query`, in one word of each fingerprint. */
    query(value: bigint, k: number, hits: Hits, word: number): void {
      // Without destructuring, since a query takes a quarter of a microsecond.
      for (let i = 0; i < parts.length; i++) parts[i]!.segments[word]!.query(value, k, hits, parts[i]!.base);
    },
    work: (value: bigint, k: number, word: number): number =>
      parts.reduce((sum, { segments }) => sum + segments[word]!.work(value, k), 0),
    /** Returns a function that reads the present fingerprints, whatever changes later. */
    snapshot() {
      const now = parts;
      return (position: number, word: number): bigint => read(now, position, word);
    },
  };
}

/** Writes fingerprints whose words are next to each other into arrays, one for each word. */
export function spread(from: BigUint64Array, targets: readonly BigUint64Array[]): void {
  const [first] = targets as [BigUint64Array];
  if (targets.length === 1) first.set(from.subarray(0, first.length));
  else
    for (let i = 0, at = 0; i < first.length; i++)
      for (let word = 0; word < targets.length; word++) targets[word]![i] = from[at++]!;
}
