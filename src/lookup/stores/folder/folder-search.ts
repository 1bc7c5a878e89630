import { enlarge } from '../../../common/bytes.ts';
import { ones } from '../../../scheme/compare.ts';
import type { Match, QueryResult } from '../../document-index.ts';
import { completeDistance, matchOf, tooMuchWork } from '../../query-results.ts';
import type { NearestQuery } from '../backend.ts';
import { damaged } from './folder-errors.ts';
import type { FolderStore, FolderView } from './folder-store.ts';
import { bytesOf, fingerprintOf } from './memory-table.ts';
import { DOCUMENT, idOf, read32 } from './segment/segment-bytes.ts';
import { findWord, planWord, type WordsFound, workOf } from './segment/word-search.ts';
import { lossesIn, lossesKey } from './stored-losses.ts';

export function findNearest(store: FolderStore, { fingerprint, k, limit, maxWork }: NearestQuery): QueryResult {
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
  const { matches, cut } = rank(store, view, nearby.sorted(), asked, limit);
  return { by: isScan ? 'scan' : 'tables', completeTo: completeDistance(words, k, cut), matches };
}

// Reused, as little garbage as possible is made: collecting it can hang Node 20 at exit.
const queries = Array.from({ length: 4 }, () => ({ high: 0, low: 0, k: 0 }));

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

  /** Returns the documents in their order, each once: several words of one may be near. */
  sorted(): Float64Array {
    const found = this.#found.subarray(0, this.#count).sort();
    let count = 0;
    for (let i = 0; i < found.length; i++) if (i === 0 || found[i] !== found[i - 1]) found[count++] = found[i]!;
    return found.subarray(0, count);
  }
}

const nearby = new Nearby();

function distanceIn(hit: number): number {
  return Math.floor(hit / (SEGMENTS * ORDINALS));
}

interface Ranked {
  readonly key: string;
  readonly match: Match;
}

/** Ranks the nearest `limit` documents by distance and then by id (LKP-3). `cut` is the distance of the first that was cut off. */
function rank(store: FolderStore, view: FolderView, hits: Float64Array, asked: Uint8Array, limit: number) {
  const matches: Match[] = [];
  for (let i = 0; i < hits.length; ) {
    const distance = distanceIn(hits[i]!);
    const group: Ranked[] = [];
    // The documents of one block of records are next to each other.
    for (; i < hits.length && distanceIn(hits[i]!) === distance; i++) {
      const found = readMatch(store, view, hits[i]!, asked);
      if (found !== undefined) group.push(found);
    }
    if (group.length > 1) group.sort((a, b) => a.match.distance - b.match.distance || (a.key < b.key ? -1 : 1));
    for (const { key, match } of group) {
      if (matches.length === limit) return { matches, cut: match.distance };
      const record = store.get(lossesKey(key));
      matches.push(record === undefined ? match : { ...match, ...lossesIn(record, bytesOf(match.fingerprint)) });
    }
  }
  return { matches };
}

function readMatch(
  store: FolderStore,
  { segments, memory }: FolderView,
  hit: number,
  asked: Uint8Array,
): Ranked | undefined {
  const at = Math.floor(hit / ORDINALS) % SEGMENTS;
  const ordinal = hit % ORDINALS;
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
  if (store.words === 1 && distance !== distanceIn(hit))
    throw damaged(segment?.path ?? store.path, 'a document and the tables disagree');
  return { key, match: matchOf(idOf(key), fingerprintOf(value), distance) };
}

function distanceOf(value: Uint8Array, asked: Uint8Array): number {
  let distance = 0;
  for (let i = 0; i < asked.length; i++) distance += ones(value[i]! ^ asked[i]!);
  return distance;
}
