import { readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { damaged, faultOf, type OnFault } from '../folder-errors.ts';

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

export type SectionWriter = ReturnType<typeof createSectionWriter>;

/** @param length - the approximate number of bytes to come: as many are held before they are written, within bounds */
export function createSectionWriter(fd: number, offset: number, length = BUFFER) {
  const buffer = Buffer.allocUnsafe(Math.max(PAGE, PAGE * Math.ceil(Math.min(BUFFER, length) / PAGE)));
  const checksums: number[] = [];
  let [filled, written] = [0, 0];
  const flush = (): void => {
    const bytes = buffer.subarray(0, filled);
    for (let at = 0; at < bytes.length; at += PAGE) checksums.push(crc32(bytes.subarray(at, at + PAGE)));
    writeAll(fd, bytes, offset + written);
    written += filled;
    filled = 0;
  };
  return {
    push(bytes: Uint8Array): void {
      for (let at = 0; at < bytes.length; ) {
        const part = bytes.subarray(at, at + buffer.length - filled);
        buffer.set(part, filled);
        filled += part.length;
        at += part.length;
        if (filled === buffer.length) flush();
      }
    },
    push32(value: number): void {
      filled = buffer.writeUInt32LE(value, filled);
      if (filled === buffer.length) flush();
    },
    push16(value: number): void {
      filled = buffer.writeUInt16LE(value, filled);
      if (filled === buffer.length) flush();
    },
    finish(): SectionPlace {
      flush();
      return { offset, length: written, checksums: Uint32Array.from(checksums) };
    },
  };
}

export interface SectionFile {
  readonly path: string;
  readonly fd: number;
}

export function readFile(
  { path, fd }: SectionFile,
  target: Uint8Array,
  position: number,
  length = target.length,
): void {
  for (let done = 0; done < length; ) {
    const count = readSync(fd, target, done, length - done, position + done);
    if (count === 0) throw damaged(path, `ends at byte ${position + done}`, 'truncated');
    done += count;
  }
}

export type Section = ReturnType<typeof openSection>;

/** Reads a section. The checksum of a page is checked when the page is read for the first time. */
export function openSection(file: SectionFile, { offset, length: size, checksums }: SectionPlace) {
  const checked = new Uint8Array(checksums.length);
  /** Reads a page and compares its checksum, also if it was read before. */
  const check = (page: number): void => {
    const bytes = Buffer.allocUnsafe(Math.min(PAGE, size - page * PAGE));
    readFile(file, bytes, offset + page * PAGE);
    if (crc32(bytes) !== checksums[page]!)
      throw damaged(file.path, `checksum mismatch in the bytes from ${offset + page * PAGE}`);
    checked[page] = 1;
  };
  const read = (target: Uint8Array, at: number, length = target.length): void => {
    if (length === 0) return;
    if (at < 0 || at + length > size) throw damaged(file.path, 'bytes beyond the end of a section');
    const last = Math.floor((at + length - 1) / PAGE);
    for (let page = Math.floor(at / PAGE); page <= last; page++) if (checked[page] === 0) check(page);
    readFile(file, target, offset + at, length);
  };
  return {
    length: size,
    pages: checksums.length,
    check,
    read,
    /** Reads up to `length` bytes, before the first page that is damaged. */
    readBeforeDamage(at: number, length: number, onFault: OnFault): Buffer {
      let end = Math.min(size, at + length);
      for (let page = Math.floor(at / PAGE); page * PAGE < end; page++)
        try {
          if (checked[page] === 0) check(page);
        } catch (error) {
          onFault(faultOf(error));
          end = Math.max(at, page * PAGE);
        }
      const bytes = Buffer.allocUnsafeSlow(Math.max(0, end - at));
      read(bytes, at);
      return bytes;
    },
    readWhole(): Buffer {
      const bytes = Buffer.allocUnsafeSlow(size);
      read(bytes, 0);
      return bytes;
    },
  };
}
