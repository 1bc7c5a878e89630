import { assertInteger, assertIterable, assertOneOf, assertOptions, wrongType, wrongValue } from '../../errors.ts';
import { fingerprint as fingerprintOf } from '../../fingerprint/fingerprint.ts';
import { DEFAULT_DISTANCE, similarityOfDistance } from '../../scheme/compare.ts';
import { LABEL, parseLabel } from '../../scheme/label.ts';
import { createFingerprints, createNumbers } from '../growable-array.ts';
import { blockOf } from '../halves.ts';
import { assertCount, assertLabel, encodeId, MOST_ID_OCTETS, readFingerprint } from '../options.ts';
import { createFingerprintTable, type FingerprintTable, TAIL } from '../segment/table.ts';
import { type Hits, MOST_PROBED } from '../segment/types.ts';
import type {
  AddCounts,
  AddOptions,
  DocumentIndex,
  Entry,
  FingerprintLike,
  IndexStats,
  Match,
  NearestOptions,
  QueryOptions,
  QueryResult,
} from '../types.ts';
import { createIdTable, type IdTable } from './ids.ts';
import { importLines, lineOf } from './json-lines.ts';

/** A document to be added. */
interface NewEntry {
  readonly id: string;
  readonly fingerprint: FingerprintLike;
}

/** A {@link DocumentIndex} in memory: it answers at once. */
export interface MemoryIndex extends DocumentIndex {
  add(id: string, fingerprint: FingerprintLike): boolean;
  upsert(id: string, fingerprint: FingerprintLike): boolean;
  addAll(entries: Iterable<NewEntry>, options?: AddOptions): AddCounts;
  addAll(entries: AsyncIterable<NewEntry>, options?: AddOptions): Promise<AddCounts>;
  remove(id: string): boolean;
  removeAll(ids: Iterable<string>): number;
  has(id: string): boolean;
  get(id: string): bigint | undefined;
  query(fingerprint: FingerprintLike, options?: QueryOptions): QueryResult;
  queryDocument(document: string | Uint8Array, options?: QueryOptions): QueryResult;
  nearest(fingerprint: FingerprintLike, options?: NearestOptions): QueryResult;
  size(): number;
  stats(): IndexStats;
  /** In the order in which the documents were added, or got their present fingerprint. */
  entries(): IterableIterator<Entry>;
  exportLines(): IterableIterator<string>;
  close(): void;
  /** All documents as they are now, to be written to a file while the index changes. */
  snapshot(): MemorySnapshot;
}

/** A {@link MemoryIndex} as it was. */
export interface MemorySnapshot {
  readonly size: number;
  /** Goes through the documents, always in the same order; `id` is good until the next step. */
  each(): Iterable<{ readonly id: Uint8Array; readonly fingerprint: bigint }>;
}

/** Fewer removed positions than this are not worth a compaction. */
const LEAST_REMOVED = TAIL;

/** So many documents are collected before they are added to the tables, or as many as there are, but never more than the last. */
const BATCH = 1 << 16;
const LARGEST_BATCH = 1 << 22;

/**
 * Makes an empty index in memory. A fingerprint takes at most 41 octets from some 300,000 on, an id its own and 13 to 22
 * more. A removed document keeps its room until more than half are removed; then everything is moved together, which takes
 * time, and memory for both, as adding does now and then.
 * @param options - `label`: a registered label, in any case (LAB-1); there is no default (LAB-4)
 * @throws TypeError `wrong-type`, RangeError `invalid-label`
 */
export function createMemoryIndex(options: { readonly label: string }): MemoryIndex {
  assertOptions('options', options);
  return createIndex(parseLabel(options.label), createFingerprintTable(), createIdTable());
}

/** A {@link MemoryIndex} that is being made of what was stored. */
export interface Restoring {
  /**
   * Gives the next document its id.
   * @returns whether it is the first of this id
   */
  addId(id: Uint8Array, length: number): boolean;
  /** The index, once all ids were given. */
  finish(): MemoryIndex;
}

/**
 * Makes an index of documents that were stored, without having their fingerprints in memory twice.
 * @param label - a registered label
 * @param count - how many documents
 * @param read - called one or more times; fills the array that it is given with the next fingerprints
 */
export function restoreMemoryIndex(label: string, count: number, read: (target: BigUint64Array) => void): Restoring {
  const table = createFingerprintTable();
  table.addFrom(count, read);
  const ids = createIdTable(count);
  return {
    addId(id, length) {
      const hash = ids.hash(id, length);
      if (ids.find(id, length, hash) >= 0) return false;
      ids.append(id, length, hash);
      return true;
    },
    finish: () => createIndex(label, table, ids),
  };
}

function createIndex(label: string, table: FingerprintTable, ids: IdTable): MemoryIndex {
  const key = new Uint8Array(MOST_ID_OCTETS + 3);

  /** The position of an id, or -1. */
  function find(id: string): number {
    const length = encodeId('id', id, key);
    return ids.find(key, length, ids.hash(key, length));
  }

  /** Adds a fingerprint for the id that was appended or moved just before. */
  function addFingerprint(value: bigint, movedFrom: number): void {
    try {
      table.add(value);
    } catch (error) {
      ids.pop(movedFrom);
      throw error;
    }
  }

  /** Compacts when it is time to. */
  function tidy(): void {
    const removed = table.length - table.size;
    if (removed < LEAST_REMOVED || 2 * removed <= table.length) return;
    const compact = table.compacted();
    ids = ids.renumbered(compact.positions);
    table = compact.table;
  }

  /** Puts the nearest `limit` hits in order: LKP-4. */
  function rank({ count, positions, distances }: Hits, limit: number): { order: number[]; cut: number | undefined } {
    const compare = (a: number, b: number): number =>
      distances[a]! - distances[b]! || ids.compare(positions[a]!, positions[b]!);
    let order: number[] = [];
    let cut: number | undefined;
    // With a limit, of many hits only a few are kept at a time.
    const most = Math.max(1024, 2 * limit);
    const keep = (): void => {
      order.sort(compare);
      if (order.length <= limit) return;
      cut = distances[order[limit]!]!;
      order = order.slice(0, limit);
    };
    for (let i = 0; i < count; i++) {
      // Beyond what was cut before nothing can be among the nearest.
      if (cut !== undefined && distances[i]! > cut) continue;
      order.push(i);
      if (order.length >= most) keep();
    }
    keep();
    return { order, cut };
  }

  function answer(hits: Hits, k: number, by: QueryResult['by'], limit = Number.POSITIVE_INFINITY): QueryResult {
    const { order, cut } = rank(hits, limit);
    const matches = order.map((i): Match => {
      const [position, distance] = [hits.positions[i]!, hits.distances[i]!];
      return {
        id: ids.read(position),
        fingerprint: table.get(position),
        distance,
        similarity: similarityOfDistance(distance),
      };
    });
    return { completeTo: cut === undefined ? k : cut - 1, by, matches };
  }

  function query(value: bigint, options: QueryOptions): QueryResult {
    assertOptions('options', options);
    const { k = DEFAULT_DISTANCE, limit } = options;
    assertInteger('k', k, 0, 64);
    if (limit !== undefined) assertCount('limit', limit);
    return answer(table.query(value, k), k, k <= MOST_PROBED ? 'tables' : 'scan', limit);
  }

  /** Collects documents and adds them many at a time. */
  function createAdder(options: AddOptions) {
    assertOptions('options', options);
    const { existing = 'refuse' } = options;
    assertOneOf('existing', existing, ['refuse', 'replace']);
    const counts = { added: 0, replaced: 0, refused: 0 };
    const scratch = new Uint8Array(MOST_ID_OCTETS + 3);
    let octets = new Uint8Array(1 << 16);
    let end = 0;
    const lengths = createNumbers();
    const values = createFingerprints();
    let taken = 0;
    let batch = batchSize();

    function batchSize(): number {
      return Math.max(BATCH, Math.min(LARGEST_BATCH, table.length));
    }

    function take(entry: NewEntry): void {
      const what = `entries[${taken}]`;
      if (typeof entry !== 'object' || entry === null)
        throw wrongType(what, 'an object with id and fingerprint', entry);
      const length = encodeId(`${what}.id`, entry.id, scratch);
      const value = readFingerprint(`${what}.fingerprint`, entry.fingerprint, label);
      if (end + length > octets.length) {
        const larger = new Uint8Array(2 * octets.length);
        larger.set(octets);
        octets = larger;
      }
      octets.set(scratch.subarray(0, length), end);
      end += length;
      lengths.push(length);
      values.push(value);
      taken++;
      if (lengths.length >= batch) commit();
    }

    /** Adds what was collected, or nothing of it when there is no memory. */
    function commit(): void {
      const base = table.length;
      const fresh = createFingerprints();
      // For each new position the one of the same id before, plus 1.
      const replaced = createNumbers();
      let refused = 0;
      try {
        let from = 0;
        for (let i = 0; i < lengths.length; i++) {
          const length = lengths.get(i);
          const id = octets.subarray(from, from + length);
          from += length;
          const hash = ids.hash(id, length);
          const position = ids.find(id, length, hash);
          if (position < 0) {
            ids.append(id, length, hash);
            replaced.push(0);
            fresh.push(values.get(i));
          } else if (existing === 'refuse') refused++;
          else if (position >= base) {
            counts.replaced++;
            fresh.set(position - base, values.get(i));
          } else if (table.get(position) === values.get(i)) counts.replaced++;
          else {
            ids.move(position);
            replaced.push(position + 1);
            fresh.push(values.get(i));
          }
        }
        table.addAll(fresh.view());
      } catch (error) {
        while (ids.length > base) ids.pop(replaced.get(ids.length - 1 - base) - 1);
        throw error;
      } finally {
        end = 0;
        lengths.clear();
        values.clear();
      }
      for (const position of replaced.view())
        if (position > 0) {
          table.remove(position - 1);
          counts.replaced++;
        } else counts.added++;
      counts.refused += refused;
      tidy();
      batch = batchSize();
    }

    return { take, commit, counts };
  }

  function addAll(entries: Iterable<NewEntry>, options?: AddOptions): AddCounts;
  function addAll(entries: AsyncIterable<NewEntry>, options?: AddOptions): Promise<AddCounts>;
  function addAll(
    entries: Iterable<NewEntry> | AsyncIterable<NewEntry>,
    options: AddOptions = {},
  ): AddCounts | Promise<AddCounts> {
    const isAsync = typeof (entries as AsyncIterable<NewEntry> | null)?.[Symbol.asyncIterator] === 'function';
    if (!isAsync && typeof (entries as Iterable<NewEntry> | null)?.[Symbol.iterator] !== 'function')
      throw wrongType('entries', 'an iterable', entries);
    const { take, commit, counts } = createAdder(options);
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

  function removeAt(position: number): boolean {
    if (position < 0) return false;
    ids.remove(position);
    table.remove(position);
    tidy();
    return true;
  }

  /** All documents as they are now; a compaction makes new tables and leaves these as they are. */
  function snapshot(): MemorySnapshot {
    const [view, names] = [table.snapshot(), ids];
    return {
      size: view.size,
      *each() {
        for (let position = 0; position < view.length; position++)
          if (view.has(position)) yield { id: names.octetsAt(position), fingerprint: view.get(position) };
      },
    };
  }

  /** As {@link snapshot}, with ids as strings. */
  function documents<T>(form: (entry: Entry) => T): IterableIterator<T> {
    const [view, names] = [table.snapshot(), ids];
    return (function* () {
      for (let position = 0; position < view.length; position++)
        if (view.has(position)) yield form({ id: names.read(position), fingerprint: view.get(position) });
    })();
  }

  const index: MemoryIndex = {
    label,
    add(id, fingerprint) {
      const length = encodeId('id', id, key);
      const value = readFingerprint('fingerprint', fingerprint, label);
      const hash = ids.hash(key, length);
      if (ids.find(key, length, hash) >= 0) return false;
      ids.append(key, length, hash);
      addFingerprint(value, -1);
      return true;
    },
    upsert(id, fingerprint) {
      const length = encodeId('id', id, key);
      const value = readFingerprint('fingerprint', fingerprint, label);
      const hash = ids.hash(key, length);
      const position = ids.find(key, length, hash);
      if (position < 0) {
        ids.append(key, length, hash);
        addFingerprint(value, -1);
        return true;
      }
      if (table.get(position) === value) return false;
      ids.move(position);
      addFingerprint(value, position);
      table.remove(position);
      tidy();
      return false;
    },
    addAll,
    remove: (id) => removeAt(find(id)),
    removeAll(list) {
      assertIterable('ids', list, 'an iterable of ids');
      let count = 0;
      for (const id of list) if (removeAt(find(id))) count++;
      return count;
    },
    has: (id) => find(id) >= 0,
    get(id) {
      const position = find(id);
      return position < 0 ? undefined : table.get(position);
    },
    query: (fingerprint, options = {}) => query(readFingerprint('fingerprint', fingerprint, label), options),
    queryDocument(document, options = {}) {
      const value = fingerprintOf(document);
      if (value === null) throw wrongValue('no-fingerprint', 'document', 'a text with a letter in it', document);
      assertLabel('document', LABEL, label);
      return query(value, options);
    },
    nearest(fingerprint, options = {}) {
      assertOptions('options', options);
      const { count = 10, k = MOST_PROBED } = options;
      const value = readFingerprint('fingerprint', fingerprint, label);
      assertCount('count', count);
      assertInteger('k', k, 0, 64);
      // What is within a small distance costs little to find, and is enough when it is enough.
      for (const near of [DEFAULT_DISTANCE, MOST_PROBED])
        if (near < k) {
          const hits = table.query(value, near);
          if (hits.count >= count) return answer(hits, near, 'tables', count);
        }
      return query(value, { k, limit: count });
    },
    size: () => table.size,
    stats: () => statsOf(table, ids),
    entries: () => documents((entry) => entry),
    exportLines: () => documents((entry) => lineOf(label, entry)),
    importLines: (lines, options) => importLines(index, lines, options),
    close() {
      table = createFingerprintTable();
      ids = createIdTable();
    },
    snapshot,
  };
  return index;
}

/** How the documents are spread over the buckets of the four blocks. */
function statsOf(table: FingerprintTable, ids: IdTable): IndexStats {
  const sizes = new Uint32Array(4 * 65536);
  const view = table.snapshot();
  for (let position = 0; position < view.length; position++) {
    if (!view.has(position)) continue;
    const fingerprint = view.get(position);
    const high = Number(fingerprint >> 32n);
    const low = Number(fingerprint & 0xffffffffn);
    for (let block = 0; block < 4; block++) sizes[65536 * block + blockOf(high, low, block)]!++;
  }
  const used = sizes.sort().subarray(sizes.lastIndexOf(0) + 1);
  const quantile = (share: number): number => used[Math.ceil(share * used.length) - 1] ?? 0;
  return {
    documents: view.size,
    octets: { fingerprints: table.octets, ids: ids.octets },
    buckets: {
      bits: 16,
      count: used.length,
      mean: used.length === 0 ? 0 : (4 * view.size) / used.length,
      median: quantile(0.5),
      p90: quantile(0.9),
      p99: quantile(0.99),
      largest: quantile(1),
    },
  };
}
