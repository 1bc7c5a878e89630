import { concatenate } from '../../common/bytes.ts';
import { parseJsonObject } from '../../common/lines.ts';
import { formatBytes } from '../../common/text.ts';
import { wrongType } from '../../errors.ts';
import { assertChunks } from '../check-options.ts';
import { type Chunks, type Meter, resolveLimits } from '../limits.ts';
import { integerIn } from './json-integers.ts';
import { failedRow, rowOf } from './row-fields.ts';
import { assertTableOptions, type ReadTableOptions, type Row, type TableFields } from './row-types.ts';

/** A row of JSON Lines. */
export interface JsonRow extends Row {
  /** The offset of the line in the file, in bytes. */
  readonly offset: number;
  /** The length of the line without its line feed, in bytes. */
  readonly length: number;
}

/** Reads JSON Lines, the rows of each part together: an asynchronous step for each takes as long as parsing it. */
export async function* readJsonBlocks(
  chunks: Chunks,
  options: ReadTableOptions,
  onTime: Meter = () => undefined,
): AsyncGenerator<readonly JsonRow[], undefined> {
  assertChunks(chunks);
  assertTableOptions(options);
  const { bytes: limit } = resolveLimits(options.limits);
  let [number, offset] = [1, 0];
  // The pieces of a line that has not ended, and their length.
  let pieces: Uint8Array[] = [];
  let begun = 0;
  const take = (piece: Uint8Array, rows: JsonRow[]): void => {
    const length = begun + piece.length;
    const bytes = length > limit ? null : begun === 0 ? piece : concatenate([...pieces, piece]);
    const row = parseRow(bytes, number, options, limit);
    if (row !== null) rows.push({ number, id: row.id, content: row.content, offset, length });
    pieces = [];
    begun = 0;
    number++;
    offset += length + 1;
  };
  for await (const chunk of chunks) {
    if (!(chunk instanceof Uint8Array)) throw wrongType('chunks', 'an iterable of Uint8Arrays', chunk);
    const start = performance.now();
    const rows: JsonRow[] = [];
    let from = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, from)) {
      take(chunk.subarray(from, end), rows);
      from = end + 1;
    }
    onTime(performance.now() - start);
    if (rows.length > 0) yield rows;
    begun += chunk.length - from;
    if (begun > limit) pieces = [];
    // A copy: the owner of the part may use its memory again. (The slice of a Buffer is not one.)
    else if (from < chunk.length) pieces.push(new Uint8Array(chunk.subarray(from)));
  }
  const last: JsonRow[] = [];
  if (begun > 0) take(new Uint8Array(0), last);
  if (last.length > 0) yield last;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Parses a line, or null for one of more than `limit` bytes; returns null for an empty line. */
export function parseRow(bytes: Uint8Array | null, number: number, fields: TableFields, limit: number): Row | null {
  if (bytes === null) return failedRow(number, fields, 'too-large', `is larger than the ${formatBytes(limit)} limit`);
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch (error) {
    const isEncoding = (error as { code?: string }).code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
    const message = isEncoding || error instanceof TypeError ? 'is not UTF-8' : 'is too long for a string';
    return failedRow(number, fields, 'damaged', message);
  }
  if (text.length < 1000 && text.trim() === '') return null;
  const value = parseJsonObject(text);
  return value === undefined
    ? failedRow(number, fields, 'damaged', 'is not a JSON object on one line')
    : rowOf(value, number, fields, (idField) => integerIn(text, value, idField));
}
