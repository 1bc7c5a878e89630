import type { Duplex } from 'node:stream';
import { Decompress } from 'fzstd';
import { assertChunks } from '../check-options.ts';
import { extractionError } from '../errors.ts';
import type { Chunks } from '../limits.ts';

interface NativeZstd {
  createZstdDecompress?(): Duplex;
  zstdDecompressSync?(bytes: Uint8Array): Uint8Array;
}

const FRAME = [0x28, 0xb5, 0x2f, 0xfd, 0x20, 1, 9, 0, 0, 0x61];

/** node:zlib, if it reads all frames: Node 22 takes the end of the first one, or of what was cut off, for the end of all. */
function findNative(): NativeZstd | undefined {
  const native = globalThis.process?.getBuiltinModule?.('node:zlib') as NativeZstd | undefined;
  return native?.zstdDecompressSync?.(Uint8Array.of(...FRAME, ...FRAME)).length === 2 ? native : undefined;
}

/** Decompresses Zstandard with windows of 128 MiB by node:zlib, of 32 MiB without it and without checksums. */
export async function* unzstdStream(chunks: Chunks): AsyncGenerator<Uint8Array, undefined> {
  assertChunks(chunks);
  const native = findNative();
  yield* native === undefined ? decompress(chunks) : decompressNatively(chunks, native);
}

function damaged(error: unknown): Error {
  return extractionError('damaged', `damaged Zstandard: ${(error as Error).message}`, error);
}

async function* decompress(chunks: Chunks): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = [];
  const stream = new Decompress((part) => void (part.length > 0 && parts.push(part.slice())));
  function* push(chunk: Uint8Array, isLast: boolean): Generator<Uint8Array> {
    let error: unknown;
    try {
      stream.push(chunk, isLast);
    } catch (thrown) {
      error = thrown;
    }
    yield* parts;
    parts = [];
    if (error !== undefined) throw damaged(error);
  }
  for await (const chunk of chunks) yield* push(new Uint8Array(chunk), false);
  yield* push(new Uint8Array(0), true);
}

function once(stream: Duplex, event: string): Promise<void> {
  return new Promise((resolve) => stream.once(event, () => resolve()));
}

async function* decompressNatively(chunks: Chunks, native: NativeZstd): AsyncGenerator<Uint8Array> {
  const stream = native.createZstdDecompress!();
  let failure: { readonly error: unknown } | undefined;
  const fail = (error: unknown): void => {
    failure ??= { error };
    stream.destroy(error as Error);
  };
  const closed = once(stream, 'close');
  async function feed(): Promise<void> {
    for await (const chunk of chunks) {
      if (stream.destroyed) return;
      // A copy: the owner of the part may use its memory again. (The slice of a Buffer is not one.)
      if (!stream.write(new Uint8Array(chunk))) await Promise.race([once(stream, 'drain'), closed]);
    }
    stream.end();
  }
  const fed = feed().catch(fail);
  try {
    for await (const part of stream as AsyncIterable<Uint8Array>)
      yield new Uint8Array(part.buffer, part.byteOffset, part.length);
  } catch (error) {
    throw failure === undefined ? damaged(error) : failure.error;
  } finally {
    stream.destroy();
    await fed;
  }
}
