import { type Fingerprint, fingerprintOfWords } from '../../../../scheme/labels/fingerprint.ts';
import { createTable, type FingerprintTable } from '../../../segment/table.ts';
import type { Changes } from './log.ts';
import { DOCUMENT, type KeyValue } from './segment/bytes.ts';
import type { WordsFound } from './segment/word-search.ts';

export function fingerprintOf(value: Uint8Array): Fingerprint {
  if (value.length > 8) return new Uint8Array(value);
  return fingerprintOfWords([new DataView(value.buffer, value.byteOffset, 8).getBigUint64(0)]);
}

/** Returns the bytes of a fingerprint, in network byte order. */
export function bytesOf(fingerprint: Fingerprint): Uint8Array {
  if (fingerprint instanceof Uint8Array) return new Uint8Array(fingerprint);
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, fingerprint);
  return bytes;
}

export class Memory {
  readonly #words: 1 | 4;
  readonly #records = new Map<string, Uint8Array | null>();
  #table: FingerprintTable<Fingerprint> | undefined;
  #positions = new Map<string, number>();
  #keys: string[] = [];
  bytes = 0;

  constructor(words: 1 | 4) {
    this.#words = words;
  }

  get size(): number {
    return this.#records.size;
  }

  get(key: string): Uint8Array | null | undefined {
    return this.#records.get(key);
  }

  apply(changes: Changes): void {
    for (const [key, value] of changes) {
      this.#records.set(key, value);
      this.bytes += key.length + (value?.length ?? 0) + 32;
      if (this.#table !== undefined && key.startsWith(DOCUMENT)) this.#place(this.#table, key, value);
    }
  }

  sorted(changes: Changes = new Map()): KeyValue[] {
    const keys = [...new Set([...this.#records.keys(), ...changes.keys()])].sort(compare);
    return keys.map((key) => ({ key, value: changes.has(key) ? changes.get(key)! : this.#records.get(key)! }));
  }

  work(fingerprint: Fingerprint, k: number): number {
    const table = this.#readTable();
    return table.length === 0 ? 0 : table.work(fingerprint, k);
  }

  /** Finds the documents near a fingerprint. They have numbers until records are added or removed. */
  find(fingerprint: Fingerprint, k: number, found: WordsFound): void {
    const table = this.#readTable();
    if (table.length === 0) return;
    const { count, positions, distances } = table.query(fingerprint, k);
    for (let i = 0; i < count; i++) found.add(positions[i]!, distances[i]!);
  }

  at(position: number): KeyValue {
    const key = this.#keys[position]!;
    return { key, value: this.#records.get(key)! };
  }

  #readTable(): FingerprintTable<Fingerprint> {
    if (this.#table === undefined) {
      this.#table = createTable(this.#words);
      for (const [key, value] of this.#records) if (key.startsWith(DOCUMENT)) this.#place(this.#table, key, value);
    }
    return this.#table;
  }

  #place(table: FingerprintTable<Fingerprint>, key: string, value: Uint8Array | null): void {
    const before = this.#positions.get(key);
    if (before !== undefined) table.remove(before);
    this.#positions.delete(key);
    if (value === null) return;
    const position = table.add(fingerprintOf(value));
    this.#positions.set(key, position);
    this.#keys[position] = key;
  }
}

export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
