import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { concatenate } from '../common/bytes.ts';
import { formatBytes, formatNumber } from '../common/text.ts';
import type { RandomAccess } from '../extract/archive/zip.ts';
import { DETECTION_WINDOW } from '../extract/index.ts';
import { documentError } from './failure.ts';
import { pathOf } from './file-path.ts';
import { type FileEntry, SPECIAL_FILE, STDIN } from './walk.ts';

/** Bytes in parts. A part is valid until the next one is requested. */
export type ChunkGenerator = Generator<Uint8Array, undefined> | AsyncGenerator<Uint8Array, undefined>;

export type OnRead = (bytes: number) => void;

export interface OpenFile {
  readonly fd: number;
  /** True if it has a size and can be read from anywhere. */
  readonly isRegular: boolean;
  /** The size of the file in bytes when it was opened; 0 if it has none. */
  readonly size: number;
  /** The time of the last write, in milliseconds. */
  readonly modified: number;
}

/** Bytes that come in: from a file, from standard input, or from memory. */
export interface Input {
  /** All bytes, or the first ones: at least {@link DETECTION_WINDOW} of them. */
  readonly head: Uint8Array;
  /** The bytes after the head; null if there are none. */
  readonly rest: ChunkGenerator | null;
  /** The file that they come from, as long as it is open. */
  readonly file?: OpenFile;
  readonly fileSize?: number;
  close(): Promise<void>;
}

/** The number of bytes that are read at once. Smaller files are read whole when they are opened. */
const CHUNK = 1 << 18;

/** Opens a file or standard input and reads its start. Throws errors of the system, `special-file`, `changed`. */
export async function openInput(entry: FileEntry, onRead: OnRead): Promise<Input> {
  if (entry.path === STDIN) return startStream(readStdin(onRead));
  const file = openFile(entry);
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) closeSync(file.fd);
    isOpen = false;
  };
  try {
    const fileSize = file.isRegular ? { fileSize: file.size } : {};
    const isSmall = file.size > 0 && file.size <= CHUNK;
    const head = fill(file, new Uint8Array(isSmall ? file.size : DETECTION_WINDOW), 0);
    onRead(head.length);
    const isAll = isSmall ? isAtEnd(file, head.length) : head.length < DETECTION_WINDOW;
    if (!isAll) return { head, rest: readFrom(file, head.length, onRead), file, ...fileSize, close };
    assertWhole(file, head.length);
    await close();
    return { head, rest: null, ...fileSize, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The buffer of {@link readSmallFile}: one byte larger than a small file. */
const scratch = new Uint8Array(CHUNK + 1);

/** Reads a small file whole, valid until the next call; null if it is empty, large or not regular. Throws as {@link openInput}. */
export function readSmallFile(entry: FileEntry): Uint8Array | null {
  const file = openFile(entry);
  try {
    if (!file.isRegular || file.size === 0 || file.size > CHUNK) return null;
    // A short read means the end of a regular file.
    let length = readSync(file.fd, scratch, 0, file.size + 1, 0);
    if (length !== file.size) {
      length = fill(file, scratch.subarray(0, file.size + 1), 0).length;
      assertWhole(file, length);
    }
    return scratch.subarray(0, length);
  } finally {
    closeSync(file.fd);
  }
}

export function inputOf(bytes: Uint8Array): Input {
  return { head: bytes, rest: null, async close() {} };
}

export async function startStream(chunks: ChunkGenerator): Promise<Input> {
  const close = async (): Promise<void> => void (await chunks.return(undefined));
  const parts: Uint8Array[] = [];
  try {
    for (let length = 0; length < DETECTION_WINDOW; ) {
      const { done, value } = await chunks.next();
      if (done === true) return { head: concatenate(parts), rest: null, close };
      // A copy: its owner may reuse the memory.
      parts.push(new Uint8Array(value));
      length += value.length;
    }
    const { done, value } = await chunks.next();
    return { head: concatenate(parts), rest: done === true ? null : following(value, chunks), close };
  } catch (error) {
    await close();
    if (parts.length === 0) throw error;
    return { head: concatenate(parts), rest: failing(error), close };
  }
}

/** Throws when the next bytes are requested, so that the start of a damaged archive can be read. */
// biome-ignore lint/correctness/useYield: it never has anything to yield
async function* failing(error: unknown): AsyncGenerator<Uint8Array, undefined> {
  throw error;
}

export async function* following(head: Uint8Array, rest: ChunkGenerator | null): AsyncGenerator<Uint8Array, undefined> {
  yield head;
  if (rest !== null) yield* rest;
}

/** Reads the rest of an input, whose head must stay valid. Throws `too-large` beyond `limit` bytes in all. */
export async function readWhole({ head, rest }: Pick<Input, 'head' | 'rest'>, limit: number): Promise<Uint8Array> {
  const parts = [head];
  let { length } = head;
  assertWithin(length, limit);
  if (rest === null) return head;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    length += next.value.length;
    assertWithin(length, limit);
    // A copy: its owner may reuse the memory.
    parts.push(new Uint8Array(next.value));
  }
  return concatenate(parts);
}

export function readFile(file: OpenFile, limit: number, onRead: OnRead): Uint8Array {
  assertWithin(file.size, limit);
  const bytes = fill(file, new Uint8Array(file.size), 0);
  onRead(bytes.length);
  assertWhole(file, isAtEnd(file, bytes.length) ? bytes.length : bytes.length + 1);
  return bytes;
}

/** Reads a file to its end, from `start` or the present place of a pipe; regular files into one buffer. Throws `changed`. */
export function* readFrom(file: OpenFile, start: number, onRead: OnRead): Generator<Uint8Array, undefined> {
  const buffer = new Uint8Array(CHUNK);
  let at = start;
  for (;;) {
    const part = file.isRegular ? fill(file, buffer, at) : buffer.slice(0, readSync(file.fd, buffer));
    at += part.length;
    onRead(part.length);
    if (part.length > 0) yield part;
    if (file.isRegular ? part.length < buffer.length : part.length === 0) break;
  }
  assertWhole(file, at);
}

export function accessOfFile(file: OpenFile, onRead: OnRead): RandomAccess {
  return {
    size: file.size,
    async read(offset, length) {
      const bytes = fill(file, new Uint8Array(Math.max(0, Math.min(length, file.size - offset))), offset);
      onRead(bytes.length);
      return bytes;
    },
  };
}

/** Throws `changed` unless all was read. Generated files have no true size: a shorter one counts only if it was written to. */
function assertWhole(file: OpenFile, length: number): void {
  if (!file.isRegular || length === file.size) return;
  const { size, mtimeMs } = fstatSync(file.fd);
  const isWritten = size !== file.size || mtimeMs !== file.modified;
  if (isWritten || (length > file.size && file.size > 0))
    throw changed(file.size, length > file.size ? Math.max(length, size) : size);
}

export function assertSameSize(file: OpenFile): void {
  const { size } = fstatSync(file.fd);
  if (size !== file.size) throw changed(file.size, size);
}

function changed(before: number, after: number): Error {
  const sizes = `from ${formatNumber(before)} to ${formatNumber(after)} bytes`;
  return documentError('changed', `changed while it was read (${sizes}): try again when nothing writes to it`);
}

function assertWithin(length: number, limit: number): void {
  if (length > limit) throw documentError('too-large', `is larger than the ${formatBytes(limit)} limit (--max-size)`);
}

/** Opens the file of a path; the caller closes it. Throws errors of the system, `special-file`. */
export function openFile(entry: FileEntry): OpenFile {
  // Between the walk and now a file may have become a pipe, and opening a pipe blocks until its other end is open.
  const flags = constants.O_RDONLY | (entry.found ? (constants.O_NONBLOCK ?? 0) : 0);
  const fd = openSync(pathOf(entry), flags);
  const stat = fstatSync(fd);
  const isRegular = stat.isFile();
  if (isRegular || !entry.found) return { fd, isRegular, size: isRegular ? stat.size : 0, modified: stat.mtimeMs };
  closeSync(fd);
  throw documentError(SPECIAL_FILE.code, SPECIAL_FILE.message);
}

function fill({ fd, isRegular }: OpenFile, buffer: Uint8Array, position: number): Uint8Array {
  let length = 0;
  while (length < buffer.length) {
    const got = readSync(fd, buffer, length, buffer.length - length, isRegular ? position + length : null);
    if (got === 0) return buffer.subarray(0, length);
    length += got;
  }
  return buffer;
}

const probe = new Uint8Array(1);

function isAtEnd({ fd }: OpenFile, position: number): boolean {
  return readSync(fd, probe, 0, 1, position) === 0;
}

async function* readStdin(onRead: OnRead): AsyncGenerator<Uint8Array, undefined> {
  // Node reads a folder as an empty file.
  if (fstatSync(process.stdin.fd).isDirectory()) throw documentError('is-directory', 'is a folder: expected a file');
  for await (const chunk of process.stdin) {
    onRead(chunk.length);
    yield chunk;
  }
}
