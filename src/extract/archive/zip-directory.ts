import { type Entry, Reader, ZipReader } from '@zip.js/zip.js/lib/zip-core-native.js';
import { concatenate, latin1 } from '../../common/bytes.ts';
import { cutName, formatBytes } from '../../common/text.ts';
import { type ExtractionErrorCode, extractionError } from '../errors.ts';
import { crc32, inflateWhole } from './zlib.ts';

/** A file of which any part can be read, so that an archive takes no memory for what is not read. */
export interface RandomAccess {
  /** Size of the file, in bytes. */
  readonly size: number;
  /** Reads the `length` bytes from `offset` on, all of which are in the file. The result belongs to the caller. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

export interface ZipEntry {
  readonly name: string;
  readonly isFolder: boolean;
  readonly isSymbolicLink: boolean;
  readonly isEncrypted: boolean;
  /** True if the directory says so. A size of 0 with the checksum of something is damage. */
  readonly isEmpty: boolean;
  readonly offset: number;
  readonly compressedSize: number;
  /** The minimum size that it takes of the archive, in bytes: header, name and content. */
  readonly span: number;
  read(maxOutput: number): Promise<ZipContent>;
}

export type ZipContent =
  | { readonly bytes: Uint8Array }
  | { readonly failure: { readonly code: ExtractionErrorCode; readonly message: string } };

/** The maximum number of bytes that are read at once, a directory among them: some five million members. */
const MAX_READ = 1 << 29;

const LOCAL_HEADER = 30;

const BLOCK = 1 << 18;

/** Bytes that the extra field of a local header may well have. */
const USUAL_EXTRA = 64;

/** The largest member, in bytes, stored or decompressed, that is read whole; zip.js streams larger ones. */
const MAX_AT_ONCE = 1 << 26;

const FAILURES: Readonly<Record<string, readonly [code: ExtractionErrorCode, message: string]>> = {
  'File contains encrypted entry': ['encrypted', 'is encrypted: a password is needed'],
  'Encryption method not supported': ['encrypted', 'is encrypted: a key is needed'],
  'Compression method not supported': ['unsupported-media-type', 'is compressed with an unsupported method'],
};

const TOO_LARGE: ZipContent = { failure: { code: 'too-large', message: 'is too large' } };

/** Reads the directory of a ZIP archive (APPNOTE 6.3 with Zip64), which may end `maxAppended` bytes before the end. */
export async function* readDirectory(source: RandomAccess, maxAppended: number): AsyncGenerator<ZipEntry, undefined> {
  const guarded = guardSource(source);
  // Names are never paths in a file system here, and an archive that strict readers reject can still be read.
  const reader = new ZipReader(guarded.reader, {
    strictness: 'tolerant',
    maxAppendedDataSize: maxAppended,
    useWebWorkers: false,
    decodeText: decodeLongName,
  });
  const entries = reader.getEntriesGenerator();
  for (;;) {
    const { done, value } = await guarded.await(entries.next(), (message, error) => {
      if (/encrypted/i.test(message))
        throw extractionError('encrypted', 'its directory is encrypted: save the archive without a password', error);
      throw extractionError('damaged', `damaged ZIP archive: ${asSentence(message)}`, error);
    });
    if (done === true) return undefined;
    // All members lie ahead of the directory.
    const end = Math.min(source.size, reader.directoryOffset ?? 0);
    yield toZipEntry(value, { source, end, guarded });
  }
}

interface OpenArchive {
  readonly source: RandomAccess;
  readonly end: number;
  readonly guarded: ReturnType<typeof guardSource>;
}

function toZipEntry(entry: Entry, archive: OpenArchive): ZipEntry {
  const { compressedSize, uncompressedSize, crc32: checksum = 0 } = entry;
  return {
    name: nameOf(entry),
    isFolder: entry.directory,
    isSymbolicLink: entry.symlink === true,
    isEncrypted: entry.encrypted,
    isEmpty: uncompressedSize === 0 && checksum === 0,
    offset: entry.offset,
    compressedSize,
    span: LOCAL_HEADER + entry.rawFilename.length + compressedSize,
    async read(maxOutput) {
      if (entry.directory) return { bytes: new Uint8Array(0) };
      if (uncompressedSize > maxOutput) return TOO_LARGE;
      const bytes = await readPlain(entry, archive);
      return bytes === null ? readByStream(entry, archive, maxOutput) : { bytes };
    },
  };
}

/** Decodes a name that is too long; returns undefined for others, which zip.js decodes. */
function decodeLongName(bytes: Uint8Array, encoding: string): string | undefined {
  if (bytes.length <= LONG) return undefined;
  return cutName(encoding === 'utf-8' ? new TextDecoder().decode(bytes) : latin1(bytes));
}

/** Names of more bytes are not decoded by zip.js, which keeps a table of them. */
const LONG = 4096;

/** Returns the name of a member. Control characters stay as they are; zip.js has the pictures of code page 437 for them. */
function nameOf({ filename, rawFilename, filenameUTF8 }: Entry): string {
  if (filenameUTF8 || rawFilename.length > LONG || !rawFilename.some(isControl)) return filename;
  const characters = Array.from(rawFilename, (byte, at) =>
    isControl(byte) ? String.fromCharCode(byte) : filename[at],
  );
  return characters.join('');
}

function isControl(byte: number): boolean {
  return byte < 0x20 || byte === 0x7f;
}

/** Creates a source for zip.js that tells its own errors from errors of zip.js. */
function guardSource(source: RandomAccess) {
  let failure: { readonly error: unknown } | undefined;
  class SourceReader extends Reader<RandomAccess> {
    override size = source.size;
    override async readUint8Array(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
      const end = Math.min(offset + length, source.size);
      if (!(offset >= 0 && offset < end)) return new Uint8Array(0);
      if (end - offset > MAX_READ) throw new Error(`its directory is larger than ${formatBytes(MAX_READ)}`);
      try {
        return (await source.read(offset, end - offset)) as Uint8Array<ArrayBuffer>;
      } catch (error) {
        failure = { error };
        throw error;
      }
    }
  }
  return {
    reader: new SourceReader(source),
    /** Awaits a result of zip.js. An error of the source is thrown again; `onError` answers any other. */
    async await<T, U = never>(result: Promise<T>, onError: (message: string, error: unknown) => U): Promise<T | U> {
      try {
        return await result;
      } catch (error) {
        if (failure !== undefined) throw failure.error;
        return onError(error instanceof Error ? error.message : String(error), error);
      }
    },
  };
}

/** Reads a member with zip.js, which finds out what is wrong with it. */
async function readByStream(entry: Entry, { guarded }: OpenArchive, maxOutput: number): Promise<ZipContent> {
  if (entry.directory) return { bytes: new Uint8Array(0) };
  const parts: Uint8Array[] = [];
  let total = 0;
  const writable = new WritableStream<Uint8Array>({
    write(part) {
      total += part.length;
      if (total > maxOutput) throw new Error('too large');
      parts.push(part.slice());
    },
  });
  const result = entry.getData(writable, { checkCrc32: true, useWebWorkers: false });
  return guarded.await<ZipContent, ZipContent>(
    result.then(() => ({ bytes: concatenate(parts) })),
    (problem) => {
      if (total > maxOutput) return TOO_LARGE;
      const [code, message] = FAILURES[problem] ?? ['damaged', `damaged ZIP archive: ${asSentence(problem)}`];
      return { failure: { code, message } };
    },
  );
}

/** Reads a stored or deflated member that matches its entry, much faster than zip.js; returns null for other members. */
async function readPlain(entry: Entry, archive: OpenArchive): Promise<Uint8Array | null> {
  const { compressionMethod: method, compressedSize, uncompressedSize, crc32: checksum } = entry;
  if (entry.encrypted || entry.extraFieldAES !== undefined || checksum === undefined) return null;
  if (method === 0 ? compressedSize !== uncompressedSize : method !== 8) return null;
  if (Math.max(compressedSize, uncompressedSize) > MAX_AT_ONCE) return null;
  // A number that should be in the Zip64 extra field, which is missing.
  const isIncomplete = entry.offset >= 2 ** 32 - 1 || entry.diskNumberStart === 0xffff;
  if (isIncomplete && entry.extraFieldZip64 === undefined) return null;
  const data = await readData(entry, archive);
  if (data === null) return null;
  const bytes = method === 0 ? data : inflateExactly(data, uncompressedSize);
  return bytes !== null && crc32(bytes) === checksum ? bytes : null;
}

/** Reads the stored bytes of a member, usually together with its local header; null if the header is wrong. */
async function readData(entry: Entry, { source, end }: OpenArchive): Promise<Uint8Array | null> {
  const { offset, compressedSize: length } = entry;
  if (!(offset >= 0 && offset + LOCAL_HEADER <= end)) return null;
  const guess = LOCAL_HEADER + entry.rawFilename.length + USUAL_EXTRA + length;
  const head = await source.read(offset, Math.min(guess, BLOCK, end - offset));
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  if (head.length < LOCAL_HEADER || view.getUint32(0, true) !== 0x04034b50) return null;
  const start = LOCAL_HEADER + view.getUint16(26, true) + view.getUint16(28, true);
  if (offset + start + length > end) return null;
  if (start + length <= head.length) return head.subarray(start, start + length);
  const data = new Uint8Array(length);
  if (start < head.length) data.set(head.subarray(start));
  for (let at = Math.max(start, head.length); at < start + length; at += BLOCK)
    data.set(await source.read(offset + at, Math.min(BLOCK, start + length - at)), at - start);
  return data;
}

/** Inflates a member; null unless it makes exactly `size` bytes of all its data. */
function inflateExactly(data: Uint8Array, size: number): Uint8Array | null {
  const result = inflateWhole(data, Math.max(size, 1));
  return 'output' in result && result.output.length === size && result.read === data.length ? result.output : null;
}

function asSentence(message: string): string {
  return message === '' ? 'it cannot be read' : `${message[0]!.toLowerCase()}${message.slice(1)}`;
}
