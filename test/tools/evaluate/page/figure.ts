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
  /** Of d3-format. */
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
}

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
const PANEL = { width: 250, height: 170, right: 66, below: 70, columns: 2 };
const MARGIN = { left: 58, top: 28, right: 20 };
const LEGEND = { row: 18, columns: 2, width: 316 };

/** Draws a figure as SVG that follows the reader's light or dark colour scheme. */
export async function drawFigure(figure: Figure): Promise<string> {
  const view = new View(parse(specOf(figure)), { renderer: 'none' });
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

function specOf(figure: Figure): Spec {
  const names = [...new Set(figure.panels.flatMap(({ series }) => series.map(({ name }) => name)))];
  const columns = Math.min(PANEL.columns, figure.panels.length);
  const rows = Math.ceil(figure.panels.length / columns);
  const height = rows * (PANEL.height + PANEL.below);
  const legend = Math.ceil(names.length / LEGEND.columns) * LEGEND.row;
  return {
    // Those of a panel, for the grids of the axes; the others stand in the padding.
    width: PANEL.width,
    height: PANEL.height,
    padding: {
      left: MARGIN.left,
      top: MARGIN.top,
      right: (columns - 1) * (PANEL.width + PANEL.right) + MARGIN.right,
      bottom: height + legend - PANEL.height,
    },
    autosize: 'none',
    background: PAPER[0],
    marks: [
      ...figure.panels.map((panel, at) => panelOf(figure, panel, names, [at % columns, Math.floor(at / columns)])),
      ...names.flatMap((name, at) => legendEntry(name, at, height - 6)),
    ],
  };
}

function panelOf(
  figure: Figure,
  { title, series }: Panel,
  names: readonly string[],
  [column, row]: [number, number],
): Mark {
  return {
    type: 'group',
    encode: {
      enter: {
        x: { value: column * (PANEL.width + PANEL.right) },
        y: { value: row * (PANEL.height + PANEL.below) },
        width: { value: PANEL.width },
        height: { value: PANEL.height },
      },
    },
    scales: [scaleOf('x', 'width', figure.x), scaleOf('y', 'height', figure.y)],
    axes: [axisOf('bottom', 'x', figure.x), axisOf('left', 'y', figure.y)],
    data: series.map(({ points }, at) => ({ name: `series${at}`, values: [...points] })),
    marks: [
      textAt(title, 0, -12, 'bold'),
      ...series.map(({ name }, at) => lineOf(`series${at}`, names.indexOf(name), figure.stepped === true)),
    ],
  };
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

function legendEntry(name: string, at: number, top: number): Mark[] {
  const x = (at % LEGEND.columns) * LEGEND.width;
  const y = top + Math.floor(at / LEGEND.columns) * LEGEND.row;
  return [
    { type: 'rule', encode: { enter: { x: { value: x }, x2: { value: x + 26 }, y: { value: y }, ...styleOf(at) } } },
    textAt(name, x + 32, y),
  ];
}

function textAt(text: string, x: number, y: number, weight: 'bold' | 'normal' = 'normal'): Mark {
  return {
    type: 'text',
    encode: {
      enter: {
        x: { value: x },
        y: { value: y },
        text: { value: text },
        fill: { value: INK[0] },
        fontSize: { value: weight === 'bold' ? 12 : 11 },
        fontWeight: { value: weight },
        baseline: { value: 'middle' },
      },
    },
  };
}
