import { toWellFormed } from './decode.ts';
import { BREAK, classOf, LETTER, WORD } from './unicode.ts';

/** A token and its place. */
export interface Token {
  readonly text: string;
  /** The start, in 16-bit units. */
  readonly start: number;
  /** The end, in 16-bit units. */
  readonly end: number;
}

/**
 * Lists the tokens of a text, every occurrence, in their order (step 5; TOK-4). A token is a maximal run of letters and word
 * characters (TOK-2) with at least one letter (TOK-3); classes are computed from the text given here (TOK-1).
 * @param text - a text that has passed steps 3 and 4; lone surrogates count as U+FFFD
 * @returns the tokens with their places in `text`
 * @throws TypeError `wrong-type`
 * @see spec/simhash-doc.md#step-5
 * @example
 * tokenise('3 foxes'); // [{ text: 'foxes', start: 2, end: 7 }]
 */
export function tokenise(text: string): Token[] {
  const given = toWellFormed(text);
  const tokens: Token[] = [];
  let start = 0;
  let hasLetter = false;
  for (let i = 0; i <= given.length; ) {
    const codePoint = i < given.length ? given.codePointAt(i)! : -1;
    const kind = codePoint < 0 ? BREAK : classOf(codePoint);
    const next = i + (codePoint > 0xffff ? 2 : 1);
    if (kind === LETTER) hasLetter = true;
    else if (kind !== WORD) {
      if (hasLetter) tokens.push({ text: given.slice(start, i), start, end: i });
      start = next;
      hasLetter = false;
    }
    i = next;
  }
  return tokens;
}
