import { escapeUnits, isRecord } from '../../common/text.ts';
import { DEFAULT_DISTANCE, LABEL } from '../../index.ts';
import type { Operation } from '../vector.ts';

/** The end of a process: its exit code, or the signal that killed it. */
export interface ExitStatus {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export function describeExit({ code, signal }: ExitStatus): string {
  return signal === null ? `exited with code ${code}` : `killed by ${signal}`;
}

/** The version of the adapter protocol that this runner implements (vectors/README.md, "Adapter protocol"). */
export const PROTOCOL = 1;

/** The introduction of an adapter in reply to `hello`. */
export interface Hello extends Declared {
  readonly name: string;
  readonly version: string;
  readonly language: string;
  readonly protocol: number;
  /** The Unicode version of the library that computes NFC; `null` without a library, or if the version is unknown. */
  readonly unicode: string | null;
  readonly operations: readonly string[];
  /** The labels whose fingerprints it computes. Default: `simhash-doc`. */
  readonly labels?: readonly string[];
}

/** The reply to one request. `ok` and `error` are answers; the last four are failures of the adapter, not of the scheme. */
export type Reply =
  | { readonly kind: 'ok'; readonly result: Readonly<Record<string, unknown>> }
  | { readonly kind: 'error'; readonly code: string; readonly message: string }
  | { readonly kind: 'unsupported' }
  /** The process exited before it replied, or could not be started. */
  | { readonly kind: 'crash'; readonly detail: string; readonly stderr: string }
  /** No reply within the deadline; the process was killed. */
  | { readonly kind: 'timeout'; readonly detail: string; readonly stderr: string }
  /** Output that is not a reply to this request; the process was killed. */
  | { readonly kind: 'protocol'; readonly detail: string; readonly stderr: string }
  /** Not sent: the adapter failed too often. */
  | { readonly kind: 'not-run'; readonly detail: string };

/** A reply that is a failure of the adapter's process. */
export type ProcessFailure = Extract<Reply, { readonly kind: 'crash' | 'timeout' | 'protocol' }>;

/** An implementation under test. */
export interface Adapter {
  /** Starts the adapter unless it is running, and returns its introduction. Rejects with an Error if it cannot be run. */
  hello(): Promise<Hello>;
  /** Sends one request. Never rejects: a failure is a reply. */
  request(operation: Operation, input: unknown): Promise<Reply>;
  /** The number of restarts after a failure. */
  readonly restarts: number;
  /** Makes an adapter of the same command, in a process of its own. Absent if there is no process. */
  another?(): Adapter;
  /**
   * Closes its standard input and waits until it exits; kills it if it does not. Absent if there is no process.
   * @returns the status of its own exit; null if it did not exit; undefined if it was not running
   */
  end?(): Promise<ExitStatus | null | undefined>;
  /** Stops the adapter. */
  close(): Promise<void>;
}

/** Quotes the start of a text for a message, so that a report never contains megabytes. */
export function excerpt(text: string, length = 120): string {
  const shown = JSON.stringify(text.length > length ? text.slice(0, length) : text);
  return text.length > length ? `${shown} … (${text.length} characters)` : shown;
}

export function parseHello(result: Readonly<Record<string, unknown>>): Hello {
  const { name, version, language, protocol, unicode = null, operations } = result;
  const labels = result['labels'] ?? [LABEL];
  for (const [key, value] of Object.entries({ name, version, language }))
    check(typeof value === 'string' && value !== '', `a string "${key}"`, value);
  check(protocol === PROTOCOL, `protocol ${PROTOCOL}`, protocol);
  check(unicode === null || typeof unicode === 'string', 'a string or null as "unicode"', unicode);
  check(isTexts(operations), 'a list of names as "operations"', operations);
  check(isTexts(labels), 'a list of strings as "labels"', labels);
  const identity = { name, version, language, protocol, unicode } as Omit<Hello, 'operations'>;
  return { ...identity, operations, labels, ...parseDeclared(result, operations) };
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** Writes JSON in ASCII, so that no transport can change it. */
export function toAsciiJson(value: unknown, indent = 0): string {
  return escapeUnits(JSON.stringify(value, null, indent), /[\u007f-\uffff]/g);
}

export interface Declared {
  /** The kinds of inputs that the adapter does not answer (vectors/README.md, "Declined inputs"). Default none. */
  readonly declines?: readonly string[];
  /** The product's public functions by the operations that they answer. Default none. */
  readonly functions?: Readonly<Record<string, string>>;
}

const LIMITED_K = /^k>([3-9]|[1-5]\d|6[0-3])$/;
const FUNCTION_NAME = /^[^\p{C}\p{Zl}\p{Zp}]{1,200}$/u;

function parseDeclared(hello: Readonly<Record<string, unknown>>, operations: readonly string[]): Required<Declared> {
  const { declines = [], functions = {} } = hello;
  const isKind = (kind: unknown): boolean =>
    typeof kind === 'string' && (kind === 'utf8' || kind === 'utf16' || LIMITED_K.test(kind));
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

function check(isRight: boolean, expected: string, given: unknown): asserts isRight {
  if (!isRight) throw new Error(`hello: expected ${expected}, got ${JSON.stringify(given)}`);
}

const OF_BYTES: ReadonlySet<string> = new Set(['decode', 'token-hash', 'fingerprint']);

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
