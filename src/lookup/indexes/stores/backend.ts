import { assertIterable, assertOptions } from '../../../errors.ts';
import type { Fingerprint } from '../../../scheme/labels/fingerprint.ts';
import type { AddOptions, Awaitable, Entry, IndexStats, NewEntry } from '../../document-index.ts';
import { readFingerprint } from '../../options.ts';
import { importLines, lineOf } from '../json-lines.ts';
import { addAll, type WriteBatch } from './add-all.ts';
import { storeError } from './errors.ts';
import type { StoreSearch } from './store-search.ts';
import type { FileRegister, StoredIndex, Verification } from './stored-index.ts';

/**
 * The operations of one kind of store: {@link createStoredIndex} makes an index of it, and checks all arguments first.
 * `Key` identifies a document in the store.
 */
export interface Backend<Key> {
  /** Names the store in messages. */
  readonly place: string;
  readonly label: string;
  readonly isWritable: boolean;
  /** The number of documents removed at a time. */
  readonly removeBatch: number;
  /** Checks an id and makes the key of it. */
  keyOf(id: string): Key;
  get(key: Key): Awaitable<Fingerprint | undefined>;
  /** Adds a document, or replaces its fingerprint if allowed; returns whether its id is new. */
  put(key: Key, fingerprint: Fingerprint, replaces: boolean): Awaitable<boolean>;
  /** Returns the number of documents in the first batch. */
  firstBatch(): Awaitable<number>;
  readonly putBatch: WriteBatch;
  /** Returns the number of them that existed. */
  remove(keys: readonly Key[]): Awaitable<number>;
  readonly search: StoreSearch;
  size(): Awaitable<number>;
  stats(): Awaitable<IndexStats>;
  entries(): AsyncGenerator<Entry, void>;
  readonly files: FileRegister;
  verify(): Awaitable<Verification>;
  close(): Promise<void>;
}

/** Makes an index of a store. After `close`, its calls fail with `unavailable`. */
export function createStoredIndex<Key>(backend: Backend<Key>): StoredIndex {
  const { label } = backend;
  const gate = createGate(backend);
  const { toRead } = gate;

  async function get(id: string): Promise<Fingerprint | undefined> {
    const key = backend.keyOf(id);
    return toRead().get(key);
  }

  const index: StoredIndex = {
    label,
    ...changesOf(backend, gate),
    has: async (id) => (await get(id)) !== undefined,
    get,
    async query(fingerprint, options = {}) {
      const { search } = toRead();
      return search.query(readFingerprint('fingerprint', fingerprint, label), options);
    },
    async nearest(fingerprint, options = {}) {
      assertOptions('options', options);
      const { search } = toRead();
      return search.nearest(readFingerprint('fingerprint', fingerprint, label), options);
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
    files: filesOf(label, gate),
    verify: async () => toRead().verify(),
    close: gate.close,
  };
  return index;
}

type Gate<Key> = ReturnType<typeof createGate<Key>>;

/** Makes a gate to a backend: it throws after the backend was closed, and for changes if it was opened for reading. */
function createGate<Key>(backend: Backend<Key>) {
  const { place, isWritable } = backend;
  let isOpen = true;
  function toRead(): Backend<Key> {
    if (!isOpen) throw storeError('unavailable', place, 'the index was closed');
    return backend;
  }
  return {
    toRead,
    toWrite(): Backend<Key> {
      toRead();
      if (!isWritable) throw storeError('read-only', place, 'is open for reading only');
      return backend;
    },
    async close(): Promise<void> {
      if (!isOpen) return;
      isOpen = false;
      await backend.close();
    },
  };
}

function changesOf<Key>(
  { keyOf, label }: Backend<Key>,
  { toWrite }: Gate<Key>,
): Pick<StoredIndex, 'add' | 'upsert' | 'addAll' | 'remove' | 'removeAll'> {
  async function put(id: string, fingerprint: NewEntry['fingerprint'], replaces: boolean): Promise<boolean> {
    const key = keyOf(id);
    const value = readFingerprint('fingerprint', fingerprint, label);
    return toWrite().put(key, value, replaces);
  }

  return {
    add: (id, fingerprint) => put(id, fingerprint, false),
    upsert: (id, fingerprint) => put(id, fingerprint, true),
    async addAll(entries: Iterable<NewEntry> | AsyncIterable<NewEntry>, options?: AddOptions) {
      const putBatch: WriteBatch = (batch, replaces) => toWrite().putBatch(batch, replaces);
      return addAll(label, await toWrite().firstBatch(), putBatch, entries, options);
    },
    async remove(id) {
      const key = keyOf(id);
      return (await toWrite().remove([key])) > 0;
    },
    async removeAll(ids) {
      assertIterable('ids', ids, 'an iterable of ids');
      return removeInBatches(toWrite(), ids);
    },
  };
}

async function removeInBatches<Key>(backend: Backend<Key>, ids: Iterable<string>): Promise<number> {
  let count = 0;
  let keys: Key[] = [];
  const commit = async (): Promise<void> => {
    const batch = keys;
    keys = [];
    if (batch.length > 0) count += await backend.remove(batch);
  };
  try {
    for (const id of ids) if (keys.push(backend.keyOf(id)) >= backend.removeBatch) await commit();
  } finally {
    await commit();
  }
  return count;
}

function filesOf<Key>(label: string, { toRead, toWrite }: Gate<Key>): FileRegister {
  return {
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
  };
}
