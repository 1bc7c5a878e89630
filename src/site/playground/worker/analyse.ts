import { fingerprint } from '../../../fingerprint/fingerprint.ts';
import { createResidue } from '../../../fingerprint/residue.ts';
import { createTokenCounter } from '../../../fingerprint/token-counts.ts';
import { pairUnits } from '../../../scheme/bg1.ts';
import { LABEL, LABELS } from '../../../scheme/labels/label.ts';
import { normalise } from '../../../scheme/normalise.ts';
import { stripLocators } from '../../../scheme/strip-locators.ts';
import { hashToken } from '../../../scheme/token-hash.ts';
import { tokenise } from '../../../scheme/tokenise.ts';
import type { Analysis, CountedTokens } from './tasks.ts';

/** Only this much of a longer text is kept, and only its tokens are identified by their text. */
const MAX_TEXT = 4 * 2 ** 20;

export function analyseText(text: string, about: Pick<Analysis, 'name' | 'extraction'>): Analysis {
  return {
    ...about,
    length: text.length,
    text: text.length > MAX_TEXT ? null : text,
    residue: createResidue().update(text).digest(),
    bare: tokensOf(text, false),
    bg1: tokensOf(text, true),
    fingerprints: Object.fromEntries(LABELS.map((label) => [label, fingerprint(text, { label })])),
  };
}

function tokensOf(text: string, pairs: boolean): CountedTokens {
  const label = pairs ? `${LABEL}+bg1` : LABEL;
  const { tokens, counted } = createTokenCounter({ label }).update(text).digest();
  return {
    total: tokens,
    counts: { hashes: counted.hashes, counts: counted.counts },
    names: namesOf(text.slice(0, MAX_TEXT), pairs),
  };
}

function namesOf(text: string, pairs: boolean): CountedTokens['names'] {
  const tokens = tokenise(stripLocators(normalise(text)));
  const distinct = [...new Set((pairs ? pairUnits(tokens) : tokens).map((token) => token.text))];
  return { hashes: BigUint64Array.from(distinct, hashToken), texts: distinct.join('\n') };
}
