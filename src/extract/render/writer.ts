/**
 * What stands between the texts of two neighbours, in rising strength; the stronger of two wins. Only the first does
 * not separate words; the others differ for the eye alone.
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
  /** Puts at least this much between the texts before and after. */
  separate(least: Separator): void;
  /** Puts one line end there, besides other line breaks but not besides the border of a block. */
  lineBreak(): void;
  /** Everything that was written. */
  end(): string;
}

/**
 * Writes text and keeps what separates it: only the strongest of the separators between two texts is written, and none
 * at the beginning or the end.
 */
export function createWriter(): Writer {
  const parts: string[] = [];
  let separator: Separator = NOTHING;
  let lineBreaks = 0;

  function write(text: string): void {
    if (text === '') return;
    if (parts.length > 0 && separator === LINE) {
      // Preformatted text brings its own line ends, also the one before the next block.
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
