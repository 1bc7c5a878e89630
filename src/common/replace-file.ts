import type { Stats } from 'node:fs';
import { type FileHandle, open, readlink, rename, rm, stat } from 'node:fs/promises';
import { dirname, isAbsolute } from 'node:path';
import { removeStale, temporaryName } from './temporary.ts';

/**
 * Writes a file under another name in the same folder, flushes it to the disk and renames it, so that `path` always
 * names the complete old or new file. A file that is replaced keeps its permissions, and its owner and group if the
 * system allows that; the target of a symbolic link is replaced. Temporary files in the folder whose writers were
 * killed are removed.
 * @param path - the file; replaced if it exists
 * @param write - writes the content
 * @throws (rejects) Error of the system, or for something that is neither a regular file nor a folder; whatever `write`
 * throws
 */
export async function replaceFile(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const target = await targetOf(path);
  const old = await statOf(target);
  if (old !== undefined && !old.isFile() && !old.isDirectory()) throw new Error(`${path} is not a regular file`);
  await removeStale(dirname(target));
  // Not joined: that would resolve `..` in the text of the path, which is wrong after a link to a folder.
  const temporary = `${dirname(target)}/${temporaryName()}`;
  const file = await open(temporary, 'wx', old === undefined ? 0o666 : 0o600);
  try {
    try {
      await write(file);
      if (old !== undefined) await keepPermissions(file, old);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(target));
}

/** The maximum number of symbolic links to follow, as in Linux. */
const MAX_LINKS = 40;

/** Resolves the symbolic links of a path, whose target need not exist. */
async function targetOf(path: string): Promise<string> {
  let target = path;
  for (let links = 0; ; links++) {
    let next: string;
    try {
      next = await readlink(target);
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

/** Gives a new file the permissions of the old one, its owner and its group. */
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
