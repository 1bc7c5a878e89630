import { formatBytes } from '../common/text.ts';
import { assertInteger, assertOptions } from '../errors.ts';
import { type ExtractionError, extractionError } from './errors.ts';

/** Limits on reading one document. Every limit applies unless the caller sets another. */
export interface ExtractionLimits {
  /** Size of a document, in octets. Default 500 MiB. */
  readonly octets: number;
  /** Octets that a compressed document decompresses to (gzip; the parts of an EPUB, DOCX or ODT together). Default 1 GiB. */
  readonly inflated: number;
  /** Depth of nested elements in markup. Default 2,000. */
  readonly depth: number;
  /** Depth of nested archives and compression such as gzip. Default 4. */
  readonly nesting: number;
  /** Number of pages. Default 10,000. */
  readonly pages: number;
}

/** The limits that apply unless the caller sets others. */
export const DEFAULT_LIMITS: ExtractionLimits = {
  octets: 500 * 2 ** 20,
  inflated: 2 ** 30,
  depth: 2000,
  nesting: 4,
  pages: 10_000,
};

/**
 * Fills in the default for limits that are not given, and checks the others.
 * @param limits - some or none of the limits
 * @throws TypeError `wrong-type`, RangeError `out-of-range` for anything but an integer from 1 to 2^53 − 1
 */
export function resolveLimits(limits?: Partial<ExtractionLimits>): ExtractionLimits {
  if (limits === undefined) return DEFAULT_LIMITS;
  assertOptions('limits', limits);
  const all = { ...DEFAULT_LIMITS, ...limits };
  for (const [name, value] of Object.entries(all)) assertInteger(`limits.${name}`, value, 1, Number.MAX_SAFE_INTEGER);
  return all;
}

/** Makes the error for a document with more octets than `limits.octets`. */
export function documentTooLarge(limits: Pick<ExtractionLimits, 'octets'>): ExtractionError {
  return extractionError('too-large', `is larger than the ${formatBytes(limits.octets)} limit`);
}

/** Makes the error for a document that decompresses to more octets than `limits.inflated`. */
export function inflatedTooLarge(limits: Pick<ExtractionLimits, 'inflated'>): ExtractionError {
  return extractionError('too-large', `decompresses to more than the ${formatBytes(limits.inflated)} limit`);
}

/**
 * Creates a counter of the octets that a compressed document decompresses to, over all its parts.
 * @param limits - `inflated` is read
 * @returns a function to call with the number of octets of each part
 * @throws (the function) Error `too-large`
 */
export function createInflationMeter(limits: Pick<ExtractionLimits, 'inflated'>): (octets: number) => void {
  let total = 0;
  return (octets) => {
    total += octets;
    if (total > limits.inflated) throw inflatedTooLarge(limits);
  };
}
