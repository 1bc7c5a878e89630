/** Separators between texts, weakest first; the stronger of two wins. Only the first does not separate words. */
export const NOTHING = 0;
export const SPACE = 1;
export const TAB = 2;
export const LINE = 3;
export type Separator = typeof NOTHING | typeof SPACE | typeof TAB | typeof LINE;

/** Texts are collected up to this many UTF-16 units before they are copied into one string. */
const PIECE = 1 << 12;

/** Pieces of a text. Those of another writer stay a list: copying them would take time quadratic in the depth. */
type Pieces = (string | Pieces)[];

/** White space that is not one space already. */
const UNCOLLAPSED = /[\t\n\f\r][\t\n\f\r ]*| [\t\n\f\r ]+/g;

/** Writes texts, with the strongest separator between two of them. A class: HTML needs one for each open element. */
export class Writer {
  /** Pieces of the text; `#tail` follows them. */
  #pieces: Pieces | null = null;
  #tail = '';
  #hasText = false;
  /** True if the text ends with a line end of its own, as preformatted text may. */
  #endsLine = false;
  /** The separator of the text from what is written before it (see {@link append}). */
  #leading: Separator = NOTHING;
  #leadingBreaks = 0;
  /** The separator of the text from what is written next. */
  #separator: Separator = NOTHING;
  #lineBreaks = 0;

  write(text: string): void {
    if (text === '') return;
    this.#begin();
    this.#tail += text;
    this.#endsLine = text.charCodeAt(text.length - 1) === 0x0a;
    if (this.#tail.length > PIECE) this.#closePiece();
  }

  /** Writes text with its runs of ASCII white space (not no-break or ideographic spaces) as one space each. */
  collapse(text: string): void {
    const collapsed = text.replace(UNCOLLAPSED, ' ');
    const start = collapsed.startsWith(' ') ? 1 : 0;
    const end = collapsed.length - (collapsed.endsWith(' ') ? 1 : 0);
    if (start > 0) this.separate(SPACE);
    this.write(collapsed.slice(start, end));
    if (end < collapsed.length) this.separate(SPACE);
  }

  /** Writes a text as a word of its own. */
  writeApart(text: string): void {
    this.separate(SPACE);
    this.write(text);
    this.separate(SPACE);
  }

  separate(min: Separator): void {
    if (min > this.#separator) this.#separator = min;
  }

  /** Adds one line end, in addition to other line breaks but not to the border of a block. */
  lineBreak(): void {
    this.#separator = LINE;
    this.#lineBreaks++;
  }

  /** Writes what another writer wrote, with the separators around it. The other must not be used after that. */
  append(other: Writer): void {
    if (!other.#hasText) {
      this.separate(other.#separator);
      this.#lineBreaks += other.#lineBreaks;
      return;
    }
    this.separate(other.#leading);
    this.#lineBreaks += other.#leadingBreaks;
    this.#begin();
    if (other.#pieces !== null) {
      if (this.#tail !== '') this.#closePiece();
      if (this.#pieces === null) this.#pieces = other.#pieces;
      else this.#pieces.push(other.#pieces);
    }
    this.#tail += other.#tail;
    this.#endsLine = other.#endsLine;
    this.#separator = other.#separator;
    this.#lineBreaks = other.#lineBreaks;
    if (this.#tail.length > PIECE) this.#closePiece();
  }

  end(): string {
    return this.#pieces === null ? this.#tail : join(this.#pieces) + this.#tail;
  }

  #begin(): void {
    if (!this.#hasText) {
      this.#hasText = true;
      this.#leading = this.#separator;
      this.#leadingBreaks = this.#lineBreaks;
    } else if (this.#separator === LINE) {
      // Preformatted text has its own line ends, including the one before the next block.
      this.#tail += '\n'.repeat(Math.max(1, this.#lineBreaks) - (this.#endsLine ? 1 : 0));
    } else if (this.#separator !== NOTHING) this.#tail += this.#separator === SPACE ? ' ' : '\t';
    this.#separator = NOTHING;
    this.#lineBreaks = 0;
  }

  #closePiece(): void {
    // Engines keep a concatenation as a tree of its parts, many times its size, until one of its units is read.
    this.#endsLine = this.#tail.charCodeAt(this.#tail.length - 1) === 0x0a;
    this.#pieces ??= [];
    this.#pieces.push(this.#tail);
    this.#tail = '';
  }
}

/** Joins pieces, without recursion, since lists nest as deep as elements. */
function join(pieces: Pieces): string {
  const flat: string[] = [];
  const waiting: (string | Pieces)[] = [pieces];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') flat.push(next);
    else for (let index = next.length; index > 0; index--) waiting.push(next[index - 1]!);
  }
  return flat.join('');
}
