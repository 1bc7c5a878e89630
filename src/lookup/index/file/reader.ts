import { createHash } from 'node:crypto';
import { readSync } from 'node:fs';
import { CHUNK_OCTETS, DIGEST_OCTETS, fileError } from './format.ts';

/** Reads a file from its beginning, and hashes what is consumed. */
export interface Reader {
  /** The next octets, at most {@link CHUNK_OCTETS}, without consuming them. */
  peek(octets: number): Uint8Array;
  skip(octets: number): void;
  /** Consumes any number of octets. */
  pass(octets: number): void;
  /** Consumes as many octets as an array of any length has. */
  read(target: Uint8Array): void;
  /** Whether the next octets are the hash of everything that was consumed; this must be the last call. */
  endsWithDigest(): boolean;
}

/**
 * Makes a {@link Reader}, which takes a little more than 1 MiB of memory. Its functions throw `truncated` at the end of the
 * file.
 */
export function createReader(fd: number, path: string): Reader {
  const hash = createHash('sha256');
  const buffer = new Uint8Array(CHUNK_OCTETS);
  // Of the buffer, everything before `hashed` is hashed, before `from` consumed, and before `to` read.
  let hashed = 0;
  let from = 0;
  let to = 0;
  /** Where in the file the next octets are read. */
  let place = 0;

  function hashConsumed(): void {
    hash.update(buffer.subarray(hashed, from));
    hashed = from;
  }

  function peek(octets: number): Uint8Array {
    if (to - from < octets) {
      hashConsumed();
      buffer.copyWithin(0, from, to);
      to -= from;
      hashed = 0;
      from = 0;
      const filled = fill(fd, buffer.subarray(to), place);
      place += filled;
      to += filled;
      if (to < octets) throw shrunk(path);
    }
    return buffer.subarray(from, from + octets);
  }

  return {
    peek,
    skip(octets) {
      from += octets;
    },
    pass(octets) {
      for (let left = octets; left > 0; left -= CHUNK_OCTETS) {
        peek(Math.min(left, CHUNK_OCTETS));
        from += Math.min(left, CHUNK_OCTETS);
      }
    },
    read(target) {
      hashConsumed();
      const buffered = Math.min(to - from, target.length);
      target.set(buffer.subarray(from, from + buffered));
      from += buffered;
      hashConsumed();
      for (let at = buffered; at < target.length; at += CHUNK_OCTETS) {
        const part = target.subarray(at, at + CHUNK_OCTETS);
        if (fill(fd, part, place) < part.length) throw shrunk(path);
        place += part.length;
        hash.update(part);
      }
    },
    endsWithDigest() {
      const digest = peek(DIGEST_OCTETS);
      hashConsumed();
      return Buffer.compare(hash.digest(), digest) === 0;
    },
  };
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
