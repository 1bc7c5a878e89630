import { closeSync, constants, type Dirent, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { type Failure, failureOf } from './failure.ts';
import { escapeMarks, type FilePath, pathFromBytes, pathFromName, pathFromShown, pathOf } from './file-path.ts';

export const STDIN = '-';

export interface FileEntry extends FilePath {
  /** True if it was found in a folder, and not named by the caller: then it must be a regular file. */
  readonly found: boolean;
  readonly isFile?: boolean;
  readonly failure?: Failure;
}

/** The start of a walk: a path as the caller named it, or one that may be escaped. */
export type Root = string | FilePath;

export interface WalkOptions {
  /** True if hidden files, hidden folders and `node_modules` are read. Default: no, unless they are roots. */
  readonly hidden?: boolean;
  readonly onHidden?: ((path: string, isFolder: boolean) => void) | undefined;
}

/**
 * Walks files and folders, each folder in the order of its names (by UTF-16 code units), which is the same everywhere. Links to
 * folders are followed only if they are roots, so that no walk loops. Hidden files, hidden folders and `node_modules` are
 * skipped: people do not manage the copies in `.git` and of packages themselves.
 */
export function* walk(roots: Iterable<Root>, options: WalkOptions = {}): Generator<FileEntry> {
  for (const given of roots) {
    const root = fileOf(given);
    if (root.path === STDIN) {
      yield { ...root, found: false };
      continue;
    }
    const stat = attempt(() => statSync(pathOf(root)));
    if (stat.failure !== undefined) yield { ...root, found: false, failure: stat.failure };
    else if (stat.value.isDirectory()) yield* walkFolder(root, options);
    else yield { ...root, found: false, isFile: stat.value.isFile() };
  }
}

export function fileOf(root: Root): FilePath {
  const file = typeof root === 'string' ? pathFromName(root) : root;
  const isFile = (path: string): boolean =>
    statSync(pathOf(pathFromShown(path)), { throwIfNoEntry: false })?.isFile() === true;
  return typeof root === 'string' ? escapeMarks(file, isFile) : file;
}

/** Walks one folder, without recursion: folders can be nested to any depth. */
function* walkFolder(root: FilePath, { hidden = false, onHidden }: WalkOptions): Generator<FileEntry> {
  const open: { folder: FilePath; names: Child[]; next: number }[] = [];
  let folder: FilePath | undefined = root;
  while (true) {
    if (folder !== undefined) {
      const current: FilePath = folder;
      const names = attempt(() => childrenOf(current));
      if (names.failure !== undefined) yield { ...current, found: true, failure: names.failure };
      else if (holdsIndex(current, names.value)) yield { ...current, found: true, failure: INDEX_FOLDER };
      else open.push({ folder: current, names: names.value, next: 0 });
      folder = undefined;
    }
    const top = open.at(-1);
    if (top === undefined) return;
    const child = top.names[top.next++];
    if (child === undefined) {
      open.pop();
      continue;
    }
    const place = placeOf(top.folder, child);
    const isFolder = child.entry.isDirectory();
    const isHidden = child.name.startsWith('.') || (isFolder && child.name === 'node_modules');
    if (!hidden && isHidden) onHidden?.(place.path, isFolder);
    else if (isFolder) folder = place;
    else yield entryOf(place, child.entry);
  }
}

const MANIFESTS = ['manifest', 'manifest.copy'];

/** Tests whether a folder holds an index, whose files are not documents (spec/sharing.md#layout-5). */
function holdsIndex(folder: FilePath, children: readonly Child[]): boolean {
  return children.some(
    (child) => MANIFESTS.includes(child.name) && child.entry.isFile() && beginsIndex(pathOf(placeOf(folder, child))),
  );
}

export function isIndexFolder(path: string): boolean {
  return MANIFESTS.some((name) => beginsIndex(join(path, name)));
}

function beginsIndex(path: string | Buffer): boolean {
  const head = Buffer.alloc(INDEX_HEAD.length);
  const read = attempt(() => {
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      return readSync(file, head);
    } finally {
      closeSync(file);
    }
  });
  return read.failure === undefined && head.toString('latin1') === INDEX_HEAD;
}

const INDEX_HEAD = '{"layout":';

function placeOf(folder: FilePath, child: Child): FilePath {
  const between = folder.path.endsWith(sep) || folder.path.endsWith('/') ? '' : sep;
  const path = folder.path + between + child.name;
  if (folder.raw === undefined && child.raw === undefined) return { path };
  const above = folder.raw ?? Buffer.from(folder.path);
  return { path, raw: Buffer.concat([above, Buffer.from(between), child.raw ?? Buffer.from(child.name)]) };
}

interface Child {
  readonly name: string;
  readonly raw?: Uint8Array;
  readonly entry: Dirent | Dirent<Buffer>;
}

function childrenOf(folder: FilePath): Child[] {
  const path = pathOf(folder);
  const entries = readdirSync(path, { withFileTypes: true });
  // If a name holds U+FFFD, its bytes may not be UTF-8: then only the bytes can open it.
  const named = entries.some(({ name }) => name.includes('\uFFFD'))
    ? readdirSync(path, { withFileTypes: true, encoding: 'buffer' }).map((entry) => ({
        entry,
        ...pathFromBytes(entry.name),
      }))
    : entries.map((entry) => ({ entry, ...pathFromName(entry.name) }));
  const hasMarks = named.some((child) => child.path.includes('!'));
  const files = new Set(hasMarks ? named.filter(({ entry }) => !entry.isDirectory()).map((child) => child.path) : []);
  return named
    .map((child) =>
      childOf(
        escapeMarks(child, (name) => files.has(name)),
        child.entry,
      ),
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function childOf({ path, raw }: FilePath, entry: Child['entry']): Child {
  return raw === undefined ? { name: path, entry } : { name: path, raw, entry };
}

function entryOf(place: FilePath, child: Dirent | Dirent<Buffer>): FileEntry {
  // This is enough for most entries of a large folder. A spread would take as long as opening the file.
  if (child.isFile() && place.raw === undefined) return { path: place.path, found: true, isFile: true };
  if (child.isFile()) return { ...place, found: true, isFile: true };
  if (!child.isSymbolicLink()) return { ...place, found: true, failure: SPECIAL_FILE };
  const target = attempt(() => statSync(pathOf(place)));
  if (target.failure !== undefined) {
    const isDangling = target.failure.code === 'not-found' || target.failure.code === 'link-loop';
    return { ...place, found: true, failure: isDangling ? DANGLING_LINK : target.failure };
  }
  if (target.value.isDirectory()) return { ...place, found: true, failure: DIRECTORY_LINK };
  return target.value.isFile()
    ? { ...place, found: true, isFile: true }
    : { ...place, found: true, failure: SPECIAL_FILE };
}

const DANGLING_LINK: Failure = { code: 'dangling-link', message: 'a symbolic link that points to nothing' };

const DIRECTORY_LINK: Failure = {
  code: 'directory-link',
  message: 'a symbolic link to a folder, which is not followed; name it as an argument to read it',
};

export const INDEX_FOLDER: Failure = {
  code: 'index-folder',
  message: 'is an index of simhash-doc, not a folder of documents: index export prints it',
};

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
