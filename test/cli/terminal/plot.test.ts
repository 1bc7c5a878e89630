import { describe, expect, test } from 'vitest';
import { plotCounters } from '../../../src/cli/terminal/plot.ts';
import { styleFor } from '../../../src/cli/terminal/print.ts';

const style = styleFor(process.stdout, { NO_COLOR: '1' });
const plot = (counters: readonly number[], width: number): string[] => plotCounters(counters, width, style);

// Bits 0 to 63, of which every third is positive.
const counters = Array.from({ length: 64 }, (_, bit) => (bit % 3 === 0 ? bit + 1 : -bit));
const bits = counters.map((counter) => (counter > 0 ? '1' : '0'));

const axesOf = (lines: readonly string[]): string[] => lines.filter((line) => line.includes('┼'));
const inEights = (digits: readonly string[], separator = ''): string =>
  Array.from({ length: digits.length / 8 }, (_, i) => digits.slice(8 * i, 8 * i + 8).join(separator)).join(
    ` ${separator}`,
  );

describe('a plot wraps into strips', () => {
  // Four columns belong to the margin and the axis.
  test.each([
    [75, 64],
    [74, 32],
    [39, 32],
    [38, 16],
    [21, 16],
    [20, 8],
    [1, 8],
  ])('for %i columns: %i bits', (width, perStrip) => {
    const lines = plot(counters, width);
    const strips = Array.from({ length: 64 / perStrip }, (_, i) => bits.slice(i * perStrip, (i + 1) * perStrip));
    expect(axesOf(lines)).toEqual(strips.map((strip) => `  ┼ ${inEights(strip)}`));
    expect(lines).toHaveLength(12 * strips.length - 1);
    expect(lines.filter((line) => line === '').length).toBe(strips.length - 1);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(Math.max(width, 12));
  });

  test('with bars twice as wide if that fits', () => {
    for (const width of [139, 200]) expect(axesOf(plot(counters, width))).toEqual([`  ┼ ${inEights(bits, ' ')}`]);
    expect(axesOf(plot(counters, 138))).toEqual([`  ┼ ${inEights(bits)}`]);
  });
});

describe('the bars of a plot', () => {
  const columns = (lines: readonly string[], bit: number): string =>
    lines.map((line) => line[4 + bit + Math.floor(bit / 8)] ?? ' ').join('');

  test('have up to five rows, in half rows, and none only for 0', () => {
    const lines = plot([10, -10, 5, -5, 1, -1, 0, 0.01, ...new Array(56).fill(0)], 80);
    expect(lines.length).toBe(11);
    expect(lines.map((line) => line.trimEnd())).toEqual(lines);
    expect([0, 1, 2, 3, 4, 5, 6, 7].map((bit) => columns(lines, bit))).toEqual([
      '█████1     ',
      '     0█████',
      '  ▄██1     ',
      '     0██▀  ',
      '    ▄1     ',
      '     0▀    ',
      '     0     ',
      '    ▄1     ',
    ]);
  });

  test('are empty if all counters are 0', () => {
    expect(plot(new Array(64).fill(0), 80).filter((line) => /[█▄▀]/.test(line))).toEqual([]);
  });
});
