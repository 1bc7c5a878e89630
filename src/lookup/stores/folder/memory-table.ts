import { type Fingerprint, fingerprintOfWords } from '../../../scheme/labels/fingerprint.ts';
import { createFingerprintTable, type FingerprintTable } from '../../table/fingerprint-table.ts';
import type { Changes } from './commit-log.ts';
import { DOCUMENT, type KeyValue } from './segment/segment-bytes.ts';
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

export type Memory = ReturnType<typeof createMemory>;

export function createMemory(words: 1 | 4) {
  const records = new Map<string, Uint8Array | null>();
  const positions = new Map<string, number>();
  const keys: string[] = [];
  let table: FingerprintTable | undefined;
  let bytes = 0;
  const place = (to: FingerprintTable, key: string, value: Uint8Array | null): void => {
    const before = positions.get(key);
    if (before !== undefined) to.remove(before);
    positions.delete(key);
    if (value === null) return;
    const position = to.add(fingerprintOf(value));
    positions.set(key, position);
    keys[position] = key;
  };
  const readTable = (): FingerprintTable => {
    if (table === undefined) {
      table = createFingerprintTable(words);
      for (const [key, value] of records) if (key.startsWith(DOCUMENT)) place(table, key, value);
    }
    return table;
  };
  return {
    get size(): number {
      return records.size;
    },
    get bytes(): number {
      return bytes;
    },
    get: (key: string): Uint8Array | null | undefined => records.get(key),
    apply(changes: Changes): void {
      for (const [key, value] of changes) {
        records.set(key, value);
        bytes += key.length + (value?.length ?? 0) + 32;
        if (table !== undefined && key.startsWith(DOCUMENT)) place(table, key, value);
      }
    },
    sorted(changes: Changes = new Map()): KeyValue[] {
      const sorted = [...new Set([...records.keys(), ...changes.keys()])].sort();
      return sorted.map((key) => ({ key, value: changes.has(key) ? changes.get(key)! : records.get(key)! }));
    },
    work: (fingerprint: Fingerprint, k: number): number => readTable().work(fingerprint, k),
    /** Finds the documents near a fingerprint. They have numbers until records are added or removed. */
    find(fingerprint: Fingerprint, k: number, found: WordsFound): void {
      const { count, positions: at, distances } = readTable().query(fingerprint, k);
      for (let i = 0; i < count; i++) found.add(at[i]!, distances[i]!);
    },
    at(position: number): KeyValue {
      const key = keys[position]!;
      return { key, value: records.get(key)! };
    },
  };
}
