import { fingerprint } from '../../../fingerprint/fingerprint.ts';
import { createResidue } from '../../../fingerprint/residue.ts';
import { createTokenCounter } from '../../../fingerprint/token-counts.ts';
import { pairUnits } from '../../../scheme/bg1.ts';
import { explain } from '../../../scheme/explain.ts';
import { LABEL, LABELS } from '../../../scheme/labels/label.ts';
import { normalise, normaliseWithPlaces } from '../../../scheme/normalise.ts';
import { toHex } from '../../../scheme/serialise.ts';
import { stripLocators } from '../../../scheme/strip-locators.ts';
import { hashToken } from '../../../scheme/token-hash.ts';
import { tokenise } from '../../../scheme/tokenise.ts';
import { classOf, LETTER } from '../../../scheme/unicode.ts';
import type { Analysis, Mark, Tokens } from './tasks.ts';

export const MAX_MARKS = 2000;
/** The maximum length of the text that is shown, in 16-bit units. */
const MAX_EXCERPT = 40_000;
/** The characters read beyond the excerpt, which decide about its last token and locator. */
const LOOK_AHEAD = 4000;
/** Only this much of a longer text is kept, and only its tokens are identified by their text. */
const MAX_TEXT = 4 * 2 ** 20;

export function analyseText(text: string, about: Pick<Analysis, 'name' | 'extraction'>): Analysis {
  const beginning = text.slice(0, MAX_EXCERPT + LOOK_AHEAD);
  const bare = tokensOf(text, beginning, false);
  const bg1 = tokensOf(text, beginning, true);
  const end = bare.marks[MAX_MARKS - 1]?.end ?? Math.min(text.length, MAX_EXCERPT);
  return {
    ...about,
    length: text.length,
    text: text.length > MAX_TEXT ? null : text,
    excerpt: beginning.slice(0, end),
    locators: locatorsOf(beginning).filter(({ start }) => start < end),
    residue: createResidue().update(text).digest(),
    bare,
    bg1: { ...bg1, marks: bg1.marks.filter((mark) => mark.end <= end) },
    fingerprints: Object.fromEntries(LABELS.map((label) => [label, fingerprint(text, { label })])),
  };
}

function tokensOf(text: string, beginning: string, pairs: boolean): Tokens {
  const label = pairs ? `${LABEL}+bg1` : LABEL;
  const { tokens, counted } = createTokenCounter({ label }).update(text).digest();
  return {
    total: tokens,
    counts: { hashes: counted.hashes, counts: counted.counts },
    marks: marksOf(beginning, label),
    names: namesOf(text.slice(0, MAX_TEXT), pairs),
  };
}

function marksOf(beginning: string, label: string): Mark[] {
  const { tokens, hashes } = explain(beginning, { label });
  const marks = tokens.slice(0, MAX_MARKS).map(({ text, start, end }, index): Mark => {
    return { text, start, end, hash: toHex(hashes[index]!), classes: classesOf(text) };
  });
  return marks.filter(({ end }) => end <= MAX_EXCERPT);
}

function classesOf(token: string): string {
  const counts = new Map<string, number>();
  for (const character of token) {
    // TOK-2: a token holds code points of two classes only.
    const name = classOf(character.codePointAt(0)!) === LETTER ? 'letter' : 'word';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return Array.from(counts, ([name, count]) => `${name} × ${count}`).join(', ');
}

function locatorsOf(beginning: string): Analysis['locators'] {
  const { locators, decoded } = explain(beginning);
  const { starts, ends } = normaliseWithPlaces(decoded);
  return locators.map(({ start, end, form }) => ({ start: starts[start]!, end: ends[end - 1]!, form }));
}

function namesOf(text: string, pairs: boolean): Tokens['names'] {
  const tokens = tokenise(stripLocators(normalise(text)));
  const distinct = [...new Set((pairs ? pairUnits(tokens) : tokens).map((token) => token.text))];
  return { hashes: BigUint64Array.from(distinct, hashToken), texts: distinct.join('\n') };
}
