import { linkSync, readFileSync, renameSync, unlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { hasEnded, machine, startOf } from '../../../common/process.ts';
import { storeError } from '../store-errors.ts';
import { attempt } from './folder-errors.ts';
import { writeWhole } from './manifest.ts';

interface Writer {
  readonly pid: number;
  /** The start time of the process, in the system's own unit. */
  readonly start: string;
  readonly host: string;
  readonly machine: string;
  /** Distinguishes two openings by one process. */
  readonly token: string;
  readonly since: string;
}

export type Ownership = ReturnType<typeof acquire>;

export const WRITER = 'writer';

/** The tokens of openings that have ended, but whose file could not be removed. */
const released = new Set<string>();

/**
 * Becomes the writer of a store, or throws `locked`. The state of a process of another machine cannot be checked from
 * here: only `takeOver` replaces such a writer.
 */
export function acquire(folder: string, takeOver: boolean) {
  const path = join(folder, WRITER);
  const mine: Writer = {
    pid: process.pid,
    start: startOf(process.pid),
    host: hostname(),
    machine: machine(),
    token: `${process.pid}-${Date.now()}-${Math.random()}`,
    since: new Date().toISOString(),
  };
  try {
    while (!create(path, mine)) {
      const holder = read(path);
      if (holder === undefined) continue;
      if (isAlive(holder, takeOver)) throw locked(folder, holder);
      if (!remove(path, holder, mine.token)) throw locked(folder, read(path));
    }
  } catch (error) {
    released.add(mine.token);
    throw error;
  }
  const isMine = (): boolean => read(path)?.token === mine.token;
  return {
    isMine,
    assert(): void {
      const holder = read(path);
      if (holder?.token !== mine.token) throw locked(folder, holder);
    },
    release(): void {
      released.add(mine.token);
      if (isMine()) unlinkSync(path);
      released.delete(mine.token);
    },
  };
}

function create(path: string, writer: Writer): boolean {
  const own = `${path}.${writer.token}`;
  writeWhole(own, Buffer.from(JSON.stringify(writer)));
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    attempt(() => unlinkSync(own));
  }
}

function read(path: string): Writer | undefined {
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as Writer | null) ?? NOBODY;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (error instanceof SyntaxError) return NOBODY;
    throw error;
  }
}

const NOBODY: Writer = { pid: 0, start: '', host: 'unknown', machine: '', token: '', since: 'unknown' };

/** Removes the file of a holder that has ended; returns false if another process was faster. */
function remove(path: string, holder: Writer, token: string): boolean {
  const aside = `${path}.${token}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    throw error;
  }
  const isSame = read(aside)?.token === holder.token;
  try {
    // Another process has become the writer since.
    if (!isSame) linkSync(aside, path);
  } finally {
    attempt(() => unlinkSync(aside));
  }
  return isSame;
}

function isAlive(holder: Writer, takeOver: boolean): boolean {
  if (holder.machine !== machine()) return !takeOver;
  return !released.has(holder.token) && !hasEnded(holder.pid, holder.start);
}

function locked(path: string, holder: Writer | undefined): Error {
  const who =
    holder === undefined
      ? 'another process has taken over'
      : `process ${holder.pid} on ${holder.host} has been writing to it since ${holder.since}`;
  return storeError('locked', path, `${who}; only one process can write at a time, others can read`);
}
