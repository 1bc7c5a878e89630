import { RANGES } from './bg1.generated.ts';
import type { Token } from './tokenise.ts';
import { classOf, LETTER } from './unicode.ts';

// bg1, after step 5: overlapping pairs for scripts that are written without spaces between words.

/** The kinds of code points of spec/bigrams/bg1.txt (BIG-1). */
export const OTHER = 0;
export const JOINED = 1;
export const MARK = 2;

/** No code point below this is joined; in UTF-8, none whose first byte is below 0xE0. */
export const FIRST_JOINED = 0x0e01;

/** Calls a function for each range of the table, in ascending order. */
export function forEachRange(visit: (first: number, last: number, kind: number) => void): void {
  let end = 0;
  const numbers = RANGES.split(' ').map((number) => Number.parseInt(number, 36));
  for (let i = 0; i < numbers.length; i += 2) {
    const first = end + numbers[i]!;
    const last = first + (numbers[i + 1]! >> 1);
    visit(first, last, (numbers[i + 1]! & 1) === 1 ? MARK : JOINED);
    end = last + 1;
  }
}

let kinds: Uint8Array | undefined;

/** Returns the kind of a code point (BIG-1): {@link OTHER}, {@link JOINED} or {@link MARK}. */
export function kindOf(codePoint: number): number {
  if (kinds === undefined) {
    const table = new Uint8Array(0x110000);
    forEachRange((first, last, kind) => table.fill(kind, first, last + 1));
    kinds = table;
  }
  return kinds[codePoint]!;
}

/** Cuts tokens of step 5 into tokens of bg1 (BIG-1 to BIG-4), with places in the same text; pairs overlap (spec/minhash-doc.md#bg1). */
export function pairUnits(tokens: readonly Token[]): Token[] {
  return tokens.flatMap(pairUnitsOf);
}

function pairUnitsOf(token: Token): Token[] {
  const { text } = token;
  const cut = (from: number, to: number): Token => ({
    text: text.slice(from, to),
    start: token.start + from,
    end: token.start + to,
  });
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const units = unitsAt(text, at);
    const end = units.at(-1)?.end ?? endOfOthers(text, at);
    if (units.length === 1) tokens.push(cut(at, end));
    for (let i = 1; i < units.length; i++) tokens.push(cut(units[i - 1]!.start, units[i]!.end));
    if (units.length === 0 && hasLetter(text.slice(at, end))) tokens.push(cut(at, end));
    at = end;
  }
  return tokens;
}

/** Counts the units of the joined part that begins at a place (BIG-2); none if another part begins there. */
function unitsAt(text: string, start: number): { readonly start: number; readonly end: number }[] {
  const units: { start: number; end: number }[] = [];
  for (let at = start; at < text.length; ) {
    const codePoint = text.codePointAt(at)!;
    const kind = kindOf(codePoint);
    const next = at + (codePoint > 0xffff ? 2 : 1);
    if (kind === JOINED) units.push({ start: at, end: next });
    else if (kind === MARK && units.length > 0) units.at(-1)!.end = next;
    else break;
    at = next;
  }
  return units;
}

/** Returns the end of the part without joined code points that begins at a place. */
function endOfOthers(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const codePoint = text.codePointAt(at)!;
    if (kindOf(codePoint) === JOINED) break;
    at += codePoint > 0xffff ? 2 : 1;
  }
  return at;
}

function hasLetter(text: string): boolean {
  for (const one of text) if (classOf(one.codePointAt(0)!) === LETTER) return true;
  return false;
}
