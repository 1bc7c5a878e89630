import { isUtf8 } from 'node:buffer';
import { totalmem } from 'node:os';
import { concatenate } from '../../common/octets.ts';
import {
  type Archive,
  DEFAULT_LIMITS,
  detectType,
  type Extraction,
  type ExtractionHints,
  type ExtractionLimits,
  extract,
} from '../../extract/index.ts';
import { hasUtf16Mark } from '../../extract/text/text.ts';
import { createFingerprinter } from '../../index.ts';
import { type Arguments, usageError } from '../command.ts';
import { type Failure, failureOf } from './failure.ts';
import { type Chunks, type Opened, open, readWhole, type Source } from './open.ts';

/** What the caller says of the documents, and what they may cost. */
export interface DocumentHints {
  readonly charset?: string | undefined;
  readonly type?: ExtractionHints['type'];
  readonly limits: ExtractionLimits;
  /** The most milliseconds that extracting a text may take. */
  readonly timeout: number;
  /** The octets of memory of the whole process above which a document is given up. */
  readonly memory: number;
}

/** Where a document stands in the archive that its path leads to. */
export interface MemberPlace {
  /** Its name, or the target URI of a WARC record. */
  readonly name: string;
  readonly recordId?: string;
  readonly date?: string;
}

/** Which document it is. */
export interface Place {
  readonly path: string;
  readonly member?: MemberPlace | undefined;
}

/** The fingerprint of a document, and how it came about. */
export interface Hashed {
  readonly fingerprint: bigint;
  /** Number of tokens, every occurrence. */
  readonly tokens: number;
  readonly mediaType: string;
  readonly extractor: string;
}

/** What became of one document. */
export interface Outcome<T = Hashed> extends Place {
  readonly result: T | { readonly failure: Failure };
  /** What a person should know, one sentence each. */
  readonly warnings: readonly string[];
  /** Octets of the document, where they were read whole. */
  readonly size?: number;
}

/** What a path leads to when it is not one document. */
export interface ArchiveFound {
  readonly archive: Archive;
}

/** What is told while documents are worked on. */
export interface Listener {
  /** So many octets were read. */
  read(octets: number): void;
  /** A text is being extracted from here on; it may take long. */
  extracting(): void;
  /** So many pages of so many are done. */
  pages(done: number, total: number): void;
}

/** Takes over a document that has been read whole, or leaves it where it is. */
export type Elsewhere<T> = (source: Source, type: ExtractionHints['type']) => Promise<T> | undefined;

const SILENT: Listener = { read() {}, extracting() {}, pages() {} };

/** The most seconds that can be asked for: a timer's longest time. */
const MOST_SECONDS = 2_000_000;

const DEFAULT_TIMEOUT = 120_000;

/** 4 GiB, or half of what the machine has, if that is less. */
const DEFAULT_MEMORY = Math.min(4 * 2 ** 30, totalmem() / 2);

/**
 * Reads what every command that reads documents takes: `--charset`, `--type` and the limits.
 * @param args - the arguments
 * @returns what they say
 * @throws (rejects) with a usage error for names that extraction does not know, and numbers that are none
 */
export async function documentHints(args: Arguments): Promise<DocumentHints> {
  const charset = args.value('charset');
  const type = args.value('type') as ExtractionHints['type'];
  try {
    // Whoever knows the names checks them, on a document without octets.
    await extract(new Uint8Array(0), { type: 'text', charset });
    detectType(new Uint8Array(0), { type });
  } catch (error) {
    throw usageError(failureOf(error).message);
  }
  const number = (name: string): number | undefined => {
    const value = args.value(name);
    return value === undefined ? undefined : readNumber(name, value);
  };
  const limits: ExtractionLimits = {
    octets: readSize(args, 'max-size') ?? DEFAULT_LIMITS.octets,
    inflated: readSize(args, 'max-inflated') ?? DEFAULT_LIMITS.inflated,
    depth: number('max-depth') ?? DEFAULT_LIMITS.depth,
    nesting: number('max-nesting') ?? DEFAULT_LIMITS.nesting,
    pages: number('max-pages') ?? DEFAULT_LIMITS.pages,
  };
  const seconds = args.value('timeout');
  const timeout = seconds === undefined ? DEFAULT_TIMEOUT : 1000 * readSeconds(seconds);
  return { charset, type, limits, timeout, memory: readSize(args, 'max-memory') ?? DEFAULT_MEMORY };
}

function readNumber(name: string, value: string): number {
  const number = /^[0-9]{1,9}$/.test(value) ? Number(value) : 0;
  if (number < 1) throw usageError(`--${name}: expected a whole number from 1 on, got ${JSON.stringify(value)}`);
  return number;
}

function readSeconds(value: string): number {
  const seconds = /^[0-9]+(?:\.[0-9]+)?$/.test(value) ? Number(value) : 0;
  if (seconds <= 0 || seconds > MOST_SECONDS)
    throw usageError(`--timeout: expected seconds, up to ${MOST_SECONDS}, got ${JSON.stringify(value)}`);
  return seconds;
}

/** Reads a number of octets: digits, then nothing or one of K, M, G, T (powers of 1024). */
function readSize(args: Arguments, name: string): number | undefined {
  const value = args.value(name);
  if (value === undefined) return undefined;
  const [, digits, unit] = /^([0-9]{1,15})([KMGT]?)(?:i?B)?$/i.exec(value) ?? [];
  const octets = Number(digits) * 1024 ** ['', 'K', 'M', 'G', 'T'].indexOf((unit ?? '').toUpperCase());
  if (!Number.isSafeInteger(octets) || octets < 1)
    throw usageError(`--${name}: expected octets, such as 1000000, 500M or 2G, got ${JSON.stringify(value)}`);
  return octets;
}

/**
 * Computes the fingerprint of one document. Plain text in UTF-8 is streamed, whatever its length; everything else is read
 * whole, up to a limit.
 * @param source - where it is
 * @param hints - what the caller says of it
 * @param listener - told what happens
 * @param elsewhere - may take over a document that has been read whole; undefined leaves it here
 * @returns what became of it, or that it is an archive; never rejects
 */
export async function hashDocument(
  source: Source,
  hints: DocumentHints,
  listener: Partial<Listener>,
  elsewhere: Elsewhere<Outcome> = () => undefined,
): Promise<Outcome | ArchiveFound> {
  const { path } = source;
  if (source.failure !== undefined) return failed({ path }, source.failure);
  const { read, extracting, pages } = { ...SILENT, ...listener };
  try {
    return await reading(source, hints, read, async (opened) => {
      const { type, head, rest, hints: known } = opened;
      if (type === 'zip' || type === 'warc') return { archive: type };
      const isUtf8Text = type === 'text' && known.charset === undefined && known.transportCharset === undefined;
      if (isUtf8Text && !hasUtf16Mark(head)) return streamText(path, head, rest);
      const octets = await readWhole(opened, hints.limits);
      const whole = { ...source, octets, known: { ...known, type } };
      const taken = elsewhere(whole, type);
      if (taken !== undefined) return taken;
      extracting();
      const extraction = await extract(octets, whole.known, { limits: hints.limits, onProgress: pages });
      const fingerprinter = createFingerprinter().update(extraction.text);
      const outcome = outcomeOf(path, fingerprinter.digest(), fingerprinter.tokenCount, extraction);
      return { ...outcome, size: octets.length };
    });
  } catch (error) {
    return failed({ path }, failureOf(error));
  }
}

/**
 * Extracts the text of one document.
 * @param source - where it is
 * @param hints - what the caller says of it
 * @param listener - told what happens
 * @param elsewhere - may take over a document that has been read whole
 * @returns its text, or that it is an archive; never rejects
 */
export async function extractDocument(
  source: Source,
  hints: DocumentHints,
  listener: Partial<Listener>,
  elsewhere: Elsewhere<Outcome<Extraction>> = () => undefined,
): Promise<Outcome<Extraction> | ArchiveFound> {
  const { path } = source;
  if (source.failure !== undefined) return failed({ path }, source.failure);
  const { read, extracting, pages } = { ...SILENT, ...listener };
  try {
    return await reading(source, hints, read, async (opened) => {
      const { type } = opened;
      if (type === 'zip' || type === 'warc') return { archive: type };
      const octets = await readWhole(opened, hints.limits);
      const known = { ...opened.hints, type };
      const taken = elsewhere({ ...source, octets, known }, type);
      if (taken !== undefined) return taken;
      extracting();
      const extraction = await extract(octets, known, { limits: hints.limits, onProgress: pages });
      return { path, result: extraction, warnings: extraction.warnings, size: octets.length };
    });
  } catch (error) {
    return failed({ path }, failureOf(error));
  }
}

/** Opens a document, unless it is open, and closes it again, whatever happens. */
async function reading<T>(
  source: Source,
  { charset, type, limits }: DocumentHints,
  read: (octets: number) => void,
  action: (opened: Opened) => Promise<T>,
): Promise<T> {
  if (source.opened !== undefined) return action(source.opened);
  const opened = await open(source, { charset, type }, limits, read);
  try {
    return await action(opened);
  } finally {
    await opened.close();
  }
}

/**
 * Makes the outcome of a document of which nothing came.
 * @param place - the document
 * @param failure - why
 */
export function failed({ path, member }: Place, failure: Failure): Outcome<never> {
  return { path, member, result: { failure }, warnings: [] };
}

/** What stands for a document in messages and lists: its path, and behind a `!` its name in the archive there. */
export function nameOf({ path, member }: Place): string {
  return member === undefined ? path : `${path}!${member.name}`;
}

/** What tells a document in JSON: its path; for one in an archive, its name or URI there, and what its record says. */
export function placeAsJson({ path, member }: Place): Record<string, string> {
  if (member === undefined) return { path };
  const { name, recordId, date } = member;
  return {
    path,
    member: name,
    ...(recordId !== undefined && { recordId }),
    ...(date !== undefined && { date }),
  };
}

/** Streams plain text: what extraction does with it, octets decoded and nothing else, is step 1 of the scheme. */
async function streamText(path: string, head: Uint8Array, rest: Chunks): Promise<Outcome> {
  const fingerprinter = createFingerprinter().update(head);
  const check = createUtf8Check();
  check.update(head);
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    fingerprinter.update(next.value);
    check.update(next.value);
  }
  const fingerprint = fingerprinter.digest();
  textNames ??= await extract(new Uint8Array(0), { type: 'text' });
  const { mediaType, extractor } = textNames;
  const warnings = check.isWellFormed() ? [] : [ILL_FORMED];
  return outcomeOf(path, fingerprint, fingerprinter.tokenCount, { mediaType, extractor, warnings });
}

/** How extraction calls what it does with plain text. */
let textNames: Extraction | undefined;

const ILL_FORMED = 'not well-formed UTF-8: perhaps it is damaged or in another charset (--charset)';

/** Checks octets that come in parts. */
function createUtf8Check() {
  let wellFormed = true;
  let carry: Uint8Array = new Uint8Array(0);
  return {
    update(chunk: Uint8Array): void {
      if (!wellFormed) return;
      const octets = carry.length === 0 ? chunk : concatenate([carry, chunk]);
      const end = octets.length - incompleteOctets(octets);
      wellFormed = isUtf8(octets.subarray(0, end));
      carry = octets.slice(end);
    },
    isWellFormed: () => wellFormed && carry.length === 0,
  };
}

/** How many octets at the end may be the beginning of a sequence: 0 to 3. */
function incompleteOctets(octets: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, octets.length); back++) {
    const octet = octets[octets.length - back]!;
    if (octet < 0x80) return 0;
    if (octet >= 0xc0) return back < (octet < 0xe0 ? 2 : octet < 0xf0 ? 3 : 4) ? back : 0;
  }
  return 0;
}

function outcomeOf(
  path: string,
  fingerprint: bigint | null,
  tokens: number,
  { mediaType, extractor, warnings }: Omit<Extraction, 'text'>,
): Outcome {
  const result = fingerprint === null ? { failure: NO_TOKENS } : { fingerprint, tokens, mediaType, extractor };
  return { path, result, warnings };
}

/** The failure of a document without tokens. */
export const NO_TOKENS: Failure = {
  code: 'no-tokens',
  message: 'no letters in the document, so it has no fingerprint',
};
