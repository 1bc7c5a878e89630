import { isAlike, type PdfLine } from './build-lines.ts';

/** Lines at the edge of a page that may be running: a header or footer has no more. */
const EDGE = 3;
/** The distance to the next page with the same line: left and right pages differ, and one may be a picture. */
const REACH = 3;

/** Removes lines at the edges that a page nearby has at the same place, perhaps with another number, but the first. */
export function withoutRepetitions(pages: readonly (readonly PdfLine[])[]): PdfLine[][] {
  const all = pages.map(keysOf);
  const edges = pages.map((lines, page) => {
    const own = all[page]!;
    return new Map(edgeLines(lines).flatMap((line) => (own.has(line) ? [[line, own.get(line)!] as const] : [])));
  });
  const keys = edges.map((edge) => new Set(edge.values()));
  const short = pages.map((lines, page) => (isShort(lines) ? lines.map((line) => all[page]!.get(line)) : null));
  const ofLongPages = new Set(keys.flatMap((edge, page) => (short[page] === null ? [...edge] : [])));
  const known = new Set<string>();
  return pages.map((lines, page) => {
    const nearby = around(keys, page);
    const own = short[page]!;
    // A ticket or a label, of which each page has another copy, is not a header.
    const copied = own === null ? [] : around(short, page).flatMap((others) => others ?? []);
    const isCopy = own?.every((key) => copied.includes(key)) === true;
    return lines.filter((line) => {
      const key = own === null ? edges[page]!.get(line) : all[page]!.get(line);
      if (key === undefined) return true;
      const isRepeated = edges[page]!.has(line) && !isCopy && nearby.some((other) => other.has(key));
      if (!isRepeated && (own === null || !ofLongPages.has(key))) return true;
      const words = line.text.replace(/\P{L}+/gu, ' ').trim();
      if (known.has(words)) return false;
      known.add(words);
      return true;
    });
  });
}

function isShort(lines: readonly PdfLine[]): boolean {
  return lines.length <= 2 * EDGE;
}

function around<T>(elements: readonly T[], page: number): readonly T[] {
  return [...elements.slice(Math.max(0, page - REACH), page), ...elements.slice(page + 1, page + 1 + REACH)];
}

/** Lines that may be running headers or footers. A single number may be one; several are a row of a table. */
function edgeLines(lines: readonly PdfLine[]): PdfLine[] {
  const sorted = [...lines].sort((one, other) => other.baseline - one.baseline);
  // A short page has one header and one footer, if it has something between them.
  const depth = !isShort(lines) ? EDGE : sorted.length > 2 ? 1 : 0;
  if (depth === 0) return [];
  const candidates = new Set([...sorted.slice(0, depth), ...sorted.slice(-depth)]);
  const near = new Set([...sorted.slice(0, MAX_COMPARED), ...sorted.slice(-MAX_COMPARED)]);
  const inBody = bodyLines([...near], depth);
  return [...candidates].filter(
    (line) => !inBody.has(line) && (/\p{L}/u.test(line.text) || /^\P{N}*\p{N}+\P{N}*$/u.test(line.text)),
  );
}

/** Returns the lines near the edges that are in neither a header nor a footer of at most `depth` rows. */
function bodyLines(sorted: readonly PdfLine[], depth: number): ReadonlySet<PdfLine> {
  const baselines = [...new Set(sorted.map(({ baseline }) => Math.round(baseline)))];
  const [first, last] = [baselines[depth - 1]!, baselines.at(-depth) ?? Number.NEGATIVE_INFINITY];
  const outer: PdfLine[] = [];
  const body = new Set<PdfLine>();
  for (const line of sorted) {
    const height = Math.round(line.baseline);
    const isOuter = height >= first || (height <= last && !isTooHigh(line, sorted[0]!));
    if (isOuter) outer.push(line);
    else body.add(line);
  }
  // From the body outwards, through one row after the other.
  for (let row = 0; row < depth; row++)
    for (const line of outer) if (!body.has(line) && hasNextLine(body, line)) body.add(line);
  return body;
}

function hasNextLine(lines: ReadonlySet<PdfLine>, line: PdfLine): boolean {
  for (const other of lines) if (isNextLine(line, other)) return true;
  return false;
}

/** Tests whether the last lines of a page stand in its upper half, where no footer does: their height counts from its lower edge. */
function isTooHigh({ baseline, angle }: PdfLine, first: PdfLine): boolean {
  return angle === 0 && first.angle === 0 && baseline > first.baseline / 2;
}

/** The maximum number of lines from each edge that are compared with one another: a long row would take quadratic time. */
const MAX_COMPARED = 100;
const PITCH = 1.5;

function isNextLine(one: PdfLine, other: PdfLine): boolean {
  const pitch = Math.abs(one.baseline - other.baseline);
  const overlap = Math.min(one.end, other.end) - Math.max(one.start, other.start);
  return isAlike(one, other) && overlap > 0 && pitch > 0.5 * one.size && pitch < PITCH * one.size;
}

/** Identifies lines by place and words, a number by its row. Several numbers are a row of a table, without a key. */
function keysOf(lines: readonly PdfLine[]): ReadonlyMap<PdfLine, string> {
  const keys = new Map<PdfLine, string>();
  for (let from = 0, to = 1; from < lines.length; from = to++) {
    while (lines[to]?.continuesRow === true) to++;
    const row = lines.slice(from, to);
    const isNumeric = row.map(({ text }) => !/\p{L}/u.test(text) && /\p{N}/u.test(text));
    if (row.length > 1 && isNumeric.filter(Boolean).length > 1) continue;
    const places = row.map((line) => (row.length > 1 ? `${Math.round(line.start)} ${keyOf(line)}` : keyOf(line)));
    for (const [at, line] of row.entries()) keys.set(line, isNumeric[at] ? places.join(' ') : places[at]!);
  }
  return keys;
}

/** Identifies a line. All numbers are equal, including standalone Roman numerals. */
function keyOf({ text, baseline, size, angle }: PdfLine): string {
  const words = text.replace(/\p{N}+/gu, '0').replace(/^[ivxlc]+$|(?<=\s)[ivxlc]+$|^[ivxlc]+(?=\s)/giu, '0');
  return [words, Math.round(baseline), Math.round(size), angle].join(' ');
}

/** The minimum number of consecutive numbers that are line numbers. */
const NUMBERED = 8;
const LINE_NUMBER = /^([1-9]\d{0,4}|0)(?: |$)/;
/** A number this much smaller than the text beside it counts lines, and may stand within the margin of other text. */
const SMALL = 0.85;
/** A page with more columns of numbers has tables; each is compared with all lines. */
const MAX_COLUMNS = 32;
const DIGIT_WIDTH = 0.6;

/** Removes line numbers in the margin or before the text of a line: they would separate the halves of a word. */
export function withoutLineNumbers(lines: readonly PdfLine[]): PdfLine[] {
  const numbers = lines.map(({ text }) => Number(LINE_NUMBER.exec(text)?.[1]));
  if (numbers.filter((number) => !Number.isNaN(number)).length < NUMBERED) return [...lines];
  const columns: number[][] = [];
  for (const alone of [true, false]) {
    const at = lines.flatMap((line, index) =>
      Number.isNaN(numbers[index]!) || isNumber(line) !== alone ? [] : [index],
    );
    for (let from = 0, to = 1; from < at.length; from = to++) {
      while (to < at.length && follows(at[to - 1]!, at[to]!, alone)) to++;
      if (to - from >= NUMBERED) columns.push(at.slice(from, to));
    }
  }
  if (columns.length > MAX_COLUMNS) return [...lines];
  const counted = new Set(columns.filter((column) => countsLines(lines, column, columns)).flat());
  if (counted.size === 0) return [...lines];
  return lines.flatMap((line, index) => {
    if (counted.has(index)) return isNumber(line) ? [] : [{ ...line, text: line.text.replace(/^\d+ /, '') }];
    return line.continuesRow && counted.has(index - 1) ? [{ ...line, continuesRow: false }] : [line];
  });

  /** True if one line has the next number after another, and stands below it in the same margin. */
  function follows(one: number, other: number, alone: boolean): boolean {
    const [before, after] = [lines[one]!, lines[other]!];
    const place = Math.min(Math.abs(before.start - after.start), Math.abs(before.end - after.end));
    const margin = alone ? place : Math.abs(before.start - after.start);
    const near = alone || other === one + 1;
    return near && numbers[other] === numbers[one]! + 1 && after.baseline < before.baseline && margin < after.size;
  }
}

function isNumber({ text }: PdfLine): boolean {
  return /^\d+$/.test(text);
}

/** Tests whether numbers count lines: most stand beside words, and are smaller or beyond all other text. */
function countsLines(
  lines: readonly PdfLine[],
  column: readonly number[],
  columns: readonly (readonly number[])[],
): boolean {
  const members = new Set(column);
  const height = 0.6 * lines[column[0]!]!.size;
  const rowOf = ({ baseline }: PdfLine): number => Math.round(baseline / height);
  // The size of the words in each row.
  const sizes = new Map<number, number>();
  lines.forEach((line, index) => {
    if (/\p{L}/u.test(line.text) && (!members.has(index) || !isNumber(line))) sizes.set(rowOf(line), line.size);
  });
  let [inTable, withWords, small] = [0, 0, 0];
  for (const index of column) {
    const size = sizes.get(rowOf(lines[index]!));
    if (size !== undefined) withWords++;
    if (size !== undefined && lines[index]!.firstSize <= SMALL * size) small++;
    if (lines[index + 1]?.continuesRow === true && lines[index + 2]?.continuesRow === true) inTable++;
  }
  if (2 * withWords < column.length || 2 * inTable > column.length) return false;
  if (2 * small > withWords) return true;
  return !columns.some((other) => standsBeside(lines, column, other)) && standsOutside(lines, members);
}

/** Tests whether two columns share some height of the page, but no margin. */
function standsBeside(lines: readonly PdfLine[], one: readonly number[], other: readonly number[]): boolean {
  const [top, bottom, otherTop, otherBottom] = [one[0]!, one.at(-1)!, other[0]!, other.at(-1)!].map((at) => lines[at]!);
  const off = Math.min(Math.abs(bottom!.start - otherBottom!.start), Math.abs(bottom!.end - otherBottom!.end));
  const isBelow = bottom!.baseline > otherTop!.baseline || otherBottom!.baseline > top!.baseline;
  return one !== other && !isBelow && off > bottom!.size;
}

/** Tests whether a column of numbers is left or right of all other text of the page, except for a line at its top or bottom. */
function standsOutside(lines: readonly PdfLine[], column: ReadonlySet<number>): boolean {
  const numbers = lines.filter((_, index) => column.has(index));
  const first = numbers[0]!;
  const last = numbers.at(-1)!;
  const pitch = (first.baseline - last.baseline) / (numbers.length - 1);
  let [left, right] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { start, text, firstSize } of numbers) {
    left = Math.min(left, start);
    right = Math.max(right, start + DIGIT_WIDTH * firstSize * LINE_NUMBER.exec(text)![1]!.length);
  }
  // Numbers of the same margin that do not continue the count, for example on empty lines, are not other text.
  const isOther = ({ text, start, angle }: PdfLine): boolean =>
    angle === first.angle && !(LINE_NUMBER.test(text) && start > left - first.size && start < right);
  const others = lines.filter((line, index) => !column.has(index) && isOther(line));
  const [top, bottom] = others.reduce(
    ([max, min], { baseline }) => [Math.max(max, baseline), Math.min(min, baseline)],
    [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
  );
  const isAtEdge = ({ baseline, size }: PdfLine): boolean =>
    (baseline > top - size && baseline > first.baseline + 1.5 * pitch) ||
    (baseline < bottom + size && baseline < last.baseline - 1.5 * pitch);
  const near = others.filter((line) => !isAtEdge(line));
  return near.every(({ start }) => start >= right) || near.every(({ end }) => end <= left);
}
