/** Writes one code point as UTF-8 where at least four bytes are free; returns the place for the next one. */
export function writeCodePoint(codePoint: number, bytes: Uint8Array, at: number): number {
  if (codePoint < 0x80) {
    bytes[at++] = codePoint;
  } else if (codePoint < 0x800) {
    bytes[at++] = 0xc0 | (codePoint >> 6);
    bytes[at++] = 0x80 | (codePoint & 0x3f);
  } else if (codePoint < 0x10000) {
    bytes[at++] = 0xe0 | (codePoint >> 12);
    bytes[at++] = 0x80 | ((codePoint >> 6) & 0x3f);
    bytes[at++] = 0x80 | (codePoint & 0x3f);
  } else {
    bytes[at++] = 0xf0 | (codePoint >> 18);
    bytes[at++] = 0x80 | ((codePoint >> 12) & 0x3f);
    bytes[at++] = 0x80 | ((codePoint >> 6) & 0x3f);
    bytes[at++] = 0x80 | (codePoint & 0x3f);
  }
  return at;
}

interface Encoded {
  readonly read: number;
  readonly written: number;
}

/** Encodes as much of a text as fits, like the Encoding API, which is not part of the language. */
export function encodeInto(text: string, bytes: Uint8Array): Encoded {
  let read = 0;
  let written = 0;
  while (read < text.length) {
    const codePoint = text.codePointAt(read)!;
    const size = codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
    if (written + size > bytes.length) break;
    written = writeCodePoint((codePoint & 0x1ff800) === 0xd800 ? 0xfffd : codePoint, bytes, written);
    read += codePoint > 0xffff ? 2 : 1;
  }
  return { read, written };
}

/** The part of the Encoding API that is used if it exists, because it is faster. */
interface Encoder {
  encodeInto(text: string, bytes: Uint8Array): Encoded;
}

export const encoder: Encoder = (() => {
  const { TextEncoder } = globalThis as { TextEncoder?: new () => Encoder };
  return TextEncoder === undefined ? { encodeInto } : new TextEncoder();
})();

/** Encodes a text; lone surrogates become U+FFFD. */
export function encode(text: string): Uint8Array {
  // A unit takes at most three bytes; code points that take four are two units.
  const bytes = new Uint8Array(3 * text.length);
  return bytes.slice(0, encoder.encodeInto(text, bytes).written);
}
