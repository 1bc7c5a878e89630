import { assertIterable, assertOptions } from '../../../errors.ts';
import type { Fingerprint } from '../../../scheme/labels/fingerprint.ts';
import { readFingerprint } from '../../options.ts';
import type { AddOptions, Awaitable, Entry, IndexStats, NewEntry } from '../../types.ts';
import { importLines, lineOf } from '../json-lines.ts';
import { addAll, type WriteBatch } from './collect.ts';
import { assertWritable, storeError } from './errors.ts';
import type { Search } from './search.ts';
import type { FileRegister, StoredIndex, Verification } from './types.ts';

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
  readonly search: Search;
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
  const guard = createGuard(backend);

  async function get(id: string): Promise<Fingerprint | undefined> {
    const key = backend.keyOf(id);
    guard.assertOpen();
    return backend.get(key);
  }

  const index: StoredIndex = {
    label,
    ...changesOf(backend, guard),
    has: async (id) => (await get(id)) !== undefined,
    get,
    ...queriesOf(backend, guard),
    async size() {
      guard.assertOpen();
      return backend.size();
    },
    async stats() {
      guard.assertOpen();
      return backend.stats();
    },
    async *entries() {
      guard.assertOpen();
      yield* backend.entries();
    },
    async *exportLines() {
      for await (const entry of index.entries()) yield lineOf(label, entry);
    },
    importLines: (lines, options) => importLines(index, lines, options),
    files: filesOf(backend, guard),
    async verify() {
      guard.assertOpen();
      return backend.verify();
    },
    close: guard.close,
  };
  return index;
}

/** Refuses calls of an index that was closed, and changes of one that was opened for reading. */
interface Guard {
  assertOpen(): void;
  assertWritable(): void;
  close(): Promise<void>;
}

function createGuard(backend: Backend<unknown>): Guard {
  const { place, isWritable } = backend;
  let isOpen = true;
  function assertOpen(): void {
    if (!isOpen) throw storeError('unavailable', place, 'the index was closed');
  }
  return {
    assertOpen,
    assertWritable() {
      assertOpen();
      assertWritable(place, isWritable);
    },
    async close() {
      if (!isOpen) return;
      isOpen = false;
      await backend.close();
    },
  };
}

function changesOf<Key>(
  backend: Backend<Key>,
  guard: Guard,
): Pick<StoredIndex, 'add' | 'upsert' | 'addAll' | 'remove' | 'removeAll'> {
  async function put(id: string, fingerprint: NewEntry['fingerprint'], replaces: boolean): Promise<boolean> {
    const key = backend.keyOf(id);
    const value = readFingerprint('fingerprint', fingerprint, backend.label);
    guard.assertWritable();
    return backend.put(key, value, replaces);
  }

  const putBatch: WriteBatch = (batch, replaces) => {
    guard.assertWritable();
    return backend.putBatch(batch, replaces);
  };

  return {
    add: (id, fingerprint) => put(id, fingerprint, false),
    upsert: (id, fingerprint) => put(id, fingerprint, true),
    async addAll(entries: Iterable<NewEntry> | AsyncIterable<NewEntry>, options?: AddOptions) {
      guard.assertWritable();
      return addAll(backend.label, await backend.firstBatch(), putBatch, entries, options);
    },
    async remove(id) {
      const key = backend.keyOf(id);
      guard.assertWritable();
      return (await backend.remove([key])) > 0;
    },
    async removeAll(ids) {
      assertIterable('ids', ids, 'an iterable of ids');
      guard.assertWritable();
      return removeInBatches(backend, ids);
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

/** Queries take fingerprints in all their forms. */
function queriesOf(
  { label, search }: Pick<Backend<unknown>, 'label' | 'search'>,
  { assertOpen }: Guard,
): Pick<StoredIndex, 'query' | 'nearest'> {
  return {
    async query(fingerprint, options = {}) {
      assertOpen();
      return search.query(readFingerprint('fingerprint', fingerprint, label), options);
    },
    async nearest(fingerprint, options = {}) {
      assertOptions('options', options);
      assertOpen();
      return search.nearest(readFingerprint('fingerprint', fingerprint, label), options);
    },
  };
}

function filesOf({ files, label }: Pick<Backend<unknown>, 'files' | 'label'>, guard: Guard): FileRegister {
  return {
    async get(path) {
      guard.assertOpen();
      return files.get(path);
    },
    async *paths(prefix) {
      guard.assertOpen();
      yield* files.paths(prefix);
    },
    async commit(changes) {
      guard.assertWritable();
      const documents = changes.documents.map((document, i) => ({
        ...document,
        fingerprint: readFingerprint(`documents[${i}].fingerprint`, document.fingerprint, label),
      }));
      return files.commit({ ...changes, documents });
    },
    async remove(path) {
      guard.assertWritable();
      return files.remove(path);
    },
  };
}
