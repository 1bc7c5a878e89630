import { assertInteger, assertOptions } from '../../errors.ts';
import { type ExtractionError, unreadableError } from '../errors.ts';
import {
  createExpansionMeter,
  documentTooLarge,
  type ExtractionLimits,
  inflatedTooLarge,
  limitInflation,
  type Meter,
  resolveLimits,
} from '../limits.ts';
import { type PackageMember, salvage } from '../package/salvage.ts';
import { detectPackage, packagePartOf } from '../package-type.ts';
import type { Medium } from '../types.ts';
import {
  assertArchiveOptions,
  createUniqueNames,
  detectMember,
  type Member,
  type ReadArchiveOptions,
  skipReasonOf,
  toFailure,
} from './archive-members.ts';
import { type RandomAccess, readDirectory, type ZipEntry } from './zip-directory.ts';

export type { Member, ReadArchiveOptions } from './archive-members.ts';
export type { RandomAccess } from './zip-directory.ts';

/** The maximum distance of the end of the directory from the end of the file, in bytes, not counting a comment. */
const MAX_APPENDED = 1 << 20;

/** The maximum number of entries of a directory that are kept for a second use. */
const MAX_HELD = 10_000;

/** The WARC files of a WACZ, a web archive, are its only documents; this is the reason why other members are skipped. */
const WARC_NAME = /\.warc(?:\.gz)?$/i;
const WACZ_PART = 'part of WACZ';

const SALVAGE_WINDOW = 1 << 20;

const MAX_MIMETYPE = 256;

const OVERLAPPING = {
  failure: { code: 'damaged', message: 'damaged ZIP archive: overlapping members (possible ZIP bomb)' },
} as const;

/** A ZIP archive that is open. */
export interface ZipArchive {
  /** The medium of a document that is a ZIP archive, such as EPUB; null for an archive of documents. */
  readonly medium: Medium | null;
  /** Reads the members; see {@link readZip}. */
  documents(options?: ReadArchiveOptions): AsyncGenerator<Member, undefined>;
}

/**
 * Opens a ZIP archive (APPNOTE 6.3 with Zip64) and detects whether it is a document, by its whole directory: `detectType`
 * receives the first members only.
 * @param source - the archive
 * @throws (rejects) TypeError `wrong-type`, RangeError `out-of-range`; Error `damaged` for a directory that cannot be read,
 *   `encrypted`, `unsupported-media-type` for a package that cannot be read; whatever `source` throws
 * @example
 * const { medium } = await openZip(file); // 'epub', or null for an archive of documents
 */
export async function openZip(source: RandomAccess): Promise<ZipArchive> {
  assertSource(source);
  try {
    const { parts, documents } = await openDirectory(source);
    return { medium: parts.medium(), documents };
  } catch (error) {
    const medium = (error as ExtractionError).code === 'damaged' ? await mediumAtStart(source) : null;
    if (medium === null) throw error;
    return {
      medium,
      // biome-ignore lint/correctness/useYield: without a directory, there are no documents
      async *documents() {
        throw error;
      },
    };
  }
}

async function mediumAtStart(source: RandomAccess): Promise<Medium | null> {
  if (source.size === 0) return null;
  const parts = createPackageDetector();
  const start = await source.read(0, Math.min(source.size, SALVAGE_WINDOW));
  // LibreOffice writes the content types last.
  for (const member of salvage(start, MAX_HELD).members)
    await parts.add(member.name === '_rels/.rels' ? { ...member, name: '[Content_Types].xml' } : member);
  return parts.medium();
}

async function openDirectory(source: RandomAccess) {
  let held: ZipEntry[] | null = [];
  const parts = createPackageDetector();
  let [hasPackage, hasWarc] = [false, false];
  for await (const entry of readDirectory(source, MAX_APPENDED)) {
    if (held?.length === MAX_HELD) held = null;
    held?.push(entry);
    if (entry.isFolder) continue;
    hasPackage ||= entry.name === 'datapackage.json';
    hasWarc ||= entry.name.startsWith('archive/') && WARC_NAME.test(entry.name);
    await parts.add(entry);
  }
  const entries = held;
  const isWacz = hasPackage && hasWarc;
  return {
    parts,
    documents: (options: ReadArchiveOptions = {}) =>
      readEntries(entries ?? readDirectory(source, MAX_APPENDED), source.size, isWacz, options),
  };
}

function createPackageDetector() {
  const parts = new Set<string>();
  let mimetype = '';
  return {
    async add(entry: PackageMember): Promise<void> {
      if (entry.name === 'mimetype') {
        const content = await entry.read(MAX_MIMETYPE);
        mimetype = 'bytes' in content ? new TextDecoder().decode(content.bytes).trim() : '';
      }
      const part = packagePartOf(entry.name);
      if (part !== undefined) parts.add(part);
    },
    /** Throws `unsupported-media-type` for a package that cannot be read. */
    medium(): Medium | null {
      const has = (part: string): boolean => parts.has(part);
      const found = detectPackage(mimetype || (has('META-INF/container.xml') ? 'application/epub+zip' : ''), has);
      if (typeof found === 'object' && found !== null) throw unreadableError(found);
      return found;
    },
  };
}

/**
 * Reads the documents in a ZIP archive in the order of its central directory, which alone is held in memory. Members are
 * treated as files in a folder: images and other binary data are skipped, archives are not opened.
 * @param source - the archive
 * @param options - `limits` apply to each member: `bytes` to its compressed size, `inflated` to its size, `ratio` to
 *   all of them together. `onSkipped` is called for every member that is not a document, but not for folders: with the
 *   recognised format, `empty`, `symbolic link`, or the name of a system file
 * @returns the documents; a member that cannot be read has a failure. Repeated names get `#2`, `#3` and so on
 * @throws (rejects) TypeError `wrong-type`, RangeError `out-of-range`; Error `damaged` for a directory that cannot be read,
 *   or not to its end, `encrypted`; whatever `source` and `onSkipped` throw
 * @example
 * for await (const { name, hints, content } of readZip(file)) …
 */
export async function* readZip(
  source: RandomAccess,
  options: ReadArchiveOptions = {},
): AsyncGenerator<Member, undefined> {
  assertSource(source);
  assertArchiveOptions(options);
  resolveLimits(options.limits);
  yield* (await openDirectory(source)).documents(options);
}

async function* readEntries(
  entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>,
  size: number,
  isWacz: boolean,
  options: ReadArchiveOptions,
): AsyncGenerator<Member, undefined> {
  assertArchiveOptions(options);
  const limits = limitInflation(resolveLimits(options.limits), size);
  const meter = createExpansionMeter(limits, () => size);
  const onSkipped = options.onSkipped ?? (() => undefined);
  const uniqueName = createUniqueNames();
  // Members side by side are at most as large as the archive; overlapping ones are a bomb.
  let left = size;
  for await (const entry of entries) {
    const reason = skipReasonOf(entry.name) ?? (isWacz && !WARC_NAME.test(entry.name) ? WACZ_PART : undefined);
    if (entry.isFolder) continue;
    if (reason !== undefined) onSkipped(reason);
    else if (entry.isSymbolicLink) onSkipped('symbolic link');
    else {
      const name = uniqueName(entry.name);
      left -= entry.span;
      const content = entry.isEmpty ? 'empty' : left < 0 ? OVERLAPPING : await contentOf(entry, limits, meter);
      if (typeof content === 'string') onSkipped(content);
      else yield { name, hints: { path: entry.name }, warnings: [], content };
    }
  }
}

async function contentOf(entry: ZipEntry, limits: ExtractionLimits, meter: Meter): Promise<Member['content'] | string> {
  if (entry.compressedSize > limits.bytes) return { failure: toFailure(documentTooLarge(limits)) };
  const content = await entry.read(limits.inflated);
  if ('failure' in content)
    return content.failure.code === 'too-large' ? { failure: toFailure(inflatedTooLarge(limits)) } : content;
  const { bytes } = content;
  if (bytes.length === 0) return 'empty';
  const found = detectMember(bytes, { path: entry.name }, '');
  if ('reason' in found) return found.reason;
  try {
    meter(bytes.length);
  } catch (error) {
    return { failure: toFailure(error as ExtractionError) };
  }
  return { bytes, type: found.type };
}

function assertSource(source: RandomAccess): void {
  assertOptions('source', source, { size: 'number', read: 'function' });
  assertInteger('source.size', source.size, 0, Number.MAX_SAFE_INTEGER);
}
