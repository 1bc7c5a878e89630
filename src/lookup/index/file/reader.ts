import { createHash } from 'node:crypto';
import { readSync } from 'node:fs';
import { CHUNK_OCTETS, DIGEST_OCTETS, fileError } from './format.ts';

/** Reads a file from its beginning, and hashes what is consumed. */
export interface Reader {
  /** The next octets, at most {@link CHUNK_OCTETS}, without consuming them. */
  peek(octets: number): Uint8Array;
  skip(octets: number): void;
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
      to += fill(fd, buffer.subarray(to));
      if (to < octets) throw shrunk(path);
    }
    return buffer.subarray(from, from + octets);
  }

  return {
    peek,
    skip(octets) {
      from += octets;
    },
    read(target) {
      hashConsumed();
      const buffered = Math.min(to - from, target.length);
      target.set(buffer.subarray(from, from + buffered));
      from += buffered;
      hashConsumed();
      for (let at = buffered; at < target.length; at += CHUNK_OCTETS) {
        const part = target.subarray(at, at + CHUNK_OCTETS);
        if (fill(fd, part) < part.length) throw shrunk(path);
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

/** Reads into all of an array, or as much as there is; returns how much. */
function fill(fd: number, target: Uint8Array): number {
  let filled = 0;
  while (filled < target.length) {
    const octets = readSync(fd, target, filled, target.length - filled, null);
    if (octets === 0) break;
    filled += octets;
  }
  return filled;
}

function shrunk(path: string) {
  return fileError('truncated', path, 'the file became shorter while it was read');
}
