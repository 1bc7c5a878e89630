import { type ChildProcess, type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { once } from 'node:events';

/** The timeout of a process of a test in milliseconds: less than that of the test, which does not say what was late. */
export const PROCESS_TIMEOUT = 200_000;

/**
 * Node, for programs that use the library and whose exit must not hang: that of Node 20 may (nodejs/node#54918, and CONTRIBUTING.md,
 * "Node 20"), unless the heap is large from the start.
 */
export const NODE: readonly string[] =
  Number.parseInt(process.versions.node, 10) < 22
    ? [process.execPath, '--initial-old-space-size=64']
    : [process.execPath];

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
      else reject(new Error(`${nameOf(child)}: ${endOf(signal, child.killed)}`));
    });
  });
}

/**
 * Kills a process, and waits for its end.
 * @throws (rejects) if it had ended by itself, and not with exit code 0
 */
export async function kill(child: ChildProcess): Promise<void> {
  if (isRunning(child)) {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
  const { exitCode, signalCode } = child;
  if (exitCode !== 0 && signalCode !== 'SIGKILL')
    throw new Error(`${nameOf(child)}: ${exitCode === null ? endOf(signalCode, false) : `exit ${exitCode}`}`);
}

/** Tests whether a process has not ended yet, whichever way. */
export function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/** A process that ended: how, and what it printed before. */
export interface Ended {
  /**
   * `exit 0` or another code; `crashed (SIGSEGV)` or another signal; `timed out`, or `hung at its exit` if its last line was
   * complete.
   */
  readonly end: string;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options of a process. */
export interface EndOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** In milliseconds. */
  readonly timeout?: number;
}

/** Runs a program that may crash or hang. */
export function runToEnd([program, ...args]: readonly string[], options: EndOptions = {}): Ended {
  const result: SpawnSyncReturns<string> = spawnSync(program!, args, {
    timeout: PROCESS_TIMEOUT,
    ...options,
    encoding: 'utf8',
    killSignal: 'SIGKILL',
  });
  const { status, signal, stdout, stderr, error } = result;
  if (error !== undefined && !('code' in error && error.code === 'ETIMEDOUT')) throw error;
  if (status !== null) return { end: `exit ${status}`, stdout, stderr };
  const isLate = error !== undefined;
  return { end: isLate && stdout.endsWith('\n') ? 'hung at its exit' : endOf(signal, isLate), stdout, stderr };
}

/**
 * Runs a program, and returns what it prints.
 * @throws unless it exits with code 0
 */
export function outputOf(command: readonly string[], options?: EndOptions): string {
  const { end, stdout, stderr } = runToEnd(command, options);
  if (end !== 'exit 0') throw new Error(`${command.join(' ').slice(0, 500)}: ${end}\n${stdout}${stderr}`);
  return stdout;
}

function endOf(signal: NodeJS.Signals | null, isLate: boolean): string {
  return isLate ? 'timed out' : `crashed (${signal})`;
}

function nameOf(child: ChildProcess): string {
  return child.spawnargs.join(' ').slice(0, 500);
}
