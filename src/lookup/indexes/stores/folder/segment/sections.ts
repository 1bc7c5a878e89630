import { fstatSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { damaged, faultOf, type OnFault } from '../errors.ts';

export const PAGE = 1 << 14;

const BUFFER = 1 << 18;

/** The place of a section in a file, as the footer of the file has it, and the checksums of its pages. */
export interface SectionPlace {
  readonly offset: number;
  readonly length: number;
  readonly checksums: Uint32Array;
}

export function writeAll(fd: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    const count = writeSync(fd, bytes, done, bytes.length - done, position + done);
    if (count === 0) throw Object.assign(new Error('EIO: nothing was written'), { code: 'EIO' });
    done += count;
  }
}

export class SectionWriter {
  readonly #fd: number;
  readonly #offset: number;
  readonly #buffer: Buffer;
  readonly #checksums: number[] = [];
  #filled = 0;
  #written = 0;

  /** @param length - the approximate number of bytes to come: as many are held before they are written, within bounds */
  constructor(fd: number, offset: number, length = BUFFER) {
    this.#fd = fd;
    this.#offset = offset;
    this.#buffer = Buffer.allocUnsafe(Math.max(PAGE, PAGE * Math.ceil(Math.min(BUFFER, length) / PAGE)));
  }

  get length(): number {
    return this.#written + this.#filled;
  }

  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + this.#buffer.length - this.#filled);
      this.#buffer.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled === this.#buffer.length) this.#flush();
    }
  }

  push32(value: number): void {
    this.#filled = this.#buffer.writeUInt32LE(value, this.#filled);
    if (this.#filled === this.#buffer.length) this.#flush();
  }

  push16(value: number): void {
    this.#filled = this.#buffer.writeUInt16LE(value, this.#filled);
    if (this.#filled === this.#buffer.length) this.#flush();
  }

  finish(): SectionPlace {
    this.#flush();
    return { offset: this.#offset, length: this.#written, checksums: Uint32Array.from(this.#checksums) };
  }

  #flush(): void {
    const bytes = this.#buffer.subarray(0, this.#filled);
    for (let at = 0; at < bytes.length; at += PAGE) this.#checksums.push(crc32(bytes.subarray(at, at + PAGE)));
    writeAll(this.#fd, bytes, this.#offset + this.#written);
    this.#written += this.#filled;
    this.#filled = 0;
  }
}

/** Reads a section. The checksum of a page is checked when the page is read for the first time. */
export class Section {
  readonly length: number;
  readonly #file: SectionFile;
  readonly #offset: number;
  readonly #checksums: Uint32Array;
  readonly #checked: Uint8Array;

  constructor(file: SectionFile, { offset, length, checksums }: SectionPlace) {
    this.length = length;
    this.#file = file;
    this.#offset = offset;
    this.#checksums = checksums;
    this.#checked = new Uint8Array(checksums.length);
  }

  read(target: Uint8Array, at: number, length = target.length): void {
    if (length === 0) return;
    if (at < 0 || at + length > this.length) throw damaged(this.#file.path, `bytes beyond the end of a section`);
    const last = Math.floor((at + length - 1) / PAGE);
    for (let page = Math.floor(at / PAGE); page <= last; page++) if (this.#checked[page] === 0) this.check(page);
    this.#file.read(target, this.#offset + at, length);
  }

  get pages(): number {
    return this.#checksums.length;
  }

  /** Reads up to `length` bytes, before the first page that is damaged. */
  readBeforeDamage(at: number, length: number, onFault: OnFault): Buffer {
    let end = Math.min(this.length, at + length);
    for (let page = Math.floor(at / PAGE); page * PAGE < end; page++)
      try {
        if (this.#checked[page] === 0) this.check(page);
      } catch (error) {
        onFault(faultOf(error));
        end = Math.max(at, page * PAGE);
      }
    const bytes = Buffer.allocUnsafeSlow(Math.max(0, end - at));
    this.read(bytes, at);
    return bytes;
  }

  /** Reads a page and compares its checksum, also if it was read before. */
  check(page: number): void {
    const bytes = Buffer.allocUnsafe(Math.min(PAGE, this.length - page * PAGE));
    this.#file.read(bytes, this.#offset + page * PAGE);
    if (crc32(bytes) !== this.#checksums[page]!)
      throw damaged(this.#file.path, `checksum mismatch in the bytes from ${this.#offset + page * PAGE}`);
    this.#checked[page] = 1;
  }

  readWhole(): Buffer {
    const bytes = Buffer.allocUnsafeSlow(this.length);
    this.read(bytes, 0);
    return bytes;
  }
}

export class SectionFile {
  readonly path: string;
  readonly fd: number;

  constructor(path: string, fd: number) {
    this.path = path;
    this.fd = fd;
  }

  get size(): number {
    return fstatSync(this.fd).size;
  }

  read(target: Uint8Array, position: number, length = target.length): void {
    for (let done = 0; done < length; ) {
      const count = readSync(this.fd, target, done, length - done, position + done);
      if (count === 0) throw damaged(this.path, `ends at byte ${position + done}`, 'truncated');
      done += count;
    }
  }
}
