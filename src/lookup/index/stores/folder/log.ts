import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { damaged, faultOf, type OnFault } from './segment/damage.ts';
import { OctetReader, Octets } from './segment/records.ts';
import { OpenFile, writeAll } from './segment/sections.ts';

/*
 * The log has what was committed since the last segment, a frame for each transaction: its length and its checksum (4 bytes
 * each, little-endian), then the number of documents after it and its changes.
 */

/** Changes of one transaction by key; `null` for a record that is gone. */
export type Changes = ReadonlyMap<string, Uint8Array | null>;

const HEADER = 8;

/** Called for each transaction. */
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
   * Reads the transactions that were added since. A frame that is not complete was not acknowledged.
   * @param sound - bytes that the log had when it was closed, all of which are frames
   */
  readNew(sound: number, on: OnTransaction): void {
    const { size } = fstatSync(this.#file.fd);
    for (let octets = this.#frameAt(this.#end, size); octets !== null; octets = this.#frameAt(this.#end, size)) {
      this.#read(octets, on);
      this.#end += HEADER + octets.length;
    }
    if (this.#end < sound) throw damaged(this.#file.path, `the transaction at byte ${this.#end} is damaged`);
  }

  /** Reads all transactions that can be read, and looks for the next one behind each that cannot. */
  salvage(sound: number, on: OnTransaction, onFault: OnFault): void {
    const all = Buffer.allocUnsafeSlow(fstatSync(this.#file.fd).size);
    this.#file.read(all, 0);
    // Looking for a frame takes a checksum of each byte a few times at most.
    let left = 64 * all.length;
    for (let at = 0; at + HEADER < all.length && left > 0; ) {
      const length = all.readUInt32LE(at);
      const frame = all.subarray(at + HEADER, at + HEADER + length);
      if (length > 0 && frame.length === length) left -= length;
      if (length === 0 || frame.length < length || crc32(frame) !== all.readUInt32LE(at + 4)) {
        at++;
        continue;
      }
      if (at > this.#end) onFault(`${this.#file.path}: bytes ${this.#end} to ${at} are damaged`);
      try {
        this.#read(frame, on);
      } catch (error) {
        onFault(faultOf(error));
      }
      at += HEADER + length;
      this.#end = at;
    }
    // What follows was not acknowledged.
    if (this.#end < sound) onFault(`${this.#file.path}: bytes ${this.#end} to ${sound} are damaged`);
  }

  /** Reads the content of the frame at a position; null if there is none. */
  #frameAt(at: number, size: number): Buffer | null {
    if (at + HEADER > size) return null;
    this.#file.read(this.#header, at);
    const length = this.#header.readUInt32LE(0);
    if (length === 0 || at + HEADER + length > size) return null;
    const octets = Buffer.allocUnsafeSlow(length);
    this.#file.read(octets, at + HEADER);
    return crc32(octets) === this.#header.readUInt32LE(4) ? octets : null;
  }

  #read(octets: Buffer, on: OnTransaction): void {
    const reader = new OctetReader(octets);
    const changes = new Map<string, Uint8Array | null>();
    try {
      const count = reader.number();
      while (reader.at < octets.length) {
        const key = reader.text(reader.number());
        const length = reader.number() - 1;
        changes.set(key, length < 0 ? null : reader.take(length));
      }
      on(changes, count);
    } catch {
      throw damaged(this.#file.path, `the transaction at byte ${this.#end} is not one`);
    }
  }

  /** Cuts off what was not acknowledged. */
  trim(): void {
    if (this.#isWritable && fstatSync(this.#file.fd).size > this.#end) ftruncateSync(this.#file.fd, this.#end);
  }

  /** Adds a transaction; it is on the disk when this returns. */
  append(changes: Changes, count: number): void {
    const octets = new Octets();
    octets.push(Buffer.alloc(HEADER));
    octets.number(count);
    for (const [key, value] of changes) {
      octets.number(key.length);
      octets.text(key, 0);
      octets.number(value === null ? 0 : value.length + 1);
      if (value !== null) octets.push(value);
    }
    const frame = octets.bytes;
    frame.writeUInt32LE(frame.length - HEADER, 0);
    frame.writeUInt32LE(crc32(frame.subarray(HEADER)), 4);
    try {
      writeAll(this.#file.fd, frame, this.#end);
      fdatasyncSync(this.#file.fd);
    } catch (error) {
      this.trim();
      throw error;
    }
    this.#end += frame.length;
  }

  close(): void {
    closeSync(this.#file.fd);
  }
}
