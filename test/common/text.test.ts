import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatNumber } from '../../src/common/text.ts';

test('formatNumber groups digits as in English', () => {
  const inEnglish = (value: number): string => value.toLocaleString('en-US');
  for (const value of [0, 999, 1000, 999_999, 1_000_000, -1, -1234, 2 ** 53, 0.5, 1234.5])
    expect(formatNumber(value)).toBe(inEnglish(value));
  fc.assert(fc.property(fc.maxSafeInteger(), (value) => void expect(formatNumber(value)).toBe(inEnglish(value))));
});
