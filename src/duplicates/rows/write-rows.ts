import { enlarge } from '../../common/bytes.ts';
import type { Reading } from '../../documents/open.ts';
import { following } from '../../documents/read.ts';
import type { ParquetInput } from '../../extract/rows/parquet-copy.ts';
import { compressionOf, type WritePart, writeAll } from './compressed-writer.ts';
import { assertUnchanged, openRows, type RowSource } from './row-sources.ts';

/** Writes the rows that are kept, counted over all files from 0. JSON Lines are compressed by the name of the output. */
export async function writeRows(
  sources: readonly RowSource[],
  reading: Reading,
  isKept: (row: number) => boolean,
  { path, write }: { readonly path: string; readonly write: WritePart },
): Promise<void> {
  if (sources[0]!.format === 'parquet') await writeParquet(sources, reading, isKept, write);
  else await writeAll(keptLines(sources, reading, isKept), write, compressionOf(path));
}

const BLOCK = 1 << 20;
const LINE_FEED = 0x0a;

/** Yields the rows to keep in blocks, each valid until the next one; between files, a last line gets a missing line feed. */
export async function* keptLines(
  sources: readonly RowSource[],
  reading: Reading,
  isKept: (row: number) => boolean,
): AsyncGenerator<Uint8Array, undefined> {
  const block = createBlock();
  for (const source of sources) {
    assertUnchanged(source);
    if (!block.endsLine()) block.add(Uint8Array.of(LINE_FEED));
    const opened = await openRows(source, reading);
    const filter = createFilter(source.first, isKept, block);
    try {
      for await (const chunk of following(opened.head, opened.rest)) {
        filter.take(chunk);
        if (block.length >= BLOCK) yield block.take();
      }
    } finally {
      await opened.close();
    }
    assertUnchanged(source);
  }
  yield block.take();
}

function createBlock() {
  let block = new Uint8Array(BLOCK);
  let length = 0;
  let last = LINE_FEED;

  return {
    get length() {
      return length;
    },
    add(bytes: Uint8Array): void {
      if (bytes.length === 0) return;
      const size = length + bytes.length;
      if (size > block.length) block = enlarge(block, Math.max(size, 2 * block.length));
      block.set(bytes, length);
      length += bytes.length;
      last = bytes[bytes.length - 1]!;
    },
    take(): Uint8Array {
      const taken = block.subarray(0, length);
      length = 0;
      return taken;
    },
    /** Tests whether all bytes so far end with a line feed, or there are none. */
    endsLine: (): boolean => last === LINE_FEED,
  };
}

/** Copies the lines to keep, which may be cut anywhere, to a block. */
function createFilter(first: number, isKept: (row: number) => boolean, block: ReturnType<typeof createBlock>) {
  let row = first;
  return {
    take(chunk: Uint8Array): void {
      // Consecutive rows to keep are added in one piece.
      let keptFrom = isKept(row) ? 0 : -1;
      for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, end + 1)) {
        const isNextKept = isKept(++row);
        if (isNextKept && keptFrom < 0) keptFrom = end + 1;
        else if (!isNextKept && keptFrom >= 0) {
          block.add(chunk.subarray(keptFrom, end + 1));
          keptFrom = -1;
        }
      }
      if (keptFrom >= 0) block.add(chunk.subarray(keptFrom));
    },
  };
}

/** Writes the rows of Parquet files that are kept; rows are counted over all files from 0. */
async function writeParquet(
  sources: readonly RowSource[],
  reading: Reading,
  isKept: (row: number) => boolean,
  write: WritePart,
): Promise<void> {
  async function* inputs(): AsyncGenerator<ParquetInput, undefined> {
    for (const source of sources) {
      assertUnchanged(source);
      const { access, close } = await openRows(source, reading);
      try {
        yield { name: source.name, file: access!, isKept: (index) => isKept(source.first + index) };
      } finally {
        await close();
      }
      assertUnchanged(source);
    }
  }
  const { copyParquet } = await import('../../extract/rows/parquet-copy.ts');
  await copyParquet(inputs(), write, reading.hints.limits);
}
