import type { StoredIndex } from '../../../lookup/index/stores/types.ts';

/** The index that a command works on. */
export interface Store extends StoredIndex {
  /** Where it is kept, if that is a folder. */
  readonly folder: string | undefined;
}

/** How a subcommand needs an index. */
export type Use = 'create' | 'write' | 'read';

/**
 * Opens an index.
 * @param place - STORE
 * @param use - what for; writing to a folder creates an index there
 * @param label - of a new index
 * @param takeOver - see `LmdbIndexOptions`
 * @throws (rejects) a `StoreError`
 */
export async function openStore(place: string, use: Use, label: string, takeOver: boolean): Promise<Store> {
  const writes = use !== 'read';
  const options = { mode: writes ? ('write' as const) : ('read' as const), ...(writes && { label }) };
  if (/^postgres(?:ql)?:\/\//i.test(place)) {
    const { openPostgresIndex } = await import('../../../lookup/index/stores/postgres.ts');
    return Object.assign(await openPostgresIndex(place, { ...options, create: use === 'create' }), {
      folder: undefined,
    });
  }
  const { openLmdbIndex } = await import('../../../lookup/index/stores/lmdb.ts');
  return Object.assign(await openLmdbIndex(place, { ...options, takeOver }), { folder: place });
}

/** Whether an error is about the index, so that its message says all: those of stores and of the scheme. */
export function isStoreFailure(error: unknown): error is Error {
  return (
    error instanceof Error && 'code' in error && /^[a-z]+(-[a-z]+)*$/.test(String(error.code)) && error.code !== 'usage'
  );
}
