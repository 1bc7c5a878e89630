import { type FileEntry, Uint8ArrayReader, ZipReader } from '@zip.js/zip.js/lib/zip-core-native.js';
import { concatenate } from '../../common/octets.ts';
import { type ExtractionError, extractionError } from '../errors.ts';
import { createInflationMeter, type ExtractionLimits } from '../limits.ts';
import { chooseXmlCharset, decodeAs } from '../text/charset.ts';

/** How many members a document's package may have: EPUBs of whole encyclopedias stay below, and a list of them is small. */
const MEMBERS = 100_000;

/** A document that is a ZIP archive of parts: EPUB, DOCX, ODT. */
export interface Package {
  /** Names of its members, as they stand in the archive. */
  names(): Iterable<string>;
  /** Whether it has a member of that name. */
  has(name: string): boolean;
  /**
   * Reads a member whole. What comes out of the package is counted, however often it is read.
   * @param name - the name as it stands in the archive; where several bear it, the last one is read, as others do
   * @returns its octets, or null where it has none of that name
   * @throws (rejects) Error `too-large`, `encrypted`, `damaged`, `unsupported-media-type`
   */
  read(name: string): Promise<Uint8Array | null>;
}

/**
 * Opens a document's package. Members are inflated when they are read, one at a time; nothing is written anywhere, so
 * that their names are keys and no paths.
 * @param octets - the archive
 * @param limits - `inflated` holds for all that is read of it together
 * @throws (rejects) Error `damaged`, `encrypted`, `too-large`
 */
export async function openPackage(octets: Uint8Array, limits: ExtractionLimits): Promise<Package> {
  const options = { useWebWorkers: false, strictness: 'tolerant' } as const;
  const meter = createInflationMeter(limits);
  const members = new Map<string, FileEntry>();
  try {
    let count = 0;
    for await (const entry of new ZipReader(new Uint8ArrayReader(octets), options).getEntriesGenerator()) {
      if (++count > MEMBERS) throw extractionError('too-large', `is a package of more than ${MEMBERS} members`);
      if (!entry.directory) members.set(entry.filename, entry);
    }
  } catch (error) {
    throw ofPackage(error, 'the package');
  }

  return {
    names: () => members.keys(),
    has: (name) => members.has(name),
    async read(name) {
      const entry = members.get(name);
      if (entry === undefined) return null;
      if (entry.encrypted) throw extractionError('encrypted', `${quote(name)} in the package is encrypted`);
      const chunks: Uint8Array[] = [];
      const sink = new WritableStream<Uint8Array>({
        write(chunk) {
          meter(chunk.length);
          chunks.push(chunk);
        },
      });
      try {
        await entry.getData(sink, { ...options, checkCrc32: true });
      } catch (error) {
        throw ofPackage(error, `${quote(name)} in the package`);
      }
      return concatenate(chunks);
    },
  };
}

/** Puts what the ZIP reader throws in the closed set of errors; our own pass through it. */
function ofPackage(error: unknown, what: string): Error {
  const { code, message } = error as Partial<ExtractionError> & Error;
  if (code === 'too-large') return error as Error;
  if (/encrypt|password/i.test(message)) return extractionError('encrypted', `${what} is encrypted`, error);
  if (/compression method|compression not supported/i.test(message))
    return extractionError('unsupported-media-type', `${what} is compressed in a way that is not read here`, error);
  return extractionError('damaged', `${what} is damaged: ${message}`, error);
}

function quote(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);
}

/**
 * Resolves the path of a member against the folder that it is named in.
 * @param folder - the folder, with a `/` at its end; empty for the root
 * @param reference - a path relative to it, or from the root with a `/` at its start
 */
export function resolvePath(folder: string, reference: string): string {
  const segments: string[] = [];
  for (const segment of (reference.startsWith('/') ? reference : `${folder}${reference}`).split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments.join('/');
}

/** The folder of a path, with a `/` at its end; empty for the root. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/**
 * Reads a member as XML.
 * @returns its markup, decoded, or null where the package has none of that name
 * @throws (rejects) as {@link Package.read}
 */
export async function readMarkup(parts: Package, name: string): Promise<string | null> {
  const octets = await parts.read(name);
  return octets === null ? null : decodeAs(octets, chooseXmlCharset(octets, {}).name);
}
