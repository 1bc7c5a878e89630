import { type Chunks, resolveLimits } from '../limits.ts';
import { assertChunks } from '../options.ts';
import { readTableLines, type TableLine } from './lines.ts';
import { parseRow } from './parse-row.ts';
import { assertTableOptions, type ReadTableOptions, type Row } from './types.ts';

/** A row of JSON Lines. */
export interface JsonRow extends Row {
  /** The offset of the line in the file, in bytes. */
  readonly offset: number;
  /** The length of the line without its line feed, in bytes. */
  readonly length: number;
}

/**
 * Reads JSON Lines as `readJsonLines` does, but yields the rows of each part together, since an asynchronous step for each row
 * takes as long as parsing it. Rows are parsed as they are asked for, which has to be before the next part is.
 */
export async function* readJsonParts(
  chunks: Chunks,
  options: ReadTableOptions,
): AsyncGenerator<Iterable<JsonRow>, undefined> {
  assertChunks(chunks);
  assertTableOptions(options);
  const { bytes } = resolveLimits(options.limits);
  for await (const lines of readTableLines(chunks, bytes)) yield rowsOf(lines, options, bytes);
  return undefined;
}

function* rowsOf(lines: readonly TableLine[], options: ReadTableOptions, limit: number): Generator<JsonRow> {
  for (const line of lines) {
    const row = parseRow(line, options, limit);
    if (row === null) continue;
    const { number, id, content } = row;
    yield { number, id, content, offset: line.offset, length: line.length };
  }
}
