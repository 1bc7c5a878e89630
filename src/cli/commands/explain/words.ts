/** A token, and how often it occurs on both sides. */
export interface Difference {
  readonly token: string;
  readonly a: number;
  readonly b: number;
}

/** Counts equal words, in the order of their first occurrences. */
export function countEach(words: Iterable<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** The most frequent words; among equals, those that come first. */
export function mostFrequent(counts: ReadonlyMap<string, number>, max: number): [word: string, count: number][] {
  return [...counts].sort(([, a], [, b]) => b - a).slice(0, max);
}

/** The tokens whose numbers differ: those that differ most first, then in the order of their 16-bit units. */
export function differencesOf(left: ReadonlyMap<string, number>, right: ReadonlyMap<string, number>): Difference[] {
  const differences: Difference[] = [];
  for (const token of new Set([...left.keys(), ...right.keys()])) {
    const [a, b] = [left.get(token) ?? 0, right.get(token) ?? 0];
    if (a !== b) differences.push({ token, a, b });
  }
  return differences.sort(
    (one, two) => Math.abs(two.a - two.b) - Math.abs(one.a - one.b) || (one.token < two.token ? -1 : 1),
  );
}
