import { concatenate } from '../../common/octets.ts';
import type { Reading } from '../../documents/open.ts';
import { following } from '../../documents/read.ts';
import { assertUnchanged, openDataset, type Source } from './sources.ts';

/** What is done with the rows of a file. */
export interface RowVisitor {
  /** Whether a row is written. Rows are counted over all files from 0. */
  isKept(row: number): boolean;
  /** Whether `onLine` is to be called. */
  isWanted(row: number): boolean;
  /** Takes the octets of a row, without its line feed. They are valid during the call. */
  onLine(row: number, octets: Uint8Array): void;
}

/** How much is collected before it is written. */
const BLOCK = 1 << 20;
const LINE_FEED = 0x0a;

/**
 * Reads JSON Lines again and yields the octets of the rows to keep, in blocks that share their memory: each is valid until the next
 * one is asked for. Lines may be of any length. Between two files, the last line gets a line feed if it has none.
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
  let block = new Uint8Array(BLOCK);
  let length = 0;
  let last = LINE_FEED;

  function reserve(octets: number): void {
    if (length + octets <= block.length) return;
    const larger = new Uint8Array(Math.max(length + octets, 2 * block.length));
    larger.set(block.subarray(0, length));
    block = larger;
  }

  return {
    get length() {
      return length;
    },
    add(octets) {
      if (octets.length === 0) return;
      reserve(octets.length);
      block.set(octets, length);
      length += octets.length;
      last = octets[octets.length - 1]!;
    },
    take() {
      const taken = block.subarray(0, length);
      length = 0;
      return taken;
    },
    endsLine: () => last === LINE_FEED,
  };
}

/** Cuts octets at line feeds. */
function createSplitter(first: number, visitor: RowVisitor, block: Block) {
  let row = first;
  let isKept = visitor.isKept(row);
  let isWanted = visitor.isWanted(row);
  // What came of the row in earlier parts, if it is wanted.
  let pieces: Uint8Array[] = [];
  let isStarted = false;

  function endLine(rest: Uint8Array): void {
    if (isWanted) visitor.onLine(row, pieces.length === 0 ? rest : concatenate([...pieces, rest]));
    pieces = [];
    row++;
    isKept = visitor.isKept(row);
    isWanted = visitor.isWanted(row);
    isStarted = false;
  }

  return {
    take(chunk: Uint8Array): void {
      // What is kept in one piece is added in one piece.
      let keptFrom = isKept ? 0 : -1;
      let from = 0;
      for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
        endLine(chunk.subarray(from, end));
        from = end + 1;
        if (isKept && keptFrom < 0) keptFrom = from;
        else if (!isKept && keptFrom >= 0) {
          block.add(chunk.subarray(keptFrom, from));
          keptFrom = -1;
        }
      }
      if (keptFrom >= 0) block.add(chunk.subarray(keptFrom));
      if (from === chunk.length) return;
      isStarted = true;
      // A copy: the memory of the part is used again.
      if (isWanted) pieces.push(chunk.slice(from));
    },
    end(): void {
      if (isStarted) endLine(new Uint8Array(0));
    },
  };
}
