import { realpathSync } from 'node:fs';
import { isAbsolute, posix, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pathOf } from '../../../../documents/file-path.ts';
import type { Place } from '../../../../documents/outcome.ts';
import { STDIN } from '../../../../documents/walk.ts';

/** A URL relative to the page, so that the folder of both can be moved; null for standard input and names of no file. */
export function linkTo(place: Place, page: string): string | null {
  if (place.path === STDIN || place.path.includes('\0')) return null;
  if (sep === '\\') {
    const path = relative(resolve(page, '..'), resolve(place.path));
    return isAbsolute(path) ? pathToFileURL(path).href : encode(Buffer.from(path.replaceAll(sep, '/')));
  }
  const folder = posix.dirname(absolute(Buffer.from(page)));
  return encode(Buffer.from(posix.relative(folder, absolute(Buffer.from(pathOf(place)))), 'latin1'));
}

/** An absolute path, one character for each byte. */
function absolute(path: Buffer): string {
  const bytes = path.toString('latin1');
  const from = Buffer.from(process.cwd()).toString('latin1');
  const names = bytes.split('/').filter((name) => name !== '' && name !== '.');
  const isDirect = names.every((name, index) => name !== '..' || names[index - 1] === '..' || index === 0);
  if (isDirect) return posix.resolve(from, bytes);
  // After a symbolic link, `..` is the parent of its target.
  const folder = Buffer.from(posix.dirname(bytes), 'latin1');
  return posix.resolve(from, realPath(folder) ?? posix.dirname(bytes), posix.basename(bytes));
}

function realPath(path: Buffer): string | null {
  try {
    // `realpathSync` resolves `..` in the text of the path.
    return realpathSync.native(path, 'buffer').toString('latin1');
  } catch {
    return null;
  }
}

/** Percent-encodes a path: a colon would begin a scheme, and names need not be UTF-8. */
function encode(path: Uint8Array): string {
  return Array.from(path, (byte) => {
    const character = String.fromCharCode(byte);
    return /[\w.~/-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}
