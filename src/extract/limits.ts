import { formatBytes } from '../common/text.ts';
import { assertInteger, assertOptions } from '../errors.ts';
import { type ExtractionError, extractionError } from './errors.ts';

/**
 * Limits on reading one document, each from 1 to 2^53 - 1. A limit applies unless the caller sets another; exceeding one is an
 * error (EXT-4).
 */
export interface ExtractionLimits {
  /** The size of a document, in bytes. Default 500 MiB. */
  readonly bytes: number;
  /** The number of bytes that a compressed document decompresses to (gzip; all parts of a package such as DOCX). Default 1 GiB. */
  readonly inflated: number;
  /**
   * The multiple of its own size that a compressed document or an archive may decompress to, all its members together; 32 MiB are
   * always allowed. Default 100.
   */
  readonly ratio: number;
  /** The depth of nested elements in markup. Default 2,000. */
  readonly depth: number;
  /** The depth of nested archives and compression such as gzip. Default 4. */
  readonly nesting: number;
  /** The number of pages. Default 10,000. */
  readonly pages: number;
}

/** The limits that apply unless the caller sets others. */
export const DEFAULT_LIMITS: ExtractionLimits = {
  bytes: 500 * 2 ** 20,
  inflated: 2 ** 30,
  ratio: 100,
  depth: 2000,
  nesting: 4,
  pages: 10_000,
};

/** The bytes that anything may decompress to, however small it is: deflate turns one byte into a thousand. */
export const MIN_INFLATED = 2 ** 25;

/** Fills in defaults. Throws `wrong-type`, `out-of-range` for anything but an integer from 1 to 2^53 − 1. */
export function resolveLimits(limits?: Partial<ExtractionLimits>): ExtractionLimits {
  if (limits === undefined) return DEFAULT_LIMITS;
  assertOptions('limits', limits);
  const all = { ...DEFAULT_LIMITS, ...limits };
  for (const [name, value] of Object.entries(all)) assertInteger(`limits.${name}`, value, 1, Number.MAX_SAFE_INTEGER);
  return all;
}

export function documentTooLarge(limits: Pick<ExtractionLimits, 'bytes'>): ExtractionError {
  return extractionError('too-large', `is larger than the ${formatBytes(limits.bytes)} limit`);
}

export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Counts bytes or other units. Throws `too-large`. */
export type Meter = (units: number) => void;

export interface InflationLimit {
  readonly inflated: number;
  /** Set if `ratio` and the size of the document determine the limit. */
  readonly times?: number;
}

/** Lowers `inflated` to what `ratio` allows for compressed data of `size` bytes. */
export function limitInflation<L extends Pick<ExtractionLimits, 'inflated' | 'ratio'>>(
  limits: L,
  size: number,
): L & InflationLimit {
  const inflated = maxInflated(limits, size);
  return inflated < limits.inflated ? { ...limits, inflated, times: limits.ratio } : limits;
}

function maxInflated({ ratio }: Pick<ExtractionLimits, 'ratio'>, size: number): number {
  return Math.max(MIN_INFLATED, ratio * size);
}

export function inflatedTooLarge(limits: InflationLimit): ExtractionError {
  if (limits.times !== undefined) return expandedTooMuch(limits.times);
  return extractionError('too-large', `decompresses to more than the ${formatBytes(limits.inflated)} limit`);
}

export function createInflationMeter(limits: InflationLimit): Meter {
  let total = 0;
  return (bytes) => {
    total += bytes;
    if (total > limits.inflated) throw inflatedTooLarge(limits);
  };
}

/** The longest text made of parts that are used again, in UTF-16 units. Engines have no string of 2^29. */
const MAX_TEXT = 2 ** 28;

/** Counts the UTF-16 units of a text whose parts a document may use any number of times. Throws `too-large`. */
export function createTextMeter(limits: InflationLimit): Meter {
  return createInflationMeter(limits.inflated > MAX_TEXT ? { inflated: MAX_TEXT } : limits);
}

/** Returns a look-up that counts what it finds: a document may refer to one text any number of times. */
export function countUses<K, T extends string | undefined>(find: (key: K) => T, limits: InflationLimit): (key: K) => T {
  const count = createTextMeter(limits);
  return (key) => {
    const text = find(key);
    count(text?.length ?? 0);
    return text;
  };
}

/** Counts what an archive of `size()` bytes decompresses to; a part that is refused is not counted. */
export function createExpansionMeter(limits: Pick<ExtractionLimits, 'ratio'>, size: () => number): Meter {
  let total = 0;
  return (bytes) => {
    if (total + bytes > maxInflated(limits, size())) throw expandedTooMuch(limits.ratio);
    total += bytes;
  };
}

/** Counts what the rows of a dataset take. Each function throws at its limit. */
export interface RowMeters {
  readonly onPage: Meter;
  /** Counts the bytes of the values of a row: a few bytes of a page may stand for any number of them. */
  readonly onRow: Meter;
  readonly onTime: Meter;
}

/** The bytes that a row counts for besides its values. */
const ROW = 8;

/** Counts the rows of a dataset of `size()` bytes: they may be as many times larger than it as `ratio` allows. */
export function createRowMeters(limits: Pick<ExtractionLimits, 'ratio'>, size: () => number): RowMeters {
  const values = createExpansionMeter(limits, size);
  return { onPage: createExpansionMeter(limits, size), onRow: (bytes) => values(ROW + bytes), onTime: () => undefined };
}

const { Buffer } = globalThis as { Buffer?: { byteLength(text: string): number } };

export function utf8Length(text: string): number {
  if (Buffer !== undefined) return Buffer.byteLength(text);
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    // Each surrogate of a pair counts two of the four bytes.
    if (unit > 0x7f) length += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return length;
}

function expandedTooMuch(ratio: number): ExtractionError {
  return extractionError('too-large', `decompresses to more than ${ratio} times its size (possible bomb)`);
}

export async function* metered(chunks: Chunks, onBytes: Meter): AsyncGenerator<Uint8Array, undefined> {
  for await (const chunk of chunks) {
    onBytes(chunk?.length);
    yield chunk;
  }
}
