import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { DETECTION_WINDOW, detectType, type Extraction, extract, type Medium } from '../extract/index.ts';
import { createFingerprinter } from '../index.ts';
import { type Arguments, usageError } from './arguments.ts';
import { documentError, type Failure, failureOf } from './failure.ts';
import { type Entry, SPECIAL_FILE, STDIN } from './walk.ts';

/** What the caller says of the documents. */
export interface DocumentHints {
  readonly charset?: string | undefined;
  readonly type?: Medium | undefined;
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
export interface Outcome {
  readonly path: string;
  readonly result: Hashed | { readonly failure: Failure };
  /** What a person should know, one sentence each. */
  readonly warnings: readonly string[];
}

/** A document to read, or one that has been read whole. */
export interface Source extends Entry {
  readonly octets?: Uint8Array;
}

type Chunks = Generator<Uint8Array, undefined> | AsyncGenerator<Uint8Array, undefined>;

/** How many octets are read at once. */
const CHUNK = 1 << 18;

/** The most octets that are held of a document that cannot be streamed: its text must fit into one string. */
const WHOLE = 500 << 20;

/**
 * Reads what every command that reads documents takes: `--charset` and `--type`.
 * @param args - the arguments
 * @returns what they say
 * @throws (rejects) with a usage error for names that extraction does not know
 */
export async function documentHints(args: Arguments): Promise<DocumentHints> {
  const hints = { charset: args.value('charset'), type: args.value('type') as Medium | undefined };
  try {
    // Whoever knows the names checks them, on a document without octets.
    await extract(new Uint8Array(0), { type: 'text', charset: hints.charset });
    detectType(new Uint8Array(0), { type: hints.type });
  } catch (error) {
    throw usageError(failureOf(error).message);
  }
  return hints;
}

/**
 * Computes the fingerprint of one document. Plain text in UTF-8 is streamed, whatever its length; everything else is read
 * whole, up to 500 MiB.
 * @param source - where it is
 * @param hints - what the caller says of it
 * @param read - told how many octets were read, whenever some were
 * @param elsewhere - may take over a document that has been read whole; undefined leaves it here
 * @returns what became of it; never rejects
 */
export async function hashDocument(
  source: Source,
  hints: DocumentHints,
  read: (octets: number) => void,
  elsewhere: (octets: Uint8Array) => Promise<Outcome> | undefined = () => undefined,
): Promise<Outcome> {
  const { path } = source;
  if (source.failure !== undefined) return failed(path, source.failure);
  try {
    return await reading(source.octets === undefined ? openSource(source, read) : none(), async (chunks) => {
      const head = source.octets ?? (await readHead(chunks));
      if (head.length === 0) throw documentError('empty', 'the document is empty');
      const type = detectType(head, { ...hints, path });
      if (type === 'text' && hints.charset === undefined) return streamText(path, head, chunks);
      if (type === 'zip' || type === 'warc' || type === 'gzip')
        throw documentError('archive', `is an archive (${type})`);
      const octets = await readWhole(head, chunks, WHOLE);
      return elsewhere(octets) ?? hashWhole(path, octets, { ...hints, type });
    });
  } catch (error) {
    return failed(path, failureOf(error));
  }
}

/**
 * Makes the outcome of a document that has no fingerprint.
 * @param path - the document
 * @param failure - why it has none
 */
export function failed(path: string, failure: Failure): Outcome {
  return { path, result: { failure }, warnings: [] };
}

/**
 * Reads a document whole.
 * @param source - where it is
 * @param limit - the most octets it may have
 * @returns its octets
 * @throws (rejects) with whatever goes wrong; see {@link failureOf}
 */
export async function readDocument(source: Source, limit: number): Promise<Uint8Array> {
  return reading(
    openSource(source, () => {}),
    (chunks) => readWhole(new Uint8Array(0), chunks, limit),
  );
}

/** Reads from a source and closes it, whatever happens. */
async function reading<T>(chunks: Chunks, action: (chunks: Chunks) => Promise<T>): Promise<T> {
  try {
    return await action(chunks);
  } finally {
    await chunks.return(undefined);
  }
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
  const { mediaType, extractor } = await extract(new Uint8Array(0), { type: 'text' });
  const warnings = check.isWellFormed() ? [] : [ILL_FORMED];
  return outcome(path, fingerprint, fingerprinter.tokenCount, { mediaType, extractor, warnings });
}

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

async function hashWhole(path: string, octets: Uint8Array, hints: DocumentHints): Promise<Outcome> {
  const extraction = await extract(octets, { ...hints, path });
  const fingerprinter = createFingerprinter().update(extraction.text);
  return outcome(path, fingerprinter.digest(), fingerprinter.tokenCount, extraction);
}

function outcome(
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

/** The octets of a file or of stdin, for {@link reading}. */
function openSource(source: Source, read: (octets: number) => void): Chunks {
  return source.path === STDIN ? readStdin(read) : readFile(source, read);
}

function* none(): Generator<Uint8Array, undefined> {}

async function* readStdin(read: (octets: number) => void): AsyncGenerator<Uint8Array, undefined> {
  // Node takes a folder as stdin for an empty file.
  if (fstatSync(process.stdin.fd).isDirectory()) throw documentError('is-directory', 'is a folder: expected a file');
  for await (const chunk of process.stdin) {
    read(chunk.length);
    // A Buffer's slice is no copy.
    yield new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length);
  }
}

/** Reads a file in parts; each is overwritten by the next. Synchronous reads are several times as fast for small files. */
function* readFile({ path, found }: Source, read: (octets: number) => void): Generator<Uint8Array, undefined> {
  // Between the walk and now a file may have become a pipe, and opening one waits for its other end.
  const fd = openSync(path, constants.O_RDONLY | (found ? (constants.O_NONBLOCK ?? 0) : 0));
  try {
    const stat = fstatSync(fd);
    if (found && !stat.isFile()) throw documentError(SPECIAL_FILE.code, SPECIAL_FILE.message);
    // One octet more than there are: a full buffer is then a file that has grown.
    const buffer = new Uint8Array(stat.isFile() && stat.size > 0 ? Math.min(stat.size + 1, CHUNK) : CHUNK);
    for (;;) {
      const length = readSync(fd, buffer, 0, buffer.length, null);
      if (length === 0) return undefined;
      read(length);
      yield buffer.subarray(0, length);
    }
  } finally {
    closeSync(fd);
  }
}

/** Reads as much of a document as `detectType` looks at, or all there is. */
async function readHead(chunks: Chunks): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let length = 0; length < DETECTION_WINDOW; ) {
    const { done, value } = await chunks.next();
    if (done === true) break;
    parts.push(value.slice());
    length += value.length;
  }
  return concatenate(parts);
}

async function readWhole(head: Uint8Array, rest: Chunks, limit: number): Promise<Uint8Array> {
  const parts = [head];
  let length = head.length;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    length += next.value.length;
    if (length > limit)
      throw documentError('too-large', `more than the ${limit >> 20} MiB that can be read of it at once`);
    parts.push(next.value.slice());
  }
  return concatenate(parts);
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
