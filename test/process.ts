import { type ChildProcess, type SpawnSyncReturns, spawnSync } from 'node:child_process';

/**
 * Arguments of Node for programs that use the library and whose exit must not hang: in Node 20 it may (nodejs/node#54918, and
 * README.md, "Node 20"), unless the heap is large from the start.
 */
export const SURE_EXIT: readonly string[] =
  Number.parseInt(process.versions.node, 10) < 22 ? ['--initial-old-space-size=64'] : [];

/**
 * Waits until a process has ended and its output is complete.
 * @returns its exit code
 * @throws (rejects) if it did not exit but crashed or was killed, also by the time limit of `spawn`
 */
export function exitCodeOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code !== null) resolve(code);
      else reject(new Error(`${child.spawnargs.join(' ').slice(0, 500)}: ${endOf(signal, child.killed)}`));
    });
  });
}

/** A process that ended: how, and what it printed before. */
export interface Ended {
  /** `exit 0` or another code; `crashed (SIGSEGV)` or another signal; `timed out`, or `hung at its exit` after all output. */
  readonly end: string;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program that may crash or hang.
 * @param args - those of Node
 * @param isComplete - whether this is all that the program prints
 * @param timeout - in milliseconds
 */
export function runToEnd(args: readonly string[], isComplete: (stdout: string) => boolean, timeout: number): Ended {
  const options = { encoding: 'utf8', timeout, killSignal: 'SIGKILL' } as const;
  const result: SpawnSyncReturns<string> = spawnSync(process.execPath, args, options);
  const { status, signal, stdout, stderr, error } = result;
  if (error !== undefined && !('code' in error && error.code === 'ETIMEDOUT')) throw error;
  if (status !== null) return { end: `exit ${status}`, stdout, stderr };
  const isLate = error !== undefined;
  return { end: isLate && isComplete(stdout) ? 'hung at its exit' : endOf(signal, isLate), stdout, stderr };
}

function endOf(signal: NodeJS.Signals | null, isLate: boolean): string {
  return isLate ? 'timed out' : `crashed (${signal})`;
}
