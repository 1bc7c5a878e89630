import type { Fingerprint } from '../../../scheme/labels/fingerprint.ts';
import { encodeId, ID_BUFFER_BYTES } from '../../query-options.ts';
import type { FolderStore } from './folder-store.ts';
import { bytesOf } from './memory-table.ts';
import { DOCUMENT } from './segment/segment-bytes.ts';
import { lossesKey, lossesRecord } from './stored-losses.ts';

export type Transaction = ReturnType<typeof beginTransaction>;

export function beginTransaction(store: FolderStore) {
  const changes = new Map<string, Uint8Array | null>();
  let { count } = store.view;
  const get = (key: string): Uint8Array | undefined => {
    const changed = changes.get(key);
    return changed === undefined ? store.get(key) : (changed ?? undefined);
  };
  const note = (key: string, fingerprint: Uint8Array, losses: readonly string[]): void => {
    const before = get(key);
    const record = losses.length > 0 ? lossesRecord(fingerprint, losses) : undefined;
    if (record === undefined && before !== undefined) changes.set(key, null);
    else if (record !== undefined && !(before && record.equals(before))) changes.set(key, record);
  };
  return {
    get,
    set: (key: string, value: Uint8Array): void => void changes.set(key, value),
    delete: (key: string): void => void changes.set(key, null),
    /**
     * Adds a document, or gives it another fingerprint if `replaces`; losses that are undefined stay as they are. Returns whether it was
     * new or had the same fingerprint.
     */
    put(
      key: string,
      fingerprint: Fingerprint,
      replaces: boolean,
      losses: readonly string[] | undefined,
    ): 'new' | 'same' | 'other' {
      const bytes = bytesOf(fingerprint);
      const before = get(key);
      const isSame = before !== undefined && Buffer.compare(before, bytes) === 0;
      if (before !== undefined && !replaces) return isSame ? 'same' : 'other';
      if (before === undefined) count++;
      if (!isSame) changes.set(key, bytes);
      if (losses !== undefined && (losses.length > 0 || before !== undefined)) note(lossesKey(key), bytes, losses);
      return before === undefined ? 'new' : isSame ? 'same' : 'other';
    },
    remove(key: string): boolean {
      if (get(key) === undefined) return false;
      changes.set(key, null);
      if (get(lossesKey(key)) !== undefined) changes.set(lossesKey(key), null);
      count--;
      return true;
    },
    commit: (): void => store.commit(changes, count),
  };
}

const scratch = Buffer.allocUnsafe(ID_BUFFER_BYTES);

export function documentKey(id: string): string {
  return DOCUMENT + scratch.toString('latin1', 0, encodeId('id', id, scratch));
}

export function fileKey(path: string): string {
  return `f${scratch.toString('latin1', 0, encodeId('path', path, scratch))}`;
}
