import { accessOfBytes, latin1 } from '../../common/bytes.ts';
import { formatNumber, quote } from '../../common/text.ts';
import { readDirectory } from '../archive/zip-directory.ts';
import { type ExtractionError, extractionError } from '../errors.ts';
import { type InflationLimit, inflatedTooLarge } from '../limits.ts';
import { chooseXmlCharset, decodeAs } from '../text/charset.ts';
import type { Extraction, ExtractionContext, ExtractorName } from '../types.ts';
import { type LocalPackageMember, type PackageMember, salvage } from './salvage.ts';

/** The maximum number of members of a package. EPUBs of whole encyclopedias have fewer. */
const MAX_MEMBERS = 100_000;

/** A document that is a ZIP archive, such as EPUB, DOCX and ODT. */
export type Package = Awaited<ReturnType<typeof openPackage>>;

export interface PackageExtractor extends ExtractorName {
  extract(parts: Package, context: ExtractionContext): Promise<Extraction>;
}

/** Opens a package; without a usable directory, by local headers. `inflated` applies to all that is read, together. */
export async function openPackage(bytes: Uint8Array, limits: InflationLimit, name = 'ZIP') {
  const { members, warnings } = await findMembers(bytes, name);
  let left = limits.inflated;
  let local: Promise<ReadonlyMap<string, LocalPackageMember>> | undefined;
  const salvaged = new Map<string, Uint8Array | null>();
  async function salvageMember(name: string): Promise<Uint8Array | null> {
    if (salvaged.has(name)) return salvaged.get(name)!;
    local ??= byName(salvage(bytes, MAX_MEMBERS).members);
    const content = (await local).get(name)?.salvage(left) ?? null;
    salvaged.set(name, content);
    if (content !== null) warnings.push(`damaged: ${quote(name)} may be incomplete or wrong`);
    return content;
  }
  let folded: ReadonlyMap<string, PackageMember> | undefined;
  /** Finds a member; case counts only where two names differ in nothing else (ISO/IEC 29500-2). */
  function find(name: string): PackageMember | undefined {
    folded ??= new Map(Array.from(members, ([each, member]) => [each.toLowerCase(), member]));
    return members.get(name) ?? folded.get(name.toLowerCase());
  }
  return {
    /** Warnings about damage to the archive itself, and to members that were read. */
    warnings: warnings as readonly string[],
    names: () => members.keys(),
    has: (name: string) => find(name) !== undefined,
    /** Reads the last member of that name, or null; of a damaged one, the markup before the damage, with a warning. */
    async read(name: string): Promise<Uint8Array | null> {
      const entry = find(name);
      if (entry === undefined) return null;
      if (entry.isEncrypted) throw extractionError('encrypted', `${quote(name)} is encrypted`);
      const content = await entry.read(left);
      if ('failure' in content) {
        const { code, message } = content.failure;
        const bytes = code === 'damaged' ? await salvageMember(name) : null;
        if (bytes !== null) {
          left -= bytes.length;
          return bytes;
        }
        throw code === 'too-large' ? inflatedTooLarge(limits) : extractionError(code, `${quote(name)} ${message}`);
      }
      left -= content.bytes.length;
      return content.bytes;
    },
  };
}

async function findMembers(bytes: Uint8Array, name: string) {
  const warnings: string[] = [];
  let failure: unknown;
  try {
    const found = await readMembers(bytes);
    if (found !== null) return { members: found, warnings };
  } catch (error) {
    if ((error as ExtractionError).code !== 'damaged') throw error;
    failure = error;
  }
  const { members, isCutOff } = salvage(bytes, MAX_MEMBERS + 1);
  if (members.length === 0)
    throw extractionError('damaged', `is not a valid ${name} file: damaged, truncated or of another format`, failure);
  const damage = isCutOff ? 'its end is missing, and parts' : 'its directory is unreadable, and parts';
  warnings.push(`damaged: ${damage} may also be missing`);
  return { members: await byName<PackageMember>(members), warnings };
}

/** Reads the directory; null if it belongs to a nested package and the directory of this one is cut off. */
async function readMembers(bytes: Uint8Array): Promise<ReadonlyMap<string, PackageMember> | null> {
  let start = bytes.length;
  async function* entries() {
    for await (const entry of readDirectory(accessOfBytes(bytes), bytes.length)) {
      start = Math.min(start, entry.offset);
      yield entry;
    }
  }
  const members = await byName(entries());
  const beginsWithMember = latin1(bytes.subarray(0, 4)) === 'PK\x03\x04';
  return start > 0 && beginsWithMember ? null : members;
}

async function byName<M extends PackageMember>(
  entries: Iterable<M> | AsyncIterable<M>,
): Promise<ReadonlyMap<string, M>> {
  const members = new Map<string, M>();
  let count = 0;
  for await (const entry of entries) {
    if (++count > MAX_MEMBERS) throw extractionError('too-large', `has more than ${formatNumber(MAX_MEMBERS)} members`);
    // Some programs for Windows write the wrong separator.
    if (!entry.isFolder) members.set(entry.name.replaceAll('\\', '/'), entry);
  }
  return members;
}

/** Makes a warning about a damaged part without which the document can be read. Throws any other error than `damaged` again. */
export function damageWarning(path: string, error: unknown): string {
  if ((error as ExtractionError).code !== 'damaged') throw error;
  return `damaged: text of ${quote(path)} is missing`;
}

/** Resolves a path against a folder, which ends in `/` or is empty; with a `/` at its start, from the root. */
export function resolvePath(folder: string, reference: string): string {
  const segments: string[] = [];
  for (const segment of (reference.startsWith('/') ? reference : `${folder}${reference}`).split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments.join('/');
}

export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

export async function readMarkup(parts: Package, name: string): Promise<string | null> {
  const bytes = await parts.read(name);
  return bytes === null ? null : decodeAs(bytes, chooseXmlCharset(bytes, {}).name);
}
