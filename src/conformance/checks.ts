import { isRecord } from '../common/text.ts';
import { assertInteger, assertOptions, assertString, type Members, wrongType, wrongValue } from '../errors.ts';

/** Limits on the resources of an adapter. */
export interface AdapterLimits {
  /**
   * The maximum number of milliseconds for a reply, and from the start of the process to its reply to `hello`; for `accumulate`, for
   * each thousand cases. On a busy machine it counts CPU time. Default 10,000.
   */
  readonly deadline?: number;
  /** The maximum number of restarts after a crash, a timeout or a breach of the protocol. Default 100. */
  readonly restarts?: number;
}

export const DEFAULT_ADAPTER_LIMITS: Required<AdapterLimits> = { deadline: 10_000, restarts: 100 };
/** Bytes that a reply may have, whatever the size of its request. */
const MIN_REPLY = 1 << 20;
/** Bytes that a reply may have for each byte of its request: the largest of the vectors has 15. */
const REPLY_RATIO = 32;

export function maxReply(requestLength: number): number {
  return MIN_REPLY + REPLY_RATIO * requestLength;
}

export function formatError(name: string, expected: string, given: unknown): RangeError {
  const shown = JSON.stringify(given) ?? 'nothing';
  const short = shown.length > 80 ? `${shown.slice(0, 80)}…` : shown;
  return wrongValue('out-of-range', name, expected, given, short);
}

/** Reads a JSON file of this package; `older` has advice about older formats. @throws TypeError, RangeError for other files */
export function readJsonText(
  text: string,
  name: string,
  kind: string,
  format = 1,
  older: Readonly<Record<number, string>> = {},
): Readonly<Record<string, unknown>> {
  assertString('text', text);
  assertString('name', name);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw outOfRange(`${name}: expected JSON: ${(error as Error).message}`);
  }
  if (!isRecord(value)) throw formatError(name, 'an object', value);
  if (value['kind'] !== kind) throw formatError(name, `"kind": "${kind}"`, value['kind']);
  const old = older[Number(value['format'])];
  if (old !== undefined) throw outOfRange(`${name}: ${old}`);
  if (value['format'] !== format)
    throw formatError(name, `"format": ${format}, which this version reads`, value['format']);
  return value;
}

const SHAPES = {
  adapter: { hello: 'function', request: 'function' },
  claim: { claim: 'string', suite: 'object', adapter: 'object', classes: 'list' },
  paint: { strong: 'function', faint: 'function', good: 'function', bad: 'function' },
  report: {
    ...{ suite: 'object', adapter: 'object', counts: 'object' },
    ...{ classes: 'list', resemblances: 'list', outcomes: 'list' },
  },
  results: { suite: 'object', adapter: 'object', classes: 'list', vectors: 'object' },
  vector: { id: 'string', operation: 'string', rules: 'list', flags: 'list' },
} as const satisfies Readonly<Record<string, Members>>;

export function assertShape(kind: keyof typeof SHAPES, value: unknown, what: string = kind): void {
  assertOptions(what, value, SHAPES[kind]);
}

export function assertGroups(what: string, groups: unknown): void {
  assertList(what, groups);
  for (const [i, group] of groups.entries())
    assertOptions(`${what}[${i}]`, group, { group: 'string', vectors: 'list' });
}

export function outOfRange(message: string): RangeError {
  return Object.assign(new RangeError(message), { code: 'out-of-range' });
}

export function assertList(what: string, list: unknown): asserts list is readonly unknown[] {
  if (!Array.isArray(list)) throw wrongType(what, 'an array', list);
}

export function assertCommand(command: unknown): void {
  assertList('command', command);
  if (command.length === 0) throw wrongValue('out-of-range', 'command', 'a program', command, 'none');
  for (const [i, each] of command.entries()) assertString(`command[${i}]`, each);
}

export function assertLimits(limits: unknown): void {
  assertOptions('limits', limits);
  for (const [name, value] of Object.entries(limits as object))
    if (value !== undefined) assertInteger(`limits.${name}`, value, 0, Number.MAX_SAFE_INTEGER);
}
