import { documentTooLarge, type ExtractionLimits } from '../../limits.ts';
import {
  createUniqueNames,
  detectMember,
  type Member,
  type ReadArchiveOptions,
  readInOrder,
  skipReasonOf,
  toFailure,
} from '../archive-members.ts';
import type { ByteReader } from '../byte-reader.ts';
import { decodePath, type PaxFields, parsePax, parseTarHeader, TAR_BLOCK, type TarHeader } from './header.ts';

export type { Member, ReadArchiveOptions } from '../archive-members.ts';

/** The maximum size of a pax header or a long name, in bytes. */
const MAX_EXTENSION = 1 << 20;

const SKIPPED = 1 << 16;

/** Types of members that are not files, with the reason to skip them; null for those that need no mention. */
const NO_FILE: Readonly<Record<string, string | null>> = {
  1: 'hard link',
  2: 'symbolic link',
  3: 'device',
  4: 'device',
  5: null,
  6: 'FIFO',
  // A folder with a list of its files, and the label of the archive (GNU).
  D: null,
  V: null,
};

interface Extensions {
  readonly name?: string;
  readonly fields?: PaxFields;
}

/**
 * Reads the documents in a tar archive (POSIX ustar and pax, GNU, and older ones) in their order, in memory bounded by its
 * largest member within the limits. Members are treated as files in a folder: images and other binary data are skipped,
 * archives are not opened.
 * @param chunks - the archive, not compressed, in parts of any size; a part may be overwritten once the next one is asked for
 * @param options - `limits.bytes` applies to each member. `onSkipped` is called for every member that is not a document, but not
 *   for folders: with the recognised format, `empty`, `symbolic link`, `hard link`, or the name of a system file
 * @returns the documents; damage is a member with a failure, and reading resumes at the next header. Sparse files are
 *   `unsupported-media-type`. Repeated names get `#2`, `#3` and so on
 * @throws (rejects) TypeError `wrong-type`, RangeError `out-of-range`; whatever `chunks` and `onSkipped` throw
 * @example for await (const { name, hints, content } of readTar(createReadStream('a.tar'))) …
 */
export function readTar(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: ReadArchiveOptions = {},
): AsyncGenerator<Member, undefined> {
  return readInOrder(chunks, options, readMembers);
}

async function* readMembers(
  reader: ByteReader,
  limits: ExtractionLimits,
  onSkipped: (reason: string) => void,
): AsyncGenerator<Member, undefined> {
  const uniqueName = createUniqueNames();
  let extensions: Extensions = {};
  let isEnded = false;
  for (;;) {
    const at = reader.offset;
    const block = await reader.peek(TAR_BLOCK);
    if (block.every((byte) => byte === 0)) {
      if (block.length === 0 && !isEnded) yield damaged(`@${at}`, 'truncated: the mark at its end is missing');
      if (block.length === 0) return;
      // Other archives may follow.
      isEnded = true;
      reader.skip(block.length);
      continue;
    }
    const header = parseTarHeader(block);
    if (header === null) {
      if (isEnded) return;
      yield damaged(`@${at}`, block.length < TAR_BLOCK ? TRUNCATED_HEADER : 'a header with a wrong checksum');
      isEnded = !(await seekHeader(reader));
      extensions = {};
      continue;
    }
    isEnded = false;
    reader.skip(TAR_BLOCK);
    if ('gxXLK'.includes(header.type)) {
      const found = await readExtension(reader, header);
      if (typeof found === 'string') yield damaged(`@${at}`, found);
      else extensions = { ...extensions, ...found };
      if (found === TRUNCATED_HEADER) return;
      continue;
    }
    const member = await readMember(reader, withExtensions(header, extensions), limits);
    extensions = {};
    if (typeof member === 'string') onSkipped(member);
    else if (member !== null) {
      yield { ...member, name: uniqueName(member.name) };
      if ('failure' in member.content && member.content.failure.code === 'damaged') return;
    }
  }
}

type FullHeader = ReturnType<typeof withExtensions>;

function withExtensions(header: TarHeader, { name, fields = {} }: Extensions) {
  const size = /^\d{1,15}$/.test(fields['size'] ?? '') ? Number(fields['size']) : header.size;
  const path = fields['GNU.sparse.name'] ?? fields['path'] ?? name ?? header.name;
  const isSparse = header.type === 'S' || Object.keys(fields).some((key) => key.startsWith('GNU.sparse.'));
  return { ...header, name: path, size, isSparse };
}

/** Reads a long name or a pax header; returns what is wrong with it if it cannot be used. */
async function readExtension(reader: ByteReader, { type, size }: TarHeader): Promise<Extensions | string> {
  // The global fields of pax describe the archive, and a long name of a link names no document.
  const isUsed = type !== 'g' && type !== 'K';
  const isTooLong = isUsed && size > MAX_EXTENSION;
  if (!isUsed || isTooLong) {
    await skip(reader, padded(size));
    return isTooLong ? 'a name or a pax header of more than 1 MiB' : {};
  }
  const bytes = await reader.peek(size);
  const isWhole = bytes.length === size;
  const name = type === 'L' ? decodePath(bytes) : undefined;
  const fields = type === 'L' ? {} : parsePax(bytes);
  await skip(reader, padded(size));
  if (!isWhole) return TRUNCATED_HEADER;
  if (fields === null) return 'a malformed pax header';
  return name === undefined ? { fields } : { name };
}

/** Reads a member and detects its type; or returns the reason to skip it, null for a folder. */
async function readMember(
  reader: ByteReader,
  header: FullHeader,
  limits: ExtractionLimits,
): Promise<Member | string | null> {
  const { name, type, size } = header;
  const hints = { path: name };
  const toMember = (content: Member['content']): Member => ({ name, hints, content, warnings: [] });
  if (header.isContinued && type === 'S') await skipMap(reader);
  if (Object.hasOwn(NO_FILE, type)) {
    if (type === '1' || type === 'D') await skipOptional(reader, padded(size));
    return NO_FILE[type]!;
  }
  const reason = skipReasonOf(name);
  const isRead = reason === undefined && !header.isSparse && !/[A-Z]/.test(type) && size <= limits.bytes;
  if (!isRead) {
    const isWhole = await skip(reader, padded(size), size);
    if (!isWhole) return { ...damaged(name, TRUNCATED), hints };
    if (reason !== undefined) return reason;
    if (size > limits.bytes) return toMember({ failure: toFailure(documentTooLarge(limits)) });
    const what = header.isSparse ? 'a sparse file' : 'a part of a file, or a member of unknown type,';
    return toMember({ failure: { code: 'unsupported-media-type', message: `cannot read ${what} in a tar archive` } });
  }
  if (size === 0) return 'empty';
  const bytes = (await reader.peek(size)).slice();
  await skip(reader, padded(size));
  if (bytes.length < size) return { ...damaged(name, TRUNCATED), hints };
  const found = detectMember(bytes, hints, '');
  return 'reason' in found ? found.reason : toMember({ bytes, type: found.type });
}

const TRUNCATED_HEADER = 'truncated in a header';
const TRUNCATED = 'truncated in this file';

function damaged(name: string, problem: string): Member {
  const failure = { code: 'damaged', message: `damaged tar archive: ${problem}` } as const;
  return { name, hints: {}, content: { failure }, warnings: [] };
}

function padded(size: number): number {
  return Math.ceil(size / TAR_BLOCK) * TAR_BLOCK;
}

/** Skips `length` bytes, or all that are left. Returns false if these were fewer than `needed`. */
async function skip(reader: ByteReader, length: number, needed = length): Promise<boolean> {
  const end = reader.offset + length;
  const start = reader.offset;
  while (reader.offset < end) {
    const { length: found } = await reader.peek(Math.min(SKIPPED, end - reader.offset));
    if (found === 0) break;
    reader.skip(found);
  }
  return reader.offset - start >= needed;
}

/** Skips the content of a hard link. Old writers give its size without its content: then a header follows at once. */
async function skipOptional(reader: ByteReader, length: number): Promise<void> {
  if (length > 0 && parseTarHeader(await reader.peek(TAR_BLOCK)) === null) await skip(reader, length);
}

async function skipMap(reader: ByteReader): Promise<void> {
  while ((await reader.peek(TAR_BLOCK))[504] === 1) await skip(reader, TAR_BLOCK);
  await skip(reader, TAR_BLOCK);
}

async function seekHeader(reader: ByteReader): Promise<boolean> {
  while (await skip(reader, TAR_BLOCK)) if (parseTarHeader(await reader.peek(TAR_BLOCK)) !== null) return true;
  return false;
}
