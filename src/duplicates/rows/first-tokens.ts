import type { OnTokens } from '../../fingerprint/pipeline.ts';
import type { TokenHashes } from '../../fingerprint/sorted-tokens.ts';
import { type Marks, marksOf, viewMarks } from '../marks.ts';
import { createPagedList } from './row-table.ts';

/** The bytes of tokens that are kept. */
const MAX_BYTES = 64 << 20;

/** The length of a page in words; each text is in one page. */
const PAGE = 1 << 18;
const MAX_PAGES = MAX_BYTES / (4 * PAGE);

export type FirstTokens = ReturnType<typeof createFirstTokens>;

/**
 * Keeps the tokens and the marks of texts from the first reading, so that they need not be read again. If
 * there are too many, all are dropped, and the texts that are compared are read again.
 */
export function createFirstTokens() {
  const pages: Uint32Array[] = [];
  const starts = createPagedList(Uint32Array);
  const counts = createPagedList(Uint32Array);
  const scratch = new Uint32Array(PAGE);
  let [size, filled] = [0, PAGE];
  let isOpen = true;

  function drop(): void {
    isOpen = false;
    pages.length = 0;
    for (const list of [starts, counts]) list.release();
  }

  const onTokens: OnTokens = (lows, highs, count) => {
    if (size + 2 * count > PAGE) drop();
    if (!isOpen) return;
    for (let i = 0; i < count; i++) {
      scratch[size++] = lows[i]!;
      scratch[size++] = highs[i]!;
    }
  };

  return {
    /** True if the tokens of all texts are kept. */
    get isOpen() {
      return isOpen;
    },
    drop,
    /** Begins a text; returns the function that receives its tokens, unless too many are kept. */
    begin(): OnTokens | undefined {
      size = 0;
      return isOpen ? onTokens : undefined;
    },
    /** Keeps the tokens of the text that was begun last, which is the next one. */
    keep(content: string, tokens: number): void {
      if (!isOpen) return;
      const marks = marksOf(content, tokens);
      const length = size + marks.length;
      const isFull = filled + length > PAGE && pages.length === MAX_PAGES;
      if (length > PAGE || isFull) {
        drop();
        return;
      }
      if (filled + length > PAGE) {
        pages.push(new Uint32Array(PAGE));
        filled = 0;
      }
      pages.at(-1)!.set(scratch.subarray(0, size), filled);
      starts.push((pages.length - 1) * PAGE + filled);
      counts.push(size / 2);
      pages.at(-1)!.set(marks, filled + size);
      filled += length;
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
