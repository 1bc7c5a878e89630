import type { Member } from '../extract/archive/archive-members.ts';
import { lossesOf } from '../extract/result.ts';
import type { Failure } from './failure.ts';
import type { FilePath } from './file-path.ts';

/** The place of a document in the archive that its path names: its name there, and the archive's facts about it. */
export interface MemberPlace extends Omit<Member, 'content' | 'hints' | 'warnings'> {
  readonly row?: RowPlace;
}

export interface RowPlace {
  readonly number: number;
  /** The offset of its line in a file that is not compressed, in bytes. */
  readonly offset?: number;
  readonly length?: number;
}

export interface Place extends FilePath {
  readonly member?: MemberPlace | undefined;
  /** True for a message that may have attachments: its file holds more than this document. */
  readonly hasAttachments?: boolean | undefined;
}

export interface Done<T> {
  readonly kind: 'done';
  readonly result: T;
}

export interface Failed {
  readonly kind: 'failed';
  readonly failure: Failure;
}

interface Reported {
  readonly warnings: readonly string[];
  /** Bytes of the document, decompressed; absent when it was not read to its end. */
  readonly size?: number;
}

export type WorkResult<T> = Reported & (Done<T> | Failed);

interface FilePlace extends Place {
  /** Bytes of the file that is this document; absent for a member of an archive and for a stream. */
  readonly fileSize?: number;
}

export type FailedDocument = FilePlace & Reported & Failed;
export type DocumentOutcome<T> = FilePlace & WorkResult<T>;

export interface OutcomeReport {
  readonly failures: number;
  /** Counts a document, and reports its warnings and why it failed. Returns its result, or null if it failed. */
  add<T>(outcome: DocumentOutcome<T>): T | null | Promise<null>;
}

export function failed(
  { path, raw, member }: Place,
  failure: Failure,
  warnings: readonly string[] = [],
): FailedDocument {
  return { kind: 'failed', path, ...(raw !== undefined && { raw }), member, failure, warnings };
}

/** The name of a document in messages and lists: its path, followed by `!` and its name if it is in an archive. */
export function nameOf({ path, member }: Place): string {
  return member === undefined ? path : `${path}!${member.name}`;
}

export function warningsAsJson({ warnings }: Pick<Reported, 'warnings'>) {
  const losses = lossesOf(warnings);
  return { ...(losses.length > 0 && { losses }), ...(warnings.length > 0 && { warnings }) };
}

/** The place of a document as keys of JSON; `pathBase64` holds the bytes of a path in which some are escaped. */
export function placeAsJson({ path, raw, member }: Place): Record<string, unknown> {
  const json: Record<string, unknown> = { path };
  if (raw !== undefined) json['pathBase64'] = Buffer.from(raw).toString('base64');
  if (member === undefined) return json;
  const { name, recordId, date, row } = member;
  json['member'] = name;
  if (recordId !== undefined) json['recordId'] = recordId;
  if (date !== undefined) json['date'] = date;
  if (row !== undefined) json['row'] = row.number;
  return json;
}
