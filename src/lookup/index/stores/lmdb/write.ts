import { encodeId, ID_BUFFER_OCTETS } from '../../../options.ts';
import type { Written } from '../collect.ts';
import type { Environment } from './environment.ts';
import { CHUNK_ROWS, decodeNumber, decodeState, encodeNumber, encodeState, META } from './format.ts';

/**
 * So many documents are written in a transaction, or an eighth of those that are there, but never more than the last: each
 * transaction writes most pages of a large table of ids anew.
 */
export const MIN_BATCH = 1 << 16;
const MAX_BATCH = 1 << 19;

/** Removed rows are cleaned up when there are more of them than documents, and more than this. */
const MIN_HOLES = 16 * CHUNK_ROWS;
const MIN_CLEANED = 4;

const APPEND = { append: true } as const;
const NO_OVERWRITE = { noOverwrite: true } as const;

/** Rows that a transaction adds and removes; `finish` writes what is left to write. */
export interface RowWriter {
  /** How many documents there are. */
  readonly count: number;
  /** Adds a document unless its id is there; returns whether it was added. */
  add(id: Buffer, fingerprint: bigint): boolean;
  /** Gives a document that is there another fingerprint; returns whether that is another one. */
  replace(id: Buffer, fingerprint: bigint): boolean;
  /** Returns whether it was there. */
  remove(id: Buffer): boolean;
  finish(): void;
}

/** Begins to change rows, within a transaction. */
export function createRowWriter({ tables }: Environment): RowWriter {
  const { documents, ids, fingerprints, meta } = tables;
  const state = decodeState(meta.getBinary(META.state)!);
  let { first, next, count } = state;
  let changes = 0;
  const tail = createChunkWriter(tables.fingerprints, next);
  const rowKey = Buffer.allocUnsafe(8);
  const value = Buffer.allocUnsafe(8 + ID_BUFFER_OCTETS);

  function append(id: Buffer, fingerprint: bigint): void {
    value.writeBigUInt64BE(fingerprint);
    value.set(id, 8);
    documents.putSync(encodeNumber(next, rowKey), value.subarray(0, 8 + id.length), APPEND as never);
    tail.push(fingerprint);
    next++;
  }

  /** Moves the documents of the first chunk behind the last row, so that its rows can go. */
  function cleanFirstChunk(): void {
    const end = first + CHUNK_ROWS;
    const rows = [...documents.getRange({ start: encodeNumber(first), end: encodeNumber(end) })];
    for (const { key, value: document } of rows) {
      const id = document.subarray(8);
      ids.putSync(id, encodeNumber(next));
      append(id, document.readBigUInt64BE());
      documents.removeSync(key);
    }
    fingerprints.removeSync(encodeNumber(first / CHUNK_ROWS));
    first = end;
  }

  return {
    get count() {
      return count;
    },
    add(id, fingerprint) {
      const isNew = ids.putSync(id, encodeNumber(next, rowKey), NO_OVERWRITE as never) as unknown as boolean;
      if (!isNew) return false;
      append(id, fingerprint);
      count++;
      return true;
    },
    replace(id, fingerprint) {
      const row = ids.getBinary(id)!;
      if (documents.getBinary(row)!.readBigUInt64BE() === fingerprint) return false;
      documents.removeSync(row);
      ids.putSync(id, encodeNumber(next, rowKey));
      append(id, fingerprint);
      changes++;
      return true;
    },
    remove(id) {
      const row = ids.getBinary(id);
      if (row === undefined) return false;
      ids.removeSync(id);
      documents.removeSync(row);
      count--;
      changes++;
      return true;
    },
    finish() {
      // A share of the work for each transaction, so that none takes long; removing never outruns it.
      let budget = MIN_CLEANED + Math.ceil((4 * changes) / CHUNK_ROWS);
      while (next - first - count > Math.max(MIN_HOLES, count) && first + CHUNK_ROWS <= next && budget-- > 0) {
        // The chunk in work is cleaned when it is written.
        if (first + CHUNK_ROWS > tail.start) tail.flush();
        cleanFirstChunk();
      }
      tail.flush();
      meta.putSync(META.state, encodeState({ first, next, count }));
    },
  };
}

/** Packs fingerprints into chunks. */
function createChunkWriter(table: Environment['tables']['fingerprints'], next: number) {
  const chunk = Buffer.alloc(8 * CHUNK_ROWS);
  let number = Math.floor(next / CHUNK_ROWS);
  let filled = next % CHUNK_ROWS;
  let isChanged = false;
  if (filled > 0) table.getBinary(encodeNumber(number))!.copy(chunk);

  function flush(): void {
    if (isChanged) table.putSync(encodeNumber(number), chunk.subarray(0, 8 * filled));
    isChanged = false;
  }

  return {
    /** The first row of the chunk in work. */
    get start() {
      return number * CHUNK_ROWS;
    },
    push(fingerprint: bigint): void {
      if (filled === CHUNK_ROWS) {
        flush();
        number++;
        filled = 0;
      }
      chunk.writeBigUInt64BE(fingerprint, 8 * filled++);
      isChanged = true;
    },
    flush,
  };
}

/** Adds documents in one transaction, in the order of their keys, as far as strings have it: pages are written once each. */
export function writeBatch(transact: Transact, batch: ReadonlyMap<string, bigint>, replaces: boolean): Written {
  let added = 0;
  let next = MIN_BATCH;
  const ids = [...batch.keys()].sort();
  transact((rows) => {
    for (const id of ids) {
      const key = keyOf('id', id);
      if (rows.add(key, batch.get(id)!)) added++;
      else if (replaces) rows.replace(key, batch.get(id)!);
    }
    next = Math.max(MIN_BATCH, Math.min(MAX_BATCH, rows.count >>> 3));
  });
  return { added, next };
}

/** Runs an action in a transaction of the writer. */
export type Transact = <T>(action: (rows: RowWriter) => T) => T;

const scratch = Buffer.allocUnsafe(ID_BUFFER_OCTETS);

/** The octets of an id. */
export function keyOf(what: string, id: unknown): Buffer {
  return Buffer.from(scratch.subarray(0, encodeId(what, id, scratch)));
}

/** The row of an id, or undefined. */
export function rowOf({ tables }: Environment, id: Buffer): number | undefined {
  const row = tables.ids.getBinary(id);
  return row === undefined ? undefined : decodeNumber(row);
}
