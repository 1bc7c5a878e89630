import { assertInteger, assertIterable, assertString } from '../errors.ts';
import { hashToken } from '../scheme/token-hash.ts';

/**
 * Hashes of all windows of `width` tokens that follow one another, for people who come from other simhash libraries and want
 * word order to matter: `simhash(shingle(tokens, 4))`.
 *
 * **This is not part of simhash-doc.** The result must not be written under a label of the scheme (LAB-3): the scheme's
 * fingerprints do not depend on the order of words. The hash of a window is {@link hashToken} of its tokens with U+001F
 * between them. Fewer tokens than `width` make one window.
 * @param tokens - strings, in the order of the document
 * @param width - tokens in a window, 1 or more
 * @returns 64-bit numbers, one for each window; none when there are no tokens
 * @throws TypeError `wrong-type`, RangeError `out-of-range`
 */
export function* shingle(tokens: Iterable<string>, width: number): Generator<bigint, void> {
  assertIterable('tokens', tokens, 'an iterable of strings');
  assertInteger('width', width, 1, Number.MAX_SAFE_INTEGER);
  const window: string[] = [];
  let hashed = false;
  for (const token of tokens) {
    assertString('token', token);
    window.push(token);
    if (window.length < width) continue;
    yield hashToken(window.join(SEPARATOR));
    hashed = true;
    window.shift();
  }
  if (!hashed && window.length > 0) yield hashToken(window.join(SEPARATOR));
}

/** A character that no token contains. */
const SEPARATOR = '\u001f';
