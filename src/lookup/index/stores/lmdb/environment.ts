import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Database, RootDatabase } from 'lmdb';
import { makeFolder } from '../../../../common/folder.ts';
import { hasCode, type StoreError, storeError } from '../errors.ts';
import { decodeState, META, type State, TABLES } from './format.ts';

/** A table: its keys and values are octets. */
export type Table = Database<Buffer, Buffer>;

/** An open LMDB environment with the tables of a store. */
export interface Environment {
  readonly path: string;
  readonly isReadOnly: boolean;
  readonly tables: Readonly<Record<(typeof TABLES)[number], Table>>;
  /**
   * Makes the reads that follow see what is committed now. What another process or thread has committed during this turn of the
   * event loop is seen a millisecond later at most.
   */
  refresh(): void;
  /** Runs an action in a transaction, which is on the disk when this returns. Errors have codes; then nothing was written. */
  write<T>(action: () => T): T;
  /** Runs an action that reads. Errors have codes: pages that are missing are `damaged`. */
  read<T>(action: () => T): T;
  close(): Promise<void>;
}

/** The environment of a store whose label is known. */
export interface Store extends Environment {
  /** The number of words in a fingerprint, of 8 octets each. */
  readonly words: 1 | 4;
  /** The number of octets in a fingerprint. */
  readonly width: number;
}

const DATA = 'data.mdb';
const LOCK = 'lock.mdb';

/**
 * Opens the environment of a store.
 * @param path - a folder
 * @param isReadOnly - whether it is opened for reading; else it is created if there is none
 * @throws (rejects) a {@link StoreError}
 */
export async function openEnvironment(path: string, isReadOnly: boolean): Promise<Environment> {
  const isNew = !checkFolder(path, isReadOnly);
  const { open } = await loadLmdb(path);
  let root: RootDatabase<Buffer, Buffer> | undefined;
  try {
    if (isNew) makeFolder(path);
    // Not the default, which flushes a transaction some time after it was committed.
    const sync = { overlappingSync: false };
    root = open({
      path,
      noSubdir: false,
      readOnly: isReadOnly,
      maxDbs: TABLES.length + 1,
      cache: false,
      ...BINARY,
      ...sync,
    });
    assertTables(path, root, isReadOnly);
    const opened = root;
    const tables = Object.fromEntries(
      TABLES.map((name) => [name, opened.openDB({ name, ...BINARY })]),
    ) as unknown as Environment['tables'];
    return createEnvironment(path, isReadOnly, root, tables);
  } catch (error) {
    await root?.close();
    throw explain(path, error);
  }
}

const BINARY = { encoding: 'binary', keyEncoding: 'binary' } as const;

async function loadLmdb(path: string): Promise<typeof import('lmdb')> {
  try {
    return await import('lmdb');
  } catch (error) {
    throw storeError('missing-module', path, 'the package lmdb cannot be loaded: npm install lmdb', error);
  }
}

function createEnvironment(
  path: string,
  isReadOnly: boolean,
  root: RootDatabase<Buffer, Buffer>,
  tables: Environment['tables'],
): Environment {
  return {
    path,
    isReadOnly,
    tables,
    refresh: createRefresh(root),
    write(action) {
      if (isReadOnly) throw storeError('read-only', path, 'is open for reading only');
      try {
        return root.transactionSync(action);
      } catch (error) {
        throw explain(path, error);
      } finally {
        commits++;
      }
    },
    read(action) {
      try {
        return action();
      } catch (error) {
        throw explain(path, error);
      }
    },
    close: () => root.close(),
  };
}

/** How many transactions this thread has committed, whatever the store: several environments may have the same path. */
let commits = 0;

/** A snapshot of this many milliseconds may be out of date. */
const MAX_AGE = 1;

/**
 * Makes the `refresh` of an {@link Environment}. The package `lmdb` starts a timer for each new snapshot, so that each query of a
 * long loop would leave one. They all fire after the loop, at the end of the program, where V8 then optimizes Node's timers: one
 * of the ways into nodejs/node#54918.
 */
function createRefresh(root: RootDatabase<Buffer, Buffer>): () => void {
  let isSameTurn = false;
  let seen = commits;
  let time = 0;
  const endTurn = (): void => {
    isSameTurn = false;
  };
  return () => {
    const now = performance.now();
    if (isSameTurn && seen === commits && now - time < MAX_AGE) return;
    root.resetReadTxn();
    if (!isSameTurn) setImmediate(endTurn);
    isSameTurn = true;
    seen = commits;
    time = now;
  };
}

/**
 * Checks what is at a path before LMDB maps it into memory, where a file that is too short would end the process.
 * @returns whether there is a store
 */
function checkFolder(path: string, isReadOnly: boolean): boolean {
  try {
    if (!existsSync(path) && !isReadOnly) return false;
    if (!statSync(path).isDirectory()) throw storeError('not-an-index', path, 'is a file: expected a folder');
    if (existsSync(join(path, DATA))) return checkFile(path, join(path, DATA), isReadOnly);
    if (isReadOnly || readdirSync(path).some((name) => name !== LOCK))
      throw storeError('not-an-index', path, 'the folder holds no index (no data.mdb)');
    return false;
  } catch (error) {
    throw explain(path, error);
  }
}

/** Where the two meta pages of LMDB have what tells whether a file is whole. */
const MAGIC_AT = 24;
const MAGIC = 0xbeefc0de;
const VERSION_AT = 28;
const DATA_VERSION = 2;
const PAGE_SIZE_AT = 48;
const LAST_PAGE_AT = 144;
const MAX_UNWRITTEN = 32;
const ROOTS_AT = [88, 136] as const;
const NO_PAGE = 2n ** 64n - 1n;
const TRANSACTION_AT = 152;
const META_OCTETS = 160;

function checkFile(path: string, file: string, isReadOnly: boolean): boolean {
  const fd = openSync(file, 'r');
  try {
    const { size } = fstatSync(fd);
    // A writer that was killed before its first transaction leaves an empty file.
    if (size === 0 && !isReadOnly) return false;
    const first = readMeta(fd, 0);
    if (first.length < META_OCTETS) throw storeError('truncated', path, `data.mdb has only ${size} octets`);
    if (first.readUInt32LE(MAGIC_AT) !== MAGIC) throw storeError('not-an-index', path, 'data.mdb is not an LMDB file');
    const version = first.readUInt32LE(VERSION_AT) & 0xffff;
    if (version !== DATA_VERSION)
      throw storeError('other-version', path, `expected LMDB data format ${DATA_VERSION}, got ${version}`);
    const pageSize = first.readUInt32LE(PAGE_SIZE_AT);
    const second = readMeta(fd, pageSize);
    const metas = [first, second].filter(
      (meta) => meta.length === META_OCTETS && meta.readUInt32LE(MAGIC_AT) === MAGIC,
    );
    const newest = metas.reduce((a, b) =>
      b.readBigUInt64LE(TRANSACTION_AT) > a.readBigUInt64LE(TRANSACTION_AT) ? b : a,
    );
    // The last pages may be free ones that were never written, but not most; the roots of the tables are there in any case.
    const pages = Number(newest.readBigUInt64LE(LAST_PAGE_AT)) + 1;
    if (size / pageSize < pages / 2 - MAX_UNWRITTEN)
      throw storeError('truncated', path, `data.mdb: expected about ${pages * pageSize} octets, got ${size}`);
    for (const at of ROOTS_AT) {
      const page = newest.readBigUInt64LE(at);
      const wanted = (page + 1n) * BigInt(pageSize);
      if (page !== NO_PAGE && BigInt(size) < wanted)
        throw storeError('truncated', path, `data.mdb: expected at least ${wanted} octets, got ${size}`);
    }
    return true;
  } finally {
    closeSync(fd);
  }
}

function readMeta(fd: number, at: number): Buffer {
  const octets = Buffer.alloc(META_OCTETS);
  return octets.subarray(0, readSync(fd, octets, 0, META_OCTETS, at));
}

/** Throws unless the tables are those of a store, or there are none yet. */
function assertTables(path: string, root: RootDatabase<Buffer, Buffer>, isReadOnly: boolean): void {
  // The package writes names with a NUL at their end.
  const names = [...root.getKeys()].map((name) => name.toString().replace(/\0$/, ''));
  const foreign = names.find((name) => !(TABLES as readonly string[]).includes(name));
  if (foreign !== undefined)
    throw storeError(
      'not-an-index',
      path,
      `an LMDB environment of something else (with a table ${JSON.stringify(foreign)})`,
    );
  if (isReadOnly && names.length < TABLES.length)
    throw storeError('not-an-index', path, 'an LMDB environment without the tables of an index');
}

/** Gives an error of LMDB or of the system a code of ours. */
function explain(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || hasCode(error)) return error;
  const { code, message } = error as NodeJS.ErrnoException & { code?: string | number };
  const known = CAUSES[String(code)];
  if (known !== undefined) return storeError(known[0], path, known[1], error);
  return code === undefined ? error : storeError('unavailable', path, message, error);
}

const NO_SPACE: Cause = ['no-space', 'no room on the disk: nothing of this transaction was written'];
const NO_PERMISSION: Cause = ['no-permission', 'permission denied'];
const READ_ONLY: Cause = ['read-only', 'the file system is read-only'];
const DAMAGED: Cause = ['damaged', 'the file of LMDB is damaged'];

type Cause = readonly [StoreError['code'], string];

/** By the codes of the system, as names and as numbers (of Linux and macOS), and those of LMDB. */
const CAUSES: Readonly<Record<string, Cause>> = {
  ENOENT: ['not-found', 'no such folder'],
  ENOTDIR: ['not-found', 'no such folder'],
  ENOSPC: NO_SPACE,
  28: NO_SPACE,
  27: ['no-space', 'the file would be larger than the system allows: nothing of this transaction was written'],
  69: NO_SPACE,
  122: NO_SPACE,
  EACCES: NO_PERMISSION,
  EPERM: NO_PERMISSION,
  13: NO_PERMISSION,
  1: NO_PERMISSION,
  EROFS: READ_ONLY,
  30: READ_ONLY,
  '-30797': DAMAGED,
  '-30796': DAMAGED,
  '-30793': ['not-an-index', 'data.mdb is not an LMDB file'],
  '-30794': ['other-version', 'another data format of LMDB'],
};

/** The record `layout` or another of the table `meta`, as text. */
export function readMetaText({ tables }: Pick<Environment, 'tables'>, name: keyof typeof META): string | undefined {
  return tables.meta.getBinary(META[name])?.toString('latin1');
}

/** What is committed now, or what the transaction in work has written. */
export function readState({ path, tables }: Pick<Environment, 'path' | 'tables'>): State {
  const state = decodeState(tables.meta.getBinary(META.state));
  if (state === undefined) throw damaged(path, 'the record of its state is damaged');
  return state;
}

/** The error of a store whose content does not agree with itself. */
export function damaged(path: string, message: string): StoreError {
  return storeError('damaged', path, `${message}: index verify lists what is wrong`);
}
