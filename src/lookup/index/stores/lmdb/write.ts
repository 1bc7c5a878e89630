import type { Fingerprint } from '../../../../scheme/labels/fingerprint.ts';
import { ID_BUFFER_OCTETS } from '../../../options.ts';
import { isSame } from '../../../widths.ts';
import type { Written } from '../collect.ts';
import { encodeKey } from '../keys.ts';
import { damaged, readState, type Store } from './environment.ts';
import {
  CHECKSUM_OCTETS,
  CHUNK_ROWS,
  encodeNumber,
  encodeState,
  isSealed,
  META,
  readFingerprint,
  seal,
  writeFingerprint,
} from './format.ts';

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

/** Changes rows within a transaction; `finish` writes what is left to write. */
export class RowWriter {
  readonly #path: string;
  readonly #tables: Store['tables'];
  /** How many octets a fingerprint has. */
  readonly #width: number;
  readonly #tail: ChunkWriter;
  readonly #rowKey = Buffer.allocUnsafe(8);
  readonly #value: Buffer;
  #first: number;
  #next: number;
  #count: number;
  /** How many rows were removed or replaced. */
  #changes = 0;

  constructor(environment: Store) {
    const { path, tables, width } = environment;
    const { first, next, count } = readState(environment);
    this.#path = path;
    this.#tables = tables;
    this.#width = width;
    this.#value = Buffer.allocUnsafe(width + ID_BUFFER_OCTETS);
    this.#first = first;
    this.#next = next;
    this.#count = count;
    this.#tail = createChunkWriter(environment, next);
  }

  /** How many documents there are. */
  get count(): number {
    return this.#count;
  }

  /** Adds a document unless its id is there; returns whether it was added. */
  add(id: Buffer, fingerprint: Fingerprint): boolean {
    const row = encodeNumber(this.#next, this.#rowKey);
    const isNew = this.#tables.ids.putSync(id, row, NO_OVERWRITE as never) as unknown as boolean;
    if (!isNew) return false;
    this.#append(id, fingerprint);
    this.#count++;
    return true;
  }

  /** Gives a document that is there another fingerprint; returns whether that is another one. */
  replace(id: Buffer, fingerprint: Fingerprint): boolean {
    const { ids } = this.#tables;
    const row = ids.getBinary(id)!;
    if (isSame(readFingerprint(this.#documentAt(row), this.#width), fingerprint)) return false;
    this.#removeDocument(row);
    ids.putSync(id, encodeNumber(this.#next, this.#rowKey));
    this.#append(id, fingerprint);
    this.#changes++;
    return true;
  }

  /** Returns whether it was there. */
  remove(id: Buffer): boolean {
    const { ids } = this.#tables;
    const row = ids.getBinary(id);
    if (row === undefined) return false;
    ids.removeSync(id);
    this.#removeDocument(row);
    this.#count--;
    this.#changes++;
    return true;
  }

  finish(): void {
    this.#cleanHoles();
    this.#tail.flush();
    const state = { first: this.#first, next: this.#next, count: this.#count };
    this.#tables.meta.putSync(META.state, encodeState(state));
  }

  #documentAt(row: Buffer): Buffer {
    const document = this.#tables.documents.getBinary(row);
    if (document === undefined) throw damaged(this.#path, 'a document is missing');
    return document;
  }

  /** What is left of a document tells one that was removed from one that is missing. */
  #removeDocument(row: Buffer): void {
    this.#tables.documents.putSync(row, this.#documentAt(row).subarray(0, this.#width));
  }

  #append(id: Buffer, fingerprint: Fingerprint): void {
    const value = this.#value;
    writeFingerprint(fingerprint, value);
    value.set(id, this.#width);
    const row = encodeNumber(this.#next, this.#rowKey);
    this.#tables.documents.putSync(row, value.subarray(0, this.#width + id.length), APPEND as never);
    this.#tail.push(fingerprint);
    this.#next++;
  }

  /** Cleans up removed rows: a share of the work for each transaction, so that none takes long; removing never outruns it. */
  #cleanHoles(): void {
    let budget = MIN_CLEANED + Math.ceil((4 * this.#changes) / CHUNK_ROWS);
    while (this.#hasManyHoles() && this.#first + CHUNK_ROWS <= this.#next && budget-- > 0) {
      // The chunk in work is cleaned when it is written.
      if (this.#first + CHUNK_ROWS > this.#tail.start) this.#tail.flush();
      this.#cleanFirstChunk();
    }
  }

  #hasManyHoles(): boolean {
    return this.#next - this.#first - this.#count > Math.max(MIN_HOLES, this.#count);
  }

  /** Moves the documents of the first chunk after the last row, so that its rows can go. */
  #cleanFirstChunk(): void {
    const { documents, ids, fingerprints } = this.#tables;
    const end = this.#first + CHUNK_ROWS;
    const rows = [...documents.getRange({ start: encodeNumber(this.#first), end: encodeNumber(end) })];
    if (rows.length !== CHUNK_ROWS) throw damaged(this.#path, 'a document is missing');
    for (const { key, value: document } of rows) {
      documents.removeSync(key);
      const id = document.subarray(this.#width);
      if (id.length === 0) continue;
      ids.putSync(id, encodeNumber(this.#next));
      this.#append(id, readFingerprint(document, this.#width));
    }
    fingerprints.removeSync(encodeNumber(this.#first / CHUNK_ROWS));
    this.#first = end;
  }
}

/** Packs fingerprints into chunks. */
interface ChunkWriter {
  /** The first row of the chunk in work. */
  readonly start: number;
  push(fingerprint: Fingerprint): void;
  flush(): void;
}

function createChunkWriter({ path, tables: { fingerprints }, width }: Store, next: number): ChunkWriter {
  const chunk = Buffer.alloc(width * CHUNK_ROWS + CHECKSUM_OCTETS);
  let number = Math.floor(next / CHUNK_ROWS);
  let filled = next % CHUNK_ROWS;
  let isChanged = false;
  if (filled > 0) read();

  function read(): void {
    const key = encodeNumber(number);
    const value = fingerprints.getBinary(key);
    if (value?.length !== width * filled + CHECKSUM_OCTETS || !isSealed(key, value))
      throw damaged(path, 'the last fingerprints are damaged');
    value.copy(chunk);
  }

  function flush(): void {
    if (!isChanged) return;
    const key = encodeNumber(number);
    const value = chunk.subarray(0, width * filled + CHECKSUM_OCTETS);
    seal(key, value);
    fingerprints.putSync(key, value);
    isChanged = false;
  }

  return {
    get start() {
      return number * CHUNK_ROWS;
    },
    push(fingerprint: Fingerprint): void {
      if (filled === CHUNK_ROWS) {
        flush();
        number++;
        filled = 0;
      }
      writeFingerprint(fingerprint, chunk, width * filled++);
      isChanged = true;
    },
    flush,
  };
}

/** Adds documents in one transaction, in the order of their keys, as far as strings have it: pages are written once each. */
export function writeBatch(transact: Transact, batch: ReadonlyMap<string, Fingerprint>, replaces: boolean): Written {
  let added = 0;
  let next = MIN_BATCH;
  const ids = [...batch.keys()].sort();
  transact((rows) => {
    for (const id of ids) {
      const key = encodeKey('id', id);
      if (rows.add(key, batch.get(id)!)) added++;
      else if (replaces) rows.replace(key, batch.get(id)!);
    }
    next = Math.max(MIN_BATCH, Math.min(MAX_BATCH, rows.count >>> 3));
  });
  return { added, next };
}

/** Runs an action in a transaction of the writer. */
export type Transact = <T>(action: (rows: RowWriter) => T) => T;
