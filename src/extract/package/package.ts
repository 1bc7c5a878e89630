import { formatNumber, quote } from '../../common/text.ts';
import { readDirectory, type ZipContent, type ZipEntry } from '../archive/zip-directory.ts';
import { extractionError } from '../errors.ts';
import { type InflationLimit, inflatedTooLarge } from '../limits.ts';
import { chooseXmlCharset, decodeAs } from '../text/charset.ts';
import type { Extraction, ExtractionContext, ExtractorName } from '../types.ts';

/** The most members of a package. EPUBs of whole encyclopedias have fewer. */
const MAX_MEMBERS = 100_000;

/** A document that is a ZIP archive, such as EPUB, DOCX and ODT. */
export interface Package {
  /** Names of its members. */
  names(): Iterable<string>;
  /** True if it has a member of that name. */
  has(name: string): boolean;
  /**
   * Reads a member whole. The sizes of all members that are read are added up.
   * @param name - the name; of several members with that name, the last one is read, as in other readers
   * @returns null if there is none of that name
   * @throws (rejects) Error `too-large`, `encrypted`, `damaged`, `unsupported-media-type`
   */
  read(name: string): Promise<Uint8Array | null>;
}

/** Reads one medium whose documents are packages. */
export interface PackageExtractor extends ExtractorName {
  /**
   * Extracts the text (EXT-1 to EXT-3).
   * @param parts - the package
   * @param context - limits and progress
   * @throws (rejects) Error with a code of the closed set
   */
  extract(parts: Package, context: ExtractionContext): Promise<Extraction>;
}

/**
 * Opens a package. A member is decompressed when it is read.
 * @param octets - the ZIP archive
 * @param limits - `inflated` applies to everything that is read, together
 * @throws (rejects) Error `damaged`, `encrypted`, `too-large`
 */
export async function openPackage(octets: Uint8Array, limits: InflationLimit): Promise<Package> {
  const source = {
    size: octets.length,
    read: async (offset: number, length: number) => octets.subarray(offset, offset + length),
  };
  const members = new Map<string, ZipEntry>();
  let count = 0;
  for await (const entry of readDirectory(source, octets.length)) {
    if (++count > MAX_MEMBERS) throw extractionError('too-large', `has more than ${formatNumber(MAX_MEMBERS)} members`);
    if (!entry.isFolder) members.set(entry.name, entry);
  }
  let left = limits.inflated;
  return {
    names: () => members.keys(),
    has: (name) => members.has(name),
    async read(name) {
      const entry = members.get(name);
      if (entry === undefined) return null;
      const content = await readEntry(entry, left);
      if ('failure' in content) {
        const { code, message } = content.failure;
        throw code === 'too-large' ? inflatedTooLarge(limits) : extractionError(code, `${quote(name)} ${message}`);
      }
      left -= content.octets.length;
      return content.octets;
    },
  };
}

async function readEntry(entry: ZipEntry, maxOutput: number): Promise<ZipContent> {
  if (entry.isEncrypted) return { failure: { code: 'encrypted', message: 'is encrypted' } };
  return entry.read(maxOutput);
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
