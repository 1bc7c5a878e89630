import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

/** The command as it is installed. */
export const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

if (!existsSync(MAIN)) throw new Error(`${MAIN} does not exist: run "npm run build" first`);

/** What a run of the command did. */
export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a run may be given besides arguments. */
export interface Surroundings {
  readonly stdin?: string | Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Arguments of Node itself. */
  readonly node?: readonly string[];
  /** Milliseconds after which a run counts as a hang. Default a minute. */
  readonly timeout?: number;
}

/** Runs the command and waits for its end. */
export async function run(args: readonly string[], surroundings: Surroundings = {}): Promise<Run> {
  const { stdin = '', env = {}, cwd, node = [], timeout = 60_000 } = surroundings;
  const { FORCE_COLOR: _force, NO_COLOR: _none, NODE_OPTIONS: _options, ...inherited } = process.env;
  const child = spawn(process.execPath, [...node, MAIN, ...args], {
    cwd,
    env: { ...inherited, ...env },
    timeout,
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (data) => {
    stdout += data;
  });
  child.stderr.setEncoding('utf8').on('data', (data) => {
    stderr += data;
  });
  const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  const chunks = typeof stdin === 'string' || stdin instanceof Uint8Array ? [stdin] : stdin;
  // A command that needs no stdin may end before it is written.
  await pipeline(Readable.from(chunks), child.stdin).catch(() => {});
  return { code: await ended, stdout, stderr };
}

/** Runs a line of shell, in which `"$@"` is the command with its arguments. */
export function shell(line: string, args: readonly string[], cwd: string): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', line, 'sh', process.execPath, MAIN, ...args], { cwd, timeout: 60_000 });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (data) => {
      stdout += data;
    });
    child.stderr.setEncoding('utf8').on('data', (data) => {
      stderr += data;
    });
    child.on('error', reject).on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

const folders: string[] = [];
afterAll(() => {
  for (const path of folders) rmSync(path, { recursive: true, force: true });
});

/** Makes a folder with these files, which is removed after the tests of the file. */
export function folder(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const path = mkdtempSync(join(tmpdir(), 'simhash-doc-'));
  folders.push(path);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), content);
  }
  return path;
}

/** The objects of JSON Lines. */
export function jsonLines(text: string): Record<string, unknown>[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/**
 * Runs the command on a terminal of 80 columns: stdin, stdout and stderr are one pseudo-terminal.
 * @returns its exit code, and everything it wrote to the terminal as stdout
 */
export function runOnTerminal(args: readonly string[], cwd: string): Promise<Run> {
  const script = `
import os, pty, sys
out = []
def read(fd):
    data = os.read(fd, 65536)
    out.append(data)
    return b''
status = pty.spawn(sys.argv[1:], read, lambda fd: b'')
sys.stdout.buffer.write(b''.join(out).replace(b'\\r\\n', b'\\n'))
sys.exit(os.waitstatus_to_exitcode(status))`;
  return new Promise((resolve, reject) => {
    const child = spawn('python3', ['-c', script, process.execPath, MAIN, ...args], {
      cwd,
      timeout: 60_000,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1', TERM: 'xterm' },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (data) => {
      stdout += data;
    });
    child.stderr.setEncoding('utf8').on('data', (data) => {
      stderr += data;
    });
    child.on('error', reject).on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
