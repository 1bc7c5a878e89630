import { latin1 } from '../../common/octets.ts';
import { formatBytes } from '../../common/text.ts';
import { assertFunction } from '../../errors.ts';
import { type ExtractionError, type ExtractionErrorCode, extractionError } from '../errors.ts';
import { type ExtractionLimits, resolveLimits } from '../limits.ts';
import { assertChunks, assertZlib } from '../options.ts';
import { parseHeaders, parseResponse, undoCodings } from './http.ts';
import { gunzipResuming, NATIVE_ZLIB, type NativeZlib } from './inflate.ts';
import { hintsOf, isNoDocument, type Member, parseContentType, reasonToSkip, type Skip } from './members.ts';
import { createReader, type OctetReader } from './reader.ts';

/** What every record begins with (ISO 28500, 4); the versions before 1.0 are the same in all that is read here. */
const BEGIN = 'WARC/';
const VERSION = /^WARC\/\d+\.\d+[ \t]*\r?\n/;

/** The same where it is looked for among other octets: a field follows, so that it is no text about WARC. */
const RECORD = /^WARC\/\d+\.\d+[ \t]*\r?\n[A-Za-z][A-Za-z-]*[ \t]*:/;

/** Octets that {@link RECORD} may take. */
const RECORD_LENGTH = 128;

/** The most octets of a record's own header. */
const HEADER = 1 << 18;

/** Octets that are looked through at once. */
const WINDOW = 1 << 16;

/** Records that hold documents. A `conversion` is one of its own where its source is not there, as in WET files. */
const DOCUMENTS: readonly string[] = ['response', 'resource', 'conversion'];

/** URIs of what a crawler keeps for itself, and of names looked up. */
const INTERNAL = /^(metadata|filedesc|warcinfo|dns):/i;

/**
 * Reads a WARC file (ISO 28500, 0.17 to 1.1), compressed with gzip or not, in memory bounded by its largest record within
 * the limits. Every `response`, `resource` and `conversion` record is a document, whatever its HTTP status, if it has a
 * body and is no image, sound, font, style sheet, script, JSON, archive or other binary data, by its declared media type
 * or by its octets.
 * @param chunks - the file's octets, in parts of any size; a part may be overwritten once the next one is asked for
 * @param limits - per record: `octets` for its block as it is stored, `inflated` for what its codings grow to
 * @param skip - told of every record that is no document: its media type, `status` and number where that is why it has no
 *   body, its type for records without documents
 * @param zlib - null for what works without node:zlib
 * @returns the documents in their order; what is damaged is a member with a failure, and reading goes on behind it
 * @throws (rejects) TypeError `wrong-type`, RangeError `out-of-range`; whatever `chunks` and `skip` throw, nothing else
 */
export async function* readWarc(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limits: ExtractionLimits,
  skip: Skip,
  zlib: NativeZlib | null = NATIVE_ZLIB,
): AsyncGenerator<Member, undefined> {
  assertChunks(chunks);
  const all = resolveLimits(limits);
  assertFunction('skip', skip);
  assertZlib(zlib);
  const file = createReader(chunks, 'chunks');
  try {
    const start = await file.peek(WINDOW);
    const isPlain = startsPlain(latin1(start));
    const reader = isPlain ? file : createReader(gunzipResuming(file, BEGIN, zlib));
    for await (const record of readRecords(reader, all)) {
      if (isMember(record)) yield record;
      else {
        const found = await documentOf(record, all, zlib);
        if (typeof found === 'string') skip(found);
        else yield found;
      }
    }
  } finally {
    await file.close();
  }
}

/** Whether a file is not compressed. What begins with neither gzip nor a record is known by what comes first in it. */
function startsPlain(start: string): boolean {
  return !start.startsWith('\x1f\x8b') && (start.includes(BEGIN) || !start.includes('\x1f\x8b'));
}

/** A record: its header and its block; of one that is larger than the limit the start. */
interface WarcRecord {
  /** Where it begins, for one without a name. */
  readonly offset: number;
  /** By names in small letters. */
  readonly fields: ReadonlyMap<string, string>;
  /** The reader's own octets: overwritten when it goes on. */
  readonly block: Uint8Array;
  /** Why the block is not whole. */
  readonly failure?: ExtractionError;
}

const isMember = (found: WarcRecord | Member): found is Member => 'content' in found;

/** Records, whole and damaged, in their order. */
async function* readRecords(
  reader: OctetReader,
  limits: ExtractionLimits,
): AsyncGenerator<WarcRecord | Member, undefined> {
  // Whether damage has been reported and nothing whole been found since.
  let isLost = false;
  for (;;) {
    for (let gap = await lineEnds(reader, 0); gap > 0; gap = await lineEnds(reader, 0)) reader.skip(gap);
    const damage = reader.marks.find((mark) => mark.damage !== undefined && mark.at <= reader.offset)?.damage;
    reader.dropMarks();
    if (damage !== undefined && !isLost) yield failed(`@${reader.offset}`, 'damaged', damage);
    const start = await reader.peek(RECORD_LENGTH);
    if (start.length === 0) return;
    if (!VERSION.test(latin1(start))) {
      if (!isLost && damage === undefined)
        yield failed(`@${reader.offset}`, 'damaged', 'damaged WARC: no record begins where one should');
      isLost = true;
      await seekRecord(reader);
      continue;
    }
    isLost = false;

    const { view, stop } = await within(reader, HEADER, endOfHeader);
    const headerEnd = endOfHeader(view);
    const [, ...lines] = new TextDecoder().decode(view.subarray(0, Math.max(headerEnd, 0))).split(/\r?\n/);
    const fields = parseHeaders(lines);
    const { offset } = reader;
    const fail = (message: string): Member => ({
      ...describe(fields, offset),
      content: { failure: { code: 'damaged', message } },
    });
    // Behind damage there is another record, or the search for one.
    if (headerEnd <= 0) {
      yield fail(stop?.damage ?? 'damaged WARC record: its header has no end');
      isLost = true;
      await giveUp(reader, Math.max(1, Math.min(view.length, BEGIN.length)));
      continue;
    }
    const length = fields.get('content-length') ?? '';
    if (!/^\d{1,15}$/.test(length)) {
      yield fail(`damaged WARC record: its length is ${length === '' ? 'missing' : 'wrong'}`);
      isLost = true;
      await giveUp(reader, headerEnd);
      continue;
    }
    const octets = Number(length);
    if (octets > limits.octets) {
      const size = formatBytes(limits.octets);
      const failure = extractionError('too-large', `more than the ${size} that may be read of it`);
      yield { offset, fields, block: await peekAt(reader, headerEnd, WINDOW), failure };
      reader.skip(headerEnd);
      // Its length may be wrong, and nobody can look behind it first: the next record ends it in any case.
      isLost = !(await seekRecord(reader, octets));
      continue;
    }
    const why = await lookOver(reader, headerEnd, octets);
    if (why !== null) {
      yield fail(why);
      isLost = true;
      await giveUp(reader, headerEnd);
      continue;
    }
    const record = await reader.peek(headerEnd + octets);
    yield { offset, fields, block: record.subarray(headerEnd) };
    reader.skip(headerEnd + octets);
  }
}

/** Says what is wrong with a block, by what is behind it, or null. */
async function lookOver(reader: OctetReader, start: number, length: number): Promise<string | null> {
  const end = start + length;
  const { view, stop } = await within(reader, end);
  if (stop?.damage !== undefined) return stop.damage;
  if (view.length < end) return `damaged WARC record: it ends before its ${length} octets do`;
  const next = end + (await lineEnds(reader, end));
  const rest = await reader.peek(next + RECORD_LENGTH);
  // A checksum may have found the whole of it wrong, at its very end.
  const known = reader.offset + next;
  const damage = reader.marks.find((mark) => mark.isBefore === true && mark.at <= known)?.damage;
  if (damage !== undefined) return damage;
  if (rest.length <= next || VERSION.test(latin1(rest.subarray(next, next + RECORD_LENGTH)))) return null;
  const isEnded = latin1(rest.subarray(end, end + 4)) === '\r\n\r\n';
  // What follows two line ends is no matter of this record, unless it came out of the same damaged gzip member.
  await reader.peek(next + WINDOW);
  const following = reader.marks.find((mark) => mark.at >= reader.offset + end);
  if (following?.isBefore === true) return following.damage ?? null;
  return isEnded ? null : 'damaged WARC record: its length is wrong';
}

/** The number of CR and LF at a place, as far as they are looked for. */
async function lineEnds(reader: OctetReader, from: number): Promise<number> {
  let view = await reader.peek(from + RECORD_LENGTH);
  const count = (): number => {
    let at = from;
    while (view[at] === 0x0d || view[at] === 0x0a) at++;
    return at - from;
  };
  if (count() === RECORD_LENGTH) view = await reader.peek(from + WINDOW);
  return count();
}

/** Where a block begins; 0 if another record comes first, −1 while neither is to be seen. */
function endOfHeader(octets: Uint8Array): number {
  for (let at = octets.indexOf(0x0a); at >= 0; at = octets.indexOf(0x0a, at + 1)) {
    if (octets[at + 1] === 0x0a) return at + 2;
    if (octets[at + 1] === 0x0d && octets[at + 2] === 0x0a) return at + 3;
    if (octets[at + 1] === 0x57 && VERSION.test(latin1(octets.subarray(at + 1, at + 1 + RECORD_LENGTH)))) return 0;
  }
  return -1;
}

/**
 * Looks ahead as far as a record can go: not past damage, nor past a gzip member that begins with a record.
 * @param reader - at the record
 * @param length - how many octets are wanted
 * @param isEnough - says when fewer do, by a number from 0 on
 */
async function within(
  reader: OctetReader,
  length: number,
  isEnough: (view: Uint8Array) => number = () => -1,
): Promise<{ readonly view: Uint8Array; readonly stop?: { readonly damage?: string } }> {
  let seen = 0;
  for (let step = Math.min(length, WINDOW); ; step = Math.min(length, step * 4)) {
    const view = await reader.peek(step);
    // Marks are few or close together: each is looked at once, when it comes into view.
    const marks = reader.marks.filter(
      ({ at }) => at >= reader.offset + Math.max(seen, 1) && at <= reader.offset + view.length,
    );
    for (const { at, damage, isBefore } of marks) {
      const end = at - reader.offset;
      if (end === length && isBefore !== true) continue;
      const isStop = damage !== undefined || latin1(await peekAt(reader, end, BEGIN.length)) === BEGIN;
      if (isStop) return { view: await reader.peek(end), stop: damage === undefined ? {} : { damage } };
    }
    // Looking behind a mark may have moved the octets.
    const again = marks.length > 0 ? await reader.peek(step) : view;
    seen = again.length;
    if (step >= length || again.length < step || isEnough(again) >= 0) return { view: again };
  }
}

async function peekAt(reader: OctetReader, from: number, length: number): Promise<Uint8Array> {
  return (await reader.peek(from + length)).subarray(from);
}

/** Leaves a damaged record for the next one, which may begin anywhere behind its first octets. */
async function giveUp(reader: OctetReader, known: number): Promise<void> {
  reader.skip(known);
  await seekRecord(reader);
}

/**
 * Goes on to the next record, or to the end.
 * @param reader - the octets
 * @param most - how far to go at most
 * @returns whether it went as far as that without a record
 */
async function seekRecord(reader: OctetReader, most = Number.POSITIVE_INFINITY): Promise<boolean> {
  // What comes before is the end of a line, or was looked at.
  let isLineStart = true;
  for (let gone = 0; gone < most; ) {
    const view = await reader.peek(WINDOW + RECORD_LENGTH);
    if (view.length === 0) return false;
    const end = Math.min(view.length, WINDOW, most - gone);
    for (let at = view.indexOf(0x57); at >= 0 && at < end; at = view.indexOf(0x57, at + 1)) {
      const mayBegin = at === 0 ? isLineStart : view[at - 1] === 0x0a;
      const isMarked = () => reader.marks.some((mark) => mark.at === reader.offset + at);
      if (view[at + 1] !== 0x41 || !(mayBegin || isMarked())) continue;
      if (!RECORD.test(latin1(view.subarray(at, at + RECORD_LENGTH)))) continue;
      reader.skip(at);
      return false;
    }
    isLineStart = view[end - 1] === 0x0a;
    reader.skip(end);
    gone += end;
  }
  return true;
}

/** The document of a record, or why it has none. */
async function documentOf(
  { offset, fields, block, failure }: WarcRecord,
  limits: ExtractionLimits,
  zlib: NativeZlib | null,
): Promise<Member | string> {
  const type = (fields.get('warc-type') ?? '').toLowerCase();
  if (type === '') return { ...describe(fields, offset), content: { failure: NO_TYPE } };
  if (!DOCUMENTS.includes(type)) return /^[a-z]{1,40}$/.test(type) ? type : 'unknown record';
  const described = describe(fields, offset);
  const [, scheme] = INTERNAL.exec(described.name) ?? [];
  if (scheme !== undefined) return `${scheme.toLowerCase()}:`;
  if (fields.has('warc-segment-number')) {
    if (fields.get('warc-segment-number') !== '1') return 'continuation';
    return { ...described, content: { failure: SEGMENTED } };
  }

  const response = type === 'response' ? parseResponse(block) : null;
  const declared =
    response?.headers.get('content-type') ??
    (response === null && !/^application\/http\b/i.test(fields.get('content-type') ?? '')
      ? fields.get('content-type')
      : fields.get('warc-identified-payload-type'));
  const contentType = parseContentType(declared);
  const { mediaType } = contentType;
  const body = response?.body ?? block;
  const status = response?.status;
  if (body.length === 0) return status !== undefined && status !== 200 ? `status ${status}` : 'empty';
  if (isNoDocument(mediaType)) return mediaType;

  const hints = hintsOf(described.name, contentType);
  const about = {
    ...described,
    hints,
    ...(status !== undefined && { status }),
    ...(mediaType !== '' && { mediaType }),
  };
  const truncated = fields.get('warc-truncated');
  const warnings =
    truncated === undefined ? [] : [`cut off when it was archived (${JSON.stringify(truncated.slice(0, 40))})`];
  try {
    if (failure !== undefined) throw failure;
    const { octets, warnings: others } =
      response === null ? { octets: body, warnings: [] } : await undoCodings(response, limits, zlib);
    if (octets.length === 0) return 'empty';
    const reason = reasonToSkip(octets, hints, mediaType);
    if (reason !== null) return reason;
    // The block is the reader's; what is not a part of it is the member's already.
    const content = { octets: octets.buffer === block.buffer ? octets.slice() : octets };
    return { ...about, content, warnings: [...warnings, ...others] };
  } catch (error) {
    const { code, message } = error as ExtractionError;
    if (code === undefined) throw error;
    return { ...about, content: { failure: { code, message } }, warnings };
  }
}

const NO_TYPE = { code: 'damaged', message: 'damaged WARC record: it has no type' } as const;
const SEGMENTED = {
  code: 'unsupported-media-type',
  message: 'cannot read a record in several segments; only the first is here',
} as const;

/** What a record's header says of its document. */
function describe(fields: ReadonlyMap<string, string>, offset: number): Omit<Member, 'content'> {
  const name = unbracket(fields.get('warc-target-uri'));
  const recordId = unbracket(fields.get('warc-record-id'));
  const date = fields.get('warc-date');
  return {
    name: name ?? `@${offset}`,
    ...(recordId !== undefined && { recordId }),
    ...(date !== undefined && { date }),
    hints: {},
    warnings: [],
  };
}

/** A URI without the angle brackets around it, which wget wrote around targets, too. */
function unbracket(uri: string | undefined): string | undefined {
  const bare = uri?.trim().replace(/^<(.*)>$/s, '$1');
  return bare === '' ? undefined : bare;
}

function failed(name: string, code: ExtractionErrorCode, message: string): Member {
  return { name, hints: {}, content: { failure: { code, message } }, warnings: [] };
}
