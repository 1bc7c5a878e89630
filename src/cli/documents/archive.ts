import { closeSync, readSync } from 'node:fs';
import { formatBytes } from '../../common/text.ts';
import type { Member } from '../../extract/archive/members.ts';
import type { RandomAccess } from '../../extract/archive/zip.ts';
import {
  type Archive,
  detectType,
  type ExtractionHints,
  type ExtractionLimits,
  type Medium,
} from '../../extract/index.ts';
import { type DocumentHints, failed, type MemberPlace, type Outcome } from './document.ts';
import { documentError, failureOf } from './failure.ts';
import { following, type Opened, open, openFile, readWhole, type Source } from './open.ts';
import { STDIN } from './walk.ts';

/** A document in an archive, to be worked on, with its place there. */
export interface MemberSource extends Source {
  readonly member?: MemberPlace | undefined;
  /** What a person should know of how it was read from there. */
  readonly warnings?: readonly string[];
  /** How many archives lie around it. */
  readonly depth?: number;
}

/** What was passed over in an archive: how many, by reason. */
export type Skipped = ReadonlyMap<string, number>;

/**
 * Reads what is in an archive, document by document; archives in it are opened too.
 * @param source - the archive
 * @param archive - its type
 * @param hints - what the caller says of all documents
 * @param read - told how many octets were read
 * @param onSkipped - told at the end what was passed over, if anything was
 * @returns the documents, and outcomes for those that cannot be read
 */
export async function* membersOf(
  source: MemberSource,
  archive: Archive,
  hints: DocumentHints,
  read: (octets: number) => void,
  onSkipped: (skipped: Skipped) => void,
): AsyncGenerator<MemberSource | Outcome<never>, undefined> {
  const skipped = new Map<string, number>();
  const skip = (reason: string): void => void skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
  const names = { charset: hints.charset, type: hints.type };
  let opened: Opened | undefined;
  let access: (RandomAccess & { close(): void }) | undefined;
  try {
    if (archive === 'zip') {
      const isFile = source.octets === undefined && source.opened === undefined && source.path !== STDIN;
      const raw = isFile ? openAccess(source, read) : undefined;
      // A ZIP archive within gzip, or one that comes as a stream, is read into memory.
      const isZip = raw !== undefined && (await startsAsZip(raw));
      if (raw !== undefined && !isZip) raw.close();
      if (raw !== undefined && isZip) access = raw;
      else {
        opened = source.opened ?? (await open(source, names, hints.limits, read));
        access = accessOf(await readWhole(opened, hints.limits));
      }
      const { documentInZip, readZip } = await import('../../extract/archive/zip.ts');
      const medium = await documentInZip(access);
      if (medium !== null) {
        yield await wholeDocument(source, access, medium, hints.limits);
        return undefined;
      }
      yield* expand(readZip(access, hints.limits, skip), source, hints, read, skip);
    } else {
      opened = source.opened ?? (await open(source, names, hints.limits, read));
      const { readWarc } = await import('../../extract/archive/warc.ts');
      yield* expand(readWarc(following(opened.head, opened.rest), hints.limits, skip), source, hints, read, skip);
    }
  } catch (error) {
    yield failed(source, failureOf(error));
  } finally {
    access?.close();
    if (opened !== source.opened) await opened?.close();
    if (skipped.size > 0) onSkipped(skipped);
  }
  return undefined;
}

/** A ZIP archive that is one document after all. */
async function wholeDocument(
  source: MemberSource,
  access: RandomAccess,
  type: Medium,
  limits: ExtractionLimits,
): Promise<MemberSource | Outcome<never>> {
  if (access.size > limits.octets)
    return failed(source, {
      code: 'too-large',
      message: `more than the ${formatBytes(limits.octets)} that may be read of it`,
    });
  const octets = source.octets ?? (await access.read(0, access.size));
  const { path, found, member } = source;
  return { path, found, member, octets, known: { ...source.known, type } };
}

async function* expand(
  members: AsyncGenerator<Member>,
  source: MemberSource,
  hints: DocumentHints,
  read: (octets: number) => void,
  skip: (reason: string) => void,
): AsyncGenerator<MemberSource | Outcome<never>, undefined> {
  const { path, found, depth = 1 } = source;
  // What an archive is says nothing of what is in it.
  const type = hints.type === 'zip' || hints.type === 'warc' ? undefined : hints.type;
  for await (const { name, recordId, date, hints: told, content, warnings } of members) {
    const member: MemberPlace = {
      name: source.member === undefined ? name : `${source.member.name}!${name}`,
      ...(recordId !== undefined && { recordId }),
      ...(date !== undefined && { date }),
    };
    const place = { path, member };
    if ('failure' in content) {
      yield failed(place, content.failure);
      continue;
    }
    try {
      const known: ExtractionHints = { ...told, ...(hints.charset !== undefined && { charset: hints.charset }), type };
      const document = await undoGzip(content.octets, known, hints.limits);
      const inner = archiveIn(document.octets, document.known);
      const next: MemberSource = { path, found, member, warnings, depth: depth + 1, ...document };
      if (inner === null) yield next;
      else if (depth >= hints.limits.nesting)
        throw documentError('too-deep', `more than ${hints.limits.nesting} archives lie in each other`);
      else
        yield* membersOf(next, inner, { ...hints, type }, read, (more) => {
          for (const [reason, count] of more) for (let i = 0; i < count; i++) skip(reason);
        });
    } catch (error) {
      yield failed(place, failureOf(error));
    }
  }
  return undefined;
}

/** Undoes gzip around a member, as often as the limit allows. */
async function undoGzip(octets: Uint8Array, known: ExtractionHints, limits: ExtractionLimits) {
  const document = { octets, known };
  for (let depth = 0; document.octets[0] === 0x1f && document.octets[1] === 0x8b; depth++) {
    if (depth === limits.nesting)
      throw documentError('too-deep', `compressed more often than the ${limits.nesting} times that are undone`);
    const { gunzip, withoutGzipSuffix } = await import('../../extract/archive/gzip.ts');
    document.octets = await gunzip(document.octets, limits);
    const { path } = document.known;
    if (path !== undefined) document.known = { ...document.known, path: withoutGzipSuffix(path) };
  }
  return document;
}

/** The type of an archive within an archive; null for a document, and for what is none, as extraction will tell. */
function archiveIn(octets: Uint8Array, known: ExtractionHints): Archive | null {
  try {
    const type = detectType(octets, known);
    return type === 'zip' || type === 'warc' ? type : null;
  } catch {
    return null;
  }
}

async function startsAsZip(access: RandomAccess): Promise<boolean> {
  const [p, k] = await access.read(0, Math.min(2, access.size));
  return p === 0x50 && k === 0x4b;
}

/** A file that is read here and there. */
function openAccess(source: Source, read: (octets: number) => void): RandomAccess & { close(): void } {
  const { fd, size } = openFile(source);
  return {
    size,
    async read(offset, length) {
      const octets = new Uint8Array(Math.max(0, Math.min(length, size - offset)));
      let at = 0;
      while (at < octets.length) {
        const got = readSync(fd, octets, at, octets.length - at, offset + at);
        if (got === 0) break;
        at += got;
      }
      read(at);
      return octets.subarray(0, at);
    },
    close: () => closeSync(fd),
  };
}

function accessOf(octets: Uint8Array): RandomAccess & { close(): void } {
  return {
    size: octets.length,
    read: async (offset, length) => octets.subarray(offset, offset + length),
    close() {},
  };
}
