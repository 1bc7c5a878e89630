import { ones, similarityOfDistance } from '../../../../scheme/compare.ts';
import type { Fingerprint } from '../../../../scheme/labels/fingerprint.ts';
import type { Match, QueryResult } from '../../../types.ts';
import { completeDistance } from '../../../widths.ts';
import { tooMuchWork } from '../../work.ts';
import { createSearch, type Search } from '../search.ts';
import { compare, fingerprintOf, octetsOf } from './memory.ts';
import { damaged } from './segment/damage.ts';
import { DOCUMENT } from './segment/records.ts';
import type { Segment } from './segment/segment.ts';
import { findWord, type Plan, planWord, type WordQuery, workOf } from './segment/word-search.ts';
import type { Store, View } from './store.ts';

/** Makes what answers the queries of a store: each sees what was committed when it began. */
export function createFolderSearch(store: Store): Search {
  return createSearch(store.words, async (fingerprint, k, limit, maxWork) => {
    store.refresh();
    return answer(store, fingerprint, k, limit ?? Number.POSITIVE_INFINITY, maxWork);
  });
}

/** A document near the query. */
interface Hit {
  /** Where it was found: the place of the segment, or their number for one in memory. */
  readonly at: number;
  /** Of one in a segment. */
  readonly ordinal: number;
  /** Of one in memory. */
  readonly key?: string;
}

function answer(store: Store, fingerprint: Fingerprint, k: number, limit: number, maxWork: number): QueryResult {
  const { view, words } = store;
  const asked = octetsOf(fingerprint);
  const queries = Array.from({ length: words }, (_, word) => wordAt(asked, word, k));
  const plans = view.segments.map((segment) => segment.words.map((tables) => planWord(tables, k)));
  assertWork(view, plans, queries, view.memory.work(fingerprint, k), maxWork);
  const near = new Nearness(words);
  for (const [at, segment] of view.segments.entries()) findIn(segment, at, plans[at]!, queries, near);
  view.memory.find(fingerprint, k, (key, distance) =>
    near.add(distance, { at: view.segments.length, ordinal: 0, key }),
  );
  const { matches, cut } = rank(store, view, near, asked, limit);
  const whole = completeDistance(words, k);
  const isScan = plans.some((plan) => plan.includes(undefined)) || k > 7;
  return {
    by: isScan ? 'scan' : 'tables',
    completeTo: cut === undefined ? whole : Math.min(whole, cut - 1),
    matches,
  };
}

/** A word of a fingerprint, as two numbers. */
function wordAt(octets: Uint8Array, word: number, k: number): WordQuery {
  const view = new DataView(octets.buffer, octets.byteOffset + 8 * word, 8);
  return { high: view.getUint32(0), low: view.getUint32(4), k };
}

function assertWork(
  { segments }: View,
  plans: readonly (readonly Plan[])[],
  queries: readonly WordQuery[],
  inMemory: number,
  maxWork: number,
): void {
  let work = inMemory;
  for (const [at, { words }] of segments.entries())
    for (const [word, tables] of words.entries()) work += workOf(tables, plans[at]![word], queries[word]!);
  if (work > maxWork) throw tooMuchWork(work, maxWork);
}

/** Finds the documents of a segment, each once. */
function findIn(
  segment: Segment,
  at: number,
  plans: readonly Plan[],
  queries: readonly WordQuery[],
  near: Nearness,
): void {
  const seen = new Set<number>();
  for (const [word, tables] of segment.words.entries())
    findWord(tables, plans[word], queries[word]!, (ordinal, distance) => {
      if (seen.has(ordinal)) return;
      seen.add(ordinal);
      near.add(distance, { at, ordinal });
    });
}

/** Hits by their distance. With four words it is known only when a record is read, and all are at 0. */
class Nearness {
  readonly #words: number;
  readonly byDistance: Hit[][] = [];

  constructor(words: number) {
    this.#words = words;
  }

  add(distance: number, hit: Hit): void {
    const at = this.#words === 1 ? distance : 0;
    this.byDistance[at] ??= [];
    this.byDistance[at].push(hit);
  }
}

/** The nearest `limit` documents, by distance and then by id (LKP-4), and the distance of what was cut. */
function rank(
  store: Store,
  view: View,
  near: Nearness,
  asked: Uint8Array,
  limit: number,
): { matches: readonly Match[]; cut: number | undefined } {
  const matches: (Match & { readonly key: string })[] = [];
  for (const [distance, hits] of near.byDistance.entries()) {
    if (hits === undefined) continue;
    // Those of one block are read together.
    hits.sort((a, b) => a.at - b.at || a.ordinal - b.ordinal);
    const found = hits.flatMap(
      (hit) => matchOf(store, view, hit, asked, store.words === 1 ? distance : undefined) ?? [],
    );
    found.sort((a, b) => a.distance - b.distance || compare(a.key, b.key));
    matches.push(...found);
    if (matches.length > limit) break;
  }
  const cut = matches.length > limit ? matches[limit]!.distance : undefined;
  return { matches: matches.slice(0, limit).map(({ key: _, ...match }) => match), cut };
}

/** The match of a hit; undefined if a newer record has taken its place. */
function matchOf(
  store: Store,
  { segments, memory }: View,
  { at, ordinal, key: known }: Hit,
  asked: Uint8Array,
  distance: number | undefined,
): (Match & { readonly key: string }) | undefined {
  const segment = segments[at];
  const record = segment === undefined ? { key: known!, value: memory.get(known!)! } : segment.reader.at(ordinal);
  const { key, value } = record;
  if (value === null || !key.startsWith(DOCUMENT) || value.length !== store.width)
    throw damaged(segment?.path ?? store.path, `record ${ordinal} is no document`);
  if (segment !== undefined) {
    if (memory.get(key) !== undefined) return undefined;
    for (let i = segments.length - 1; i > at; i--) if (segments[i]!.reader.get(key) !== undefined) return undefined;
  }
  const exact = distanceOf(value, asked);
  if (distance !== undefined && exact !== distance)
    throw damaged(segment?.path ?? store.path, 'a document and the tables disagree');
  return {
    key,
    id: idOf(key),
    fingerprint: fingerprintOf(value),
    distance: exact,
    similarity: similarityOfDistance(exact, store.words === 1 ? 64 : 256),
  };
}

/** The id in the key of a document. */
export function idOf(key: string): string {
  return Buffer.from(key, 'latin1').toString('utf8', 1);
}

function distanceOf(value: Uint8Array, asked: Uint8Array): number {
  let distance = 0;
  for (let i = 0; i < asked.length; i++) distance += ones(value[i]! ^ asked[i]!);
  return distance;
}
