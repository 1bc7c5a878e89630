import { wrongType } from '../errors.ts';
import { pairUnits } from './bg1.ts';
import { decode, toWellFormed } from './decode.ts';
import { type Fingerprint, wordsOf } from './labels/fingerprint.ts';
import { type LabelOption, type Scheme, schemeIn } from './labels/label.ts';
import { findWinners, fingerprintOfWinners, type Winner } from './minhash.ts';
import { normaliseWithPlaces } from './normalise.ts';
import { serialise, toBytes, toHex } from './serialise.ts';
import { countBits, fingerprintOfCounters } from './simhash.ts';
import { findLocators, type Locator, stripLocators } from './strip-locators.ts';
import { tableKeys } from './tables.ts';
import { hashToken } from './token-hash.ts';
import { type Token, tokenise } from './tokenise.ts';

/** Every intermediate of the scheme for one document; see {@link explain}. */
export interface Explanation {
  /** The text after step 1. */
  readonly decoded: string;
  /** The text after step 3. */
  readonly normalised: string;
  /** The locators that step 4 strips, with places in `normalised`. */
  readonly locators: readonly Locator[];
  /** The text after step 4. */
  readonly stripped: string;
  /** The tokens of step 5, or of `bg1` after it, in their order; the places are those in `decoded`. */
  readonly tokens: readonly Token[];
  /** The hashes of step 7, one for each token. */
  readonly hashes: readonly bigint[];
  /** The 64 counters of step 8, bit 0 first; `null` with the labels of minhash-doc. */
  readonly counters: readonly number[] | null;
  /** The draw that wins each bin, 64 for each word; `null` with the labels of simhash-doc. */
  readonly winners: readonly Winner[] | null;
  /** The fingerprint; this and the next members are `null` for a document without tokens. */
  readonly fingerprint: Fingerprint | null;
  /** The fingerprint as 8 or 32 bytes. */
  readonly octets: Uint8Array | null;
  /** The fingerprint in hex, 16 or 64 digits. */
  readonly hex: string | null;
  /** The fingerprint in base32, 13 or 52 characters. */
  readonly base32: string | null;
  /** The keys of the fingerprint in the 16 tables of step 11, for each word. */
  readonly keys: readonly number[] | null;
}

/**
 * Computes the fingerprint of a document step by step and returns every intermediate. It calls the function of each
 * step on the whole document, so it is slower than `fingerprint` and holds all of them in memory.
 * @param input - bytes or text, as for `fingerprint`
 * @param options - the label
 * @returns the intermediates. A token's place is the span of the decoded input that it came from, in 16-bit units. It
 *   includes what was deleted inside the token; where NFC changed something at its border, it extends to the border of the
 *   combining sequence.
 * @throws TypeError `wrong-type`; RangeError `invalid-label`
 * @see spec/simhash-doc.md#pipeline
 * @example
 * explain('The quick brown fox, 12 times').tokens.map(({ text }) => text); // ['The', 'quick', 'brown', 'fox', 'times']
 */
export function explain(input: string | Uint8Array, options?: LabelOption): Explanation {
  if (typeof input !== 'string' && !(input instanceof Uint8Array))
    throw wrongType('input', 'a string or a Uint8Array', input);
  const scheme = schemeIn(options);
  const decoded = typeof input === 'string' ? toWellFormed(input) : decode(input);
  const placed = normaliseWithPlaces(decoded);
  const locators = findLocators(placed.text);
  const stripped = stripLocators(placed.text);
  // A locator is one unit in `stripped`, so later places are further on in `placed.text`.
  let passed = 0;
  let shift = 0;
  const tokensOfStep5 = tokenise(stripped);
  const tokens = (scheme.bg1 ? pairUnits(tokensOfStep5) : tokensOfStep5).map(({ text, start, end }): Token => {
    for (let locator = locators[passed]; locator && locator.start < start + shift; locator = locators[++passed])
      shift += locator.end - locator.start - 1;
    return { text, start: placed.starts[start + shift]!, end: placed.ends[end + shift - 1]! };
  });
  const hashes = tokens.map((token) => hashToken(token.text));
  const { counters, winners, value } = combine(hashes, scheme);
  return {
    decoded,
    normalised: placed.text,
    locators,
    stripped,
    tokens,
    hashes,
    counters,
    winners,
    fingerprint: value,
    octets: value === null ? null : value instanceof Uint8Array ? value.slice() : toBytes(value),
    hex: value === null ? null : toHex(value),
    base32: value === null ? null : serialise(value),
    keys: value === null ? null : wordsOf('fingerprint', value).flatMap((word) => tableKeys(word)),
  };
}

/** Step 8, or MIN-1 to MIN-7 in its place. */
function combine(
  hashes: readonly bigint[],
  { method, words }: Scheme,
): Pick<Explanation, 'counters' | 'winners'> & { readonly value: Fingerprint | null } {
  if (method === 'minhash') {
    const winners = findWinners(hashes, words);
    return { counters: null, winners, value: winners.length === 0 ? null : fingerprintOfWinners(winners) };
  }
  const counters = countBits(hashes);
  return { counters, winners: null, value: hashes.length === 0 ? null : fingerprintOfCounters(counters) };
}
