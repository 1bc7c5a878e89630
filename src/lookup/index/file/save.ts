import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { assertOptions, assertString } from '../../../errors.ts';
import { type Fingerprint, wordsOf } from '../../../scheme/labels/fingerprint.ts';
import { MAX_ID_OCTETS } from '../../options.ts';
import type { MemoryIndex, MemorySnapshot } from '../memory-index.ts';
import { CHUNK_OCTETS, encodeHeader, fileError } from './format.ts';
import { replaceFile } from './replace.ts';

/**
 * Saves an index to one file. It is written under another name in the same folder, flushed to the disk and then renamed,
 * so that `path` always names the old file or the new one, whole. The index may change meanwhile: the documents that it
 * has when this is called are saved. Takes 2 MiB of memory and a bit for each document.
 *
 * A file that is replaced keeps its permissions, and its owner and group where the system allows that. The target of a
 * symbolic link is replaced. Temporary files in the folder whose writers were killed are removed.
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
  const onOther = () => fileError('not-an-index', path, 'not a regular file');
  await replaceFile(path, (file) => writeIndex(file, index.label, snapshot), onOther);
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
    fingerprint(value: Fingerprint): boolean {
      for (const word of wordsOf('fingerprint', value)) {
        view.setBigUint64(filled, word, true);
        filled += 8;
      }
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
