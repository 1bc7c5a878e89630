import { isUtf8 } from 'node:buffer';

export type Decoded = { readonly text: string } | { readonly breach: string };

/** Bytes to show around a fault. */
const SHOWN = 8;

/** Decodes a line strictly. A breach names the first bytes at fault, their place, and the encoding that they look like. */
export function decodeLine(bytes: Buffer): Decoded {
  const wide = findUtf16(bytes);
  if (wide !== undefined) return { breach: `${wide} in place of UTF-8: ${hexOf(bytes.subarray(0, SHOWN))}…` };
  if (isUtf8(bytes)) return { text: bytes.toString('utf8') };
  const place = findFault(bytes);
  const shown = bytes.subarray(place, place + lengthOfFault(bytes, place));
  const before = bytes
    .subarray(Math.max(0, place - 40), place)
    .toString('utf8')
    .replace(/^\ufffd+/, '');
  return {
    breach: `ill-formed UTF-8 at byte ${place + 1} of the line, after ${JSON.stringify(before)}: ${hexOf(shown)}, ${guessEncoding(bytes, place)}`,
  };
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
}

/** Recognises UTF-16 and UTF-32 by a byte order mark, or by the places of the zero bytes of the first characters. */
function findUtf16(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, 8).toString('latin1');
  if (start.startsWith('\xff\xfe')) return 'UTF-16 with a byte order mark, little-endian,';
  if (start.startsWith('\xfe\xff')) return 'UTF-16 with a byte order mark, big-endian,';
  if (/^[^\0]\0\0\0/.test(start) || start.startsWith('\0\0\0')) return 'UTF-32';
  if (/^[^\0]\0[^\0]/.test(start)) return 'UTF-16LE without a byte order mark';
  return /^\0[^\0]\0/.test(start) ? 'UTF-16BE without a byte order mark' : undefined;
}

function findFault(bytes: Buffer): number {
  let place = 0;
  for (;;) {
    const length = lengthOfSequence(bytes[place]!);
    if (length === 0 || (length > 1 && !isUtf8(bytes.subarray(place, place + length)))) return place;
    place += length;
  }
}

/** Returns 0 for a byte that begins no sequence. */
function lengthOfSequence(first: number): number {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (first >= 0xe0 && first <= 0xef) return 3;
  return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
}

/** Counts the bytes to show of an ill-formed sequence: those that were meant as the same character. */
function lengthOfFault(bytes: Buffer, place: number): number {
  if (isSurrogate(bytes, place)) return isSurrogate(bytes, place + 3) ? 6 : 3;
  let length = 1;
  while (length < 4 && (bytes[place + length] ?? 0) >= 0x80) length++;
  return length;
}

/** Tests whether three bytes encode a surrogate, as UTF-8 never does. */
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
    : `as Latin-1 (or windows-1252) writes U+${first.toString(16).toUpperCase().padStart(4, '0')}`;
}
