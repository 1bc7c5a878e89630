import { latin1 } from '../../common/bytes.ts';
import { quote } from '../../common/text.ts';
import type { ExtractionError } from '../errors.ts';
import { isArchiveType } from '../formats.ts';
import { createExpansionMeter, type ExtractionLimits, type Meter } from '../limits.ts';
import type { DocumentType } from '../types.ts';
import {
  detectMember,
  hintsOf,
  isDocumentType,
  isNoDocument,
  type Member,
  type OnSkipped,
  parseContentType,
  type ReadArchiveOptions,
  readInOrder,
  toFailure,
} from './archive-members.ts';
import { type ByteReader, createReader } from './byte-reader.ts';
import { gunzipResuming, startOfContent } from './gzip-recovery.ts';
import { decodeBody, type HttpResponse, parseResponse } from './http-response.ts';
import { describeRecord, isMember, RECORD_START, readRecords, startsArc, type WarcRecord } from './warc-records.ts';

export type { Member, ReadArchiveOptions } from './archive-members.ts';

const HEAD = 1 << 16;

/** Types of records that hold documents. A `conversion` is one if its source is not in the file, as in WET files. */
const DOCUMENT_TYPES: readonly string[] = ['response', 'resource', 'conversion'];

const INTERNAL_URI = /^(metadata|filedesc|warcinfo|dns):/i;

const NO_TYPE = { code: 'damaged', message: 'damaged WARC record: it has no WARC-Type' } as const;
const SEGMENTED = {
  code: 'unsupported-media-type',
  message: 'cannot read a record in several segments',
} as const;

/**
 * Reads a WARC file (ISO 28500, versions 0.17 to 1.1) or an ARC file, compressed with gzip or not, in memory bounded by its largest record
 * within the limits. Every `response`, `resource` and `conversion` record with a body is a document, whatever its HTTP
 * status, unless its declared media type or its content says that it is an image, audio, a font, a style sheet, a script,
 * JSON, an archive or other binary data.
 * @param chunks - the file's bytes, in parts of any size; a part may be overwritten once the next one is asked for
 * @param options - `limits` apply to each record: `bytes` to its block, `inflated` to its decoded content, `ratio`
 *   to the content of all of them. `onSkipped` is called for every record without a document: with its media type or its
 *   record type, or, without a body, `empty` or the HTTP status, such as `status 304`
 * @returns the documents in their order; damage is a member with a failure, and reading resumes after it
 * @throws (rejects) TypeError `wrong-type`, RangeError `out-of-range`; whatever `chunks` and `onSkipped` throw
 * @example for await (const { name, hints, content } of readWarc(createReadStream('a.warc.gz'))) …
 */
export function readWarc(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: ReadArchiveOptions = {},
): AsyncGenerator<Member, undefined> {
  return readInOrder(chunks, options, readMembers);
}

async function* readMembers(
  file: ByteReader,
  limits: ExtractionLimits,
  onSkipped: OnSkipped,
): AsyncGenerator<Member, undefined> {
  const meter = createExpansionMeter(limits, () => file.received);
  const head = await file.peek(HEAD);
  const isArcPlain = startsArc(latin1(head));
  const isCompressed = !isArcPlain && !isPlain(latin1(head));
  const isArc = isArcPlain || (isCompressed && startsArc(latin1(startOfContent(head, HEAD))));
  const reader = isCompressed ? createReader(gunzipResuming(file, isArc ? '' : RECORD_START)) : file;
  for await (const record of readRecords(reader, limits, { isArc, isCompressed })) {
    const found = isMember(record) ? record : await documentOf(record, limits, meter);
    if (typeof found === 'string') onSkipped(found);
    else yield found;
  }
}

/** Tests whether a file is not compressed. If it starts with neither gzip nor a record, the one that comes first decides. */
function isPlain(head: string): boolean {
  return !head.startsWith('\x1f\x8b') && (head.includes(RECORD_START) || !head.includes('\x1f\x8b'));
}

async function documentOf(record: WarcRecord, limits: ExtractionLimits, meter: Meter): Promise<Member | string> {
  const { fields } = record;
  const described = describeRecord(fields, record.offset);
  const type = (fields.get('warc-type') ?? '').toLowerCase();
  if (type === '') return { ...described, content: { failure: NO_TYPE } };
  if (!DOCUMENT_TYPES.includes(type)) return /^[a-z]{1,40}$/.test(type) ? type : 'unknown record';
  const [, scheme] = INTERNAL_URI.exec(described.name) ?? [];
  if (scheme !== undefined) return scheme.toLowerCase();
  if (fields.has('warc-segment-number')) {
    if (fields.get('warc-segment-number') !== '1') return 'continuation';
    return { ...described, content: { failure: SEGMENTED } };
  }
  return contentOf(record, described, type === 'response' ? parseResponse(record.block) : null, limits, meter);
}

async function contentOf(
  { fields, block, location, failure }: WarcRecord,
  described: Omit<Member, 'content'>,
  response: HttpResponse | null,
  limits: ExtractionLimits,
  meter: Meter,
): Promise<Member | string> {
  const contentType = parseContentType(declaredType(fields, response));
  const { mediaType } = contentType;
  const body = response?.body ?? block;
  const status = response?.status;
  if (body.length === 0) return status !== undefined && status !== 200 ? `status ${status}` : 'empty';
  if (isNoDocument(mediaType, described.name)) return mediaType;

  const hints = hintsOf(described.name, contentType);
  const truncated = fields.get('warc-truncated');
  const payloadDigest = fields.get('warc-payload-digest');
  const about = {
    ...described,
    hints,
    ...(payloadDigest !== undefined && { payloadDigest }),
    ...(location !== undefined && { location }),
    ...(status !== undefined && { status }),
    ...(mediaType !== '' && { mediaType }),
    warnings: truncated === undefined ? [] : [`truncated when it was archived (${quote(truncated, 40)})`],
  };
  try {
    if (failure !== undefined) throw failure;
    const decoded = response === null ? { bytes: body, warnings: [] } : await decodeBody(response, limits);
    const { bytes } = decoded;
    if (bytes.length === 0) return 'empty';
    const found = detectMember(bytes, hints, mediaType);
    if ('reason' in found) return found.reason;
    const archive = archiveReason(found.type, mediaType);
    if (archive !== null) return archive;
    meter(bytes.length);
    // The block belongs to the reader.
    const own = bytes.buffer === block.buffer ? bytes.slice() : bytes;
    return { ...about, content: { bytes: own, type: found.type }, warnings: [...about.warnings, ...decoded.warnings] };
  } catch (error) {
    if ((error as Partial<ExtractionError>).code === undefined) throw error;
    return { ...about, content: { failure: toFailure(error as ExtractionError) } };
  }
}

/** Returns the media type that a record declares: of the response, of the block, or as the crawler identified it. */
function declaredType(fields: WarcRecord['fields'], response: HttpResponse | null): string | undefined {
  const declared = response?.headers.get('content-type');
  if (declared !== undefined) return declared;
  const isHttp = response !== null || /^application\/http\b/i.test(fields.get('content-type') ?? '');
  return fields.get(isHttp ? 'warc-identified-payload-type' : 'content-type');
}

/** Archives on the web are skipped. A page that is still compressed is a page; any other gzip was offered as a file. */
function archiveReason(type: DocumentType, mediaType: string): string | null {
  if (type === 'tar') return 'application/x-tar';
  if (type !== 'gzip' && isArchiveType(type)) return `application/${type}`;
  return type === 'gzip' && !isDocumentType(mediaType) ? 'application/gzip' : null;
}
