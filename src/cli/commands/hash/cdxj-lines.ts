import { basename } from 'node:path';
import { type DocumentOutcome, failed, type MemberPlace } from '../../../documents/document-outcome.ts';
import type { Hashed } from '../../../documents/document-tasks.ts';
import type { Failure } from '../../../documents/failure.ts';
import { lossesOf } from '../../../extract/result.ts';
import { formatLabelled } from '../../../scheme/serialise.ts';
import { asJsonLine } from '../../terminal/print.ts';
import { surtOf } from './surt.ts';

/** The names of a fingerprint and of its extractor in formats that describe documents (CAR-7). */
export const FINGERPRINT = 'document-fingerprint';
export const EXTRACTOR = 'document-fingerprint-extractor';

/** The values of the parts that WARC-Date may leave out, from the month on. */
const FIRST = ['', '01', '01', '00', '00', '00'];

/** WARC-Date (W3C profile of ISO 8601, UTC); older files have 14 digits. */
const DATE = /^(\d{4})(?:-?(\d\d)(?:-?(\d\d)(?:T?(\d\d):?(\d\d)(?::?(\d\d)(?:\.\d+)?)?)?)?)?Z?$/;

/** Makes the outcome a failure if no line of CDXJ can point to its document. */
export function requireRecord<T>(outcome: DocumentOutcome<T>): DocumentOutcome<T> {
  const message = outcome.kind === 'done' ? obstacle(outcome.member) : undefined;
  return message === undefined ? outcome : failed(outcome, { code: 'no-record', message }, outcome.warnings);
}

/** Returns why no line of CDXJ can point to a document; undefined if one can. */
function obstacle(member: MemberPlace | undefined): Failure['message'] | undefined {
  if (member?.recordId === undefined && member?.date === undefined && member?.location === undefined)
    return 'is not a record of a WARC file, so it has no CDXJ line';
  if (member.location === undefined)
    return 'no CDXJ line can point to it: its record shares a gzip member with another, or its archive is compressed or in an archive itself';
  if (member.name.startsWith('@')) return 'its record has no WARC-Target-URI, so it has no CDXJ line';
  return timestampOf(member) === undefined
    ? 'the WARC-Date of its record is missing or malformed, so it has no CDXJ line'
    : undefined;
}

/** The line of an index (spec/carrying.md#cdxj) for a document that passed {@link requireRecord}. */
export function asCdxjLine(
  { path, member, warnings }: DocumentOutcome<unknown>,
  label: string,
  hashed?: Hashed,
): string {
  const losses = lossesOf(warnings);
  const { name, location, mediaType, payloadDigest, status } = member!;
  const { offset, length } = location!;
  const json = asJsonLine({
    url: name,
    mime: mediaType ?? 'unk',
    status: status?.toString(),
    digest: payloadDigest,
    length: String(length),
    offset: String(offset),
    filename: basename(path),
    [FINGERPRINT]: hashed && formatLabelled(label, hashed.fingerprint),
    [EXTRACTOR]: hashed?.extractor,
    losses: hashed === undefined || losses.length === 0 ? undefined : losses.join(' '),
  });
  return `${surtOf(name)} ${timestampOf(member!)} ${json}`;
}

/** The 14 digits of WARC-Date; undefined if it has another form. */
function timestampOf({ date }: MemberPlace): string | undefined {
  const parts = DATE.exec(date?.trim() ?? '')?.slice(1);
  return parts?.map((part, index) => part ?? FIRST[index]).join('');
}
