import { randomBytes } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { hasEnded, machine, startOf } from './process.ts';

/** `.simhash-doc-MACHINE-PID-START-RANDOM.tmp`, which identifies the writer. */
const NAME = /^\.simhash-doc-([0-9a-f]{8})-(\d+)-(\d+)-[0-9a-f]{12}\.tmp$/;

/** The age in milliseconds, a day, from which on a temporary file of another machine is abandoned. */
const MAX_AGE = 24 * 60 * 60 * 1000;

export function temporaryName(): string {
  return `.simhash-doc-${machine()}-${process.pid}-${startOf(process.pid)}-${randomBytes(6).toString('hex')}.tmp`;
}

export function isTemporary(path: string): boolean {
  return NAME.test(basename(path));
}

export async function removeStale(folder: string): Promise<void> {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    // A folder may be written to without permission to list it.
    return;
  }
  for (const name of names) {
    const match = NAME.exec(name);
    if (match === null) continue;
    const path = join(folder, name);
    const [, its, pid, start] = match;
    const isStale = its === machine() ? hasEnded(Number(pid), start!) : isOld(path);
    // One that cannot be removed stays: it is no reason not to write.
    if (isStale) await rm(path, { force: true }).catch(() => {});
  }
}

function isOld(path: string): boolean {
  try {
    return Date.now() - statSync(path).mtimeMs > MAX_AGE;
  } catch {
    // Another process has removed it.
    return false;
  }
}
