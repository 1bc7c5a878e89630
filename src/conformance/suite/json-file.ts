import { isRecord } from '../../common/text.ts';
import { assertString, wrongValue } from '../../errors.ts';
import { outOfRange } from '../options.ts';

export function formatError(name: string, expected: string, given: unknown): RangeError {
  const shown = JSON.stringify(given) ?? 'nothing';
  const short = shown.length > 80 ? `${shown.slice(0, 80)}…` : shown;
  return wrongValue('out-of-range', name, expected, given, short);
}

/**
 * Reads a JSON file that this package wrote. `older` describes files in older formats, with advice.
 * @throws TypeError `wrong-type`; RangeError `out-of-range` for anything else than JSON of this kind in this format
 */
export function readJsonText(
  text: string,
  name: string,
  kind: string,
  format = 1,
  older: Readonly<Record<number, string>> = {},
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
  const old = older[Number(value['format'])];
  if (old !== undefined) throw outOfRange(`${name}: ${old}`);
  if (value['format'] !== format)
    throw formatError(name, `"format": ${format}, which this version reads`, value['format']);
  return value;
}
