import { assertFingerprint, assertInteger, wrongType } from '../../errors.ts';
import { ones } from '../halves.ts';
import { createPlainSegment } from './javascript.ts';
import { addHit, createHits, type Hits, type Segment } from './types.ts';
import { createKernelSegment } from './wasm.ts';

/** Makes a segment, in WebAssembly where that is to be had. */
export function createSegment(size: number, fill: (target: BigUint64Array) => void): Segment {
  return createKernelSegment(size, fill) ?? createPlainSegment(size, fill);
}

/**
 * Fingerprints by position, in memory, to be added to, removed from and searched. Positions are given in the order of
 * adding, from 0, and stay.
 */
export interface FingerprintTable {
  /** How many positions there are, the removed ones included. */
  readonly length: number;
  /** How many fingerprints are stored. */
  readonly size: number;
  /** Octets of memory that the fingerprints and their tables take. */
  readonly octets: number;
  /**
   * Adds one fingerprint.
   * @param fingerprint - 0 to 2^64 - 1
   * @returns its position
   */
  add(fingerprint: bigint): number;
  /**
   * Adds many at once, which is faster than one by one.
   * @param fingerprints - any number of them
   * @returns the position of the first; the others follow
   */
  addAll(fingerprints: BigUint64Array): number;
  /**
   * Adds many at once where they are not in memory yet, so that they need not be in memory twice.
   * @param count - how many
   * @param read - called one or more times; fills the array that it is given with the next ones
   * @returns the position of the first; the others follow
   */
  addFrom(count: number, read: (target: BigUint64Array) => void): number;
  /**
   * Removes what stands at a position.
   * @returns whether something stood there
   */
  remove(position: number): boolean;
  /** Whether something stands at a position. */
  has(position: number): boolean;
  /** The fingerprint at a position, also of a removed one. */
  get(position: number): bigint;
  /**
   * Finds the positions at distance `k` or less (LKP-3), in any order: complete for every k, up to 7 by tables and beyond by
   * comparing with all.
   * @param fingerprint - 0 to 2^64 - 1
   * @param k - 0 to 64
   * @returns the hits; the object is used again by the next query
   */
  query(fingerprint: bigint, k: number): Hits;
  /** What is stored now, to be read while the table changes: it takes a bit for each position. */
  snapshot(): TableSnapshot;
  /**
   * Makes a table of what is not removed, in one segment; this one stays as it is.
   * @returns the table, and for each position here the one there, or 2^32 - 1 for what is removed
   */
  compacted(): { readonly table: FingerprintTable; readonly positions: Uint32Array };
}

/** A {@link FingerprintTable} as it was. */
export interface TableSnapshot {
  readonly length: number;
  readonly size: number;
  has(position: number): boolean;
  get(position: number): bigint;
}

/** What {@link FingerprintTable.compacted} gives for a removed position. */
export const REMOVED = 0xffffffff;

/** Fingerprints that are not in a segment yet are compared one by one: so many cost about as much as the tables do. */
export const TAIL = 4096;

/** The most fingerprints of one segment: what WebAssembly can address holds 107 million. */
const LARGEST_SEGMENT = 100_000_000;

interface Part {
  /** The position of its first fingerprint. */
  readonly base: number;
  readonly segment: Segment;
}

/** The fingerprint at a position that is in one of the segments. */
function read(parts: readonly Part[], position: number): bigint {
  // The largest segments come first and hold most of the positions.
  for (const { base, segment } of parts) if (position < base + segment.size) return segment.get(position - base);
  throw new Error(`position ${position} is in no segment`);
}

function isSet(bits: Uint8Array, position: number): boolean {
  return ((bits[position >>> 3] ?? 0) & (1 << (position & 7))) !== 0;
}

/**
 * Makes an empty {@link FingerprintTable}. What is added goes to a short unsorted part, which becomes a segment when it is
 * full; segments of like size are merged, so that each fingerprint is moved a logarithmic number of times.
 * @param largest - the most fingerprints of one segment
 */
export function createFingerprintTable(largest = LARGEST_SEGMENT): FingerprintTable {
  let parts: Part[] = [];
  let sorted = 0;
  // Made when something is added by itself.
  let tailHigh = new Uint32Array(0);
  let tailLow = new Uint32Array(0);
  let tail = 0;
  let removed = new Uint8Array(0);
  let removedCount = 0;
  const hits = createHits();

  const length = (): number => sorted + tail;
  const tailValue = (i: number): bigint => (BigInt(tailHigh[i]!) << 32n) | BigInt(tailLow[i]!);
  const at = (position: number): bigint => (position >= sorted ? tailValue(position - sorted) : read(parts, position));

  /** Appends a segment, merging it with those before it that are not much larger. */
  function push(size: number, fill: (target: BigUint64Array) => void): void {
    let count = size;
    let from = parts.length;
    while (from > 0 && parts[from - 1]!.segment.size <= Math.min(2 * count, largest - count))
      count += parts[--from]!.segment.size;
    const base = sorted + size - count;
    const merged = parts.slice(from);
    const segment = createSegment(count, (target) => {
      for (const part of merged) part.segment.copy(target, part.base - base);
      fill(target.subarray(count - size));
    });
    // Only now, so that nothing has changed when there was no memory for it.
    parts = [...parts.slice(0, from), { base, segment }];
    sorted += size;
  }

  function flush(): void {
    if (tail === 0) return;
    const size = tail;
    push(size, (target) => {
      for (let i = 0; i < size; i++) target[i] = tailValue(i);
    });
    tail = 0;
  }

  /** Adds to the unsorted part, which has room for it. */
  function append(fingerprint: bigint): void {
    if (tail === tailHigh.length) {
      const more = Math.min(TAIL, Math.max(64, 2 * tail));
      const [high, low] = [new Uint32Array(more), new Uint32Array(more)];
      high.set(tailHigh);
      low.set(tailLow);
      [tailHigh, tailLow] = [high, low];
    }
    tailHigh[tail] = Number(fingerprint >> 32n);
    tailLow[tail] = Number(fingerprint & 0xffffffffn);
    tail++;
  }

  function addFrom(count: number, fill: (target: BigUint64Array) => void): number {
    flush();
    const first = length();
    for (let left = count; left > 0; ) {
      const size = Math.min(left, largest);
      push(size, fill);
      left -= size;
    }
    return first;
  }

  return {
    get length() {
      return length();
    },
    get size() {
      return length() - removedCount;
    },
    get octets() {
      return parts.reduce((sum, { segment }) => sum + segment.octets, 8 * tailHigh.length + removed.length);
    },
    add(fingerprint) {
      assertFingerprint('fingerprint', fingerprint);
      if (tail === TAIL) flush();
      append(fingerprint);
      return length() - 1;
    },
    addAll(fingerprints) {
      if (!(fingerprints instanceof BigUint64Array)) throw wrongType('fingerprints', 'a BigUint64Array', fingerprints);
      const first = length();
      if (fingerprints.length <= TAIL - tail) {
        for (const fingerprint of fingerprints) append(fingerprint);
        return first;
      }
      let next = 0;
      return addFrom(fingerprints.length, (target) => {
        target.set(fingerprints.subarray(next, next + target.length));
        next += target.length;
      });
    },
    addFrom(count, fill) {
      assertInteger('count', count, 0, REMOVED - length());
      return addFrom(count, fill);
    },
    remove(position) {
      assertInteger('position', position, 0, Number.MAX_SAFE_INTEGER);
      if (position >= length() || isSet(removed, position)) return false;
      if (removed.length <= position >>> 3) {
        const larger = new Uint8Array(Math.max(1024, (length() >>> 3) + 1, 2 * removed.length));
        larger.set(removed);
        removed = larger;
      }
      removed[position >>> 3]! |= 1 << (position & 7);
      removedCount++;
      return true;
    },
    has: (position) => position >= 0 && position < length() && !isSet(removed, position),
    get(position) {
      assertInteger('position', position, 0, length() - 1);
      return at(position);
    },
    query(fingerprint, k) {
      assertFingerprint('fingerprint', fingerprint);
      assertInteger('k', k, 0, 64);
      hits.count = 0;
      // Not by destructuring: one query takes a quarter of a microsecond.
      for (let i = 0; i < parts.length; i++) parts[i]!.segment.query(fingerprint, k, hits, parts[i]!.base);
      if (tail > 0) {
        const high = Number(fingerprint >> 32n);
        const low = Number(fingerprint & 0xffffffffn);
        for (let i = 0; i < tail; i++) {
          const distance = ones(tailHigh[i]! ^ high) + ones(tailLow[i]! ^ low);
          if (distance <= k) addHit(hits, sorted + i, distance);
        }
      }
      if (removedCount > 0) {
        let kept = 0;
        for (let i = 0; i < hits.count; i++)
          if (!isSet(removed, hits.positions[i]!)) {
            hits.positions[kept] = hits.positions[i]!;
            hits.distances[kept++] = hits.distances[i]!;
          }
        hits.count = kept;
      }
      return hits;
    },
    snapshot() {
      const [was, wasSorted, wasRemoved] = [parts, sorted, removed.slice()];
      const last = BigUint64Array.from({ length: tail }, (_, i) => tailValue(i));
      const end = length();
      return {
        length: end,
        size: end - removedCount,
        has: (position) => position >= 0 && position < end && !isSet(wasRemoved, position),
        get: (position) => (position >= wasSorted ? last[position - wasSorted]! : read(was, position)),
      };
    },
    compacted() {
      const positions = new Uint32Array(length());
      let next = 0;
      for (let position = 0; position < positions.length; position++)
        positions[position] = isSet(removed, position) ? REMOVED : next++;
      const compact = createFingerprintTable(largest);
      let from = 0;
      compact.addFrom(next, (target) => {
        for (let filled = 0; filled < target.length; from++)
          if (positions[from] !== REMOVED) target[filled++] = at(from);
      });
      return { table: compact, positions };
    },
  };
}
