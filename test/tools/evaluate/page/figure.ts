import { escapeHtml } from '../../../../src/common/text.ts';

/** A line through points. */
export interface Series {
  readonly name: string;
  /** The share at each k from 0. */
  readonly shares: readonly number[];
}

/** One pair of axes. The series of one name look the same in all panels. */
export interface Panel {
  readonly title: string;
  readonly series: readonly Series[];
}

const TITLE = 'Found and false pairs by distance';
const DESCRIPTION =
  'For four collections, the share of true pairs that are found within k bits, and the share of false pairs among those reported. With simhash-doc the false pairs grow before half of the true ones are found; with minhash-doc nearly all true pairs are found before the false ones grow, and with minhash-doc-256 the gap is wider.';
/** The largest k, and the ticks of the axes. */
export const MAX_K = 14;
const KS = [0, 3, 6, 8, 10, 12, 14];
const SHARES = [0, 0.2, 0.4, 0.6, 0.8, 1];

/** The layout of the plot, for the width of a page or of a phone. */
interface Layout {
  readonly columns: number;
  /** The width of a panel, without its axis. */
  readonly width: number;
  /** The space at the right of a panel. It holds the names of the lines if they stand beside them, not above the panels. */
  readonly right: number;
  readonly isNamed: boolean;
}

/** The layouts by the endings of the names of files. */
export const LAYOUTS: Readonly<Record<string, Layout>> = {
  '': { columns: 2, width: 210, right: 172, isNamed: true },
  '-narrow': { columns: 1, width: 262, right: 16, isNamed: false },
};

/** Colours for light and dark backgrounds; the paper is that of the site. */
const PAPER = ['#fcfbf9', '#15171a'] as const;
const INK = ['#1f2328', '#e6edf3'] as const;
const GRID = ['#d8dee4', '#30363d'] as const;
const LINES = [
  ['#0550ae', '#79c0ff'],
  ['#bc4c00', '#ffa657'],
  ['#1a7f37', '#56d364'],
  ['#8250df', '#d2a8ff'],
  ['#a40e26', '#ff9492'],
  ['#57606a', '#b1bac4'],
] as const;
const DASHES = ['', '6 3', '2 2', '8 2 2 2', '4 4', '1 3'];

/** Sizes in pixels. */
const PANEL = { left: 50, height: 170, below: 70 };
const TOP = 28;
/** The height of a line of text. */
const ROW = 15;

const round = (value: number): number => Math.round(10 * value) / 10;

const write = (x: number, y: number, words: string, rest = `fill="${INK[0]}"`): string =>
  `<text x="${round(x)}" y="${round(y + 4)}" ${rest}>${escapeHtml(words)}</text>`;

const line = (path: string, style: string): string => `<path d="${path}" ${style}/>`;

const styleOf = (at: number): string =>
  `stroke="${LINES[at]![0]}" stroke-width="1.8" fill="none"${DASHES[at] === '' ? '' : ` stroke-dasharray="${DASHES[at]}"`}`;

/** A drawing with its title and its description for readers who cannot see it. */
export function svgOf(
  [width, height]: readonly [number, number],
  font: string,
  [title, description]: readonly [string, string],
  lines: readonly string[],
): string {
  return `${[
    `<svg role="img" aria-labelledby="title" aria-describedby="description" xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ${font}>`,
    `<title id="title">${escapeHtml(title)}</title>`,
    `<desc id="description">${escapeHtml(description)}</desc>`,
    ...lines,
    '</svg>',
  ].join('\n')}\n`;
}

/** Draws panels as SVG that follows the reader's light or dark colour scheme. */
export function drawPlot(panels: readonly Panel[], layout: Layout): string {
  const names = [...new Set(panels.flatMap(({ series }) => series.map(({ name }) => name)))];
  const legend = layout.isNamed ? [] : names;
  const top = TOP + (legend.length > 0 ? (legend.length + 1) * ROW : 0);
  const step = PANEL.left + layout.width + layout.right;
  const columns = Math.min(layout.columns, panels.length);
  const height = top + Math.ceil(panels.length / columns) * (PANEL.height + PANEL.below) - 16;
  const dark = [PAPER, INK, GRID, ...LINES].flatMap(([light, other]) =>
    ['fill', 'stroke'].map((property) => `[${property}="${light}"]{${property}:${other}}`),
  );
  const drawn = panels.map((panel, at) => {
    const [x, y] = [PANEL.left + (at % columns) * step, top + Math.floor(at / columns) * (PANEL.height + PANEL.below)];
    return `<g transform="translate(${x} ${y})">\n${drawPanel(panel, names, layout).join('\n')}\n</g>`;
  });
  const font = 'font-family="ui-serif,Charter,Georgia,serif" font-size="11"';
  return svgOf(
    [columns * step, height],
    font,
    [TITLE, DESCRIPTION],
    [
      `<style>@media (prefers-color-scheme:dark){${dark.join('')}}</style>`,
      `<rect width="100%" height="100%" fill="${PAPER[0]}"/>`,
      ...legend.flatMap((name, at) => [
        line(`M${PANEL.left} ${TOP + at * ROW - 12}h26`, styleOf(at)),
        write(PANEL.left + 32, TOP + at * ROW - 12, name),
      ]),
      ...drawn,
    ],
  );
}

function drawPanel({ title, series }: Panel, names: readonly string[], { width, isNamed }: Layout): string[] {
  const x = (k: number): number => (width * k) / MAX_K;
  const middle = `fill="${INK[0]}" text-anchor="middle"`;
  const lines = series.map(({ name, shares }) => {
    const places = shares.map((share, k) => `${round(x(k))} ${round(placeOf(share))}`);
    return line(`M${places.join('L')}`, styleOf(names.indexOf(name)));
  });
  return [
    write(0, -12, title, `fill="${INK[0]}" font-size="12" font-weight="600"`),
    ...KS.flatMap((k) => [
      line(`M${round(x(k))} 0V${PANEL.height + 4}`, `stroke="${GRID[0]}"`),
      write(x(k), PANEL.height + 13, String(k), middle),
    ]),
    ...SHARES.flatMap((share) => [
      line(`M-4 ${round(placeOf(share))}H${width}`, `stroke="${GRID[0]}"`),
      write(-7, placeOf(share), `${Math.round(100 * share)} %`, `fill="${INK[0]}" text-anchor="end"`),
    ]),
    write(width / 2, PANEL.height + 30, 'k of 64 bits; of 256 bits four times as many', middle),
    write(-43, PANEL.height / 2, 'share of pairs', `${middle} transform="rotate(-90 -43 ${PANEL.height / 2})"`),
    ...lines,
    ...(isNamed ? namesBeside(series, names, width) : []),
  ];
}

/** The place of a share on its axis, which is a little longer than 0 to 100 %. */
function placeOf(share: number): number {
  return PANEL.height * (1 - (share + 0.04) / 1.08);
}

/** Writes the name of each line beside its end, one below the other. */
function namesBeside(series: readonly Series[], names: readonly string[], width: number): string[] {
  const places = series
    .map(({ name, shares }) => {
      const y = placeOf(shares.at(-1)!);
      return { colour: LINES[names.indexOf(name)]![0], name, y, at: y };
    })
    .sort((a, b) => a.y - b.y);
  // Each is pushed below the one above it, then all of them up into the panel.
  places.forEach((place, i) => {
    if (i > 0) place.at = Math.max(place.at, places[i - 1]!.at + ROW);
  });
  for (let i = places.length - 1, limit = PANEL.height; i >= 0; i--, limit -= ROW)
    places[i]!.at = Math.min(places[i]!.at, limit);
  return places.flatMap(({ colour, name, y, at }) => {
    const left = width + 16;
    return [
      line(`M${width + 1} ${round(y)}L${round(left - 3)} ${round(at)}`, `stroke="${colour}" stroke-width="0.7"`),
      write(left, at, name, `fill="${colour}"`),
    ];
  });
}
