import { writeCodePoint } from '../common/utf8.ts';
import { assertInteger, assertOneOf, assertOptions, assertString, wrongType, wrongValue } from '../errors.ts';
import { DEFAULT_DISTANCE } from '../scheme/compare.ts';
import { assertFingerprintOf, type Fingerprint } from '../scheme/labels/fingerprint.ts';
import { schemeOf } from '../scheme/labels/label.ts';
import { parseLabelled } from '../scheme/serialise.ts';
import type { AddOptions, FingerprintLike, NearestOptions, QueryOptions } from './document-index.ts';
import { MAX_PROBED_DISTANCE } from './table/table-segment.ts';

/** The longest id in bytes: it fits into stores that limit keys to 511 bytes. */
export const MAX_ID_BYTES = 500;

/** The maximum number of bytes that {@link encodeId} writes. */
export const ID_BUFFER_BYTES = MAX_ID_BYTES + 3;

/**
 * Writes the bytes of a document id to a target of at least {@link ID_BUFFER_BYTES}; returns their number, 1 to 500.
 * Throws `wrong-type`, `out-of-range` (spec/sharing.md#index-layout).
 */
export function encodeId(what: string, id: unknown, target: Uint8Array): number {
  assertString(what, id);
  const units = id.length;
  let filled = 0;
  // A unit takes a byte or more.
  for (let i = 0; i < units && filled <= MAX_ID_BYTES; i++) {
    const unit = id.charCodeAt(i);
    if (unit < 0x80) {
      target[filled++] = unit;
      continue;
    }
    const codePoint = id.codePointAt(i)!;
    if (codePoint >= 0xd800 && codePoint < 0xe000) throw loneSurrogate(what, id);
    if (codePoint > 0xffff) i++;
    filled = writeCodePoint(codePoint, target, filled);
  }
  // `wrong-type` comes before `out-of-range`, wherever the surrogate is.
  if (filled > MAX_ID_BYTES && /[\uD800-\uDFFF]/u.test(id)) throw loneSurrogate(what, id);
  if (filled === 0 || filled > MAX_ID_BYTES)
    throw wrongValue('out-of-range', what, `a string of 1 to ${MAX_ID_BYTES} bytes in UTF-8`, id);
  return filled;
}

function loneSurrogate(what: string, id: string): Error {
  return wrongType(what, 'a string without a lone surrogate', id);
}

/**
 * Reads a fingerprint (a number, 32 bytes, which are copied, or SER-7) for an index of a label. Throws `wrong-type`,
 * `out-of-range`, `no-fingerprint` for `null` (LKP-1), `invalid-label`, `invalid-fingerprint`, or `label-mismatch` with
 * both labels (CMP-2).
 */
export function readFingerprint(what: string, value: FingerprintLike, label: string): Fingerprint {
  if (typeof value !== 'string') {
    assertFingerprintOf(schemeOf(label), what, value);
    // The caller may reuse its array.
    return typeof value === 'bigint' ? value : new Uint8Array(value);
  }
  const read = parseLabelled(value);
  assertLabel(what, read.label, label);
  return read.fingerprint;
}

/** Throws `label-mismatch` unless the two labels are the same (CMP-2). */
export function assertLabel(what: string, got: string, label: string): void {
  if (got !== label) throw wrongValue('label-mismatch', what, `the label of the index, ${label}`, got);
}

/** The default of `maxWork`. */
const MAX_WORK = 100_000_000;

/** Checks the options of a query. Returns them with their defaults. */
export function readQueryOptions(options: QueryOptions) {
  assertOptions('options', options);
  const { k = DEFAULT_DISTANCE, limit = Number.POSITIVE_INFINITY, maxWork = MAX_WORK } = options;
  assertInteger('k', k, 0, 64);
  if (options.limit !== undefined) assertCount('limit', limit);
  assertCount('maxWork', maxWork);
  return { k, limit, maxWork };
}

/** Checks the options of a query for the nearest documents. Returns the options of a query, with their defaults. */
export function readNearestOptions(options: NearestOptions) {
  assertOptions('options', options);
  const { count = 10, k = MAX_PROBED_DISTANCE } = options;
  assertCount('count', count);
  return readQueryOptions({ ...options, k, limit: count });
}

/** Checks the options of adding many documents. Returns the treatment of an id that is there already. */
export function readAddOptions(options: AddOptions): 'refuse' | 'replace' {
  assertOptions('options', options);
  const { existing = 'refuse' } = options;
  assertOneOf('existing', existing, ['refuse', 'replace']);
  return existing;
}

function assertCount(what: string, count: unknown): asserts count is number {
  assertInteger(what, count, 1, Number.MAX_SAFE_INTEGER);
}
