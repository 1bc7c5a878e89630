import { enlarge } from '../../common/bytes.ts';
import { assertFingerprint, assertInteger, wrongType } from '../../errors.ts';
import { ones } from '../../scheme/compare.ts';
import { assertWide, type Fingerprint, fingerprintOfWords, wordsOf } from '../../scheme/labels/fingerprint.ts';
import { createFingerprintList, type Fill, type FingerprintList } from './fingerprint-list.ts';
import { addHit, createHits, filterHits, type Hits } from './segment.ts';

/**
 * Fingerprints by position, in memory: they can be added, removed and searched. Positions are assigned in the order of
 * adding, from 0, and stay. One of 256 bits has tables for each of its four words (MIN-11).
 */
export interface FingerprintTable<F extends Fingerprint = bigint> {
  readonly words: number;
  readonly length: number;
  readonly size: number;
  readonly bytes: number;
  add(fingerprint: F): number;
  /** Adds many at once, which is faster; the words of each are next to each other. Returns the first position. */
  addAll(fingerprints: BigUint64Array): number;
  /**
   * Adds many fingerprints that are not in memory yet: `read` fills the arrays that it is given, one for each word, with the
   * next ones. Returns the first position.
   */
  addFrom(count: number, read: Fill): number;
  remove(position: number): boolean;
  has(position: number): boolean;
  /** The fingerprint at a position, also of a removed one. */
  get(position: number): F;
  wordAt(position: number, word: number): bigint;
  /**
   * Finds the positions at distance `k` (0 to 64) or less (LKP-2), in any order: complete for every k, up to 7 by
   * tables and beyond by comparing with all. With 256 bits, at least one word is at distance `k` or less, and the
   * hits have the distance of all words (MIN-11). The next query overwrites the hits.
   */
  query(fingerprint: F, k: number): Hits;
  work(fingerprint: F, k: number): number;
  /** Returns the present content, to be read while the table changes: takes a bit for each position. */
  snapshot(): TableSnapshot<F>;
  /** Copies the fingerprints that are not removed; returns also the new position of each old one, or {@link REMOVED}. */
  compacted(): Compacted<F>;
}

interface TableSnapshot<F extends Fingerprint = bigint> {
  readonly length: number;
  readonly size: number;
  has(position: number): boolean;
  get(position: number): F;
}

interface Compacted<F extends Fingerprint> {
  readonly table: FingerprintTable<F>;
  readonly positions: Uint32Array;
}

export const REMOVED = 0xffffffff;

/** The maximum number of fingerprints in one segment: WebAssembly can address 107 million. */
const MAX_SEGMENT_SIZE = 100_000_000;

export function createFingerprintTable(maxSegmentSize = MAX_SEGMENT_SIZE): FingerprintTable {
  return createTable(1, maxSegmentSize) as FingerprintTable<Fingerprint> as FingerprintTable;
}

export function createTable(words: 1 | 4, maxSegmentSize = MAX_SEGMENT_SIZE): FingerprintTable<Fingerprint> {
  const list = createFingerprintList(maxSegmentSize, words);
  const removed = createPositionSet();
  const hits = createHits();
  const search = words === 1 ? searchOne(list) : searchAll(list);
  const has = (position: number): boolean => position >= 0 && position < list.length && !removed.has(position);
  return {
    words,
    get length() {
      return list.length;
    },
    get size() {
      return list.length - removed.size;
    },
    get bytes() {
      return list.bytes + removed.bytes;
    },
    add(fingerprint) {
      list.add(...splitWords(fingerprint, words));
      return list.length - 1;
    },
    addAll(fingerprints) {
      if (!(fingerprints instanceof BigUint64Array)) throw wrongType('fingerprints', 'a BigUint64Array', fingerprints);
      list.addAll(fingerprints);
      return list.length - fingerprints.length / words;
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
      return join(list.get, position, words);
    },
    wordAt: list.get,
    query(fingerprint, k) {
      hits.count = 0;
      search(fingerprint, k, hits);
      if (removed.size > 0) filterHits(hits, has);
      return hits;
    },
    work(fingerprint, k) {
      const values = splitWords(fingerprint, words);
      assertInteger('k', k, 0, 64);
      return values.reduce((sum, value, word) => sum + list.work(value, k, word), 0);
    },
    snapshot: () => snapshotOf(list, removed, words),
    compacted: () => compact(list, has, words, maxSegmentSize),
  };
}

function splitWords(fingerprint: Fingerprint, words: 1 | 4): bigint[] {
  if (words === 1) assertFingerprint('fingerprint', fingerprint);
  else assertWide('fingerprint', fingerprint);
  return wordsOf('fingerprint', fingerprint);
}

type Search = (fingerprint: Fingerprint, k: number, hits: Hits) => void;

/** Searches fingerprints of one word. No list of words is made: a query takes a quarter of a microsecond. */
function searchOne(list: FingerprintList): Search {
  return (fingerprint, k, hits) => {
    assertFingerprint('fingerprint', fingerprint);
    assertInteger('k', k, 0, 64);
    list.query(fingerprint, k, hits, 0);
  };
}

/**
 * Searches fingerprints of four words: a hit has at least one word at distance `k` or less from the same word of the
 * query (MIN-11). It is found once, with the distance of all words.
 */
function searchAll(list: FingerprintList): Search {
  const near = createHits();
  return (fingerprint, k, hits) => {
    const query = splitWords(fingerprint, 4);
    assertInteger('k', k, 0, 64);
    for (const [word, value] of query.entries()) {
      near.count = 0;
      list.query(value, k, near, word);
      for (let i = 0; i < near.count; i++) {
        const position = near.positions[i]!;
        let distance = near.distances[i]!;
        let isFirst = true;
        for (let other = 0; other < query.length && isFirst; other++) {
          if (other === word) continue;
          const ofOther = distanceOf(list.get(position, other), query[other]!);
          distance += ofOther;
          // An earlier word has already found this position.
          if (other < word && ofOther <= k) isFirst = false;
        }
        if (isFirst) addHit(hits, position, distance);
      }
    }
  };
}

function distanceOf(a: bigint, b: bigint): number {
  const difference = a ^ b;
  return ones(Number(difference >> 32n)) + ones(Number(difference & 0xffffffffn));
}

function join(get: FingerprintList['get'], position: number, words: number): Fingerprint {
  if (words === 1) return get(position, 0);
  return fingerprintOfWords(Array.from({ length: words }, (_, word) => get(position, word)));
}

function snapshotOf(list: FingerprintList, removed: PositionSet, words: number): TableSnapshot<Fingerprint> {
  const [length, read, gone] = [list.length, list.snapshot(), removed.copy()];
  const has = (position: number): boolean => position >= 0 && position < length && !gone.has(position);
  return { length, size: length - gone.size, has, get: (position) => join(read, position, words) };
}

function compact(
  { length, get }: FingerprintList,
  has: (position: number) => boolean,
  words: 1 | 4,
  maxSegmentSize: number,
): Compacted<Fingerprint> {
  const positions = new Uint32Array(length);
  let kept = 0;
  for (let position = 0; position < length; position++) positions[position] = has(position) ? kept++ : REMOVED;
  const table = createTable(words, maxSegmentSize);
  let from = 0;
  table.addFrom(kept, (...targets) => {
    for (let filled = 0; filled < targets[0]!.length; from++) {
      if (positions[from] === REMOVED) continue;
      for (const [word, target] of targets.entries()) target[filled] = get(from, word);
      filled++;
    }
  });
  return { table, positions };
}

interface PositionSet {
  readonly size: number;
  readonly bytes: number;
  has(position: number): boolean;
  add(position: number, length: number): void;
  copy(): PositionSet;
}

function createPositionSet(bits = new Uint8Array(0), size = 0): PositionSet {
  return {
    get size() {
      return size;
    },
    get bytes() {
      return bits.length;
    },
    has: (position) => ((bits[position >>> 3] ?? 0) & (1 << (position & 7))) !== 0,
    add(position, length) {
      if (bits.length <= position >>> 3) bits = enlarge(bits, Math.max(1024, (length >>> 3) + 1, 2 * bits.length));
      bits[position >>> 3]! |= 1 << (position & 7);
      size++;
    },
    copy: () => createPositionSet(bits.slice(), size),
  };
}
