import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { attempt, damaged, faultOf, type OnFault } from './folder-errors.ts';
import { Bytes, SegmentBytesReader } from './segment/segment-bytes.ts';
import { readFile, writeAll } from './segment/segment-sections.ts';

/*
 * The log has what was committed since the last segment, one or more frames for each transaction: the length of a frame and its
 * checksum (4 bytes each, little-endian), then the number of documents after the transaction and some of its changes. Damage costs a
 * frame, not the transaction. Transactions reach the disk one by one, the last frame of one after its others, and a seal (a frame
 * without changes, over which the next transaction is written) after that: an unreadable frame was not committed unless a last frame
 * or a seal follows.
 */

export type Changes = ReadonlyMap<string, Uint8Array | null>;

const HEADER = 8;

/** The bit in the length of a frame that is not the last one of its transaction. */
const CONTINUED = 0x80000000;

/** The number of bytes from which on a frame takes no further change. */
const FRAME = 1 << 14;

/** The length up to which a frame is searched for at every byte. A seal is much shorter. */
const NEAR = 1 << 16;

type OnTransaction = (changes: Changes, count: number) => void;

interface Frame {
  readonly at: number;
  readonly content: Buffer;
  readonly isLast: boolean;
}

export type Log = ReturnType<typeof openLog>;

export function openLog(path: string, isWritable: boolean) {
  const fd = openSync(path, isWritable ? 'r+' : 'r');
  const header = Buffer.allocUnsafe(HEADER);
  let end = 0;
  let checksum = 0;
  let count = 0;
  /** The position after the seal, if there is one. */
  let sealEnd = 0;
  /** The length with which the bytes after the last transaction were found to be no damage. */
  let judged = -1;
  let isUncertain = false;

  const sizeOf = (): number => fstatSync(fd).size;
  const bytesAt = (from: number, to: number): Buffer => {
    const bytes = Buffer.allocUnsafeSlow(to - from);
    readFile({ path, fd }, bytes, from);
    return bytes;
  };

  const frameAt = (at: number, size: number): Omit<Frame, 'at'> | null => {
    if (at + HEADER > size) return null;
    readFile({ path, fd }, header, at);
    const { length, isLast } = headerOf(header, 0);
    if (length === 0 || at + HEADER + length > size) return null;
    const content = bytesAt(at + HEADER, at + HEADER + length);
    return crc32(content) === header.readUInt32LE(4) ? { content, isLast } : null;
  };

  /** Reads a transaction; returns false for a seal, which has no changes. */
  const readTransaction = (frames: readonly Buffer[], on: OnTransaction): boolean => {
    const changes = new Map<string, Uint8Array | null>();
    let documents = 0;
    try {
      for (const content of frames) {
        const reader = new SegmentBytesReader(content);
        documents = reader.number();
        while (reader.at < content.length) {
          const key = reader.text(reader.number());
          const length = reader.number() - 1;
          changes.set(key, length < 0 ? null : reader.take(length));
        }
      }
    } catch {
      throw damaged(path, `the transaction at byte ${end} is not one`);
    }
    if (changes.size === 0) return false;
    on(changes, documents);
    count = documents;
    return true;
  };

  const readFrames = (size: number, sound: number, expected: number, on: OnTransaction): number => {
    let at = end;
    let frames: Buffer[] = [];
    for (let frame = frameAt(at, size); frame !== null; frame = frameAt(at, size)) {
      frames.push(frame.content);
      at += HEADER + frame.content.length;
      if (!frame.isLast) continue;
      // The next transaction is written over a seal.
      if (!readTransaction(frames, on)) sealEnd = at;
      else {
        checksum = crc32(bytesAt(end, at), checksum);
        end = at;
        if (at === sound && expected !== checksum) throw damaged(path, 'it is not the log that the manifest lists');
      }
      frames = [];
    }
    return at;
  };

  const isFollowed = (at: number, size: number): boolean => {
    for (const { isLast } of framesIn(bytesAt(at, size), 1)) if (isLast) return true;
    return false;
  };

  const seal = (): void => {
    if (end > 0) attempt(() => writeAll(fd, endFrame(startFrame(count), 0), end));
  };

  return {
    get length(): number {
      return end;
    },
    get checksum(): number {
      return checksum;
    },
    /** True if a transaction that failed may be in the file. */
    get isUncertain(): boolean {
      return isUncertain;
    },
    /**
     * Reads the transactions that were added since; one that is not complete was not acknowledged. The `sound` bytes that
     * the log had when it was closed must all be there. Throws `damaged` if a frame is unreadable although a transaction
     * ends after it: the last frame of one is written when all before it is on the disk.
     */
    readNew(sound: number, expected: number, on: OnTransaction): void {
      for (let last = -1; ; ) {
        const size = sizeOf();
        const at = readFrames(size, sound, expected, on);
        if (at === size || size === judged || !isFollowed(at, size)) {
          judged = size;
          break;
        }
        // A writer may have added the rest since: then the frame is readable now.
        if (at === last) throw damaged(path, `the frame at byte ${at} is damaged, and others follow`);
        last = at;
      }
      if (end < sound) throw damaged(path, `the transaction at byte ${end} is damaged`);
    },
    check(): void {
      if (crc32(bytesAt(0, end)) !== checksum) throw damaged(path, 'checksum mismatch');
    },
    /** Reads all readable frames, up to the last complete transaction or the length that the log had when it was closed. */
    salvage(sound: number, expected: number, on: OnTransaction, onFault: OnFault): void {
      const all = bytesAt(0, sizeOf());
      const found = [...framesIn(all)];
      const last = found.findLast(({ isLast }) => isLast);
      const committed = Math.max(sound, last === undefined ? 0 : last.at + 1);
      let isWhole = true;
      let frames: Buffer[] = [];
      const report = (fault: string): void => {
        isWhole = false;
        onFault(fault);
      };
      const finish = (): void => {
        try {
          if (frames.length > 0) readTransaction(frames, on);
        } catch (error) {
          report(faultOf(error));
        }
        frames = [];
      };
      for (const { at, content, isLast } of found) {
        if (at >= committed) break;
        if (at > end) {
          report(`${path}: bytes ${end} to ${at} are damaged`);
          // The transaction before was committed, as others follow.
          finish();
        }
        frames.push(content);
        end = at + HEADER + content.length;
        if (isLast) finish();
      }
      finish();
      if (end < sound) report(`${path}: bytes ${end} to ${sound} are damaged`);
      if (isWhole && crc32(all.subarray(0, sound)) !== expected)
        report(`${path}: it is not the log that the manifest lists`);
    },
    /** Makes sure, as a new writer, that what was read stays: cuts off what was not acknowledged, and seals the rest. */
    secure(sound: number): void {
      const kept = Math.max(end, sealEnd);
      if (sizeOf() > kept) ftruncateSync(fd, kept);
      if (end === sound) return;
      fdatasyncSync(fd);
      seal();
    },
    /**
     * Adds a transaction; it is on the disk when this returns. The pages of a write may reach the disk in any order, so its last
     * frame is written when the others are there. After a failure, the file is as it was, or `isUncertain` is set.
     */
    append(changes: Changes, documents: number): void {
      const frames: Buffer[] = [];
      let bytes = startFrame(documents);
      for (const [key, value] of changes) {
        if (bytes.length >= FRAME) {
          frames.push(endFrame(bytes, CONTINUED));
          bytes = startFrame(documents);
        }
        bytes.number(key.length);
        bytes.text(key, 0);
        bytes.number(value === null ? 0 : value.length + 1);
        if (value !== null) bytes.push(value);
      }
      const parts = [Buffer.concat(frames), endFrame(bytes, 0)].filter(({ length }) => length > 0);
      let at = end;
      try {
        for (const part of parts) {
          writeAll(fd, part, at);
          fdatasyncSync(fd);
          at += part.length;
        }
      } catch (error) {
        isUncertain = !attempt(() => {
          ftruncateSync(fd, end);
          fdatasyncSync(fd);
        });
        if (!isUncertain) seal();
        throw error;
      }
      for (const part of parts) checksum = crc32(part, checksum);
      end = at;
      count = documents;
      seal();
    },
    unseal: () => void attempt(() => ftruncateSync(fd, end)),
    close: () => void attempt(() => closeSync(fd)),
  };
}

/**
 * Finds the frames among bytes, also after damaged ones. The time is linear: a short frame is rarely where there is none, and
 * for longer ones each byte is read a few times at most.
 */
function* framesIn(all: Buffer, from = 0): Generator<Frame, void> {
  let left = 64 * all.length;
  for (let at = from; at + HEADER < all.length; ) {
    const { length, isLast } = headerOf(all, at);
    const end = at + HEADER + length;
    const isTried = length > 0 && end <= all.length && (length <= NEAR || left > 0);
    if (isTried && length > NEAR) left -= length;
    const content = isTried ? all.subarray(at + HEADER, end) : undefined;
    if (content !== undefined && crc32(content) === all.readUInt32LE(at + 4)) {
      yield { at, content, isLast };
      at = end;
    } else at++;
  }
}

function headerOf(bytes: Buffer, at: number): { readonly length: number; readonly isLast: boolean } {
  const length = bytes.readUInt32LE(at);
  return length < CONTINUED ? { length, isLast: true } : { length: length - CONTINUED, isLast: false };
}

function startFrame(count: number): Bytes {
  const bytes = new Bytes();
  bytes.push(Buffer.alloc(HEADER));
  bytes.number(count);
  return bytes;
}

function endFrame(bytes: Bytes, flag: number): Buffer {
  const frame = Buffer.from(bytes.bytes);
  frame.writeUInt32LE(frame.length - HEADER + flag, 0);
  frame.writeUInt32LE(crc32(frame.subarray(HEADER)), 4);
  return frame;
}
