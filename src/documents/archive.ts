import type { Member } from '../extract/archive/members.ts';
import { isArchiveType } from '../extract/formats.ts';
import type { Archive, Medium } from '../extract/index.ts';
import { createExpansionMeter } from '../extract/limits.ts';
import { DATASET_NAMES } from './dataset/format.ts';
import type { DatasetRow } from './dataset/rows.ts';
import { documentError, failureOf } from './failure.ts';
import type { DocumentHints } from './hints.ts';
import { type Opened, open, openOctets, type Reading } from './open.ts';
import { failed, type MemberPlace, type Outcome, type Place } from './outcome.ts';
import { assertSameSize, following, inputOf } from './read.ts';
import { looksLikePaths, PATH_LIST } from './select/path-list.ts';
import { type Entry, STDIN } from './walk.ts';
import { createTimeBudget } from './workers/time-budget.ts';

/** A document that is open, and where it is. */
export interface Found {
  readonly place: Place;
  readonly opened: Opened;
  /** Warnings about its archive. */
  readonly warnings: readonly string[];
}

/** The number of parts that were skipped in an archive, by reason. */
export interface Skipped {
  readonly path: string;
  readonly skipped: ReadonlyMap<string, number>;
}

/** The result for a path: a document, one that failed, or a note on what was skipped in an archive. */
export type Source = Found | Outcome<never> | Skipped;

/**
 * Opens one path, and every document in it if it is an archive.
 * @param entry - where it is
 * @param reading - hints and limits
 * @param start - opens it, unless it is done in the usual way
 */
export async function* documentsAt(
  entry: Entry,
  reading: Reading,
  start: () => Promise<Opened> = () => open(entry, reading),
): AsyncGenerator<Source, undefined> {
  const { path, raw } = entry;
  if (entry.failure !== undefined) yield failed(entry, entry.failure);
  else
    try {
      const opened = await start();
      const isList = path === STDIN && opened.type === 'text' && looksLikePaths(opened.head);
      const found: Found = {
        place: { path, ...(raw !== undefined && { raw }) },
        opened,
        warnings: isList ? [PATH_LIST] : [],
      };
      if (isArchive(found.opened)) yield* expand(found, reading);
      else yield found;
    } catch (error) {
      yield failed(entry, failureOf(error));
    }
  return undefined;
}

/** Tests whether it holds several documents. */
export function isArchive({ type, dataset }: Opened): boolean {
  return isArchiveType(type) || dataset !== undefined;
}

/** Opens the documents in an archive that a path names, and says what was skipped there. */
async function* expand(found: Found, reading: Reading): AsyncGenerator<Source, undefined> {
  const { path } = found.place;
  const skipped = new Map<string, number>();
  const { type, dataset } = found.opened;
  // The type of an archive says nothing about its members. Rows are of the type that is named.
  const isOfArchive = type === reading.hints.type && dataset === undefined;
  const hints = { ...reading.hints, ...(isOfArchive && { type: undefined }) };
  const { fileSize } = found.opened;
  const budget = fileSize !== undefined && {
    budget: createExpansionMeter(hints.limits, () => fileSize),
    ...(dataset === undefined && { time: createTimeBudget(hints.timeout, fileSize) }),
  };
  let count = 0;
  for await (const source of membersOf(found, { ...reading, hints, ...budget }, 1, skipped)) {
    count++;
    yield source;
  }
  if (skipped.size > 0) yield { path, skipped };
  if (count === 0)
    yield failed(found.place, {
      code: 'no-documents',
      message: `contains no documents (${formatNameOf(found.opened)})`,
    });
  return undefined;
}

async function* membersOf(
  { place, opened }: Found,
  reading: Reading,
  depth: number,
  skipped: Map<string, number>,
): AsyncGenerator<Found | Outcome<never>, undefined> {
  try {
    if (opened.dataset !== undefined) yield* documentsInRows(place, opened, reading);
    else
      for await (const member of await readMembers(opened, reading, skipped)) {
        reading.time?.assertLeft();
        const memberPlace = placeOf(member, place, opened.codings);
        try {
          const inner = await openMember(member, reading);
          if (!isArchive(inner))
            yield { place: memberPlace, opened: { ...inner, time: reading.time }, warnings: member.warnings };
          else if (depth < reading.hints.limits.nesting)
            yield* membersOf({ place: memberPlace, opened: inner, warnings: [] }, reading, depth + 1, skipped);
          else throw documentError('too-deep', `more than ${depth} archives are nested (--max-nesting)`);
        } catch (error) {
          yield failed(memberPlace, failureOf(error), member.warnings);
        }
      }
    if (opened.zip !== undefined && opened.file !== undefined) assertSameSize(opened.file);
  } catch (error) {
    yield failed(place, failureOf(error));
  } finally {
    await opened.close();
  }
  return undefined;
}

async function readMembers(
  { type, zip, head, rest }: Opened,
  { hints }: Reading,
  skipped: Map<string, number>,
): Promise<AsyncGenerator<Member>> {
  const onSkipped = (reason: string): void => void skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
  const options = { limits: hints.limits, onSkipped };
  if (zip !== undefined) return zip.documents(options);
  const chunks = following(head, rest);
  if (type === 'tar') return (await import('../extract/archive/tar/tar.ts')).readTar(chunks, options);
  if (type === 'mbox') return (await import('../extract/mail/mbox.ts')).readMbox(chunks, options);
  return (await import('../extract/archive/warc.ts')).readWarc(chunks, options);
}

async function openMember({ content, hints }: Member, reading: Reading): Promise<Opened> {
  if ('failure' in content) throw documentError(content.failure.code, content.failure.message);
  reading.budget?.(content.octets.length);
  const { type, charset } = reading.hints;
  // A charset may permit NUL octets, so that another type is detected.
  const isDetected = type === undefined && charset === undefined && content.type !== 'gzip';
  return openOctets(content.octets, isDetected ? { ...hints, type: content.type } : hints, reading);
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

/** Returns the name of the kind of an archive or a dataset. */
export function formatNameOf({ type, dataset }: Opened): string {
  return dataset === undefined ? type : DATASET_NAMES[dataset];
}

/** The documents of a dataset, one for each row. */
async function* documentsInRows(
  place: Place,
  { head, rest, access, codings, file }: Opened,
  { hints }: Reading,
): AsyncGenerator<Found | Outcome<never>, undefined> {
  const isPlain = codings === 0 && file?.isRegular === true;
  const { readRows } = await import('./dataset/rows.ts');
  for await (const row of readRows({ head, rest, access, isPlain }, hints)) {
    const member = { name: place.member === undefined ? row.id : `${place.member.name}!${row.id}`, row: row.place };
    const rowPlace = { path: place.path, ...(place.raw !== undefined && { raw: place.raw }), member };
    yield documentOfRow(rowPlace, row, hints.type, hints.extractor);
  }
  return undefined;
}

/** Opens the text of a row. It is plain text unless the caller names another type. */
export function documentOfRow(
  place: Place,
  { content }: Pick<DatasetRow, 'content'>,
  type: Medium | Archive = 'text',
  extractor?: DocumentHints['extractor'],
): Found | Outcome<never> {
  if ('failure' in content) return failed(place, content.failure);
  const octets = Buffer.from(content.text);
  if (octets.length === 0) return failed(place, { code: 'empty', message: 'the text is empty' });
  const isUtf8Text = type === 'text';
  const opened = { ...inputOf(octets), type, hints: { transportCharset: 'utf-8', extractor }, isUtf8Text, codings: 0 };
  return { place, opened, warnings: [] };
}
