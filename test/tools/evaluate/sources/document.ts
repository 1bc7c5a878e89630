/** A document of a collection. */
export interface Document {
  readonly id: string;
  readonly text: string;
  /** BCP 47. */
  readonly language: string;
  /** The group of documents that are copies or releases of each other. */
  readonly group?: string;
}

/** Texts with fewer letters are stubs, not documents. */
const MIN_LETTERS = 100;

/** Keeps the first of documents with the same text, and at most `most` of them, evenly from the whole list. */
export function choose(documents: readonly Document[], most: number): Document[] {
  const seen = new Set<string>();
  const distinct = documents.filter(
    ({ text }) => (text.match(/\p{L}/gu)?.length ?? 0) >= MIN_LETTERS && !seen.has(text) && seen.add(text),
  );
  return evenly(distinct, most);
}

/** At most `most` of a list, at even steps. */
export function evenly<T>(list: readonly T[], most: number): T[] {
  if (list.length <= most) return [...list];
  return Array.from({ length: most }, (_, at) => list[Math.floor((at * list.length) / most)]!);
}
