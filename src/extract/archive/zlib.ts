import { Z_BUF_ERROR, Z_NO_FLUSH, Z_OK, Z_STREAM_END, ZStream, zlibInflate, zlibInflateInit2 } from 'pako';
import { concatenate } from '../../common/bytes.ts';

/** The parts of node:zlib that are used. Its own types would make every user of this package install Node's. */
interface NativeZlib {
  inflateSync(bytes: Uint8Array, options: object): Uint8Array;
  inflateRawSync(bytes: Uint8Array, options: object): Uint8Array;
  brotliDecompressSync(bytes: Uint8Array, options: object): Uint8Array;
  /** Node from 22.15 on. */
  zstdDecompressSync?(bytes: Uint8Array, options: object): Uint8Array;
  crc32?(bytes: Uint8Array, crc: number): number;
}

/** node:zlib, or null on other platforms. Looked up at run time: a bundler for browsers could not resolve an import. */
export const NATIVE_ZLIB: NativeZlib | null = globalThis.process?.getBuiltinModule?.('node:zlib') ?? null;

/** `windowBits` of zlib for a deflate stream with header and checksum (RFC 1950), and without (RFC 1951). */
export const ZLIB_DEFLATE = 15;
export const RAW_DEFLATE = -15;

/** Tests for the header of a deflate stream, at a place (RFC 1950). */
export function isZlib(bytes: Uint8Array, at = 0): boolean {
  const [first = 0, second = 0] = bytes.subarray(at, at + 2);
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}

const BLOCK = 1 << 16;

/** Inflates a stream, which other bytes may follow, in one call; null for one that is damaged, cut off or too large. */
export function inflateAtOnce(bytes: Uint8Array, maxOutput: number, windowBits = RAW_DEFLATE): Output | null {
  if (NATIVE_ZLIB === null) {
    const inflated = inflateInBlocks(bytes, windowBits, maxOutput);
    return 'output' in inflated ? inflated : null;
  }
  // Most content is smaller than four times its compressed size.
  const chunkSize = Math.max(64, Math.min(maxOutput, 2 ** 10 + 4 * bytes.length, BLOCK));
  try {
    // The types do not know the result that `info` asks for.
    const inflate = windowBits === RAW_DEFLATE ? NATIVE_ZLIB.inflateRawSync : NATIVE_ZLIB.inflateSync;
    const { buffer, engine } = inflate(bytes, { info: true, maxOutputLength: maxOutput, chunkSize }) as unknown as {
      buffer: Uint8Array;
      engine: { bytesWritten: number };
    };
    return { output: new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length), read: engine.bytesWritten };
  } catch {
    return null;
  }
}

/** Creates an inflating stream (pako): give it bytes, then take what comes out until that is null. */
export function createInflate(windowBits: number, maxBlock = BLOCK) {
  const stream = new ZStream();
  zlibInflateInit2(stream, windowBits);
  let isOver = false;
  let isHungry = true;
  let damage: string | null = null;
  return {
    /** The number of the last given bytes that are after the end of the stream. */
    get left() {
      return stream.avail_in;
    },
    get isOver() {
      return isOver;
    },
    get damage() {
      return damage;
    },
    give(bytes: Uint8Array): void {
      stream.input = bytes;
      stream.next_in = 0;
      stream.avail_in = bytes.length;
      isHungry = false;
    },
    take(): Uint8Array | null {
      if (isOver || isHungry || damage !== null) return null;
      stream.output = new Uint8Array(maxBlock);
      stream.next_out = 0;
      stream.avail_out = maxBlock;
      const status = zlibInflate(stream, Z_NO_FLUSH);
      if (status === Z_STREAM_END) isOver = true;
      else if (status !== Z_OK && status !== Z_BUF_ERROR) damage = stream.msg || 'invalid data';
      else isHungry = stream.avail_out > 0;
      return stream.next_out === 0 ? null : stream.output.subarray(0, stream.next_out);
    },
  };
}

interface Output {
  readonly output: Uint8Array;
  readonly read: number;
}

export type Inflated =
  | Output
  | { readonly failure: 'too-large' }
  | { readonly failure: 'damaged'; readonly damage: string; readonly start: Uint8Array };

/** Inflates a stream in memory, which other bytes may follow (pako). */
export function inflateInBlocks(bytes: Uint8Array, windowBits: number, maxOutput: number): Inflated {
  const stream = createInflate(windowBits);
  const parts: Uint8Array[] = [];
  let total = 0;
  stream.give(bytes);
  for (let part = stream.take(); part !== null; part = stream.take()) {
    total += part.length;
    if (total > maxOutput) return { failure: 'too-large' };
    parts.push(part);
  }
  const output = concatenate(parts);
  if (!stream.isOver) return { failure: 'damaged', damage: stream.damage ?? 'unexpected end', start: output };
  return { output, read: bytes.length - stream.left };
}

/** Inflates raw deflate, which other bytes may follow, with node:zlib where possible. */
export function inflateWhole(bytes: Uint8Array, maxOutput: number): Inflated {
  return inflateAtOnce(bytes, maxOutput) ?? inflateInBlocks(bytes, RAW_DEFLATE, maxOutput);
}

/** Inflates raw deflate to its first `length` bytes; to fewer, or none, if the data end or are damaged. */
export function inflateStart(bytes: Uint8Array, length: number): Uint8Array {
  const stream = createInflate(RAW_DEFLATE, length);
  stream.give(bytes);
  return stream.take() ?? new Uint8Array(0);
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, crc) => {
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  return crc;
});

export function crc32(bytes: Uint8Array, crc = 0): number {
  if (NATIVE_ZLIB?.crc32 !== undefined) return NATIVE_ZLIB.crc32(bytes, crc);
  crc = ~crc;
  for (const byte of bytes) crc = CRC_TABLE[(crc ^ byte) & 0xff]! ^ (crc >>> 8);
  return ~crc >>> 0;
}
