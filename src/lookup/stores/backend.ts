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

/** The operations of one kind of store: {@link createStoredIndex} makes an index of it, and checks all arguments first. */
export interface Backend {
  readonly place: string;
  readonly label: string;
  readonly isWritable: boolean;
  readonly removeBatch: number;
  get(id: string): Awaitable<Fingerprint | undefined>;
  /** Adds a document, or replaces its fingerprint if allowed; returns whether its id is new. */
  put(id: string, fingerprint: Fingerprint, replaces: boolean): Awaitable<boolean>;
  /** Returns the number of documents that the next batch should have. */
  batchSize(): Promise<number>;
  /** Does what `put` does for documents with different ids; returns how many of these are new. */
  putBatch(documents: readonly BatchDocument[], replaces: boolean): Awaitable<number>;
  remove(ids: readonly string[]): Awaitable<number>;
  /** Finds the nearest `limit` documents at distance `k` or less; throws `too-much-work` rather than compare more than `maxWork`. */
  findNearest(query: NearestQuery): Awaitable<QueryResult>;
  size(): Awaitable<number>;
  stats(): Awaitable<IndexStats>;
  entries(): AsyncGenerator<Entry, void>;
  readonly files: FileRegister;
  verify(): Awaitable<Verification>;
  close(): Promise<void>;
}

export interface BatchDocument {
  readonly id: string;
  readonly fingerprint: Fingerprint;
  /** Undefined if they are unknown. */
  readonly losses: readonly string[] | undefined;
}

/** Makes an index of a store. After `close`, its calls fail with `unavailable`. */
export function createStoredIndex(backend: Backend): StoredIndex {
  const { place, label } = backend;
  let isOpen = true;
  function toRead(): Backend {
    if (!isOpen) throw storeError('unavailable', place, 'the index was closed');
    return backend;
  }
  function toWrite(): Backend {
    toRead();
    if (!backend.isWritable) throw storeError('read-only', place, 'is open for reading only');
    return backend;
  }
  const read = (fingerprint: FingerprintLike): Fingerprint => readFingerprint('fingerprint', fingerprint, label);

  async function get(id: string): Promise<Fingerprint | undefined> {
    checkId(id);
    return toRead().get(id);
  }

  async function put(id: string, fingerprint: FingerprintLike, replaces: boolean): Promise<boolean> {
    checkId(id);
    const value = read(fingerprint);
    return toWrite().put(id, value, replaces);
  }

  const index: StoredIndex = {
    label,
    add: (id, fingerprint) => put(id, fingerprint, false),
    upsert: (id, fingerprint) => put(id, fingerprint, true),
    addAll: (entries: Iterable<NewEntry> | AsyncIterable<NewEntry>, options?: AddOptions) =>
      addAll(toWrite, entries, options),
    async remove(id) {
      checkId(id);
      return (await toWrite().remove([id])) > 0;
    },
    async removeAll(ids) {
      assertIterable('ids', ids, 'an iterable of ids');
      toWrite();
      let count = 0;
      let batch: string[] = [];
      const commit = async (): Promise<void> => {
        const due = batch;
        batch = [];
        if (due.length > 0) count += await backend.remove(due);
      };
      try {
        for (const id of ids) {
          checkId(id);
          if (batch.push(id) >= backend.removeBatch) await commit();
        }
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

/** Adds many documents, a batch at a time. */
async function addAll(
  toWrite: () => Backend,
  given: Iterable<NewEntry> | AsyncIterable<NewEntry>,
  options: AddOptions = {},
): Promise<AddCounts> {
  const { label } = toWrite();
  let due = await toWrite().batchSize();
  const { [Symbol.asyncIterator]: later, [Symbol.iterator]: now } = Object(given);
  if (typeof later !== 'function' && (typeof now !== 'function' || typeof given === 'string'))
    throw wrongType('entries', 'an iterable', given);
  const replaces = readAddOptions(options) === 'replace';
  let batch = new Map<string, BatchDocument>();
  let [taken, again, added, others] = [0, 0, 0, 0];

  /** Takes a document; returns whether it is time to commit. */
  function take(entry: NewEntry): boolean {
    const what = `entries[${taken++}]`;
    if (typeof entry !== 'object' || entry === null) throw wrongType(what, 'an object with id and fingerprint', entry);
    const { id } = entry;
    encodeId(`${what}.id`, id, scratch);
    const fingerprint = readFingerprint(`${what}.fingerprint`, entry.fingerprint, label);
    const before = batch.get(id);
    if (before !== undefined) again++;
    if (before === undefined || replaces) batch.set(id, { id, fingerprint, losses: entry.losses ?? before?.losses });
    return batch.size >= due;
  }

  async function commit(): Promise<void> {
    if (batch.size === 0) return;
    const [documents, repeated] = [[...batch.values()], again];
    batch = new Map();
    again = 0;
    const fresh = await toWrite().putBatch(documents, replaces);
    added += fresh;
    others += documents.length - fresh + repeated;
    // These documents are written, even if this fails.
    due = await toWrite()
      .batchSize()
      .catch(() => due);
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

/** Reads the label of a store from its record (IDX-2). Throws `invalid-label`, `label-mismatch`. */
export function readStoredLabel(place: string, expected: string | undefined, record = ''): Label {
  const label = registeredLabel(place, record);
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

function checkId(id: string): void {
  encodeId('id', id, scratch);
}
