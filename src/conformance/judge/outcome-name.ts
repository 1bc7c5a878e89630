import { hashToken, toHex } from '../../index.ts';
import type { Reply } from '../adapter/protocol.ts';
import type { Vector } from '../vector.ts';

/** Writes JSON with sorted keys and without spaces, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([x], [y]) => (x < y ? -1 : 1))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`)
      .join(',')}}`;
  return JSON.stringify(value);
}

/** Names an outcome, the same for equal failures: the code of an error, the fingerprint, or the token hash of the result. */
export function nameOfOutcome(vector: Vector, reply: Extract<Reply, { kind: 'ok' | 'error' }>): string {
  if (reply.kind === 'error') return `error:${reply.code}`;
  const { result } = reply;
  if (['fingerprint', 'extract', 'extract-html'].includes(vector.operation)) return String(result['fingerprint']);
  return toHex(hashToken(canonicalJson(pinnedMembers(vector, result))));
}

export function pinnedMembers({ expected }: Vector, result: Readonly<Record<string, unknown>>): object {
  if (expected === undefined) return result;
  return Object.fromEntries(Object.keys(expected).map((key) => [key, result[key]]));
}

/** Shortens the name of an outcome to the form of vectors/mutants.json: three characters of each half, or the error. */
export function abbreviate(name: string): string {
  return name.startsWith('error:') || name.length <= 6 ? name : name.slice(0, 3) + name.slice(-3);
}
