import { ERROR_CODES } from '../../common/error-codes.ts';
import { isRecord } from '../../common/text.ts';
import { excerpt, type Reply } from '../adapter/protocol.ts';
import type { Operation, Outcome } from '../vector.ts';
import { judgeResult } from './judge.ts';

/** A mistake in how an adapter answers, which is not about the scheme. */
export interface Slip {
  readonly kind: 'hex' | 'number' | 'list' | 'member' | 'code' | 'internal' | 'varies';
  readonly message: string;
  /** True if the answer is otherwise right, or unknown. */
  readonly isOnly: boolean;
}

type Note = (kind: Slip['kind'], message: string) => void;

const HEX_MEMBERS = ['hash', 'hashes', 'c', 'b', 'draw', 'draws', 'fingerprint', 'hex', 'permuted', 'digest', 'octets'];
const HEX = /^(?:[0-9a-f]{8}|[0-9a-f]{16}|[0-9a-f]{64})$/;

export function correctForm(operation: Operation, expected: unknown, actual: unknown, note: Note = () => {}): unknown {
  if (!isRecord(expected) || !isRecord(actual)) return actual;
  const corrected: Record<string, unknown> = { ...actual };
  for (const [key, value] of Object.entries(expected)) {
    if (Object.hasOwn(actual, key)) {
      // The hexadecimal form is a result of step 9 there (SER-6).
      const isForm = operation === 'serialise' && key === 'hex';
      // Null: a document without a fingerprint has no keys.
      const isNone = key === 'keys' && actual[key] === null && actual['fingerprint'] === null;
      corrected[key] = isForm || isNone ? actual[key] : correctValue(value, actual[key], key, note);
    } else if (operation === 'fingerprint' ? key === 'fingerprint' : operation !== 'extract' || key !== 'within') {
      note('member', `the result has no member ${JSON.stringify(key)}`);
      corrected[key] = value;
    }
  }
  return corrected;
}

function correctValue(expected: unknown, actual: unknown, key: string, note: Note): unknown {
  if (Array.isArray(expected)) {
    if (actual === null) {
      note('list', `null under ${JSON.stringify(key)} in place of a list: write an empty list as []`);
      return [];
    }
    return Array.isArray(actual) ? actual.map((each, i) => correctValue(expected[i], each, key, note)) : actual;
  }
  if (isRecord(expected) && isRecord(actual))
    return Object.fromEntries(
      Object.entries(actual).map(([name, value]) => [name, correctValue(expected[name], value, name, note)]),
    );
  if (typeof actual !== 'string') return actual;
  if (typeof expected === 'number' && /^-?\d+(?:\.\d+)?$/.test(actual)) {
    const given = `the text ${excerpt(actual, 40)} under ${JSON.stringify(key)}`;
    note('number', `${given} in place of a number: write no quotes`);
    return Number(actual);
  }
  return typeof expected === 'string' && HEX.test(expected) && HEX_MEMBERS.includes(key)
    ? correctHex(expected, actual, key, note)
    : actual;
}

function correctHex(expected: string, actual: string, key: string, note: Note): string {
  const digits = actual.toLowerCase().replace(/^0x/, '');
  if (digits === actual || !HEX.test(digits) || digits.length !== expected.length) return actual;
  const what = actual.startsWith('0') && /^0x/i.test(actual) ? 'with 0x' : 'in upper case';
  note('hex', `hexadecimal digits ${what} under ${JSON.stringify(key)}: write lower-case digits alone`);
  return digits;
}

export function findSlip(operation: Operation, expected: Outcome, reply: Reply): Slip | undefined {
  if (reply.kind === 'error') {
    const { code, message } = reply;
    if (ERROR_CODES.has(code)) return undefined;
    const about = message === '' ? '' : `: ${excerpt(message)}`;
    if (code === 'internal')
      return { kind: 'internal', message: `the adapter reports a failure${about}`, isOnly: true };
    const codes = [...ERROR_CODES].join(', ');
    return { kind: 'code', message: `the error code ${excerpt(code, 40)} is not one of ${codes}`, isOnly: true };
  }
  if (reply.kind !== 'ok' || !('result' in expected)) return undefined;
  let first: Omit<Slip, 'isOnly'> | undefined;
  const corrected = correctForm(operation, expected.result, reply.result, (kind, message) => {
    first ??= { kind, message };
  });
  return first && { ...first, isOnly: judgeResult(operation, expected.result, corrected) === null };
}
