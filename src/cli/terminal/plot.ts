import type { TerminalStyle } from './print.ts';

/** Rows above and below the axis. Each row shows two steps, as half blocks. */
const ROWS = 5;
const MARGIN = '  ';

/** Draws the 64 counters as bars around their bits, in several strips if they do not fit side by side. */
export function plotCounters(counters: readonly number[], width: number, style: TerminalStyle): string[] {
  const max = Math.max(1, ...counters.map(Math.abs));
  const room = width - MARGIN.length - 2;
  const perStrip = [64, 32, 16].find((bits) => bits + bits / 8 - 1 <= room) ?? 8;
  // Twice as wide where it fits.
  const cells = 2 * 64 + 7 <= room ? 2 : 1;
  // In half rows, negative downwards. A counter that is not 0 has a bar.
  const heights = counters.map(
    (counter) => Math.sign(counter) * Math.max(1, Math.round((Math.abs(counter) / max) * ROWS * 2)),
  );
  const lines: string[] = [];
  for (let start = 0; start < counters.length; start += perStrip) {
    if (start > 0) lines.push('');
    for (let row = ROWS; row >= -ROWS; row--) {
      let line = `${MARGIN}${row === 0 ? '┼' : '│'} `;
      for (let bit = start; bit < start + perStrip; bit++) {
        if (bit > start && bit % 8 === 0) line += ' ';
        const paint = heights[bit]! > 0 ? style.good : style.bad;
        if (row === 0) line += paint((counters[bit]! > 0 ? '1' : '0').padEnd(cells));
        else {
          const block = blockOf(heights[bit]!, row).repeat(cells);
          line += block.trim() === '' ? block : paint(block);
        }
      }
      lines.push(line.trimEnd());
    }
  }
  return lines;
}

function blockOf(height: number, row: number): string {
  const filled = row > 0 ? height - 2 * (row - 1) : -height - 2 * (-row - 1);
  if (filled >= 2) return '█';
  if (filled < 1) return ' ';
  return row > 0 ? '▄' : '▀';
}
