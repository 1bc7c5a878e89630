/**
 * Separators between adjacent texts, weakest first; the stronger of two wins. Only the first does not separate words; the
 * others differ in appearance only.
 */
export const NOTHING = 0;
export const SPACE = 1;
export const TAB = 2;
export const LINE = 3;
export type Separator = typeof NOTHING | typeof SPACE | typeof TAB | typeof LINE;

/** Writes the text of a document part by part. */
export interface Writer {
  /** Writes text as it is. */
  write(text: string): void;
  /** Writes text with its runs of ASCII white space (no-break and ideographic spaces are none) as one space each. */
  collapse(text: string): void;
  /** Separates the texts before and after by at least this. */
  separate(least: Separator): void;
  /** Adds one line end, in addition to other line breaks but not to the border of a block. */
  lineBreak(): void;
  /** Everything that was written. */
  end(): string;
}

/**
 * Writes text and its separators: only the strongest separator between two texts is written, and none at the start or
 * the end.
 */
export function createWriter(): Writer {
  const parts: string[] = [];
  let separator: Separator = NOTHING;
  let lineBreaks = 0;

  function write(text: string): void {
    if (text === '') return;
    if (parts.length > 0 && separator === LINE) {
      // Preformatted text has its own line ends, including the one before the next block.
      const present = parts.at(-1)!.endsWith('\n') ? 1 : 0;
      parts.push('\n'.repeat(Math.max(1, lineBreaks) - present));
    } else if (parts.length > 0) parts.push(['', ' ', '\t'][separator]!);
    parts.push(text);
    separator = NOTHING;
    lineBreaks = 0;
  }

  function separate(least: Separator): void {
    if (least > separator) separator = least;
  }

  function lineBreak(): void {
    separator = LINE;
    lineBreaks++;
  }

  function collapse(text: string): void {
    const collapsed = text.replace(/[\t\n\f\r ]+/g, ' ');
    const start = collapsed.startsWith(' ') ? 1 : 0;
    const end = collapsed.length - (collapsed.endsWith(' ') ? 1 : 0);
    if (start > 0) separate(SPACE);
    write(collapsed.slice(start, end));
    if (end < collapsed.length) separate(SPACE);
  }

  return { write, collapse, separate, lineBreak, end: () => parts.join('') };
}
