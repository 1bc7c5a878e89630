import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { describeSystemError } from '../../common/system-error.ts';
import type { ExitStatus } from './protocol.ts';

export function describeStartError(error: Error): string {
  const reason = describeSystemError(error, {
    ENOENT: 'no such program',
    EACCES: 'permission denied: the file is not executable (chmod +x)',
    ENOEXEC: 'the file is not a program: a script needs a first line such as #!/usr/bin/env python3',
  });
  return `could not be started: ${reason}`;
}

/** A child process with the processes that it starts: they form a process group. */
export type Child = ReturnType<typeof startChild>;

/** Milliseconds that the output of an exited process may stay open, held by a process that it started. */
const MAX_OPEN_PIPES = 500;
const MAX_STDERR = 4096;

/** Starts a process without a shell. `onEnd` is called once: after its output is read, or if it cannot be started. */
export function startChild(
  command: readonly string[],
  listener: { onOutput(chunk: Buffer): void; onEnd(end: ExitStatus | Error): void },
) {
  const [program, ...args] = command as [string, ...string[]];
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], detached: process.platform !== 'win32' });
  const { pid, stdin, stdout, stderr } = child;
  if (pid !== undefined) enlist(pid);
  const kill = (): void => {
    if (pid !== undefined) killGroup(pid);
  };
  let errors = Buffer.alloc(0);
  let ended = false;
  const end = (how: ExitStatus | Error): void => {
    if (ended) return;
    ended = true;
    kill();
    if (pid !== undefined) running.delete(pid);
    // A process that left the group may keep the pipes; they must not keep this process alive.
    for (const pipe of [stdin, stdout, stderr]) pipe.destroy();
    listener.onEnd(how);
  };
  stderr.on('data', (chunk: Buffer) => {
    errors = Buffer.concat([errors, chunk.subarray(-MAX_STDERR)]).subarray(-MAX_STDERR);
  });
  stdout.on('data', (chunk: Buffer) => listener.onOutput(chunk));
  // A process that needs no more input may close it. Its exit status is more informative than EPIPE.
  stdin.on('error', () => undefined);
  child.on('error', end);
  child.on('exit', (code, signal) => {
    kill();
    // On a busy machine, output may still be unread when the timer fires: setImmediate lets it be read first.
    const timer = setTimeout(() => setImmediate(end, { code, signal }), MAX_OPEN_PIPES);
    child.once('close', () => {
      clearTimeout(timer);
      end({ code, signal });
    });
  });
  return { pid, stdin, stderr: () => errors.toString('utf8').trim(), kill };
}

/** The process groups to kill when this process ends. */
const running = new Set<number>();
let isGuarded = false;

function killGroup(leader: number): void {
  try {
    // A negative number stands for a process group. Windows has no process groups.
    process.kill(process.platform === 'win32' ? leader : -leader, 'SIGKILL');
  } catch {
    // No process of the group is left.
  }
}

function enlist(leader: number): void {
  running.add(leader);
  if (isGuarded) return;
  isGuarded = true;
  const killAll = (): void => {
    for (const each of running) killGroup(each);
  };
  process.once('exit', killAll);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      killAll();
      process.exit(128 + constants.signals[signal]);
    });
}
