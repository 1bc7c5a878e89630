/**
 * The closed set of errors of the scheme (ERR-1). Every error that `scheme/` throws on purpose is a `TypeError` (an argument of
 * the wrong type) or a `RangeError` (of the right type, but a wrong value) with one of these codes.
 */
export type ErrorCode =
  /** An argument is of the wrong JavaScript type. */
  | 'wrong-type'
  /** A number, bigint, byte count or distance is outside its documented range. */
  | 'out-of-range'
  /** A string is not the base32, hexadecimal or labelled form of a fingerprint. */
  | 'invalid-fingerprint'
  /** A label is missing, malformed or not registered. */
  | 'invalid-label'
  /** Two fingerprints have different labels, so they are not comparable. */
  | 'label-mismatch'
  /** A document without tokens, which has no fingerprint, was used where one is needed. */
  | 'no-fingerprint';

/** An error with an {@link ErrorCode}. */
export interface CodedError extends Error {
  readonly code: ErrorCode;
}

/** Tests whether an error has a code of this package: those are in lower case, the codes of Node and of the system are not. */
export function hasCode(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && /^[a-z]+(-[a-z]+)*$/.test(String(error.code));
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
 * @param shown - its text in the message, if it is not a value
 */
export function wrongValue(
  code: Exclude<ErrorCode, 'wrong-type'>,
  what: string,
  expected: string,
  got: unknown,
  shown = show(got),
): RangeError & CodedError {
  return Object.assign(new RangeError(`${what}: expected ${expected}, got ${shown}`), { code });
}

/** Throws `wrong-type` unless `value` is a string. */
export function assertString(what: string, value: unknown): asserts value is string {
  if (typeof value !== 'string') throw wrongType(what, 'a string', value);
}

/** Throws `wrong-type` unless `value` is a Uint8Array (a Node Buffer is one). */
export function assertBytes(what: string, value: unknown): asserts value is Uint8Array {
  if (!(value instanceof Uint8Array)) throw wrongType(what, 'a Uint8Array', value);
}

/** Throws `wrong-type` unless `value` is an iterable and no string, which is an iterable of strings. */
export function assertIterable(what: string, value: unknown, expected: string): void {
  if (typeof value === 'string' || typeof (value as Iterable<unknown> | null)?.[Symbol.iterator] !== 'function')
    throw wrongType(what, expected, value);
}

const KINDS = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  function: 'a function',
  object: 'an object',
  list: 'an array',
} as const;

type Kind = keyof typeof KINDS;

/** Names of members, and of what kind each is; with `?` one that may be missing. */
export type Members = Readonly<Record<string, Kind | `${Kind}?`>>;

/** One object for all calls: each query makes some. */
const NO_MEMBERS: Members = {};

function isOfKind(value: unknown, kind: Kind): boolean {
  if (kind === 'list') return Array.isArray(value);
  if (kind === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === kind;
}

/**
 * Throws `wrong-type` unless `value` is an object, such as options are, that has members of these kinds.
 * @param what - the argument's name
 * @param value - what was given
 * @param members - those that are looked at
 */
export function assertOptions(what: string, value: unknown, members: Members = NO_MEMBERS): void {
  if (!isOfKind(value, 'object')) throw wrongType(what, KINDS.object, value);
  for (const name in members) {
    const given = members[name]!;
    const member = (value as Readonly<Record<string, unknown>>)[name];
    if (member === undefined && given.endsWith('?')) continue;
    const kind = given.replace('?', '') as Kind;
    if (!isOfKind(member, kind)) throw wrongType(`${what}.${name}`, KINDS[kind], member);
  }
}

/** Throws `wrong-type` or `out-of-range` unless `value` is one of some words. */
export function assertOneOf<T extends string>(what: string, value: unknown, words: readonly T[]): asserts value is T {
  if (typeof value !== 'string') throw wrongType(what, words.join(' or '), value);
  if (!words.includes(value as T)) throw wrongValue('out-of-range', what, words.join(' or '), value);
}

/** Throws `wrong-type` or `out-of-range` unless `value` is an integer from `min` to `max`. */
export function assertInteger(what: string, value: unknown, min: number, max: number): asserts value is number {
  if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max) return;
  // Made only now: queries in memory take less time than a message.
  const expected = `an integer from ${min} to ${max}`;
  if (typeof value !== 'number') throw wrongType(what, expected, value);
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
