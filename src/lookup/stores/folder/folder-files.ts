import type { FileChanges, FileCounts, FileRegister, FileState } from '../stored-index.ts';
import type { FolderStore } from './folder-store.ts';
import { documentKey, fileKey, type Transaction } from './transaction.ts';

interface FileRecord {
  /** Names the file in the keys of its members. */
  readonly number: number;
  /** The number of times that reading the file was begun. */
  readonly generation: number;
  /** The number of lists of documents in this reading so far. */
  readonly lists: number;
  /** The generations and lists of earlier readings whose documents are still in the index. */
  readonly before: readonly (readonly [generation: number, lists: number])[];
  /** Missing until it was read to its end. */
  readonly state?: FileState;
}

const NEXT_FILE = 'n';

export type Transact = <T>(action: (transaction: Transaction) => T) => Promise<T>;

export function createFileRegister(store: FolderStore, transact: Transact): FileRegister {
  const reading = new Set<string>();
  return {
    async get(path) {
      const key = fileKey(path);
      store.refresh();
      return readJson<FileRecord>(store, key)?.state;
    },
    async *paths(prefix) {
      store.refresh();
      const start = `f${Buffer.from(prefix).toString('latin1')}`;
      for (const { key } of store.records(start)) yield Buffer.from(key, 'latin1').toString('utf8', 1);
    },
    async commit(changes) {
      const begun = new Set<string>();
      const counts = await transact((transaction) => createCommit(transaction, reading, begun).run(changes));
      for (const path of begun) reading.add(path);
      for (const { path } of changes.finished) reading.delete(path);
      for (const path of changes.gone ?? []) reading.delete(path);
      return counts;
    },
    async remove(path) {
      const removed = await transact((transaction) => createCommit(transaction, reading, new Set()).removeFile(path));
      reading.delete(path);
      return removed;
    },
  };
}

function readJson<T>(from: Pick<FolderStore, 'get'>, key: string): T | undefined {
  const bytes = from.get(key);
  return bytes === undefined ? undefined : (JSON.parse(Buffer.from(bytes).toString()) as T);
}

function createCommit(transaction: Transaction, reading: ReadonlySet<string>, begun: Set<string>) {
  const counts = { added: 0, replaced: 0, same: 0, removed: 0 };

  function run({ documents, finished, gone = [] }: FileChanges): FileCounts {
    const lists = new Map<string, string[]>();
    for (const { path, id, fingerprint, losses } of documents) {
      const key = documentKey(id);
      const before = transaction.put(key, fingerprint, true, losses);
      counts[before === 'new' ? 'added' : before === 'same' ? 'same' : 'replaced']++;
      lists.set(path, lists.get(path) ?? []);
      lists.get(path)!.push(id);
    }
    for (const [path, ids] of lists) addList(path, ids);
    for (const { path, state } of finished) finish(path, state);
    for (const path of gone) counts.removed += removeFile(path) ?? 0;
    return counts;
  }

  function removeFile(path: string): number | undefined {
    const key = fileKey(path);
    const record = readJson<FileRecord>(transaction, key);
    if (record === undefined) return undefined;
    transaction.delete(key);
    return removeLists(record.number, [...record.before, [record.generation, record.lists]], new Set());
  }

  function addList(path: string, ids: readonly string[]): void {
    const record = begin(path);
    const { number, generation, lists } = record;
    write(listKey(number, generation, lists), ids);
    write(fileKey(path), { ...record, lists: lists + 1 });
  }

  function finish(path: string, state: FileState): void {
    const { before, ...record } = begin(path);
    const found = new Set<string>();
    for (let list = 0; list < record.lists; list++)
      for (const id of readList(record.number, record.generation, list)) found.add(id);
    counts.removed += removeLists(record.number, before, found);
    write(fileKey(path), { ...record, before: [], state });
  }

  function begin(path: string): FileRecord {
    const known = readJson<FileRecord>(transaction, fileKey(path));
    if (known !== undefined && (reading.has(path) || begun.has(path))) return known;
    begun.add(path);
    const before = known === undefined ? [] : [...known.before, [known.generation, known.lists] as const];
    return {
      number: known?.number ?? nextNumber(),
      generation: (known?.generation ?? 0) + 1,
      lists: 0,
      before: before.filter(([, lists]) => lists > 0),
    };
  }

  function write(key: string, value: FileRecord | readonly string[] | number): void {
    transaction.set(key, Buffer.from(JSON.stringify(value)));
  }

  function nextNumber(): number {
    const number = readJson<number>(transaction, NEXT_FILE) ?? 0;
    write(NEXT_FILE, number + 1);
    return number;
  }

  function removeLists(number: number, readings: FileRecord['before'], found: ReadonlySet<string>): number {
    let removed = 0;
    for (const [generation, lists] of readings)
      for (let list = 0; list < lists; list++) {
        for (const id of readList(number, generation, list))
          if (!found.has(id) && transaction.remove(documentKey(id))) removed++;
        transaction.delete(listKey(number, generation, list));
      }
    return removed;
  }

  function readList(number: number, generation: number, list: number): string[] {
    return readJson(transaction, listKey(number, generation, list)) ?? [];
  }

  return { run, removeFile };
}

function listKey(number: number, generation: number, list: number): string {
  return `m${number}/${generation}/${list}`;
}
