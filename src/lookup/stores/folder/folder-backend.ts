import type { Fingerprint } from '../../../scheme/labels/fingerprint.ts';
import type { Entry, IndexStats } from '../../document-index.ts';
import { bucketStats } from '../../query-results.ts';
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

export function createBackend(store: FolderStore, label: string, ownership: Ownership | undefined): Backend<string> {
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
    keyOf: documentKey,
    get: (key) =>
      read(() => {
        const value = store.get(key);
        return value === undefined ? undefined : fingerprintOf(value);
      }),
    put: (key, fingerprint, replaces) =>
      transact((transaction) => transaction.put(key, fingerprint, replaces, undefined) === 'new'),
    firstBatch: () => BATCH,
    putBatch: (batch, replaces, losses) =>
      transact((transaction) => {
        const keys = Array.from(batch, ([id, fingerprint]) => ({ id, key: documentKey(id), fingerprint }));
        // In the order of their keys, so that the documents of a block are looked up together.
        keys.sort((a, b) => (a.key < b.key ? -1 : 1));
        let added = 0;
        for (const { id, key, fingerprint } of keys)
          if (transaction.put(key, fingerprint, replaces, losses.get(id)) === 'new') added++;
        return { added, next: BATCH };
      }),
    remove: (keys) => transact((transaction) => keys.filter((key) => transaction.remove(key)).length),
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
  const lossy: Record<string, number> = {};
  function* fingerprints(): Generator<Fingerprint> {
    for (const { fingerprint, losses = [] } of documentsIn(store)) {
      for (const loss of losses) lossy[loss] = (lossy[loss] ?? 0) + 1;
      yield fingerprint;
    }
  }
  const { segments, memory, count } = store.view;
  const bytes = { fingerprints: store.width * memory.size, ids: memory.bytes };
  for (const segment of segments) {
    bytes.fingerprints += segment.bytes.fingerprints;
    bytes.ids += segment.bytes.ids;
  }
  return {
    documents: count,
    bytes,
    buckets: bucketStats(fingerprints(), store.words),
    losses: lossy,
  };
}
