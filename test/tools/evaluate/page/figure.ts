import { escapeHtml } from '../../../../src/common/text.ts';

/** A line through points. */
export interface Series {
  readonly name: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

/** One pair of axes. The series of one name look the same in all panels. */
export interface Panel {
  readonly title: string;
  readonly series: readonly Series[];
}

interface Quantity {
  readonly title: string;
  readonly domain: readonly [number, number];
  readonly ticks: readonly number[];
  /** Shares from 0 to 1 are written as per cent. */
  readonly isShare?: boolean;
}

/** A plot as a file. */
export interface Figure {
  /** The name of the file without its ending. */
  readonly name: string;
  readonly title: string;
  /** A description for readers who cannot see the plot. */
  readonly description: string;
  readonly x: Quantity;
  readonly y: Quantity;
  readonly panels: readonly Panel[];
}

/** The layout of a figure, for the width of a page or of a phone. */
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

/** Draws a figure as SVG that follows the reader's light or dark colour scheme. */
export function drawFigure(figure: Figure, layout: Layout): string {
  const names = [...new Set(figure.panels.flatMap(({ series }) => series.map(({ name }) => name)))];
  const legend = layout.isNamed ? [] : names;
  const top = TOP + (legend.length > 0 ? (legend.length + 1) * ROW : 0);
  const step = PANEL.left + layout.width + layout.right;
  const columns = Math.min(layout.columns, figure.panels.length);
  const height = top + Math.ceil(figure.panels.length / columns) * (PANEL.height + PANEL.below) - 16;
  const dark = [PAPER, INK, GRID, ...LINES].flatMap(([light, other]) =>
    ['fill', 'stroke'].map((property) => `[${property}="${light}"]{${property}:${other}}`),
  );
  const panels = figure.panels.map((panel, at) => {
    const [x, y] = [PANEL.left + (at % columns) * step, top + Math.floor(at / columns) * (PANEL.height + PANEL.below)];
    return `<g transform="translate(${x} ${y})">\n${drawPanel(figure, panel, names, layout).join('\n')}\n</g>`;
  });
  return `${[
    `<svg role="img" aria-labelledby="title" aria-describedby="description" xmlns="http://www.w3.org/2000/svg" width="${columns * step}" height="${height}" viewBox="0 0 ${columns * step} ${height}" font-family="ui-serif,Charter,Georgia,serif" font-size="11">`,
    `<title id="title">${escapeHtml(figure.title)}</title>`,
    `<desc id="description">${escapeHtml(figure.description)}</desc>`,
    `<style>@media (prefers-color-scheme:dark){${dark.join('')}}</style>`,
    `<rect width="100%" height="100%" fill="${PAPER[0]}"/>`,
    ...legend.flatMap((name, at) => [
      line(`M${PANEL.left} ${TOP + at * ROW - 12}h26`, styleOf(at)),
      write(PANEL.left + 32, TOP + at * ROW - 12, name),
    ]),
    ...panels,
    '</svg>',
  ].join('\n')}\n`;
}

function drawPanel(
  figure: Figure,
  { title, series }: Panel,
  names: readonly string[],
  { width, isNamed }: Layout,
): string[] {
  const x = (value: number): number => width * shareOf(figure.x, value);
  const y = (value: number): number => PANEL.height * (1 - shareOf(figure.y, value));
  const label = ({ isShare }: Quantity, value: number) => (isShare ? `${Math.round(100 * value)} %` : String(value));
  const middle = `fill="${INK[0]}" text-anchor="middle"`;
  const lines = series.map(({ name, points }) => {
    const places = points.map((point) => [round(x(point.x)), round(y(point.y))] as const);
    return line(`M${places.map((place) => place.join(' ')).join('L')}`, styleOf(names.indexOf(name)));
  });
  return [
    write(0, -12, title, `fill="${INK[0]}" font-size="12" font-weight="600"`),
    ...figure.x.ticks.flatMap((tick) => [
      line(`M${round(x(tick))} 0V${PANEL.height + 4}`, `stroke="${GRID[0]}"`),
      write(x(tick), PANEL.height + 13, label(figure.x, tick), middle),
    ]),
    ...figure.y.ticks.flatMap((tick) => [
      line(`M-4 ${round(y(tick))}H${width}`, `stroke="${GRID[0]}"`),
      write(-7, y(tick), label(figure.y, tick), `fill="${INK[0]}" text-anchor="end"`),
    ]),
    write(width / 2, PANEL.height + 30, figure.x.title, middle),
    write(-43, PANEL.height / 2, figure.y.title, `${middle} transform="rotate(-90 -43 ${PANEL.height / 2})"`),
    ...lines,
    ...(isNamed ? namesBeside(figure, series, names, width) : []),
  ];
}

/** The place of a value on its axis, from 0 to 1. */
function shareOf({ domain: [from, to] }: Quantity, value: number): number {
  return Math.max(0, Math.min(1, (value - from) / (to - from)));
}

/** Writes the name of each line beside its end, one below the other. */
function namesBeside(figure: Figure, series: readonly Series[], names: readonly string[], width: number): string[] {
  const places = series
    .map(({ name, points }) => {
      const shown = points.at(-1)!;
      const y = PANEL.height * (1 - shareOf(figure.y, shown.y));
      return { colour: LINES[names.indexOf(name)]![0], name, x: width * shareOf(figure.x, shown.x), y, at: y };
    })
    .sort((a, b) => a.y - b.y);
  // Each is pushed below the one above it, then all of them up into the panel.
  places.forEach((place, i) => {
    if (i > 0) place.at = Math.max(place.at, places[i - 1]!.at + ROW);
  });
  for (let i = places.length - 1, limit = PANEL.height; i >= 0; i--, limit -= ROW)
    places[i]!.at = Math.min(places[i]!.at, limit);
  return places.flatMap(({ colour, name, x, y, at }) => {
    const left = width + 16;
    return [
      line(`M${round(x + 1)} ${round(y)}L${round(left - 3)} ${round(at)}`, `stroke="${colour}" stroke-width="0.7"`),
      write(left, at, name, `fill="${colour}"`),
    ];
  });
}
