import { constants, readlinkSync, type Stats } from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, isAbsolute } from 'node:path';
import { isTemporary, removeStale, temporaryName } from './temporary.ts';

/**
 * Writes a file under another name in the same folder, flushes it to the disk and renames it, so that `path` always names the
 * complete old or new file, or the target of a link. It keeps its permissions, and its owner and group if the system allows
 * that. A pipe or a device gets the content as it is written; a pipe needs a reader. Errors have `path`.
 * Temporary files in the folder whose writers were killed are removed.
 */
export async function replaceFile(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  try {
    const old = await statOf(path);
    if (old === undefined || old.isFile() || old.isDirectory()) await replace(targetOf(path), old, write);
    else await writeThrough(path, old, write);
  } catch (error) {
    if (isOwn(error)) error.path = path;
    throw error;
  }
}

async function replace(
  target: string,
  old: Stats | undefined,
  write: (file: FileHandle) => Promise<void>,
): Promise<void> {
  await removeStale(dirname(target));
  // Not joined: that would resolve `..` in the text of the path, which is wrong after a link to a folder.
  const temporary = `${dirname(target)}/${temporaryName()}`;
  const file = await open(temporary, 'wx', old === undefined ? 0o666 : 0o600);
  try {
    await closing(file, async () => {
      await write(file);
      if (old !== undefined) await keepPermissions(file, old);
      await file.sync();
    });
    await rename(temporary, target);
  } catch (error) {
    // The first error is the one to report. The next writer removes a file that stays.
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
  await syncFolder(dirname(target));
}

/** Writes to a pipe or a device. Opening a pipe without a reader would wait for one, perhaps for ever. */
async function writeThrough(path: string, old: Stats, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const probe = old.isFIFO() ? await open(path, constants.O_WRONLY | constants.O_NONBLOCK) : undefined;
  const file = await open(path, 'w').finally(() => probe?.close());
  await closing(file, () => write(file));
}

async function closing(file: FileHandle, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    await file.close().catch(() => {});
    throw error;
  }
  await file.close();
}

export async function syncFile(file: FileHandle): Promise<void> {
  if ((await file.stat()).isFile()) await file.sync();
}

/** Tests whether an error comes from a call for the file: such a call names no path, or a temporary one. */
function isOwn(error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error && 'syscall' in error)) return false;
  const { path } = error as NodeJS.ErrnoException;
  return path === undefined ? WRITES.has(String(error.syscall)) : isTemporary(path);
}

const WRITES: ReadonlySet<string> = new Set(['write', 'fsync', 'close', 'fstat', 'fchmod', 'fchown']);

const MAX_LINKS = 40;

export function targetOf(path: string): string {
  let target = path;
  for (let links = 0; ; links++) {
    let next: string;
    try {
      next = readlinkSync(target);
    } catch {
      // Not a link, or nothing: writing reports any error.
      return target;
    }
    if (links === MAX_LINKS) throw Object.assign(new Error(`${path}: too many symbolic links`), { code: 'ELOOP' });
    target = isAbsolute(next) ? next : `${dirname(target)}/${next}`;
  }
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function keepPermissions(file: FileHandle, old: Stats): Promise<void> {
  const { uid, gid } = await file.stat();
  let mode = old.mode & 0o777;
  if (gid !== old.gid && !(await canChange(file.chown(uid, old.gid)))) {
    // The new group must not get the permissions of the old one.
    mode = (mode & 0o707) | ((mode & 0o007) << 3);
  }
  await file.chmod(mode);
  if (uid !== old.uid) await canChange(file.chown(old.uid, (await file.stat()).gid));
}

async function canChange(change: Promise<void>): Promise<boolean> {
  try {
    await change;
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
    return false;
  }
}

/** Flushes the new name to the disk, if the system can do that. The file itself is complete in any case. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  try {
    const folder = await open(path, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } catch {
    // The folder cannot be opened or flushed. The file is complete, and the system writes the name later.
  }
}
