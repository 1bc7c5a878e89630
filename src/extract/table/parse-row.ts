import { parseJsonObject } from '../../common/lines.ts';
import { formatBytes } from '../../common/text.ts';
import { failedRow, rowOf } from './fields.ts';
import { integerIn } from './integers.ts';
import type { TableLine } from './lines.ts';
import type { Row, TableFields } from './types.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Parses a line; returns null for an empty line. `limit`, the maximum number of bytes of a line, is for the message. */
export function parseRow({ number, bytes }: TableLine, fields: TableFields, limit: number): Row | null {
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
