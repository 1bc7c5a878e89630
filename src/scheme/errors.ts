/**
 * The closed set of errors of the scheme. Every error that `scheme/` throws on purpose is a `TypeError` (an argument of
 * the wrong type) or a `RangeError` (of the right type, but a wrong value) with one of these codes.
 */
export type ErrorCode =
  /** An argument is of the wrong JavaScript type. */
  | 'wrong-type'
  /** A number, bigint, octet count or distance lies outside its documented range. */
  | 'out-of-range'
  /** A string is not the base32, hexadecimal or labelled form of a fingerprint. */
  | 'invalid-fingerprint'
  /** A label is missing, malformed or not registered. */
  | 'invalid-label'
  /** Two fingerprints of different labels were to be compared. */
  | 'label-mismatch'
  /** A document without tokens, which has no fingerprint, was used where one is needed. */
  | 'no-fingerprint';

/** An error with a code of the closed set. */
export interface CodedError extends Error {
  readonly code: ErrorCode;
}

/** Shows a value in an error message: short, on one line, with its type. */
function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 64 ? `${value.slice(0, 64)}…` : value);
  if (typeof value === 'bigint') return `${value}n`;
  if (value === null || typeof value !== 'object') return String(value);
  return Object.prototype.toString.call(value).slice(8, -1);
}

/**
 * Makes the error for an argument of the wrong type.
 * @param what - the argument's name
 * @param expected - what would have been right
 * @param got - what was given
 */
export function wrongType(what: string, expected: string, got: unknown): TypeError & CodedError {
  return Object.assign(new TypeError(`${what}: expected ${expected}, got ${show(got)}`), {
    code: 'wrong-type' as const,
  });
}

/**
 * Makes the error for an argument of a wrong value.
 * @param code - the code of the closed set
 * @param what - the argument's name
 * @param expected - what would have been right
 * @param got - what was given
 */
export function wrongValue(
  code: Exclude<ErrorCode, 'wrong-type'>,
  what: string,
  expected: string,
  got: unknown,
): RangeError & CodedError {
  return Object.assign(new RangeError(`${what}: expected ${expected}, got ${show(got)}`), { code });
}

/** Throws `wrong-type` unless `value` is a string. */
export function assertString(what: string, value: unknown): asserts value is string {
  if (typeof value !== 'string') throw wrongType(what, 'a string', value);
}

/** Throws `wrong-type` unless `value` is a Uint8Array (a Node Buffer is one). */
export function assertOctets(what: string, value: unknown): asserts value is Uint8Array {
  if (!(value instanceof Uint8Array)) throw wrongType(what, 'a Uint8Array', value);
}

/** Throws `wrong-type` or `out-of-range` unless `value` is an integer from `least` to `most`. */
export function assertInteger(what: string, value: unknown, least: number, most: number): asserts value is number {
  const expected = `an integer from ${least} to ${most}`;
  if (typeof value !== 'number') throw wrongType(what, expected, value);
  if (!Number.isInteger(value) || value < least || value > most)
    throw wrongValue('out-of-range', what, expected, value);
}

/** Throws `wrong-type`, `out-of-range` or `no-fingerprint` unless `value` is an unsigned 64-bit bigint. */
export function assertFingerprint(what: string, value: unknown): asserts value is bigint {
  const expected = 'a bigint from 0 to 2^64 - 1';
  if (value === null)
    throw wrongValue('no-fingerprint', what, `${expected} (a document without tokens has none)`, value);
  if (typeof value !== 'bigint') throw wrongType(what, expected, value);
  if (BigInt.asUintN(64, value) !== value) throw wrongValue('out-of-range', what, expected, value);
}
