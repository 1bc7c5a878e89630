import { classOf, IGNORABLE, LETTER, UNASSIGNED, WORD } from '../scheme/classify.ts';
import { codePointOf, INCOMPLETE, readCodePoint, widthOf } from '../scheme/decode.ts';
import { BOUNDARY, combiningClass, quickCheckOf, UNSURE } from '../scheme/nfc-data.ts';

// What the kernels know of a code point: flags, and its canonical combining class times 256.
export const FLAG_WORD = 1;
export const FLAG_LETTER = 2;
/** Step 3 may change it, or what stands before it. */
export const FLAG_UNSURE = 4;
/** A text can be cut before it without changing its tokens. Together with FLAG_UNSURE: it begins a segment of step 3. */
export const FLAG_SEPARATOR = 8;
/** The entry is filled in. */
export const FLAG_KNOWN = 16;
export const FLAG_IGNORABLE = 32;
/** May compose with what stands before it. */
export const FLAG_COMPOSES = 64;
export const FLAG_DECOMPOSES = 128;

/** Entries are filled in by blocks of so many bits: all at once would cost every start too much. */
const BLOCK_BITS = 9;
const BLOCKS = 0x110000 >> BLOCK_BITS;

/** Whether code points are ideographs or Hangul syllables, which have no decomposition, or one that is arithmetic. */
function isIndivisible(codePoint: number): boolean {
  return (codePoint >= 0x3400 && codePoint < 0xa000) || (codePoint >= 0xac00 && codePoint < 0xe000);
}

/** The entry of a code point, except that it says of what is not assigned only that it is a separator. */
export function entryOf(codePoint: number): number {
  const wordClass = classOf(codePoint);
  // An unassigned code point is a U+FFFD to all that follows (NRM-1).
  if (wordClass === UNASSIGNED) return FLAG_KNOWN | FLAG_SEPARATOR;
  if (wordClass === IGNORABLE) return FLAG_KNOWN | FLAG_IGNORABLE | FLAG_UNSURE;
  const check = quickCheckOf(codePoint);
  let entry = FLAG_KNOWN;
  if (wordClass === WORD) entry |= FLAG_WORD;
  else if (wordClass === LETTER) entry |= FLAG_WORD | FLAG_LETTER;
  // Before a break that composes with nothing in front of it, a text can be cut (spec, "Streaming").
  else if (check === BOUNDARY) entry |= FLAG_SEPARATOR;
  if (check === UNSURE) {
    entry |= FLAG_UNSURE | (combiningClass(codePoint) << 8);
    const one = String.fromCodePoint(codePoint);
    if (one.normalize('NFC') === one) entry |= FLAG_COMPOSES;
    // What it decomposes to begins with a starter that never composes with what stands before it.
    else if (quickCheckOf(decomposition(codePoint).codePointAt(0)!) === BOUNDARY) entry |= FLAG_SEPARATOR;
  } else entry |= check << 8;
  if (!isIndivisible(codePoint) && decomposition(codePoint) !== String.fromCodePoint(codePoint))
    entry |= FLAG_DECOMPOSES;
  return entry;
}

/** Whether a code point begins a segment that NFC treats by itself, by its entry. */
export function beginsSegment(entry: number): boolean {
  if ((entry & FLAG_UNSURE) === 0) return entry < 256;
  return (entry & FLAG_SEPARATOR) !== 0;
}

/** The canonical decomposition of a code point, fully; itself where there is none. */
export function decomposition(codePoint: number): string {
  return String.fromCodePoint(codePoint).normalize('NFD');
}

/**
 * Where the code points stand that compose from two, Hangul excepted, as first and last of each range (Unicode 12.0;
 * later versions may add none that are made of code points of 12.0).
 */
const COMPOSITE_RANGES: readonly (readonly [number, number])[] = [
  [0x00c0, 0x0233],
  [0x0385, 0x0477],
  [0x04c1, 0x04f9],
  [0x0622, 0x0626],
  [0x06c0, 0x06d3],
  [0x0929, 0x0934],
  [0x09cb, 0x09cc],
  [0x0b48, 0x0b4c],
  [0x0b94, 0x0bcc],
  [0x0c48, 0x0c48],
  [0x0cc0, 0x0ccb],
  [0x0d4a, 0x0d4c],
  [0x0dda, 0x0dde],
  [0x1026, 0x1026],
  [0x1b06, 0x1b43],
  [0x1e00, 0x1ffc],
  [0x219a, 0x22ed],
  [0x304c, 0x30fe],
  [0x1109a, 0x110ab],
  [0x1112e, 0x1112f],
  [0x1134b, 0x1134c],
  [0x114bb, 0x114be],
  [0x115ba, 0x115bb],
];

/** Two code points and what NFC makes of them. */
export type Pair = readonly [first: number, second: number, composite: number];

let pairs: Pair[] | undefined;

/** All pairs that compose, Hangul excepted. */
export function composingPairs(): readonly Pair[] {
  if (pairs !== undefined) return pairs;
  pairs = [];
  for (const [from, to] of COMPOSITE_RANGES)
    for (let composite = from; composite <= to; composite++) {
      if (classOf(composite) === UNASSIGNED) continue;
      const one = String.fromCodePoint(composite);
      const parts = one.normalize('NFD');
      if (parts === one || one.normalize('NFC') !== one) continue;
      // The last of its parts is the second of the pair; the rest composes to the first.
      const points = Array.from(parts);
      const second = points.pop()!;
      pairs.push([points.join('').normalize('NFC').codePointAt(0)!, second.codePointAt(0)!, composite]);
    }
  return pairs;
}

/** Entries that are filled in as texts ask for them. */
export interface CodePointTable {
  readonly entries: Uint16Array;
  readonly known: Uint8Array;
}

/** Makes a table of nothing but zeros. */
export function createCodePointTable(entries: Uint16Array): CodePointTable {
  return { entries, known: new Uint8Array(BLOCKS) };
}

/** Fills in the block of a code point. Returns the first one of the block, or undefined where nothing was to be done. */
export function fill({ entries, known }: CodePointTable, codePoint: number): number | undefined {
  const block = codePoint >> BLOCK_BITS;
  if (known[block] !== 0) return undefined;
  known[block] = 1;
  const first = block << BLOCK_BITS;
  for (let point = first; point < first + (1 << BLOCK_BITS); point++) entries[point] = entryOf(point);
  return first;
}

/**
 * Fills in what the table lacks for a text.
 * @param octets - UTF-8, ill-formed or not
 * @param learnt - told of each code point that was filled in
 */
export function learn(table: CodePointTable, octets: Uint8Array, learnt: (codePoint: number) => void): void {
  for (let at = 0; at < octets.length; ) {
    if (octets[at]! < 0x80) {
      at++;
      continue;
    }
    const read = readCodePoint(octets, at, octets.length);
    if (read === INCOMPLETE) break;
    at += widthOf(read);
    const first = fill(table, codePointOf(read));
    if (first !== undefined) for (let point = first; point < first + (1 << BLOCK_BITS); point++) learnt(point);
  }
}
