import { createPagedList } from '../../common/paged-list.ts';
import type { OnTokens } from '../../fingerprint/pipeline.ts';
import type { TokenHashes } from '../../fingerprint/token-overlap.ts';
import { type Marks, marksOf, viewMarks } from '../marks.ts';

const MAX_BYTES = 64 << 20;

/** The length of a page in words; each text is in one page. */
const PAGE = 1 << 18;
const MAX_PAGES = MAX_BYTES / (4 * PAGE);

export type FirstTokens = ReturnType<typeof createFirstTokens>;

/** Keeps the tokens and marks of texts from the first reading. If there are too many, all are dropped, and texts are read again. */
export function createFirstTokens() {
  const pages: Uint32Array[] = [];
  const starts = createPagedList(Uint32Array);
  const counts = createPagedList(Uint32Array);
  // The page that is written, the place in it from which on it is free, and the words of the text that was begun.
  let [page, filled, size] = [new Uint32Array(0), 0, 0];
  let isOpen = true;

  function drop(): void {
    isOpen = false;
    pages.length = 0;
    page = new Uint32Array(0);
    for (const list of [starts, counts]) list.release();
  }

  /** Makes room for words after the text that was begun; false if all are dropped. */
  function reserve(words: number): boolean {
    if (filled + size + words <= page.length) return true;
    if (size + words > PAGE || pages.length === MAX_PAGES) {
      drop();
      return false;
    }
    const begun = page.subarray(filled, filled + size);
    page = new Uint32Array(PAGE);
    page.set(begun);
    filled = 0;
    pages.push(page);
    return true;
  }

  const onTokens: OnTokens = (lows, highs, count) => {
    if (!isOpen || !reserve(2 * count)) return;
    let at = filled + size;
    for (let i = 0; i < count; i++) {
      page[at++] = lows[i]!;
      page[at++] = highs[i]!;
    }
    size += 2 * count;
  };

  return {
    get isOpen() {
      return isOpen;
    },
    drop,
    /** Begins a text; returns the function that receives its tokens, unless too many are kept. */
    begin(): OnTokens | undefined {
      size = 0;
      return isOpen ? onTokens : undefined;
    },
    keep(content: string, tokens: number): void {
      if (!isOpen) return;
      const marks = marksOf(content, tokens);
      if (!reserve(marks.length)) return;
      starts.push((pages.length - 1) * PAGE + filled);
      counts.push(size / 2);
      let at = filled + size;
      for (let i = 0; i < marks.length; i++) page[at++] = marks[i]!;
      filled = at;
    },
    tokensOf(text: number): TokenHashes {
      const start = starts.get(text);
      return { pairs: pages[Math.floor(start / PAGE)]!, start: start % PAGE, count: counts.get(text) };
    },
    marksOf(text: number): Marks {
      const start = starts.get(text);
      return viewMarks(pages[Math.floor(start / PAGE)]!, (start % PAGE) + 2 * counts.get(text));
    },
  };
}
