import { openWithScans } from './lmdb/open.ts';
import type { FolderIndexOptions, StoredIndex } from './types.ts';

export type { StoreError, StoreErrorCode } from './errors.ts';
export type {
  FileChanges,
  FileCounts,
  FileRegister,
  FileState,
  FolderIndexOptions,
  StoredIndex,
  Verification,
} from './types.ts';

/**
 * Opens an index in a folder, or creates it there. Needs the package `lmdb`.
 *
 * Changes are on disk when the promise of the call is fulfilled; many documents are committed 65,536 or more at a time. The first
 * queries compare all fingerprints, some hundred million a second. When that has taken as long as building tables in memory would
 * (41 octets for each document), the tables are built. Calls block the thread while they work.
 * @param path - the folder; created if there is none, unless it is opened for reading
 * @param options - see {@link FolderIndexOptions}
 * @throws (rejects) a {@link StoreError}; TypeError `wrong-type`; RangeError `invalid-label`, also if the index has no label
 * that is registered, `label-mismatch` if it has another one, `out-of-range`
 * @see spec/annexes.md#layout-4
 * @example
 * const index = await openLmdbIndex('index', { label: 'simhash-doc' });
 * await index.add('page 1', 5n);
 * (await index.query(4n)).matches; // [{ id: 'page 1', fingerprint: 5n, distance: 1, similarity: 0.984375 }]
 * await index.close();
 */
export async function openLmdbIndex(path: string, options: FolderIndexOptions = {}): Promise<StoredIndex> {
  return openWithScans(path, options);
}
