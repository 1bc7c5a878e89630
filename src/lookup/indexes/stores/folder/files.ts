import type { FileChanges, FileCounts, FileRegister, FileState } from '../stored-index.ts';
import type { Store } from './store.ts';
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

export function createFileRegister(store: Store, transact: Transact): FileRegister {
  /** The files that are being read: each begins a generation once. */
  const reading = new Set<string>();
  return {
    async get(path) {
      const key = fileKey(path);
      store.refresh();
      return readRecord(store, key)?.state;
    },
    async *paths(prefix) {
      store.refresh();
      const start = `f${Buffer.from(prefix).toString('latin1')}`;
      for (const { key } of store.records(start)) {
        if (!key.startsWith(start)) break;
        yield Buffer.from(key, 'latin1').toString('utf8', 1);
      }
    },
    async commit(changes) {
      const begun = new Set<string>();
      const counts = await transact((transaction) => new Commit(transaction, reading, begun).run(changes));
      for (const path of begun) reading.add(path);
      for (const { path } of changes.finished) reading.delete(path);
      for (const path of changes.gone ?? []) reading.delete(path);
      return counts;
    },
    async remove(path) {
      const removed = await transact((transaction) => new Commit(transaction, reading, new Set()).removeFile(path));
      reading.delete(path);
      return removed;
    },
  };
}

function readRecord(from: Pick<Store, 'get'>, key: string): FileRecord | undefined {
  const bytes = from.get(key);
  return bytes === undefined ? undefined : (JSON.parse(Buffer.from(bytes).toString()) as FileRecord);
}

class Commit {
  readonly #transaction: Transaction;
  readonly #reading: ReadonlySet<string>;
  readonly #begun: Set<string>;
  readonly #counts = { added: 0, replaced: 0, same: 0, removed: 0 };

  constructor(transaction: Transaction, reading: ReadonlySet<string>, begun: Set<string>) {
    this.#transaction = transaction;
    this.#reading = reading;
    this.#begun = begun;
  }

  run({ documents, finished, gone = [] }: FileChanges): FileCounts {
    const lists = new Map<string, string[]>();
    for (const { path, id, fingerprint } of documents) {
      const key = documentKey(id);
      const before = this.#transaction.put(key, fingerprint, true);
      this.#counts[before === 'new' ? 'added' : before === 'same' ? 'same' : 'replaced']++;
      const ids = lists.get(path);
      if (ids === undefined) lists.set(path, [id]);
      else ids.push(id);
    }
    for (const [path, ids] of lists) this.#list(path, ids);
    for (const { path, state } of finished) this.#finish(path, state);
    for (const path of gone) this.#counts.removed += this.removeFile(path) ?? 0;
    return this.#counts;
  }

  /** Removes a file; returns the number of its documents, or undefined if it is unknown. */
  removeFile(path: string): number | undefined {
    const key = fileKey(path);
    const record = readRecord(this.#transaction, key);
    if (record === undefined) return undefined;
    this.#transaction.delete(key);
    return this.#removeLists(record.number, [...record.before, [record.generation, record.lists]], new Set());
  }

  #list(path: string, ids: readonly string[]): void {
    const record = this.#begin(path);
    const { number, generation, lists } = record;
    this.#transaction.set(listKey(number, generation, lists), Buffer.from(JSON.stringify(ids)));
    this.#write(path, { ...record, lists: lists + 1 });
  }

  /** Removes the documents that were not found again. */
  #finish(path: string, state: FileState): void {
    const { before, ...record } = this.#begin(path);
    const found = new Set<string>();
    for (let list = 0; list < record.lists; list++)
      for (const id of this.#readList(record.number, record.generation, list)) found.add(id);
    this.#counts.removed += this.#removeLists(record.number, before, found);
    this.#write(path, { ...record, before: [], state });
  }

  #begin(path: string): FileRecord {
    const key = fileKey(path);
    const known = readRecord(this.#transaction, key);
    if (known !== undefined && (this.#reading.has(path) || this.#begun.has(path))) return known;
    this.#begun.add(path);
    const before = known === undefined ? [] : [...known.before, [known.generation, known.lists] as const];
    return {
      number: known?.number ?? this.#nextNumber(),
      generation: (known?.generation ?? 0) + 1,
      lists: 0,
      before: before.filter(([, lists]) => lists > 0),
    };
  }

  #write(path: string, record: FileRecord): void {
    this.#transaction.set(fileKey(path), Buffer.from(JSON.stringify(record)));
  }

  #nextNumber(): number {
    const bytes = this.#transaction.get(NEXT_FILE);
    const number = bytes === undefined ? 0 : Number(Buffer.from(bytes).toString());
    this.#transaction.set(NEXT_FILE, Buffer.from(String(number + 1)));
    return number;
  }

  /** Removes the documents of some readings that were not found again; returns their number. */
  #removeLists(number: number, readings: FileRecord['before'], found: ReadonlySet<string>): number {
    let removed = 0;
    for (const [generation, lists] of readings)
      for (let list = 0; list < lists; list++) {
        for (const id of this.#readList(number, generation, list))
          if (!found.has(id) && this.#transaction.remove(documentKey(id))) removed++;
        this.#transaction.delete(listKey(number, generation, list));
      }
    return removed;
  }

  #readList(number: number, generation: number, list: number): string[] {
    const bytes = this.#transaction.get(listKey(number, generation, list));
    return bytes === undefined ? [] : (JSON.parse(Buffer.from(bytes).toString()) as string[]);
  }
}

function listKey(number: number, generation: number, list: number): string {
  return `m${number}/${generation}/${list}`;
}
