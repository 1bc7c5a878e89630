import { type Entry, Reader, ZipReader } from '@zip.js/zip.js';
import { concatenate } from '../../common/octets.ts';
import { formatBytes } from '../../common/text.ts';
import { assertFunction, assertInteger, assertOptions } from '../../errors.ts';
import { type ExtractionErrorCode, extractionError } from '../errors.ts';
import { type ExtractionLimits, resolveLimits } from '../limits.ts';
import { assertZlib } from '../options.ts';
import type { Medium } from '../types.ts';
import { createInflate, NATIVE_ZLIB, type NativeZlib, updateCrc } from './inflate.ts';
import { type Member, reasonToSkip, type Skip } from './members.ts';

/** A file of which any part can be read, so that an archive needs no memory for what is not read. */
export interface RandomAccess {
  /** Octets of the file. */
  readonly size: number;
  /** Reads the `length` octets from `offset` on, all of which are within the file. The result is the caller's own. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** The most octets of a directory, and of anything else that is held at once: some five million members. */
const DIRECTORY = 1 << 29;

/** How far from its end an archive may have its end record, in octets, besides a comment. */
const APPENDED = 1 << 20;

/** The least octets of a member besides its name and its data. */
const LOCAL_HEADER = 30;

/** Octets that are read at once. */
const BLOCK = 1 << 18;

/** Octets that the extra field of a local header may well have. */
const EXTRA = 64;

/** Negative for a raw stream, as zlib has it. */
const RAW = -15;

/** The most octets of a member, as it is stored and as it is, that are held together; zip.js reads larger ones as streams. */
const AT_ONCE = 1 << 26;

const OVERLAPPING = {
  failure: { code: 'damaged', message: 'damaged ZIP archive: its members lie over each other, as in a bomb' },
} as const;

/** What systems put into archives for themselves. */
const SYSTEM_FILE = /(?:^|\/)(__MACOSX\/|(?:\.DS_Store|Thumbs\.db|desktop\.ini)$)/i;

/** What goes wrong with one member, by the messages of zip.js. */
const FAILURES: Readonly<Record<string, readonly [code: ExtractionErrorCode, message: string]>> = {
  'File contains encrypted entry': ['encrypted', 'a password is needed to read it'],
  'Encryption method not supported': ['encrypted', 'a key is needed to read it'],
  'Compression method not supported': ['unsupported-media-type', 'cannot undo its compression'],
};

/**
 * Reads a ZIP archive (APPNOTE 6.3, Zip64 included) in the order of its central directory, which alone is held. What is in
 * it is taken as the files of a folder would be; images and other binary data are passed over, archives are given.
 * @param source - the archive
 * @param limits - per member: `octets` for what is stored of it, `inflated` for what it grows to
 * @param skip - told of every member that is no document: what was recognised, `symbolic link`, or the name of the system
 *   file; folders are not mentioned
 * @param zlib - null for pako even where there is node:zlib
 * @returns the documents; a member that cannot be read has a failure. A name that is there more than once has `#2`, `#3`
 *   and so on behind it from the second time on
 * @throws (rejects) TypeError `wrong-type`, RangeError `out-of-range`; Error `damaged` for an archive whose directory cannot
 *   be read (on), `encrypted` where a key is needed; whatever `source` and `skip` throw
 */
export async function* readZip(
  source: RandomAccess,
  limits: ExtractionLimits,
  skip: Skip,
  zlib: NativeZlib | null = NATIVE_ZLIB,
): AsyncGenerator<Member, undefined> {
  assertSource(source);
  const all = resolveLimits(limits);
  assertFunction('skip', skip);
  assertZlib(zlib);
  // What lies side by side is no more than the archive. Members over each other are a bomb; zip.js would hold every entry
  // to find them.
  let left = source.size;
  const tellApart = createTellingApart();
  for await (const entry of entries(source)) {
    const path = nameOf(entry);
    const [, system] = SYSTEM_FILE.exec(path) ?? [];
    if (system !== undefined) skip(system);
    else if (entry.symlink === true) skip('symbolic link');
    else if (!entry.directory) {
      const name = tellApart(path);
      left -= LOCAL_HEADER + entry.rawFilename.length + entry.compressedSize;
      if (isEmpty(entry)) {
        skip('empty');
        continue;
      }
      const content = left < 0 ? OVERLAPPING : await contentOf(entry, all, zlib);
      const reason = 'octets' in content ? skipReason(content.octets, path) : null;
      if (reason !== null) skip(reason);
      else yield { name, hints: { path }, warnings: [], content };
    }
  }
}

/**
 * Tells a document that is a ZIP archive (EPUB, DOCX, ODT) from an archive of documents, by the whole directory:
 * `detectType` sees the first members only.
 * @param source - the archive
 * @returns the medium, or null for an archive of documents
 * @throws (rejects) TypeError `wrong-type`, RangeError `out-of-range`; Error `damaged`; `unsupported-media-type` for a
 *   package that no extractor here reads
 */
export async function documentInZip(source: RandomAccess): Promise<Medium | null> {
  assertSource(source);
  const found = new Set<string>();
  let mimetype = '';
  for await (const entry of entries(source)) {
    if (entry.directory) continue;
    const [, part] = PARTS.exec(entry.filename) ?? [];
    if (part === undefined) continue;
    found.add(part);
    if (part !== 'mimetype' || entry.uncompressedSize > 256) continue;
    const content = await contentOf(entry, MIMETYPE_LIMITS, NATIVE_ZLIB);
    if ('octets' in content) mimetype = new TextDecoder().decode(content.octets).trim();
  }
  if (mimetype === 'application/epub+zip' || (mimetype === '' && found.has('META-INF/container.xml'))) {
    if (found.has('META-INF/container.xml')) return 'epub';
  }
  const [, kind] = /^application\/vnd\.oasis\.opendocument\.([a-z-]+)$/.exec(mimetype) ?? [];
  if (kind !== undefined && found.has('content.xml')) {
    if (/^text(?:-master|-template)?$/.test(kind)) return 'odt';
    throw extractionError('unsupported-media-type', `cannot read ${mimetype}`);
  }
  if (found.has('[Content_Types].xml')) {
    if (found.has('word/')) return 'docx';
    if (found.has('xl/')) throw extractionError('unsupported-media-type', 'cannot read XLSX (a spreadsheet)');
    if (found.has('ppt/')) throw extractionError('unsupported-media-type', 'cannot read PPTX (slides)');
  }
  return null;
}

function assertSource(source: RandomAccess): void {
  assertOptions('source', source, { size: 'number', read: 'function' });
  assertInteger('source.size', source.size, 0, Number.MAX_SAFE_INTEGER);
}

/** The members that packages are known by. */
const PARTS = /^(mimetype$|content\.xml$|META-INF\/container\.xml$|\[Content_Types\]\.xml$|word\/|xl\/|ppt\/)/;

const MIMETYPE_LIMITS = { octets: 1024, inflated: 1024 };

/** The directory, one entry after another. */
async function* entries(source: RandomAccess): AsyncGenerator<Entry, undefined> {
  const access = createAccess(source);
  // Nothing is written anywhere by these names, and an archive that only the strict refuse can still be read.
  const reader = new ZipReader(access.reader, {
    strictness: 'tolerant',
    maxAppendedDataSize: APPENDED,
    useWebWorkers: false,
  });
  const all = reader.getEntriesGenerator();
  for (;;) {
    const { done, value } = await access.watch(all.next(), (message, error) => {
      if (/encrypted/i.test(message)) throw extractionError('encrypted', 'a key is needed to read the archive', error);
      throw extractionError('damaged', `damaged ZIP archive: ${describe(message)}`, error);
    });
    if (done === true) return;
    ACCESS.set(value, { ...access, source, end: Math.min(source.size, reader.directoryOffset ?? 0) });
    yield value;
  }
}

/** The name of a member. Control characters stay what they are; zip.js has the pictures of code page 437 for them. */
function nameOf({ filename, rawFilename, filenameUTF8 }: Entry): string {
  if (filenameUTF8 || !rawFilename.some(isControl)) return filename;
  return Array.from(rawFilename, (octet, at) => (isControl(octet) ? String.fromCharCode(octet) : filename[at])).join(
    '',
  );
}

function isControl(octet: number): boolean {
  return octet < 0x20 || octet === 0x7f;
}

/** Makes a function that gives each name back as it is, or with a number behind it if it has been given before. */
function createTellingApart(): (name: string) => string {
  /** How often each has been there, or been made. */
  const times = new Map<string, number>();
  return (name) => {
    let count = 1 + (times.get(name) ?? 0);
    let unique = name;
    if (count > 1) {
      while (times.has(`${name}#${count}`)) count++;
      unique = `${name}#${count}`;
      times.set(unique, 1);
    }
    times.set(name, count);
    return unique;
  };
}

/** Whether the directory says so. The size of nothing with the checksum of something is damage, which is to be told. */
function isEmpty({ uncompressedSize, crc32 = 0 }: Entry): boolean {
  return uncompressedSize === 0 && crc32 === 0;
}

interface Access {
  readonly reader: Reader<RandomAccess>;
  /** Waits; what the source threw is thrown on as it is, and `failed` says what else there may be. */
  watch<T, U = never>(result: Promise<T>, failed: (message: string, error: unknown) => U): Promise<T | U>;
}

/** How the archive of an entry is read, and where its directory begins: all members lie ahead of that. */
const ACCESS = new WeakMap<Entry, Access & { readonly source: RandomAccess; readonly end: number }>();

function createAccess(source: RandomAccess): Access {
  let failure: { readonly error: unknown } | undefined;
  class RandomAccessReader extends Reader<RandomAccess> {
    override size = source.size;
    override async readUint8Array(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
      const end = Math.min(offset + length, source.size);
      if (!(offset >= 0 && offset < end)) return new Uint8Array(0);
      if (end - offset > DIRECTORY) throw new Error(`its directory is larger than ${formatBytes(DIRECTORY)}`);
      try {
        return (await source.read(offset, end - offset)) as Uint8Array<ArrayBuffer>;
      } catch (error) {
        failure = { error };
        throw error;
      }
    }
  }
  return {
    reader: new RandomAccessReader(source),
    async watch(result, failed) {
      try {
        return await result;
      } catch (error) {
        if (failure !== undefined) throw failure.error;
        return failed(error instanceof Error ? error.message : String(error), error);
      }
    },
  };
}

/** Reads a member whole, or says why it cannot be. */
async function contentOf(
  entry: Entry,
  limits: Pick<ExtractionLimits, 'octets' | 'inflated'>,
  zlib: NativeZlib | null,
): Promise<Member['content']> {
  if (entry.directory) return { octets: new Uint8Array(0) };
  if (entry.compressedSize > limits.octets) {
    const size = formatBytes(limits.octets);
    return { failure: { code: 'too-large', message: `more than the ${size} that may be read of it` } };
  }
  const octets = entry.uncompressedSize > limits.inflated ? null : await readPlain(entry, zlib);
  if (octets !== null) return { octets };
  const parts: Uint8Array[] = [];
  // What is announced to be too much need not be tried.
  let total = entry.uncompressedSize > limits.inflated ? entry.uncompressedSize : 0;
  const writable = new WritableStream<Uint8Array>({
    write(part) {
      total += part.length;
      if (total > limits.inflated) throw new Error('too large');
      parts.push(part.slice());
    },
  });
  const read = async (): Promise<Member['content']> => {
    if (total > limits.inflated) throw new Error('too large');
    await entry.getData(writable, { checkCrc32: true, useWebWorkers: false });
    return { octets: concatenate(parts) };
  };
  return ACCESS.get(entry)!.watch(read(), (message): Member['content'] => {
    if (total > limits.inflated) {
      const size = formatBytes(limits.inflated);
      return { failure: { code: 'too-large', message: `grows to more than the ${size} that may come out of it` } };
    }
    const [code, told] = FAILURES[message] ?? ['damaged', `damaged ZIP archive: ${describe(message)}`];
    return { failure: { code, message: told } };
  });
}

/**
 * Reads a member that is stored or deflated and that is what the directory says of it. The streams of zip.js take many
 * times as long.
 * @returns null for every other member, for zip.js to read after all, or to say what is wrong with it
 * @throws (rejects) whatever the source throws
 */
async function readPlain(entry: Entry, zlib: NativeZlib | null): Promise<Uint8Array | null> {
  const { compressionMethod: method, compressedSize, uncompressedSize, crc32 } = entry;
  if (entry.encrypted || entry.extraFieldAES !== undefined || crc32 === undefined) return null;
  if (method === 0 ? compressedSize !== uncompressedSize : method !== 8) return null;
  if (Math.max(compressedSize, uncompressedSize) > AT_ONCE) return null;
  // A number that should be in the Zip64 extra field, which is not there.
  const isMissing = entry.offset >= 2 ** 32 - 1 || entry.diskNumberStart === 0xffff;
  if (isMissing && entry.extraFieldZip64 === undefined) return null;
  const data = await readData(entry);
  if (data === null) return null;
  const octets = method === 0 ? data : inflate(data, uncompressedSize, zlib);
  return octets !== null && updateCrc(zlib, octets, 0) === crc32 ? octets : null;
}

/** Reads what is stored of a member, most often with its local header at once; null if it is not where it should be. */
async function readData(entry: Entry): Promise<Uint8Array | null> {
  const { source, end } = ACCESS.get(entry)!;
  const { offset, compressedSize: length } = entry;
  if (!(offset >= 0 && offset + LOCAL_HEADER <= end)) return null;
  const guess = LOCAL_HEADER + entry.rawFilename.length + EXTRA + length;
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

/** Undoes deflate; null unless exactly `size` octets come out of exactly all that is there. */
function inflate(data: Uint8Array, size: number, zlib: NativeZlib | null): Uint8Array | null {
  return zlib === null ? inflateInSteps(data, size) : inflateAtOnce(data, size, zlib);
}

function inflateAtOnce(data: Uint8Array, size: number, zlib: NativeZlib): Uint8Array | null {
  try {
    // The types know nothing of what `info` makes of the result.
    const { buffer, engine } = zlib.inflateRawSync(data, {
      info: true,
      maxOutputLength: Math.max(size, 1),
      chunkSize: Math.min(Math.max(size, 64), 1 << 16),
    }) as unknown as { buffer: Uint8Array; engine: { bytesWritten: number } };
    if (buffer.length !== size || engine.bytesWritten !== data.length) return null;
    return new Uint8Array(buffer.buffer, buffer.byteOffset, size);
  } catch {
    return null;
  }
}

function inflateInSteps(data: Uint8Array, size: number): Uint8Array | null {
  const stream = createInflate(RAW, Math.min(Math.max(size, 64), 1 << 16));
  const parts: Uint8Array[] = [];
  let left = size;
  stream.give(data);
  for (let part = stream.take(); part !== null; part = stream.take()) {
    left -= part.length;
    if (left < 0) return null;
    parts.push(part);
  }
  return left === 0 && stream.isOver && stream.left === 0 ? concatenate(parts) : null;
}

/** A member's name and octets decide, as with a file in a folder; what is an archive itself is for the caller. */
function skipReason(octets: Uint8Array, name: string): string | null {
  if (octets.length === 0) return 'empty';
  const reason = reasonToSkip(octets, { path: name }, '');
  return reason !== null && ARCHIVES.includes(reason) ? null : reason;
}

const ARCHIVES: readonly string[] = ['application/zip', 'application/gzip', 'application/warc'];

/** A message of zip.js as the rest of a sentence. */
function describe(message: string): string {
  return message === '' ? 'it cannot be read' : `${message[0]!.toLowerCase()}${message.slice(1)}`;
}
