import { escapeHtml } from '../../../../src/common/text.ts';
import { readPart } from '../results.ts';
import { svgOf } from './figure.ts';

/** The methods of the picture, with their names for readers. */
const METHODS: Readonly<Record<string, string>> = {
  'minhash-doc-256': 'minhash-doc-256',
  'datasketch, words': 'MinHash (datasketch)',
  'minhash-doc': 'minhash-doc',
  'ISCC text code, 256 bits': 'ISCC text code',
  'ISCC text code, 64 bits': 'ISCC text code',
  TLSH: 'TLSH',
  simhash: 'simhash (PyPI)',
  'simhash-doc': 'simhash-doc',
};

/** The shares that a method found, over the collections. */
interface FoundRange {
  readonly name: string;
  /** The size of what is kept of a document, in bytes. */
  readonly bytes: number;
  readonly collections: number;
  /** Shares from 0 to 1. */
  readonly least: number;
  readonly median: number;
  readonly most: number;
}

/** The shares of the true pairs that each method finds while at most 1 % of the reported pairs are false; the best method first. */
export function foundRanges(): readonly FoundRange[] {
  const measured = readPart('rivals');
  const ranges = Object.entries(METHODS).map(([method, name]) => {
    const of = measured.filter((each) => each.method === method);
    const shares = of.map(({ best }) => best?.recall ?? 0).sort((a, b) => a - b);
    const middle = shares.length / 2;
    const median = (shares[Math.ceil(middle) - 1]! + shares[Math.floor(middle)]!) / 2;
    return { name, bytes: of[0]!.bytes, collections: of.length, least: shares[0]!, median, most: shares.at(-1)! };
  });
  return ranges.sort((a, b) => b.least + b.median + b.most - a.least - a.median - a.most);
}

const COLOURS = {
  light: { ground: '#ffffff', text: '#1f2328', faint: '#57606a', grid: '#d8dee4', ours: '#0550ae', other: '#8c959f' },
  dark: { ground: '#0d1117', text: '#e6edf3', faint: '#b1bac4', grid: '#30363d', ours: '#79c0ff', other: '#6e7681' },
} as const;

const HEADING = 'Near-duplicates found, while at most 1 % of the pairs found are false';
const [WIDTH, ROW, TOP, LEFT, RIGHT] = [720, 27, 62, 250, 630];

/** Draws the ranges for a light or a dark page. */
export function drawPicture(scheme: keyof typeof COLOURS): string {
  const ranges = foundRanges();
  const { ground, text, faint, grid, ours, other } = COLOURS[scheme];
  const height = TOP + ranges.length * ROW + 34;
  const bottom = height - 34;
  const x = (share: number): number => Math.round(LEFT + share * (RIGHT - LEFT));
  const write = (left: number, top: number, words: string, rest = ''): string =>
    `<text x="${left}" y="${top}" ${rest || `fill="${text}"`}>${escapeHtml(words)}</text>`;
  const lines = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
    `<path d="M${x(share)} ${TOP - 8}V${bottom}" stroke="${grid}"/>`,
    write(x(share), bottom + 18, `${100 * share} %`, `fill="${faint}" text-anchor="middle"`),
  ]);
  const rows = ranges.flatMap(({ name, bytes, least, median, most }, i) => {
    const y = TOP + i * ROW + ROW / 2;
    const colour = name.includes('-doc') ? ours : other;
    return [
      write(12, y + 4, name, `fill="${colour === ours ? ours : text}"${colour === ours ? ' font-weight="600"' : ''}`),
      write(LEFT - 16, y + 4, `${bytes} bytes`, `fill="${faint}" text-anchor="end"`),
      `<path d="M${x(least)} ${y}H${Math.max(x(most), x(least) + 1)}" stroke="${colour}" stroke-width="8" stroke-linecap="round" opacity="0.45"/>`,
      `<circle cx="${x(median)}" cy="${y}" r="6" fill="${colour}"/>`,
      write(RIGHT + 16, y + 4, rangeOf(least, most), `fill="${text}"`),
    ];
  });
  const [{ collections }] = ranges as [FoundRange];
  const description = ranges.map(({ name, bytes, least, most }) => `${name}, ${bytes} bytes: ${rangeOf(least, most)}`);
  const legend = `Bars: least to most of ${collections} collections of real documents; dots: the median`;
  const title = 'Near-duplicates found by size of the fingerprint';
  const font = 'font-family="system-ui,sans-serif" font-size="13"';
  return svgOf(
    [WIDTH, height],
    font,
    [title, `${description.join('. ')}.`],
    [
      `<rect width="${WIDTH}" height="${height}" fill="${ground}"/>`,
      write(12, 22, HEADING, `fill="${text}" font-size="15" font-weight="600"`),
      write(12, 42, legend, `fill="${faint}"`),
      ...lines,
      ...rows,
    ],
  );
}

/** A range of shares: `58–96 %`. */
export function rangeOf(least: number, most: number): string {
  const [a, b] = [least, most].map((share) => Math.round(100 * share));
  return a === b ? `${a} %` : `${a}–${b} %`;
}
