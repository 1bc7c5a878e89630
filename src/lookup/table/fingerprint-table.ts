import { enlarge } from '../../common/bytes.ts';
import { assertFingerprint, assertInteger, wrongType } from '../../errors.ts';
import { ones } from '../../scheme/compare.ts';
import { assertWide, type Fingerprint, fingerprintOfWords, wordsOf } from '../../scheme/labels/fingerprint.ts';
import { createFingerprintList, type Fill, type FingerprintList } from './fingerprint-list.ts';
import { addHit, createHits, filterHits, type Hits } from './table-segment.ts';

/** The position in place of a removed fingerprint, see {@link compacted}. */
export const REMOVED = 0xffffffff;

/** The maximum number of fingerprints in one segment: WebAssembly can address 107 million. */
const MAX_SEGMENT_SIZE = 100_000_000;

export type FingerprintTable = ReturnType<typeof createFingerprintTable>;

/**
 * Makes a table of fingerprints in memory: they can be added, removed and searched. Positions are assigned in the order of
 * adding, from 0, and stay. One of 256 bits has tables for each of its four words (MIN-11).
 */
export function createFingerprintTable(words: 1 | 4 = 1, maxSegmentSize = MAX_SEGMENT_SIZE) {
  const list = createFingerprintList(maxSegmentSize, words);
  const removed = createPositionSet();
  const [hits, near] = [createHits(), createHits()];
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
    add(fingerprint: Fingerprint): number {
      list.add(...splitWords(fingerprint, words));
      return list.length - 1;
    },
    /** Adds many at once, which is faster; the words of each are next to each other. Returns the first position. */
    addAll(fingerprints: BigUint64Array): number {
      if (!(fingerprints instanceof BigUint64Array)) throw wrongType('fingerprints', 'a BigUint64Array', fingerprints);
      list.addAll(fingerprints);
      return list.length - fingerprints.length / words;
    },
    /** Adds many fingerprints that are not in memory yet. Returns the first position. */
    addFrom(count: number, read: Fill): number {
      assertInteger('count', count, 0, REMOVED - list.length);
      list.addFrom(count, read);
      return list.length - count;
    },
    remove(position: number): boolean {
      assertInteger('position', position, 0, Number.MAX_SAFE_INTEGER);
      if (!has(position)) return false;
      removed.add(position, list.length);
      return true;
    },
    has,
    /** Returns the fingerprint at a position, also of a removed one. */
    get(position: number): Fingerprint {
      assertInteger('position', position, 0, list.length - 1);
      return join(list.get, position, words);
    },
    wordAt: list.get,
    /**
     * Finds the positions at distance `k` (0 to 64) or less (LKP-2), in any order: complete for every k, up to 7 by
     * tables and beyond by comparing with all. With 256 bits, at least one word is at distance `k` or less, and the
     * hits have the distance of all words (MIN-11). The next query overwrites the hits.
     */
    query(fingerprint: Fingerprint, k: number): Hits {
      hits.count = 0;
      if (words === 1) assertFingerprint('fingerprint', fingerprint);
      else assertWide('fingerprint', fingerprint);
      assertInteger('k', k, 0, 64);
      // No list of words is made for one: a query takes a quarter of a microsecond.
      if (typeof fingerprint === 'bigint') list.query(fingerprint, k, hits, 0);
      else searchWords(list, wordsOf('fingerprint', fingerprint), k, near, hits);
      if (removed.size > 0) filterHits(hits, has);
      return hits;
    },
    work(fingerprint: Fingerprint, k: number): number {
      const values = splitWords(fingerprint, words);
      assertInteger('k', k, 0, 64);
      return values.reduce((sum, value, word) => sum + list.work(value, k, word), 0);
    },
    /** Returns the present content, to be read while the table changes: takes a bit for each position. */
    snapshot() {
      const [length, read, isRemoved] = [list.length, list.snapshot(), removed.snapshot()];
      return {
        length,
        has: (position: number): boolean => position >= 0 && position < length && !isRemoved(position),
        get: (position: number): Fingerprint => join(read, position, words),
      };
    },
  };
}

function splitWords(fingerprint: Fingerprint, words: 1 | 4): bigint[] {
  if (words === 1) assertFingerprint('fingerprint', fingerprint);
  else assertWide('fingerprint', fingerprint);
  return wordsOf('fingerprint', fingerprint);
}

/** Finds the fingerprints of which a word is near the same word of the query, each once, with the distance of all words. */
function searchWords(list: FingerprintList, query: readonly bigint[], k: number, near: Hits, hits: Hits): void {
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
}

function distanceOf(a: bigint, b: bigint): number {
  const difference = a ^ b;
  return ones(Number(difference >> 32n)) + ones(Number(difference & 0xffffffffn));
}

function join(get: FingerprintList['get'], position: number, words: number): Fingerprint {
  if (words === 1) return get(position, 0);
  return fingerprintOfWords(Array.from({ length: words }, (_, word) => get(position, word)));
}

/** Copies the fingerprints that are not removed; returns also the new position of each old one, or {@link REMOVED}. */
export function compacted({ words, length, has, wordAt }: FingerprintTable) {
  const positions = new Uint32Array(length);
  let kept = 0;
  for (let position = 0; position < length; position++) positions[position] = has(position) ? kept++ : REMOVED;
  const table = createFingerprintTable(words);
  let from = 0;
  table.addFrom(kept, (...targets) => {
    for (let filled = 0; filled < targets[0]!.length; from++) {
      if (positions[from] === REMOVED) continue;
      for (const [word, target] of targets.entries()) target[filled] = wordAt(from, word);
      filled++;
    }
  });
  return { table, positions };
}

function createPositionSet() {
  let bits = new Uint8Array(0);
  let size = 0;
  const isIn = (set: Uint8Array, position: number): boolean =>
    ((set[position >>> 3] ?? 0) & (1 << (position & 7))) !== 0;
  return {
    get size() {
      return size;
    },
    get bytes() {
      return bits.length;
    },
    has: (position: number): boolean => isIn(bits, position),
    add(position: number, length: number): void {
      if (bits.length <= position >>> 3) bits = enlarge(bits, Math.max(1024, (length >>> 3) + 1, 2 * bits.length));
      bits[position >>> 3]! |= 1 << (position & 7);
      size++;
    },
    snapshot() {
      const now = bits.slice();
      return (position: number): boolean => isIn(now, position);
    },
  };
}
