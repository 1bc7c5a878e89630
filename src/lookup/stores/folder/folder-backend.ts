import type { Entry, IndexStats } from '../../document-index.ts';
import { createStatsCounter } from '../../query-results.ts';
import type { Backend } from '../backend.ts';
import { explain, withCodes } from './folder-errors.ts';
import { createFileRegister, type Transact } from './folder-files.ts';
import { findNearest } from './folder-search.ts';
import type { FolderStore } from './folder-store.ts';
import { fingerprintOf } from './memory-table.ts';
import { DOCUMENT } from './segment/segment-bytes.ts';
import { entriesIn, LOSSES } from './stored-losses.ts';
import { beginTransaction, documentKey } from './transaction.ts';
import { verify } from './verify-folder.ts';
import type { Ownership } from './writer-lock.ts';

const BATCH = 1 << 18;

export function createBackend(store: FolderStore, label: string, ownership: Ownership | undefined): Backend {
  const place = store.path;
  const transact: Transact = async (action) => {
    const run = () => {
      const transaction = beginTransaction(store);
      const done = action(transaction);
      transaction.commit();
      return done;
    };
    const result = withCodes(place, run, '; nothing of this transaction was written');
    await store.settle();
    return result;
  };
  const read = <T>(action: () => T): T =>
    withCodes(place, () => {
      store.refresh();
      return action();
    });
  return {
    place,
    label,
    isWritable: ownership !== undefined,
    removeBatch: BATCH,
    get: (id) =>
      read(() => {
        const value = store.get(documentKey(id));
        return value === undefined ? undefined : fingerprintOf(value);
      }),
    put: (id, fingerprint, replaces) =>
      transact((transaction) => transaction.put(documentKey(id), fingerprint, replaces, undefined) === 'new'),
    batchSize: async () => BATCH,
    putBatch: (documents, replaces) =>
      transact((transaction) => {
        const keyed = documents.map((document) => ({ key: documentKey(document.id), ...document }));
        // In the order of their keys, so that the documents of a block are looked up together.
        keyed.sort((a, b) => (a.key < b.key ? -1 : 1));
        return keyed.filter(
          ({ key, fingerprint, losses }) => transaction.put(key, fingerprint, replaces, losses) === 'new',
        ).length;
      }),
    remove: (ids) => transact((transaction) => ids.filter((id) => transaction.remove(documentKey(id))).length),
    findNearest: (query) => withCodes(place, () => findNearest(store, query)),
    size: () => read(() => store.view.count),
    stats: () => read(() => stats(store)),
    async *entries() {
      try {
        store.refresh();
        yield* documentsIn(store);
      } catch (error) {
        throw explain(place, error);
      }
    },
    files: createFileRegister(store, transact),
    verify: () => read(() => verify(store)),
    close: () =>
      withCodes(
        place,
        async () => {
          try {
            await store.close();
          } finally {
            ownership?.release();
          }
        },
        '; all changes that were reported as done are stored',
      ),
  };
}

function documentsIn(store: FolderStore): Iterable<Entry> {
  return entriesIn(store.records(DOCUMENT), store.records(LOSSES));
}

function stats(store: FolderStore): IndexStats {
  const counter = createStatsCounter(store.words);
  for (const entry of documentsIn(store)) counter.add(entry);
  const { segments, memory } = store.view;
  const bytes = { fingerprints: store.width * memory.size, ids: memory.bytes };
  for (const segment of segments) {
    bytes.fingerprints += segment.bytes.fingerprints;
    bytes.ids += segment.bytes.ids;
  }
  return counter.result(bytes);
}
