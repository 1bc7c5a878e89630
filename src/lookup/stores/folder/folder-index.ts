import type { StoredIndex } from '../stored-index.ts';
import { type FolderIndexOptions, openFolder } from './open-folder.ts';

export type { StoreError, StoreErrorCode } from '../store-errors.ts';
export type {
  FileChanges,
  FileCounts,
  FileRegister,
  FileState,
  StoredIndex,
  Verification,
} from '../stored-index.ts';
export type { FolderIndexOptions } from './open-folder.ts';

/**
 * Opens an index in a folder.
 *
 * Changes are on disk when the promise of the call is fulfilled. If it is rejected, nothing of its last transaction was written,
 * unless the message says that this is unknown: then the index is closed for writing, and opening it again decides. Fingerprints are kept in sorted tables. A query reads only the
 * parts that it needs, so memory does not grow with the index, except by a byte for each document while documents are added.
 * One process at a time can write; others read what is committed.
 * @param path - the folder; created with `create` if there is none
 * @param options - see {@link FolderIndexOptions}
 * @throws (rejects) a {@link StoreError}; TypeError `wrong-type`; RangeError `invalid-label`, also if the index has no label
 * that is registered, `label-mismatch` if it has another one, `out-of-range`
 * @see spec/sharing.md#layout-5
 * @example
 * const index = await openFolderIndex('index', { label: 'simhash-doc', create: true });
 * await index.add('page 1', 5n);
 * (await index.query(4n)).matches; // [{ id: 'page 1', fingerprint: 5n, distance: 1, similarity: 0.984375 }]
 * await index.close();
 */
export async function openFolderIndex(path: string, options: FolderIndexOptions = {}): Promise<StoredIndex> {
  return openFolder(path, options);
}
