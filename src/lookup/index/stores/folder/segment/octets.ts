/** A record: `null` if it was removed. */
export interface KeyValue {
  readonly key: string;
  readonly value: Uint8Array | null;
}

/** The first byte of the keys of documents, before all others. */
export const DOCUMENT = 'd';

/** Bytes that grow. */
export class Octets {
  #octets = Buffer.allocUnsafeSlow(8192);
  length = 0;

  get bytes(): Buffer {
    return this.#octets.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
  }

  octet(value: number): void {
    this.#reserve(1);
    this.#octets[this.length++] = value;
  }

  /** Seven bits a byte, the least significant first; the high bit says that more follow. */
  number(value: number): void {
    let rest = value;
    for (; rest > 0x7f; rest = Math.floor(rest / 128)) this.octet((rest % 128) | 0x80);
    this.octet(rest);
  }

  push(octets: Uint8Array): void {
    this.#reserve(octets.length);
    for (let i = 0; i < octets.length; i++) this.#octets[this.length + i] = octets[i]!;
    this.length += octets.length;
  }

  /** The bytes of a string from a place on. */
  text(text: string, from: number): void {
    this.#reserve(text.length - from);
    for (let i = from; i < text.length; i++) this.#octets[this.length++] = text.charCodeAt(i);
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#octets.length) return;
    const octets = Buffer.allocUnsafeSlow(2 * (this.length + more));
    octets.set(this.bytes);
    this.#octets = octets;
  }
}

/** Reads bytes one after the other. */
export class OctetReader {
  readonly octets: Buffer;
  at = 0;

  constructor(octets: Buffer) {
    this.octets = octets;
  }

  octet(): number {
    if (this.at >= this.octets.length) throw new RangeError('bytes are missing');
    return this.octets[this.at++]!;
  }

  number(): number {
    let value = 0;
    for (let factor = 1; factor < 2 ** 53; factor *= 128) {
      const octet = this.octet();
      value += (octet & 0x7f) * factor;
      if (octet < 0x80) return value;
    }
    throw new RangeError('a number is too large');
  }

  take(length: number): Buffer {
    if (this.at + length > this.octets.length) throw new RangeError('bytes are missing');
    this.at += length;
    return this.octets.subarray(this.at - length, this.at);
  }

  text(length: number): string {
    if (this.at + length > this.octets.length) throw new RangeError('bytes are missing');
    this.at += length;
    return this.octets.toString('latin1', this.at - length, this.at);
  }
}

/** Reads 32 bits in network byte order. */
export function read32(octets: Uint8Array, at: number): number {
  return ((octets[at]! << 24) | (octets[at + 1]! << 16) | (octets[at + 2]! << 8) | octets[at + 3]!) >>> 0;
}
