import { type Axis, type Mark, parse, type Scale, type Spec, View } from 'vega';

/** A line through points, or a histogram if the figure is stepped. */
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
  /** The format of d3-format. */
  readonly format?: string;
  readonly logarithmic?: boolean;
  readonly ticks?: readonly number[];
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
  readonly stepped?: boolean;
  /** The meaning of the names in the plot. */
  readonly note?: string;
}

/** The layout of a figure, for the width of a page or of a phone. */
interface Layout {
  readonly columns: number;
  /** The width of a panel, without its axis. */
  readonly width: number;
  /** The space at the right of a panel. It holds the names of the lines if they stand beside them, not above the panels. */
  readonly right: number;
  readonly isNamed: boolean;
  /** The characters of a line of the note. */
  readonly note: number;
}

/** The layouts by the endings of the names of files. */
export const LAYOUTS: Readonly<Record<string, Layout>> = {
  '': { columns: 2, width: 210, right: 172, isNamed: true, note: 125 },
  '-narrow': { columns: 1, width: 262, right: 16, isNamed: false, note: 52 },
};

/** Colours for light and dark backgrounds. */
const PAPER = ['#ffffff', '#0d1117'] as const;
const INK = ['#1f2328', '#e6edf3'] as const;
const GRID = ['#d8dee4', '#30363d'] as const;
const LINES = [
  ['#0550ae', '#79c0ff'],
  ['#bc4c00', '#ffa657'],
  ['#1a7f37', '#56d364'],
  ['#8250df', '#d2a8ff'],
  ['#a40e26', '#ff9492'],
  ['#57606a', '#b1bac4'],
  ['#0a7ea4', '#39c5cf'],
] as const;
const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 2], [8, 2, 2, 2], [4, 4], [1, 3], [10, 4]];

/** Sizes in pixels. All are fixed: nothing hangs on the fonts of the machine. */
const PANEL = { left: 50, height: 170, below: 70 };
const TOP = 28;
/** The height of a line of text. */
const ROW = 15;

/** Draws a figure as SVG that follows the reader's light or dark colour scheme. */
export async function drawFigure(figure: Figure, layout: Layout): Promise<string> {
  const view = new View(parse(specOf(figure, layout)), { renderer: 'none' });
  const svg = await view.toSVG();
  view.finalize();
  const dark = [PAPER, INK, GRID, ...LINES].flatMap(([light, other]) =>
    ['fill', 'stroke'].map((property) => `[${property}="${light}"]{${property}:${other}}`),
  );
  const head = [
    `<title id="title">${escapeXml(figure.title)}</title>`,
    `<desc id="description">${escapeXml(figure.description)}</desc>`,
    `<style>@media (prefers-color-scheme:dark){${dark.join('')}}</style>`,
  ];
  return `${shorten(svg)
    .replace('<svg ', '<svg role="img" aria-labelledby="title" aria-describedby="description" ')
    .replace('>', `>\n${head.join('\n')}\n`)}\n`;
}

/** Coordinates with one decimal, without what Vega adds for readers of single marks. */
function shorten(svg: string): string {
  const round = (text: string): string =>
    text.replace(/-?\d*\.\d+(?:e-\d+)?/g, (number) => String(Math.round(Number(number) * 10) / 10 || 0));
  return svg
    .replace(/ (?:d|transform|x2|y2)="[^"]*"/g, round)
    .replace(/ (?:role|aria-[a-z]+|class|pointer-events|opacity)="[^"]*"/g, '')
    .replace(/<path d="[^"]*" display="none"\/>/g, '');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function specOf(figure: Figure, given: Layout): Spec {
  // The names of histograms stand in the panels.
  const freed = figure.stepped && given.isNamed ? 110 : 0;
  const layout = { ...given, width: given.width + freed, right: given.right - freed };
  const names = [...new Set(figure.panels.flatMap(({ series }) => series.map(({ name }) => name)))];
  const columns = Math.min(layout.columns, figure.panels.length);
  const rows = Math.ceil(figure.panels.length / columns);
  const legend = layout.isNamed ? 0 : names.length * ROW + ROW;
  const note = wrap(figure.note ?? '', layout.note);
  const end = legend + rows * (PANEL.height + PANEL.below) - 6;
  const step = PANEL.left + layout.width + layout.right;
  return {
    // Those of a panel, for the grids of the axes; the others stand in the padding.
    width: layout.width,
    height: PANEL.height,
    padding: {
      left: PANEL.left,
      top: TOP,
      right: (columns - 1) * step + layout.right,
      bottom: end + note.length * ROW - PANEL.height,
    },
    autosize: 'none',
    background: PAPER[0],
    marks: [
      ...(layout.isNamed ? [] : names.flatMap((name, at) => legendEntry(name, at, at * ROW - 12))),
      ...figure.panels.map((panel, at) =>
        panelOf(figure, panel, names, layout, [
          (at % columns) * step,
          legend + Math.floor(at / columns) * (PANEL.height + PANEL.below),
        ]),
      ),
      ...note.map((line, at) => textAt(line, 6 - PANEL.left, end + at * ROW - 6)),
    ],
  };
}

/** Breaks a text into lines. */
function wrap(text: string, length: number): string[] {
  return text === '' ? [] : text.match(new RegExp(`.{1,${length}}(?: |$)`, 'g'))!.map((line) => line.trim());
}

function panelOf(
  figure: Figure,
  { title, series }: Panel,
  names: readonly string[],
  layout: Layout,
  [x, y]: [number, number],
): Mark {
  return {
    type: 'group',
    encode: {
      enter: {
        x: { value: x },
        y: { value: y },
        width: { value: layout.width },
        height: { value: PANEL.height },
      },
    },
    scales: [scaleOf('x', 'width', figure.x), scaleOf('y', 'height', figure.y)],
    axes: [axisOf('bottom', 'x', figure.x), axisOf('left', 'y', figure.y)],
    data: series.map(({ points }, at) => ({ name: `series${at}`, values: [...points] })),
    marks: [
      textAt(title, 0, -12, 'bold'),
      ...series.map(({ name }, at) => lineOf(`series${at}`, names.indexOf(name), figure.stepped === true)),
      ...(layout.isNamed ? namesBeside(figure, series, names, layout.width) : []),
    ],
  };
}

/** Writes the name of each line beside its end, that of a histogram beside its peak, one below the other. */
function namesBeside(figure: Figure, series: readonly Series[], names: readonly string[], width: number): Mark[] {
  const places = series
    .filter(({ points }) => points.length > 0)
    .map(({ name, points }) => {
      const shown = figure.stepped ? points.reduce((best, point) => (point.y > best.y ? point : best)) : points.at(-1)!;
      const x = width * shareOf(figure.x, shown.x);
      const y = PANEL.height * (1 - shareOf(figure.y, shown.y));
      return { style: names.indexOf(name), name, x, y, at: y };
    })
    .sort((a, b) => a.y - b.y);
  // Each is pushed below the one above it, then all of them up into the panel.
  places.forEach((place, i) => {
    if (i > 0) place.at = Math.max(place.at, places[i - 1]!.at + ROW);
  });
  for (let i = places.length - 1, limit = PANEL.height; i >= 0; i--, limit -= ROW)
    places[i]!.at = Math.min(places[i]!.at, limit);
  return places.flatMap(({ style, name, x, y, at }): Mark[] => {
    const left = figure.stepped ? x + 14 : width + 16;
    const line = { x: { value: x + 1 }, y: { value: y }, x2: { value: left - 3 }, y2: { value: at } };
    const colour = LINES[style % LINES.length]![0];
    return [
      { type: 'rule', encode: { enter: { ...line, stroke: { value: colour }, strokeWidth: { value: 0.7 } } } },
      textAt(name, left, at, 'normal', colour),
    ];
  });
}

/** The place of a value on its axis, from 0 to 1. */
function shareOf({ domain: [from, to], logarithmic }: Quantity, value: number): number {
  const [a, b, x] = logarithmic ? [Math.log(from), Math.log(to), Math.log(value)] : [from, to, value];
  return Math.max(0, Math.min(1, (x - a) / (b - a)));
}

function scaleOf(name: string, range: 'width' | 'height', { domain, logarithmic }: Quantity): Scale {
  const type = logarithmic ? 'log' : 'linear';
  return { name, type, range, domain: [...domain], nice: false, zero: false, clamp: true } as Scale;
}

function axisOf(orient: 'bottom' | 'left', scale: string, { title, format, ticks }: Quantity): Axis {
  return {
    orient,
    scale,
    title,
    ...(format === undefined ? {} : { format }),
    ...(ticks === undefined ? { tickCount: 6 } : { values: [...ticks] }),
    aria: false,
    grid: true,
    gridColor: GRID[0],
    domainColor: INK[0],
    tickColor: INK[0],
    labelColor: INK[0],
    labelFontSize: 11,
    labelOverlap: false,
    labelBound: false,
    titleColor: INK[0],
    titleFontSize: 11,
    titleFontWeight: 'normal',
    // Given, so that no label has to be measured.
    minExtent: orient === 'left' ? 36 : 20,
    maxExtent: orient === 'left' ? 36 : 20,
  };
}

const styleOf = (at: number) => ({
  stroke: { value: LINES[at % LINES.length]![0] },
  strokeWidth: { value: 1.8 },
  strokeDash: { value: [...DASHES[at % DASHES.length]!] },
});

function lineOf(data: string, style: number, stepped: boolean): Mark {
  return {
    type: 'line',
    from: { data },
    encode: {
      enter: {
        x: { scale: 'x', field: 'x' },
        y: { scale: 'y', field: 'y' },
        interpolate: { value: stepped ? 'step' : 'linear' },
        ...styleOf(style),
      },
    },
  };
}

function legendEntry(name: string, at: number, y: number): Mark[] {
  return [
    { type: 'rule', encode: { enter: { x: { value: 0 }, x2: { value: 26 }, y: { value: y }, ...styleOf(at) } } },
    textAt(name, 32, y),
  ];
}

function textAt(
  text: string,
  x: number,
  y: number,
  weight: 'bold' | 'normal' = 'normal',
  colour: string = INK[0],
): Mark {
  return {
    type: 'text',
    encode: {
      enter: {
        x: { value: x },
        y: { value: y },
        text: { value: text },
        fill: { value: colour },
        fontSize: { value: weight === 'bold' ? 12 : 11 },
        fontWeight: { value: weight },
        baseline: { value: 'middle' },
      },
    },
  };
}
