import type { FileHandle } from 'node:fs/promises';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as zlib from 'node:zlib';
import { documentError } from '../../documents/failure.ts';

/** Node has it from 22.15 on, but only later versions read files of several frames. */
const { createZstdCompress } = zlib as { createZstdCompress?: () => Transform };

/** Chooses the compression by the name, `.gz` or `.zst`; null for others. Throws `missing-package` without Zstandard. */
export function compressionOf(path: string): (() => Transform) | null {
  if (/\.(?:gz|gzip)$/i.test(path)) return () => zlib.createGzip();
  if (!/\.(?:zst|zstd)$/i.test(path)) return null;
  if (createZstdCompress === undefined)
    throw documentError('missing-package', 'writing Zstandard needs Node 22.15 or later: use .gz');
  return createZstdCompress;
}

/** Writes bytes, which are valid until it resolves. */
export type WritePart = (part: Uint8Array) => Promise<void>;

export function createWriter(file: FileHandle): WritePart {
  return async (part) => {
    for (let at = 0; at < part.length; ) at += (await file.write(part, at)).bytesWritten;
  };
}

/** Writes bytes, compressed or not. Parts are valid until the next one is requested. */
export async function writeAll(
  bytes: AsyncIterable<Uint8Array>,
  writePart: WritePart,
  compression: (() => Transform) | null,
): Promise<void> {
  async function write(parts: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const part of parts) await writePart(part);
  }
  if (compression === null) await write(bytes);
  else await pipeline(Readable.from(copies(bytes), { objectMode: false }), compression(), write);
}

/** Copies parts: a stream asks for the next one before it has used the last. */
async function* copies(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  for await (const part of parts) yield part.slice();
}
