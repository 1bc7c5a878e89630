import type { FileChanges, FileCounts, FileRegister, FileState } from '../types.ts';
import type { Connection } from './connection.ts';
import { changeStatements, fingerprintOf, type StoredDocument } from './entries.ts';
import { mapLimited } from './limited.ts';
import type { Names } from './schema.ts';

/** Documents that are written at the same time. */
const MAX_WRITES = 32;

/** Documents that are collected before they are written. */
export const BATCH_SIZE = 4096;

/** What became of a document. */
export type Change = 'added' | 'replaced' | 'same' | 'refused';

/** Changes documents. */
export interface Writer {
  read(id: string): Promise<StoredDocument | undefined>;
  put(id: string, fingerprint: bigint, replaces: boolean): Promise<Change>;
  /** As `put`, for many. */
  putAll(batch: Iterable<readonly [string, bigint]>, replaces: boolean): Promise<Change[]>;
  /** Returns whether it was there. */
  remove(id: string): Promise<boolean>;
  /** Returns how many there were. */
  removeAll(ids: readonly string[]): Promise<number>;
}

/**
 * Makes a {@link Writer}. Each change of a document is one logged batch at one time, which is later than what it
 * replaces: of two at once, one wins in all rows, or rows of the other stay that no document confirms.
 */
export function createWriter(connection: Connection, names: Names, buckets: number): Writer {
  const { place } = connection;
  let last = 0;

  /** The time of a change, in microseconds. */
  function timeAfter(written: number): number {
    last = Math.max(1000 * Date.now(), last + 1, written + 1);
    return last;
  }

  async function read(id: string): Promise<StoredDocument | undefined> {
    const [row] = await connection.read(
      `SELECT document_id, fingerprint, WRITETIME(fingerprint) AS written FROM ${names.document} WHERE document_id = ?`,
      [id],
    );
    if (row === undefined) return undefined;
    return { fingerprint: fingerprintOf(place, row), written: Number(row['written']) };
  }

  async function change(id: string, before: StoredDocument | undefined, after: bigint | undefined): Promise<void> {
    const statements = changeStatements(names, buckets, id, before?.fingerprint, after);
    await connection.batch(statements, timeAfter(before?.written ?? 0));
  }

  async function put(id: string, fingerprint: bigint, replaces: boolean): Promise<Change> {
    const before = await read(id);
    if (before !== undefined && !replaces) return 'refused';
    if (before?.fingerprint === fingerprint) return 'same';
    await change(id, before, fingerprint);
    return before === undefined ? 'added' : 'replaced';
  }

  async function remove(id: string): Promise<boolean> {
    const before = await read(id);
    if (before !== undefined) await change(id, before, undefined);
    return before !== undefined;
  }

  return {
    read,
    put,
    putAll: (batch, replaces) =>
      mapLimited([...batch], MAX_WRITES, ([id, fingerprint]) => put(id, fingerprint, replaces)),
    remove,
    async removeAll(ids) {
      const removed = await mapLimited([...new Set(ids)], MAX_WRITES, remove);
      return removed.filter(Boolean).length;
    },
  };
}

/**
 * Makes the register of a store. There are no transactions: what is written first does no harm without the rest, and adding
 * the file again completes it.
 */
export function createFileRegister(connection: Connection, { file, member }: Names, writer: Writer): FileRegister {
  const begun = new Map<string, Promise<number>>();

  /** Which time of reading a file this is. */
  function begin(path: string): Promise<number> {
    const known = begun.get(path) ?? beginAnew(path);
    begun.set(path, known);
    return known;
  }

  async function beginAnew(path: string): Promise<number> {
    const [row] = await connection.read(`SELECT generation FROM ${file} WHERE path = ?`, [path]);
    const generation = Number(row?.['generation'] ?? 0) + 1;
    await connection.write(`INSERT INTO ${file} (path, generation, state) VALUES (?, ?, null)`, [
      path,
      BigInt(generation),
    ]);
    return generation;
  }

  /** Removes the documents of a file that were not found again. */
  async function removeStale(path: string, generation: number): Promise<number> {
    const members = await connection.read(`SELECT document_id, generation FROM ${member} WHERE path = ?`, [path]);
    const stale = members.filter((each) => Number(each['generation']) !== generation);
    const ids = stale.map((each) => String(each['document_id']));
    const removed = await writer.removeAll(ids);
    await mapLimited(ids, MAX_WRITES, (id) =>
      connection.write(`DELETE FROM ${member} WHERE path = ? AND document_id = ?`, [path, id]),
    );
    return removed;
  }

  async function commit({ documents, finished }: FileChanges): Promise<FileCounts> {
    const counts = { added: 0, replaced: 0, same: 0, removed: 0, refused: 0 };
    for (const wave of withoutRepeats(documents)) {
      const changes = await mapLimited(wave, MAX_WRITES, async ({ path, id, fingerprint }) => {
        const generation = BigInt(await begin(path));
        await connection.write(`INSERT INTO ${member} (path, document_id, generation) VALUES (?, ?, ?)`, [
          path,
          id,
          generation,
        ]);
        return writer.put(id, fingerprint, true);
      });
      for (const each of changes) counts[each]++;
    }
    for (const { path, state } of finished) {
      const generation = await begin(path);
      counts.removed += await removeStale(path, generation);
      await connection.write(`INSERT INTO ${file} (path, generation, state) VALUES (?, ?, ?)`, [
        path,
        BigInt(generation),
        JSON.stringify(state),
      ]);
      begun.delete(path);
    }
    const { refused: _, ...rest } = counts;
    return rest;
  }

  return {
    async get(path) {
      const [row] = await connection.read(`SELECT state FROM ${file} WHERE path = ?`, [path]);
      const state = row?.['state'];
      return typeof state === 'string' ? (JSON.parse(state) as FileState) : undefined;
    },
    commit,
    async remove(path) {
      const [row] = await connection.read(`SELECT path FROM ${file} WHERE path = ?`, [path]);
      if (row === undefined) return undefined;
      const removed = await removeStale(path, -1);
      await connection.write(`DELETE FROM ${file} WHERE path = ?`, [path]);
      begun.delete(path);
      return removed;
    },
  };
}

/** Documents in their order, so that none is written twice at the same time. */
function* withoutRepeats<T extends { readonly id: string }>(documents: readonly T[]): Generator<T[]> {
  let wave = new Map<string, T>();
  for (const each of documents) {
    if (wave.has(each.id)) {
      yield [...wave.values()];
      wave = new Map();
    }
    wave.set(each.id, each);
  }
  if (wave.size > 0) yield [...wave.values()];
}
