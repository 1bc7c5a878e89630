import { wrongType } from '../../errors.ts';

/** A place in a stream that is worth remembering; it takes no octets itself. */
export interface Mark {
  /** What is wrong at this place; absent where a gzip member merely begins. */
  readonly damage?: string;
  /** Whether the damage is that of octets right before it; else it stands for octets that are not there. */
  readonly isBefore?: boolean;
}

/** Reads a stream in pieces whose size the reader chooses, so that its own pieces make no difference to anything. */
export interface OctetReader {
  /** Number of octets that were skipped. */
  readonly offset: number;
  /** The marks from `offset` on, as far as the stream has been read, in their order. */
  readonly marks: readonly (Mark & { readonly at: number })[];
  /**
   * Looks ahead.
   * @param length - how many octets are wanted
   * @returns that many, or all that are left; overwritten by the next call
   */
  peek(length: number): Promise<Uint8Array>;
  /** Goes on behind octets that were peeked at, and forgets the marks that lie before. */
  skip(length: number): void;
  /** Forgets the marks at `offset` and before it. */
  dropMarks(): void;
  /** Ends the stream, whether it has been read or not. */
  close(): Promise<void>;
}

/** The smallest buffer that is made, in octets. */
const BUFFER = 1 << 16;

/**
 * Makes a reader of a stream.
 * @param pieces - octets, which may be overwritten once the next piece is asked for, and marks
 * @param what - the name of the argument that the pieces come from, where they are a caller's: octets alone then
 */
export function createReader(
  pieces: AsyncIterable<Uint8Array | Mark> | Iterable<Uint8Array | Mark>,
  what?: string,
): OctetReader {
  const source = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
  let buffer = new Uint8Array(0);
  let start = 0;
  let end = 0;
  let offset = 0;
  let isOver = false;
  let marks: (Mark & { at: number })[] = [];

  function append(piece: Uint8Array, wanted: number): void {
    const length = end - start + piece.length;
    if (end + piece.length > buffer.length) {
      if (start >= buffer.length / 2 && length <= buffer.length) {
        buffer.copyWithin(0, start, end);
      } else {
        // Doubled as the octets come, never at once to what is wanted: that may be a lie. A quarter more than is wanted
        // lets the octets be moved now and then instead of at every piece.
        const capacity = Math.min(buffer.length * 2, wanted * 1.25);
        const grown = new Uint8Array(Math.max(Math.ceil(capacity), length, BUFFER));
        grown.set(buffer.subarray(start, end));
        buffer = grown;
      }
      end -= start;
      start = 0;
    }
    buffer.set(piece, end);
    end += piece.length;
  }

  return {
    get offset() {
      return offset;
    },
    get marks() {
      return marks;
    },
    async peek(length) {
      while (end - start < length && !isOver) {
        const { done, value } = await source.next();
        if (done === true) isOver = true;
        else if (value instanceof Uint8Array) append(value, length);
        else if (what !== undefined) throw wrongType(what, 'Uint8Arrays', value);
        else marks.push({ ...value, at: offset + end - start });
      }
      return buffer.subarray(start, Math.min(end, start + length));
    },
    skip(length) {
      start += length;
      offset += length;
      if (marks.length > 0 && marks[0]!.at < offset) marks = marks.filter(({ at }) => at >= offset);
    },
    dropMarks() {
      marks = marks.filter(({ at }) => at > offset);
    },
    async close() {
      isOver = true;
      await source.return?.();
    },
  };
}

/**
 * Makes a reader of octets that are at hand; nothing is copied.
 * @param octets - the whole stream
 */
export function readerOf(octets: Uint8Array): OctetReader {
  let offset = 0;
  return {
    get offset() {
      return offset;
    },
    marks: [],
    async peek(length) {
      return octets.subarray(offset, offset + length);
    },
    skip(length) {
      offset += length;
    },
    dropMarks() {},
    async close() {},
  };
}
