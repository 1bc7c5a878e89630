import { isRecord, quote } from '../../common/text.ts';
import type { Row, RowFailure, TableFields } from './types.ts';

function failure(code: RowFailure['code'], message: string, isNull = false): { readonly failure: RowFailure } {
  return { failure: { code, message, ...(isNull && { isNull }) } };
}

/** Makes a row of an object. Ids beyond 2^53, which have been rounded, need `digitsOf`. */
export function rowOf(
  value: Readonly<Record<string, unknown>>,
  number: number,
  fields: TableFields,
  digitsOf: (idField: string) => string | undefined = () => undefined,
): Row {
  const { textField, idField } = fields;
  const id = idField === undefined ? String(number) : (asId(fieldOf(value, idField)) ?? digitsOf(idField));
  if (id === undefined)
    return failedRow(number, fields, 'damaged', `the field ${quote(idField!)} holds no string or whole number`);
  const text = fieldOf(value, textField);
  if (typeof text === 'string') return { number, id, content: { text } };
  const found = text === undefined || text === null ? 'has no text' : `is not text but ${nameOfType(text)}`;
  const code = text instanceof Uint8Array ? 'damaged' : 'no-text';
  return { number, id, content: failure(code, `row ${number}: the field ${quote(textField)} ${found}`, text === null) };
}

/** Makes a row of which not even the id can be read. */
export function failedRow(number: number, { idField }: TableFields, code: RowFailure['code'], message: string): Row {
  const id = idField === undefined ? String(number) : `@${number}`;
  return { number, id, content: failure(code, `row ${number}: ${message}`) };
}

/** Looks up a field of an object. If no field has the whole name, a dot leads into an object. */
export function fieldOf(value: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(value, name)) return value[name];
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const inner = Object.hasOwn(value, name.slice(0, dot)) ? value[name.slice(0, dot)] : undefined;
    if (isRecord(inner)) return fieldOf(inner, name.slice(dot + 1));
  }
  return undefined;
}

/** An id as a string. Numbers beyond 2^53 are not exact, and two of them could become one. */
function asId(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'bigint' || Number.isSafeInteger(value) ? String(value) : undefined;
}

function nameOfType(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Uint8Array) return 'binary data that is not UTF-8';
  if (value instanceof Date) return 'a date';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Lists at most `max` fields of objects, those in objects with a dot. */
export function namesOfFields(values: readonly Readonly<Record<string, unknown>>[], max = 40): string[] {
  const names = new Set<string>();
  const visit = (value: Readonly<Record<string, unknown>>, prefix: string): void => {
    for (const [name, inner] of Object.entries(value)) {
      if (names.size >= max) return;
      if (isRecord(inner) && prefix.length < 100) visit(inner, `${prefix}${name}.`);
      else names.add(prefix + name);
    }
  };
  for (const value of values) visit(value, '');
  return [...names];
}
