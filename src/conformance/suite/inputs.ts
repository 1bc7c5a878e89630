import { isRecord } from '../../common/text.ts';
import type { GeneratingRule } from '../types.ts';
import { generate } from './generate.ts';

/** Makes the error for an input of the wrong shape. It has no code, because it is a fault of the vector and no outcome. */
export function badInput(operation: string, expected: string, input: unknown): TypeError {
  const shown = JSON.stringify(input) ?? String(input);
  return new TypeError(
    `${operation}: expected an input with ${expected}, got ${shown.length > 100 ? `${shown.slice(0, 100)}...` : shown}`,
  );
}

export type Form = 'text' | 'utf8' | 'utf16' | 'generate';

/**
 * Reads a text or bytes from an input with exactly one of the members that the operation takes: bytes for `utf8`, a string
 * for `text` and `utf16` (maybe with lone surrogates), either for `generate`.
 */
export function readTextLike(operation: string, input: unknown, forms: readonly Form[]): string | Uint8Array {
  const given = isRecord(input) ? forms.filter((form) => form in input) : [];
  const [form] = given;
  const value = form === undefined ? undefined : (input as Readonly<Record<string, unknown>>)[form];
  if (form === 'generate' && given.length === 1) return generated(operation, value as GeneratingRule);
  if (given.length !== 1 || typeof value !== 'string')
    throw badInput(operation, `exactly one of ${forms.join(', ')}`, input);
  if (form === 'utf8') return bytesOfHex(operation, value);
  return form === 'utf16' ? unitsOfHex(operation, value) : value;
}

/** Builds a text or bytes by a rule. A wrong rule is a fault of the vector, so its error has no code. */
export function generated(operation: string, rule: GeneratingRule): string | Uint8Array {
  try {
    return generate(rule);
  } catch (error) {
    throw new TypeError(`${operation}: ${(error as Error).message}`);
  }
}

/** Reads a text (see {@link readTextLike}) for an operation that takes no bytes. */
export function readText(operation: string, input: unknown, forms: readonly Exclude<Form, 'utf8'>[]): string {
  const text = readTextLike(operation, input, forms);
  if (typeof text !== 'string') throw badInput(operation, 'a rule that builds a text', input);
  return text;
}

export function bytesOfHex(operation: string, hex: string): Uint8Array {
  if (!/^(?:[0-9a-f]{2})*$/.test(hex)) throw badInput(operation, 'two lower-case hex digits for each byte', hex);
  return Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));
}

function unitsOfHex(operation: string, hex: string): string {
  if (!/^(?:[0-9a-f]{4})*$/.test(hex)) throw badInput(operation, 'four lower-case hex digits for each unit', hex);
  const units = hex.match(/.{4}/g) ?? [];
  return units.map((unit) => String.fromCharCode(Number.parseInt(unit, 16))).join('');
}

export function numberOfHex(operation: string, hex: unknown): bigint {
  if (typeof hex !== 'string' || !/^[0-9a-f]{16}$/.test(hex))
    throw badInput(operation, '16 lower-case hex digits', hex);
  return BigInt(`0x${hex}`);
}

export function wordOfHex(operation: string, hex: unknown): number {
  if (typeof hex !== 'string' || !/^[0-9a-f]{8}$/.test(hex)) throw badInput(operation, '8 lower-case hex digits', hex);
  return Number.parseInt(hex, 16);
}
