import type { ByteReader } from './byte-reader.ts';
import { crc32, createInflate, inflateAtOnce, RAW_DEFLATE } from './zlib.ts';

/** The maximum number of bytes that node:zlib takes and returns in one call; pako inflates larger members in parts. */
export interface AtOnce {
  readonly bytes: number;
  readonly inflated: number;
}

export const SMALL: AtOnce = { bytes: 1 << 22, inflated: 1 << 24 };

const BLOCK = 1 << 16;

/** The reason why a member ended early, the number of bytes read for it, and the number of bytes that it decompressed to. */
interface MemberFailure {
  readonly damage: string;
  readonly read: number;
  readonly made: number;
}

const CUT_OFF = 'unexpected end';
const ALTERED = 'checksum mismatch';

/** Inflates the member at the reader and skips it, or returns why it ended early: the reader is then still in it. */
export async function* inflateMember(
  reader: ByteReader,
  atOnce: AtOnce,
): AsyncGenerator<Uint8Array, MemberFailure | null> {
  const head = await reader.peek(atOnce.bytes);
  const start = headerLength(head);
  if (typeof start === 'string') return { damage: start, read: Math.min(head.length, 2), made: 0 };
  const whole = inflateAtOnce(head.subarray(start), atOnce.inflated);
  if (whole !== null) {
    const end = start + whole.read;
    const { output } = whole;
    const checksum = crc32(output);
    if (output.length > 0) yield output;
    return finishMember(reader, end, checksum, output.length);
  }

  const stream = createInflate(RAW_DEFLATE);
  let read = start;
  let made = 0;
  let crc = 0;
  for (;;) {
    const block = (await reader.peek(read + BLOCK)).subarray(read);
    if (block.length === 0) return { damage: CUT_OFF, read, made };
    stream.give(block);
    for (let out = stream.take(); out !== null; out = stream.take()) {
      crc = crc32(out, crc);
      made += out.length;
      yield out;
    }
    if (stream.damage !== null) return { damage: stream.damage, read: read + block.length, made };
    read += block.length - stream.left;
    if (stream.isOver) return finishMember(reader, read, crc, made);
    // As long as it is affordable the reader stays at the start, so that it can be searched for members once more.
    if (read > atOnce.bytes) {
      reader.skip(read);
      read = 0;
    }
  }
}

async function finishMember(reader: ByteReader, end: number, crc: number, made: number): Promise<MemberFailure | null> {
  const trailer = (await reader.peek(end + 8)).subarray(end);
  if (trailer.length < 8) return { damage: CUT_OFF, read: end + trailer.length, made };
  const view = new DataView(trailer.buffer, trailer.byteOffset, 8);
  if (view.getUint32(0, true) !== crc >>> 0 || view.getUint32(4, true) !== made >>> 0)
    return { damage: ALTERED, read: end + 8, made };
  reader.skip(end + 8);
  return null;
}

/** Returns the length of a member's header, or what is wrong with it. */
export function headerLength(bytes: Uint8Array): number | string {
  if (bytes[0] !== 0x1f || (bytes.length > 1 && bytes[1] !== 0x8b)) return 'no gzip header';
  if (bytes.length < 10) return CUT_OFF;
  const flags = bytes[3]!;
  if (bytes[2] !== 8 || (flags & 0xe0) !== 0) return 'invalid header';
  let at = 10;
  if ((flags & 4) !== 0) at += 2 + bytes[at]! + bytes[at + 1]! * 256;
  for (const text of [8, 16]) {
    if ((flags & text) === 0) continue;
    at = bytes.indexOf(0, at) + 1;
    if (at === 0) return CUT_OFF;
  }
  if ((flags & 2) !== 0) at += 2;
  // Not true of NaN either: the length of the extra field itself may be cut off.
  return at <= bytes.length ? at : CUT_OFF;
}
