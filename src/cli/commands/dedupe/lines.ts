import type { Reading } from '../../documents/open.ts';
import { following } from '../../documents/read.ts';
import { assertUnchanged, openDataset, type Source } from './sources.ts';

/** What is done with the rows of a file. */
export interface RowVisitor {
  /** Whether a row is written. Rows are counted over all files from 0. */
  isKept(row: number): boolean;
  /** Whether `onLine` is to be called. */
  isWanted(row: number): boolean;
  /** Takes the octets of a row, without its line feed. */
  onLine(row: number, octets: Uint8Array): void;
}

/** How much is collected before it is written. */
const BLOCK = 1 << 20;
const LINE_FEED = 0x0a;

/**
 * Reads JSON Lines again and yields the octets of the rows to keep, in blocks that belong to the caller. Lines may be of any
 * length. Between two files, the last line gets a line feed if it has none.
 * @param listener - called after each part that was read
 */
export async function* keptLines(
  sources: readonly Source[],
  reading: Reading,
  visitor: RowVisitor,
  listener: { flush(): Promise<void> } | null = null,
): AsyncGenerator<Uint8Array, undefined> {
  const block = createBlock();
  for (const source of sources) {
    assertUnchanged(source);
    if (!block.endsLine()) block.add(Uint8Array.of(LINE_FEED));
    const opened = await openDataset(source.path, reading);
    const splitter = createSplitter(source.first, visitor, block);
    try {
      for await (const chunk of following(opened.head, opened.rest)) {
        splitter.take(chunk);
        if (block.length >= BLOCK) yield block.take();
        await listener?.flush();
      }
      splitter.end();
    } finally {
      await opened.close();
    }
    assertUnchanged(source);
  }
  yield block.take();
  return undefined;
}

/** Octets that are collected. */
interface Block {
  readonly length: number;
  add(octets: Uint8Array): void;
  take(): Uint8Array;
  /** Whether all octets so far end with a line feed, or there are none. */
  endsLine(): boolean;
}

function createBlock(): Block {
  let parts: Uint8Array[] = [];
  let length = 0;
  let last = LINE_FEED;
  return {
    get length() {
      return length;
    },
    add(octets) {
      if (octets.length === 0) return;
      // A copy: the buffer of the file is used again.
      parts.push(octets.slice());
      length += octets.length;
      last = octets[octets.length - 1]!;
    },
    take() {
      const block = Buffer.concat(parts);
      parts = [];
      length = 0;
      return block;
    },
    endsLine: () => last === LINE_FEED,
  };
}

/** Cuts octets at line feeds. */
function createSplitter(first: number, visitor: RowVisitor, block: Block) {
  let row = first;
  let isKept = visitor.isKept(row);
  let wanted: Uint8Array[] | null = visitor.isWanted(row) ? [] : null;
  let isStarted = false;

  function endLine(): void {
    if (wanted !== null) visitor.onLine(row, Buffer.concat(wanted));
    row++;
    isKept = visitor.isKept(row);
    wanted = visitor.isWanted(row) ? [] : null;
    isStarted = false;
  }

  return {
    take(chunk: Uint8Array): void {
      // What is kept in one piece is added in one piece.
      let keptFrom = isKept ? 0 : -1;
      for (let from = 0; from < chunk.length; ) {
        const feed = chunk.indexOf(LINE_FEED, from);
        const end = feed < 0 ? chunk.length : feed;
        wanted?.push(chunk.slice(from, end));
        isStarted = true;
        if (feed < 0) break;
        from = feed + 1;
        endLine();
        if (isKept && keptFrom < 0) keptFrom = from;
        else if (!isKept && keptFrom >= 0) {
          block.add(chunk.subarray(keptFrom, from));
          keptFrom = -1;
        }
      }
      if (keptFrom >= 0) block.add(chunk.subarray(keptFrom));
    },
    end(): void {
      if (isStarted) endLine();
    },
  };
}
