import { isUtf8 } from 'node:buffer';
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { assertOptions, assertString } from '../../errors.ts';
import { parseLabel } from '../../scheme/label.ts';
import { assertLabel, MOST_ID_OCTETS } from '../options.ts';
import { type MemoryIndex, restoreMemoryIndex } from './memory-index.ts';

/*
 * The file of an index, format version 1. All numbers are little-endian, the order of most processors, so that fingerprints
 * can be read to the place where they are used.
 *
 *     offset        octets    content
 *     0             8         89 53 48 44 0D 0A 1A 0A: "SHD" between octets that a transfer as text would damage
 *     8             4         format version, 1
 *     12            4         L, the number of octets of the label
 *     16            8         N, the number of documents
 *     24            8         I, the number of octets of all ids with their lengths
 *     32            L         the label, ASCII, in lower case
 *     32 + L        8         the first 8 octets of the SHA-256 of all before: tells a damaged header from a strange one
 *     40 + L        8 N       the fingerprints, 64 bits each
 *     40 + L + 8 N  I         for each document in the same order: the length of its id in octets (2), the id in UTF-8
 *     … + I         32        the SHA-256 of all before
 */
const MAGIC = Uint8Array.of(0x89, 0x53, 0x48, 0x44, 0x0d, 0x0a, 0x1a, 0x0a);
const VERSION = 1;
const FIXED = 32;
const HEADER_CHECK = 8;
const CHECK = 32;
const LONGEST_LABEL = 200;

/** How many octets are read or written at a time. */
const CHUNK = 1 << 20;

/** The closed set of errors that files add to those of the scheme. */
export type IndexFileErrorCode =
  /** It does not begin as the file of an index. */
  | 'not-an-index'
  /** It is of a format version that this package does not read. */
  | 'other-version'
  /** It ends too early. */
  | 'truncated'
  /** Its content does not agree with its checksum, or with itself. */
  | 'damaged';

/** An error with a code of the closed set. */
export interface IndexFileError extends Error {
  readonly code: IndexFileErrorCode;
}

function fileError(code: IndexFileErrorCode, path: string, message: string): IndexFileError {
  return Object.assign(new Error(`${path}: ${message}`), { code });
}

/**
 * Saves an index to one file. It is written under another name in the same folder, brought to the disk and then renamed,
 * so that under `path` there is always the old file or the new one, whole. The index may change meanwhile; what is saved
 * is what it held when this was called. Takes 2 MiB of memory and a bit for each document.
 * @param index - an index in memory
 * @param path - the file, which is replaced if it exists
 * @throws (rejects) TypeError `wrong-type`; the file system's own Error, with its code: `ENOENT` where there is no folder,
 * `EACCES` without permission, `ENOSPC` where there is no room, and others
 */
export async function saveIndex(index: MemoryIndex, path: string): Promise<void> {
  assertOptions('index', index, { label: 'string', snapshot: 'function' });
  assertString('path', path);
  const snapshot = index.snapshot();
  const temporary = join(dirname(path), `.simhash-doc-${randomBytes(6).toString('hex')}.tmp`);
  const file = await open(temporary, 'wx');
  try {
    try {
      const out = createWriter(file);
      let idOctets = 0;
      for (const { id } of snapshot.each()) idOctets += 2 + id.length;
      await out.octets(header(index.label, snapshot.size, idOctets));
      for (const { fingerprint } of snapshot.each()) if (out.fingerprint(fingerprint)) await out.flush();
      for (const { id } of snapshot.each()) if (out.id(id)) await out.flush();
      await out.finish();
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

/** Brings the new name to the disk, where the system can do that. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function sha256(...parts: Uint8Array[]): Uint8Array {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function header(label: string, count: number, idOctets: number): Uint8Array {
  const octets = new Uint8Array(FIXED + label.length + HEADER_CHECK);
  const view = new DataView(octets.buffer);
  octets.set(MAGIC);
  view.setUint32(8, VERSION, true);
  view.setUint32(12, label.length, true);
  view.setBigUint64(16, BigInt(count), true);
  view.setBigUint64(24, BigInt(idOctets), true);
  octets.set(new TextEncoder().encode(label), FIXED);
  const end = FIXED + label.length;
  octets.set(sha256(octets.subarray(0, end)).subarray(0, HEADER_CHECK), end);
  return octets;
}

/** Collects what is to be written, and hashes it. */
function createWriter(file: FileHandle) {
  const hash = createHash('sha256');
  const buffer = new Uint8Array(CHUNK + MOST_ID_OCTETS + 2);
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
    /** Each of these two returns whether it is time to flush: awaiting every time would take most of the time. */
    fingerprint(value: bigint): boolean {
      view.setBigUint64(filled, value, true);
      filled += 8;
      return filled >= CHUNK;
    },
    id(octets: Uint8Array): boolean {
      view.setUint16(filled, octets.length, true);
      buffer.set(octets, filled + 2);
      filled += 2 + octets.length;
      return filled >= CHUNK;
    },
    async octets(octets: Uint8Array): Promise<void> {
      await flush();
      hash.update(octets);
      await write(octets);
    },
    /** Writes the hash of all that was written. */
    async finish(): Promise<void> {
      await flush();
      await write(hash.digest());
    },
  };
}

/**
 * Loads an index that was saved. Everything is checked before it is given away; a file that is not whole is refused.
 *
 * Fingerprints are read to where they stay, so that this takes no more memory than the index itself. The thread is busy until it
 * is done.
 * @param path - the file
 * @param options - `label`: the label that the index must have, if it is to be checked
 * @throws (rejects) an {@link IndexFileError} `not-an-index`, `other-version`, `truncated` or `damaged`; RangeError
 * `invalid-label` for a label that is not registered, `label-mismatch` for another than is expected; TypeError `wrong-type`;
 * the file system's own Error, with its code: `ENOENT` where there is no file, `EISDIR` for a folder, `EACCES` without
 * permission, `EIO` and others
 */
export async function loadIndex(path: string, options: { readonly label?: string } = {}): Promise<MemoryIndex> {
  assertString('path', path);
  assertOptions('options', options);
  const expected = options.label === undefined ? undefined : parseLabel(options.label);
  const fd = openSync(path, 'r');
  try {
    return load(fd, path, expected);
  } finally {
    closeSync(fd);
  }
}

function load(fd: number, path: string, expected: string | undefined): MemoryIndex {
  const { size } = fstatSync(fd);
  const file = createReader(fd, path);
  const { label, count, idOctets } = readHeader(file, path, size);
  if (expected !== undefined) assertLabel(path, label, expected);
  const index = restoreMemoryIndex(parseLabel(label), count, (target) => {
    file.read(new Uint8Array(target.buffer, target.byteOffset, target.byteLength));
    if (!LITTLE_ENDIAN) swap(target);
  });
  let left = idOctets;
  for (let i = 0; i < count; i++) {
    const record = left < 2 ? undefined : file.peek(2);
    const length = record === undefined ? 0 : record[0]! | (record[1]! << 8);
    left -= 2 + length;
    if (length === 0 || length > MOST_ID_OCTETS || left < 0)
      throw fileError('damaged', path, `the id of document ${i} has no proper length`);
    const id = file.peek(2 + length).subarray(2);
    if (!isUtf8(id)) throw fileError('damaged', path, `the id of document ${i} is not UTF-8`);
    if (!index.addId(id, length))
      throw fileError('damaged', path, `the id of document ${i} is that of another one, too`);
    file.skip(2 + length);
  }
  if (left !== 0) throw fileError('damaged', path, `${left} octets behind the last id`);
  if (!file.endsWithDigest()) throw fileError('damaged', path, 'the checksum is not that of the content');
  return index.finish();
}

function readHeader(file: Reader, path: string, size: number) {
  const start = file.peek(Math.min(MAGIC.length, size));
  if (!start.every((octet, i) => octet === MAGIC[i])) throw fileError('not-an-index', path, 'not the file of an index');
  const truncated = (wanted: bigint | number): IndexFileError =>
    fileError('truncated', path, `expected ${wanted} octets, got ${size}`);
  const least = FIXED + HEADER_CHECK + CHECK;
  if (size < 12) throw truncated(least);
  const { buffer, byteOffset } = file.peek(Math.min(FIXED, size));
  const view = new DataView(buffer, byteOffset);
  const version = view.getUint32(8, true);
  if (version !== VERSION) throw fileError('other-version', path, `expected format version ${VERSION}, got ${version}`);
  if (size < least) throw truncated(least);
  const labelLength = view.getUint32(12, true);
  if (labelLength > LONGEST_LABEL) throw fileError('damaged', path, 'the header does not agree with its checksum');
  const count = view.getBigUint64(16, true);
  const idOctets = view.getBigUint64(24, true);
  const end = FIXED + labelLength;
  if (size < end + HEADER_CHECK + CHECK) throw truncated(end + HEADER_CHECK + CHECK);
  const octets = file.peek(end + HEADER_CHECK);
  const check = sha256(octets.subarray(0, end)).subarray(0, HEADER_CHECK);
  if (Buffer.compare(check, octets.subarray(end)) !== 0)
    throw fileError('damaged', path, 'the header does not agree with its checksum');
  const label = Buffer.from(octets.subarray(FIXED, end)).toString('latin1');
  file.skip(end + HEADER_CHECK);
  const wanted = BigInt(end + HEADER_CHECK + CHECK) + 8n * count + idOctets;
  if (BigInt(size) < wanted) throw truncated(wanted);
  if (BigInt(size) > wanted) throw fileError('damaged', path, `expected ${wanted} octets, got ${size}`);
  return { label, count: Number(count), idOctets: Number(idOctets) };
}

const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Reads numbers that were stored in the other order than the processor's. */
function swap(values: BigUint64Array): void {
  const view = new DataView(values.buffer, values.byteOffset, values.byteLength);
  for (let i = 0; i < values.length; i++) values[i] = view.getBigUint64(8 * i, true);
}

type Reader = ReturnType<typeof createReader>;

/** Reads a file from its beginning, and hashes what is consumed. */
function createReader(fd: number, path: string) {
  const hash = createHash('sha256');
  const buffer = new Uint8Array(CHUNK);
  // In the buffer is hashed what is before `hashed`, consumed what is before `from`, and read what is before `to`.
  let hashed = 0;
  let from = 0;
  let to = 0;

  /** Reads into all of `target`, or as much as there is. */
  function fill(target: Uint8Array): number {
    let filled = 0;
    while (filled < target.length) {
      const octets = readSync(fd, target, filled, target.length - filled, null);
      if (octets === 0) break;
      filled += octets;
    }
    return filled;
  }

  function hashConsumed(): void {
    hash.update(buffer.subarray(hashed, from));
    hashed = from;
  }

  function shorter(): IndexFileError {
    return fileError('truncated', path, 'it became shorter while it was read');
  }

  /** The next octets, without consuming them; not more than a chunk. */
  function peek(octets: number): Uint8Array {
    if (to - from < octets) {
      hashConsumed();
      buffer.copyWithin(0, from, to);
      to -= from;
      hashed = 0;
      from = 0;
      to += fill(buffer.subarray(to));
      if (to < octets) throw shorter();
    }
    return buffer.subarray(from, from + octets);
  }

  return {
    peek,
    skip(octets: number): void {
      from += octets;
    },
    /** Fills an array of any length. */
    read(target: Uint8Array): void {
      hashConsumed();
      const buffered = Math.min(to - from, target.length);
      target.set(buffer.subarray(from, from + buffered));
      from += buffered;
      hashConsumed();
      for (let at = buffered; at < target.length; at += CHUNK) {
        const part = target.subarray(at, at + CHUNK);
        if (fill(part) < part.length) throw shorter();
        hash.update(part);
      }
    },
    /** Whether the next octets are the hash of all that was consumed, which has to be the last thing that is asked for. */
    endsWithDigest(): boolean {
      const check = peek(CHECK);
      hashConsumed();
      return Buffer.compare(hash.digest(), check) === 0;
    },
  };
}
