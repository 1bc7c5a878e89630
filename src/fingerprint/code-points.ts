import {
  BOUNDARY,
  classOf,
  combiningClass,
  IGNORABLE,
  LETTER,
  quickCheckOf,
  readRanges,
  UNASSIGNED,
  UNSURE,
  WORD,
} from '../scheme/unicode.ts';

// The flags of an entry of the kernel's table, which `kernel/generate.mjs` writes for the kernel also.
export const FLAG_WORD = 1;
export const FLAG_LETTER = 2;
/** Step 3 may change the code point or the text before it. */
export const FLAG_UNSURE = 4;
/** A text can be cut before it without changing its tokens. Together with FLAG_UNSURE: it begins a segment of step 3. */
export const FLAG_SEPARATOR = 8;
/** The entry is filled in. */
export const FLAG_KNOWN = 16;
export const FLAG_IGNORABLE = 32;
/** The code point may compose with the one before it. */
export const FLAG_COMPOSES = 64;
export const FLAG_DECOMPOSES = 128;

// Places of bits: in an entry, and in a code point of a segment, which has the same class and flags behind its 21 bits.
/** The place of the canonical combining class in an entry. */
export const CLASS_SHIFT = 8;
/** The place of the class in a code point of a segment. */
export const ORDER_SHIFT = 21;
/** The shift from FLAG_COMPOSES and FLAG_DECOMPOSES of an entry to the flags of a code point of a segment. */
export const COMPOSES_SHIFT = 23;
export const UNSURE_SHIFT = 29;

/** Tests for ideographs and Hangul syllables, which do not decompose or do so by arithmetic. */
function isIndivisible(codePoint: number): boolean {
  return (codePoint >= 0x3400 && codePoint < 0xa000) || (codePoint >= 0xac00 && codePoint < 0xe000);
}

export function entryOf(codePoint: number): number {
  const wordClass = classOf(codePoint);
  // An unassigned code point is U+FFFD in all later steps (NRM-1).
  if (wordClass === UNASSIGNED) return FLAG_KNOWN | FLAG_SEPARATOR;
  if (wordClass === IGNORABLE) return FLAG_KNOWN | FLAG_IGNORABLE | FLAG_UNSURE;
  const check = quickCheckOf(codePoint);
  let entry = FLAG_KNOWN;
  if (wordClass === WORD) entry |= FLAG_WORD;
  else if (wordClass === LETTER) entry |= FLAG_WORD | FLAG_LETTER;
  // A text can be cut before a break that does not compose with the code point before it (spec, "Streaming").
  else if (check === BOUNDARY) entry |= FLAG_SEPARATOR;
  entry |= check === UNSURE ? unsureFlagsOf(codePoint) : check << CLASS_SHIFT;
  if (!isIndivisible(codePoint) && decompose(codePoint) !== String.fromCodePoint(codePoint)) entry |= FLAG_DECOMPOSES;
  return entry;
}

function unsureFlagsOf(codePoint: number): number {
  const flags = FLAG_UNSURE | (combiningClass(codePoint) << CLASS_SHIFT);
  const text = String.fromCodePoint(codePoint);
  if (text.normalize('NFC') === text) return flags | FLAG_COMPOSES;
  // A separator if its decomposition begins with a starter that does not compose with the code point before it.
  return quickCheckOf(decompose(codePoint).codePointAt(0)!) === BOUNDARY ? flags | FLAG_SEPARATOR : flags;
}

export function decompose(codePoint: number): string {
  return String.fromCodePoint(codePoint).normalize('NFD');
}

/** Composites of two, without Hangul: Unicode 12.0 (later versions add none made of code points of 12.0). */
const COMPOSITE_RANGES = readRanges(
  'c0-233 385-477 4c1-4f9 622-626 6c0-6d3 929-934 9cb-9cc b48-b4c b94-bcc c48 cc0-ccb d4a-d4c dda-dde 1026 ' +
    '1b06-1b43 1e00-1ffc 219a-22ed 304c-30fe 1109a-110ab 1112e-1112f 1134b-1134c 114bb-114be 115ba-115bb',
);

export type CodePointPair = readonly [first: number, second: number, composite: number];

let pairs: CodePointPair[] | undefined;

export function composingPairs(): readonly CodePointPair[] {
  if (pairs !== undefined) return pairs;
  pairs = [];
  for (const [first, last] of COMPOSITE_RANGES)
    for (let composite = first; composite <= last; composite++) {
      if (classOf(composite) === UNASSIGNED) continue;
      const text = String.fromCodePoint(composite);
      const parts = text.normalize('NFD');
      if (parts === text || text.normalize('NFC') !== text) continue;
      // The last of its parts is the second of the pair; the others compose to the first.
      const points = Array.from(parts);
      const second = points.pop()!;
      pairs.push([points.join('').normalize('NFC').codePointAt(0)!, second.codePointAt(0)!, composite]);
    }
  return pairs;
}
