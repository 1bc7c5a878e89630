import { escapeUnits } from '../../common/text.ts';
import type { Operation } from '../types.ts';

/** The version of the adapter protocol that this runner speaks (spec/conformance.md, "Adapter protocol"). */
export const PROTOCOL = 1;

/** What an adapter says of itself in reply to `hello`. */
export interface Hello {
  readonly name: string;
  readonly version: string;
  readonly language: string;
  readonly protocol: number;
  /** The Unicode version of the library that NFC comes from; `null` where there is none or it is not known. */
  readonly unicode: string | null;
  readonly operations: readonly string[];
}

/** What came of one request. Only the first two are answers; the others are failures of the adapter, not of the scheme. */
export type Reply =
  | { readonly kind: 'ok'; readonly result: Readonly<Record<string, unknown>> }
  | { readonly kind: 'error'; readonly code: string; readonly message: string }
  | { readonly kind: 'unsupported' }
  /** The process ended, or could not be started, before it replied. */
  | { readonly kind: 'crash'; readonly detail: string; readonly stderr: string }
  /** No reply within the deadline; the process was ended. */
  | { readonly kind: 'timeout'; readonly detail: string; readonly stderr: string }
  /** What came was no reply to this request; the process was ended. */
  | { readonly kind: 'protocol'; readonly detail: string; readonly stderr: string }
  /** Not sent: the adapter failed too often. */
  | { readonly kind: 'not-run'; readonly detail: string };

/** An implementation under test. */
export interface Adapter {
  /** Starts it, if it is not running, and returns what it says of itself. Rejects when it cannot be run. */
  hello(): Promise<Hello>;
  /** Sends one request. Never rejects: what goes wrong is the reply. */
  request(operation: Operation, input: unknown): Promise<Reply>;
  /** How often it was started again after a failure. */
  readonly restarts: number;
  /** Ends it. */
  close(): Promise<void>;
}

/** What a line of an adapter turned out to be: a reply to `id`, or a breach of the protocol. */
export type ParsedLine =
  | { readonly id: string; readonly reply: Extract<Reply, { kind: 'ok' | 'error' | 'unsupported' }> }
  | { readonly breach: string };

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Shortens a line for a message, so that a report never holds megabytes. */
export function excerpt(text: string, length = 120): string {
  const shown = JSON.stringify(text.length > length ? text.slice(0, length) : text);
  return text.length > length ? `${shown} … (${text.length} characters)` : shown;
}

/** Reads one line of an adapter (rule 4 of the protocol). */
export function parseLine(line: string): ParsedLine {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return { breach: `expected one JSON object on a line, got ${excerpt(line)}` };
  }
  if (!isObject(message)) return { breach: `expected a JSON object, got ${excerpt(line)}` };
  const { id } = message;
  if (typeof id !== 'string') return { breach: `expected a reply with the request's "id", got ${excerpt(line)}` };
  const members = ['ok', 'error', 'unsupported'].filter((name) => Object.hasOwn(message, name));
  if (members.length !== 1)
    return { breach: `expected exactly one of "ok", "error" and "unsupported", got ${excerpt(line)}` };
  if (members[0] === 'ok') {
    if (!isObject(message['ok'])) return { breach: `expected an object under "ok", got ${excerpt(line)}` };
    return { id, reply: { kind: 'ok', result: message['ok'] } };
  }
  if (members[0] === 'unsupported') {
    if (message['unsupported'] !== true) return { breach: `expected "unsupported": true, got ${excerpt(line)}` };
    return { id, reply: { kind: 'unsupported' } };
  }
  const { error } = message;
  if (!isObject(error) || typeof error['code'] !== 'string')
    return { breach: `expected an object with a "code" under "error", got ${excerpt(line)}` };
  const text = error['message'];
  return { id, reply: { kind: 'error', code: error['code'], message: typeof text === 'string' ? text : '' } };
}

/** Reads the result of `hello`; throws an Error that says what is wrong with it. */
export function parseHello(result: Readonly<Record<string, unknown>>): Hello {
  for (const key of ['name', 'version', 'language'])
    if (typeof result[key] !== 'string' || result[key] === '')
      throw new Error(`hello: expected a text "${key}", got ${JSON.stringify(result[key])}`);
  if (result['protocol'] !== PROTOCOL)
    throw new Error(`hello: expected protocol ${PROTOCOL}, got ${JSON.stringify(result['protocol'])}`);
  const unicode = result['unicode'] ?? null;
  if (unicode !== null && typeof unicode !== 'string')
    throw new Error(`hello: expected a text or null as "unicode", got ${JSON.stringify(unicode)}`);
  const operations = result['operations'];
  if (!Array.isArray(operations) || operations.some((operation) => typeof operation !== 'string'))
    throw new Error(`hello: expected a list of names as "operations", got ${JSON.stringify(operations)}`);
  return {
    name: result['name'] as string,
    version: result['version'] as string,
    language: result['language'] as string,
    protocol: PROTOCOL,
    unicode,
    operations: operations as string[],
  };
}

/** JSON in ASCII: what is outside is escaped, so that no transport can change it. */
export function toAsciiJson(value: unknown): string {
  return escapeUnits(JSON.stringify(value), /[\u007f-\uffff]/g);
}
