export interface KeyValue {
  readonly key: string;
  readonly value: Uint8Array | null;
}

export interface StoredValue extends KeyValue {
  readonly value: Uint8Array;
}

/** The first byte of the keys of documents, before all others. */
export const DOCUMENT = 'd';

export function idOf(key: string): string {
  for (let i = 1; i < key.length; i++)
    if (key.charCodeAt(i) >= 0x80) return Buffer.from(key, 'latin1').toString('utf8', 1);
  return key.slice(1);
}

export class Bytes {
  #bytes = Buffer.allocUnsafeSlow(8192);
  length = 0;

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.length++] = value;
  }

  /** Seven bits a byte, the least significant first; the high bit says that more follow. */
  number(value: number): void {
    let rest = value;
    for (; rest > 0x7f; rest = Math.floor(rest / 128)) this.byte((rest % 128) | 0x80);
    this.byte(rest);
  }

  push(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    for (let i = 0; i < bytes.length; i++) this.#bytes[this.length + i] = bytes[i]!;
    this.length += bytes.length;
  }

  text(text: string, from: number): void {
    this.#reserve(text.length - from);
    for (let i = from; i < text.length; i++) this.#bytes[this.length++] = text.charCodeAt(i);
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#bytes.length) return;
    const bytes = Buffer.allocUnsafeSlow(2 * (this.length + more));
    bytes.set(this.bytes);
    this.#bytes = bytes;
  }
}

export class SegmentBytesReader {
  bytes: Buffer;
  at = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  byte(): number {
    if (this.at >= this.bytes.length) throw new RangeError('bytes are missing');
    return this.bytes[this.at++]!;
  }

  number(): number {
    let value = 0;
    for (let factor = 1; factor < 2 ** 53; factor *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
    throw new RangeError('a number is too large');
  }

  /** Skips some bytes; returns where they begin. */
  skip(length: number): number {
    const from = this.at;
    if (from + length > this.bytes.length) throw new RangeError('bytes are missing');
    this.at = from + length;
    return from;
  }

  take(length: number): Buffer {
    return this.bytes.subarray(this.skip(length), this.at);
  }

  text(length: number): string {
    return this.bytes.toString('latin1', this.skip(length), this.at);
  }
}

export function read32(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}
