import { type Entry, Reader, ZipReader } from '@zip.js/zip.js';
import { assertFunction, assertInteger, assertOptions } from '../scheme/errors.ts';
import { type ExtractionErrorCode, extractionError } from './errors.ts';
import { type ExtractionLimits, formatOctets, resolveLimits } from './limits.ts';
import { type Member, reasonToSkip, type Skip } from './members.ts';
import { concatenate } from './octets.ts';
import type { Medium } from './types.ts';

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
 * @returns the documents; a member that cannot be read has a failure
 * @throws (rejects) TypeError `wrong-type`, RangeError `out-of-range`; Error `damaged` for an archive whose directory cannot
 *   be read (on), `encrypted` where a key is needed; whatever `source` and `skip` throw
 */
export async function* readZip(
  source: RandomAccess,
  limits: ExtractionLimits,
  skip: Skip,
): AsyncGenerator<Member, undefined> {
  assertSource(source);
  const all = resolveLimits(limits);
  assertFunction('skip', skip);
  // What lies side by side is no more than the archive. Members over each other are a bomb; zip.js would hold every entry
  // to find them.
  let left = source.size;
  for await (const entry of entries(source)) {
    const { filename: name } = entry;
    const [, system] = SYSTEM_FILE.exec(name) ?? [];
    if (system !== undefined) skip(system);
    else if (entry.symlink === true) skip('symbolic link');
    else if (!entry.directory) {
      const member = { name, hints: { path: name }, warnings: [] };
      left -= LOCAL_HEADER + entry.rawFilename.length + entry.compressedSize;
      const content = left < 0 ? OVERLAPPING : await contentOf(entry, all);
      const reason = 'octets' in content ? skipReason(content.octets, name) : null;
      if (reason !== null) skip(reason);
      else yield { ...member, content };
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
    const content = await contentOf(entry, MIMETYPE_LIMITS);
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
    ACCESS.set(value, access);
    yield value;
  }
}

interface Access {
  readonly reader: Reader<RandomAccess>;
  /** Waits; what the source threw is thrown on as it is, and `failed` says what else there may be. */
  watch<T, U = never>(result: Promise<T>, failed: (message: string, error: unknown) => U): Promise<T | U>;
}

/** How the archive of an entry is read. */
const ACCESS = new WeakMap<Entry, Access>();

function createAccess(source: RandomAccess): Access {
  let failure: { readonly error: unknown } | undefined;
  class RandomAccessReader extends Reader<RandomAccess> {
    override size = source.size;
    override async readUint8Array(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
      const end = Math.min(offset + length, source.size);
      if (!(offset >= 0 && offset < end)) return new Uint8Array(0);
      if (end - offset > DIRECTORY) throw new Error(`its directory is larger than ${formatOctets(DIRECTORY)}`);
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
): Promise<Member['content']> {
  if (entry.directory) return { octets: new Uint8Array(0) };
  if (entry.compressedSize > limits.octets) {
    const size = formatOctets(limits.octets);
    return { failure: { code: 'too-large', message: `more than the ${size} that may be read of it` } };
  }
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
      const size = formatOctets(limits.inflated);
      return { failure: { code: 'too-large', message: `grows to more than the ${size} that may come out of it` } };
    }
    const [code, told] = FAILURES[message] ?? ['damaged', `damaged ZIP archive: ${describe(message)}`];
    return { failure: { code, message: told } };
  });
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
