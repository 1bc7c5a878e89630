import { concatenate } from '../../common/bytes.ts';
import { isRecord } from '../../common/text.ts';
import { encode } from '../../common/utf8.ts';
import { assertInteger, assertOptions, type Members, wrongValue } from '../../errors.ts';
import type { GeneratingRule } from '../vector.ts';

/**
 * Makes the generator of all rules: SplitMix64 (vectors/README.md, "Generating rules").
 * @param seed - 0 to 2^32 - 1
 */
export function splitmix64(seed: number): { next(): bigint; below(n: number): number } {
  // Pairs of 32-bit numbers are ten times as fast as bigint, and accumulated vectors draw millions.
  let stateHigh = 0;
  let stateLow = seed;
  let high = 0;
  let low = 0;
  /** z := z xor (z >> n), 0 < n < 32. */
  const mixIn = (n: number): void => {
    low = (low ^ ((low >>> n) | (high << (32 - n)))) >>> 0;
    high = (high ^ (high >>> n)) >>> 0;
  };
  /** z := z times a number, modulo 2^64. The lower halves are multiplied in 16-bit pieces. */
  const multiply = (byHigh: number, byLow: number): void => {
    const [a, b, c, d] = [low >>> 16, low & 0xffff, byLow >>> 16, byLow & 0xffff];
    const last = b * d;
    const middle = a * d + (last >>> 16);
    const other = b * c + (middle & 0xffff);
    const carried = a * c + Math.floor(middle / 0x10000) + Math.floor(other / 0x10000);
    high = (carried + Math.imul(high, byLow) + Math.imul(low, byHigh)) >>> 0;
    low = (((other & 0xffff) << 16) | (last & 0xffff)) >>> 0;
  };
  const draw = (): void => {
    stateLow += 0x7f4a7c15;
    stateHigh = (stateHigh + 0x9e3779b9 + (stateLow > 0xffffffff ? 1 : 0)) >>> 0;
    stateLow >>>= 0;
    [high, low] = [stateHigh, stateLow];
    mixIn(30);
    multiply(0xbf58476d, 0x1ce4e5b9);
    mixIn(27);
    multiply(0x94d049bb, 0x133111eb);
    mixIn(31);
  };
  const next = (): bigint => {
    draw();
    return (BigInt(high) << 32n) | BigInt(low);
  };
  return {
    next,
    below(n) {
      if (n > 2 ** 26) return Number(next() % BigInt(n));
      draw();
      // Exact: below 2^26 squared, plus 2^32.
      return ((high % n) * (2 ** 32 % n) + low) % n;
    },
  };
}

function repeat({ text, count }: RuleNamed<'repeat'>): string {
  return text.repeat(count);
}

function words({ seed, count, vocabulary, separators }: RuleNamed<'words'>): string {
  const { below } = splitmix64(seed);
  const pieces: string[] = [];
  for (let i = 0; i < count; i++) {
    if (i > 0) pieces.push(separators[below(separators.length)]!);
    pieces.push(vocabulary[below(vocabulary.length)]!);
  }
  return pieces.join('');
}

function bytes({ seed, count }: RuleNamed<'octets'>): Uint8Array {
  const { below } = splitmix64(seed);
  return Uint8Array.from({ length: count }, () => below(256));
}

function codePoints({ seed, count, ranges }: RuleNamed<'code-points'>): string {
  const { below } = splitmix64(seed);
  const total = ranges.reduce((sum, [first, last, times = 1]) => sum + (last - first + 1) * times, 0);
  const pieces: string[] = [];
  for (let i = 0; i < count; i++) {
    let x = below(total);
    for (const [first, last, times = 1] of ranges) {
      const width = last - first + 1;
      if (x < width * times) {
        pieces.push(String.fromCodePoint(first + (x % width)));
        break;
      }
      x -= width * times;
    }
  }
  return pieces.join('');
}

function concat({ parts }: RuleNamed<'concat'>): string | Uint8Array {
  const built = parts.map(generate);
  if (built.every((part) => typeof part === 'string')) return built.join('');
  return concatenate(built.map((part) => (typeof part === 'string' ? encode(part) : part)));
}

type RuleNamed<Name extends GeneratingRule['rule']> = Extract<GeneratingRule, { rule: Name }>;

const RULES: { readonly [R in GeneratingRule['rule']]: (rule: RuleNamed<R>) => string | Uint8Array } = {
  ...{ repeat, words, octets: bytes, 'code-points': codePoints, concat },
};

const MEMBERS: { readonly [R in GeneratingRule['rule']]: Members } = {
  repeat: { text: 'string', count: 'number' },
  words: { seed: 'number', count: 'number', vocabulary: 'list', separators: 'list' },
  octets: { seed: 'number', count: 'number' },
  'code-points': { seed: 'number', count: 'number', ranges: 'list' },
  concat: { parts: 'list' },
};

/** Builds a text or bytes (vectors/README.md, "Generating rules"). @throws TypeError, RangeError, also for an unknown rule */
export function generate(rule: GeneratingRule): string | Uint8Array {
  assertOptions('rule', rule, { rule: 'string', ...MEMBERS[rule?.rule] });
  if ('count' in rule) assertInteger('rule.count', rule.count, 0, Number.MAX_SAFE_INTEGER);
  if ('seed' in rule) assertInteger('rule.seed', rule.seed, 0, 0xffffffff);
  if (!Object.hasOwn(RULES, rule.rule))
    throw wrongValue('out-of-range', 'rule.rule', `one of ${Object.keys(RULES).join(', ')}`, rule.rule);
  return RULES[rule.rule](rule as never);
}

/** Makes the error for an input of the wrong shape. It has no code, because it is a fault of the vector and no outcome. */
export function badInput(operation: string, expected: string, input: unknown): TypeError {
  const shown = JSON.stringify(input) ?? String(input);
  return new TypeError(
    `${operation}: expected an input with ${expected}, got ${shown.length > 100 ? `${shown.slice(0, 100)}...` : shown}`,
  );
}

type Form = 'text' | 'utf8' | 'utf16' | 'generate';

/** Reads an input with exactly one of these members: bytes for `utf8`, a string for `text` and `utf16`, either for `generate`. */
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

/** Tests for groups of hexadecimal digits. An expression that repeats a group fails in Bun from some 2,000,000 on. */
const isHex = (hex: string, digits: number): boolean => hex.length % digits === 0 && !/[^0-9a-f]/.test(hex);

export function readText(operation: string, input: unknown, forms: readonly Exclude<Form, 'utf8'>[]): string {
  const text = readTextLike(operation, input, forms);
  if (typeof text !== 'string') throw badInput(operation, 'a rule that builds a text', input);
  return text;
}

export function bytesOfHex(operation: string, hex: string): Uint8Array {
  if (!isHex(hex, 2)) throw badInput(operation, 'two lower-case hex digits for each byte', hex);
  return Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));
}

function unitsOfHex(operation: string, hex: string): string {
  if (!isHex(hex, 4)) throw badInput(operation, 'four lower-case hex digits for each unit', hex);
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
