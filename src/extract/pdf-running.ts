import type { Line } from './pdf-lines.ts';

/** Lines at the edge of a page that may be running: a header or footer has no more. */
const EDGE = 3;
/** How far away the next page with the same line may be: left and right pages differ, and one may be a picture. */
const REACH = 3;

/**
 * Takes the repetitions of running headers and footers out: lines at the upper or lower edge that stand at the same
 * place on a page nearby, with the same words and perhaps another number. Their words are kept where they come first.
 * @param pages - the lines of each page
 */
export function withoutRepetitions(pages: readonly (readonly Line[])[]): Line[][] {
  const edges = pages.map((lines) => new Map(edgeLines(lines).map((line) => [line, keyOf(line)])));
  const keys = edges.map((edge) => new Set(edge.values()));
  const known = new Set<string>();
  return pages.map((lines, page) => {
    const nearby = keys.slice(Math.max(0, page - REACH), page).concat(keys.slice(page + 1, page + 1 + REACH));
    return lines.filter((line) => {
      const key = edges[page]!.get(line);
      if (key === undefined || !nearby.some((other) => other.has(key))) return true;
      const words = line.text.replace(/\P{L}+/gu, ' ').trim();
      if (known.has(words)) return false;
      known.add(words);
      return true;
    });
  });
}

/** Lines that may be running. Of numbers alone, only one by itself: several are a row of a table. */
function edgeLines(lines: readonly Line[]): Line[] {
  const sorted = [...lines].sort((one, other) => other.baseline - one.baseline);
  const edge = sorted.length <= 2 * EDGE ? sorted : [...sorted.slice(0, EDGE), ...sorted.slice(-EDGE)];
  return edge.filter(({ text }) => /\p{L}/u.test(text) || /^\P{N}*\p{N}+\P{N}*$/u.test(text));
}

/** Tells lines apart by their place and their words; numbers, Roman ones by themselves too, count as the same. */
function keyOf({ text, baseline, size, angle }: Line): string {
  const words = text.replace(/\p{N}+/gu, '0').replace(/^[ivxlc]+$|(?<=\s)[ivxlc]+$|^[ivxlc]+(?=\s)/giu, '0');
  return [words, Math.round(baseline), Math.round(size), angle].join(' ');
}
