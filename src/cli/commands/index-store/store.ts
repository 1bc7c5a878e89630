import type { StoredIndex } from '../../../lookup/index/stores/types.ts';

/** The index that a command works on. */
export interface Store extends StoredIndex {
  /** Where it is kept, if that is a folder. */
  readonly folder: string | undefined;
}

/**
 * Opens an index.
 * @param place - STORE
 * @param writes - whether it is written to, and created if there is none
 * @param label - of a new index
 * @param takeOver - see `LmdbIndexOptions`
 * @throws (rejects) a `StoreError`
 */
export async function openStore(place: string, writes: boolean, label: string, takeOver: boolean): Promise<Store> {
  const { openLmdbIndex } = await import('../../../lookup/index/stores/lmdb.ts');
  const index = await openLmdbIndex(place, { mode: writes ? 'write' : 'read', takeOver, ...(writes && { label }) });
  return Object.assign(index, { folder: place });
}

/** Whether an error is about the index, so that its message says all: those of stores and of the scheme. */
export function isStoreFailure(error: unknown): error is Error {
  return (
    error instanceof Error && 'code' in error && /^[a-z]+(-[a-z]+)*$/.test(String(error.code)) && error.code !== 'usage'
  );
}
