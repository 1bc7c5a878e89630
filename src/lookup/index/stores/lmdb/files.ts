import { MAX_ID_OCTETS } from '../../../options.ts';
import { encodeKey } from '../keys.ts';
import type { FileChanges, FileCounts, FileRegister, FileState } from '../types.ts';
import type { Environment, Table } from './environment.ts';
import { decodeNumber, encodeNumber, META } from './format.ts';
import type { RowWriter, Transact } from './write.ts';

/** A record of the table `files`, as JSON. */
interface FileRecord {
  /** Names the file in the table `members`. */
  readonly number: number;
  /** How often it was begun to be read. */
  readonly generation: number;
  /** Missing until it was read to its end. */
  readonly state?: FileState;
}

/** The table `files`, by the octets of a path. */
interface FileTable {
  read(path: Buffer): FileRecord | undefined;
  write(path: Buffer, record: FileRecord): void;
  remove(path: Buffer): void;
  /** Lists paths that begin with a prefix. */
  paths(prefix: Buffer): string[];
  /** A number that no file has yet. */
  nextNumber(): number;
}

/**
 * Makes the register of a store.
 * @param transact - runs an action in a transaction of the writer
 */
export function createFileRegister(environment: Environment, transact: Transact): FileRegister {
  const { members } = environment.tables;
  const files = createFileTable(environment);
  const reading = createReading(files);

  function addDocument(rows: RowWriter, counts: Counts, { path, id, fingerprint }: FileDocument): void {
    const { number, generation } = reading.begin(path);
    const key = encodeKey('id', id);
    if (rows.add(key, fingerprint)) counts.added++;
    else counts[rows.replace(key, fingerprint) ? 'replaced' : 'same']++;
    members.putSync(Buffer.concat([encodeNumber(number), key]), encodeNumber(generation));
  }

  function finishFile(rows: RowWriter, counts: Counts, { path, state }: FinishedFile): void {
    const { number, generation } = reading.begin(path);
    counts.removed += removeStale(members, rows, number, generation);
    files.write(encodeKey('path', path), { number, generation, state });
  }

  /** Returns how many documents there were, or undefined if the file is unknown. */
  function removeFile(rows: RowWriter, path: string): number | undefined {
    const key = encodeKey('path', path);
    const record = files.read(key);
    if (record === undefined) return undefined;
    files.remove(key);
    reading.end(path);
    return removeStale(members, rows, record.number, NO_GENERATION);
  }

  return {
    async get(path) {
      const key = encodeKey('path', path);
      environment.refresh();
      return files.read(key)?.state;
    },
    async *paths(prefix) {
      environment.refresh();
      yield* files.paths(Buffer.from(prefix));
    },
    async commit({ documents, finished, gone = [] }) {
      const counts = { added: 0, replaced: 0, same: 0, removed: 0 };
      const begun = [...documents, ...finished].map(({ path }) => path).filter((path) => !reading.has(path));
      try {
        transact((rows) => {
          for (const document of documents) addDocument(rows, counts, document);
          for (const file of finished) finishFile(rows, counts, file);
          for (const path of gone) counts.removed += removeFile(rows, path) ?? 0;
        });
      } catch (error) {
        // What the transaction began is taken back with it; another file may get the number.
        for (const path of begun) reading.end(path);
        throw error;
      }
      for (const { path } of finished) reading.end(path);
      return counts;
    },
    async remove(path) {
      return transact((rows) => removeFile(rows, path));
    },
  };
}

type Counts = { -readonly [Name in keyof FileCounts]: FileCounts[Name] };
type FileDocument = FileChanges['documents'][number];
type FinishedFile = FileChanges['finished'][number];

/** No document is of this generation. */
const NO_GENERATION = -1;

function createFileTable({ tables: { files, meta } }: Environment): FileTable {
  return {
    read(path) {
      const octets = files.getBinary(path);
      return octets === undefined ? undefined : (JSON.parse(octets.toString()) as FileRecord);
    },
    write(path, record) {
      files.putSync(path, Buffer.from(JSON.stringify(record)));
    },
    remove(path) {
      files.removeSync(path);
    },
    paths(prefix) {
      const paths: string[] = [];
      if (prefix.length > MAX_ID_OCTETS) return paths;
      // Keys are in the order of their octets.
      for (const key of files.getKeys({ start: prefix })) {
        if (!key.subarray(0, prefix.length).equals(prefix)) break;
        paths.push(key.toString());
      }
      return paths;
    },
    nextNumber() {
      const octets = meta.getBinary(META.files);
      const number = octets === undefined ? 0 : decodeNumber(octets);
      meta.putSync(META.files, encodeNumber(number + 1));
      return number;
    },
  };
}

/** The files that are being read: each begins a generation once. */
function createReading(files: FileTable) {
  const begun = new Map<string, FileRecord>();
  return {
    has: (path: string): boolean => begun.has(path),
    begin(path: string): FileRecord {
      const known = begun.get(path);
      if (known !== undefined) return known;
      const key = encodeKey('path', path);
      const before = files.read(key);
      const record = { number: before?.number ?? files.nextNumber(), generation: (before?.generation ?? 0) + 1 };
      files.write(key, record);
      begun.set(path, record);
      return record;
    },
    end(path: string): void {
      begun.delete(path);
    },
  };
}

/** Removes the documents of a file that were not found again; returns how many there were. */
function removeStale(members: Table, rows: RowWriter, number: number, generation: number): number {
  const stale: Buffer[] = [];
  const range = { start: encodeNumber(number), end: encodeNumber(number + 1) };
  for (const { key, value } of members.getRange(range)) if (decodeNumber(value) !== generation) stale.push(key);
  for (const key of stale) members.removeSync(key);
  return stale.filter((key) => rows.remove(key.subarray(8))).length;
}
