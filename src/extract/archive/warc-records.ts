import { latin1 } from '../../common/bytes.ts';
import { formatNumber } from '../../common/text.ts';
import type { ExtractionError } from '../errors.ts';
import { documentTooLarge, type ExtractionLimits } from '../limits.ts';
import type { Member } from './archive-members.ts';
import type { ByteReader } from './byte-reader.ts';
import { endOfEmptyLine, parseHeaders } from './http-response.ts';

/** The start of every record (ISO 28500, 4); for what is read here, the versions before 1.0 are the same. */
export const RECORD_START = 'WARC/';
const VERSION = /^WARC\/\d+\.\d+[ \t]*\r*\n/;

/** The start of a record among other bytes: a field follows, so that it is not a text about WARC. */
const VERSION_AND_FIELD = /^WARC\/\d+\.\d+[ \t]*\r*\n[A-Za-z][A-Za-z-]*[ \t]*:/;

/** The maximum number of bytes that {@link VERSION_AND_FIELD} is tried on. */
const START_LENGTH = 128;

const MAX_HEADER = 1 << 18;

const WINDOW = 1 << 16;

/** A record. A block over the limit is cut there. */
export interface WarcRecord {
  readonly offset: number;
  readonly fields: ReadonlyMap<string, string>;
  /** Part of the reader's buffer: valid until the next record. */
  readonly block: Uint8Array;
  readonly location?: Member['location'];
  readonly failure?: ExtractionError;
}

export function isMember(found: WarcRecord | Member): found is Member {
  return 'content' in found;
}

/** Parses the line before each document in an ARC file (https://archive.org/web/researcher/ArcFileFormat.php). */
function parseArcLine(start: string) {
  const end = start.indexOf('\n');
  if (end < 0 || !ARC_URL.test(start)) return null;
  const parts = start.slice(0, end).replace(/\r$/, '').split(' ');
  // A URL may have spaces.
  const at = parts.findIndex((part, index) => index > 1 && ARC_DATE.test(part) && ARC_ADDRESS.test(parts[index - 1]!));
  const digits = parts.at(-1)!;
  const type = parts.slice(at + 1, -1);
  if (at < 0 || type.length === 0 || type[0] === '' || !ARC_LENGTH.test(digits)) return null;
  if (type.length > 5 && /^\d{1,3}$/.test(type.at(-5)!) && /^\d+$/.test(type.at(-2)!)) type.splice(-5);
  return {
    line: start.slice(0, end + 1),
    url: parts.slice(0, at - 1).join(' '),
    date: parts[at]!,
    mediaType: type.join(' '),
    digits,
  };
}

const ARC_URL = /^[a-z][a-z\d+.-]*:\S/i;
const ARC_ADDRESS = /^(?:[\da-f.:]+|-)$/i;
const ARC_DATE = /^\d{12,14}$/;
const ARC_LENGTH = /^\d{1,15}$/;

const MAX_ARC_LINE = 1 << 13;

export function startsArc(head: string): boolean {
  return parseArcLine(head) !== null;
}

export function startsRecord(head: string): boolean {
  return head.startsWith(RECORD_START) || startsArc(head);
}

/** Reads the records of a file, decompressed; those of an ARC file as if they were of a WARC file. */
export async function* readRecords(
  reader: ByteReader,
  limits: ExtractionLimits,
  { isArc, isCompressed }: { readonly isArc: boolean; readonly isCompressed: boolean },
): AsyncGenerator<WarcRecord | Member, undefined> {
  const name = isArc ? 'ARC' : 'WARC';
  const [read, seek] = isArc ? [readArcRecord, seekArcLine] : [readRecord, seekRecord];
  // True if damage was reported after the last whole record.
  let isLost = false;
  for (;;) {
    const { offset, damage, position } = await skipLineEnds(reader, isCompressed);
    if (damage !== undefined && !isLost) yield damagedAt(offset, damage);
    if ((await reader.peek(1)).length === 0) return;
    const step = await read(reader, limits, { isCompressed, position });
    if (step === null) {
      if (!isLost && damage === undefined)
        yield damagedAt(offset, `damaged ${name} file: expected the start of a record`);
      isLost = true;
      await seek(reader, Number.POSITIVE_INFINITY);
      continue;
    }
    yield step.found;
    reader.skip(step.skip);
    isLost = step.searched !== undefined && !(await seek(reader, step.searched));
  }
}

/** Goes to the next record. Returns where it begins, also in the file, and the damage before it. */
async function skipLineEnds(reader: ByteReader, isCompressed: boolean) {
  for (let gap = await lineEnds(reader, 0); gap > 0; gap = await lineEnds(reader, 0)) reader.skip(gap);
  const { offset } = reader;
  const marks = reader.marks(0, offset);
  reader.dropMarks();
  const damage = marks.find((mark) => mark.damage !== undefined)?.damage;
  // In compressed bytes, a place is known if a gzip member begins or the last one ends there.
  const last = marks.findLast(({ at, position }) => at === offset && position !== undefined);
  return { offset, damage, position: isCompressed ? last?.position : offset };
}

interface FilePlace {
  readonly isCompressed: boolean;
  /** The number of bytes of the file before it; undefined if it begins within a gzip member. */
  readonly position: number | undefined;
}

async function locate(
  reader: ByteReader,
  length: number,
  { isCompressed, position }: FilePlace,
): Promise<Pick<WarcRecord, 'location'>> {
  if (position === undefined) return {};
  if (!isCompressed) return { location: { offset: position, length } };
  const end = reader.offset + length;
  // A member also holds the line ends after its record, and no more.
  const [next] = reader.marks(end, end + (await lineEnds(reader, length)));
  return next?.position === undefined ? {} : { location: { offset: position, length: next.position - position } };
}

interface Step {
  readonly found: WarcRecord | Member;
  readonly skip: number;
  /** The bytes to search for the next record, after one that is damaged or too large. */
  readonly searched?: number;
}

async function readArcRecord(reader: ByteReader, limits: ExtractionLimits, place: FilePlace): Promise<Step | null> {
  const { offset } = reader;
  const parsed = parseArcLine(latin1(await reader.peek(MAX_ARC_LINE)));
  if (parsed === null) return null;
  const { url } = parsed;
  const fields = new Map([
    ['warc-type', /^https?:/i.test(url) ? 'response' : 'resource'],
    ['warc-target-uri', url],
    ['warc-date', parsed.date],
    ['content-type', parsed.mediaType],
  ]);
  const length = Number(parsed.digits);
  const header = parsed.line.length;
  if (length > limits.bytes) {
    const block = await peekAt(reader, header, WINDOW);
    return { found: { offset, fields, block, failure: documentTooLarge(limits) }, skip: header, searched: 0 };
  }
  const view = await reader.peek(header + length);
  const mark = reader.marks(offset + 1, offset + view.length).find((each) => each.damage !== undefined);
  const missing = view.length < header + length ? 'damaged ARC record: it ends before its length' : undefined;
  const message = mark?.damage ?? missing;
  if (message !== undefined) {
    const found: Member = { ...describeRecord(fields, offset), content: { failure: { code: 'damaged', message } } };
    // The next record may begin right after damage, in the middle of a line.
    return { found, skip: mark === undefined ? header : mark.at - offset, searched: 0 };
  }
  const located = await locate(reader, header + length, place);
  const block = (await reader.peek(header + length)).subarray(header);
  return { found: { offset, fields, block, ...located }, skip: header + length };
}

/** Skips a line, unless there is nothing to search. */
async function seekArcLine(reader: ByteReader, max: number): Promise<boolean> {
  const start = await reader.peek(MAX_ARC_LINE);
  const next = start.indexOf(0x0a) + 1;
  if (max > 0) reader.skip(next === 0 ? start.length : next);
  return false;
}

async function readRecord(reader: ByteReader, limits: ExtractionLimits, place: FilePlace): Promise<Step | null> {
  if (!VERSION.test(latin1(await reader.peek(START_LENGTH)))) return null;
  const { offset } = reader;
  const { view, stop } = await peekRecord(reader, MAX_HEADER, endOfHeader);
  const headerEnd = endOfHeader(view);
  const [, ...lines] = new TextDecoder().decode(view.subarray(0, Math.max(headerEnd, 0))).split(/\r?\n/);
  const fields = parseHeaders(lines);
  const damaged = (message: string, skip: number): Step => ({
    found: { ...describeRecord(fields, offset), content: { failure: { code: 'damaged', message } } },
    skip,
    searched: Number.POSITIVE_INFINITY,
  });
  if (headerEnd <= 0)
    return damaged(
      stop?.damage ?? 'damaged WARC record: its header has no end',
      Math.max(1, Math.min(view.length, RECORD_START.length)),
    );
  const declared = fields.get('content-length') ?? '';
  if (!/^\d{1,15}$/.test(declared))
    return damaged(`damaged WARC record: its Content-Length is ${declared === '' ? 'missing' : 'invalid'}`, headerEnd);
  const length = Number(declared);
  if (length > limits.bytes) {
    const block = await peekAt(reader, headerEnd, WINDOW);
    // Its length may be wrong, and looking past it is impossible: another record ends it in any case.
    const found = { offset, fields, block, failure: documentTooLarge(limits) };
    return { found, skip: headerEnd, searched: length };
  }
  const damage = await checkBlock(reader, headerEnd, length);
  if (damage !== null) return damaged(damage, headerEnd);
  const located = await locate(reader, headerEnd + length, place);
  const record = await reader.peek(headerEnd + length);
  return { found: { offset, fields, block: record.subarray(headerEnd), ...located }, skip: headerEnd + length };
}

/** Returns what is wrong with a block, judging by what follows it, or null. */
async function checkBlock(reader: ByteReader, start: number, length: number): Promise<string | null> {
  const end = start + length;
  const { view, stop } = await peekRecord(reader, end);
  if (stop?.damage !== undefined) return stop.damage;
  if (view.length < end) return `damaged WARC record: it ends before its ${formatNumber(length)} bytes do`;
  const next = end + (await lineEnds(reader, end));
  const rest = await reader.peek(next + START_LENGTH);
  // A checksum at the very end may have found all of it wrong.
  const known = reader.offset + next;
  const damage = reader.marks(0, known).find((mark) => mark.isBefore === true)?.damage;
  if (damage !== undefined) return damage;
  if (rest.length <= next || VERSION.test(latin1(rest.subarray(next, next + START_LENGTH)))) return null;
  const isEnded = latin1(rest.subarray(end, end + 4)) === '\r\n\r\n';
  // What follows two line ends does not matter to this record, unless it came out of the same damaged gzip member.
  await reader.peek(next + WINDOW);
  const [following] = reader.marks(reader.offset + end);
  if (following?.isBefore === true) return following.damage ?? null;
  return isEnded ? null : 'damaged WARC record: its Content-Length is wrong';
}

async function lineEnds(reader: ByteReader, from: number): Promise<number> {
  let view = await reader.peek(from + START_LENGTH);
  const count = (): number => {
    let at = from;
    while (view[at] === 0x0d || view[at] === 0x0a) at++;
    return at - from;
  };
  if (count() === START_LENGTH) view = await reader.peek(from + WINDOW);
  return count();
}

/** Returns the start of the block; 0 if another record comes first, −1 if neither is found. */
function endOfHeader(bytes: Uint8Array): number {
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) {
    const end = endOfEmptyLine(bytes, at + 1);
    if (end > 0) return end;
    if (bytes[at + 1] === 0x57 && VERSION.test(latin1(bytes.subarray(at + 1, at + 1 + START_LENGTH)))) return 0;
  }
  return -1;
}

/** Looks ahead to damage, to a gzip member that begins with a record, or until `isEnough` returns 0 or more. */
async function peekRecord(
  reader: ByteReader,
  length: number,
  isEnough: (view: Uint8Array) => number = () => -1,
): Promise<{ readonly view: Uint8Array; readonly stop?: { readonly damage?: string } }> {
  let seen = 0;
  for (let step = Math.min(length, WINDOW); ; step = Math.min(length, step * 4)) {
    const view = await reader.peek(step);
    // Marks are few or close together: each is examined once, when it is reached.
    const marks = reader.marks(reader.offset + Math.max(seen, 1), reader.offset + view.length);
    for (const { at, damage, isBefore } of marks) {
      const end = at - reader.offset;
      if (end === length && isBefore !== true) continue;
      const isStop = damage !== undefined || latin1(await peekAt(reader, end, RECORD_START.length)) === RECORD_START;
      if (isStop) return { view: await reader.peek(end), stop: damage === undefined ? {} : { damage } };
    }
    // Looking past a mark may have moved the bytes.
    const again = marks.length > 0 ? await reader.peek(step) : view;
    seen = again.length;
    if (step >= length || again.length < step || isEnough(again) >= 0) return { view: again };
  }
}

async function peekAt(reader: ByteReader, from: number, length: number): Promise<Uint8Array> {
  return (await reader.peek(from + length)).subarray(from);
}

/** Skips to the next record, or to the end. Returns whether `max` bytes were searched without finding a record. */
async function seekRecord(reader: ByteReader, max: number): Promise<boolean> {
  // The bytes before are the end of a line, or were searched.
  let isLineStart = true;
  for (let gone = 0; gone < max; ) {
    const view = await reader.peek(WINDOW + START_LENGTH);
    if (view.length === 0) return false;
    const end = Math.min(view.length, WINDOW, max - gone);
    for (let at = view.indexOf(0x57); at >= 0 && at < end; at = view.indexOf(0x57, at + 1)) {
      const mayBegin = at === 0 ? isLineStart : view[at - 1] === 0x0a;
      const isMarked = () => reader.marks(reader.offset + at, reader.offset + at).length > 0;
      if (view[at + 1] !== 0x41 || !(mayBegin || isMarked())) continue;
      if (!VERSION_AND_FIELD.test(latin1(view.subarray(at, at + START_LENGTH)))) continue;
      reader.skip(at);
      return false;
    }
    isLineStart = view[end - 1] === 0x0a;
    reader.skip(end);
    gone += end;
  }
  return true;
}

export function describeRecord(fields: ReadonlyMap<string, string>, offset: number): Omit<Member, 'content'> {
  const name = withoutBrackets(fields.get('warc-target-uri'));
  const recordId = withoutBrackets(fields.get('warc-record-id'));
  const date = fields.get('warc-date');
  return {
    name: name ?? `@${offset}`,
    ...(recordId !== undefined && { recordId }),
    ...(date !== undefined && { date }),
    hints: {},
    warnings: [],
  };
}

/** A URI without angle brackets, which some versions of wget also put around targets. */
function withoutBrackets(uri: string | undefined): string | undefined {
  const bare = uri?.trim().replace(/^<(.*)>$/s, '$1');
  return bare === '' ? undefined : bare;
}

function damagedAt(offset: number, message: string): Member {
  return { name: `@${offset}`, hints: {}, content: { failure: { code: 'damaged', message } }, warnings: [] };
}
