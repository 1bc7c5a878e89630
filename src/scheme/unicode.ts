import { RUNS } from './unicode.generated.ts';

// The properties of code points in Unicode 12.0 that the steps need: the word class, and what NFC (UAX #15) requires.
// The data are a table, so that the library that they come from is not loaded at start-up; `classify` derives the
// classes from it.

/** The classes of step 2 as small numbers. */
export const BREAK = 0;
export const WORD = 1;
export const LETTER = 2;
export const IGNORABLE = 3;
export const UNASSIGNED = 4;

/** One byte for each code point. Blocks of 512 are filled in on first use: all at once would slow down every start. */
const BLOCK_BITS = 9;
const BLOCK_COUNT = 0x110000 >> BLOCK_BITS;
const classes = new Uint8Array(0x110000);
const isClassified = new Uint8Array(BLOCK_COUNT);

/** Returns the word class of a code point (CLS-1 to CLS-6), from the table. */
export function classOf(codePoint: number): number {
  const block = codePoint >> BLOCK_BITS;
  if (isClassified[block] === 0) classifyBlock(block);
  return classes[codePoint]!;
}

function classifyBlock(block: number): void {
  const { starts, values } = loadRuns();
  const end = (block + 1) << BLOCK_BITS;
  for (let at = block << BLOCK_BITS, run = findRun(at); at < end; run++) {
    const next = Math.min(end, starts[run + 1]!);
    classes.fill(values[run]! & CLASS_MASK, at, next);
    at = next;
  }
  isClassified[block] = 1;
}

/** Returns the canonical combining class of an assigned code point: 0 for a starter, otherwise 1 to 240. */
export function combiningClass(codePoint: number): number {
  return loadRuns().values[findRun(codePoint)]! >> CLASS_BITS;
}

/** A run of code points with the same properties: the word class, and the combining class times 8. */
interface Runs {
  /** The start of each; after the last one, 0x110000. */
  readonly starts: Uint32Array;
  readonly values: Uint16Array;
}

const CLASS_BITS = 3;
const CLASS_MASK = 7;

let runs: Runs | undefined;

/** Reads the runs: for each its length and its value, in base 36. */
function loadRuns(): Runs {
  if (runs !== undefined) return runs;
  const numbers = RUNS.split(' ').map((number) => Number.parseInt(number, 36));
  const count = numbers.length / 2;
  runs = { starts: new Uint32Array(count + 1), values: new Uint16Array(count) };
  for (let run = 0; run < count; run++) {
    runs.starts[run + 1] = runs.starts[run]! + numbers[2 * run]!;
    runs.values[run] = numbers[2 * run + 1]!;
  }
  return runs;
}

function findRun(codePoint: number): number {
  const { starts, values } = loadRuns();
  let [first, last] = [0, values.length - 1];
  while (first < last) {
    const middle = (first + last + 1) >> 1;
    if (starts[middle]! <= codePoint) first = middle;
    else last = middle - 1;
  }
  return first;
}

/** Reads ranges of code points in hexadecimal: `338 342-345`. */
export function readRanges(text: string): readonly (readonly [first: number, last: number])[] {
  return text.split(' ').map((range) => {
    const [first, last = first] = range.split('-').map((end) => Number.parseInt(end, 16));
    return [first!, last!];
  });
}

/** May compose with the one before: NFC_Quick_Check = Maybe in Unicode 12.0 (DerivedNormalizationProps.txt, version 12.0.0). */
const MAYBE_COMPOSED = readRanges(
  '300-304 306-30c 30f 311 313-314 31b 323-328 32d-32e 330-331 338 342 345 653-655 93c 9be 9d7 b3e b56-b57 bbe ' +
    'bd7 c56 cc2 cd5-cd6 d3e d57 dca dcf ddf 102e 1161-1175 11a8-11c2 1b35 3099-309a 110ba 11127 1133e 11357 ' +
    '114b0 114ba 114bd 115af',
);

/** {@link quickCheckOf}: the code point begins a segment, which NFC treats independently of the text before it. */
export const BOUNDARY = 0;
/** {@link quickCheckOf}: NFC may change the code point or the text before it. */
export const UNSURE = 255;

/** {@link orderOf}: NFC changes the code point by itself. */
export const DECOMPOSES = -1;
/** {@link DECOMPOSES} in a table of bytes. */
const DECOMPOSES_BYTE = 255;

const quickChecks = new Uint8Array(0x110000);
/** For code points with an unsure quick check: the combining class or DECOMPOSES_BYTE. */
const ordersOfUnsure = new Uint8Array(0x110000);
const isBlockFilled = new Uint8Array(BLOCK_COUNT);

function deriveQuickCheck(codePoint: number): number {
  if (MAYBE_COMPOSED.some(([first, last]) => codePoint >= first && codePoint <= last)) return UNSURE;
  const wordClass = classOf(codePoint);
  // None of these reaches NFC. A newer engine may assign an unassigned code point; that must make no difference.
  if (wordClass === UNASSIGNED || wordClass === IGNORABLE || (codePoint & 0x1ff800) === 0xd800) return BOUNDARY;
  return isStable(codePoint) ? combiningClass(codePoint) : UNSURE;
}

function isStable(codePoint: number): boolean {
  const text = String.fromCodePoint(codePoint);
  return text.normalize('NFC') === text;
}

function fillBlock(block: number): void {
  for (let codePoint = block << BLOCK_BITS, end = codePoint + (1 << BLOCK_BITS); codePoint < end; codePoint++) {
    const check = deriveQuickCheck(codePoint);
    quickChecks[codePoint] = check;
    if (check === UNSURE) ordersOfUnsure[codePoint] = isStable(codePoint) ? combiningClass(codePoint) : DECOMPOSES_BYTE;
  }
  isBlockFilled[block] = 1;
}

/**
 * Returns the NFC quick check (UAX #15) of a code point, joined with its combining class.
 * @param codePoint - assigned in Unicode 12.0 and not ignorable
 * @returns {@link BOUNDARY} for a starter that never composes with the code point before it; {@link UNSURE} if
 * NFC_Quick_Check is No or Maybe; otherwise the combining class, 1 to 240
 */
export function quickCheckOf(codePoint: number): number {
  const block = codePoint >> BLOCK_BITS;
  if (isBlockFilled[block] === 0) fillBlock(block);
  return quickChecks[codePoint]!;
}

/** Returns the combining class, 0 to 240, or {@link DECOMPOSES}, of a code point with this quick check. */
export function orderOf(codePoint: number, check: number): number {
  if (check !== UNSURE) return check;
  const order = ordersOfUnsure[codePoint]!;
  return order === DECOMPOSES_BYTE ? DECOMPOSES : order;
}

/** A part of a decomposition and its combining class. */
type DecomposedPart = readonly [codePoint: number, order: number];

const decompositions = new Map<number, readonly DecomposedPart[]>();

/** Returns the full canonical decomposition of an assigned code point. */
export function decompositionOf(codePoint: number): readonly DecomposedPart[] {
  let parts = decompositions.get(codePoint);
  if (parts === undefined) {
    parts = Array.from(String.fromCodePoint(codePoint).normalize('NFD'), (text): DecomposedPart => {
      const part = text.codePointAt(0)!;
      return [part, combiningClass(part)];
    });
    decompositions.set(codePoint, parts);
  }
  return parts;
}
