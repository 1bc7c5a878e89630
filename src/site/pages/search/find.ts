export type SearchEntry = readonly [path: string, page: string, title: string, text: string];

export const MAX_FOUND = 40;
/** The characters of an excerpt before the first word, and of all of it. */
const BEFORE = 40;
const LENGTH = 180;

/** The weight of a page, by the beginning of its path: rules and guides come before pages derived from them. */
const WEIGHTS: readonly (readonly [path: string, weight: number])[] = [
  ['vectors/', 0.2],
  ['report-card/', 0.4],
  ['spec/rules.html', 0.5],
  ['spec/index.html', 0.5],
  ['spec/rationale.html', 0.6],
  ['reference/', 0.7],
];

/** Finds the sections in which all words of a query occur, or else most of them: first those with them in their titles. */
export function find(entries: readonly SearchEntry[], query: string) {
  const words = query.toLowerCase().match(/\S+/g) ?? [];
  if (words.length === 0) return { found: [], total: 0 };
  const scored = entries.flatMap((entry) => {
    const score = scoreOf(entry, words, words.length);
    return score === 0 ? [] : [{ entry, score }];
  });
  for (let least = words.length - 1; scored.length === 0 && least > words.length / 2 - 1 && least > 0; least--)
    for (const entry of entries) {
      const score = scoreOf(entry, words, least);
      if (score > 0) scored.push({ entry, score });
    }
  // Equals stay in the order of the site.
  scored.sort((a, b) => b.score - a.score);
  const uses = (word: string): number => entries.filter(([, , , text]) => text.toLowerCase().includes(word)).length;
  const counted = words.map((word) => ({ word, uses: uses(word) })).sort((a, b) => a.uses - b.uses);
  const rarestFirst = counted.map(({ word }) => word);
  const found = scored.slice(0, MAX_FOUND).map(({ entry }) => foundIn(entry, rarestFirst));
  return { found, total: scored.length };
}

function scoreOf([path, page, title, text]: SearchEntry, words: readonly string[], least: number): number {
  const [inTitle, inPage, inText] = [title, page, text].map((each) => each.toLowerCase()) as [string, string, string];
  const titleWords = inTitle.split(/[^\p{L}\p{N}-]+/u);
  let [score, missing] = [words.length > 1 && inText.includes(words.join(' ')) ? 12 : 0, 0];
  for (const word of words) {
    const uses = inText.split(word).length - 1;
    if (uses === 0 && !inTitle.includes(word) && !inPage.includes(word)) missing++;
    if (words.length - missing < least) return 0;
    score += Math.min(uses, 3);
    if (inTitle === word) score += 16;
    else if (titleWords.includes(word)) score += 8;
    else if (titleWords.some((each) => each.startsWith(word))) score += 6;
    else if (inTitle.includes(word)) score += 4;
    else if (inPage.includes(word)) score += 2;
  }
  return score * (WEIGHTS.find(([start]) => path.startsWith(start))?.[1] ?? 1);
}

/** Returns an entry with the text around the first of these words that occurs in it. */
function foundIn([path, page, title, text]: SearchEntry, words: readonly string[]) {
  const lower = text.toLowerCase();
  const first = words.map((word) => lower.indexOf(word)).find((at) => at >= 0) ?? 0;
  const from = Math.max(0, first - BEFORE);
  const start = from === 0 ? 0 : text.indexOf(' ', from) + 1;
  const end = text.length <= start + LENGTH ? text.length : text.lastIndexOf(' ', start + LENGTH);
  const excerpt = `${start > 0 ? '… ' : ''}${text.slice(start, Math.max(start, end))}${end < text.length ? ' …' : ''}`;
  return { path, page, title, excerpt };
}
