import { enlarge } from '../../common/bytes.ts';
import { type Lanes, splitLanes } from '../../common/lanes.ts';
import { ones } from '../../scheme/compare.ts';
import { createKernelSegment } from './kernel-segment.ts';
import { addHit, type Hits, type TableSegment } from './table-segment.ts';

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
    snapshot() {
      const [sorted, read] = [segments.length, segments.snapshot()];
      const last = Array.from({ length: words }, (_, word) => tail.toArray(word));
      return (position: number, word: number): bigint =>
        position < sorted ? read(position, word) : last[word]![position - sorted]!;
    },
  };
}

/** Reads fingerprints whose words are next to each other. */
function readerOf(fingerprints: BigUint64Array): Fill {
  let next = 0;
  return (...targets) => {
    const [first] = targets as [BigUint64Array];
    const end = next + targets.length * first.length;
    if (targets.length === 1) first.set(fingerprints.subarray(next, end));
    else
      for (let i = 0, at = next; i < first.length; i++)
        for (let word = 0; word < targets.length; word++) targets[word]![i] = fingerprints[at++]!;
    next = end;
  };
}

interface Part {
  readonly base: number;
  readonly size: number;
  readonly segments: readonly TableSegment[];
}

/** Fills arrays with the next fingerprints: word 0 of each into the first array, word 1 into the second, and so on. */
export type Fill = (...targets: BigUint64Array[]) => void;

function createSegment(size: number, fill: (target: BigUint64Array) => void): TableSegment {
  return createKernelSegment(size, fill) ?? createPlainSegment(size, fill);
}

/** The fallback without WebAssembly, or without memory for it: a query compares every fingerprint. */
function createPlainSegment(size: number, fill: (target: BigUint64Array) => void): TableSegment {
  const values = new BigUint64Array(size);
  fill(values);
  const lanes = splitLanes(values);
  return {
    size,
    bytes: 16 * size,
    get: (position) => values[position]!,
    copy: (target, at) => target.set(values, at),
    work: () => size,
    query: (value, k, hits, base) => scan(lanes, size, value, k, hits, base),
  };
}

function scan({ high, low }: Lanes, count: number, value: bigint, k: number, hits: Hits, base: number): void {
  const queryHigh = Number(value >> 32n);
  const queryLow = Number(value & 0xffffffffn);
  for (let i = 0; i < count; i++) {
    const distance = ones(high[i]! ^ queryHigh) + ones(low[i]! ^ queryLow);
    if (distance <= k) addHit(hits, base + i, distance);
  }
}

/** Makes a segment for each word. All have their memory before `fill` is called. */
function createSegments(words: number, size: number, fill: Fill): TableSegment[] {
  const segments: TableSegment[] = [];
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

function createSegmentList(maxSize: number, words: number) {
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
    query(value: bigint, k: number, hits: Hits, word: number): void {
      // Without destructuring, since a query takes a quarter of a microsecond.
      for (let i = 0; i < parts.length; i++) parts[i]!.segments[word]!.query(value, k, hits, parts[i]!.base);
    },
    work: (value: bigint, k: number, word: number): number =>
      parts.reduce((sum, { segments }) => sum + segments[word]!.work(value, k), 0),
    snapshot() {
      const now = parts;
      return (position: number, word: number): bigint => read(now, position, word);
    },
  };
}

/** The maximum number of fingerprints compared one by one: about as much work as a query of the tables. */
export const MAX_TAIL_SIZE = 4096;

/** Makes a list of fingerprints that are in no segment yet; it takes no memory before something is added. */
function createTail(words: number) {
  let lanes: Lanes[] = Array.from({ length: words }, () => ({ high: new Uint32Array(0), low: new Uint32Array(0) }));
  let length = 0;
  const get = (index: number, word: number): bigint => {
    const { high, low } = lanes[word]!;
    return (BigInt(high[index]!) << 32n) | BigInt(low[index]!);
  };

  function grow(): void {
    const size = Math.min(MAX_TAIL_SIZE, Math.max(64, 2 * length));
    lanes = lanes.map(({ high, low }) => ({ high: enlarge(high, size), low: enlarge(low, size) }));
  }

  return {
    get length() {
      return length;
    },
    get bytes() {
      return lanes.reduce((sum, { high, low }) => sum + high.byteLength + low.byteLength, 0);
    },
    push(from: ArrayLike<bigint>, at: number): void {
      if (length === lanes[0]!.high.length) grow();
      for (let word = 0; word < words; word++) {
        const { high, low } = lanes[word]!;
        high[length] = Number(from[at + word]! >> 32n);
        low[length] = Number(from[at + word]! & 0xffffffffn);
      }
      length++;
    },
    get,
    clear(): void {
      length = 0;
    },
    query(value: bigint, k: number, hits: Hits, base: number, word: number): void {
      scan(lanes[word]!, length, value, k, hits, base);
    },
    toArray: (word: number): BigUint64Array => BigUint64Array.from({ length }, (_, i) => get(i, word)),
  };
}
