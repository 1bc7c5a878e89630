import { closeSync } from 'node:fs';
import { basename, isAbsolute, join, win32 } from 'node:path';
import { latin1 } from '../../../common/bytes.ts';
import { formatNumber, printable, quote } from '../../../common/text.ts';
import type { FailedDocument } from '../../../documents/document-outcome.ts';
import { type Limited, openMembers } from '../../../documents/documents-at.ts';
import { failureOf } from '../../../documents/failure.ts';
import type { Found, Reading } from '../../../documents/open.ts';
import { accessOfFile, following, type OpenFile, openFile } from '../../../documents/read.ts';
import { createTimeBudget } from '../../../documents/time-budget.ts';
import { isNoDocument, type Member, parseContentType } from '../../../extract/archive/archive-members.ts';
import { readWarc } from '../../../extract/archive/warc.ts';
import { startsRecord } from '../../../extract/archive/warc-records.ts';
import type { RandomAccess } from '../../../extract/archive/zip.ts';
import { createExpansionMeter } from '../../../extract/limits.ts';
import { surtOf } from '../hash/surt.ts';

/** The facts that an index contains about a record; numbers are in bytes. */
export interface RecordEntry {
  readonly filename: string;
  readonly offset: number;
  readonly length?: number | undefined;
  readonly url?: string | undefined;
  readonly mediaType?: string | undefined;
}

/** A record without a document to read. */
export type Undocumented =
  /** Not a document, with the reason. */
  | { readonly kind: 'skipped'; readonly reason: string }
  /** Cannot be read. `isFile` is true if the same holds for all records of its file. */
  | { readonly kind: 'unreadable'; readonly failure: string; readonly isFile?: boolean };

export type Records = ReturnType<typeof openRecords>;

const MAX_OPEN = 64;
/** The maximum length of a file name in UTF-16 units: Linux allows paths of as many bytes. */
const MAX_NAME = 4096;
const CHUNK = 1 << 18;

type WarcFile = { readonly path: string; readonly file: OpenFile } | { readonly failure: string };

export function openRecords(folder: string, reading: Reading) {
  const files = new Map<string, WarcFile>();

  /** Opens a file, unless it is among those that were used last. */
  function find(filename: string): WarcFile {
    const found = files.get(filename) ?? openWarc(folder, filename);
    files.delete(filename);
    files.set(filename, found);
    if (files.size > MAX_OPEN) {
      const [[name, oldest]] = files as unknown as [[string, WarcFile]];
      files.delete(name);
      close(oldest);
    }
    return found;
  }

  return {
    async read(entry: RecordEntry): Promise<Found | FailedDocument | Undocumented> {
      const mediaType = parseContentType(entry.mediaType).mediaType;
      if (mediaType === 'warc/revisit') return { kind: 'skipped', reason: 'revisit' };
      if (isNoDocument(mediaType)) return { kind: 'skipped', reason: mediaType };
      const warc = find(entry.filename);
      if ('failure' in warc) return { kind: 'unreadable', failure: warc.failure, isFile: true };
      try {
        return await readRecord(warc, entry, reading);
      } catch (error) {
        return unreadable(`${printable(warc.path)}: ${failureOf(error).message}`);
      }
    },
    close: () => [...files.values()].forEach(close),
  };
}

function unreadable(failure: string): Undocumented {
  return { kind: 'unreadable', failure };
}

function close(warc: WarcFile): void {
  if ('file' in warc) closeSync(warc.file.fd);
}

/** Opens the file of a name in an index, which can be hostile. */
function openWarc(folder: string, filename: string): WarcFile {
  const isOutside =
    isAbsolute(filename) || win32.isAbsolute(filename) || /(?:^|[/\\])\.\.(?:[/\\]|$)|\0/.test(filename);
  if (isOutside) return { failure: `the file name ${quote(filename)} leads out of the folder of WARC files` };
  if (filename.length > MAX_NAME) return { failure: `the file name ${quote(filename)} is too long` };
  let failure = '';
  for (const path of new Set([join(folder, filename), join(folder, basename(filename))]))
    try {
      return { path, file: openFile({ path, found: true }) };
    } catch (error) {
      const { code, message } = failureOf(error);
      failure ||= `${printable(path)}: ${code === 'special-file' ? 'is not a regular file' : message}`;
    }
  return { failure };
}

/** Thrown to stop reading after the first record. */
const STOP = new Error('no document');

async function readRecord(
  { path, file }: Extract<WarcFile, { path: string }>,
  { offset, length = file.size - offset, url }: RecordEntry,
  reading: Reading,
): Promise<Found | FailedDocument | Undocumented> {
  const place = `${printable(path)}: offset ${formatNumber(offset)}`;
  if (offset >= file.size)
    return unreadable(`${place} is beyond the end of the file, which has ${formatNumber(file.size)} bytes`);
  const access = accessOfFile(file, reading.onRead);
  const end = Math.min(offset + length, file.size);
  const head = await access.read(offset, Math.min(CHUNK, end - offset));
  const isGzip = head[0] === 0x1f && head[1] === 0x8b;
  if (!isGzip && !startsRecord(latin1(head)))
    return unreadable(`${place}: expected the start of a WARC or ARC record, or of one compressed with gzip`);
  const { limits, timeout } = reading.hints;
  let skipped = '';
  const onSkipped = (reason: string): void => {
    skipped = reason;
    throw STOP;
  };
  const members = readWarc(following(head, partsOf(access, offset + head.length, end)), { limits, onSkipped });
  try {
    const { value: member } = await members.next();
    if (member === undefined) return unreadable(`${place}: no record in ${formatNumber(length)} bytes`);
    const obstacle = obstacleOf(member, url);
    if (obstacle !== undefined) return unreadable(`${place}: ${obstacle}`);
    const size = () => end - offset;
    const budget = { budget: createExpansionMeter(limits, size), time: createTimeBudget(timeout, size, reading.run) };
    return await firstOf(member, path, { ...reading, ...budget });
  } catch (error) {
    if (error !== STOP) throw error;
    return { kind: 'skipped', reason: skipped };
  } finally {
    await members.return(undefined);
  }
}

async function* partsOf(access: RandomAccess, start: number, end: number): AsyncGenerator<Uint8Array, undefined> {
  for (let at = start; at < end; at += CHUNK) yield await access.read(at, Math.min(CHUNK, end - at));
}

/** The reason why a record is not the one that an index describes; undefined if it is. */
function obstacleOf({ name, content, location }: Member, url: string | undefined): string | undefined {
  if ('failure' in content) return content.failure.message;
  if (location === undefined) return 'the record shares a gzip member with another';
  if (url === undefined || name === url || surtOf(name) === surtOf(url)) return undefined;
  return `the record is of ${quote(name)}, not of ${quote(url)}: does the index describe another file?`;
}

/** Opens the document that a record itself is, without attachments. */
async function firstOf(member: Member, path: string, reading: Limited): Promise<Found | FailedDocument | Undocumented> {
  const archive = { place: { path }, opened: { codings: 0 } };
  const skipped = new Map<string, number>();
  for await (const source of openMembers([member], archive, reading, 1, skipped)) {
    if (source.kind === 'rows') continue;
    const { member: found } = source.kind === 'document' ? source.place : source;
    if (found?.location !== undefined) return source;
    if (source.kind === 'document') await source.opened.close();
  }
  return { kind: 'skipped', reason: [...skipped.keys()][0] ?? 'message without text' };
}
