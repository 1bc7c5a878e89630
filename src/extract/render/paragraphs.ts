import { LINE, Writer } from './writer.ts';

/** See {@link createParagraphs}. */
export interface Paragraphs {
  /** Begins a paragraph: a line of its own, unless `joined` with the one before. */
  open(joined?: boolean): void;
  /** Ends the paragraph that began last. */
  close(joined?: boolean): void;
  /** The number of open ones. */
  depth(): number;
  /** Writes to the paragraph that is open, or between paragraphs. */
  readonly out: Pick<Writer, 'write' | 'collapse' | 'separate' | 'lineBreak'>;
  /** Everything that was written. */
  end(): string;
}

/**
 * Writes paragraphs. A text box or note is anchored inside a paragraph, perhaps in the middle of a word, and shown
 * elsewhere. To keep words whole, nested paragraphs are written after the paragraph that contains them.
 */
export function createParagraphs(): Paragraphs {
  const outermost = new Writer();
  const open: Writer[] = [];
  /** Positions in `behind` of the open paragraphs, except the outermost. */
  const places: number[] = [];
  let behind: string[] = [];
  const current = (): Writer => open.at(-1) ?? outermost;

  return {
    open(joined = false) {
      if (open.length === 0) {
        if (!joined) outermost.separate(LINE);
        open.push(outermost);
      } else {
        places.push(behind.push('') - 1);
        open.push(new Writer());
      }
    },
    close(joined = false) {
      const closed = open.pop();
      if (closed === undefined) return;
      if (open.length > 0) {
        behind[places.pop()!] = closed.end();
        return;
      }
      if (!joined || behind.length > 0) outermost.separate(LINE);
      for (const each of behind) {
        outermost.write(each);
        outermost.separate(LINE);
      }
      behind = [];
    },
    depth: () => open.length,
    out: {
      write: (text) => current().write(text),
      collapse: (text) => current().collapse(text),
      separate: (min) => current().separate(min),
      lineBreak: () => current().lineBreak(),
    },
    end: () => outermost.end(),
  };
}
