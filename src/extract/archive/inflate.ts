import { Z_BUF_ERROR, Z_NO_FLUSH, Z_OK, Z_STREAM_END, ZStream, zlibInflate, zlibInflateInit2 } from 'pako';
import { concatenate } from '../../common/octets.ts';
import { assertFunction, assertOctets, assertString } from '../../errors.ts';
import { extractionError } from '../errors.ts';
import { createInflationMeter, type ExtractionLimits, resolveLimits } from '../limits.ts';
import { assertChunks, assertZlib } from '../options.ts';
import { createReader, type Mark, type OctetReader, readerOf } from './reader.ts';

/** The parts of node:zlib that are used; other platforms have none of it. Its own types would ask users for Node's. */
export interface NativeZlib {
  inflateRawSync(octets: Uint8Array, options: object): Uint8Array;
  brotliDecompressSync(octets: Uint8Array, options: object): Uint8Array;
  /** From Node 22.15 on. */
  zstdDecompressSync?(octets: Uint8Array, options: object): Uint8Array;
  crc32(octets: Uint8Array, crc?: number): number;
}

/**
 * node:zlib, where there is one. It is asked for at run time, since a bundler for a browser cannot resolve it.
 */
export const NATIVE_ZLIB: NativeZlib | null = globalThis.process?.getBuiltinModule?.('node:zlib') ?? null;

/** How much of a stream node:zlib is tried on at once, and how much may come out then; what is larger is for pako. */
const AT_ONCE = { octets: 1 << 22, inflated: 1 << 24 };

/** Octets that pako is given at once, and that it gives. */
const BLOCK = 1 << 16;

/**
 * The most work, in octets read and made, that is spent on looking again at what a damaged member covered. It bounds
 * what a file of members within members costs.
 */
const RESCAN = 1 << 28;

/** The most magic numbers that are looked into behind damage. Chance puts one into 16 MiB. */
const PROBES = 1 << 16;

/** How far behind the start of a gzip member the first octets of its content are looked for. */
const PROBE = 1 << 12;

/** Negative for a raw stream, as zlib has it: neither header nor checksum of its own. */
const RAW = -15;

/**
 * Undoes gzip (RFC 1952). Several members, one after another, are one stream. What follows the last one and does not
 * begin as a member does is passed over, as gzip itself does.
 * @param octets - the compressed octets, all of them
 * @param limits - `inflated`
 * @throws (rejects) TypeError `wrong-type`, RangeError `out-of-range`; Error `damaged` where it is cut off or altered,
 *   `too-large`
 */
export async function gunzip(octets: Uint8Array, limits: ExtractionLimits): Promise<Uint8Array> {
  assertOctets('octets', octets);
  const all = resolveLimits(limits);
  const parts: Uint8Array[] = [];
  const atOnce = { octets: octets.length, inflated: Math.min(all.inflated, 2 ** 31 - 1) };
  const meter = createInflationMeter(all);
  for await (const part of inflateMembers(readerOf(octets), meter, NATIVE_ZLIB, atOnce)) parts.push(part);
  return concatenate(parts);
}

/**
 * Undoes gzip as {@link gunzip} does, in bounded memory.
 * @param chunks - the compressed octets, in parts of any size; each may be overwritten once the next one is asked for
 * @param meter - told of all octets that come out, before they do; throws to stop
 * @param zlib - null for pako even where there is node:zlib
 * @returns parts that are the receiver's own
 * @throws (rejects) TypeError `wrong-type`; Error `damaged`: by then all octets before the damage have come out. Whatever
 *   `chunks` and `meter` throw
 */
export async function* gunzipStream(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  meter: (octets: number) => void = () => undefined,
  zlib: NativeZlib | null = NATIVE_ZLIB,
): AsyncGenerator<Uint8Array, undefined> {
  assertChunks(chunks);
  assertFunction('meter', meter);
  assertZlib(zlib);
  const reader = createReader(chunks, 'chunks');
  try {
    yield* inflateMembers(reader, meter, zlib, AT_ONCE);
  } finally {
    await reader.close();
  }
}

/**
 * The name of a document without what says that it is compressed.
 * @param path - its name or path
 * @throws TypeError `wrong-type`
 */
export function withoutGzipSuffix(path: string): string {
  assertString('path', path);
  return path.replace(/\.(?:gz|gzip)$/i, '').replace(/\.tgz$/i, '.tar');
}

/** All members, one after another; ends at the first damage. */
async function* inflateMembers(
  reader: OctetReader,
  meter: (octets: number) => void,
  zlib: NativeZlib | null,
  atOnce: typeof AT_ONCE,
): AsyncGenerator<Uint8Array, undefined> {
  for (let isFirst = true; ; isFirst = false) {
    const start = await reader.peek(2);
    // Half a magic number at the end is a member that was cut off.
    if (!isFirst && (start[0] !== 0x1f || (start.length > 1 && start[1] !== 0x8b))) return;
    const members = inflateMember(reader, zlib, atOnce);
    for (;;) {
      const { done, value } = await members.next();
      if (done === true) {
        if (value !== null) throw extractionError('damaged', `damaged gzip: ${value.damage}`);
        break;
      }
      meter(value.length);
      yield value;
    }
  }
}

/**
 * Reads a file of gzip members and goes on behind what is damaged, at the next member whose content begins as it should.
 * @param reader - the compressed octets
 * @param begins - what the content of a member begins with, in ASCII
 * @param zlib - null for pako even where there is node:zlib
 * @returns what comes out, with a mark ahead of every member and one at every damage; zeros at the end are none
 */
export async function* gunzipResuming(
  reader: OctetReader,
  begins: string,
  zlib: NativeZlib | null = NATIVE_ZLIB,
): AsyncGenerator<Uint8Array | Mark, undefined> {
  let rescan = RESCAN;
  const probes = { left: PROBES };
  for (;;) {
    const start = await reader.peek(2);
    if (start.length === 0) return;
    if (start[0] === 0x1f && start[1] === 0x8b) {
      yield {};
      const failure = yield* inflateMember(reader, zlib, AT_ONCE);
      if (failure === null) continue;
      yield { damage: `damaged gzip: ${failure.damage}`, isBefore: failure.made > 0 };
      // The member may be cut off in front of whole ones that its data seemed to go on into: look behind its start.
      rescan -= failure.read + failure.made;
      reader.skip(rescan > 0 ? Math.min(1, failure.read) : failure.read);
    } else {
      await skipZeros(reader);
      if ((await reader.peek(1)).length === 0) return;
      yield { damage: 'octets between gzip members that belong to none' };
    }
    if (!(await seekMember(reader, begins, probes))) return;
  }
}

/** What stopped a member, the octets ahead of the reader that were read for it, and how many came out. */
interface MemberFailure {
  readonly damage: string;
  readonly read: number;
  readonly made: number;
}

const CUT_OFF = 'it ends too early';
const ALTERED = 'its checksum is wrong';

/**
 * Inflates one member. The reader is behind it then; or, when it is damaged, at its start or somewhere within it.
 * What comes out, and what is damage, is the same with node:zlib and without.
 */
async function* inflateMember(
  reader: OctetReader,
  zlib: NativeZlib | null,
  atOnce: typeof AT_ONCE,
): AsyncGenerator<Uint8Array, MemberFailure | null> {
  const head = await reader.peek(atOnce.octets);
  const start = headerLength(head);
  if (typeof start === 'string') return { damage: start, read: Math.min(head.length, 2), made: 0 };
  const whole = zlib === null ? null : inflateAtOnce(zlib, head.subarray(start), atOnce.inflated);
  if (whole !== null) {
    const end = start + whole.read;
    const checksum = updateCrc(zlib, whole.octets, 0);
    if (whole.octets.length > 0) yield whole.octets;
    return finishMember(reader, end, checksum, whole.octets.length);
  }

  const stream = createInflate(RAW);
  let read = start;
  let made = 0;
  let crc = 0;
  for (;;) {
    const block = (await reader.peek(read + BLOCK)).subarray(read);
    if (block.length === 0) return { damage: CUT_OFF, read, made };
    stream.give(block);
    for (let out = stream.take(); out !== null; out = stream.take()) {
      crc = updateCrc(zlib, out, crc);
      made += out.length;
      yield out;
    }
    if (stream.damage !== null) return { damage: stream.damage, read: read + block.length, made };
    read += block.length - stream.left;
    if (stream.isOver) return finishMember(reader, read, crc, made);
    // As long as it is affordable the reader stays at the start, so that it can be searched for members once more.
    if (read > atOnce.octets) {
      reader.skip(read);
      read = 0;
    }
  }
}

/** Checks the trailer of a member, CRC-32 and length modulo 2^32, and goes on behind it. */
async function finishMember(
  reader: OctetReader,
  end: number,
  crc: number,
  made: number,
): Promise<MemberFailure | null> {
  const trailer = (await reader.peek(end + 8)).subarray(end);
  if (trailer.length < 8) return { damage: CUT_OFF, read: end + trailer.length, made };
  const view = new DataView(trailer.buffer, trailer.byteOffset, 8);
  if (view.getUint32(0, true) !== crc >>> 0 || view.getUint32(4, true) !== made >>> 0)
    return { damage: ALTERED, read: end + 8, made };
  reader.skip(end + 8);
  return null;
}

/** The length of a member's header, or what is wrong with it. */
function headerLength(octets: Uint8Array): number | string {
  if (octets[0] !== 0x1f || (octets.length > 1 && octets[1] !== 0x8b)) return 'it does not begin as gzip does';
  if (octets.length < 10) return CUT_OFF;
  const flags = octets[3]!;
  if (octets[2] !== 8 || (flags & 0xe0) !== 0) return 'its header is wrong';
  let at = 10;
  if ((flags & 4) !== 0) at += 2 + octets[at]! + octets[at + 1]! * 256;
  for (const text of [8, 16]) {
    if ((flags & text) === 0) continue;
    at = octets.indexOf(0, at) + 1;
    if (at === 0) return CUT_OFF;
  }
  if ((flags & 2) !== 0) at += 2;
  // Not true of NaN either: the length of the extra field itself may be cut off.
  return at <= octets.length ? at : CUT_OFF;
}

/** Inflates with node:zlib what is there as a whole; null for everything else, be it damage, size or a missing end. */
function inflateAtOnce(
  zlib: NativeZlib,
  octets: Uint8Array,
  most: number,
): { readonly octets: Uint8Array; readonly read: number } | null {
  try {
    // The types know nothing of what `info` makes of the result.
    const { buffer, engine } = zlib.inflateRawSync(octets, {
      info: true,
      maxOutputLength: most,
      chunkSize: Math.min(Math.max(octets.length, 1 << 10), 1 << 15),
    }) as unknown as { buffer: Uint8Array; engine: { bytesWritten: number } };
    return { octets: new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length), read: engine.bytesWritten };
  } catch {
    // pako comes to the same end, and tells where.
    return null;
  }
}

/** An inflating stream: give it octets, then take what comes out until that is null. */
export interface Inflate {
  /** Octets of the last ones given that lie behind its end. */
  readonly left: number;
  readonly isOver: boolean;
  readonly damage: string | null;
  give(octets: Uint8Array): void;
  take(): Uint8Array | null;
}

/**
 * Makes an inflating stream.
 * @param windowBits - as zlib has it: 15 for a zlib stream, −15 for a raw one
 * @param most - octets that are taken at once
 */
export function createInflate(windowBits: number, most = BLOCK): Inflate {
  const stream = new ZStream();
  zlibInflateInit2(stream, windowBits);
  let isOver = false;
  let isHungry = true;
  let damage: string | null = null;
  return {
    get left() {
      return stream.avail_in;
    },
    get isOver() {
      return isOver;
    },
    get damage() {
      return damage;
    },
    give(octets) {
      stream.input = octets;
      stream.next_in = 0;
      stream.avail_in = octets.length;
      isHungry = false;
    },
    take() {
      if (isOver || isHungry || damage !== null) return null;
      stream.output = new Uint8Array(most);
      stream.next_out = 0;
      stream.avail_out = most;
      const status = zlibInflate(stream, Z_NO_FLUSH);
      if (status === Z_STREAM_END) isOver = true;
      else if (status !== Z_OK && status !== Z_BUF_ERROR) damage = stream.msg || 'its data are wrong';
      else isHungry = stream.avail_out > 0;
      return stream.next_out === 0 ? null : stream.output.subarray(0, stream.next_out);
    },
  };
}

/**
 * Goes on to the next member whose content begins as it should, or to the end.
 * @returns false if the search was given up
 */
async function seekMember(reader: OctetReader, begins: string, probes: { left: number }): Promise<boolean> {
  for (;;) {
    const view = await reader.peek(BLOCK + PROBE);
    if (view.length === 0) return true;
    const end = Math.min(view.length, BLOCK);
    for (let at = view.indexOf(0x1f); at >= 0 && at < end; at = view.indexOf(0x1f, at + 1)) {
      if (view[at + 1] !== 0x8b || view[at + 2] !== 8) continue;
      if (probes.left-- <= 0) return false;
      if (contentBegins(view.subarray(at, at + PROBE), begins)) {
        reader.skip(at);
        return true;
      }
    }
    reader.skip(end);
  }
}

function contentBegins(member: Uint8Array, begins: string): boolean {
  const start = headerLength(member);
  if (typeof start === 'string') return false;
  const stream = createInflate(RAW, begins.length);
  stream.give(member.subarray(start));
  const out = stream.take();
  return out !== null && String.fromCharCode(...out) === begins;
}

async function skipZeros(reader: OctetReader): Promise<void> {
  for (;;) {
    const view = await reader.peek(BLOCK);
    const end = view.findIndex((octet) => octet !== 0);
    reader.skip(end < 0 ? view.length : end);
    if (end >= 0 || view.length === 0) return;
  }
}

/** CRC-32 of one octet, for each. */
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, crc) => {
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  return crc;
});

/**
 * Goes on with a CRC-32.
 * @param crc - that of all octets before, 0 for none
 */
export function updateCrc(zlib: NativeZlib | null, octets: Uint8Array, crc: number): number {
  if (zlib !== null) return zlib.crc32(octets, crc);
  crc = ~crc;
  for (const octet of octets) crc = CRC_TABLE[(crc ^ octet) & 0xff]! ^ (crc >>> 8);
  return ~crc >>> 0;
}
