import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { ByteReader, Bytes } from './segment/bytes.ts';
import { damaged, faultOf, type OnFault } from './segment/damage.ts';
import { OpenFile, writeAll } from './segment/sections.ts';

/*
 * The log has what was committed since the last segment, one or more frames for each transaction: the length of a frame and its
 * checksum (4 bytes each, little-endian), then the number of documents after the transaction and some of its changes. Damage costs a
 * frame, not the transaction.
 */

/** Changes of one transaction by key; `null` for a record that is gone. */
export type Changes = ReadonlyMap<string, Uint8Array | null>;

const HEADER = 8;

/** The bit in the length of a frame that is not the last one of its transaction. */
const CONTINUED = 0x80000000;

/** The number of bytes from which on a frame takes no further change. */
const FRAME = 1 << 14;

export type OnTransaction = (changes: Changes, count: number) => void;

/** A log that is read, and perhaps written. */
export class Log {
  readonly #file: OpenFile;
  readonly #isWritable: boolean;
  readonly #header = Buffer.allocUnsafe(HEADER);
  /** The position of the next frame. */
  #end = 0;

  constructor(path: string, isWritable: boolean) {
    this.#file = new OpenFile(path, openSync(path, isWritable ? 'r+' : 'r'));
    this.#isWritable = isWritable;
  }

  /** The length of all frames in bytes. */
  get length(): number {
    return this.#end;
  }

  /**
   * Reads the transactions that were added since; one that is not complete was not acknowledged. The `sound` bytes that
   * the log had when it was closed must all be frames.
   */
  readNew(sound: number, on: OnTransaction): void {
    const { size } = fstatSync(this.#file.fd);
    let at = this.#end;
    let frames: Buffer[] = [];
    for (let frame = this.#frameAt(at, size); frame !== null; frame = this.#frameAt(at, size)) {
      frames.push(frame.content);
      at += HEADER + frame.content.length;
      if (!frame.isLast) continue;
      this.#read(frames, on);
      this.#end = at;
      frames = [];
    }
    if (this.#end < sound) throw damaged(this.#file.path, `the transaction at byte ${this.#end} is damaged`);
  }

  /**
   * Reads all readable frames of the log, whose length is that when it was closed, if known. Searches for the next
   * frame after each damaged one.
   */
  salvage(length: number | undefined, on: OnTransaction, onFault: OnFault): void {
    const all = Buffer.allocUnsafeSlow(fstatSync(this.#file.fd).size);
    const sound = length ?? all.length;
    this.#file.read(all, 0);
    // Looking for a frame takes a checksum of each byte a few times at most.
    let left = 64 * all.length;
    let frames: Buffer[] = [];
    const readFrames = (): void => {
      try {
        if (frames.length > 0) this.#read(frames, on);
      } catch (error) {
        onFault(faultOf(error));
      }
      frames = [];
    };
    for (let at = 0; at + HEADER < all.length && left > 0; ) {
      const { length, isLast } = headerOf(all, at);
      const content = all.subarray(at + HEADER, at + HEADER + length);
      if (length > 0 && content.length === length) left -= length;
      if (length === 0 || content.length < length || crc32(content) !== all.readUInt32LE(at + 4)) {
        at++;
        continue;
      }
      if (at > this.#end) {
        onFault(`${this.#file.path}: bytes ${this.#end} to ${at} are damaged`);
        // The transaction before was committed, as others follow.
        readFrames();
      }
      frames.push(content);
      at += HEADER + length;
      this.#end = at;
      if (isLast) readFrames();
    }
    // What follows was not acknowledged.
    if (this.#end < sound) onFault(`${this.#file.path}: bytes ${this.#end} to ${sound} are damaged`);
    if (this.#end <= sound) readFrames();
  }

  /** Reads the frame at a position; null if there is none. */
  #frameAt(at: number, size: number): { readonly content: Buffer; readonly isLast: boolean } | null {
    if (at + HEADER > size) return null;
    this.#file.read(this.#header, at);
    const { length, isLast } = headerOf(this.#header, 0);
    if (length === 0 || at + HEADER + length > size) return null;
    const content = Buffer.allocUnsafeSlow(length);
    this.#file.read(content, at + HEADER);
    return crc32(content) === this.#header.readUInt32LE(4) ? { content, isLast } : null;
  }

  #read(frames: readonly Buffer[], on: OnTransaction): void {
    const changes = new Map<string, Uint8Array | null>();
    let count = 0;
    try {
      for (const content of frames) {
        const reader = new ByteReader(content);
        count = reader.number();
        while (reader.at < content.length) {
          const key = reader.text(reader.number());
          const length = reader.number() - 1;
          changes.set(key, length < 0 ? null : reader.take(length));
        }
      }
      on(changes, count);
    } catch {
      throw damaged(this.#file.path, `the transaction at byte ${this.#end} is not one`);
    }
  }

  /** Cuts off the bytes of a transaction that was not acknowledged. */
  trim(): void {
    if (this.#isWritable && fstatSync(this.#file.fd).size > this.#end) ftruncateSync(this.#file.fd, this.#end);
  }

  /** Adds a transaction; it is on the disk when this returns. */
  append(changes: Changes, count: number): void {
    const frames: Buffer[] = [];
    let bytes = startFrame(count);
    for (const [key, value] of changes) {
      if (bytes.length >= FRAME) {
        frames.push(endFrame(bytes, CONTINUED));
        bytes = startFrame(count);
      }
      bytes.number(key.length);
      bytes.text(key, 0);
      bytes.number(value === null ? 0 : value.length + 1);
      if (value !== null) bytes.push(value);
    }
    frames.push(endFrame(bytes, 0));
    const all = Buffer.concat(frames);
    try {
      writeAll(this.#file.fd, all, this.#end);
      fdatasyncSync(this.#file.fd);
    } catch (error) {
      this.trim();
      throw error;
    }
    this.#end += all.length;
  }

  close(): void {
    closeSync(this.#file.fd);
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

/** Fills in the header of a frame. */
function endFrame(bytes: Bytes, flag: number): Buffer {
  const frame = Buffer.from(bytes.bytes);
  frame.writeUInt32LE(frame.length - HEADER + flag, 0);
  frame.writeUInt32LE(crc32(frame.subarray(HEADER)), 4);
  return frame;
}
