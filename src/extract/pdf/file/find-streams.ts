import { latin1 } from '../../../common/bytes.ts';
import { inflateAtOnce, isZlib, ZLIB_DEFLATE } from '../../archive/zlib.ts';
import { type ExtractionError, extractionError } from '../../errors.ts';
import { createInflationMeter, type ExtractionLimits, type Meter } from '../../limits.ts';

/** Deflate encodes at most 258 bytes in two bits. */
const MAX_RATIO = 1032;
/** The total size to which the streams that are not measured may decompress, as a multiple of the limit. */
const MAX_UNMEASURED = 16;
const DICTIONARY = 2048;
const STREAM = 'stream';

/**
 * Rejects a document whose streams decompress to more than the limit: PDFium cannot be stopped. Images are not
 * measured, nor streams too short to reach the limit, unless they are many, nor encrypted ones.
 */
export async function rejectDecompressionBombs(bytes: Uint8Array, limits: ExtractionLimits): Promise<void> {
  const meter = createInflationMeter(limits);
  let unmeasured = MAX_UNMEASURED * limits.inflated;
  for (let at = find(bytes, STREAM, 0); at >= 0; at = find(bytes, STREAM, at + STREAM.length)) {
    const start = startOf(bytes, at);
    if (!isZlib(bytes, start)) continue;
    const dictionary = dictionaryOf(bytes, at);
    if (/\/Subtype\s*\/Image\b/.test(dictionary)) continue;
    const layers = Math.max(1, dictionary.match(/\/Fl(?:ateDecode)?\b/g)?.length ?? 0);
    const end = endOf(bytes, start);
    const most = (end - start) * MAX_RATIO ** layers;
    if (most <= Math.min(limits.inflated, unmeasured)) unmeasured -= most;
    else await measure(bytes.subarray(start, end), layers, limits, meter);
    at = end;
  }
}

/** The maximum total distance of the ends of streams from their beginnings: this number of bytes plus a multiple of the size. */
const [MIN_DISTANCE, DISTANCE_PER_BYTE] = [2 ** 26, 64];

/** Rejects a document of many streams without an end, which PDFium searches from each of them. Throws `damaged`. */
export function rejectUnendedStreams(bytes: Uint8Array): void {
  const most = MIN_DISTANCE + DISTANCE_PER_BYTE * bytes.length;
  let [open, starts, distance] = [0, 0, 0];
  for (let at = find(bytes, STREAM, 0); at >= 0; at = find(bytes, STREAM, at + STREAM.length)) {
    const isEnd = bytes[at - 1] === 0x64 && bytes[at - 2] === 0x6e && bytes[at - 3] === 0x65;
    if (isEnd) {
      distance += open * at - starts;
      [open, starts] = [0, 0];
    } else {
      open++;
      starts += at;
    }
  }
  if (distance + open * bytes.length - starts > most)
    throw extractionError('damaged', 'cannot be read as PDF: most of its streams have no end');
}

export type Stream = Readonly<ReturnType<typeof newStream>>;

type Inflated = NonNullable<ReturnType<typeof inflateAtOnce>>;

/** Finds the streams of a document without its table of objects. Streams within streams are not found. */
export function* streamsOf(bytes: Uint8Array): Generator<Stream> {
  for (let at = find(bytes, STREAM, 0); at >= 0; at = find(bytes, STREAM, at + STREAM.length)) {
    let before = at - 1;
    while (before > 0 && bytes[before]! <= 0x20) before--;
    // After `>>`.
    if (bytes[before] !== 0x3e) continue;
    const start = startOf(bytes, at);
    const end = endOf(bytes, start);
    yield newStream(bytes, at, start, end);
    at = end;
  }
}

function newStream(bytes: Uint8Array, keyword: number, start: number, end: number) {
  const content = bytes.subarray(start, end);
  let inflated: Inflated | null | undefined;
  /** Inflates a zlib stream, once, to at most `max` bytes; null if it is damaged or larger. */
  const inflate = (max: number): Inflated | null => {
    if (inflated === undefined) inflated = inflateAtOnce(content, max, ZLIB_DEFLATE);
    return inflated;
  };
  return { keyword, start, content, isZlib: isZlib(bytes, start), dictionary: dictionaryOf(bytes, keyword), inflate };
}

function startOf(bytes: Uint8Array, keyword: number): number {
  const behind = keyword + STREAM.length;
  return behind + (bytes[behind] === 0x0d ? 2 : 1);
}

function endOf(bytes: Uint8Array, start: number): number {
  const end = find(bytes, 'endstream', start);
  return end < 0 ? bytes.length : end;
}

function dictionaryOf(bytes: Uint8Array, keyword: number): string {
  const before = latin1(bytes.subarray(Math.max(0, keyword - DICTIONARY), keyword));
  return before.slice(before.lastIndexOf(' obj') + 1);
}

/** Inflates a stream once for each of its filters, adds its size to the total, and discards the output. */
async function measure(bytes: Uint8Array, layers: number, limits: ExtractionLimits, total: Meter): Promise<void> {
  let stream: ReadableStream<Uint8Array<ArrayBuffer>> = new Blob([new Uint8Array(bytes)]).stream();
  for (let layer = 1; layer <= layers; layer++) {
    const meter = layer === layers ? total : createInflationMeter(limits);
    const count = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        meter(chunk.length);
        controller.enqueue(chunk);
      },
    });
    stream = stream.pipeThrough(new DecompressionStream('deflate')).pipeThrough(count);
  }
  try {
    const reader = stream.getReader();
    while (!(await reader.read()).done);
  } catch (error) {
    // If it is not deflate after all, PDFium decides what to do with it.
    if ((error as Partial<ExtractionError>).code === 'too-large') throw error;
  }
}

const { Buffer } = globalThis as {
  Buffer?: { prototype: { indexOf(text: string, from: number, encoding: 'latin1'): number } };
};

export function find(bytes: Uint8Array, text: string, from: number): number {
  // Node's own call takes a third of the time.
  if (Buffer !== undefined) return Buffer.prototype.indexOf.call(bytes, text, from, 'latin1');
  const [first, second] = [text.charCodeAt(0), text.charCodeAt(1)];
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1))
    if (bytes[at + 1] === second && latin1(bytes.subarray(at, at + text.length)) === text) return at;
  return -1;
}
