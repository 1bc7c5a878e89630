import { concatenate, latin1 } from '../../common/octets.ts';
import { extractionError } from '../errors.ts';
import { createInflationMeter, type ExtractionLimits } from '../limits.ts';
import { createInflate, gunzip, NATIVE_ZLIB, type NativeZlib } from './inflate.ts';

/** An HTTP response as it went over the wire. */
export interface HttpResponse {
  readonly status: number;
  /** By names in small letters; the values of repeated headers are joined by commas. */
  readonly headers: ReadonlyMap<string, string>;
  /** What follows the headers, codings and all. */
  readonly body: Uint8Array;
}

/** Octets of headers that are looked through for their end. */
const HEADERS = 1 << 20;

/**
 * Takes an HTTP response apart: leniently, as servers have always been bad at it.
 * @param octets - the response
 * @returns null for what does not begin with a status line
 */
export function parseResponse(octets: Uint8Array): HttpResponse | null {
  const [line] = /^\s*HTTP(?:\/\d+(?:\.\d+)?)?[ \t]+(\d{3})(?!\d)/i.exec(latin1(octets.subarray(0, 64))) ?? [];
  if (line === undefined) return null;
  const end = endOfHeaders(octets);
  const [, ...lines] = latin1(octets.subarray(0, end)).trimStart().split(/\r?\n/);
  return { status: Number(line.slice(-3)), headers: parseHeaders(lines), body: octets.subarray(end) };
}

/**
 * Reads header lines: folded ones are put together, and what has no colon is passed over.
 * @param lines - the lines, without their ends
 */
export function parseHeaders(lines: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>();
  let name = '';
  for (const line of lines) {
    if (/^[ \t]/.test(line)) {
      if (name !== '') headers.set(name, `${headers.get(name)} ${line.trim()}`.trim());
      continue;
    }
    const colon = line.indexOf(':');
    name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    if (name === '') continue;
    const value = line.slice(colon + 1).trim();
    const before = headers.get(name);
    headers.set(name, before === undefined || before === '' ? value : `${before}, ${value}`);
  }
  return headers;
}

/**
 * Undoes the codings of a response's body, the last one applied first. A coding that is declared but not there was
 * undone by whoever saved the response; it is passed over with a warning.
 * @param response - the response
 * @param limits - `inflated` for what comes out, `nesting` for how many codings there may be
 * @param zlib - null for what works without node:zlib
 * @returns the document, and what a person should know
 * @throws (rejects) Error `damaged`, `too-large`, `too-deep`; `unsupported-media-type` for a coding that cannot be undone
 */
export async function undoCodings(
  { headers, body }: HttpResponse,
  limits: ExtractionLimits,
  zlib: NativeZlib | null = NATIVE_ZLIB,
): Promise<{ readonly octets: Uint8Array; readonly warnings: readonly string[] }> {
  const list = (name: string): string[] => (headers.get(name) ?? '').toLowerCase().split(/[\s,;]+/);
  const codings = [...list('content-encoding'), ...list('transfer-encoding')].filter(
    (coding) => !['', 'identity', 'none', 'binary', '7bit', '8bit'].includes(coding),
  );
  if (codings.length > limits.nesting)
    throw extractionError('too-deep', `coded more than ${limits.nesting} times over`);
  const warnings: string[] = [];
  let octets = body;
  for (const coding of codings.reverse()) {
    const undone = octets.length === 0 ? octets : await undo(coding, octets, limits, zlib);
    if (undone === null) warnings.push(`the coding ${JSON.stringify(coding.slice(0, 40))} is declared, but not there`);
    else octets = undone;
  }
  return { octets, warnings };
}

/** Undoes one coding; null where it is not there. */
async function undo(
  coding: string,
  octets: Uint8Array,
  limits: ExtractionLimits,
  zlib: NativeZlib | null,
): Promise<Uint8Array | null> {
  switch (coding) {
    case 'chunked':
      return unchunk(octets);
    case 'gzip':
    case 'x-gzip':
      return octets[0] === 0x1f && octets[1] === 0x8b ? gunzip(octets, limits) : null;
    case 'deflate':
    case 'x-deflate': {
      // The standard means zlib; some servers send raw deflate, which every browser takes.
      const isZlib = (octets[0]! & 0x0f) === 8 && ((octets[0]! << 8) | octets[1]!) % 31 === 0;
      return unlessText(octets, () => inflate(octets, isZlib ? 15 : -15, limits));
    }
    case 'br':
      if (zlib === null) throw unsupported('brotli', 'this platform has no decoder for it');
      return unlessText(octets, () => native((options) => zlib.brotliDecompressSync(octets, options), limits));
    case 'zstd': {
      if (!startsWith(octets, [0x28, 0xb5, 0x2f, 0xfd])) return null;
      const { zstdDecompressSync } = (zlib ?? {}) as {
        zstdDecompressSync?: (octets: Uint8Array, options: object) => Uint8Array;
      };
      if (zstdDecompressSync === undefined) throw unsupported('zstd', 'Node.js from 22.15 on can undo it');
      return native((options) => zstdDecompressSync(octets, options), limits);
    }
    case 'compress':
    case 'x-compress':
      if (!startsWith(octets, [0x1f, 0x9d])) return null;
      throw unsupported('compress', 'it is out of use');
    default:
      // What is no coding at all ("utf-8", "text/html") changes nothing in any browser.
      return null;
  }
}

function unsupported(coding: string, why: string): Error {
  return extractionError('unsupported-media-type', `cannot undo the coding ${coding}: ${why}`);
}

/** Undoes a coding that has no magic number; octets that it cannot have made and that look like text are left alone. */
function unlessText(octets: Uint8Array, action: () => Uint8Array): Uint8Array | null {
  try {
    return action();
  } catch (error) {
    if ((error as { code?: unknown }).code === 'damaged' && looksLikeText(octets.subarray(0, 1024))) return null;
    throw error;
  }
}

/** No control characters but white space: what compresses anything does not stay clear of them for long, nor of ASCII. */
function looksLikeText(octets: Uint8Array): boolean {
  const most = octets.length < 256 ? 0x7e : 0xff;
  return octets.every(
    (octet) => (octet >= 0x20 && octet <= most) || (octet >= 0x09 && octet <= 0x0d) || octet === 0x1b,
  );
}

function inflate(octets: Uint8Array, windowBits: number, limits: ExtractionLimits): Uint8Array {
  const stream = createInflate(windowBits);
  const meter = createInflationMeter(limits);
  const parts: Uint8Array[] = [];
  stream.give(octets);
  for (let out = stream.take(); out !== null; out = stream.take()) {
    meter(out.length);
    parts.push(out);
  }
  if (!stream.isOver) throw extractionError('damaged', `damaged deflate: ${stream.damage ?? 'it ends too early'}`);
  return concatenate(parts);
}

function native(action: (options: { maxOutputLength: number }) => Uint8Array, limits: ExtractionLimits): Uint8Array {
  try {
    const out = action({ maxOutputLength: Math.min(limits.inflated, 2 ** 31 - 1) });
    return new Uint8Array(out.buffer, out.byteOffset, out.length);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') createInflationMeter(limits)(Infinity);
    throw extractionError('damaged', `damaged compression: ${String((error as Error).message)}`, error);
  }
}

/** Takes chunks out of their frames; null where the first frame is none. */
function unchunk(octets: Uint8Array): Uint8Array | null {
  const chunks: Uint8Array[] = [];
  for (let at = 0; ; ) {
    const line = latin1(octets.subarray(at, at + 64));
    const [size, digits] = /^\s*([\da-f]{1,12})[ \t]*(?=[;\r\n])/i.exec(line) ?? [];
    const end = size === undefined ? -1 : octets.indexOf(0x0a, at + size.length);
    const length = Number.parseInt(digits ?? '', 16);
    const next = end + 1 + length;
    if (end >= 0 && length === 0) return concatenate(chunks);
    const isFrame = end >= 0 && (octets[next] === 0x0d || octets[next] === 0x0a);
    if (!isFrame) {
      // The empty chunk that ends them all may be missing.
      if (chunks.length > 0 && line.trim() === '') return concatenate(chunks);
      if (chunks.length === 0 && !(next >= octets.length && octets[end - 1] === 0x0d)) return null;
      throw extractionError('damaged', 'damaged response: its chunks (transfer-encoding) are cut off or altered');
    }
    chunks.push(octets.subarray(end + 1, next));
    at = next;
  }
}

/** Where the body begins: behind an empty line, or at the end. */
function endOfHeaders(octets: Uint8Array): number {
  const limit = Math.min(octets.length, HEADERS);
  for (let at = octets.indexOf(0x0a); at >= 0 && at < limit; at = octets.indexOf(0x0a, at + 1)) {
    if (octets[at + 1] === 0x0a) return at + 2;
    if (octets[at + 1] === 0x0d && octets[at + 2] === 0x0a) return at + 3;
  }
  return octets.length;
}

function startsWith(octets: Uint8Array, start: readonly number[]): boolean {
  return start.every((octet, index) => octets[index] === octet);
}
