import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** `.simhash-doc-MACHINE-PID-START-RANDOM.tmp`: who writes it. */
const NAME = /^\.simhash-doc-([0-9a-f]{8})-(\d+)-(\d+)-[0-9a-f]{12}\.tmp$/;

/** A temporary file of another machine is abandoned if it was not written to for so long: a day, in milliseconds. */
const MAX_AGE = 24 * 60 * 60 * 1000;

/** A name for a temporary file that tells who writes it. */
export function temporaryName(): string {
  return `.simhash-doc-${machine()}-${process.pid}-${startOf(process.pid)}-${randomBytes(6).toString('hex')}.tmp`;
}

/** Removes the temporary files in a folder that writers left behind when they were killed. */
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
    if (isStale) await rm(path, { force: true });
  }
}

/** Whether a process of this machine has ended; its number may have been given to another one since. */
function hasEnded(pid: number, start: string): boolean {
  if (pid === process.pid) return start !== startOf(pid);
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  const now = startOf(pid);
  return now !== '0' && start !== '0' && now !== start;
}

function isOld(path: string): boolean {
  try {
    return Date.now() - statSync(path).mtimeMs > MAX_AGE;
  } catch {
    // Somebody else has removed it.
    return false;
  }
}

let machineName: string | undefined;

/** A name for the machine and its space of process numbers, of which a container has its own. */
function machine(): string {
  machineName ??= createHash('sha256')
    .update([hostname(), optional(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')), space()].join('\n'))
    .digest('hex')
    .slice(0, 8);
  return machineName;
}

function space(): string {
  return optional(() => readlinkSync('/proc/self/ns/pid'));
}

/** When a process started, in the system's own unit, or 0 where the system does not tell. */
function startOf(pid: number): string {
  // The name of the program, in brackets, may contain anything; the start is the 20th field behind it.
  return optional(() => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[19]!) || '0';
}

/** What only some systems have. */
function optional(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
