import type { FileChanges, FileCounts, FileRegister, FileState } from '../types.ts';
import type { Environment } from './environment.ts';
import { decodeNumber, encodeNumber, META } from './format.ts';
import { keyOf, type RowWriter, type Transact } from './write.ts';

/** A record of the table `files`, as JSON. */
interface FileRecord {
  /** Names the file in the table `members`. */
  readonly number: number;
  /** How often it was begun to be read. */
  readonly generation: number;
  /** Missing until it was read to its end. */
  readonly state?: FileState;
}

/**
 * Makes the register of a store.
 * @param transact - runs an action in a transaction of the writer
 */
export function createFileRegister(environment: Environment, transact: Transact): FileRegister {
  const { files, members, meta } = environment.tables;
  /** The files that are being read. */
  const begun = new Map<string, FileRecord>();

  function read(path: Buffer): FileRecord | undefined {
    const octets = files.getBinary(path);
    return octets === undefined ? undefined : (JSON.parse(octets.toString()) as FileRecord);
  }

  function write(path: Buffer, record: FileRecord): void {
    files.putSync(path, Buffer.from(JSON.stringify(record)));
  }

  function begin(path: string): FileRecord {
    const known = begun.get(path);
    if (known !== undefined) return known;
    const key = keyOf('path', path);
    const before = read(key);
    const record = { number: before?.number ?? nextNumber(), generation: (before?.generation ?? 0) + 1 };
    write(key, record);
    begun.set(path, record);
    return record;
  }

  function nextNumber(): number {
    const octets = meta.getBinary(META.files);
    const number = octets === undefined ? 0 : decodeNumber(octets);
    meta.putSync(META.files, encodeNumber(number + 1));
    return number;
  }

  /** Removes the documents of a file that were not found again. */
  function removeStale(rows: RowWriter, number: number, generation: number): number {
    const stale: Buffer[] = [];
    const range = { start: encodeNumber(number), end: encodeNumber(number + 1) };
    for (const { key, value } of members.getRange(range)) if (decodeNumber(value) !== generation) stale.push(key);
    for (const key of stale) members.removeSync(key);
    return stale.filter((key) => rows.remove(key.subarray(8))).length;
  }

  function commit({ documents, finished }: FileChanges): FileCounts {
    const counts = { added: 0, replaced: 0, same: 0, removed: 0 };
    transact((rows) => {
      for (const { path, id, fingerprint } of documents) {
        const { number, generation } = begin(path);
        const key = keyOf('id', id);
        if (rows.add(key, fingerprint)) counts.added++;
        else counts[rows.replace(key, fingerprint) ? 'replaced' : 'same']++;
        members.putSync(Buffer.concat([encodeNumber(number), key]), encodeNumber(generation));
      }
      for (const { path, state } of finished) {
        const { number, generation } = begin(path);
        counts.removed += removeStale(rows, number, generation);
        write(keyOf('path', path), { number, generation, state });
      }
    });
    for (const { path } of finished) begun.delete(path);
    return counts;
  }

  return {
    async get(path) {
      const key = keyOf('path', path);
      environment.refresh();
      return read(key)?.state;
    },
    commit: async (changes) => commit(changes),
    async remove(path) {
      const key = keyOf('path', path);
      return transact((rows) => {
        const record = read(key);
        if (record === undefined) return undefined;
        files.removeSync(key);
        begun.delete(path);
        // No document is of this generation.
        return removeStale(rows, record.number, -1);
      });
    },
  };
}
