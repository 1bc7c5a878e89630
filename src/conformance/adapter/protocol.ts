import { escapeUnits, isRecord } from '../../common/text.ts';
import type { ErrorCode } from '../../errors.ts';
import { LABEL } from '../../index.ts';
import { type Declared, parseDeclared } from '../declared.ts';
import type { Operation } from '../types.ts';

/** The version of the adapter protocol that this runner speaks (spec/conformance.md, "Adapter protocol"). */
export const PROTOCOL = 1;

const CODES: Readonly<Record<ErrorCode, true>> = {
  'wrong-type': true,
  'out-of-range': true,
  'invalid-fingerprint': true,
  'invalid-label': true,
  'label-mismatch': true,
  'no-fingerprint': true,
};

/** The error codes of the specification. */
export const ERROR_CODES: ReadonlySet<string> = new Set(Object.keys(CODES));

/** How an adapter introduces itself in reply to `hello`. */
export interface Hello extends Declared {
  readonly name: string;
  readonly version: string;
  readonly language: string;
  readonly protocol: number;
  /** The Unicode version of the library that NFC comes from; `null` if there is none or it is not known. */
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
  /** Output that is no reply to this request; the process was killed. */
  | { readonly kind: 'protocol'; readonly detail: string; readonly stderr: string }
  /** Not sent: the adapter failed too often. */
  | { readonly kind: 'not-run'; readonly detail: string };

/** A reply that is a failure of the adapter's process. */
export type ProcessFailure = Extract<Reply, { readonly kind: 'crash' | 'timeout' | 'protocol' }>;

/** An implementation under test. */
export interface Adapter {
  /** Starts it if it is not running. Rejects if it cannot be run. */
  hello(): Promise<Hello>;
  /** Sends one request. Never rejects: a failure is a reply. */
  request(operation: Operation, input: unknown): Promise<Reply>;
  /** How often it was restarted after a failure. */
  readonly restarts: number;
  /** Stops it. */
  close(): Promise<void>;
}

/** A parsed line of an adapter: a reply to the request `id`, or a breach of the protocol. */
export type ParsedLine =
  | { readonly id: string; readonly reply: Extract<Reply, { kind: 'ok' | 'error' | 'unsupported' }> }
  | { readonly breach: string };

/** Quotes the start of a text for a message, so that a report never contains megabytes. */
export function excerpt(text: string, length = 120): string {
  const shown = JSON.stringify(text.length > length ? text.slice(0, length) : text);
  return text.length > length ? `${shown} … (${text.length} characters)` : shown;
}

/** Levels of objects and lists in a reply: a match of a lookup is on the fourth. */
const MAX_DEPTH = 16;

/** Tells whether a value has at most this many levels. */
function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => isShallow(member, levels - 1));
}

const BYTE_ORDER_MARK = '\ufeff';

/** Parses one line of an adapter (rule 4 of the protocol). */
export function parseLine(line: string): ParsedLine {
  if (line.startsWith(BYTE_ORDER_MARK))
    return { breach: `a byte order mark (U+FEFF) before ${excerpt(line.slice(BYTE_ORDER_MARK.length))}` };
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return { breach: `expected one JSON object on a line, got ${excerpt(line)}` };
  }
  if (!isRecord(message)) return { breach: `expected a JSON object, got ${excerpt(line)}` };
  if (!isShallow(message, MAX_DEPTH)) return { breach: `more than ${MAX_DEPTH} levels of nesting: ${excerpt(line)}` };
  const { id } = message;
  if (typeof id !== 'string') return { breach: `expected a reply with the request's "id", got ${excerpt(line)}` };
  const members = ['ok', 'error', 'unsupported'].filter((name) => Object.hasOwn(message, name));
  if (members.length !== 1)
    return { breach: `expected exactly one of "ok", "error" and "unsupported", got ${excerpt(line)}` };
  if (members[0] === 'ok') {
    if (!isRecord(message['ok'])) return { breach: `expected an object under "ok", got ${excerpt(line)}` };
    return { id, reply: { kind: 'ok', result: message['ok'] } };
  }
  if (members[0] === 'unsupported') {
    if (message['unsupported'] !== true) return { breach: `expected "unsupported": true, got ${excerpt(line)}` };
    return { id, reply: { kind: 'unsupported' } };
  }
  const { error } = message;
  if (!isRecord(error) || typeof error['code'] !== 'string')
    return { breach: `expected an object with a "code" under "error", got ${excerpt(line)}` };
  const text = error['message'];
  return { id, reply: { kind: 'error', code: error['code'], message: typeof text === 'string' ? text : '' } };
}

/** Parses the result of `hello`; throws an Error that says what is wrong with it. */
export function parseHello(result: Readonly<Record<string, unknown>>): Hello {
  for (const key of ['name', 'version', 'language'])
    if (typeof result[key] !== 'string' || result[key] === '')
      throw new Error(`hello: expected a string "${key}", got ${JSON.stringify(result[key])}`);
  if (result['protocol'] !== PROTOCOL)
    throw new Error(`hello: expected protocol ${PROTOCOL}, got ${JSON.stringify(result['protocol'])}`);
  const unicode = result['unicode'] ?? null;
  if (unicode !== null && typeof unicode !== 'string')
    throw new Error(`hello: expected a string or null as "unicode", got ${JSON.stringify(unicode)}`);
  const operations = result['operations'];
  if (!Array.isArray(operations) || operations.some((operation) => typeof operation !== 'string'))
    throw new Error(`hello: expected a list of names as "operations", got ${JSON.stringify(operations)}`);
  const labels = result['labels'] ?? [LABEL];
  if (!Array.isArray(labels) || labels.some((label) => typeof label !== 'string'))
    throw new Error(`hello: expected a list of strings as "labels", got ${JSON.stringify(labels)}`);
  return {
    name: result['name'] as string,
    version: result['version'] as string,
    language: result['language'] as string,
    protocol: PROTOCOL,
    unicode,
    operations: operations as string[],
    labels: labels as string[],
    ...parseDeclared(result, operations),
  };
}

/** Writes JSON in ASCII, so that no transport can change it. */
export function toAsciiJson(value: unknown): string {
  return escapeUnits(JSON.stringify(value), /[\u007f-\uffff]/g);
}
