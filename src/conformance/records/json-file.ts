import { isRecord } from '../../common/text.ts';
import { assertString, wrongValue } from '../../errors.ts';
import { outOfRange } from '../checks.ts';

export function formatError(name: string, expected: string, given: unknown): RangeError {
  const shown = JSON.stringify(given) ?? 'nothing';
  const short = shown.length > 80 ? `${shown.slice(0, 80)}…` : shown;
  return wrongValue('out-of-range', name, expected, given, short);
}

/** Reads a JSON file of this package. @throws TypeError, RangeError for other files */
export function readJsonText(
  text: string,
  name: string,
  kind: string,
  format: number,
): Readonly<Record<string, unknown>> {
  assertString('text', text);
  assertString('name', name);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw outOfRange(`${name}: expected JSON: ${(error as Error).message}`);
  }
  if (!isRecord(value)) throw formatError(name, 'an object', value);
  if (value['kind'] !== kind) throw formatError(name, `"kind": "${kind}"`, value['kind']);
  if (value['format'] !== format)
    throw formatError(name, `"format": ${format}, which this version reads`, value['format']);
  return value;
}
