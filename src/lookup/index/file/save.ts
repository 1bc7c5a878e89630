import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { assertOptions, assertString } from '../../../errors.ts';
import { MAX_ID_OCTETS } from '../../options.ts';
import type { MemoryIndex, MemorySnapshot } from '../memory-index.ts';
import { CHUNK_OCTETS, encodeHeader } from './format.ts';

/**
 * Saves an index to one file. It is written under another name in the same folder, flushed to the disk and then renamed,
 * so that `path` always names the old file or the new one, whole. The index may change meanwhile: the documents that it
 * has when this is called are saved. Takes 2 MiB of memory and a bit for each document.
 * @param index - an index in memory
 * @param path - the file; replaced if it exists
 * @throws (rejects) TypeError `wrong-type`; the file system's own Error, with its code: `ENOENT` if there is no folder,
 * `EACCES` without permission, `ENOSPC` if the disk is full, and others
 */
export async function saveIndex(index: MemoryIndex, path: string): Promise<void> {
  assertOptions('index', index, { label: 'string', snapshot: 'function' });
  assertString('path', path);
  const snapshot = index.snapshot();
  const temporary = join(dirname(path), `.simhash-doc-${randomBytes(6).toString('hex')}.tmp`);
  const file = await open(temporary, 'wx');
  try {
    try {
      await writeIndex(file, index.label, snapshot);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Flushes the new name to the disk, if the system can do that. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
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
