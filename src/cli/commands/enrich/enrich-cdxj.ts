import { concatenate, latin1 } from '../../../common/bytes.ts';
import { MAX_LINE_LENGTH, parseJsonObject } from '../../../common/lines.ts';
import { formatBytes, formatNumber, pluralize, quote } from '../../../common/text.ts';
import { isParquet } from '../../../documents/dataset/dataset-format.ts';
import type { DocumentOutcome, FailedDocument } from '../../../documents/document-outcome.ts';
import type { Hashed } from '../../../documents/document-tasks.ts';
import type { Passed } from '../../../documents/documents-at.ts';
import { documentError } from '../../../documents/failure.ts';
import type { Found } from '../../../documents/open.ts';
import { type Loss, lossesOf } from '../../../extract/result.ts';
import { endOfString } from '../../../extract/rows/json-integers.ts';
import { formatLabelled } from '../../../scheme/serialise.ts';
import { NOT_DOCUMENTS, type Session } from '../../session.ts';
import { warn } from '../../terminal/print.ts';
import { EXTRACTOR, FINGERPRINT } from '../hash/cdxj-lines.ts';
import { createShortCount } from '../hash/short-count.ts';
import type { RecordEntry, Records, Undocumented } from './record-reader.ts';

interface CdxjLine {
  readonly record: RecordEntry;
  readonly text: string;
  /** The places of the values that the line has, by their keys, and the end of the last one. */
  readonly places: ReadonlyMap<string, { readonly start: number; readonly end: number }>;
  readonly end: number;
  /** The space that it has after colons and commas. */
  readonly space: string;
}

/** A part of the file: a line with its line end, or a piece of one that is too long to be read. */
interface Part {
  readonly bytes: Uint8Array;
  /** The number of the line, from 1. */
  readonly number: number;
  /** The content of the line; null for a line without a record, and for the rest of a long one. */
  readonly line: CdxjLine | { readonly failure: string } | null;
}

const BLOCK = 1 << 16;

/** Adds fingerprints to CDXJ. Chunks may be overwritten once the next one is requested. */
export async function* enrichCdxj(
  chunks: AsyncIterable<Uint8Array>,
  label: string,
  context: EnrichContext,
): AsyncGenerator<Uint8Array, undefined> {
  const tally = createTally(context);
  let block: Uint8Array[] = [];
  let length = 0;
  let outcome: DocumentOutcome<Hashed> | undefined;
  // Several records are read at a time, and the outcome of a document comes before its line.
  for await (const item of context.session.run('hash', sourcesOf(partsOf(chunks), context.records))) {
    if (item.kind !== 'passed') {
      outcome = item;
      continue;
    }
    const { bytes, number, line, undocumented } = item.passed as Waiting;
    const hashed = await tally.settle(number, outcome ?? undocumented);
    const losses = lossesOf(outcome?.warnings ?? []);
    outcome = undefined;
    const isNew = hashed !== null && line !== null && 'record' in line;
    const written = isNew ? Buffer.from(withFingerprint(line, label, hashed, losses)) : bytes;
    block.push(written);
    length += written.length;
    if (length < BLOCK) continue;
    yield concatenate(block);
    block = [];
    length = 0;
  }
  tally.report();
  if (length > 0) yield concatenate(block);
}

function withFingerprint(line: CdxjLine, label: string, hashed: Hashed, losses: readonly Loss[]): string {
  const { text, places, end, space } = line;
  const values = [
    [FINGERPRINT, formatLabelled(label, hashed.fingerprint)],
    [EXTRACTOR, hashed.extractor],
    ...(losses.length > 0 || places.has('losses') ? [['losses', losses.join(' ')] as const] : []),
  ] as const;
  const isNew = ([key]: readonly [string, string]): boolean => !places.has(key);
  const added = values.filter(isNew).map(([key, value]) => `,${space}"${key}":${space}"${value}"`);
  const edits = values
    .filter((each) => !isNew(each))
    .map(([key, value]) => ({ ...places.get(key)!, value: `"${value}"` }));
  edits.push({ start: end, end, value: added.join('') });
  // The last one first, so that the places of the others stay the same.
  edits.sort((a, b) => b.start - a.start);
  return edits.reduce((result, edit) => `${result.slice(0, edit.start)}${edit.value}${result.slice(edit.end)}`, text);
}

const LINE_FEED = 0x0a;

/** Splits a file into lines. Held at a time: one of at most {@link MAX_LINE_LENGTH}, and one chunk. */
async function* partsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Part, undefined> {
  let pieces: Uint8Array[] = [];
  let [number, length] = [1, 0];
  let isFirst = true;
  let fields: string | null = null;
  const take = (isStart: boolean): Part => {
    let bytes = concatenate(pieces);
    if (number === 1) fields = cdxFieldsOf(bytes);
    if (fields !== null && length <= MAX_LINE_LENGTH)
      bytes = /^ ?CDX /.test(latin1(bytes.subarray(0, 5))) ? new Uint8Array(0) : fromCdx(bytes, fields);
    pieces = [];
    const isLong = length > MAX_LINE_LENGTH;
    const tooLong = { failure: `is longer than ${formatBytes(MAX_LINE_LENGTH)}` };
    const line = isLong ? (isStart ? tooLong : null) : parseLine(bytes);
    if (isFirst && line !== null && 'failure' in line) throw notCdxj(bytes, number, line.failure);
    if (line !== null) isFirst = false;
    return { bytes, number, line };
  };
  for await (const chunk of chunks)
    for (let from = 0; from < chunk.length; ) {
      const end = chunk.indexOf(LINE_FEED, from) + 1;
      const piece = chunk.slice(from, end === 0 ? chunk.length : end);
      from += piece.length;
      const isStart = length <= MAX_LINE_LENGTH;
      length += piece.length;
      pieces.push(piece);
      if (end > 0 || length > MAX_LINE_LENGTH) yield take(isStart);
      if (end === 0) continue;
      number++;
      length = 0;
    }
  if (pieces.length > 0) yield take(true);
}

/** The fields of CDX with 9 or 11 fields that CDXJ has, as its keys; the first two are the URL key and the timestamp. */
const CDX_KEYS: Readonly<Record<string, string>> = {
  ...{ a: 'url', m: 'mime', s: 'status', k: 'digest', S: 'length', V: 'offset', g: 'filename' },
};

/** A line of CDX with 9 fields, or with 11, of which M and S are more. */
const CDX_LINE = /^\S+ \d{14} \S+ \S+ (?:\d{3}|-) \S+ \S+( \S+ (?:\d+|-))? \d+ \S+\r?\n?$/;

/** Returns the letters of the fields of CDX, which its first line names or has the form of; null for anything else. */
function cdxFieldsOf(bytes: Uint8Array): string | null {
  const line = latin1(bytes.subarray(0, 1 << 14));
  const [, letters] = /^ ?CDX (N b(?: [a-zA-Z]){5,10})\r?\n?$/.exec(line) ?? [];
  const values = letters === undefined ? CDX_LINE.exec(line) : null;
  if (values !== null) return values[1] === undefined ? 'NbamskrVg' : 'NbamskrMSVg';
  return letters?.includes('V') === true && letters.includes('g') ? letters.replaceAll(' ', '') : null;
}

/** Makes a line of CDXJ from one of CDX; what has another number of fields stays as it is, and is reported. */
function fromCdx(bytes: Uint8Array, letters: string): Uint8Array {
  const values = Buffer.from(bytes).toString().trimEnd().split(' ');
  if (values.length !== letters.length) return bytes;
  const entries = [...letters].flatMap((letter, index) => {
    const key = CDX_KEYS[letter];
    return key === undefined || values[index] === '-' ? [] : [[key, values[index]] as const];
  });
  return Buffer.from(`${values[0]} ${values[1]} ${JSON.stringify(Object.fromEntries(entries))}\n`);
}

function notCdxj(bytes: Uint8Array, number: number, failure: string): Error {
  const start = Buffer.from(bytes.subarray(0, 1 << 12)).toString('latin1');
  const fields = start.trim().split(' ').length;
  const isCdx = /^ ?CDX /.test(start) || (fields >= 9 && fields <= 12 && /^\S+ \d{14} [^{]/.test(start));
  if (isParquet(bytes))
    return documentError(
      'unsupported-media-type',
      'is Parquet, not CDXJ: join it with the output of hash --json, as in DuckDB',
    );
  const found = isCdx ? `is CDX, with fields separated by spaces, not CDXJ` : `is not CDXJ: line ${number} ${failure}`;
  const advice = 'cdxj-indexer or simhash-doc hash --cdxj makes CDXJ from the WARC files';
  return documentError('unsupported-media-type', `${found}; ${advice}`);
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Parses a line; null for one without a record, such as an empty line or a header. */
function parseLine(bytes: Uint8Array): Part['line'] {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return { failure: 'is not UTF-8' };
  }
  if (/^\s*$|^[!@]/.test(text)) return null;
  const [head] = /^\S+ \d{4,17} (?=\{)/.exec(text) ?? [];
  const json = head === undefined ? '' : text.slice(head.length);
  const object = parseJsonObject(json);
  if (head === undefined || object === undefined)
    return { failure: 'is not a URL key, a timestamp and a JSON object, separated by spaces' };
  const members = membersOf(json);
  const repeated = READ.find((name) => members.filter(({ key }) => key === name).length > 1);
  if (repeated !== undefined) return { failure: `has the key ${quote(repeated)} more than once` };
  const { filename, url, mime } = object;
  const [offset, length] = [numberOf(object['offset']), numberOf(object['length'])];
  if (typeof filename !== 'string' || filename === '' || offset === undefined)
    return { failure: 'points to no record: expected "filename" and "offset"' };
  const last = members.at(-1)!;
  const placeOf = ({ start, end }: (typeof members)[number]) => ({
    start: head.length + start,
    end: head.length + end,
  });
  const space = json[last.start - 1] === ' ' ? ' ' : '';
  return {
    record: { filename, offset, length, url: stringOf(url), mediaType: stringOf(mime) },
    text,
    places: new Map(members.map((member) => [member.key, placeOf(member)])),
    end: head.length + last.end,
    space,
  };
}

/** The keys that are read. */
const READ = ['filename', 'offset', 'length', 'url', 'mime', FINGERPRINT, EXTRACTOR, 'losses'];

/** A whole number, as such or as a string of digits. */
function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

const stringOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function membersOf(json: string) {
  const members: { key: string; start: number; end: number }[] = [];
  let [depth, key, start] = [0, '', 0];
  // A value begins at its first character and ends after the last one that is not white space.
  let end = 0;
  for (let at = 0; at < json.length; ) {
    const unit = json[at]!;
    const next = unit === '"' ? endOfString(json, at) : at + 1;
    if (unit === '{' || unit === '[') depth++;
    if (unit === '}' || unit === ']') depth--;
    const isEnd = (depth === 1 && unit === ',') || depth === 0;
    if (isEnd && start > 0) {
      members.push({ key, start, end });
      start = 0;
      key = '';
    } else if (depth === 1 && unit === ':' && start === 0) start = at + 1;
    else if (depth === 1 && unit === '"' && start === 0) key = JSON.parse(json.slice(at, next)) as string;
    if (!/\s/.test(unit)) {
      end = next;
    } else if (start === at && start > 0) start = next;
    at = next;
    if (depth === 0) break;
  }
  return members;
}

export interface EnrichContext {
  readonly input: string;
  readonly records: Records;
  readonly session: Session;
}

interface Waiting extends Part {
  /** Undefined if there is a document, whose outcome comes before this. */
  readonly undocumented: Undocumented | undefined;
}

/** Opens the document of each line, if it has one, and passes the line on after it. */
async function* sourcesOf(
  parts: AsyncIterable<Part>,
  records: Records,
): AsyncGenerator<Found | FailedDocument | Passed, undefined> {
  for await (const part of parts) {
    const { line, bytes } = part;
    let undocumented: Undocumented | undefined;
    if (line !== null && 'failure' in line) undocumented = { kind: 'unreadable', ...line };
    else if (line !== null) {
      const read = await records.read(line.record);
      if (read.kind === 'skipped' || read.kind === 'unreadable') undocumented = read;
      else yield read;
    }
    yield { kind: 'passed', passed: { ...part, undocumented } satisfies Waiting, bytes: bytes.length };
  }
}

/** The maximum number of WARC files that are reported one by one because they cannot be read. */
const MAX_REPORTED = 1000;

function createTally({ input, session: { report } }: EnrichContext) {
  const skipped = new Map<string, number>();
  const reported = new Set<string>();
  const short = createShortCount();
  let [count, failed] = [0, 0];

  function skip(reason: string): null {
    skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
    return null;
  }

  function fail(number: number, failure: string, isFile: boolean): null {
    failed++;
    if (isFile && (reported.has(failure) || reported.size === MAX_REPORTED)) return null;
    if (isFile) reported.add(failure);
    report.fail(`${input}: line ${number}`, failure);
    return null;
  }

  return {
    /** Counts an item and returns its result, or null. An item without a record has no outcome. */
    async settle(number: number, outcome: DocumentOutcome<Hashed> | Undocumented | undefined): Promise<Hashed | null> {
      count++;
      if (outcome === undefined) return null;
      if (outcome.kind === 'skipped') return skip(outcome.reason);
      if (outcome.kind === 'unreadable') return fail(number, outcome.failure, outcome.isFile === true);
      const reason = outcome.kind === 'failed' ? NOT_DOCUMENTS.get(outcome.failure.code) : undefined;
      if (reason !== undefined) return skip(reason);
      const hashed = await report.add({ ...outcome, path: `${input}: line ${number}: ${outcome.path}` });
      if (hashed === null) failed++;
      else short.add(outcome, hashed.tokens);
      return hashed;
    },
    report(): void {
      if (skipped.size > 0) report.noteSkipped({ kind: 'skipped', path: input, skipped });
      short.warn();
      if (failed > 1) warn(`${input}: ${formatNumber(failed)} of ${pluralize(count, 'line')} failed`);
    },
  };
}
