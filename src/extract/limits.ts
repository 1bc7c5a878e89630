import { formatBytes } from '../common/text.ts';
import { assertInteger, assertOptions } from '../errors.ts';
import { extractionError } from './errors.ts';

/** What reading one document may cost. Every limit holds by default; each can be raised or lowered by the caller. */
export interface ExtractionLimits {
  /** Octets of a document, as it is given. Default 500 MiB. */
  readonly octets: number;
  /** Octets that a compressed document (gzip, or the parts of an EPUB, DOCX or ODT together) may grow to. Default 1 GiB. */
  readonly inflated: number;
  /** Elements that may be open at once in markup. Default 2,000. */
  readonly depth: number;
  /** Archives, and codings such as gzip, that may lie in each other. Default 4. */
  readonly nesting: number;
  /** Pages of a document that has pages. Default 10,000. */
  readonly pages: number;
}

/** The limits that hold where the caller sets no other. */
export const DEFAULT_LIMITS: ExtractionLimits = {
  octets: 500 * 2 ** 20,
  inflated: 2 ** 30,
  depth: 2000,
  nesting: 4,
  pages: 10_000,
};

/**
 * Fills in the limits that are not given, and checks those that are.
 * @param limits - some or none of the limits
 * @throws TypeError `wrong-type`, RangeError `out-of-range` for what is no whole number from 1 to 2^53 − 1
 */
export function resolveLimits(limits: Partial<ExtractionLimits> = {}): ExtractionLimits {
  assertOptions('limits', limits);
  const all = { ...DEFAULT_LIMITS, ...limits };
  for (const [name, value] of Object.entries(all)) assertInteger(`limits.${name}`, value, 1, Number.MAX_SAFE_INTEGER);
  return all;
}

/**
 * Counts what a compressed document grows to, over all its parts.
 * @param limits - `inflated` is read
 * @returns a function to call with each number of octets that come out
 * @throws (the function) Error `too-large`
 */
export function createInflationMeter(limits: ExtractionLimits): (octets: number) => void {
  let total = 0;
  return (octets) => {
    total += octets;
    if (total > limits.inflated)
      throw extractionError(
        'too-large',
        `grows to more than the ${formatBytes(limits.inflated)} that may come out of it`,
      );
  };
}
