// Steps 1, 2 and 5 for a piece: bitmaps of its words, letters and separators, and the marks of step 3.
import { BEGINS, classIn, readCodePoint } from '../code-points.as';
import { pairs } from '../count/planes.as';
import { KINDS, LETTERS, LOCATORS, SEPARATORS, TABLE, UNSURES, WORDS } from '../layout.as';
import { DECOMPOSES, JOINED, KNOWN, LETTER, SEPARATOR, UNSURE, WORD } from '../scheme.generated.as';
import { allKnown, carryLetters, carryTaken, carryWords, joins, letters, unsures, words } from './block.as';
import { classifyLetters } from './letters.as';
import { separatorsFrom } from './separators.as';
import { findLocators, triggerOf } from './signs.as';
import { bitsOf, letterOf, bytesBelow, wordOf } from './vectors.as';

/** Ends the bitmaps after `size` bytes, so that nothing after the end counts. */
function endBitmaps(size: u32): void {
  const blocks = (size + 63) >> 6;
  const last = size & 63;
  if (last != 0) {
    const keep = (<u64>1 << last) - 1;
    const at = (blocks - 1) << 3;
    store<u64>(WORDS + at, load<u64>(WORDS + at) & keep);
    store<u64>(LETTERS + at, load<u64>(LETTERS + at) & keep);
    store<u64>(SEPARATORS + at, load<u64>(SEPARATORS + at) & keep);
    store<u64>(UNSURES + at, load<u64>(UNSURES + at) & keep);
    store<u64>(LOCATORS + at, load<u64>(LOCATORS + at) & keep);
  }
  const at = blocks << 3;
  store<u64>(WORDS + at, 0);
  store<u64>(LETTERS + at, 0);
  store<u64>(SEPARATORS + at, 0);
  store<u64>(UNSURES + at, 0);
  store<u64>(LOCATORS + at, 0);
}

let separators: u64 = 0;
let lastClass: u32 = 0;
let lastEnd: u32 = 0;

/** The number of bytes beyond ASCII in 64 below which `classifyLetters` takes longer than it saves. */
const MANY: u64 = 12;

/** Classifies the code points beyond ASCII, whose bytes are `high` of the 64 at `base`. */
function classifyHigh(text: u32, base: u32, size: u32, high: u64): void {
  words |= carryWords;
  letters |= carryLetters;
  let covered = carryTaken;
  carryTaken = carryWords = carryLetters = 0;
  if (popcnt(high) >= MANY) covered |= classifyLetters(text + base);
  // (In variables, as the compiler reads and writes globals each time.)
  let wordRuns: u64 = 0;
  let letterRuns: u64 = 0;
  let unsureBits: u64 = 0;
  let separatorBits: u64 = 0;
  let known = KNOWN;
  let order = lastClass;
  let end = lastEnd;
  for (let m = high & ~covered & ~bytesBelow(text + base, -64); m != 0; m &= m - 1) {
    const bit = m & (0 - m);
    const at = base + <u32>ctz(m);
    const read = readCodePoint(load<u32>(text + at));
    if (read == 0) continue;
    const length = read & 7;
    const entry = <u32>load<u16>(TABLE + ((read >> 3) << 1));
    known &= entry;
    if (pairs && load<u8>(KINDS + (read >> 3)) == JOINED) joins = true;
    if ((entry & ~(DECOMPOSES | KNOWN | LETTER | WORD)) != 0) {
      // A mark that is out of order has a lower class than the code point directly before it.
      const combining = classIn(entry);
      if ((entry & UNSURE) != 0 || (combining != 0 && combining < order && at == end)) unsureBits |= bit;
      if ((entry & BEGINS) == SEPARATOR) separatorBits |= bit;
      order = combining;
      end = at + length;
    }
    const run = bit * (length < 4 ? 4 * length - 5 : 15);
    covered |= run;
    wordRuns |= run & (0 - <u64>((entry & WORD) / WORD));
    letterRuns |= run & (0 - <u64>((entry & LETTER) / LETTER));
    if (at + length > base + 64) carry(entry, at + length - base - 64);
  }
  lastClass = order;
  lastEnd = end;
  allKnown &= known;
  words |= wordRuns;
  letters |= letterRuns;
  unsures |= unsureBits;
  // The rest is ill-formed: breaks, however many U+FFFD they become. (A sequence that the end of the piece cuts off
  // comes again, so there is no cut in the last bytes.)
  const rest = high & ~covered;
  separators |= separatorBits | (base + 67 <= size ? rest : size < base + 3 ? 0 : rest & ((<u64>1 << (size - base - 3)) - 1));
}

/** Notes that the last code point of the 64 bytes has `count` bytes in the next. */
function carry(entry: u32, count: u32): void {
  carryTaken = (1 << count) - 1;
  carryWords = (entry & WORD) != 0 ? carryTaken : 0;
  carryLetters = (entry & LETTER) != 0 ? carryTaken : 0;
}

/** Fills the bitmaps for `size` bytes at `text`, by 64. Returns whether the table has all their code points. */
export function classify(text: u32, size: u32): bool {
  let allUnsures: u64 = 0;
  let allLocators: u64 = 0;
  let before: u64 = 0;
  lastEnd = 0xffffffff;
  separatorsFrom = 0;
  allKnown = KNOWN;
  joins = false;
  carryTaken = carryWords = carryLetters = 0;
  for (let base: u32 = 0; base < size; base += 64) {
    const from = text + base;
    const x0 = v128.load(from);
    const x1 = v128.load(from, 16);
    const x2 = v128.load(from, 32);
    const x3 = v128.load(from, 48);
    const l0 = letterOf(x0);
    const l1 = letterOf(x1);
    const l2 = letterOf(x2);
    const l3 = letterOf(x3);
    letters = bitsOf(l0, l1, l2, l3);
    words = bitsOf(wordOf(x0, l0), wordOf(x1, l1), wordOf(x2, l2), wordOf(x3, l3));
    separators = unsures = 0;
    const locators = findLocators(from, triggerOf(x0), triggerOf(x1), triggerOf(x2), triggerOf(x3), words, before);
    before = words;
    if (i8x16.bitmask(v128.or(v128.or(x0, x1), v128.or(x2, x3))) != 0)
      classifyHigh(text, base, size, bitsOf(x0, x1, x2, x3));
    const at = base >> 3;
    store<u64>(WORDS + at, words);
    store<u64>(LETTERS + at, letters);
    store<u64>(SEPARATORS + at, separators);
    store<u64>(UNSURES + at, unsures);
    store<u64>(LOCATORS + at, locators);
    allUnsures |= unsures;
    allLocators |= locators;
  }
  endBitmaps(size);
  unsure = allUnsures != 0;
  located = allLocators != 0;
  return allKnown != 0;
}

/** True if the last classification found something for step 3, and something for step 4. */
export let unsure: bool = false;
export let located: bool = false;
