import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The time between two attempts to take a lock, in milliseconds. */
const INTERVAL = 200;

/**
 * Does work that one process does at a time, also among the processes of another suite. The thread waits.
 * @param path - the file that names the process; that of a process that has ended is ignored
 * @param work - done under the lock
 * @returns what `work` returns
 */
export function withLock<T>(path: string, work: () => T): T {
  while (!takeLock(path)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, INTERVAL);
  try {
    return work();
  } finally {
    rmSync(path, { force: true });
  }
}

function takeLock(path: string): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${process.pid}`, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
    if (!isHeld(path)) rmSync(path, { force: true });
    return false;
  }
}

function isHeld(path: string): boolean {
  try {
    const holder = Number(readFileSync(path, 'utf8'));
    // (Not written yet: 0.)
    if (holder > 0) process.kill(holder, 0);
    return true;
  } catch {
    return false;
  }
}
