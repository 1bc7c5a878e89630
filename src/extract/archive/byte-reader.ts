import { wrongType } from '../../errors.ts';

/** A note on a place between two bytes of a stream. */
export interface ReaderMark {
  /** The fault at this place; absent at the start of a gzip member, and at the end of the last one. */
  readonly damage?: string;
  /** For a mark without damage: the number of compressed bytes before it. */
  readonly position?: number;
  /** True if the bytes just before the mark are damaged; else bytes are missing at the mark. */
  readonly isBefore?: boolean;
}

export type PlacedMark = ReaderMark & { readonly at: number };

/** Reads a stream in pieces whose size the reader chooses: the pieces of the stream itself make no difference. */
export type ByteReader = ReturnType<typeof createReader>;

const MIN_BUFFER = 1 << 16;

/**
 * Creates a reader of bytes, which may be overwritten once the next piece is asked for, and marks. Only bytes are
 * allowed in the argument of a caller, which `what` names. The bytes `held` come first, and are not copied.
 */
export function createReader(
  pieces: AsyncIterable<Uint8Array | ReaderMark> | Iterable<Uint8Array | ReaderMark>,
  what?: string,
  held: Uint8Array = new Uint8Array(0),
) {
  const source = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
  const buffer = createBuffer(held);
  const marks = createMarks();
  let offset = 0;
  let isOver = false;

  return {
    get offset(): number {
      return offset;
    },
    /** The number of bytes that the stream has yielded. */
    get received(): number {
      return offset + buffer.length;
    },
    /** The marks at the offsets `from` to `to`, as far as the stream has been read; not those before `offset`. */
    marks: marks.between,
    /** Returns the next `length` bytes, or all that are left; the next call overwrites them. */
    async peek(length: number): Promise<Uint8Array> {
      while (buffer.length < length && !isOver) {
        const { done, value } = await source.next();
        if (done === true) isOver = true;
        else if (value instanceof Uint8Array) buffer.append(value, length);
        else if (what !== undefined) throw wrongType(what, 'Uint8Arrays', value);
        else marks.add({ ...value, at: offset + buffer.length });
      }
      return buffer.peek(length);
    },
    skip(length: number): void {
      buffer.skip(length);
      offset += length;
      marks.dropBefore(offset);
    },
    /** Forgets the marks at `offset`. */
    dropMarks(): void {
      marks.dropBefore(offset + 1);
    },
    async close(): Promise<void> {
      isOver = true;
      await source.return?.();
    },
  };
}

function createBuffer(held: Uint8Array) {
  let bytes = held;
  let start = 0;
  let end = held.length;
  return {
    get length() {
      return end - start;
    },
    append(piece: Uint8Array, wanted: number): void {
      const length = end - start + piece.length;
      if (end + piece.length > bytes.length) {
        if (start >= bytes.length / 2 && length <= bytes.length) bytes.copyWithin(0, start, end);
        else {
          // Doubled as bytes arrive, not at once to the requested size, which may be false; and a quarter larger than that, so
          // that bytes need not be moved for every piece.
          const capacity = Math.min(bytes.length * 2, wanted * 1.25);
          const grown = new Uint8Array(Math.max(Math.ceil(capacity), length, MIN_BUFFER));
          grown.set(bytes.subarray(start, end));
          bytes = grown;
        }
        end -= start;
        start = 0;
      }
      bytes.set(piece, end);
      end += piece.length;
    },
    peek: (length: number): Uint8Array => bytes.subarray(start, Math.min(end, start + length)),
    skip(length: number): void {
      start += length;
    },
  };
}

function createMarks() {
  let marks: PlacedMark[] = [];
  let first = 0;

  function indexOf(offset: number): number {
    let [low, high] = [first, marks.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (marks[middle]!.at < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    add(mark: PlacedMark): void {
      // Empty members, of which a file may have millions, begin at the same place: the last one is kept.
      const last = marks.length > first ? marks.at(-1) : undefined;
      if (mark.damage === undefined && last?.at === mark.at && last.damage === undefined) marks.pop();
      marks.push(mark);
    },
    between: (from: number, to = Number.POSITIVE_INFINITY): readonly PlacedMark[] =>
      marks.slice(indexOf(from), indexOf(to + 1)),
    dropBefore(offset: number): void {
      first = indexOf(offset);
      if (first < marks.length / 2) return;
      marks = marks.slice(first);
      first = 0;
    },
  };
}
