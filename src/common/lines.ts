import { wrongType } from '../errors.ts';
import { concatenate } from './bytes.ts';
import { isRecord } from './text.ts';

/** Text, whole or in parts that are cut anywhere; bytes are UTF-8. */
export type TextParts = string | Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** A line without its line feed; null if it is longer than {@link MAX_LINE_LENGTH} or not UTF-8. */
export type Line = string | null;

export const MAX_LINE_LENGTH = 1 << 20;

/** Splits text at line feeds; yields for each part the lines that end in it. One line must not mix strings and bytes. */
export async function* splitLines(parts: TextParts): AsyncGenerator<Line[], void> {
  const line = createLineBuffer();
  for await (const part of typeof parts === 'string' ? [parts] : parts) {
    if (typeof part !== 'string' && !(part instanceof Uint8Array))
      throw wrongType('lines', 'strings or Uint8Arrays', part);
    const lines: Line[] = [];
    let from = 0;
    for (;;) {
      const end = typeof part === 'string' ? part.indexOf('\n', from) : part.indexOf(0x0a, from);
      if (end < 0) break;
      line.add(typeof part === 'string' ? part.slice(from, end) : part.subarray(from, end));
      lines.push(line.take());
      from = end + 1;
    }
    // A copy: the owner of the part may reuse its memory. (The slice of a Buffer is not one.)
    line.add(typeof part === 'string' ? part.slice(from) : new Uint8Array(part.subarray(from)));
    yield lines;
  }
  if (!line.isEmpty()) yield [line.take()];
}

function createLineBuffer() {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let pieces: (string | Uint8Array)[] = [];
  let length = 0;

  function decode(bytes: Uint8Array): Line {
    try {
      return decoder.decode(bytes);
    } catch {
      return null;
    }
  }

  return {
    isEmpty: () => length === 0,
    add(piece: string | Uint8Array): void {
      if (piece.length === 0) return;
      if (pieces.length > 0 && typeof pieces[0] !== typeof piece)
        throw wrongType('lines', 'strings or Uint8Arrays, not both', piece);
      length += piece.length;
      if (length > MAX_LINE_LENGTH) pieces = [];
      else pieces.push(piece);
    },
    take(): Line {
      const [line, size] = [pieces, length];
      pieces = [];
      length = 0;
      if (size > MAX_LINE_LENGTH) return null;
      return typeof line[0] === 'object' ? decode(concatenate(line as Uint8Array[])) : line.join('');
    },
  };
}

/** Parses a line of JSON Lines; undefined unless it is a JSON object. */
export function parseJsonObject(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
