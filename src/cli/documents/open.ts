import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { concatenate } from '../../common/octets.ts';
import { formatBytes } from '../../common/text.ts';
import {
  DETECTION_WINDOW,
  type DocumentType,
  detectType,
  type ExtractionHints,
  type ExtractionLimits,
} from '../../extract/index.ts';
import { createInflationMeter } from '../../extract/limits.ts';
import { documentError } from './failure.ts';
import { type Entry, pathOf, SPECIAL_FILE, STDIN } from './walk.ts';

/**
 * The octets of a document, part by part. A part of fewer octets than {@link DETECTION_WINDOW} stays good until the
 * document is closed, a larger one until the next is asked for.
 */
export type Chunks = Generator<Uint8Array, undefined> | AsyncGenerator<Uint8Array, undefined>;

/** A document to read, or one that has been read whole. */
export interface Source extends Entry {
  readonly octets?: Uint8Array;
  /** The document, already open; who opened it closes it. */
  readonly opened?: Opened;
  /** What is known of it besides what the caller says of all documents. */
  readonly known?: ExtractionHints;
}

/** A document whose type is known, codings around it undone. */
export interface Opened {
  readonly type: Exclude<DocumentType, 'gzip'>;
  /** What is known of it, its path without what said that it is compressed. */
  readonly hints: ExtractionHints;
  /** Its first octets, all that the type was found by. */
  readonly head: Uint8Array;
  /** The octets behind the head. */
  readonly rest: Chunks;
  /** Whether it was compressed. */
  readonly wasCompressed: boolean;
  /** Ends reading, however much was read. */
  close(): Promise<void>;
}

/** How many octets are read at once. */
const CHUNK = 1 << 18;

/**
 * Opens a document, finds its type and undoes what it is compressed with.
 * @param source - where it is
 * @param hints - what the caller says of all documents
 * @param limits - how deep codings may lie in each other, and how much may come out of them
 * @param read - told how many octets were read, whenever some were
 * @returns the open document; whoever opened it closes it
 * @throws (rejects) with whatever goes wrong; see `failureOf`
 */
export async function open(
  source: Source,
  hints: ExtractionHints,
  limits: ExtractionLimits,
  read: (octets: number) => void,
): Promise<Opened> {
  const raw = source.octets === undefined ? openRaw(source, read) : none();
  const layers: Chunks[] = [raw];
  const close = async (): Promise<void> => {
    for (const chunks of layers.splice(0).reverse()) await chunks.return(undefined);
  };
  try {
    let rest: Chunks = raw;
    let head = source.octets ?? (await readHead(raw));
    let path = source.known?.path ?? source.path;
    // An archive of any length is read in bounded memory; there, each document has the limit for itself.
    let isArchive = false;
    const count = createInflationMeter(limits);
    const meter = (octets: number): void => {
      if (!isArchive) count(octets);
    };
    for (let depth = 0; ; depth++) {
      if (head.length === 0) throw documentError('empty', 'the document is empty');
      const all = { ...hints, ...source.known, path };
      const type = detectType(head, all);
      if (type !== 'gzip') {
        isArchive = type === 'warc';
        return { type, hints: all, head, rest, wasCompressed: depth > 0, close };
      }
      if (depth === limits.nesting)
        throw documentError('too-deep', `compressed more often than the ${limits.nesting} times that are undone`);
      const { gunzipStream, withoutGzipSuffix } = await import('../../extract/archive/gzip.ts');
      rest = gunzipStream(following(head, rest), meter) as AsyncGenerator<Uint8Array, undefined>;
      layers.push(rest);
      head = await readHead(rest);
      path = withoutGzipSuffix(path);
    }
  } catch (error) {
    await close();
    throw error;
  }
}

/** A head and what follows it, as one. */
export async function* following(head: Uint8Array, rest: Chunks): AsyncGenerator<Uint8Array, undefined> {
  yield head;
  yield* rest;
  return undefined;
}

/**
 * Reads all of a document.
 * @throws (rejects) Error `too-large`
 */
export async function readWhole({ head, rest }: Opened, limits: ExtractionLimits): Promise<Uint8Array> {
  const parts = [head.length < DETECTION_WINDOW ? head : head.slice()];
  let length = head.length;
  const check = (): void => {
    if (length > limits.octets)
      throw documentError('too-large', `more than the ${formatBytes(limits.octets)} that may be read of it`);
  };
  check();
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    length += next.value.length;
    check();
    parts.push(next.value.length < DETECTION_WINDOW ? next.value : next.value.slice());
  }
  return concatenate(parts);
}

/** The octets of a file or of stdin. */
function openRaw(source: Source, read: (octets: number) => void): Chunks {
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

/**
 * Opens a file that a walk came to.
 * @returns its descriptor and its size, which is 0 for what has none
 */
export function openFile(entry: Entry): { readonly fd: number; readonly size: number } {
  // Between the walk and now a file may have become a pipe, and opening one waits for its other end.
  const { found } = entry;
  const fd = openSync(pathOf(entry), constants.O_RDONLY | (found ? (constants.O_NONBLOCK ?? 0) : 0));
  const stat = fstatSync(fd);
  if (!found || stat.isFile()) return { fd, size: stat.isFile() ? stat.size : 0 };
  closeSync(fd);
  throw documentError(SPECIAL_FILE.code, SPECIAL_FILE.message);
}

/** Buffers of files that are closed, for the next ones: making one costs more than reading a small file into it. */
const buffers: Uint8Array[] = [];

/** Reads a file in parts. Synchronous reads are several times as fast for small files. */
function* readFile(source: Source, read: (octets: number) => void): Generator<Uint8Array, undefined> {
  const { fd, size } = openFile(source);
  let buffer = buffers.pop() ?? new Uint8Array(CHUNK);
  try {
    for (;;) {
      let length = 0;
      let got = 0;
      // What comes through a pipe is passed on as it comes; a file comes whole, if it is small.
      do {
        got = readSync(fd, buffer, length, buffer.length - length, null);
        length += got;
      } while (got > 0 && size > 0 && length < buffer.length);
      if (length === 0) return undefined;
      read(length);
      yield buffer.subarray(0, length);
      if (got === 0) return undefined;
      // A small part must stay as it is.
      if (length < DETECTION_WINDOW) buffer = new Uint8Array(CHUNK);
    }
  } finally {
    closeSync(fd);
    buffers.push(buffer);
  }
}

/** Reads as much of a document as `detectType` looks at, or all there is. */
async function readHead(chunks: Chunks): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let length = 0; length < DETECTION_WINDOW; ) {
    const { done, value } = await chunks.next();
    if (done === true) break;
    parts.push(value);
    length += value.length;
  }
  return concatenate(parts);
}
