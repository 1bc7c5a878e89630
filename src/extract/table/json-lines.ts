import { resolveLimits } from '../limits.ts';
import { assertChunks } from '../options.ts';
import { readTableLines } from './lines.ts';
import { parseRow } from './parse-row.ts';
import { assertTableOptions, type ReadTableOptions, type Row } from './types.ts';

export type { ReadTableOptions, Row, RowFailure, TableFields } from './types.ts';

/** A row of JSON Lines. */
export interface JsonRow extends Row {
  /** Where its line begins, in octets. */
  readonly offset: number;
  /** Octets of its line without the line feed. */
  readonly length: number;
}

/**
 * Reads JSON Lines, one JSON object to a line, in memory bounded by the longest line within the limits. Empty lines are counted
 * and left out.
 * @param chunks - the octets in UTF-8, in parts of any size; a part may be overwritten once the next one is asked for
 * @param options - the fields, and `limits`, of which `octets` applies to each line
 * @returns the rows in their order; one that is no JSON object, no UTF-8 or too long, or whose fields are missing or of another
 *   type, has a failure, and reading goes on behind it
 * @throws (rejects) TypeError `wrong-type`, RangeError `out-of-range`; whatever `chunks` throws
 */
export async function* readJsonLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: ReadTableOptions,
): AsyncGenerator<JsonRow, undefined> {
  assertChunks(chunks);
  assertTableOptions(options);
  const { octets } = resolveLimits(options.limits);
  for await (const lines of readTableLines(chunks, octets))
    for (const line of lines) {
      const row = parseRow(line, options, octets);
      if (row !== null) yield { ...row, offset: line.offset, length: line.length };
    }
  return undefined;
}
