import { hexDigits } from '../../common/octets.ts';
/**
 * Writes to stdout what a command found. Resolves when there is room for more, so that a slow reader slows the work down,
 * and a fast one does not make it wait for every line.
 */
export function print(text: string): Promise<void> {
  return new Promise((resolve) => {
    // When it goes wrong, the listener of `guardStreams` ends the process.
    const hasRoom = process.stdout.write(text, (error) => {
      if (!error && !hasRoom) resolve();
    });
    if (hasRoom) resolve();
  });
}

/** Prints one object as a line of JSON. */
export function printJson(value: unknown): Promise<void> {
  return print(`${JSON.stringify(value)}\n`);
}

/** Writes one line for a person to stderr. */
export function warn(message: string): void {
  process.stderr.write(`simhash-doc: ${message}\n`);
}

/**
 * Ends the process quietly when nobody reads stdout any more, and with a message when it cannot be written. Nobody
 * reading stderr is no reason to stop.
 */
export function guardStreams(): void {
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough, such as `head`, is no failure.
    if (error.code === 'EPIPE') process.exit(0);
    warn(`cannot write to standard output: ${error.message}`);
    process.exit(1);
  });
}

/** A path in a message: control characters, line ends among them, are shown and not sent to the terminal. */
export function printable(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about.
  return path.replace(/[\0-\x1f\x7f-\x9f]/g, (character) => {
    const octet = hexDigits(character.charCodeAt(0), 2);
    return `\\x${octet}`;
  });
}

/**
 * A line with a path at its end, as the checksum tools of GNU coreutils write it: a path with a backslash or line end in
 * it is escaped, and a backslash in front of the line says so.
 * @param start - what stands before the path, with the spaces between
 * @param path - the path
 */
export function lineWithPath(start: string, path: string): string {
  // A terminal obeys what is in a name; a program that reads the line wants the name.
  if (process.stdout.isTTY) return `${start}${printable(path)}\n`;
  const escaped = path.replace(/[\\\n\r]/g, (character) => ({ '\n': '\\n', '\r': '\\r' })[character] ?? '\\\\');
  return `${escaped === path ? '' : '\\'}${start}${escaped}\n`;
}

/** Colours for a terminal, or functions that leave the text alone. */
export interface Style {
  strong(text: string): string;
  faint(text: string): string;
  good(text: string): string;
  bad(text: string): string;
}

/**
 * Chooses colours for a stream: those that FORCE_COLOR demands, none where NO_COLOR is set, and else only on a terminal.
 * @param stream - what is written to
 * @param env - the environment
 * @see https://no-color.org/
 */
export function styleFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Style {
  const { FORCE_COLOR: force, NO_COLOR, TERM } = env;
  const coloured =
    force !== undefined && force !== ''
      ? force !== '0' && force !== 'false'
      : !NO_COLOR && stream.isTTY === true && TERM !== 'dumb';
  const sgr = (on: number, off: number) => (text: string) => (coloured ? `\x1b[${on}m${text}\x1b[${off}m` : text);
  return { strong: sgr(1, 22), faint: sgr(2, 22), good: sgr(32, 39), bad: sgr(31, 39) };
}

/** The width of the terminal that stdout is, or 80. */
export function columns(): number {
  const { COLUMNS } = process.env;
  return process.stdout.columns || Number(COLUMNS) || 80;
}

/** Cuts a text that is longer than a number of code points. */
export function shorten(text: string, length: number): string {
  const most = Math.max(8, length);
  // A code point is two units at most.
  const characters = [...text.slice(0, 2 * most + 2)];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text;
}
