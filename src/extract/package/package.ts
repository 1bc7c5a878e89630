import { formatNumber, quote } from '../../common/text.ts';
import { readDirectory, type ZipContent } from '../archive/zip-directory.ts';
import { type ExtractionError, extractionError } from '../errors.ts';
import { type InflationLimit, inflatedTooLarge } from '../limits.ts';
import { chooseXmlCharset, decodeAs } from '../text/charset.ts';
import type { Extraction, ExtractionContext, ExtractorName } from '../types.ts';
import { type PackageMember, salvage } from './salvage.ts';

/** The most members of a package. EPUBs of whole encyclopedias have fewer. */
const MAX_MEMBERS = 100_000;

/** A document that is a ZIP archive, such as EPUB, DOCX and ODT. */
export interface Package {
  /** Warnings about damage to the archive itself: none, or one if its members were found without its directory. */
  readonly warnings: readonly string[];
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
 * Opens a package. A member is decompressed when it is read. If the directory is missing or damaged, the members are read
 * from their local headers, with a warning.
 * @param octets - the ZIP archive
 * @param limits - `inflated` applies to everything that is read, together
 * @throws (rejects) Error `damaged`, `encrypted`, `too-large`
 */
export async function openPackage(octets: Uint8Array, limits: InflationLimit): Promise<Package> {
  const { members, warnings } = await findMembers(octets);
  let left = limits.inflated;
  return {
    warnings,
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

interface Found {
  readonly members: ReadonlyMap<string, PackageMember>;
  readonly warnings: readonly string[];
}

async function findMembers(octets: Uint8Array): Promise<Found> {
  let failure: unknown;
  try {
    const found = await readMembers(octets);
    if (found !== null) return { members: found, warnings: [] };
  } catch (error) {
    if ((error as ExtractionError).code !== 'damaged') throw error;
    failure = error;
  }
  const { members, isCutOff } = salvage(octets, MAX_MEMBERS + 1);
  if (members.length === 0) throw failure ?? extractionError('damaged', 'damaged ZIP archive: it has no members');
  const damage = isCutOff ? 'its end is missing, and parts' : 'its directory is unreadable, and parts';
  return { members: await byName(members), warnings: [`damaged: ${damage} may be missing, too`] };
}

/** Reads the directory; null if it is that of a package in this one, whose own directory is cut off. */
async function readMembers(octets: Uint8Array): Promise<ReadonlyMap<string, PackageMember> | null> {
  const source = {
    size: octets.length,
    read: async (offset: number, length: number) => octets.subarray(offset, offset + length),
  };
  let start = octets.length;
  async function* entries() {
    for await (const entry of readDirectory(source, octets.length)) {
      start = Math.min(start, entry.offset);
      yield entry;
    }
  }
  const members = await byName(entries());
  return start > 0 && beginsWithMember(octets) ? null : members;
}

function beginsWithMember(octets: Uint8Array): boolean {
  return octets[0] === 0x50 && octets[1] === 0x4b && octets[2] === 3 && octets[3] === 4;
}

async function byName(
  entries: Iterable<PackageMember> | AsyncIterable<PackageMember>,
): Promise<ReadonlyMap<string, PackageMember>> {
  const members = new Map<string, PackageMember>();
  let count = 0;
  for await (const entry of entries) {
    if (++count > MAX_MEMBERS) throw extractionError('too-large', `has more than ${formatNumber(MAX_MEMBERS)} members`);
    if (!entry.isFolder) members.set(entry.name, entry);
  }
  return members;
}

async function readEntry(entry: PackageMember, maxOutput: number): Promise<ZipContent> {
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
