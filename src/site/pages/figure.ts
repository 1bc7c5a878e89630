import { escapeHtml } from '../../common/text.ts';

/** Width and height of a character, in pixels. */
const WIDTH = 8;
const HEIGHT = 18;

/** The lines of a box-drawing character: to the left, right, up and down of its middle. */
const LINES: Readonly<Record<string, string>> = {
  ...{ '─': 'lr', '│': 'ud', '┌': 'rd', '┐': 'ld', '└': 'ru', '┘': 'lu' },
  ...{ '├': 'rud', '┤': 'lud', '┬': 'lrd', '┴': 'lru', '┼': 'lrud' },
};
const STROKES: Readonly<Record<string, string>> = {
  ...{ l: `h${-WIDTH / 2}`, r: `h${WIDTH / 2}`, u: `v${-HEIGHT / 2}`, d: `v${HEIGHT / 2}` },
};
/** Words with single spaces between them. */
const LABEL = /[^\s─│┌┐└┘├┤┬┴┼]+(?: [^\s─│┌┐└┘├┤┬┴┼]+)*/g;

/** Draws a figure of box-drawing characters as SVG, in the colour of the text around it. Its labels stay text. */
export function figureOf(text: string, title: string): string {
  const rows = text.split('\n').map((line) => [...line]);
  const columns = Math.max(...rows.map(({ length }) => length));
  const path = rows.flatMap((row, y) =>
    row.flatMap((character, x) =>
      [...(LINES[character] ?? '')].map((side) => `M${(x + 0.5) * WIDTH} ${(y + 0.5) * HEIGHT}${STROKES[side]}`),
    ),
  );
  const labels = rows.flatMap((row, y) =>
    Array.from(row.join('').matchAll(LABEL), ({ 0: label, index }) => {
      const x = [...row.join('').slice(0, index)].length * WIDTH;
      const width = [...label].length * WIDTH;
      return `<text x="${x}" y="${y * HEIGHT + 13}" textLength="${width}">${escapeHtml(label)}</text>`;
    }),
  );
  const size = `viewBox="0 0 ${columns * WIDTH} ${rows.length * HEIGHT}" width="${columns * WIDTH}"`;
  return (
    `<svg class="figure" role="img" aria-label="${escapeHtml(title)}" ${size} font-family="monospace" font-size="13" ` +
    `fill="currentColor"><path d="${path.join('')}" stroke="currentColor" fill="none"/>${labels.join('')}</svg>\n`
  );
}
