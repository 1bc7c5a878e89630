import { assertIterable, assertOptions, wrongType } from '../../errors.ts';
import { DEFAULT_DISTANCE } from '../../scheme/compare.ts';
import type { Fingerprint } from '../../scheme/labels/fingerprint.ts';
import { parseLabel, schemeOf } from '../../scheme/labels/label.ts';
import type {
  AddCounts,
  AddOptions,
  DocumentIndex,
  Entry,
  FingerprintLike,
  IndexStats,
  Match,
  NearestOptions,
  NewEntry,
  QueryOptions,
  QueryResult,
} from '../document-index.ts';
import { importLines, lineOf } from '../index-json-lines.ts';
import { encodeId, ID_BUFFER_BYTES, readFingerprint, readNearestOptions, readQueryOptions } from '../query-options.ts';
import { areNearest, completeDistance, createStatsCounter, isSame, matchOf, tooMuchWork } from '../query-results.ts';
import { MAX_TAIL_SIZE } from '../table/fingerprint-list.ts';
import { compacted, createFingerprintTable, type FingerprintTable } from '../table/fingerprint-table.ts';
import { type Hits, MAX_PROBED_DISTANCE } from '../table/table-segment.ts';
import { createAdder } from './batch-adder.ts';
import { createIdTable, type IdTable, renumberIds } from './id-table.ts';

/** A {@link DocumentIndex} in memory: it answers at once. */
export interface MemoryIndex extends DocumentIndex {
  add(id: string, fingerprint: FingerprintLike): boolean;
  upsert(id: string, fingerprint: FingerprintLike): boolean;
  addAll(entries: Iterable<NewEntry>, options?: AddOptions): AddCounts;
  addAll(entries: AsyncIterable<NewEntry>, options?: AddOptions): Promise<AddCounts>;
  remove(id: string): boolean;
  removeAll(ids: Iterable<string>): number;
  has(id: string): boolean;
  get(id: string): Fingerprint | undefined;
  query(fingerprint: FingerprintLike, options?: QueryOptions): QueryResult;
  nearest(fingerprint: FingerprintLike, options?: NearestOptions): QueryResult;
  size(): number;
  stats(): IndexStats;
  /** Lists the documents in the order in which they were added, or got their current fingerprint. */
  entries(): IterableIterator<Entry>;
  exportLines(): IterableIterator<string>;
  close(): void;
}

/** Options of {@link createMemoryIndex}. */
export interface MemoryIndexOptions {
  /** A registered label, in any case (LAB-1). There is no default (LAB-4). */
  readonly label: string;
}

/**
 * Makes an empty index in memory. From some 300,000 documents on, a fingerprint takes at most 41 bytes, one of 256 bits four
 * times as many, and an id takes its own bytes and 13 to 22 more. The memory of removed documents is freed when more than
 * half are removed: then everything is copied, which takes time, and memory for both copies. Adding documents also copies
 * everything now and then.
 * @param options - see {@link MemoryIndexOptions}
 * @throws TypeError `wrong-type`, RangeError `invalid-label`
 * @see spec/lookup.md#step-11
 * @example
 * const index = createMemoryIndex({ label: 'simhash-doc' });
 * index.add('page 1', 5n);
 * index.query(4n).matches; // [{ id: 'page 1', fingerprint: 5n, distance: 1, similarity: 0.984375 }]
 */
export function createMemoryIndex(options: MemoryIndexOptions): MemoryIndex {
  assertOptions('options', options);
  const label = parseLabel(options.label);
  return indexOf({
    label,
    table: createFingerprintTable(schemeOf(label).words),
    ids: createIdTable(),
    key: new Uint8Array(ID_BUFFER_BYTES),
  });
}

/** The state of an index. A compaction replaces both tables. */
interface State {
  readonly label: string;
  table: FingerprintTable;
  ids: IdTable;
  readonly key: Uint8Array;
}

function indexOf(state: State): MemoryIndex {
  const { label } = state;
  const read = (fingerprint: FingerprintLike): Fingerprint => readFingerprint('fingerprint', fingerprint, label);
  const index: MemoryIndex = {
    label,
    add: (id, fingerprint) => put(state, id, fingerprint, 'refuse'),
    upsert: (id, fingerprint) => put(state, id, fingerprint, 'replace'),
    addAll: ((entries, options) => addMany(state, entries, options)) as MemoryIndex['addAll'],
    remove: (id) => removeAt(state, find(state, id)),
    removeAll(list) {
      assertIterable('ids', list, 'an iterable of ids');
      let count = 0;
      for (const id of list) if (removeAt(state, find(state, id))) count++;
      return count;
    },
    has: (id) => find(state, id) >= 0,
    get(id) {
      const position = find(state, id);
      return position < 0 ? undefined : state.table.get(position);
    },
    query: (fingerprint, options = {}) => query(state, read(fingerprint), readQueryOptions(options)),
    nearest: (fingerprint, options = {}) => nearest(state, read(fingerprint), readNearestOptions(options)),
    size: () => state.table.size,
    stats: () => stats(state),
    entries: () => documents(state, (entry) => entry),
    exportLines: () => documents(state, (entry) => lineOf(label, entry)),
    importLines: (lines, options) => importLines(index, lines, options),
    close() {
      state.table = createFingerprintTable(schemeOf(label).words);
      state.ids = createIdTable();
    },
  };
  return index;
}

function find({ ids, key }: State, id: string): number {
  const length = encodeId('id', id, key);
  return ids.find(key, 0, length, ids.hash(key, 0, length));
}

function put(state: State, id: string, fingerprint: FingerprintLike, existing: 'refuse' | 'replace'): boolean {
  const { label, table, ids, key } = state;
  const length = encodeId('id', id, key);
  const value = readFingerprint('fingerprint', fingerprint, label);
  const hash = ids.hash(key, 0, length);
  const position = ids.find(key, 0, length, hash);
  if (position >= 0 && (existing === 'refuse' || isSame(table.get(position), value))) return false;
  if (position < 0) ids.append(key, 0, length, hash);
  else ids.move(position);
  try {
    table.add(value);
  } catch (error) {
    ids.pop(position);
    throw error;
  }
  if (position < 0) return true;
  table.remove(position);
  compactIfDue(state);
  return false;
}

function addMany(state: State, entries: Iterable<NewEntry> | AsyncIterable<NewEntry>, options: AddOptions = {}) {
  const isAsync = typeof (entries as AsyncIterable<NewEntry> | null)?.[Symbol.asyncIterator] === 'function';
  if (!isAsync && typeof (entries as Iterable<NewEntry> | null)?.[Symbol.iterator] !== 'function')
    throw wrongType('entries', 'an iterable', entries);
  const { take, commit, counts } = createAdder(state, options, () => compactIfDue(state));
  if (isAsync)
    return (async () => {
      try {
        for await (const entry of entries) take(entry);
      } finally {
        commit();
      }
      return counts;
    })();
  try {
    for (const entry of entries as Iterable<NewEntry>) take(entry);
  } finally {
    commit();
  }
  return counts;
}

function removeAt(state: State, position: number): boolean {
  if (position < 0) return false;
  state.ids.remove(position);
  state.table.remove(position);
  compactIfDue(state);
  return true;
}

/** Fewer removed positions than this are not worth a compaction. */
const MIN_REMOVED = MAX_TAIL_SIZE;

function compactIfDue(state: State): void {
  const { table, ids } = state;
  const removed = table.length - table.size;
  if (removed < MIN_REMOVED || 2 * removed <= table.length) return;
  const compact = compacted(table);
  state.ids = renumberIds(ids, compact.positions);
  state.table = compact.table;
}

function stats({ table, ids }: State): IndexStats {
  const counter = createStatsCounter(table.words);
  for (let position = 0; position < table.length; position++)
    if (table.has(position)) counter.add({ fingerprint: table.get(position) });
  const { losses: _, ...known } = counter.result({ fingerprints: table.bytes, ids: ids.bytes });
  return known;
}

type Limits = ReturnType<typeof readQueryOptions>;

function query(state: State, value: Fingerprint, { k, limit, maxWork }: Limits): QueryResult {
  const { table } = state;
  assertWork(table, value, k, maxWork);
  const by = k <= MAX_PROBED_DISTANCE ? 'tables' : 'scan';
  return { by, ...rankHits(state, table.query(value, k), k, limit) };
}

function nearest(state: State, value: Fingerprint, { k, limit, maxWork }: Limits): QueryResult {
  const { table } = state;
  // Documents within a small distance are cheap to find, and often sufficient.
  for (const near of [DEFAULT_DISTANCE, MAX_PROBED_DISTANCE])
    if (near < k) {
      assertWork(table, value, near, maxWork);
      const hits = table.query(value, near);
      if (hits.count < limit) continue;
      const result = rankHits(state, hits, near, limit);
      if (areNearest(result.matches, limit, table.words, near)) return { by: 'tables', ...result };
    }
  return query(state, value, { k, limit, maxWork });
}

function documents<T>({ table, ids }: State, form: (entry: Entry) => T): IterableIterator<T> {
  const view = table.snapshot();
  return (function* () {
    for (let position = 0; position < view.length; position++)
      if (view.has(position)) yield form({ id: ids.read(position), fingerprint: view.get(position) });
  })();
}

function assertWork(table: State['table'], fingerprint: Fingerprint, k: number, maxWork: number): void {
  // Each of the four tables of a word has every fingerprint once.
  if (4 * table.words * table.length <= maxWork) return;
  const work = table.work(fingerprint, k);
  if (work > maxWork) throw tooMuchWork(work, maxWork);
}

function rankHits({ table, ids }: State, hits: Hits, k: number, limit: number) {
  const matchAt = (i: number): Match => {
    const position = hits.positions[i]!;
    return matchOf(ids.read(position), table.get(position), hits.distances[i]!);
  };
  // Most queries find nothing or one document.
  if (hits.count <= 1)
    return { completeTo: completeDistance(table.words, k), matches: hits.count === 0 ? [] : [matchAt(0)] };
  const { order, cut } = sortHits(ids, hits, limit);
  return { completeTo: completeDistance(table.words, k, cut), matches: order.map(matchAt) };
}

function sortHits(ids: IdTable, { count, positions, distances }: Hits, limit: number) {
  const compare = (a: number, b: number): number =>
    distances[a]! - distances[b]! || ids.compare(positions[a]!, positions[b]!);
  // With a limit, only a few of many hits are kept at a time.
  const maxKept = Math.max(1024, 2 * limit);
  let order: number[] = [];
  let cut: number | undefined;
  const keepNearest = (): void => {
    order.sort(compare);
    if (order.length <= limit) return;
    cut = distances[order[limit]!]!;
    order = order.slice(0, limit);
  };
  for (let i = 0; i < count; i++) {
    // Hits beyond an earlier cut cannot be among the nearest.
    if (cut !== undefined && distances[i]! > cut) continue;
    order.push(i);
    if (order.length >= maxKept) keepNearest();
  }
  keepNearest();
  return { order, cut };
}
