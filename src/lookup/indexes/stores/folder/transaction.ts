import type { Fingerprint } from '../../../../scheme/labels/fingerprint.ts';
import { encodeKey } from '../backend.ts';
import { lossesKey, lossesRecord } from './losses.ts';
import { bytesOf } from './memory.ts';
import { DOCUMENT } from './segment/bytes.ts';
import type { Store } from './store.ts';

export class Transaction {
  readonly #store: Store;
  readonly #changes = new Map<string, Uint8Array | null>();
  #count: number;

  constructor(store: Store) {
    this.#store = store;
    this.#count = store.view.count;
  }

  get(key: string): Uint8Array | undefined {
    const changed = this.#changes.get(key);
    return changed === undefined ? this.#store.get(key) : (changed ?? undefined);
  }

  set(key: string, value: Uint8Array): void {
    this.#changes.set(key, value);
  }

  delete(key: string): void {
    this.#changes.set(key, null);
  }

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
    const before = this.get(key);
    const isSame = before !== undefined && Buffer.compare(before, bytes) === 0;
    if (before !== undefined && !replaces) return isSame ? 'same' : 'other';
    if (before === undefined) this.#count++;
    if (!isSame) this.set(key, bytes);
    if (losses !== undefined && (losses.length > 0 || before !== undefined)) this.#note(lossesKey(key), bytes, losses);
    return before === undefined ? 'new' : isSame ? 'same' : 'other';
  }

  #note(key: string, fingerprint: Uint8Array, losses: readonly string[]): void {
    const before = this.get(key);
    const record = losses.length > 0 ? lossesRecord(fingerprint, losses) : undefined;
    if (record === undefined && before !== undefined) this.delete(key);
    else if (record !== undefined && !(before && record.equals(before))) this.set(key, record);
  }

  remove(key: string): boolean {
    if (this.get(key) === undefined) return false;
    this.delete(key);
    if (this.get(lossesKey(key)) !== undefined) this.delete(lossesKey(key));
    this.#count--;
    return true;
  }

  commit(): void {
    this.#store.commit(this.#changes, this.#count);
  }
}

export function documentKey(id: string): string {
  return DOCUMENT + encodeKey('id', id).toString('latin1');
}

export function fileKey(path: string): string {
  return `f${encodeKey('path', path).toString('latin1')}`;
}
