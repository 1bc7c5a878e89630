import { normalise } from '../../../../src/scheme/normalise.ts';
import { stripLocators } from '../../../../src/scheme/strip-locators.ts';
import { tokenise } from '../../../../src/scheme/tokenise.ts';

/** The tokens that the fingerprint of a text is made of (steps 3 to 5). */
export function tokensOf(text: string): string[] {
  return tokenise(stripLocators(normalise(text))).map((token) => token.text);
}

/** A token that occurs more often in one text than in the other. */
interface Difference {
  readonly token: string;
  readonly one: number;
  readonly other: number;
}

/** The tokens in whose number two texts differ, those that differ most first. */
export function differences(one: readonly string[], other: readonly string[]): Difference[] {
  const counts = new Map<string, { one: number; other: number }>();
  const count = (token: string) => {
    const entry = counts.get(token) ?? { one: 0, other: 0 };
    counts.set(token, entry);
    return entry;
  };
  for (const token of one) count(token).one++;
  for (const token of other) count(token).other++;
  return [...counts]
    .map(([token, numbers]) => ({ token, ...numbers }))
    .filter((each) => each.one !== each.other)
    .sort((a, b) => Math.abs(b.one - b.other) - Math.abs(a.one - a.other));
}
