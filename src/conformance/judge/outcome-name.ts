import { hashToken, toHex } from '../../index.ts';
import type { Reply } from '../adapter/protocol.ts';
import type { Vector } from '../types.ts';

/** JSON with the keys of every object sorted and no spaces: one text for one value. */
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

/**
 * A short name for what a vector came to, by which failures of different implementations are told to be the same: the
 * code of an error; the fingerprint, where that is the result; else the token hash of the result as canonical JSON,
 * without members that the vector does not pin.
 */
export function nameOfOutcome(vector: Vector, reply: Extract<Reply, { kind: 'ok' | 'error' }>): string {
  if (reply.kind === 'error') return `error:${reply.code}`;
  const { result } = reply;
  if (['fingerprint', 'extract', 'extract-html'].includes(vector.operation)) return String(result['fingerprint']);
  const pinned =
    vector.expected === undefined
      ? result
      : Object.fromEntries(Object.keys(vector.expected).map((key) => [key, result[key]]));
  return toHex(hashToken(canonicalJson(pinned)));
}
