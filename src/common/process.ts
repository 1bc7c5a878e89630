import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

let machineName: string | undefined;

/** Returns a name for the machine and its PID namespace: a container has its own. */
export function machine(): string {
  machineName ??= createHash('sha256')
    .update([hostname(), optional(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')), space()].join('\n'))
    .digest('hex')
    .slice(0, 8);
  return machineName;
}

function space(): string {
  return optional(() => readlinkSync('/proc/self/ns/pid'));
}

/** Returns the start time of a process in the system's own unit, or 0 if the system does not report it. */
export function startOf(pid: number): string {
  return statOf(pid)[19] || '0';
}

/** Returns what Linux reports about a process, from its state on: the name before it may contain any characters. */
function statOf(pid: number): readonly string[] {
  return optional(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
    .split(') ')
    .at(-1)!
    .split(' ');
}

/** Tests whether a process of this machine has ended. Its number may have been reused since. */
export function hasEnded(pid: number, start: string): boolean {
  if (pid === process.pid) return start !== startOf(pid);
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  const stat = statOf(pid);
  const now = stat[19] || '0';
  // A zombie has ended; its parent has not read the exit status yet.
  return stat[0] === 'Z' || (now !== '0' && start !== '0' && now !== start);
}

function optional(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
