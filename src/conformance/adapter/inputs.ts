import { hexDigits } from '../../common/octets.ts';
import { generate } from '../suite/generate.ts';
import type { GeneratingRule } from '../types.ts';

/** An input that is not of the shape its operation takes: a fault of the vector, never an outcome. */
export function badInput(operation: string, expected: string, input: unknown): TypeError {
  const shown = JSON.stringify(input) ?? String(input);
  return new TypeError(
    `${operation}: expected an input with ${expected}, got ${shown.length > 100 ? `${shown.slice(0, 100)}...` : shown}`,
  );
}

/** The ways to give a text or octets. */
export type Form = 'text' | 'utf8' | 'utf16' | 'generate';

/**
 * Reads a text-like input: an object with exactly one of the keys that the operation takes.
 * @param operation - its name, for the message
 * @param input - from a vector
 * @param forms - the keys that the operation takes
 * @returns octets for `utf8`, 16-bit units (not always well-formed) for `utf16`, what the rule builds for `generate`
 * @throws TypeError when the shape is another
 */
export function readTextLike(operation: string, input: unknown, forms: readonly Form[]): string | Uint8Array {
  const wrong = badInput(operation, `exactly one of ${forms.join(', ')}`, input);
  if (typeof input !== 'object' || input === null) throw wrong;
  const given = forms.filter((form) => form in input);
  if (given.length !== 1) throw wrong;
  const value: unknown = (input as Record<string, unknown>)[given[0]!];
  if (given[0] === 'generate') return generated(operation, value as GeneratingRule);
  if (typeof value !== 'string') throw wrong;
  if (given[0] === 'utf8') return octetsOfHex(operation, value);
  if (given[0] === 'utf16') return unitsOfHex(operation, value);
  return value;
}

/** What a rule builds. One that is wrong is a fault of the vector: its error has no code, by which it would be an outcome. */
export function generated(operation: string, rule: GeneratingRule): string | Uint8Array {
  try {
    return generate(rule);
  } catch (error) {
    throw new TypeError(`${operation}: ${(error as Error).message}`);
  }
}

/** {@link readTextLike} for operations that take no octets. */
export function readText(operation: string, input: unknown, forms: readonly Exclude<Form, 'utf8'>[]): string {
  const text = readTextLike(operation, input, forms);
  if (typeof text !== 'string') throw badInput(operation, 'a rule that builds a text', input);
  return text;
}

/** Octets from pairs of hex digits. */
export function octetsOfHex(operation: string, hex: string): Uint8Array {
  if (!/^(?:[0-9a-f]{2})*$/.test(hex)) throw badInput(operation, 'two lower-case hex digits an octet', hex);
  return Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));
}

/** A string from groups of four hex digits, one for each 16-bit unit. */
function unitsOfHex(operation: string, hex: string): string {
  if (!/^(?:[0-9a-f]{4})*$/.test(hex)) throw badInput(operation, 'four lower-case hex digits a unit', hex);
  const units = hex.match(/.{4}/g) ?? [];
  return units.map((unit) => String.fromCharCode(Number.parseInt(unit, 16))).join('');
}

/** 64 bits from 16 hex digits. */
export function numberOfHex(operation: string, hex: unknown): bigint {
  if (typeof hex !== 'string' || !/^[0-9a-f]{16}$/.test(hex))
    throw badInput(operation, '16 lower-case hex digits', hex);
  return BigInt(`0x${hex}`);
}

/** 32 bits from 8 hex digits. */
export function wordOfHex(operation: string, hex: unknown): number {
  if (typeof hex !== 'string' || !/^[0-9a-f]{8}$/.test(hex)) throw badInput(operation, '8 lower-case hex digits', hex);
  return Number.parseInt(hex, 16);
}

/** 8 hex digits from 32 bits. */
export function hexOfWord(word: number): string {
  return hexDigits(word, 8);
}
