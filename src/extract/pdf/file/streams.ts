import { latin1 } from '../../../common/octets.ts';
import { extractionError } from '../../errors.ts';
import { createInflationMeter, type ExtractionLimits } from '../../limits.ts';

/** Deflate encodes at most 258 bytes in two bits. */
const MAX_RATIO = 1032;
/** The total size to which the streams that are not measured may decompress, as a multiple of the limit. */
const MAX_UNMEASURED = 16;
/** The number of bytes before a stream in which its dictionary is searched. */
const DICTIONARY = 2048;
const STREAM = new TextEncoder().encode('stream');
const END_OF_STREAM = new TextEncoder().encode('endstream');

/**
 * Rejects a document whose compressed streams decompress to more than the limit: PDFium would keep all of a stream in memory and
 * cannot be stopped. Streams that are too short to reach the limit are not measured, as long as there are not too many of them;
 * nor are images, which are not decoded here. Encrypted streams cannot be checked.
 * @throws (rejects) Error `too-large`
 */
export async function rejectDecompressionBombs(octets: Uint8Array, limits: ExtractionLimits): Promise<void> {
  const meter = createInflationMeter(limits);
  let unmeasured = MAX_UNMEASURED * limits.inflated;
  for (let at = find(octets, STREAM, 0); at >= 0; at = find(octets, STREAM, at + STREAM.length)) {
    const start = startOf(octets, at);
    if (!isZlib(octets, start)) continue;
    const dictionary = dictionaryOf(octets, at);
    if (/\/Subtype\s*\/Image\b/.test(dictionary)) continue;
    const layers = Math.max(1, dictionary.match(/\/Fl(?:ateDecode)?\b/g)?.length ?? 0);
    const end = endOf(octets, start);
    const most = (end - start) * MAX_RATIO ** layers;
    if (most <= Math.min(limits.inflated, unmeasured)) unmeasured -= most;
    else await measure(octets.subarray(start, end), layers, limits, meter);
    at = end;
  }
}

/** Max distance of the ends of streams from their beginnings, in total: so many bytes, and a multiple of the size. */
const [MIN_DISTANCE, DISTANCE_PER_OCTET] = [2 ** 26, 64];

/**
 * Rejects a document whose streams begin again and again without an end: PDFium looks for it from each of them.
 * @throws Error `damaged`
 */
export function rejectUnendedStreams(octets: Uint8Array): void {
  const most = MIN_DISTANCE + DISTANCE_PER_OCTET * octets.length;
  let [open, starts, distance] = [0, 0, 0];
  for (let at = find(octets, STREAM, 0); at >= 0; at = find(octets, STREAM, at + STREAM.length)) {
    const isEnd = octets[at - 1] === 0x64 && octets[at - 2] === 0x6e && octets[at - 3] === 0x65;
    if (isEnd) {
      distance += open * at - starts;
      [open, starts] = [0, 0];
    } else {
      open++;
      starts += at;
    }
  }
  if (distance + open * octets.length - starts > most)
    throw extractionError('damaged', 'cannot be read as PDF: most of its streams have no end');
}

/** The content of a stream, and its dictionary, which is read when it is asked for. */
export interface Stream {
  /** The position of the keyword before it. */
  readonly keyword: number;
  readonly start: number;
  readonly end: number;
  /** The content begins as a zlib stream does. */
  readonly isZlib: boolean;
  readDictionary(): string;
}

/** Finds the streams of a document without its table of objects. Streams within streams are not found. */
export function* streamsOf(octets: Uint8Array): Generator<Stream> {
  for (let at = find(octets, STREAM, 0); at >= 0; at = find(octets, STREAM, at + STREAM.length)) {
    let before = at - 1;
    while (before > 0 && octets[before]! <= 0x20) before--;
    // After `>>`.
    if (octets[before] !== 0x3e) continue;
    const keyword = at;
    const start = startOf(octets, at);
    const end = endOf(octets, start);
    yield { keyword, start, end, isZlib: isZlib(octets, start), readDictionary: () => dictionaryOf(octets, keyword) };
    at = end;
  }
}

/** Returns the start of the content of a stream, after its keyword and a line end. */
function startOf(octets: Uint8Array, keyword: number): number {
  const behind = keyword + STREAM.length;
  return behind + (octets[behind] === 0x0d ? 2 : 1);
}

function endOf(octets: Uint8Array, start: number): number {
  const end = find(octets, END_OF_STREAM, start);
  return end < 0 ? octets.length : end;
}

/** The dictionary of a stream, as far as it is searched. */
function dictionaryOf(octets: Uint8Array, keyword: number): string {
  const before = latin1(octets.subarray(Math.max(0, keyword - DICTIONARY), keyword));
  return before.slice(before.lastIndexOf(' obj') + 1);
}

/** Inflates a stream once for each of its filters, adds its size to the total, and discards the output. */
async function measure(
  octets: Uint8Array,
  layers: number,
  limits: ExtractionLimits,
  total: (octets: number) => void,
): Promise<void> {
  let stream: ReadableStream<Uint8Array<ArrayBuffer>> = new Blob([new Uint8Array(octets)]).stream();
  let exceeded: unknown;
  for (let layer = 0; layer < layers; layer++) {
    const meter = layer === layers - 1 ? total : createInflationMeter(limits);
    const count = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        try {
          meter(chunk.length);
        } catch (error) {
          exceeded ??= error;
          throw error;
        }
        controller.enqueue(chunk);
      },
    });
    stream = stream.pipeThrough(new DecompressionStream('deflate')).pipeThrough(count);
  }
  try {
    const reader = stream.getReader();
    while (!(await reader.read()).done);
  } catch {
    // If it is not deflate after all, PDFium decides what to do with it.
    if (exceeded !== undefined) throw exceeded;
  }
}

function isZlib(octets: Uint8Array, at: number): boolean {
  const [first = 0, second = 0] = octets.subarray(at, at + 2);
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}

const { Buffer } = globalThis as { Buffer?: { prototype: { indexOf(pattern: Uint8Array, from: number): number } } };

/** The first position of a pattern at or after `from`, or -1. */
export function find(octets: Uint8Array, pattern: Uint8Array, from: number): number {
  // Node's own call takes a third of the time.
  if (Buffer !== undefined) return Buffer.prototype.indexOf.call(octets, pattern, from);
  for (let at = octets.indexOf(pattern[0]!, from); at >= 0; at = octets.indexOf(pattern[0]!, at + 1))
    if (octets[at + 1] === pattern[1] && pattern.every((octet, index) => octets[at + index] === octet)) return at;
  return -1;
}
