import { createHash } from 'node:crypto';
import { readSync } from 'node:fs';
import { CHUNK_OCTETS, DIGEST_OCTETS, fileError } from './format.ts';

/**
 * Reads a file from its beginning, and hashes what is consumed. Takes a little more than 1 MiB of memory. Its methods throw
 * `truncated` at the end of the file.
 */
export class Reader {
  readonly #fd: number;
  readonly #path: string;
  readonly #hash = createHash('sha256');
  readonly #buffer = new Uint8Array(CHUNK_OCTETS);
  // In the buffer, everything before `hashed` is hashed, before `from` consumed, and before `to` read.
  #hashed = 0;
  #from = 0;
  #to = 0;
  /** The position in the file of the next read. */
  #place = 0;

  constructor(fd: number, path: string) {
    this.#fd = fd;
    this.#path = path;
  }

  /** The next bytes, at most {@link CHUNK_OCTETS}, without consuming them. */
  peek(octets: number): Uint8Array {
    if (this.#to - this.#from < octets) this.#refill();
    if (this.#to - this.#from < octets) throw shrunk(this.#path);
    return this.#buffer.subarray(this.#from, this.#from + octets);
  }

  /** Consumes bytes that were peeked at. */
  skip(octets: number): void {
    this.#from += octets;
  }

  /** Consumes any number of bytes. */
  pass(octets: number): void {
    for (let left = octets; left > 0; left -= CHUNK_OCTETS) {
      const part = Math.min(left, CHUNK_OCTETS);
      this.peek(part);
      this.skip(part);
    }
  }

  /** Consumes as many bytes as an array of any length has. */
  read(target: Uint8Array): void {
    this.#hashConsumed();
    const buffered = Math.min(this.#to - this.#from, target.length);
    target.set(this.#buffer.subarray(this.#from, this.#from + buffered));
    this.#from += buffered;
    this.#hashConsumed();
    for (let at = buffered; at < target.length; at += CHUNK_OCTETS) {
      const part = target.subarray(at, at + CHUNK_OCTETS);
      if (fill(this.#fd, part, this.#place) < part.length) throw shrunk(this.#path);
      this.#place += part.length;
      this.#hash.update(part);
    }
  }

  /** Tests whether the next bytes are the hash of everything that was consumed; this must be the last call. */
  endsWithDigest(): boolean {
    const digest = this.peek(DIGEST_OCTETS);
    this.#hashConsumed();
    return Buffer.compare(this.#hash.digest(), digest) === 0;
  }

  #hashConsumed(): void {
    this.#hash.update(this.#buffer.subarray(this.#hashed, this.#from));
    this.#hashed = this.#from;
  }

  /** Moves what is left to the beginning of the buffer, and fills the rest from the file. */
  #refill(): void {
    this.#hashConsumed();
    this.#buffer.copyWithin(0, this.#from, this.#to);
    this.#to -= this.#from;
    this.#hashed = 0;
    this.#from = 0;
    const filled = fill(this.#fd, this.#buffer.subarray(this.#to), this.#place);
    this.#place += filled;
    this.#to += filled;
  }
}

/** Reads from a place in the file into all of an array, or as much as there is; returns how much. */
function fill(fd: number, target: Uint8Array, place: number): number {
  let filled = 0;
  while (filled < target.length) {
    const octets = readSync(fd, target, filled, target.length - filled, place + filled);
    if (octets === 0) break;
    filled += octets;
  }
  return filled;
}

function shrunk(path: string) {
  return fileError('truncated', path, 'the file became shorter while it was read');
}
