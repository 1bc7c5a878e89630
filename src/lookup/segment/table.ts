import { assertFingerprint, assertInteger, wrongType } from '../../errors.ts';
import { createFingerprintList, type FingerprintList } from './fingerprint-list.ts';
import { createHits, filterHits, type Hits } from './hits.ts';
import { createPositionSet, type PositionSet } from './position-set.ts';

/**
 * Fingerprints by position, in memory: they can be added, removed and searched. Positions are assigned in the order of
 * adding, from 0, and stay.
 */
export interface FingerprintTable {
  /** How many positions there are, including removed ones. */
  readonly length: number;
  /** How many fingerprints are stored. */
  readonly size: number;
  /** How many octets of memory the fingerprints and their tables take. */
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
   * Adds many that are not in memory yet, so that they need not be in memory twice.
   * @param count - how many
   * @param read - called one or more times; fills the array that it is given with the next ones
   * @returns the position of the first; the others follow
   */
  addFrom(count: number, read: (target: BigUint64Array) => void): number;
  /**
   * Removes the fingerprint at a position.
   * @returns whether there was one
   */
  remove(position: number): boolean;
  /** Whether there is a fingerprint at a position. */
  has(position: number): boolean;
  /** The fingerprint at a position, also of a removed one. */
  get(position: number): bigint;
  /**
   * Finds the positions at distance `k` or less (LKP-3), in any order: complete for every k, up to 7 by tables and beyond by
   * comparing with all.
   * @param fingerprint - 0 to 2^64 - 1
   * @param k - 0 to 64
   * @returns the hits; the next query overwrites them
   */
  query(fingerprint: bigint, k: number): Hits;
  /** How many fingerprints such a query compares, removed ones included. */
  work(fingerprint: bigint, k: number): number;
  /** What is stored now, to be read while the table changes: takes a bit for each position. */
  snapshot(): TableSnapshot;
  /**
   * Makes a table of what is not removed; this one stays as it is.
   * @returns the table, and for each position here the one there, or {@link REMOVED}
   */
  compacted(): { readonly table: FingerprintTable; readonly positions: Uint32Array };
}

/** A {@link FingerprintTable} at some moment. */
export interface TableSnapshot {
  readonly length: number;
  readonly size: number;
  has(position: number): boolean;
  get(position: number): bigint;
}

/** What {@link FingerprintTable.compacted} gives for a removed position. */
export const REMOVED = 0xffffffff;

/** The most fingerprints of one segment: what WebAssembly can address holds 107 million. */
const MAX_SEGMENT_SIZE = 100_000_000;

/**
 * Makes an empty {@link FingerprintTable}.
 * @param maxSegmentSize - the most fingerprints of one segment
 */
export function createFingerprintTable(maxSegmentSize = MAX_SEGMENT_SIZE): FingerprintTable {
  const list = createFingerprintList(maxSegmentSize);
  const removed = createPositionSet();
  const hits = createHits();
  const has = (position: number): boolean => position >= 0 && position < list.length && !removed.has(position);
  return {
    get length() {
      return list.length;
    },
    get size() {
      return list.length - removed.size;
    },
    get octets() {
      return list.octets + removed.octets;
    },
    add(fingerprint) {
      assertFingerprint('fingerprint', fingerprint);
      list.add(fingerprint);
      return list.length - 1;
    },
    addAll(fingerprints) {
      if (!(fingerprints instanceof BigUint64Array)) throw wrongType('fingerprints', 'a BigUint64Array', fingerprints);
      list.addAll(fingerprints);
      return list.length - fingerprints.length;
    },
    addFrom(count, read) {
      assertInteger('count', count, 0, REMOVED - list.length);
      list.addFrom(count, read);
      return list.length - count;
    },
    remove(position) {
      assertInteger('position', position, 0, Number.MAX_SAFE_INTEGER);
      if (!has(position)) return false;
      removed.add(position, list.length);
      return true;
    },
    has,
    get(position) {
      assertInteger('position', position, 0, list.length - 1);
      return list.get(position);
    },
    query(fingerprint, k) {
      assertFingerprint('fingerprint', fingerprint);
      assertInteger('k', k, 0, 64);
      hits.count = 0;
      list.query(fingerprint, k, hits);
      if (removed.size > 0) filterHits(hits, has);
      return hits;
    },
    work(fingerprint, k) {
      assertFingerprint('fingerprint', fingerprint);
      assertInteger('k', k, 0, 64);
      return list.work(fingerprint, k);
    },
    snapshot: () => snapshotOf(list, removed),
    compacted: () => compact(list.length, has, list.get, maxSegmentSize),
  };
}

function snapshotOf(list: FingerprintList, removed: PositionSet): TableSnapshot {
  const [length, get, gone] = [list.length, list.snapshot(), removed.copy()];
  const has = (position: number): boolean => position >= 0 && position < length && !gone.has(position);
  return { length, size: length - gone.size, has, get };
}

/** The table and the positions of {@link FingerprintTable.compacted}. */
function compact(
  length: number,
  has: (position: number) => boolean,
  get: (position: number) => bigint,
  maxSegmentSize: number,
): { table: FingerprintTable; positions: Uint32Array } {
  const positions = new Uint32Array(length);
  let kept = 0;
  for (let position = 0; position < length; position++) positions[position] = has(position) ? kept++ : REMOVED;
  const table = createFingerprintTable(maxSegmentSize);
  let from = 0;
  table.addFrom(kept, (target) => {
    for (let filled = 0; filled < target.length; from++) if (positions[from] !== REMOVED) target[filled++] = get(from);
  });
  return { table, positions };
}
