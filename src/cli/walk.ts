import { type Dirent, readdirSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import { type Failure, failureOf } from './failure.ts';

/** What the path of a document stands for stdin. */
export const STDIN = '-';

/** One document that a walk came to, or the reason why there is none. */
export interface Entry {
  readonly path: string;
  /** Whether it was found in a folder, and not named by the caller: then it must be a regular file. */
  readonly found: boolean;
  readonly failure?: Failure;
}

/**
 * Goes through files and folders. What is in a folder comes in the order of the names (by their 16-bit units), folders
 * among the files; so the order is the same everywhere. Symbolic links to files are read; those to folders are
 * followed when they are among `roots` and reported otherwise, so that no circle is walked. Everything that cannot be
 * read is reported in its place. Held at a time: the names in the folders on the way to the current one.
 * @param roots - paths as the caller gave them; `-` is passed on as it is
 */
export function* walk(roots: Iterable<string>): Generator<Entry> {
  for (const root of roots) {
    if (root === STDIN) {
      yield { path: root, found: false };
      continue;
    }
    const isDirectory = attempt(() => statSync(root).isDirectory());
    if (isDirectory.failure !== undefined) yield { path: root, found: false, failure: isDirectory.failure };
    else if (isDirectory.value) yield* walkFolder(root);
    else yield { path: root, found: false };
  }
}

/** Goes through one folder, without recursion: folders are as deep as somebody cares to make them. */
function* walkFolder(root: string): Generator<Entry> {
  const open: { path: string; names: Dirent[]; next: number }[] = [];
  let folder: string | undefined = root;
  while (true) {
    if (folder !== undefined) {
      const path: string = folder;
      const names = attempt(() => readdirSync(path, { withFileTypes: true }).sort(byName));
      if (names.failure !== undefined) yield { path, found: true, failure: names.failure };
      else open.push({ path, names: names.value, next: 0 });
      folder = undefined;
    }
    const top = open.at(-1);
    if (top === undefined) return;
    const child = top.names[top.next++];
    if (child === undefined) {
      open.pop();
      continue;
    }
    const path = top.path.endsWith(sep) || top.path.endsWith('/') ? top.path + child.name : top.path + sep + child.name;
    if (child.isDirectory()) folder = path;
    else yield entryOf(path, child);
  }
}

function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : 1;
}

/** What a walk makes of anything but a folder. */
function entryOf(path: string, child: Dirent): Entry {
  if (child.isFile()) return { path, found: true };
  if (!child.isSymbolicLink()) return { path, found: true, failure: SPECIAL_FILE };
  const target = attempt(() => statSync(path));
  if (target.failure !== undefined) {
    const { code } = target.failure;
    const failure = code === 'not-found' ? { code, message: 'a symbolic link that leads nowhere' } : target.failure;
    return { path, found: true, failure };
  }
  if (target.value.isDirectory()) return { path, found: true, failure: DIRECTORY_LINK };
  return target.value.isFile() ? { path, found: true } : { path, found: true, failure: SPECIAL_FILE };
}

const DIRECTORY_LINK: Failure = {
  code: 'directory-link',
  message: 'a symbolic link to a folder, which is not followed; name it as an argument to read it',
};

/** The failure of a document that was found in a folder and is no regular file. */
export const SPECIAL_FILE: Failure = {
  code: 'special-file',
  message: 'a pipe, socket or device; name it as an argument to read it',
};

function attempt<T>(
  action: () => T,
): { readonly value: T; readonly failure?: undefined } | { readonly failure: Failure } {
  try {
    return { value: action() };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}
