import { existsSync } from 'node:fs';
import { formatNumber, pluralize } from '../common/text.ts';
import type { Member } from '../extract/archive/archive-members.ts';
import { readMembers } from '../extract/archive/read-members.ts';
import { isArchiveType } from '../extract/formats.ts';
import { createExpansionMeter } from '../extract/limits.ts';
import type { Message } from '../extract/mail/read-message.ts';
import { mayHaveAttachments } from '../extract/mail/recognise-mail.ts';
import { DATASET_NAMES } from './dataset/dataset-format.ts';
import type { RowDocuments } from './dataset/row-documents.ts';
import { type FailedDocument, failed, type MemberPlace, type Place } from './document-outcome.ts';
import { documentError, failureOf } from './failure.ts';
import { type Found, type Opened, open, openBytes, type Reading } from './open.ts';
import { assertSameSize, following, readWhole } from './read.ts';
import { createTimeBudget } from './time-budget.ts';
import { type FileEntry, STDIN } from './walk.ts';

export interface Skipped {
  readonly kind: 'skipped';
  readonly path: string;
  readonly skipped: ReadonlyMap<string, number>;
}

export type Source = Found | FailedDocument | RowDocuments | Skipped;

/** An object that is not a document and keeps its place among them. */
export interface Passed {
  readonly kind: 'passed';
  readonly passed: unknown;
  /** The memory that the object counts for, in bytes. Default: 0. */
  readonly bytes?: number;
}

/** Opens one path, and every document in it if it is an archive. `start` replaces the usual way to open it. */
export async function* documentsAt(
  entry: FileEntry,
  reading: Reading,
  start: () => Promise<Opened> = () => open(entry, reading),
): AsyncGenerator<Source, undefined> {
  const { path, raw } = entry;
  if (entry.failure !== undefined) yield failed(entry, entry.failure);
  else
    try {
      const opened = await start();
      const found: Found = {
        kind: 'document',
        place: { path, ...(raw !== undefined && { raw }) },
        opened,
        warnings: inputWarnings(path, opened),
      };
      if (isArchive(opened) || opened.type === 'mail') yield* expand(found, reading);
      else yield found;
    } catch (error) {
      yield failed(entry, failureOf(error));
    }
}

const MAX_LINES = 20;
const MAX_PATH = 4096;

const PATH_LIST =
  'this looks like a list of paths, and the list itself was read: to read the files, use --files-from -';

/** Tests whether a text seems to be a list of files: each of its first lines is a path that exists. */
export function looksLikePaths(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head);
  const lines = text.split(/[\n\0]/);
  // The last line may be cut off, or empty after the last line end.
  const whole = (lines.length > 1 ? lines.slice(0, -1) : lines).slice(0, MAX_LINES);
  return whole.every((line) => line.length <= MAX_PATH && existsSync(line));
}

export function inputWarnings(path: string, { type, head }: Opened): string[] {
  return path === STDIN && type === 'text' && looksLikePaths(head) ? [PATH_LIST] : [];
}

/** Tests whether an open document is an archive or a dataset. A message is neither, although documents may be attached to it. */
export function isArchive({ type, dataset }: Opened): boolean {
  return isArchiveType(type) || dataset !== undefined;
}

/** The documents that any archive may hold, and the bytes for each of a larger one: it may expand to millions of short messages. */
const [MAX_DOCUMENTS, BYTES_PER_DOCUMENT] = [10_000, 16];

async function* expand(found: Found, reading: Reading): AsyncGenerator<Source, undefined> {
  const { path } = found.place;
  const skipped = new Map<string, number>();
  const { type, dataset } = found.opened;
  // The type of an archive does not apply to its members. Rows are of the type that is named.
  const isOfArchive = type === reading.hints.type && dataset === undefined;
  const hints = { ...reading.hints, ...(isOfArchive && { type: undefined }) };
  const { size: sizeOf = () => 0 } = found.opened;
  const budget = {
    budget: createExpansionMeter(hints.limits, sizeOf),
    time: createTimeBudget(hints.timeout, sizeOf, reading.run, dataset && 'the texts of the rows'),
  };
  let count = 0;
  for await (const source of membersOf(found, { ...reading, hints, ...budget }, 1, skipped)) {
    const max = dataset === undefined ? Math.max(MAX_DOCUMENTS, sizeOf() / BYTES_PER_DOCUMENT) : Infinity;
    const size = source.kind === 'rows' ? source.rows.length : 1;
    if (count + size > Math.ceil(max)) {
      if (source.kind === 'document') await source.opened.close();
      if (source.kind === 'rows') yield { ...source, rows: source.rows.slice(0, Math.ceil(max) - count) };
      const message = `contains more than ${formatNumber(Math.floor(max))} documents: far more than its size allows`;
      yield failed(found.place, { code: 'too-large', message });
      break;
    }
    count += size;
    yield source;
  }
  if (skipped.size > 0) yield { kind: 'skipped', path, skipped };
  if (count === 0)
    yield failed(found.place, {
      code: 'no-documents',
      message: `contains no documents (${formatNameOf(found.opened)})`,
    });
}

export type Limited = Reading & Required<Pick<Reading, 'budget' | 'time'>>;

async function* membersOf(
  found: Found,
  reading: Limited,
  depth: number,
  skipped: Map<string, number>,
): AsyncGenerator<Exclude<Source, Skipped>, undefined> {
  const { place, opened } = found;
  try {
    if (opened.dataset !== undefined) yield* rowsIn(place, opened, reading);
    else if (opened.type === 'mail') yield* documentsInMessage(found, reading, depth, skipped);
    else if (isArchiveType(opened.type)) {
      const { type, zip, head, rest } = opened;
      const source = { chunks: following(head, rest), openZip: async () => zip! };
      const options = { limits: reading.hints.limits, onSkipped: counting(skipped) };
      yield* openMembers(await readMembers(type, source, options), found, reading, depth, skipped);
    }
    if (opened.zip !== undefined && opened.file !== undefined) assertSameSize(opened.file);
  } catch (error) {
    yield failed(place, failureOf(error));
  } finally {
    await opened.close();
  }
}

/** Opens the documents of members of an archive, and those in them. `depth` counts the archives around them. */
export async function* openMembers(
  members: Iterable<Member> | AsyncIterable<Member>,
  { place, opened: { codings } }: { readonly place: Place; readonly opened: Pick<Opened, 'codings'> },
  reading: Limited,
  depth: number,
  skipped: Map<string, number>,
): AsyncGenerator<Exclude<Source, Skipped>, undefined> {
  for await (const member of members) {
    reading.time.assertLeft();
    const { warnings } = member;
    const memberPlace = placeOf(member, place, codings);
    try {
      const opened = { ...(await openMember(member, reading)), time: reading.time };
      const found: Found = { kind: 'document', place: memberPlace, opened, warnings };
      const isMail = opened.type === 'mail';
      if (!isArchive(opened) && !isMail) yield found;
      else if (depth < reading.hints.limits.nesting) yield* membersOf(found, reading, depth + 1, skipped);
      else if (isMail)
        yield {
          ...found,
          place: { ...memberPlace, hasAttachments: true },
          warnings: [...warnings, `attachments below ${pluralize(depth, 'level')} are not read (--max-nesting)`],
        };
      else throw documentError('too-deep', `more than ${depth} archives are nested (--max-nesting)`);
    } catch (error) {
      yield failed(memberPlace, failureOf(error), warnings);
    }
  }
}

async function* documentsInMessage(
  found: Found,
  reading: Limited,
  depth: number,
  skipped: Map<string, number>,
): AsyncGenerator<Exclude<Source, Skipped>, undefined> {
  const head = await readWhole(found.opened, reading.hints.limits.bytes);
  const hasAttachments = mayHaveAttachments(head);
  // If the message cannot be parsed, reading the body reports why.
  const message = hasAttachments ? await readAttachments(head, skipped).catch(() => null) : null;
  if (message === null || message.hasText || message.attachments.length === 0)
    yield {
      ...found,
      place: { ...found.place, hasAttachments },
      opened: { ...found.opened, head, rest: null, time: reading.time },
    };
  else counting(skipped)('message without text');
  if (message !== null) yield* openMembers(message.attachments, found, reading, depth, skipped);
}

async function readAttachments(bytes: Uint8Array, skipped: Map<string, number>): Promise<Message> {
  const { readMessage } = await import('../extract/mail/read-message.ts');
  return readMessage(bytes, { onSkipped: counting(skipped) });
}

function counting(skipped: Map<string, number>): (reason: string) => void {
  return (reason) => void skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
}

async function openMember({ content, hints }: Member, reading: Limited): Promise<Opened> {
  if ('failure' in content) throw documentError(content.failure.code, content.failure.message);
  reading.budget(content.bytes.length);
  const { type, charset } = reading.hints;
  // A charset may permit NUL bytes, so that another type is detected.
  const isDetected = type === undefined && charset === undefined && content.type !== 'gzip';
  return openBytes(content.bytes, isDetected ? { ...hints, type: content.type } : hints, reading);
}

function placeOf(
  { name, content: _content, hints: _hints, warnings: _warnings, location, ...about }: Member,
  { path, raw, member }: Place,
  codings: number,
): Place {
  const isInFile = member === undefined && codings === 0;
  const place: MemberPlace = {
    ...about,
    name: member === undefined ? name : `${member.name}!${name}`,
    ...(isInFile && location !== undefined && { location }),
  };
  return { path, ...(raw !== undefined && { raw }), member: place };
}

export function formatNameOf({ type, dataset }: Opened): string {
  return dataset === undefined ? type : DATASET_NAMES[dataset];
}

async function* rowsIn(
  place: Place,
  opened: Opened,
  { hints, budget, time }: Limited,
): AsyncGenerator<RowDocuments, undefined> {
  const isPlain = opened.codings === 0 && opened.file?.isRegular === true;
  const { type = 'text' } = hints;
  const { readUniqueRows } = await import('./dataset/read-rows.ts');
  const blocks = readUniqueRows(opened, { hints, budget, time });
  for await (const rows of blocks) yield { kind: 'rows', rows, place, isPlain, type, time };
  return undefined;
}
