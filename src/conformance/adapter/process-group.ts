import { constants } from 'node:os';

/** The process groups that run now: they are ended when this process ends, however it does. */
const running = new Set<number>();
let guarded = false;

/** Ends a process with everything that it started. It has to lead a group of its own (`detached`). */
export function endGroup(pid: number): void {
  try {
    // A negative number is the process group, so that what the adapter started ends with it.
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended already: there is nothing left to end.
  }
}

/** Notes that a process group runs, so that it does not outlive this process. */
export function enlist(pid: number): void {
  running.add(pid);
  if (guarded) return;
  guarded = true;
  const endAll = (): void => {
    for (const each of running) endGroup(each);
  };
  process.once('exit', endAll);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      endAll();
      process.exit(128 + constants.signals[signal]);
    });
}

/** Ends what is left of a process group whose leader has ended, and forgets it. */
export function discharge(pid: number): void {
  endGroup(pid);
  running.delete(pid);
}

/** The last octets of a stream. */
export interface Tail {
  add(chunk: Buffer): void;
  text(): string;
}

/** Makes a {@link Tail} that holds `size` octets. */
export function createTail(size: number): Tail {
  let kept = Buffer.alloc(0);
  return {
    add(chunk) {
      kept = Buffer.concat([kept, chunk.subarray(-size)]).subarray(-size);
    },
    text: () => kept.toString('utf8').trim(),
  };
}
