import { LINE, Writer } from './text-writer.ts';

export type Paragraphs = ReturnType<typeof createParagraphs>;

/** Writes paragraphs; one inside another, as in a text box, follows it, so that the words around it stay whole. */
export function createParagraphs() {
  const outermost = new Writer();
  const open: Writer[] = [];
  /** Positions in `behind` of the open paragraphs, except the outermost. */
  const places: number[] = [];
  let behind: string[] = [];

  const paragraphs = {
    /** Begins a paragraph: a line of its own, unless `joined` with the one before. */
    open(joined = false): void {
      if (open.length === 0) {
        if (!joined) outermost.separate(LINE);
        open.push(outermost);
      } else {
        places.push(behind.push('') - 1);
        open.push(new Writer());
      }
    },
    close(joined = false): void {
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
    /** Writes a text as a paragraph. */
    add(text: string): void {
      paragraphs.open();
      paragraphs.out.write(text);
      paragraphs.close();
    },
    /** The paragraph that is open, or what stands between paragraphs. */
    get out(): Writer {
      return open.at(-1) ?? outermost;
    },
    end: () => outermost.end(),
  };
  return paragraphs;
}
