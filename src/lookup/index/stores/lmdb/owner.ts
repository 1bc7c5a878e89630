import { hostname } from 'node:os';
import { hasEnded, machine, startOf } from '../../process.ts';
import { storeError } from '../errors.ts';
import type { Environment } from './environment.ts';
import { META } from './format.ts';

/** Who writes to a store: the record `writer` of the table `meta`, as JSON. */
interface Writer {
  readonly pid: number;
  /** When the process started, in the system's own unit. */
  readonly start: string;
  readonly host: string;
  /** The machine and its space of process numbers. */
  readonly machine: string;
  /** Distinguishes two openings by one process. */
  readonly token: string;
  /** When it was opened. */
  readonly since: string;
}

/** Makes this process the one that writes to a store. */
export interface Ownership {
  /** Throws `locked` if somebody else has become the writer; called in each transaction. */
  assert(): void;
  /** Releases it. */
  release(): void;
}

/**
 * Becomes the writer of a store.
 * @param takeOver - even if a process of another machine is: one that has ended cannot be told from one that has not
 * @throws a `StoreError` `locked` that names the holder
 */
export function acquire(environment: Environment, takeOver: boolean): Ownership {
  const { path, tables, write } = environment;
  const mine: Writer = {
    pid: process.pid,
    start: startOf(process.pid),
    host: hostname(),
    machine: machine(),
    token: `${Date.now()}-${Math.random()}`,
    since: new Date().toISOString(),
  };
  const read = (): Writer | undefined => {
    const octets = tables.meta.getBinary(META.writer);
    return octets === undefined ? undefined : (JSON.parse(octets.toString()) as Writer);
  };
  const assertFree = (): void => {
    const holder = read();
    if (holder !== undefined && isAlive(holder, takeOver)) throw locked(path, holder);
  };
  environment.refresh();
  // Before the transaction, too, which would wait for one of the holder.
  assertFree();
  write(() => {
    assertFree();
    tables.meta.putSync(META.writer, Buffer.from(JSON.stringify(mine)));
  });
  return {
    assert() {
      const holder = read();
      if (holder?.token !== mine.token) throw locked(path, holder);
    },
    release() {
      write(() => {
        if (read()?.token === mine.token) tables.meta.removeSync(META.writer);
      });
    },
  };
}

function isAlive(holder: Writer, takeOver: boolean): boolean {
  if (holder.machine !== machine()) return !takeOver;
  return !hasEnded(holder.pid, holder.start);
}

function locked(path: string, holder: Writer | undefined): Error {
  const who =
    holder === undefined
      ? 'another process has taken over'
      : `process ${holder.pid} on ${holder.host} has been writing to it since ${holder.since}`;
  return storeError('locked', path, `${who}; only one process can write at a time, others can read`);
}
