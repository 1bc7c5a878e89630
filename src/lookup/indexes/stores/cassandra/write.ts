import type { Fingerprint } from '../../../../scheme/labels/fingerprint.ts';
import { isSame } from '../../../widths.ts';
import { changeBatches, fingerprintOf, type StoredDocument } from './entries.ts';
import { mapLimited } from './limited.ts';
import type { CassandraStore } from './schema.ts';

/** Documents that are written at the same time. */
export const MAX_WRITES = 32;

/** Documents that are collected before they are written. */
export const BATCH_SIZE = 4096;

export type Change = 'added' | 'replaced' | 'same' | 'refused';

export type Writer = ReturnType<typeof createWriter>;

/**
 * Makes a writer of documents. Each change of a document is one logged batch with one timestamp, later than that of the
 * record it replaces. If two changes have the same timestamp, one wins in all rows, or stale rows of the other stay, which no
 * document confirms. With 256 bits, a second batch with that timestamp removes such rows.
 */
export function createWriter(store: CassandraStore) {
  const { connection, names } = store;
  let last = 0;

  /** The time of a change, in microseconds. */
  function timeAfter(written: number): number {
    // Two programs must not write at one time: of 256 bits, a row that both write and delete would be gone.
    last = Math.max(1000 * Date.now() + Math.floor(1000 * Math.random()), last + 1, written + 1);
    return last;
  }

  async function read(id: string): Promise<StoredDocument | undefined> {
    const [row] = await connection.read(
      `SELECT document_id, fingerprint, WRITETIME(fingerprint) AS written FROM ${names.document} WHERE document_id = ?`,
      [id],
    );
    if (row === undefined) return undefined;
    return { fingerprint: fingerprintOf(store, row), written: Number(row['written']) };
  }

  async function change(id: string, before: StoredDocument | undefined, after: Fingerprint | undefined): Promise<void> {
    const time = timeAfter(before?.written ?? 0);
    for (const statements of changeBatches(store, id, before?.fingerprint, after))
      await connection.batch(statements, time);
  }

  async function put(id: string, fingerprint: Fingerprint, replaces: boolean): Promise<Change> {
    const before = await read(id);
    if (before !== undefined && !replaces) return 'refused';
    if (before !== undefined && isSame(before.fingerprint, fingerprint)) return 'same';
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
    putAll: (batch: Iterable<readonly [string, Fingerprint]>, replaces: boolean): Promise<Change[]> =>
      mapLimited([...batch], MAX_WRITES, ([id, fingerprint]) => put(id, fingerprint, replaces)),
    /** Removes documents; returns the number that existed. */
    async removeAll(ids: readonly string[]): Promise<number> {
      const removed = await mapLimited([...new Set(ids)], MAX_WRITES, remove);
      return removed.filter(Boolean).length;
    },
  };
}
