import { wrongType } from '../errors.ts';
import { decode, toWellFormed } from '../scheme/decode.ts';
import { normaliseWithPlaces } from '../scheme/normalise.ts';
import { serialise, toHex, toOctets } from '../scheme/serialise.ts';
import { countBits, fingerprintOfCounters } from '../scheme/simhash.ts';
import { findLocators, type Locator, stripLocators } from '../scheme/strip-locators.ts';
import { tableKeys } from '../scheme/tables.ts';
import { hashToken } from '../scheme/token-hash.ts';
import { type Token, tokenise } from '../scheme/tokenise.ts';
import { createFastPipeline, fastFingerprint } from './engine.ts';

/** Computes the fingerprint of a document that arrives in parts; made by {@link createFingerprinter}. */
export interface Fingerprinter {
  /**
   * Takes the next part of the document, of any length, cut anywhere: inside a UTF-8 sequence, a surrogate pair, a
   * combining sequence, a Hangul syllable, a locator or a token.
   * @param chunk - octets (UTF-8) or text (16-bit units); all chunks of a document are of one kind
   * @returns the fingerprinter itself
   * @throws TypeError `wrong-type` for anything else, for a change of kind, and after {@link digest}
   */
  update(chunk: string | Uint8Array): Fingerprinter;
  /**
   * Ends the document.
   * @returns the fingerprint, 0 to 2^64 - 1, or `null` when the document has no tokens (SIM-4); the same when asked again
   */
  digest(): bigint | null;
  /** How many tokens were counted so far; all of them after {@link digest}. */
  readonly tokenCount: number;
}

/**
 * The whole scheme for a document in parts: the result equals that of the whole document, however it is cut.
 *
 * What is held, beside a buffer of fixed size: the octets of an incomplete UTF-8 sequence (3 at most) or one surrogate;
 * the last combining sequence or Hangul syllable; a token that has not ended, whole, because its hash begins with its
 * length; the run of `A–Z a–z 0–9 . _ % + -` (with the label behind an `@`) of which it is not yet known whether a
 * locator begins in it. Not held: what a locator has already swallowed, and text that is hashed. So the memory is bounded
 * by the longest of these, not by the document.
 * @see spec/simhash-doc.md#pipeline
 */
export function createFingerprinter(): Fingerprinter {
  const pipeline = createFastPipeline();
  let kind: 'octets' | 'text' | undefined;
  let result: bigint | null | undefined;
  const fingerprinter: Fingerprinter = {
    update(chunk) {
      const given = typeof chunk === 'string' ? 'text' : 'octets';
      if (given === 'octets' && !(chunk instanceof Uint8Array))
        throw wrongType('chunk', 'a string or a Uint8Array', chunk);
      if (result !== undefined) throw wrongType('chunk', 'no more chunks after digest()', chunk);
      kind ??= given;
      if (kind !== given) throw wrongType('chunk', `${kind}, as the chunks before`, chunk);
      if (typeof chunk === 'string') pipeline.updateText(chunk);
      else pipeline.updateOctets(chunk);
      return fingerprinter;
    },
    digest() {
      if (result !== undefined) return result;
      pipeline.end();
      result = pipeline.result();
      return result;
    },
    get tokenCount() {
      return pipeline.tokenCount;
    },
  };
  return fingerprinter;
}

/**
 * The simhash-doc fingerprint of a document: steps 1 to 5, 7 and 8 of the scheme. The bare scheme drops no token in
 * step 6 (STP-1).
 * @param input - octets, which are decoded as UTF-8, or a text as 16-bit units. Extraction (step 0) comes before.
 * @returns 0 to 2^64 - 1, the most significant bit being bit 0; `null` when the document has no tokens and therefore no
 * fingerprint (SIM-4). `serialise` makes the 13 characters of it.
 * @throws TypeError `wrong-type`
 * @see spec/simhash-doc.md#pipeline
 */
export function fingerprint(input: string | Uint8Array): bigint | null {
  if (typeof input !== 'string' && !(input instanceof Uint8Array))
    throw wrongType('input', 'a string or a Uint8Array', input);
  return fastFingerprint(input);
}

/** Every intermediate of the scheme for one document; see {@link explain}. */
export interface Explanation {
  /** After step 1. */
  readonly decoded: string;
  /** After step 3. */
  readonly normalised: string;
  /** What step 4 strips, with places in `normalised`. */
  readonly locators: readonly Locator[];
  /** After step 4. */
  readonly stripped: string;
  /** The tokens of step 5 in their order; the places are those in `decoded`. */
  readonly tokens: readonly Token[];
  /** The hashes of step 7, one for each token. */
  readonly hashes: readonly bigint[];
  /** The 64 counters of step 8, bit 0 first. */
  readonly counters: readonly number[];
  /** The fingerprint; this and what follows is `null` for a document without tokens. */
  readonly fingerprint: bigint | null;
  /** Its eight octets. */
  readonly octets: Uint8Array | null;
  /** Its hex form. */
  readonly hex: string | null;
  /** Its 13 characters. */
  readonly base32: string | null;
  /** Its keys in the 16 tables of step 11. */
  readonly keys: readonly number[] | null;
}

/**
 * Computes the fingerprint of a document step by step and returns every intermediate. It calls the function of each step
 * on the whole document, so it is slower than {@link fingerprint} and holds everything.
 * @param input - octets or text, as for {@link fingerprint}
 * @returns the intermediates. A token's place is the stretch of the decoded input that it came from, in 16-bit units: with
 * what was deleted inside it, and, where NFC changed something at its border, to the border of the combining sequence.
 * @throws TypeError `wrong-type`
 * @see spec/simhash-doc.md#pipeline
 */
export function explain(input: string | Uint8Array): Explanation {
  if (typeof input !== 'string' && !(input instanceof Uint8Array))
    throw wrongType('input', 'a string or a Uint8Array', input);
  const decoded = typeof input === 'string' ? toWellFormed(input) : decode(input);
  const placed = normaliseWithPlaces(decoded);
  const locators = findLocators(placed.text);
  const stripped = stripLocators(placed.text);
  // A locator is one unit in `stripped`: what stands behind it is found that much further in `placed.text`.
  let passed = 0;
  let shift = 0;
  const tokens = tokenise(stripped).map(({ text, start, end }): Token => {
    for (let locator = locators[passed]; locator && locator.start < start + shift; locator = locators[++passed])
      shift += locator.end - locator.start - 1;
    return { text, start: placed.starts[start + shift]!, end: placed.ends[end + shift - 1]! };
  });
  const hashes = tokens.map((token) => hashToken(token.text));
  const counters = countBits(hashes);
  const value = hashes.length === 0 ? null : fingerprintOfCounters(counters);
  return {
    decoded,
    normalised: placed.text,
    locators,
    stripped,
    tokens,
    hashes,
    counters,
    fingerprint: value,
    octets: value === null ? null : toOctets(value),
    hex: value === null ? null : toHex(value),
    base32: value === null ? null : serialise(value),
    keys: value === null ? null : tableKeys(value),
  };
}
