import { isRecord } from '../../../common/text.ts';
import { excerpt, type Reply } from '../protocol.ts';
import { parseStrictly } from './json.ts';
import { decodeLine } from './utf8.ts';

export type ParsedLine =
  | { readonly id: string; readonly reply: Extract<Reply, { kind: 'ok' | 'error' | 'unsupported' }> }
  | { readonly breach: string };

/** Parses one line of an adapter (rule 4 of the protocol), strictly, since anything it accepts would count as right. */
export function parseLine(bytes: Buffer): ParsedLine {
  const decoded = decodeLine(bytes);
  if ('breach' in decoded) return decoded;
  const line = decoded.text;
  const parsed = parseStrictly(line, excerpt);
  if ('breach' in parsed) return parsed;
  const message = parsed.value;
  if (!isRecord(message)) return { breach: `expected a JSON object, got ${excerpt(line)}` };
  const { id } = message;
  if (typeof id !== 'string') return { breach: `expected a reply with the request's "id", got ${excerpt(line)}` };
  const members = ['ok', 'error', 'unsupported'].filter((name) => Object.hasOwn(message, name));
  if (members.length === 0 && Object.hasOwn(message, 'op')) return { breach: 'it repeats the request: not an adapter' };
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
