import type { Fingerprint } from '../../../../scheme/labels/fingerprint.ts';
import { encodeKey } from '../backend.ts';
import { bytesOf } from './memory.ts';
import { DOCUMENT } from './segment/bytes.ts';
import type { Store } from './store.ts';

/** Changes of a store that are committed together, and can be read before. */
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

  /** Adds a document, or gives it another fingerprint if `replaces`. Returns whether it was new or had the same one. */
  put(key: string, fingerprint: Fingerprint, replaces: boolean): 'new' | 'same' | 'other' {
    const bytes = bytesOf(fingerprint);
    const before = this.get(key);
    if (before === undefined) this.#count++;
    else if (before.length === bytes.length && before.every((byte, i) => byte === bytes[i])) return 'same';
    else if (!replaces) return 'other';
    this.set(key, bytes);
    return before === undefined ? 'new' : 'other';
  }

  remove(key: string): boolean {
    if (this.get(key) === undefined) return false;
    this.delete(key);
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
