import { type JsonRow, readJsonBlocks } from './json-rows.ts';
import type { ReadTableOptions } from './row-types.ts';

export type { JsonRow } from './json-rows.ts';
export type { ReadTableOptions, Row, RowFailure, TableFields } from './row-types.ts';

/**
 * Reads JSON Lines, one JSON object to a line, in memory bounded by the longest line within the limits. Empty lines are counted
 * and left out.
 * @param chunks - the bytes in UTF-8, in parts of any size; a part may be overwritten once the next one is asked for
 * @param options - the fields, and `limits`, of which `bytes` applies to each line
 * @returns the rows in their order; one that is not a JSON object, not UTF-8 or too long, or whose fields are missing or of another
 *   type, has a failure, and reading resumes after it
 * @throws (rejects) TypeError `wrong-type`, RangeError `out-of-range`; whatever `chunks` throws
 * @example
 * for await (const { id, content } of readJsonLines(createReadStream('a.jsonl'), { textField: 'text' })) …
 */
export async function* readJsonLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: ReadTableOptions,
): AsyncGenerator<JsonRow, undefined> {
  for await (const rows of readJsonBlocks(chunks, options)) yield* rows;
}
