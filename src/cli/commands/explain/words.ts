import { normalise, stripLocators, tokenise } from '../../../index.ts';
import { pairUnits } from '../../../scheme/labels/bg1.ts';

/** A token, and how often it occurs on both sides. */
export interface Difference {
  readonly token: string;
  readonly a: number;
  readonly b: number;
}

/** Counts the tokens of a text, which may be cut into pairs as bg1 does. */
export function countWords(text: string, pairs = false): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const tokens = tokenise(stripLocators(normalise(text)));
  for (const token of pairs ? pairUnits(tokens) : tokens) counts.set(token.text, (counts.get(token.text) ?? 0) + 1);
  return counts;
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
