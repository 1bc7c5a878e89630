import { concatenate, latin1 } from '../../common/bytes.ts';
import { quote } from '../../common/text.ts';
import { extractionError } from '../errors.ts';
import { type ExtractionLimits, inflatedTooLarge, limitInflation } from '../limits.ts';
import { gunzip } from './gzip.ts';
import { inflateInBlocks, isZlib, NATIVE_ZLIB, RAW_DEFLATE, ZLIB_DEFLATE } from './zlib.ts';

/** An HTTP response as it was transferred: its body is still in its content and transfer codings. */
export type HttpResponse = NonNullable<ReturnType<typeof parseResponse>>;

const MAX_HEADERS = 1 << 20;

/** Parses an HTTP response, leniently: many servers do not follow the grammar. Returns null without a status line. */
export function parseResponse(bytes: Uint8Array) {
  const [line] = /^\s*HTTP(?:\/\d+(?:\.\d+)?)?[ \t]+(\d{3})(?!\d)/i.exec(latin1(bytes.subarray(0, 64))) ?? [];
  if (line === undefined) return null;
  const end = endOfHeaders(bytes);
  const [, ...lines] = latin1(bytes.subarray(0, end)).trimStart().split(/\r?\n/);
  return { status: Number(line.slice(-3)), headers: parseHeaders(lines), body: bytes.subarray(end) };
}

/** Parses header lines, ignoring those without a colon. Names become lower case; commas join the values of repeated headers. */
export function parseHeaders(lines: readonly string[]): Map<string, string> {
  // A line and its continuations.
  const folded: string[][] = [];
  for (const line of lines)
    if (/^[ \t]/.test(line)) folded.at(-1)?.push(line);
    else folded.push([line]);
  const headers = new Map<string, string[]>();
  for (const [line, ...others] of folded as [string, ...string[]][]) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    if (name === '') continue;
    const parts = [line.slice(colon + 1), ...others].map((part) => part.trim());
    const values = headers.get(name) ?? [];
    values.push(parts.filter((part) => part !== '').join(' '));
    headers.set(name, values);
  }
  const join = (values: readonly string[]): string =>
    values.slice(values.findIndex((each, index) => each !== '' || index === values.length - 1)).join(', ');
  return new Map(Array.from(headers, ([name, values]) => [name, join(values)]));
}

const IDENTITY: ReadonlySet<string> = new Set(['', 'identity', 'none', 'binary', '7bit', '8bit']);

/** Decodes the codings of a response, the last first. One that is declared, but not there, is a warning. */
export async function decodeBody(
  { headers, body }: HttpResponse,
  all: ExtractionLimits,
): Promise<{ readonly bytes: Uint8Array; readonly warnings: readonly string[] }> {
  const limits = limitInflation(all, body.length);
  const list = (name: string): string[] => (headers.get(name) ?? '').toLowerCase().split(/[\s,;]+/);
  const codings = [...list('content-encoding'), ...list('transfer-encoding')].filter((coding) => !IDENTITY.has(coding));
  if (codings.length > limits.nesting)
    throw extractionError(
      'too-deep',
      `has ${codings.length} content codings, more than the limit of ${limits.nesting}`,
    );
  const warnings: string[] = [];
  let bytes = body;
  for (const coding of codings.reverse()) {
    const decoded = bytes.length === 0 ? bytes : await decodeCoding(coding, bytes, limits);
    if (decoded !== null) bytes = decoded;
    else warnings.push(`the content coding ${quote(coding, 40)} is declared, but the content is not encoded with it`);
  }
  return { bytes, warnings };
}

async function decodeCoding(coding: string, bytes: Uint8Array, limits: ExtractionLimits): Promise<Uint8Array | null> {
  switch (coding) {
    case 'chunked':
      return decodeChunked(bytes);
    case 'gzip':
    case 'x-gzip':
      return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzip(bytes, { limits }) : null;
    case 'deflate':
    case 'x-deflate': {
      // The standard means zlib; some servers send raw deflate, which every browser accepts.
      return decodeUnlessText(bytes, () => inflate(bytes, isZlib(bytes) ? ZLIB_DEFLATE : RAW_DEFLATE, limits));
    }
    case 'br':
      if (NATIVE_ZLIB === null) throw unsupported('brotli', 'this platform has no decoder for it');
      return decodeUnlessText(bytes, () =>
        native((options) => NATIVE_ZLIB!.brotliDecompressSync(bytes, options), limits),
      );
    case 'zstd': {
      if (latin1(bytes.subarray(0, 4)) !== '\x28\xb5\x2f\xfd') return null;
      const decompress = NATIVE_ZLIB?.zstdDecompressSync;
      if (decompress === undefined) throw unsupported('zstd', 'it needs Node.js 22.15 or later');
      return native((options) => decompress(bytes, options), limits);
    }
    case 'compress':
    case 'x-compress':
      if (latin1(bytes.subarray(0, 2)) !== '\x1f\x9d') return null;
      throw unsupported('compress', 'it is obsolete');
    default:
      // Browsers ignore what is not a coding ("utf-8", "text/html").
      return null;
  }
}

function unsupported(coding: string, reason: string): Error {
  return extractionError('unsupported-media-type', `cannot decode the content coding ${coding}: ${reason}`);
}

function damaged(what: string, cause?: unknown): Error {
  return extractionError('damaged', `damaged ${what}`, cause);
}

/** Decodes a coding without a magic number; null for bytes that it cannot have made and that look like text. */
function decodeUnlessText(bytes: Uint8Array, action: () => Uint8Array): Uint8Array | null {
  try {
    return action();
  } catch (error) {
    if ((error as { code?: unknown }).code === 'damaged' && looksLikeText(bytes.subarray(0, 1024))) return null;
    throw error;
  }
}

/** Tests that the only control characters are white space: compressed data soon have some, and leave ASCII. */
function looksLikeText(bytes: Uint8Array): boolean {
  const max = bytes.length < 256 ? 0x7e : 0xff;
  return bytes.every((byte) => (byte >= 0x20 && byte <= max) || (byte >= 0x09 && byte <= 0x0d) || byte === 0x1b);
}

function inflate(bytes: Uint8Array, windowBits: number, limits: ExtractionLimits): Uint8Array {
  const result = inflateInBlocks(bytes, windowBits, limits.inflated);
  if ('output' in result) return result.output;
  throw result.failure === 'damaged' ? damaged(`deflate: ${result.damage}`) : inflatedTooLarge(limits);
}

function native(action: (options: { maxOutputLength: number }) => Uint8Array, limits: ExtractionLimits): Uint8Array {
  try {
    const out = action({ maxOutputLength: Math.min(limits.inflated, 2 ** 31 - 1) });
    return new Uint8Array(out.buffer, out.byteOffset, out.length);
  } catch (error) {
    const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
    throw code === 'ERR_BUFFER_TOO_LARGE' ? inflatedTooLarge(limits) : damaged(`compression: ${message}`, error);
  }
}

function decodeChunked(bytes: Uint8Array): Uint8Array | null {
  const chunks: Uint8Array[] = [];
  for (let at = 0; ; ) {
    const line = latin1(bytes.subarray(at, at + 64));
    const [size, digits] = /^\s*([\da-f]{1,12})[ \t]*(?=[;\r\n])/i.exec(line) ?? [];
    const end = size === undefined ? -1 : bytes.indexOf(0x0a, at + size.length);
    const length = Number.parseInt(digits ?? '', 16);
    const next = end + 1 + length;
    if (end >= 0 && length === 0) return concatenate(chunks);
    const isFrame = end >= 0 && (bytes[next] === 0x0d || bytes[next] === 0x0a);
    if (!isFrame) {
      // The last, empty chunk may be missing.
      if (chunks.length > 0 && line.trim() === '') return concatenate(chunks);
      if (chunks.length === 0 && !(next >= bytes.length && bytes[end - 1] === 0x0d)) return null;
      throw damaged('response: its chunks (transfer-encoding) are truncated or altered');
    }
    chunks.push(bytes.subarray(end + 1, next));
    at = next;
  }
}

function endOfHeaders(bytes: Uint8Array): number {
  const limit = Math.min(bytes.length, MAX_HEADERS);
  for (let at = bytes.indexOf(0x0a); at >= 0 && at < limit; at = bytes.indexOf(0x0a, at + 1)) {
    const end = endOfEmptyLine(bytes, at + 1);
    if (end > 0) return end;
  }
  return bytes.length;
}

/** Returns the end of an empty line that starts at `at`, or 0. A transfer as text may have put a CR before each CR LF. */
export function endOfEmptyLine(bytes: Uint8Array, at: number): number {
  let end = at;
  while (bytes[end] === 0x0d) end++;
  return bytes[end] === 0x0a ? end + 1 : 0;
}
