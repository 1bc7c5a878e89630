import { deflate as compress } from 'pako';

/** Compresses bytes to a zlib stream (RFC 1950): the same on every platform, whose own compressors differ. */
export function deflate(bytes: Uint8Array): Uint8Array {
  return compress(bytes, { level: 9 });
}
