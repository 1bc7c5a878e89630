import { concatenate } from '../../common/bytes.ts';
import { wrongType } from '../../errors.ts';
import type { Chunks } from '../limits.ts';

export interface TableLine {
  /** The number of the line, from 1. */
  readonly number: number;
  /** The offset of the line, in bytes. */
  readonly offset: number;
  /** Bytes without the line feed. */
  readonly length: number;
  /** Valid until the next lines are asked for; null if there are more than the limit. */
  readonly bytes: Uint8Array | null;
}

/** Splits bytes into lines. Held at a time: one line of at most `limit` bytes, and one part. */
export async function* readTableLines(chunks: Chunks, limit: number): AsyncGenerator<TableLine[], undefined> {
  let [number, offset, length] = [1, 0, 0];
  let pieces: Uint8Array[] = [];
  const take = (piece: Uint8Array): TableLine => {
    const total = length + piece.length;
    const bytes = total > limit ? null : concatenate([...pieces, piece]);
    const line = { number: number++, offset, length: total, bytes };
    pieces = [];
    length = 0;
    offset += total + 1;
    return line;
  };
  for await (const chunk of chunks) {
    if (!(chunk instanceof Uint8Array)) throw wrongType('chunks', 'an iterable of Uint8Arrays', chunk);
    const lines: TableLine[] = [];
    let from = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, from)) {
      lines.push(take(chunk.subarray(from, end)));
      from = end + 1;
    }
    if (lines.length > 0) yield lines;
    length += chunk.length - from;
    if (length > limit) pieces = [];
    // A copy: the owner of the part may use its memory again. (The slice of a Buffer is not one.)
    else if (from < chunk.length) pieces.push(new Uint8Array(chunk.subarray(from)));
  }
  if (length > 0) yield [take(new Uint8Array(0))];
  return undefined;
}
