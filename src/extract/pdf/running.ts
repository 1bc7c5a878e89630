import type { Line } from './lines.ts';

/** Lines at the edge of a page that may be running: a header or footer has no more. */
const EDGE = 3;
/** How far away the next page with the same line may be: left and right pages differ, and one may be a picture. */
const REACH = 3;

/**
 * Removes repeated running headers and footers: lines at the top or bottom edge that a page nearby has at the same
 * position, with the same words and perhaps another number. The first occurrence is kept.
 * @param pages - the lines of each page
 */
export function withoutRepetitions(pages: readonly (readonly Line[])[]): Line[][] {
  const edges = pages.map((lines) => new Map(edgeLines(lines).map((line) => [line, keyOf(line)])));
  const keys = edges.map((edge) => new Set(edge.values()));
  const short = pages.map((lines) => (isShort(lines) ? lines.map(keyOf) : null));
  const ofLongPages = new Set(keys.flatMap((edge, page) => (short[page] === null ? [...edge] : [])));
  const known = new Set<string>();
  return pages.map((lines, page) => {
    const nearby = around(keys, page);
    const own = short[page]!;
    // A ticket or a label, of which each page has another copy, is no header.
    const copied = own === null ? [] : around(short, page).flatMap((all) => all ?? []);
    const isCopy = own?.every((key) => copied.includes(key)) === true;
    return lines.filter((line) => {
      const key = own === null ? edges[page]!.get(line) : keyOf(line);
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

/** Whether a page has so few lines that all of them stand at its edges. */
function isShort(lines: readonly Line[]): boolean {
  return lines.length <= 2 * EDGE;
}

/** The elements for the pages around one. */
function around<T>(elements: readonly T[], page: number): readonly T[] {
  return [...elements.slice(Math.max(0, page - REACH), page), ...elements.slice(page + 1, page + 1 + REACH)];
}

/** Lines that may be running headers or footers. A single number may be one; several are a row of a table. */
function edgeLines(lines: readonly Line[]): Line[] {
  const sorted = [...lines].sort((one, other) => other.baseline - one.baseline);
  // A short page has one header and one footer, if it has something between them.
  const depth = !isShort(lines) ? EDGE : sorted.length > 2 ? 1 : 0;
  const edge = depth === 0 ? [] : [...sorted.slice(0, depth), ...sorted.slice(-depth)];
  return edge.filter(({ text }) => /\p{L}/u.test(text) || /^\P{N}*\p{N}+\P{N}*$/u.test(text));
}

/** Identifies a line by its position and words. All numbers are equal, including standalone Roman numerals. */
function keyOf({ text, baseline, size, angle }: Line): string {
  const words = text.replace(/\p{N}+/gu, '0').replace(/^[ivxlc]+$|(?<=\s)[ivxlc]+$|^[ivxlc]+(?=\s)/giu, '0');
  return [words, Math.round(baseline), Math.round(size), angle].join(' ');
}

/** So many consecutive numbers, or more, are line numbers. */
const NUMBERED = 8;
const LINE_NUMBER = /^(\d{1,5})(?: |$)/;

function beginsWithDigit(text: string): boolean {
  const first = text.charCodeAt(0);
  return first >= 0x30 && first <= 0x39;
}

/**
 * Removes the line numbers in the margin of a manuscript or listing, on their own or before the text of a line: they would
 * separate the halves of a word.
 * @param lines - of one page
 */
export function withoutLineNumbers(lines: readonly Line[]): Line[] {
  const numbers = lines.map(({ text }) => (beginsWithDigit(text) ? Number(LINE_NUMBER.exec(text)?.[1]) : Number.NaN));
  if (numbers.filter((number) => !Number.isNaN(number)).length < NUMBERED) return [...lines];
  const counted = new Set<number>();
  for (const alone of [true, false]) {
    const at = lines.flatMap((line, index) =>
      Number.isNaN(numbers[index]!) || /^\d+$/.test(line.text) !== alone ? [] : [index],
    );
    for (let from = 0, to = 1; from < at.length; from = to++) {
      while (to < at.length && follows(at[to - 1]!, at[to]!, alone)) to++;
      if (to - from >= NUMBERED) for (const index of at.slice(from, to)) counted.add(index);
    }
  }
  if (counted.size === 0) return [...lines];
  return lines.flatMap((line, index) => {
    if (counted.has(index)) return /^\d+$/.test(line.text) ? [] : [{ ...line, text: line.text.replace(/^\d+ /, '') }];
    return line.continuesRow && counted.has(index - 1) ? [{ ...line, continuesRow: false }] : [line];
  });

  /** Whether one line has the number after that of another, and stands below it in the same margin. */
  function follows(one: number, other: number, alone: boolean): boolean {
    const [before, after] = [lines[one]!, lines[other]!];
    const place = Math.min(Math.abs(before.start - after.start), Math.abs(before.end - after.end));
    const margin = alone ? place : Math.abs(before.start - after.start);
    const near = alone || other === one + 1;
    return near && numbers[other] === numbers[one]! + 1 && after.baseline < before.baseline && margin < after.size;
  }
}
