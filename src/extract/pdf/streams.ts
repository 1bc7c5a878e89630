import { latin1 } from '../../common/octets.ts';
import { inflateAtOnce, inflateInBlocks, RAW_DEFLATE, ZLIB_DEFLATE } from '../archive/zlib.ts';
import { extractionError } from '../errors.ts';
import { createInflationMeter, type ExtractionLimits } from '../limits.ts';

/** Deflate encodes at most 258 octets in two bits. */
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
    yield { start, end, isZlib: isZlib(octets, start), readDictionary: () => dictionaryOf(octets, keyword) };
    at = end;
  }
}

/** The most octets that a stream and all streams are inflated to when they are checked: so many, and a multiple of the size. */
const [MAX_CHECKED, CHECKED_PER_OCTET] = [2 ** 26, 32];
const IS_FLATE = /\/(?:Filter|F)\s*(?:\[\s*)?\/Fl(?:ateDecode)?\b/;

/**
 * Counts the compressed streams that are damaged, without images, TrueType fonts and attached files. PDFium reads them up to the damage,
 * and reports nothing.
 */
export function countDamagedStreams(octets: Uint8Array): number {
  let damaged = 0;
  let left = MAX_CHECKED + CHECKED_PER_OCTET * octets.length;
  let isEncrypted: boolean | undefined;
  for (const { start, end, isZlib, readDictionary } of streamsOf(octets)) {
    const dictionary = readDictionary();
    if (drawsNoText(dictionary) || !IS_FLATE.test(dictionary)) continue;
    isEncrypted ??= find(octets, ENCRYPT, 0) >= 0;
    // What is encrypted is not compressed as it stands.
    if (isEncrypted) return 0;
    const content = octets.subarray(start, end);
    if (content.length <= 2) continue;
    const size = isZlib ? sizeOfIntact(content, Math.min(left, MAX_CHECKED)) : 0;
    if (size === 0) damaged++;
    else left -= size;
    if (left <= 0) break;
  }
  return damaged;
}

const NO_TEXT =
  /\/Subtype\s*\/(?:Image|XML|CIDFontType0C|OpenType)\b|\/Type\s*\/(?:XRef|EmbeddedFile)\b|\/(?:FunctionType|ShadingType|Params|DL)\b/;

/** Tests whether a stream draws no text: damage to a TrueType font rarely loses any, and a table of objects is built anew. */
function drawsNoText(dictionary: string): boolean {
  // Only fonts of type 1, which name their glyphs, have a second length. Colour profiles have a number of components.
  const has = (key: RegExp) => key.test(dictionary);
  return (
    NO_TEXT.test(dictionary) || (has(/\/Length1\b/) && !has(/\/Length2\b/)) || (has(/\/N\b/) && !has(/\/ObjStm\b/))
  );
}

const ENCRYPT = new TextEncoder().encode('/Encrypt');
/** Octets before a deflate stream, and of the checksum after it (RFC 1950). */
const [ZLIB_HEAD, CHECKSUM] = [2, 4];

/** Returns the size of a zlib stream when inflated, and 1 for one that is empty or larger than `max`; 0 if it is damaged. */
function sizeOfIntact(content: Uint8Array, max: number): number {
  const intact = inflateAtOnce(content, max, 2 ** 14, ZLIB_DEFLATE);
  if (intact !== null) return intact.output.length || 1;
  // Without its checksum: some producers leave it out.
  const deflated = content.subarray(ZLIB_HEAD);
  const whole = inflateInBlocks(deflated, RAW_DEFLATE, max);
  if ('failure' in whole) return whole.failure === 'too-large' || isFlushed(content) ? 1 : 0;
  const behind = deflated.length - whole.left;
  const checksum = deflated.subarray(behind, behind + CHECKSUM);
  if (checksum.length < CHECKSUM || checksum.every((octet) => octet === 0)) return whole.output.length || 1;
  const [a = 0, b = 0, c = 0, d = 0] = checksum;
  return adler32(whole.output) === ((a << 24) | (b << 16) | (c << 8) | d) >>> 0 ? whole.output.length || 1 : 0;
}

/** Tests whether a stream ends where its producer has flushed the compressor: some never end it otherwise. */
function isFlushed(content: Uint8Array): boolean {
  let end = content.length;
  while (end > 0 && (content[end - 1] === 0x0a || content[end - 1] === 0x0d)) end--;
  return content[end - 1] === 0xff && content[end - 2] === 0xff && content[end - 3] === 0 && content[end - 4] === 0;
}

/** Sums stay below 2³² for so many octets. */
const ADLER_BLOCK = 3800;

function adler32(octets: Uint8Array): number {
  let [low, high] = [1, 0];
  for (let at = 0; at < octets.length; ) {
    const end = Math.min(octets.length, at + ADLER_BLOCK);
    for (; at < end; at++) {
      low += octets[at]!;
      high += low;
    }
    low %= 65521;
    high %= 65521;
  }
  return ((high << 16) | low) >>> 0;
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
function find(octets: Uint8Array, pattern: Uint8Array, from: number): number {
  // Node's own call takes a third of the time.
  if (Buffer !== undefined) return Buffer.prototype.indexOf.call(octets, pattern, from);
  for (let at = octets.indexOf(pattern[0]!, from); at >= 0; at = octets.indexOf(pattern[0]!, at + 1))
    if (octets[at + 1] === pattern[1] && pattern.every((octet, index) => octets[at + index] === octet)) return at;
  return -1;
}
