import { enlarge } from '../../../../common/bytes.ts';
import { ones } from '../../../../scheme/compare.ts';
import type { Match, QueryResult } from '../../../document-index.ts';
import { completeDistance, matchOf, tooMuchWork } from '../../results.ts';
import type { NearestQuery } from '../backend.ts';
import { damaged } from './errors.ts';
import { lossesIn, lossesKey } from './losses.ts';
import { bytesOf, compare, fingerprintOf } from './memory.ts';
import { DOCUMENT, idOf, read32 } from './segment/bytes.ts';
import { findWord, planWord, type WordQuery, type WordsFound, workOf } from './segment/word-search.ts';
import type { Store, View } from './store.ts';

export function findNearest(store: Store, { fingerprint, k, limit, maxWork }: NearestQuery): QueryResult {
  store.refresh();
  const { view, words } = store;
  const asked = bytesOf(fingerprint);
  for (let word = 0; word < words; word++) {
    const query = queries[word]!;
    query.high = read32(asked, 8 * word);
    query.low = read32(asked, 8 * word + 4);
    query.k = k;
  }
  // Each of the four tables of a word has every document once.
  if (4 * words * view.records > maxWork) {
    let work = view.memory.work(fingerprint, k);
    for (const segment of view.segments)
      for (const [word, tables] of segment.words.entries()) work += workOf(tables, planWord(tables, k), queries[word]!);
    if (work > maxWork) throw tooMuchWork(work, maxWork);
  }
  nearby.clear(words === 1);
  let isScan = k > 7;
  for (let at = 0; at < view.segments.length; at++) {
    nearby.segment = at;
    for (let word = 0; word < words; word++) {
      const tables = view.segments[at]!.words[word]!;
      const plan = planWord(tables, k);
      if (plan === undefined) isScan = true;
      findWord(tables, plan, queries[word]!, nearby);
    }
  }
  nearby.segment = view.segments.length;
  view.memory.find(fingerprint, k, nearby);
  const matches: Match[] = [];
  const cut = rank(store, view, asked, limit, matches);
  return { by: isScan ? 'scan' : 'tables', completeTo: completeDistance(words, k, cut), matches };
}

const queries: readonly WordQuery[] = Array.from({ length: 4 }, () => ({ high: 0, low: 0, k: 0 }));

const SEGMENTS = 2 ** 12;
const ORDINALS = 2 ** 32;

/**
 * The documents found. The distance (7 bits), segment (12) and number (32) of each are one number, so that sorting takes no
 * objects. The next query overwrites them.
 */
class Nearby implements WordsFound {
  /** The place of the segment that is searched, or how many there are for what is in memory. */
  segment = 0;
  #count = 0;
  #found = new Float64Array(256);
  #hasDistances = true;

  /** @param hasDistances - false if the distance is known only when a record is read: all are at 0 then */
  clear(hasDistances: boolean): void {
    this.#count = 0;
    this.#hasDistances = hasDistances;
  }

  add(ordinal: number, distance: number): void {
    if (this.#count === this.#found.length) this.#found = enlarge(this.#found, 2 * this.#count);
    this.#found[this.#count++] = ((this.#hasDistances ? distance : 0) * SEGMENTS + this.segment) * ORDINALS + ordinal;
  }

  sort(): number {
    if (this.#count < 2) return this.#count;
    const found = this.#found.subarray(0, this.#count).sort();
    let count = 1;
    // Several words of one document may be near.
    for (let i = 1; i < found.length; i++) if (found[i] !== found[i - 1]) found[count++] = found[i]!;
    return count;
  }

  distanceAt(i: number): number {
    return Math.floor(this.#found[i]! / (SEGMENTS * ORDINALS));
  }

  segmentAt(i: number): number {
    return Math.floor(this.#found[i]! / ORDINALS) % SEGMENTS;
  }

  ordinalAt(i: number): number {
    return this.#found[i]! % ORDINALS;
  }
}

const nearby = new Nearby();

interface Ranked {
  readonly key: string;
  readonly match: Match;
}

/**
 * Ranks the nearest `limit` documents by distance and then by id (LKP-3). Returns the distance of the first match that
 * was cut off, or undefined.
 */
function rank(store: Store, view: View, asked: Uint8Array, limit: number, matches: Match[]): number | undefined {
  const count = nearby.sort();
  for (let i = 0; i < count; ) {
    const distance = nearby.distanceAt(i);
    const group: Ranked[] = [];
    // The documents of one block of records are next to each other.
    for (; i < count && nearby.distanceAt(i) === distance; i++) {
      const found = readMatch(store, view, i, asked);
      if (found !== undefined) group.push(found);
    }
    if (group.length > 1) group.sort((a, b) => a.match.distance - b.match.distance || compare(a.key, b.key));
    for (const { key, match } of group) {
      if (matches.length === limit) return match.distance;
      const record = store.get(lossesKey(key));
      matches.push(record === undefined ? match : { ...match, ...lossesIn(record, bytesOf(match.fingerprint)) });
    }
  }
  return undefined;
}

function readMatch(store: Store, { segments, memory }: View, i: number, asked: Uint8Array): Ranked | undefined {
  const at = nearby.segmentAt(i);
  const ordinal = nearby.ordinalAt(i);
  const segment = segments[at];
  const { key, value } = segment === undefined ? memory.at(ordinal) : segment.reader.at(ordinal);
  if (value === null || !key.startsWith(DOCUMENT) || value.length !== store.width)
    throw damaged(segment?.path ?? store.path, `record ${ordinal} is not a valid document`);
  const distance = distanceOf(value, asked);
  if (segment !== undefined) {
    if (memory.get(key) !== undefined) return undefined;
    for (let newer = segments.length - 1; newer > at; newer--)
      if (segments[newer]!.reader.get(key) !== undefined) return undefined;
  }
  if (store.words === 1 && distance !== nearby.distanceAt(i))
    throw damaged(segment?.path ?? store.path, 'a document and the tables disagree');
  return { key, match: matchOf(idOf(key), fingerprintOf(value), distance) };
}

function distanceOf(value: Uint8Array, asked: Uint8Array): number {
  let distance = 0;
  for (let i = 0; i < asked.length; i++) distance += ones(value[i]! ^ asked[i]!);
  return distance;
}
