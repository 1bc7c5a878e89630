import { parseJsonObject } from '../../common/lines.ts';
import { fieldOf } from './row-fields.ts';

/** Returns the digits of an integer that `JSON.parse` has rounded; undefined for a number with a point or an exponent. */
export function integerIn(text: string, value: Readonly<Record<string, unknown>>, name: string): string | undefined {
  if (typeof fieldOf(value, name) !== 'number') return undefined;
  const literal = fieldOf(parseJsonObject(quoteNumbers(text)) ?? {}, name);
  return typeof literal === 'string' && /^-?\d+$/.test(literal) ? literal : undefined;
}

function quoteNumbers(json: string): string {
  const parts: string[] = [];
  for (let at = 0; at < json.length; ) {
    const start = json.indexOf('"', at);
    const outside = start < 0 ? json.slice(at) : json.slice(at, start);
    parts.push(outside.replace(/-?\d[\d.eE+-]*/g, '"$&"'));
    if (start < 0) break;
    at = endOfString(json, start);
    parts.push(json.slice(start, at));
  }
  return parts.join('');
}

export function endOfString(json: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = json.indexOf('"', at);
    let backslashes = 0;
    while (json[at - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return at + 1;
  }
}
