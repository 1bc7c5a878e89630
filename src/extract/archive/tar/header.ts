import { latin1 } from '../../../common/bytes.ts';

/** Headers and contents are padded to a multiple of this number of bytes. */
export const TAR_BLOCK = 512;

export type TarHeader = NonNullable<ReturnType<typeof parseTarHeader>>;

export type PaxFields = Readonly<Record<string, string>>;

const CHECKSUM_START = 148;
const CHECKSUM_END = 156;
const TYPE = 156;

/** Parses a header (POSIX ustar, GNU, or older); returns null if its name, checksum or size is wrong. */
export function parseTarHeader(block: Uint8Array) {
  if (block.length < TAR_BLOCK || block[0] === 0 || !hasChecksum(block)) return null;
  const size = numberAt(block, 124, 136);
  if (size === null) return null;
  const isPosix = latin1(block.subarray(257, 263)) === 'ustar\0';
  const prefix = isPosix ? stringAt(block, 345, 500) : '';
  const name = stringAt(block, 0, 100);
  const flag = block[TYPE]!;
  const type = flag === 0 ? (name.endsWith('/') ? '5' : '0') : String.fromCharCode(flag);
  // The map of a sparse file (GNU) may go on after the header.
  return { name: prefix === '' ? name : `${prefix}/${name}`, size, type, isContinued: block[482] === 1 };
}

/** Parses the records of a pax header, `length key=value`; returns null if they are malformed. */
export function parsePax(bytes: Uint8Array): PaxFields | null {
  const fields: Record<string, string> = Object.create(null);
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const length = space < 0 || space - at > 10 ? '' : latin1(bytes.subarray(at, space));
    const end = at + Number(length);
    if (!/^\d+$/.test(length) || end <= space || end > bytes.length || bytes[end - 1] !== 0x0a) return null;
    const record = decode(bytes.subarray(space + 1, end - 1));
    const equals = record.indexOf('=');
    if (equals <= 0) return null;
    fields[record.slice(0, equals)] = record.slice(equals + 1);
    at = end;
  }
  return fields;
}

/** Decodes a path as UTF-8, up to the first NUL. Bytes that are not UTF-8 become U+FFFD. */
export function decodePath(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return decode(end < 0 ? bytes : bytes.subarray(0, end));
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

function stringAt(block: Uint8Array, start: number, end: number): string {
  return decodePath(block.subarray(start, end));
}

/** Compares the checksum with the sum of all bytes, in which the checksum counts as spaces. Old writers added signed bytes. */
function hasChecksum(block: Uint8Array): boolean {
  const checksum = numberAt(block, CHECKSUM_START, CHECKSUM_END);
  let sum = 0x20 * (CHECKSUM_END - CHECKSUM_START);
  let negative = 0;
  for (let at = 0; at < TAR_BLOCK; at++) {
    if (at === CHECKSUM_START) at = CHECKSUM_END;
    const byte = block[at]!;
    sum += byte;
    if (byte > 0x7f) negative += 256;
  }
  return checksum === sum || checksum === sum - negative;
}

/** Reads a number: octal digits, or in base 256 after a byte `0x80` (GNU). Null for anything else, and above 2^53 − 1. */
function numberAt(block: Uint8Array, start: number, end: number): number | null {
  let value = 0;
  if (block[start] === 0x80) for (let at = start + 1; at < end; at++) value = value * 256 + block[at]!;
  else {
    const [, digits] = /^ *([0-7]*)(?:[ \0]|$)/.exec(latin1(block.subarray(start, end))) ?? [];
    if (digits === undefined) return null;
    value = Number.parseInt(digits === '' ? '0' : digits, 8);
  }
  return Number.isSafeInteger(value) ? value : null;
}
