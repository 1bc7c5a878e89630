import { deflate as compress } from 'pako';

/**
 * Compresses bytes to a zlib stream (RFC 1950): the same on every platform, whose own compressors differ.
 * @param octets - what to compress
 */
export function deflate(octets: Uint8Array): Uint8Array {
  return compress(octets, { level: 9 });
}
