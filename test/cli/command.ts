import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, openSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import '../built.ts';
import { exitCodeOf, PROCESS_TIMEOUT } from '../process.ts';

/** The command as it is installed. */
export const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  readonly stdin?: string | Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** The codes of the errors of all writes to stdout and stderr. Default: none, and what is written is kept. */
  readonly broken?: { readonly stdout?: 'EPIPE' | 'ENOSPC'; readonly stderr?: 'EPIPE' | 'ENOSPC' };
  /** True if stderr has the warning of short documents. Default: false, since those of most tests are short. */
  readonly keepsShort?: boolean;
}

const withoutShort = (stderr: string): string => stderr.replace(/^simhash-doc: .*fewer than \d+ tokens: .*\n/m, '');

export interface ProcessSurroundings extends Surroundings {
  readonly node?: readonly string[];
}

/**
 * Arguments of Node with which it prints the peak of its memory at its exit, in KiB, on stderr. On Linux, `maxRSS` is at least that
 * of the process that started it; its file in /proc is not.
 */
export const PRINT_PEAK = imports(`import { readFileSync } from 'node:fs';
process.on('exit', () => {
  let kilobytes = process.resourceUsage().maxRSS;
  try { kilobytes = /^VmHWM:\\s+(\\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]; } catch {}
  console.error(kilobytes);
});`);

/** Arguments of Node with which imports of packages with this beginning fail. */
export function withoutPackages(start: string): string[] {
  return withHooks(`export async function resolve(name, context, next) {
  if (name.startsWith(${JSON.stringify(start)})) throw Object.assign(new Error(name), { code: 'ERR_MODULE_NOT_FOUND' });
  return next(name, context);
}`);
}

/** Arguments of Node with which it loads modules by these hooks. */
export function withHooks(hooks: string): string[] {
  return imports(`import { register } from 'node:module'; register(${JSON.stringify(dataUrl(hooks))});`);
}

export function imports(code: string): string[] {
  return ['--import', dataUrl(code)];
}

function dataUrl(code: string): string {
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

const { dispatch } = (await import(new URL('../../dist/cli/dispatch.js', import.meta.url).href)) as {
  dispatch(argv: readonly string[]): Promise<number>;
};

/** Variables that would change the output of the command. */
const UNSET = ['FORCE_COLOR', 'NO_COLOR', 'NODE_OPTIONS'];

/** The streams and the environment belong to one run at a time. */
let previous: Promise<unknown> = Promise.resolve();

/**
 * Runs the command in this process, which saves starting another one. For what belongs to a process (its memory, its
 * exit, arguments of Node) there is {@link runProcess}.
 */
export function run(args: readonly string[], surroundings: Surroundings = {}): Promise<Run> {
  const result = previous.then(() => runHere(args, surroundings));
  previous = result.catch(() => {});
  return result;
}

/** Runs a command that succeeds without a message; returns what it prints. */
export async function stdoutOf(args: readonly string[], surroundings?: Surroundings): Promise<string> {
  const { stdout, ...rest } = await run(args, surroundings);
  expect(rest).toEqual({ code: 0, stderr: '' });
  return stdout;
}

export async function jsonOf(args: readonly string[], surroundings?: Surroundings): Promise<Record<string, unknown>[]> {
  return jsonLines(await stdoutOf(args, surroundings));
}

export const success = (stdout: string): Run => ({ code: 0, stdout, stderr: '' });

async function runHere(args: readonly string[], surroundings: Surroundings): Promise<Run> {
  const { stdin = '', env = {}, cwd, broken = {}, keepsShort } = surroundings;
  const [stdout, stderr] = [createSink(broken.stdout), createSink(broken.stderr)];
  const undo = [
    replaceStream('stdin', createStdin(stdin)),
    replaceStream('stdout', stdout.stream),
    replaceStream('stderr', stderr.stream),
    replaceEnvironment(env),
    replaceFolder(cwd),
  ];
  try {
    const code = await dispatch(args);
    return { code, stdout: stdout.text(), stderr: keepsShort ? stderr.text() : withoutShort(stderr.text()) };
  } finally {
    for (const each of undo) each();
  }
}

/** A stream that keeps its output, or fails as those of the process do, which are not destroyed. */
function createSink(code?: string) {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    autoDestroy: code === undefined,
    write(chunk: Buffer, _, done) {
      if (code === undefined) chunks.push(chunk);
      done(code !== undefined && chunk.length > 0 ? Object.assign(new Error(`write ${code}`), { code }) : null);
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') };
}

function createStdin(stdin: NonNullable<Surroundings['stdin']>): Readable {
  return Object.assign(Readable.from(chunksOf(stdin)), { fd: pipeOnStdin });
}

async function* chunksOf(stdin: NonNullable<Surroundings['stdin']>): AsyncGenerator<Buffer> {
  const chunks = typeof stdin === 'string' || stdin instanceof Uint8Array ? [stdin] : stdin;
  for await (const chunk of chunks) if (chunk.length > 0) yield Buffer.from(chunk as Uint8Array);
}

/** The descriptor of something that is not a folder, as that of stdin. */
const pipeOnStdin = openSync(devNull, 'r');

function replaceStream(name: 'stdin' | 'stdout' | 'stderr', stream: Readable | Writable): () => void {
  const before = Object.getOwnPropertyDescriptor(process, name)!;
  Object.defineProperty(process, name, { configurable: true, value: stream });
  return () => Object.defineProperty(process, name, before);
}

function replaceEnvironment(env: NodeJS.ProcessEnv): () => void {
  const names = [...UNSET, ...Object.keys(env)];
  const before = new Map(names.map((name) => [name, process.env[name]]));
  for (const name of UNSET) delete process.env[name];
  Object.assign(process.env, env);
  return () => {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  };
}

function replaceFolder(cwd: string | undefined): () => void {
  const before = process.cwd();
  if (cwd !== undefined) process.chdir(cwd);
  return () => process.chdir(before);
}

/** Runs the command in a process of its own and waits for its end. Rejects if it crashes or hangs. */
export async function runProcess(args: readonly string[], surroundings: ProcessSurroundings = {}): Promise<Run> {
  const { stdin = '', env = {}, cwd, node = [] } = surroundings;
  const { FORCE_COLOR: _force, NO_COLOR: _none, NODE_OPTIONS: _options, ...inherited } = process.env;
  const child = spawn(process.execPath, [...node, MAIN, ...args], {
    cwd,
    env: { ...inherited, ...env },
    timeout: PROCESS_TIMEOUT,
  });
  const ended = outcomeOf(child);
  // A command that needs no stdin may end before it is written.
  await pipeline(Readable.from(chunksOf(stdin)), child.stdin).catch(() => {});
  return ended;
}

/** Runs a line of shell, in which `"$@"` is the command with its arguments. */
export async function shell(line: string, args: readonly string[], cwd: string): Promise<Run> {
  return outcomeOf(spawn('sh', ['-c', line, 'sh', process.execPath, MAIN, ...args], { cwd, timeout: PROCESS_TIMEOUT }));
}

async function outcomeOf(child: ChildProcessByStdio<Writable | null, Readable, Readable>): Promise<Run> {
  const [code, stdout, stderr] = await Promise.all([exitCodeOf(child), text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr: withoutShort(stderr) };
}

/** Makes a folder with these files, which is removed after all tests. */
export function folder(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const path = mkdtempSync(join(tmpdir(), 'simhash-doc-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), content);
  }
  return path;
}

/** Writes a number in letters, for words that do not differ in numbers. */
export const lettersOf = (n: number): string => `${n}`.replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!);

export const wordsOf = (seed: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${seed}${lettersOf(i)}`);

/** Defines tests that a command rejects arguments, with a message and the way to its help. */
export function testWrongUsage(
  command: string,
  mistakes: readonly (readonly [args: readonly string[], message: string])[],
  cwd?: string,
): void {
  test.each(mistakes)(`${command} rejects wrong usage: %j`, async (args, message) => {
    const { code, stdout, stderr } = await run([command, ...args], cwd === undefined ? {} : { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).toMatch(new RegExp(`^Try: simhash-doc ${command}(?: [a-z]+)? --help$`, 'm'));
  });
}

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
export async function runOnTerminal(args: readonly string[], cwd: string): Promise<Run> {
  const script = `
import os, pty, sys
status = pty.spawn(sys.argv[1:], lambda fd: os.read(fd, 65536), lambda fd: b'')
sys.exit(os.waitstatus_to_exitcode(status))`;
  const child = spawn('python3', ['-c', script, process.execPath, MAIN, ...args], {
    cwd,
    timeout: PROCESS_TIMEOUT,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A dumb terminal gets no progress line, which would depend on the load of the machine.
    env: { ...process.env, NO_COLOR: '1', TERM: 'dumb' },
  });
  const { stdout, ...rest } = await outcomeOf(child);
  return { ...rest, stdout: stdout.replaceAll('\r\n', '\n') };
}
