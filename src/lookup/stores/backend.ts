import { assertIterable, wrongType, wrongValue } from '../../errors.ts';
import { DEFAULT_DISTANCE } from '../../scheme/compare.ts';
import type { Fingerprint } from '../../scheme/labels/fingerprint.ts';
import { LABELS, type Label, parseLabel, schemeOf } from '../../scheme/labels/label.ts';
import type {
  AddCounts,
  AddOptions,
  Awaitable,
  Entry,
  FingerprintLike,
  IndexStats,
  NewEntry,
  QueryResult,
} from '../document-index.ts';
import { importLines, lineOf } from '../index-json-lines.ts';
import {
  encodeId,
  ID_BUFFER_BYTES,
  readAddOptions,
  readFingerprint,
  readNearestOptions,
  readQueryOptions,
} from '../query-options.ts';
import { areNearest } from '../query-results.ts';
import { MAX_PROBED_DISTANCE } from '../table/table-segment.ts';
import { storeError } from './store-errors.ts';
import type { FileRegister, StoredIndex, Verification } from './stored-index.ts';

/**
 * The operations of one kind of store: {@link createStoredIndex} makes an index of it, and checks all arguments first.
 * `Key` identifies a document in the store.
 */
export interface Backend<Key> {
  readonly place: string;
  readonly label: string;
  readonly isWritable: boolean;
  readonly removeBatch: number;
  keyOf(id: string): Key;
  get(key: Key): Awaitable<Fingerprint | undefined>;
  /** Adds a document, or replaces its fingerprint if allowed; returns whether its id is new. */
  put(key: Key, fingerprint: Fingerprint, replaces: boolean): Awaitable<boolean>;
  firstBatch(): Awaitable<number>;
  readonly putBatch: WriteBatch;
  remove(keys: readonly Key[]): Awaitable<number>;
  /** Finds the nearest `limit` documents at distance `k` or less; throws `too-much-work` rather than compare more than `maxWork`. */
  findNearest(query: NearestQuery): Awaitable<QueryResult>;
  size(): Awaitable<number>;
  stats(): Awaitable<IndexStats>;
  entries(): AsyncGenerator<Entry, void>;
  readonly files: FileRegister;
  verify(): Awaitable<Verification>;
  close(): Promise<void>;
}

/** Makes an index of a store. After `close`, its calls fail with `unavailable`. */
export function createStoredIndex<Key>(backend: Backend<Key>): StoredIndex {
  const { place, label, keyOf } = backend;
  let isOpen = true;
  function toRead(): Backend<Key> {
    if (!isOpen) throw storeError('unavailable', place, 'the index was closed');
    return backend;
  }
  function toWrite(): Backend<Key> {
    toRead();
    if (!backend.isWritable) throw storeError('read-only', place, 'is open for reading only');
    return backend;
  }
  const read = (fingerprint: FingerprintLike): Fingerprint => readFingerprint('fingerprint', fingerprint, label);

  async function get(id: string): Promise<Fingerprint | undefined> {
    const key = keyOf(id);
    return toRead().get(key);
  }

  async function put(id: string, fingerprint: FingerprintLike, replaces: boolean): Promise<boolean> {
    const key = keyOf(id);
    const value = read(fingerprint);
    return toWrite().put(key, value, replaces);
  }

  const index: StoredIndex = {
    label,
    add: (id, fingerprint) => put(id, fingerprint, false),
    upsert: (id, fingerprint) => put(id, fingerprint, true),
    async addAll(entries: Iterable<NewEntry> | AsyncIterable<NewEntry>, options?: AddOptions) {
      const putBatch: WriteBatch = (...batch) => toWrite().putBatch(...batch);
      return addAll(label, await toWrite().firstBatch(), putBatch, entries, options);
    },
    async remove(id) {
      const key = keyOf(id);
      return (await toWrite().remove([key])) > 0;
    },
    async removeAll(ids) {
      assertIterable('ids', ids, 'an iterable of ids');
      toWrite();
      let count = 0;
      let keys: Key[] = [];
      const commit = async (): Promise<void> => {
        const batch = keys;
        keys = [];
        if (batch.length > 0) count += await backend.remove(batch);
      };
      try {
        for (const id of ids) if (keys.push(keyOf(id)) >= backend.removeBatch) await commit();
      } finally {
        await commit();
      }
      return count;
    },
    has: async (id) => (await get(id)) !== undefined,
    get,
    async query(fingerprint, options = {}) {
      toRead();
      return backend.findNearest({ fingerprint: read(fingerprint), ...readQueryOptions(options) });
    },
    async nearest(fingerprint, options = {}) {
      toRead();
      const query = { fingerprint: read(fingerprint), ...readNearestOptions(options) };
      for (const near of [DEFAULT_DISTANCE, MAX_PROBED_DISTANCE])
        if (near < query.k) {
          const result = await backend.findNearest({ ...query, k: near });
          if (areNearest(result.matches, query.limit, schemeOf(label).words, near)) return result;
        }
      return backend.findNearest(query);
    },
    size: async () => toRead().size(),
    stats: async () => toRead().stats(),
    async *entries() {
      yield* toRead().entries();
    },
    async *exportLines() {
      for await (const entry of index.entries()) yield lineOf(label, entry);
    },
    importLines: (lines, options) => importLines(index, lines, options),
    files: {
      get: async (path) => toRead().files.get(path),
      async *paths(prefix) {
        yield* toRead().files.paths(prefix);
      },
      async commit(changes) {
        const { files } = toWrite();
        const documents = changes.documents.map((document, i) => ({
          ...document,
          fingerprint: readFingerprint(`documents[${i}].fingerprint`, document.fingerprint, label),
        }));
        return files.commit({ ...changes, documents });
      },
      remove: async (path) => toWrite().files.remove(path),
    },
    verify: async () => toRead().verify(),
    async close() {
      if (!isOpen) return;
      isOpen = false;
      await backend.close();
    },
  };
  return index;
}

export interface NearestQuery {
  readonly fingerprint: Fingerprint;
  readonly k: number;
  readonly limit: number;
  readonly maxWork: number;
}

export interface Written {
  readonly added: number;
  /** The number of documents that the next batch should have. */
  readonly next: number;
}

/** The losses of the documents of a batch, as far as they are known. */
export type Losses = ReadonlyMap<string, readonly string[]>;

type WriteBatch = (batch: ReadonlyMap<string, Fingerprint>, replaces: boolean, losses: Losses) => Awaitable<Written>;

/** Adds many documents, a batch at a time; the first one has up to `size` of them. */
async function addAll(
  label: string,
  size: number,
  write: WriteBatch,
  given: Iterable<NewEntry> | AsyncIterable<NewEntry>,
  options: AddOptions = {},
): Promise<AddCounts> {
  const { [Symbol.asyncIterator]: later, [Symbol.iterator]: now } = Object(given);
  if (typeof later !== 'function' && (typeof now !== 'function' || typeof given === 'string'))
    throw wrongType('entries', 'an iterable', given);
  const replaces = readAddOptions(options) === 'replace';
  let entries = new Map<string, Fingerprint>();
  let losses = new Map<string, readonly string[]>();
  let due = size;
  let [taken, again, added, others] = [0, 0, 0, 0];

  /** Takes a document; returns whether it is time to commit. */
  function take(entry: NewEntry): boolean {
    const what = `entries[${taken++}]`;
    if (typeof entry !== 'object' || entry === null) throw wrongType(what, 'an object with id and fingerprint', entry);
    const { id } = entry;
    encodeId(`${what}.id`, id, scratch);
    const fingerprint = readFingerprint(`${what}.fingerprint`, entry.fingerprint, label);
    const isAgain = entries.has(id);
    if (isAgain) again++;
    if (!isAgain || replaces) {
      entries.set(id, fingerprint);
      if (entry.losses !== undefined) losses.set(id, entry.losses);
    }
    return entries.size >= due;
  }

  async function commit(): Promise<void> {
    if (entries.size === 0) return;
    const [batch, known, repeated] = [entries, losses, again];
    entries = new Map();
    losses = new Map();
    again = 0;
    const written = await write(batch, replaces, known);
    due = written.next;
    added += written.added;
    others += batch.size - written.added + repeated;
  }

  try {
    if (typeof later === 'function') {
      for await (const entry of given) if (take(entry)) await commit();
    } else for (const entry of given as Iterable<NewEntry>) if (take(entry)) await commit();
  } finally {
    await commit();
  }
  return { added, replaced: replaces ? others : 0, refused: replaces ? 0 : others };
}

/**
 * Reads the label of a store from its records (IDX-2), of the only layout that such a store may have. Throws
 * `not-an-index`, `other-version`, `invalid-label`, `label-mismatch`.
 */
export function readIndexLabel(
  place: string,
  { layout: found, label: name = '' }: { readonly layout?: string | undefined; readonly label?: string | undefined },
  layout: string,
  expected: string | undefined,
): Label {
  if (found === undefined) throw storeError('not-an-index', place, 'is not an index: it has no record of a layout');
  if (found !== layout)
    throw storeError(
      'other-version',
      place,
      `has layout ${JSON.stringify(found)}; this version reads ${layout}: export it with the version that wrote it, then import it`,
    );
  const label = registeredLabel(place, name);
  if (expected !== undefined && label !== expected)
    throw wrongValue('label-mismatch', place, `an index of ${expected}`, label);
  return label;
}

function registeredLabel(place: string, label: string): Label {
  try {
    return parseLabel(label);
  } catch {
    const shown = `${JSON.stringify(label)}, which is not a registered label`;
    throw wrongValue('invalid-label', place, `an index of ${LABELS.join(', ')}`, label, shown);
  }
}

const scratch = Buffer.allocUnsafe(ID_BUFFER_BYTES);

/** Checks an id, or a path, and encodes it in UTF-8. Throws `wrong-type`, `out-of-range`. */
export function encodeKey(name: string, id: unknown): Buffer {
  return Buffer.from(scratch.subarray(0, encodeId(name, id, scratch)));
}

/** Splits documents, in their order, so that no id comes twice in a part. */
export function* withoutRepeats<T extends { readonly id: string }>(documents: readonly T[]): Generator<T[]> {
  let part = new Map<string, T>();
  for (const document of documents) {
    if (part.has(document.id)) {
      yield [...part.values()];
      part = new Map();
    }
    part.set(document.id, document);
  }
  if (part.size > 0) yield [...part.values()];
}
