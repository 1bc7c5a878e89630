import { hashRange } from '../../scheme/token-hash.ts';

/** A digest of 64 bits over bytes that arrive one by one, or in words: lookup3, from block to block. */
export interface Digest {
  readonly block: Uint8Array;
  filled: number;
  /** The two halves of the hash of the blocks before, which the next one is hashed with. */
  readonly hash: Uint32Array;
}

/** The number of bytes that are hashed together. */
const BLOCK = 252;

export function createDigest(): Digest {
  return { block: new Uint8Array(BLOCK), filled: 0, hash: new Uint32Array(2) };
}

export function addByte(digest: Digest, byte: number): void {
  digest.block[digest.filled++] = byte;
  if (digest.filled === BLOCK) closeBlock(digest);
}

/** Adds bytes as one word: the same bytes in other words have another digest. */
export function addWord({ hash }: Digest, bytes: Uint8Array, from: number, to: number): void {
  hashRange(bytes, from, to, hash[0]!, hash[1]!, hash);
}

/** Ends a digest, which is of nothing afterwards. Returns hexadecimal digits. */
export function closeDigest(digest: Digest): string {
  closeBlock(digest);
  return takeHash(digest.hash);
}

/** Reads two halves in hexadecimal digits, and clears them. */
export function takeHash(halves: Uint32Array): string {
  const text = `${halves[1]!.toString(16)}.${halves[0]!.toString(16)}`;
  halves.fill(0);
  return text;
}

function closeBlock(digest: Digest): void {
  addWord(digest, digest.block, 0, digest.filled);
  digest.filled = 0;
}
