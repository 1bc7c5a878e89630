import { isRecord, quote } from '../../common/text.ts';
import { type Row, type RowFailure, type TableFields, textFieldsOf } from './row-types.ts';

/** Makes a row of an object. Ids beyond 2^53, which have been rounded, need `digitsOf`. */
export function rowOf(
  value: Readonly<Record<string, unknown>>,
  number: number,
  fields: TableFields,
  digitsOf: (idField: string) => string | undefined = () => undefined,
): Row {
  const { idField } = fields;
  const id = idField === undefined ? String(number) : (asId(fieldOf(value, idField)) ?? digitsOf(idField));
  if (id === undefined)
    return failedRow(number, fields, 'damaged', `the field ${quote(idField!)} holds no string or whole number`);
  return { number, id, content: contentOf(value, number, fields) };
}

/** Joins the texts of the fields. Those that are null are left out, unless all are. */
function contentOf(value: Readonly<Record<string, unknown>>, number: number, fields: TableFields): Row['content'] {
  const { textField } = fields;
  const only = typeof textField === 'string' ? textIn(value, textField) : undefined;
  if (typeof only === 'string') return { text: only };
  const names = textFieldsOf(fields);
  const found = names.map((name) => textIn(value, name));
  const texts = found.filter((text) => typeof text === 'string');
  const other = found.findIndex((text) => typeof text !== 'string' && text !== null);
  if (other < 0 && texts.length > 0) return { text: texts.join('\n') };
  const wrong = Math.max(other, 0);
  const text = found[wrong];
  const isMissing = text === undefined || text === null;
  const problem = isMissing ? 'has no text' : `is not text but ${nameOfType(text)}`;
  return {
    failure: {
      code: text instanceof Uint8Array ? 'damaged' : 'no-text',
      message: `row ${number}: the field ${quote(names[wrong]!)} ${problem}`,
      ...(text === null && { isNull: true }),
      ...(isMissing && { isMissing }),
    },
  };
}

/** Looks up the text of a field. Brackets lead into each item of a list, whose texts are joined by a line break. */
function textIn(value: Readonly<Record<string, unknown>>, name: string): unknown {
  const end = name.indexOf('[]');
  if (end < 0 || Object.hasOwn(value, name)) return fieldOf(value, name);
  const list = fieldOf(value, name.slice(0, end));
  if (list === undefined || list === null) return list;
  if (!Array.isArray(list)) return undefined;
  const rest = name.slice(end + 2).replace(/^\./, '');
  const found: unknown[] = list.map((item: unknown) => {
    if (rest === '') return item;
    return isRecord(item) ? textIn(item, rest) : undefined;
  });
  const texts = found.filter((text) => text !== undefined && text !== null);
  if (texts.length === 0) return found.includes(null) ? null : undefined;
  const other = texts.find((text) => typeof text !== 'string');
  return other ?? texts.join('\n');
}

/** Makes a row of which not even the id can be read. */
export function failedRow(number: number, { idField }: TableFields, code: RowFailure['code'], message: string): Row {
  const id = idField === undefined ? String(number) : `@${number}`;
  return { number, id, content: { failure: { code, message: `row ${number}: ${message}` } } };
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
