import { isUtf8 } from 'node:buffer';
import { hexDigits } from '../../common/bytes.ts';
import { isRecord } from '../../common/text.ts';
import { endOfString } from '../../extract/rows/json-integers.ts';
import { excerpt, type Reply } from './protocol.ts';

/** Parses one line of an adapter (rule 4 of the protocol), strictly, since anything it accepts would count as right. */
export function parseLine(bytes: Buffer): { readonly id: string; readonly reply: Reply } | { readonly breach: string } {
  const decoded = decodeLine(bytes);
  if ('breach' in decoded) return decoded;
  const line = decoded.text;
  const parsed = parseStrictly(line);
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

export type LineReader = ReturnType<typeof createLineReader>;

/** Bytes of an unfinished line that are read for a message. */
const MAX_REST = 1024;

/** Makes a reader of lines that end with LF. It calls `onTooLong` and drops an unfinished line that exceeds the limit. */
export function createLineReader(limit: () => number, onLine: (line: Buffer) => void, onTooLong: () => void) {
  let parts: Buffer[] = [];
  let held = 0;
  const take = (): Buffer => {
    const line = Buffer.concat(parts);
    parts = [];
    held = 0;
    return line;
  };
  return {
    push(chunk: Buffer): void {
      let from = 0;
      for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, from)) {
        parts.push(chunk.subarray(from, end));
        from = end + 1;
        onLine(take());
      }
      if (from === chunk.length) return;
      parts.push(chunk.subarray(from));
      held += chunk.length - from;
      if (held <= limit()) return;
      take();
      onTooLong();
    },
    rest: (): string => Buffer.concat(parts).subarray(0, MAX_REST).toString('utf8'),
  };
}

/** Bytes to show around a fault. */
const SHOWN = 8;

function decodeLine(bytes: Buffer): { readonly text: string } | { readonly breach: string } {
  const wide = findUtf16(bytes);
  if (wide !== undefined) return { breach: `${wide} in place of UTF-8: ${hexOf(bytes.subarray(0, SHOWN))}…` };
  if (isUtf8(bytes)) return { text: bytes.toString('utf8') };
  const place = findIllFormed(bytes);
  const shown = bytes.subarray(place, place + lengthOfFault(bytes, place));
  const before = bytes.toString('utf8', Math.max(0, place - 40), place).replace(/^\ufffd+/, '');
  const where = `at byte ${place + 1} of the line, after ${JSON.stringify(before)}`;
  return { breach: `ill-formed UTF-8 ${where}: ${hexOf(shown)}, ${guessEncoding(bytes, place)}` };
}

const hexOf = (bytes: Uint8Array): string => [...bytes].map((byte) => hexDigits(byte, 2)).join(' ');

function findUtf16(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, 8).toString('latin1');
  if (start.startsWith('\xff\xfe')) return 'UTF-16 with a byte order mark, little-endian,';
  if (start.startsWith('\xfe\xff')) return 'UTF-16 with a byte order mark, big-endian,';
  if (/^[^\0]\0\0\0/.test(start) || start.startsWith('\0\0\0')) return 'UTF-32';
  if (/^[^\0]\0[^\0]/.test(start)) return 'UTF-16LE without a byte order mark';
  return /^\0[^\0]\0/.test(start) ? 'UTF-16BE without a byte order mark' : undefined;
}

function findIllFormed(bytes: Buffer): number {
  let place = 0;
  for (;;) {
    const length = lengthOfSequence(bytes[place]!);
    if (length === 0 || (length > 1 && !isUtf8(bytes.subarray(place, place + length)))) return place;
    place += length;
  }
}

function lengthOfSequence(first: number): number {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (first >= 0xe0 && first <= 0xef) return 3;
  return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
}

/** Counts the bytes that were meant as one character. */
function lengthOfFault(bytes: Buffer, place: number): number {
  if (isSurrogate(bytes, place)) return isSurrogate(bytes, place + 3) ? 6 : 3;
  let length = 1;
  while (length < 4 && (bytes[place + length] ?? 0) >= 0x80) length++;
  return length;
}

function isSurrogate(bytes: Buffer, place: number): boolean {
  return bytes[place] === 0xed && bytes[place + 1]! >= 0xa0 && bytes[place + 1]! <= 0xbf;
}

function guessEncoding(bytes: Buffer, place: number): string {
  const [first, second = 0] = bytes.subarray(place, place + 2) as unknown as [number, number?];
  if (isSurrogate(bytes, place))
    return bytes[place + 1]! < 0xb0 && isSurrogate(bytes, place + 3)
      ? 'as CESU-8 writes a character beyond U+FFFF (two surrogates of three bytes each)'
      : 'a lone surrogate';
  if (first === 0xc0 && second === 0x80) return 'as the modified UTF-8 of Java writes U+0000';
  if (first === 0xc0 || first === 0xc1) return 'an overlong sequence';
  if (place + lengthOfSequence(first) > bytes.length && second === 0) return 'a sequence that is cut off';
  return bytes.some((byte) => byte >= 0x80 && byte <= 0x9f)
    ? 'as windows-1252 or raw bytes, written without encoding'
    : `as Latin-1 (or windows-1252) writes U+${hexDigits(first, 4).toUpperCase()}`;
}

/** Levels of objects and lists in a reply: a match of a lookup is on the fourth. */
const MAX_DEPTH = 16;
const BYTE_ORDER_MARK = '\ufeff';

/** Parses JSON, and rejects what JSON.parse accepts: repeated members, numbers that no double holds, lone surrogates. */
function parseStrictly(text: string): { readonly value: unknown } | { readonly breach: string } {
  if (text.startsWith(BYTE_ORDER_MARK))
    return { breach: `a byte order mark (U+FEFF) before ${excerpt(text.slice(BYTE_ORDER_MARK.length))}` };
  if (text.endsWith('\r')) return { breach: `CR LF at the end of the line, expected LF alone: ${excerpt(text)}` };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { breach: `expected one JSON object on a line, got ${excerpt(text)}${hintOf(text)}` };
  }
  const fault = findFault(text);
  return fault === undefined ? { value } : { breach: `${fault}: ${excerpt(text)}` };
}

function hintOf(text: string): string {
  // No lookbehind: at each of many spaces, it would go back to the first one.
  const [, constant] = /[:,[]\s*(-?(?:NaN|Infinity|nan|inf)|None|True|False|undefined)(?=\s*[,\]}])/.exec(text) ?? [];
  if (constant !== undefined) return `: ${constant} is not JSON`;
  const [control] = /(?![\t\u007f-\u009f])\p{Cc}/u.exec(text) ?? [];
  if (control === undefined) return '';
  return `: U+${hexDigits(control.charCodeAt(0), 4).toUpperCase()} has to be escaped in a string`;
}

/** An object or list that is not closed yet; `isName` is true if a string would be the name of a member. */
type Open = { readonly names: Set<string> | undefined; isName: boolean };

function findFault(text: string): string | undefined {
  const open: Open[] = [];
  for (let i = 0; i < text.length; i++) {
    const unit = text[i]!;
    const top = open.at(-1);
    if (unit === '"') {
      const end = endOfString(text, i);
      const fault = faultOfString(text.slice(i, end), top);
      if (fault !== undefined) return fault;
      i = end - 1;
    } else if (unit === '{' || unit === '[') {
      if (open.length === MAX_DEPTH) return `more than ${MAX_DEPTH} levels of nesting`;
      open.push({ names: unit === '{' ? new Set() : undefined, isName: unit === '{' });
    } else if (unit === '}' || unit === ']') open.pop();
    else if (unit === ':') top!.isName = false;
    else if (unit === ',') top!.isName = top!.names !== undefined;
    else if (unit === '-' || (unit >= '0' && unit <= '9')) {
      const number = numberAt(text, i);
      if (!Number.isFinite(Number(number))) return `the number ${excerpt(number)}, which no double holds`;
      i += number.length - 1;
    }
  }
  return undefined;
}

function numberAt(text: string, start: number): string {
  const pattern = /[-+.\deE]+/y;
  pattern.lastIndex = start;
  return pattern.exec(text)![0];
}

function faultOfString(string: string, top: Open | undefined): string | undefined {
  const isPlain = !string.includes('\\');
  if (isPlain && top?.isName !== true) return undefined;
  const value = isPlain ? string.slice(1, -1) : (JSON.parse(string) as string);
  const [lone] = /[\ud800-\udfff]/u.exec(value) ?? [];
  if (lone !== undefined) return `the escape of a lone surrogate, \\u${lone.charCodeAt(0).toString(16)}`;
  if (top?.isName !== true || top.names === undefined) return undefined;
  if (top.names.has(value)) return `the member ${excerpt(value)} occurs twice in an object`;
  top.names.add(value);
  return undefined;
}
