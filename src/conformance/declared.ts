import { isRecord } from '../common/text.ts';
import { DEFAULT_DISTANCE } from '../index.ts';
import type { Operation } from './types.ts';

export interface Declared {
  /** The kinds of inputs that the adapter does not answer (spec/conformance.md, "Declined inputs"). Default none. */
  readonly declines?: readonly string[];
  /** The product's public functions by the operations that they answer. Default none. */
  readonly functions?: Readonly<Record<string, string>>;
}

/** The form of a limit on k: an index that answers no larger k. */
const LIMITED_K = /^k>([3-9]|[1-5]\d|6[0-3])$/;

/** A name that fits on a line of a report. */
const FUNCTION_NAME = /^[^\p{C}\p{Zl}\p{Zp}]{1,200}$/u;

export function parseDeclared(
  hello: Readonly<Record<string, unknown>>,
  operations: readonly string[],
): Required<Declared> {
  const { declines = [], functions = {} } = hello;
  const isList = Array.isArray(declines) && declines.every(isKind);
  check(isList, 'a list of "utf8", "utf16" and "k>N", N from 3 to 63, as "declines"', declines);
  const kinds = declines as readonly string[];
  const limits = kinds.filter((kind) => LIMITED_K.test(kind));
  check(limits.length <= 1 && new Set(kinds).size === kinds.length, 'each kind once in "declines"', kinds);
  check(isRecord(functions), 'an object of names as "functions"', functions);
  for (const [operation, name] of Object.entries(functions)) {
    const shown = JSON.stringify(operation);
    if (!operations.includes(operation))
      throw new Error(`hello: "functions" names ${shown}, which "operations" does not`);
    const isName = typeof name === 'string' && FUNCTION_NAME.test(name);
    check(isName, `the name of a function for ${shown}, of 1 to 200 printable characters`, name);
  }
  return { declines: kinds, functions: functions as Record<string, string> };
}

/** Throws an Error that describes a fault of `hello`, unless the value is right. */
export function check(isRight: boolean, expected: string, given: unknown): asserts isRight {
  if (!isRight) throw new Error(`hello: expected ${expected}, got ${JSON.stringify(given)}`);
}

function isKind(value: unknown): value is string {
  return typeof value === 'string' && (value === 'utf8' || value === 'utf16' || LIMITED_K.test(value));
}

const OF_BYTES: ReadonlySet<string> = new Set(['decode', 'token-hash', 'fingerprint']);

/** Finds the kind of an input that an adapter declined in advance; undefined for an input that it has to answer. */
export function declinedKind(operation: Operation, input: unknown, { declines = [] }: Declared): string | undefined {
  if (!isRecord(input)) return undefined;
  return declines.find((kind) => {
    if (kind === 'utf16') return 'utf16' in input;
    if (kind === 'utf8') return OF_BYTES.has(operation) ? 'utf8' in input : accumulatesBytes(operation, input);
    const { k = DEFAULT_DISTANCE } = input;
    return (
      operation === 'lookup' && Number.isInteger(k) && Number(k) > Number(LIMITED_K.exec(kind)?.[1]) && Number(k) <= 64
    );
  });
}

function accumulatesBytes(operation: Operation, { step, rule }: Readonly<Record<string, unknown>>): boolean {
  return operation === 'accumulate' && OF_BYTES.has(String(step)) && isRecord(rule) && rule['rule'] === 'octets';
}
