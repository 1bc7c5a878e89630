import { isUtf8 } from 'node:buffer';

/**
 * A path as text, different for each file: a byte that is not UTF-8 is `\xNN`, and a backslash before an apparent
 * escape is `\x5c`. A `!` after the name of a file is `\x21`: `PATH!NAME` is a document in that file.
 */
export interface FilePath {
  readonly path: string;
  /** The bytes of the path if `path` escapes some of them. */
  readonly raw?: Uint8Array;
}

/** An escape. No other byte of a path is escaped. */
const ESCAPE = /\\x(?:21|5c|[89a-f][0-9a-f])/;
const BACKSLASHES = /\\(?=x(?:21|5c|[89a-f][0-9a-f]))/g;

/** On Windows, a backslash separates names, and every name is text. */
const isText = process.platform === 'win32';

export function pathOf({ path, raw }: FilePath): string | Buffer {
  return raw === undefined ? path : Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
}

/** Returns the path of a file as a caller names it, in which nothing is escaped. */
export function pathFromName(name: string): FilePath {
  if (isText || !ESCAPE.test(name)) return { path: name };
  return { path: name.replace(BACKSLASHES, '\\x5c'), raw: Buffer.from(name) };
}

export function pathFromBytes(bytes: Uint8Array): FilePath {
  if (isUtf8(bytes)) return pathFromName(Buffer.from(bytes).toString());
  let path = '';
  for (let at = 0; at < bytes.length; ) {
    const length = lengthOfCharacter(bytes, at);
    const name = Buffer.from(bytes.subarray(at, at + length)).toString();
    if (length === 0) path += `\\x${bytes[at]!.toString(16)}`;
    else path += name === '\\' && isEscape(bytes, at) ? '\\x5c' : name;
    at += Math.max(length, 1);
  }
  return { path, raw: bytes };
}

export function escapeMarks(file: FilePath, isFile: (start: string) => boolean): FilePath {
  const { path } = file;
  if (isText || !path.includes('!')) return file;
  const escaped = path.replace(/!/g, (mark, at: number) => (isFile(path.slice(0, at)) ? '\\x21' : mark));
  return escaped === path ? file : { path: escaped, raw: Buffer.from(pathOf(file) as Buffer) };
}

export function pathFromShown(path: string): FilePath {
  if (isText || !ESCAPE.test(path)) return { path };
  const parts = path.split(/\\x(21|5c|[89a-f][0-9a-f])/);
  // Every second part is the digits of an escape.
  return { path, raw: Buffer.concat(parts.map((part, index) => Buffer.from(part, index % 2 === 1 ? 'hex' : 'utf8'))) };
}

/** The number of bytes of the character of UTF-8 that begins at a byte; 0 if there is none. */
function lengthOfCharacter(bytes: Uint8Array, at: number): number {
  for (let length = 1; length <= 4 && at + length <= bytes.length; length++)
    if (isUtf8(bytes.subarray(at, at + length))) return length;
  return 0;
}

function isEscape(bytes: Uint8Array, at: number): boolean {
  return ESCAPE.test(Buffer.from(bytes.subarray(at, at + 4)).toString('latin1'));
}
