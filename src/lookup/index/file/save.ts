import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, open, readlink, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { assertOptions, assertString } from '../../../errors.ts';
import { MAX_ID_OCTETS } from '../../options.ts';
import type { MemoryIndex, MemorySnapshot } from '../memory-index.ts';
import { CHUNK_OCTETS, encodeHeader, fileError } from './format.ts';
import { removeStale, temporaryName } from './temporary.ts';

/**
 * Saves an index to one file. It is written under another name in the same folder, flushed to the disk and then renamed,
 * so that `path` always names the old file or the new one, whole. The index may change meanwhile: the documents that it
 * has when this is called are saved. Takes 2 MiB of memory and a bit for each document.
 *
 * A file that is replaced keeps its permissions, and its owner and group where the system allows that; of a symbolic link
 * the target is replaced. Temporary files in the folder whose writers were killed are removed.
 * @param index - an index in memory
 * @param path - the file; replaced if it exists
 * @throws (rejects) TypeError `wrong-type`; an IndexFileError `not-an-index` if something other than a regular file or a
 * folder has this name; the file system's own Error, with its code: `ENOENT` if there is no folder, `EACCES` without
 * permission, `ENOSPC` if the disk is full, and others
 */
export async function saveIndex(index: MemoryIndex, path: string): Promise<void> {
  assertOptions('index', index, { label: 'string', snapshot: 'function' });
  assertString('path', path);
  const snapshot = index.snapshot();
  const target = await targetOf(path);
  const old = await statOf(target);
  if (old !== undefined && !old.isFile() && !old.isDirectory())
    throw fileError('not-an-index', path, 'not a regular file');
  await removeStale(dirname(target));
  const temporary = join(dirname(target), temporaryName());
  const file = await open(temporary, 'wx', old === undefined ? 0o666 : 0o600);
  try {
    try {
      await writeIndex(file, index.label, snapshot);
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

/** The most symbolic links that are followed, as in Linux. */
const MAX_LINKS = 40;

/** The file that a path names, which need not exist: that of the last of several links. */
async function targetOf(path: string): Promise<string> {
  let target = path;
  for (let links = 0; ; links++) {
    let next: string;
    try {
      next = await readlink(target);
    } catch {
      // Not a link, or nothing: writing will tell what is wrong.
      return target;
    }
    if (links === MAX_LINKS) throw Object.assign(new Error(`${path}: too many symbolic links`), { code: 'ELOOP' });
    target = resolve(dirname(target), next);
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
    // Another group must not get what the old one had.
    mode = (mode & 0o707) | ((mode & 0o007) << 3);
  }
  await file.chmod(mode);
  if (uid !== old.uid) await canChange(file.chown(old.uid, (await file.stat()).gid));
}

/** Whether a change was permitted. */
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
    // A folder that cannot be opened or flushed: the index is saved, and the system writes the name when it will.
  }
}

async function writeIndex(file: FileHandle, label: string, snapshot: MemorySnapshot): Promise<void> {
  const out = createWriter(file);
  let idOctets = 0;
  for (const { id } of snapshot.each()) idOctets += 2 + id.length;
  await out.octets(encodeHeader(label, snapshot.size, idOctets));
  for (const { fingerprint } of snapshot.each()) if (out.fingerprint(fingerprint)) await out.flush();
  for (const { id } of snapshot.each()) if (out.id(id)) await out.flush();
  await out.finish();
}

/** Buffers what is to be written, and hashes it. */
function createWriter(file: FileHandle) {
  const hash = createHash('sha256');
  const buffer = new Uint8Array(CHUNK_OCTETS + MAX_ID_OCTETS + 2);
  const view = new DataView(buffer.buffer);
  let filled = 0;

  async function write(octets: Uint8Array): Promise<void> {
    for (let at = 0; at < octets.length; ) at += (await file.write(octets, at)).bytesWritten;
  }

  async function flush(): Promise<void> {
    hash.update(buffer.subarray(0, filled));
    await write(buffer.subarray(0, filled));
    filled = 0;
  }

  return {
    flush,
    // These two return whether it is time to flush: awaiting every time would take most of the time.
    fingerprint(value: bigint): boolean {
      view.setBigUint64(filled, value, true);
      filled += 8;
      return filled >= CHUNK_OCTETS;
    },
    id(octets: Uint8Array): boolean {
      view.setUint16(filled, octets.length, true);
      buffer.set(octets, filled + 2);
      filled += 2 + octets.length;
      return filled >= CHUNK_OCTETS;
    },
    async octets(octets: Uint8Array): Promise<void> {
      await flush();
      hash.update(octets);
      await write(octets);
    },
    /** Writes the hash of everything that was written. */
    async finish(): Promise<void> {
      await flush();
      await write(hash.digest());
    },
  };
}
