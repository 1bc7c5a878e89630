import { describeSystemError } from '../../common/system-error.ts';
import { escapeControls, escapeUnits, printable, UNSEEN } from '../../common/text.ts';
import type { Paint } from '../../conformance/report/printable-text.ts';
import { FAILED } from '../command.ts';

/** The sequences of {@link styleFor}: the only ones that a terminal gets. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: styles begin with one.
const STYLE = /(\x1b\[(?:1|2|22|31|32|39)m)/;

const forTerminal = (text: string): string => escapeControls(text, '\n\t');

let pending = '';
let flushing: ReturnType<typeof setImmediate> | undefined;
const MAX_PENDING = 1 << 16;
/** The result of functions that print, if there is room for more. */
export const ROOM = Promise.resolve();

/** Prints text with styles of {@link styleFor}. Text from documents and adapters in it must be {@link printable} or escaped. */
export function printStyled(text: string): Promise<void> {
  if (process.stdout.isTTY !== true) return print(text);
  void flushOutput();
  // Every second part is a style.
  return write(
    text
      .split(STYLE)
      .map((part, index) => (index % 2 === 1 ? part : forTerminal(part)))
      .join(''),
  );
}

/** Writes results to stdout, without styles, all of a turn of the event loop together. Resolves when there is room for more. */
export function print(output: string | Uint8Array): Promise<void> {
  if (isOutputLost()) return ROOM;
  const isTerminal = process.stdout.isTTY === true;
  if (typeof output !== 'string' || isTerminal) {
    void flushOutput();
    if (!isTerminal) return write(output);
    return write(forTerminal(typeof output === 'string' ? output : new TextDecoder().decode(output)));
  }
  pending += output;
  if (pending.length >= MAX_PENDING) return flushOutput();
  flushing ??= setImmediate(() => void flushOutput());
  return drains.get(process.stdout)?.promise ?? ROOM;
}

function flushOutput(): Promise<void> {
  clearImmediate(flushing);
  flushing = undefined;
  if (pending === '') return ROOM;
  const output = pending;
  pending = '';
  return write(output);
}

function write(output: string | Uint8Array): Promise<void> {
  const { stdout } = process;
  if (isOutputLost() || stdout.write(output)) return ROOM;
  // One listener for all waiting callers.
  const known = drains.get(stdout);
  if (known !== undefined) return known.promise;
  let release = (): void => {};
  const promise = new Promise<void>((resolve) => {
    release = resolve;
    stdout.once('drain', resolve);
  }).then(() => void drains.delete(stdout));
  drains.set(stdout, { promise, release });
  return promise;
}

const drains = new WeakMap<NodeJS.WriteStream, { readonly promise: Promise<void>; readonly release: () => void }>();

const lost = new WeakMap<NodeJS.WriteStream, NodeJS.ErrnoException>();

export function isOutputLost(): boolean {
  return lost.has(process.stdout);
}

export function printJson(value: unknown): Promise<void> {
  return print(asJsonLine(value));
}

/** A line of JSON for stdout. On a terminal, escapes of JSON stand for its control characters. */
export function asJsonLine(value: unknown): string {
  const json = JSON.stringify(value);
  return `${process.stdout.isTTY ? escapeUnits(json, UNSEEN) : json}\n`;
}

/** Writes a message for a person to stderr. Control characters are always escaped, also for a pipe or a file. */
export function warn(message: string): void {
  void flushOutput();
  process.stderr.write(`simhash-doc: ${escapeControls(message, '\n', UNSEEN)}\n`);
}

/**
 * Runs an action that prints, and waits until its output is written. The exit code does not depend on who reads: once the reader
 * of stdout has ended, such as `head`, the action goes on without output. It also does so if stdout cannot be written to, which
 * is reported. A closed stderr is ignored.
 * @returns the exit code of the action; of a failure if stdout could not be written to
 */
export async function withOutput(action: () => Promise<number>): Promise<number> {
  const { stdout, stderr } = process;
  const ignore = (): void => {};
  const onError = (error: NodeJS.ErrnoException): void => {
    if (lost.has(stdout)) return;
    lost.set(stdout, error);
    drains.get(stdout)?.release();
    if (!isClosed(error)) warn(`cannot write to standard output: ${describeSystemError(error, NO_SPACE)}`);
  };
  stderr.on('error', ignore);
  stdout.on('error', onError);
  const code = await action();
  void flushOutput();
  // Its callback comes after all that was written before. After an error, the event follows.
  if (!isOutputLost())
    await new Promise<void>((resolve) => stdout.write('', (error) => (error ? setImmediate(resolve) : resolve())));
  const error = lost.get(stdout);
  return error === undefined || isClosed(error) ? code : FAILED;
}

const NO_SPACE = { ENOSPC: 'no space left on the device' };

const isClosed = ({ code }: NodeJS.ErrnoException): boolean => code === 'EPIPE' || code === 'ECONNRESET';

/** A line with a path at its end, escaped as in GNU coreutils: a line with an escape begins with a backslash. */
export function lineWithPath(start: string, path: string): string {
  // A program that reads the line gets the name itself.
  if (process.stdout.isTTY) return `${start}${printable(path)}\n`;
  const escaped = path.replace(/[\\\n\r]/g, (character) => ({ '\n': '\\n', '\r': '\\r' })[character] ?? '\\\\');
  return `${escaped === path ? '' : '\\'}${start}${escaped}\n`;
}

export type TerminalStyle = Paint;

/** Chooses colours: by FORCE_COLOR, none with NO_COLOR (https://no-color.org/), else only on a terminal. */
export function styleFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): TerminalStyle {
  const { FORCE_COLOR: force, NO_COLOR, TERM } = env;
  const coloured =
    force !== undefined && force !== ''
      ? force !== '0' && force !== 'false'
      : !NO_COLOR && stream.isTTY === true && TERM !== 'dumb';
  const sgr = (on: number, off: number) => (text: string) => (coloured ? `\x1b[${on}m${text}\x1b[${off}m` : text);
  return { strong: sgr(1, 22), faint: sgr(2, 22), good: sgr(32, 39), bad: sgr(31, 39) };
}

export function columns(): number {
  const { COLUMNS } = process.env;
  return process.stdout.columns || Number(COLUMNS) || 80;
}

export function shorten(text: string, length: number): string {
  const max = Math.max(8, length);
  // A code point is two units at most.
  const characters = [...text.slice(0, 2 * max + 2)];
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : text;
}
