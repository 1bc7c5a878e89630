/** A section of a page that can be found. */
export type Entry = readonly [path: string, page: string, title: string, text: string];

/** An entry that was found, with the text around the first word. */
export interface Found {
  readonly path: string;
  readonly page: string;
  readonly title: string;
  readonly excerpt: string;
}

/** The maximum number of entries that are shown. */
export const MAX_FOUND = 40;

/** The characters of an excerpt before the first word, and of all of it. */
const BEFORE = 40;
const LENGTH = 180;

/**
 * Finds the sections in which all words of a query occur: those first that have them in their titles.
 * @param entries - the index
 * @param query - words with spaces between them; parts of words count
 */
export function find(
  entries: readonly Entry[],
  query: string,
): { readonly found: readonly Found[]; readonly total: number } {
  const words = wordsOf(query);
  if (words.length === 0) return { found: [], total: 0 };
  const scored = entries.flatMap((entry) => {
    const score = scoreOf(entry, words);
    return score === 0 ? [] : [{ entry, score }];
  });
  // Equals stay in the order of the site.
  scored.sort((a, b) => b.score - a.score);
  const found = scored.slice(0, MAX_FOUND).map(({ entry }) => foundIn(entry, words));
  return { found, total: scored.length };
}

function wordsOf(query: string): string[] {
  return query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** Scores an entry: 0 unless all words occur in it. */
function scoreOf([, page, title, text]: Entry, words: readonly string[]): number {
  const [inTitle, inPage, inText] = [title, page, text].map((each) => each.toLowerCase()) as [string, string, string];
  let score = 0;
  for (const word of words) {
    if (inTitle === word) score += 16;
    else if (inTitle.split(/[^\p{L}\p{N}-]+/u).includes(word)) score += 8;
    else if (inTitle.includes(word)) score += 4;
    else if (inPage.includes(word)) score += 2;
    else if (inText.includes(word)) score += 1;
    else return 0;
  }
  return score;
}

function foundIn([path, page, title, text]: Entry, words: readonly string[]): Found {
  const lower = text.toLowerCase();
  const first = Math.min(...words.map((word) => lower.indexOf(word)).filter((at) => at >= 0));
  const from = Number.isFinite(first) ? Math.max(0, first - BEFORE) : 0;
  const start = from === 0 ? 0 : text.indexOf(' ', from) + 1;
  const end = text.length <= start + LENGTH ? text.length : text.lastIndexOf(' ', start + LENGTH);
  const excerpt = `${start > 0 ? '… ' : ''}${text.slice(start, Math.max(start, end))}${end < text.length ? ' …' : ''}`;
  return { path, page, title, excerpt };
}
