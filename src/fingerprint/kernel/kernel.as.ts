// The fingerprint kernel, in AssemblyScript: steps 1 to 5, 7 and 8. Text that needs no normalisation and holds no locator
// is classified by 64 octets; around the places that may, spans are put in NFC and scanned for locators. See README.md
// for the layout of its memory and for what makes a span. Nothing is allocated: all addresses are constants.
import {
  BATCH,
  CAPACITY,
  EDGES,
  EDGE_BLOCKS,
  END,
  HASHES,
  HASHES_B,
  HASHES_C,
  INPUT,
  KINDS,
  LETTERS,
  LOCATORS,
  MASKS,
  NORMALISED,
  ORDERED,
  PAD,
  PAIRS,
  PAIR_BITS,
  PARTS,
  PART_BITS,
  PLACES,
  PLANES,
  PLANES_B,
  PLANES_C,
  POINTS,
  SCRATCH,
  SEPARATORS,
  SETS,
  SORTED,
  STARTS,
  SUMS,
  TABLE,
  TOKENS,
  UNSURES,
  WORDS,
} from './layout.as';
import { addElements, drawHeld, resetBins, setWords } from './minhash.as';
import {
  ALPHANUMERIC,
  ASCII_LETTER,
  DIGIT,
  HEX,
  IDEOGRAPHS,
  IDEOGRAPHS_END,
  INITIAL,
  LABEL,
  LOCAL,
  MAX_PREFIX,
  MIN_PREFIX,
  SCHEME,
  SETS_OF_OCTETS,
  SYLLABLES,
  SYLLABLES_END,
  THREE_COUNT,
  THREE_LEAST,
  TWO_COUNT,
  TWO_LEAST,
  URIC,
  endsPrefix,
  isPrefixWord,
} from './scheme.generated.as';

// Flags of the table.
const WORD: u32 = 1;
const LETTER: u32 = 2;
/** Step 3 may change it, or what stands before it. */
const UNSURE: u32 = 4;
const SEPARATOR: u32 = 8;
/** Both: step 3 changes it, but it begins a segment. */
const BEGINS: u32 = UNSURE | SEPARATOR;
/** The host has filled in what it is. */
const KNOWN: u32 = 16;
const IGNORABLE: u32 = 32;
/** May compose with what stands before it. */
const COMPOSES: u32 = 64;
const DECOMPOSES: u32 = 128;

// A code point of a segment: 21 bits, 8 bits of its combining class, and three flags.
const POINT: u32 = 0x1fffff;
const ORDER_SHIFT: u32 = 21;
const POINT_COMPOSES: u32 = 1 << 29;
const POINT_DECOMPOSES: u32 = 1 << 30;
const POINT_UNSURE: u32 = 1 << 31;
const NO_POINT: u32 = 0xffffffff;

export function inputAddress(): u32 {
  return INPUT;
}
export function inputCapacity(): u32 {
  return CAPACITY;
}
export function tableAddress(): u32 {
  return TABLE;
}
export function normalisedAddress(): u32 {
  return NORMALISED;
}
export function kindsAddress(): u32 {
  return KINDS;
}
export function hashesAddress(): u32 {
  return HASHES_C;
}
export function hashesCapacity(): u32 {
  return HASHES;
}
export function memoryEnd(): u32 {
  return END;
}

let tokens: u32 = 0;
let hashes: u32 = 0;
/** The number of tokens so far. */
let total: u64 = 0;
let planesUsed: u32 = 0;

/** Once, in a memory of zeros: so every code point is unknown until the host has filled in what it is. */
export function initialise(): void {
  memory.copy(SETS, SETS_OF_OCTETS, 256);
  for (let bits: u32 = 0; bits < 256; bits++) {
    let to = PLACES + (bits << 4);
    for (let rest = bits; rest != 0; rest &= rest - 1, to += 2) store<u16>(to, ctz(rest));
  }
  for (let n: u32 = 0; n <= 12; n++) {
    memory.fill(MASKS + 16 * n, 0xff, n);
    store<u32>(MASKS + 16 * n, (1 << n) - 1, 12);
  }
  reset();
}

/** Set if tokens are cut into pairs (bg1). */
let pairs: bool = false;
/** Set if the host gets all hashes. */
let shows: bool = false;
/** The number of words of minhash-doc; 0 for simhash-doc. */
let minhashWords: u32 = 0;

/** Before `reset`. */
export function setScheme(bg1: bool, words: u32, showing: bool): void {
  pairs = bg1;
  shows = showing;
  minhashWords = words;
  setWords(words);
}

/** Shows the host the first `end` hashes. */
// @ts-ignore: decorator
@external("env", "showHashes")
declare function showHashes(end: u32): void;

/** Before each document. */
export function reset(): void {
  tokens = 0;
  hashes = 0;
  total = 0;
  if (minhashWords != 0) resetBins();
  else memory.fill(PLANES_C, 0, 2 * 16 * PLANES);
  planesUsed = 0;
}

export function tokenCount(): f64 {
  return <f64>total;
}

// ---------------------------------------------------------------------------------------------------- classification

// @ts-ignore: decorator
@inline
function inRange(x: v128, first: u8, count: u8): v128 {
  // Engines have one instruction to compare signed octets, and need four for others.
  return i8x16.lt_s(i8x16.add(x, i8x16.splat(<i8>(0x80 - first))), i8x16.splat(<i8>(0x80 + count)));
}

// @ts-ignore: decorator
@inline
function isAlphanumeric(octet: u32): bool {
  return (octet | 0x20) - 0x61 < 26 || octet - 0x30 < 10;
}

/**
 * DEC-2 for one sequence, given its octets as a little-endian number: 8 times its code point, plus its length; 0 where it is
 * ill-formed.
 */
// @ts-ignore: decorator
@inline
function readCodePoint(octets: u32): u32 {
  const lead = octets & 0xff;
  if (lead >= 0xc2 && lead < 0xe0) {
    if ((octets & 0xc000) == 0x8000) return ((lead & 0x1f) << 9) | ((octets >> 5) & 0x1f8) | 2;
  } else if (lead >= 0xe0 && lead < 0xf0) {
    if ((octets & 0xc0c000) == 0x808000) {
      const codePoint = ((lead & 0x0f) << 12) | ((octets >> 2) & 0xfc0) | ((octets >> 16) & 0x3f);
      if (codePoint >= 0x800 && codePoint >> 11 != 0x1b) return (codePoint << 3) | 3;
    }
  } else if (lead >= 0xf0 && lead < 0xf5) {
    if ((octets & 0xc0c0c000) == 0x80808000) {
      const codePoint =
        ((lead & 0x07) << 18) | ((octets << 4) & 0x3f000) | ((octets >> 10) & 0xfc0) | ((octets >> 24) & 0x3f);
      if (codePoint - 0x10000 < 0x100000) return (codePoint << 3) | 4;
    }
  }
  return 0;
}

/** Tests whether a locator may have its `:`, `@`, third `.` or last `-` at an address. (Before a text stand 64 zeros.) */
function mayLocate(at: u32): bool {
  const before = <u32>load<u8>(at - 1);
  switch (load<u8>(at)) {
    case 0x2e:
      // `10.` and `www.`: forms 4 and 2.
      if (before == 0x30) return load<u8>(at - 2) == 0x31;
      return (before | 0x20) == 0x77 && (<u32>load<u16>(at - 3) | 0x2020) == 0x7777;
    case 0x2d:
      // Four hyphens with four octets between them: form 6.
      return load<u8>(at - 5) == 0x2d && load<u8>(at - 10) == 0x2d && load<u8>(at - 15) == 0x2d;
    case 0x40: {
      if (!isAlphanumeric(before) && (before <= 0x20 || before >= 0x60)) return false;
      // A label and a dot have to follow; where the label is long it may be so.
      let end = at + 1;
      while (end < at + 64 && (isAlphanumeric(load<u8>(end)) || load<u8>(end) == 0x2d)) end++;
      return end > at + 1 && (load<u8>(end) == 0x2e || end == at + 64);
    }
  }
  const behind = <u32>load<u8>(at + 1);
  if (behind <= 0x20) return false;
  if (behind == 0x2f && load<u8>(at + 2) == 0x2f) return true;
  return endsPrefix(((<u32>load<u8>(at - 2) | 0x20) << 8) | (before | 0x20));
}

// @ts-ignore: decorator
@inline
function letterOf(x: v128): v128 {
  return inRange(v128.or(x, i8x16.splat(0x20)), 0x61, 26);
}

// @ts-ignore: decorator
@inline
function wordOf(x: v128, letter: v128): v128 {
  return v128.or(v128.or(letter, inRange(x, 0x30, 10)), i8x16.eq(x, i8x16.splat(0x5f)));
}

/** The octets that `mayLocate` checks: `-` `.` `:` `@`. */
// @ts-ignore: decorator
@inline
function triggerOf(x: v128): v128 {
  return v128.or(inRange(x, 0x2d, 2), v128.or(i8x16.eq(x, i8x16.splat(0x3a)), i8x16.eq(x, i8x16.splat(0x40))));
}

/** Those among 16 triggers that `mayLocate` has to look at: of `.` and `-`, few have before them what they need. */
// @ts-ignore: decorator
@inline
function likelyTriggers(at: u32): v128 {
  const x = v128.load(at);
  const before = v128.load(at - 1);
  const zeroOrW = v128.or(
    i8x16.eq(before, i8x16.splat(0x30)),
    i8x16.eq(v128.or(before, i8x16.splat(0x20)), i8x16.splat(0x77)),
  );
  const hyphen = i8x16.splat(0x2d);
  return v128.or(
    v128.or(i8x16.eq(x, i8x16.splat(0x3a)), i8x16.eq(x, i8x16.splat(0x40))),
    v128.or(
      v128.and(i8x16.eq(x, i8x16.splat(0x2e)), zeroOrW),
      v128.and(i8x16.eq(x, hyphen), i8x16.eq(v128.load(at - 5), hyphen)),
    ),
  );
}

/** ASCII before which a text can be cut: white space, controls, and what else is neither uric nor part of a word. */
// @ts-ignore: decorator
@inline
function separatorOf(x: v128): v128 {
  const lessOrGreater = i8x16.eq(v128.and(x, i8x16.splat(-3)), i8x16.splat(0x3c));
  const backslashOrCircumflex = i8x16.eq(v128.and(x, i8x16.splat(-3)), i8x16.splat(0x5c));
  const quote = v128.or(i8x16.eq(x, i8x16.splat(0x22)), i8x16.eq(x, i8x16.splat(0x60)));
  return v128.or(
    v128.or(inRange(x, 0, 0x21), inRange(x, 0x7b, 3)),
    v128.or(v128.or(lessOrGreater, backslashOrCircumflex), quote),
  );
}

/** The bitmap of 64 octets. */
// @ts-ignore: decorator
@inline
function bitsOf(a: v128, b: v128, c: v128, d: v128): u64 {
  return (
    <u64>(<u32>i8x16.bitmask(a) | (<u32>i8x16.bitmask(b) << 16)) |
    (<u64>(<u32>i8x16.bitmask(c) | (<u32>i8x16.bitmask(d) << 16)) << 32)
  );
}

/** The letters and digits of ASCII among 64 octets. */
function alphanumerics(at: u32): u64 {
  const a = v128.load(at);
  const b = v128.load(at, 16);
  const c = v128.load(at, 32);
  const d = v128.load(at, 48);
  return bitsOf(
    v128.or(letterOf(a), inRange(a, 0x30, 10)),
    v128.or(letterOf(b), inRange(b, 0x30, 10)),
    v128.or(letterOf(c), inRange(c, 0x30, 10)),
    v128.or(letterOf(d), inRange(d, 0x30, 10)),
  );
}

/** The places among 64 octets at `from` where a locator may begin or have its sign, given those of `triggerOf`. */
// @ts-ignore: decorator
@inline
function locatorsAmong(from: u32, triggers: u64): u64 {
  let locators: u64 = 0;
  for (; triggers != 0; triggers &= triggers - 1) {
    const j = <u32>ctz(triggers);
    if (mayLocate(from + j)) locators |= <u64>1 << j;
  }
  return locators;
}

/** Tests whether sixteen bits in a row are set. */
// @ts-ignore: decorator
@inline
function hasSixteen(bits: u64): bool {
  bits &= bits >> 1;
  bits &= bits >> 2;
  bits &= bits >> 4;
  return (bits & (bits >> 8)) != 0;
}

/** Ends the bitmaps after `size` octets: nothing after the end counts. */
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

/**
 * The places among 64 octets where a locator may be.
 * @param words - the word characters of the 64
 * @param before - those of the 64 octets before
 */
// @ts-ignore: decorator
@inline
function findLocators(from: u32, t0: v128, t1: v128, t2: v128, t3: v128, words: u64, before: u64): u64 {
  const triggers = bitsOf(likelyTriggers(from), likelyTriggers(from + 16), likelyTriggers(from + 32), likelyTriggers(from + 48));
  let locators = triggers == 0 ? 0 : locatorsAmong(from, triggers);
  // Thirty-two letters and digits in a row: form 7. (In two blocks, sixteen or more of them are in one.)
  if (hasSixteen(words) || before >> 48 == 0xffff) locators |= digestsAmong(from, words, before);
  return locators;
}

// The bitmaps of the 64 octets that are being classified, and what a sequence that crosses their end leaves for the next.
let words: u64 = 0;
let letters: u64 = 0;
let separators: u64 = 0;
let unsures: u64 = 0;
let carryWords: u64 = 0;
let carryLetters: u64 = 0;
let carryTaken: u64 = 0;
/** The combining class of the last code point beyond ASCII, where it ends, and what the entries of all have in common. */
let lastClass: u32 = 0;
let lastEnd: u32 = 0;
let allKnown: u32 = 0;

/** At fewer octets beyond ASCII in 64, `classifyLetters` takes longer than it saves. */
const MANY: u64 = 12;

/** The octets among 64 that are less than a bound, as signed numbers: those that continue a sequence are less than -64. */
function octetsBelow(at: u32, bound: i8): u64 {
  const x = i8x16.splat(bound);
  return bitsOf(
    i8x16.lt_s(v128.load(at), x),
    i8x16.lt_s(v128.load(at, 16), x),
    i8x16.lt_s(v128.load(at, 32), x),
    i8x16.lt_s(v128.load(at, 48), x),
  );
}

/** Classifies the code points beyond ASCII, whose octets are `high` of the 64 at `base`. */
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
  for (let m = high & ~covered & ~octetsBelow(text + base, -64); m != 0; m &= m - 1) {
    const bit = m & (0 - m);
    const at = base + <u32>ctz(m);
    const read = readCodePoint(load<u32>(text + at));
    if (read == 0) continue;
    const length = read & 7;
    const entry = <u32>load<u16>(TABLE + ((read >> 3) << 1));
    known &= entry;
    if (pairs && load<u8>(KINDS + (read >> 3)) == 1) joins = true;
    if ((entry & ~DECOMPOSES) > (KNOWN | LETTER | WORD)) {
      // A mark that is out of order has a class, lower than that of what stands directly before it.
      const combining = entry >> 8;
      if ((entry & UNSURE) != 0 || (combining != 0 && combining < order && at == end)) unsureBits |= bit;
      if ((entry & BEGINS) == SEPARATOR) separatorBits |= bit;
      order = combining;
      end = at + length;
    }
    const run = bit * (length < 4 ? 4 * length - 5 : 15);
    covered |= run;
    wordRuns |= run & (0 - <u64>(entry & WORD));
    letterRuns |= run & (0 - <u64>((entry & LETTER) >> 1));
    if (at + length > base + 64) carry(entry, at + length - base - 64);
  }
  lastClass = order;
  lastEnd = end;
  allKnown &= known;
  words |= wordRuns;
  letters |= letterRuns;
  unsures |= unsureBits;
  // The rest is ill-formed: breaks, however many U+FFFD they become. (Cut off by the end of the piece, a sequence comes
  // again: so no cut in the last octets.)
  const rest = high & ~covered;
  separators |= separatorBits | (base + 67 <= size ? rest : size < base + 3 ? 0 : rest & ((<u64>1 << (size - base - 3)) - 1));
}

/** Notes that the last code point of the 64 octets has `count` octets in the next. */
function carry(entry: u32, count: u32): void {
  carryTaken = (1 << count) - 1;
  carryWords = (entry & WORD) != 0 ? carryTaken : 0;
  carryLetters = (entry & LETTER) != 0 ? carryTaken : 0;
}

// Letters that NFC leaves alone, in long ranges: 16 places at once, by the lead octet, its least second one and how many.

/** The places where letters of two octets begin, D0 to D7: Cyrillic, Armenian, Hebrew. All are in one block of the table. */
// @ts-ignore: decorator
@inline
function lettersOfTwo(at: u32): v128 {
  const lead = v128.xor(v128.load(at), i8x16.splat(<i8>0xd0));
  const least = i8x16.swizzle(TWO_LEAST, lead);
  const count = i8x16.swizzle(TWO_COUNT, lead);
  return i8x16.lt_u(i8x16.sub(v128.load(at, 1), least), count);
}

/** The places where letters of three octets begin, E3 to ED: kana, ideographs, Hangul syllables. */
// @ts-ignore: decorator
@inline
function lettersOfThree(at: u32): v128 {
  const lead = v128.xor(v128.load(at), i8x16.splat(<i8>0xe0));
  const second = v128.load(at, 1);
  const third = v128.load(at, 2);
  const least = i8x16.swizzle(THREE_LEAST, lead);
  const count = i8x16.swizzle(THREE_COUNT, lead);
  const ranges = v128.and(
    i8x16.lt_u(i8x16.sub(second, least), count),
    i8x16.lt_s(third, i8x16.splat(-64)),
  );
  // Among kana U+3040, U+3097 to U+30A0 and U+30FB are others.
  const others = v128.or(
    v128.and(i8x16.eq(second, i8x16.splat(<i8>0x81)), i8x16.eq(third, i8x16.splat(<i8>0x80))),
    v128.or(
      v128.and(i8x16.eq(second, i8x16.splat(<i8>0x82)), inRange(third, 0x97, 10)),
      v128.and(i8x16.eq(second, i8x16.splat(<i8>0x83)), i8x16.eq(third, i8x16.splat(<i8>0xbb))),
    ),
  );
  return v128.andnot(ranges, v128.and(others, i8x16.eq(lead, i8x16.splat(3))));
}

/** Tests whether one of 64 octets is one of `count` from `first` on. */
// @ts-ignore: decorator
@inline
function hasOf(at: u32, first: u8, count: u8): bool {
  return v128.any_true(
    v128.or(
      v128.or(inRange(v128.load(at), first, count), inRange(v128.load(at, 16), first, count)),
      v128.or(inRange(v128.load(at, 32), first, count), inRange(v128.load(at, 48), first, count)),
    ),
  );
}

/** True if the table has the ideographs and syllables of `lettersOfThree`. */
let hasLetters: bool = false;

/** Sees to the table for letters of `lettersOfThree`, and to `joins`. */
function ensureLetterTable(at: u32, three: u64): void {
  if (!hasLetters) {
    fillLetters(IDEOGRAPHS, IDEOGRAPHS_END);
    fillLetters(SYLLABLES, SYLLABLES_END);
    hasLetters = true;
  }
  // (Kana are in one block, which the host fills in.)
  if ((load<u16>(TABLE + 2 * 0x3000) & KNOWN) == 0 && (three & octetsBelow(at, <i8>0xe4)) != 0) allKnown = 0;
  if (pairs && !joins) joins = (three & octetsBelow(at, <i8>0xea)) != 0;
}

function fillLetters(first: u32, end: u32): void {
  const entries = i16x8.splat(<i16>(KNOWN | LETTER | WORD));
  for (let at = TABLE + 2 * first; at < TABLE + 2 * end; at += 16) v128.store(at, entries);
}

/** The places where U+0300 to U+033F begin, the marks that are most frequent in NFD. All are in one block of the table. */
// @ts-ignore: decorator
@inline
function frequentMarks(at: u32): v128 {
  return v128.and(i8x16.eq(v128.load(at), i8x16.splat(<i8>0xcc)), i8x16.lt_s(v128.load(at, 1), i8x16.splat(-64)));
}

/** The places where Latin letters of two octets begin, C3 to C7: U+00C0 to U+01FF but two signs, all in one block of the table. */
// @ts-ignore: decorator
@inline
function latinOfTwo(at: u32): v128 {
  const x = v128.load(at);
  const second = v128.load(at, 1);
  const signs = v128.and(
    i8x16.eq(x, i8x16.splat(<i8>0xc3)),
    i8x16.eq(v128.and(second, i8x16.splat(<i8>0xdf)), i8x16.splat(<i8>0x97)),
  );
  return v128.andnot(v128.and(inRange(x, 0xc3, 5), i8x16.lt_s(second, i8x16.splat(-64))), signs);
}

/** The places of code points of three octets with E1 and one of four second octets: jamo with 84, more Latin letters with B8. */
// @ts-ignore: decorator
@inline
function fromE1(at: u32, second: u8): v128 {
  return v128.and(
    v128.and(i8x16.eq(v128.load(at), i8x16.splat(<i8>0xe1)), inRange(v128.load(at, 1), second, 4)),
    i8x16.lt_s(v128.load(at, 2), i8x16.splat(-64)),
  );
}

/** Classifies U+00C0 to U+01FF, and returns them. */
function classifyLatin(at: u32): u64 {
  const two = bitsOf(latinOfTwo(at), latinOfTwo(at + 16), latinOfTwo(at + 32), latinOfTwo(at + 48));
  if (two != 0) allKnown &= <u32>load<u16>(TABLE + 2 * 0xc0);
  carryTaken |= two >> 63;
  return two | (two << 1);
}

/** Classifies U+1100 to U+11FF and U+1E00 to U+1EFF, and returns them. Jamo may compose with each other. */
function classifyE1(at: u32): u64 {
  const jamo = bitsOf(fromE1(at, 0x84), fromE1(at + 16, 0x84), fromE1(at + 32, 0x84), fromE1(at + 48, 0x84));
  const latin = bitsOf(fromE1(at, 0xb8), fromE1(at + 16, 0xb8), fromE1(at + 32, 0xb8), fromE1(at + 48, 0xb8));
  if (jamo != 0) allKnown &= <u32>load<u16>(TABLE + 2 * 0x1100);
  if (latin != 0) allKnown &= <u32>load<u16>(TABLE + 2 * 0x1e00);
  unsures |= jamo;
  const three = jamo | latin;
  carryTaken |= (three >> 63) | (three >> 62);
  return three | (three << 1) | (three << 2);
}

/** Classifies letters in long ranges and `frequentMarks` among 64 octets, and returns them. */
function classifyLetters(at: u32): u64 {
  let run: u64 = 0;
  if (hasOf(at, 0xd0, 8)) {
    const two = bitsOf(lettersOfTwo(at), lettersOfTwo(at + 16), lettersOfTwo(at + 32), lettersOfTwo(at + 48));
    if (two != 0) allKnown &= <u32>load<u16>(TABLE + 2 * 0x400);
    run = two | (two << 1);
    carryTaken = two >> 63;
  }
  if (hasOf(at, 0xe3, 11)) {
    const three = bitsOf(lettersOfThree(at), lettersOfThree(at + 16), lettersOfThree(at + 32), lettersOfThree(at + 48));
    if (three != 0) ensureLetterTable(at, three);
    run |= three | (three << 1) | (three << 2);
    carryTaken |= (three >> 63) | (three >> 62);
  }
  if (hasOf(at, 0xc3, 5)) run |= classifyLatin(at);
  if (hasOf(at, 0xe1, 1)) run |= classifyE1(at);
  letters |= run;
  carryLetters = carryTaken;
  if (hasOf(at, 0xcc, 1)) {
    const marks = bitsOf(frequentMarks(at), frequentMarks(at + 16), frequentMarks(at + 32), frequentMarks(at + 48));
    if (marks != 0) allKnown &= <u32>load<u16>(TABLE + 2 * 0x300);
    // (Step 3 could be sure of some.)
    unsures |= marks;
    run |= marks | (marks << 1);
    carryTaken |= marks >> 63;
  }
  words |= run;
  carryWords = carryTaken;
  return run;
}

/**
 * Fills the bitmaps for `size` octets at `text`, by 64. Returns whether the table has all their code points.
 * @param locating - whether it should look for locators
 */
function classify(text: u32, size: u32, locating: bool): bool {
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
    const locators = locating
      ? findLocators(from, triggerOf(x0), triggerOf(x1), triggerOf(x2), triggerOf(x3), words, before)
      : 0;
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

/** True if the last classification met something for step 3, something for step 4, and joined code points (bg1). */
let unsure: bool = false;
let joins: bool = false;
let located: bool = false;

/** The places among 64 octets at `from` where a digest may be. (Exported, so that it is not inlined: it is rarely needed.) */
export function digestsAmong(from: u32, words: u64, before: u64): u64 {
  return endsOf32(words, before) == 0 ? 0 : endsOf32(alphanumerics(from), alphanumerics(from - 64));
}

/** The places among 64 octets up to which 32 bits or more in a row are set. `before` has the bits before. */
function endsOf32(bits: u64, before: u64): u64 {
  for (let count: u64 = 1; count < 32; count <<= 1) {
    bits &= (bits << count) | (before >> (64 - count));
    before &= before << count;
  }
  return bits;
}

// ------------------------------------------------------------------------------------------------------------ spans

/** The block whose separators were asked for last (one after the other ask for the same ones), and those. */
let separatorsFrom: u32 = 0;
let lastSeparators: u64 = 0;

/** The separators of a block: the bitmap has only those outside ASCII, as few blocks are asked for. */
function separatorsOf(text: u32, block: u32): u64 {
  const at = text + (block << 6);
  if (at != separatorsFrom) {
    separatorsFrom = at;
    const ascii = bitsOf(
      separatorOf(v128.load(at)),
      separatorOf(v128.load(at, 16)),
      separatorOf(v128.load(at, 32)),
      separatorOf(v128.load(at, 48)),
    );
    lastSeparators = load<u64>(SEPARATORS + (block << 3)) | ascii;
  }
  return lastSeparators;
}

/** The last separator before `at` (itself included), or 0 where there is none. */
function separatorBefore(text: u32, at: u32): u32 {
  let block = at >> 6;
  let bits = separatorsOf(text, block) & ((<u64>2 << (at & 63)) - 1);
  while (bits == 0) {
    if (block == 0) return 0;
    bits = separatorsOf(text, --block);
  }
  return (block << 6) + 63 - <u32>clz(bits);
}

/** The first separator after `at`, or `end` where there is none. */
function separatorBehind(text: u32, at: u32, end: u32): u32 {
  let block = (at + 1) >> 6;
  let bits = separatorsOf(text, block) & ~((<u64>1 << ((at + 1) & 63)) - 1);
  while (bits == 0) {
    if (++block << 6 >= end) return end;
    bits = separatorsOf(text, block);
  }
  return min((block << 6) + <u32>ctz(bits), end);
}

/** Takes the bits of a span away from a bitmap. */
function clear(map: u32, from: u32, end: u32): void {
  const first = from >> 6;
  const last = (end - 1) >> 6;
  for (let block = first; block <= last; block++) {
    let keep: u64 = 0;
    if (block == first) keep |= (<u64>1 << (from & 63)) - 1;
    if (block == last && (end & 63) != 0) keep |= ~((<u64>1 << (end & 63)) - 1);
    store<u64>(map + (block << 3), load<u64>(map + (block << 3)) & keep);
  }
}

// -------------------------------------------------------------------------------------------------------- normalisation

function pairSlot(first: u32, second: u32): u32 {
  return ((first * 0x9e3779b1) ^ (second * 0x85ebca77)) >> (32 - PAIR_BITS);
}

/** Adds a pair that composes, Hangul excepted. */
export function addPair(first: u32, second: u32, composite: u32): void {
  let slot = pairSlot(first, second);
  while (load<u32>(PAIRS + (slot << 4)) != 0) slot = (slot + 1) & ((1 << PAIR_BITS) - 1);
  store<u32>(PAIRS + (slot << 4), first);
  store<u32>(PAIRS + (slot << 4), second, 4);
  store<u32>(PAIRS + (slot << 4), composite, 8);
}

/** Returns the composite of a pair, or 0. */
function composePair(first: u32, second: u32): u32 {
  // Hangul syllables by their arithmetic (Unicode 12.0, section 3.12).
  if (second - 0x1161 < 21) return first - 0x1100 < 19 ? 0xac00 + ((first - 0x1100) * 21 + second - 0x1161) * 28 : 0;
  if (second - 0x11a8 < 27)
    return first - 0xac00 < 11172 && (first - 0xac00) % 28 == 0 ? first + second - 0x11a7 : 0;
  const pair = <u64>first | (<u64>second << 32);
  let slot = pairSlot(first, second);
  let known = load<u64>(PAIRS + (slot << 4));
  while (known != 0 && known != pair) {
    slot = (slot + 1) & ((1 << PAIR_BITS) - 1);
    known = load<u64>(PAIRS + (slot << 4));
  }
  return load<u32>(PAIRS + (slot << 4), 8);
}

/**
 * Adds the full decomposition of a code point: returns where the host writes how many they are, and which, as in a
 * segment, 32 bits each; and 20 octets after, how many octets it is in NFC, and those.
 */
export function addParts(codePoint: u32): u32 {
  let slot = (codePoint * 0x9e3779b1) >> (32 - PART_BITS);
  while (load<u32>(PARTS + (slot << 6)) != 0) slot = (slot + 1) & ((1 << PART_BITS) - 1);
  store<u32>(PARTS + (slot << 6), codePoint);
  return PARTS + (slot << 6) + 4;
}

function partsOf(codePoint: u32): u32 {
  let slot = (codePoint * 0x9e3779b1) >> (32 - PART_BITS);
  while (load<u32>(PARTS + (slot << 6)) != codePoint) slot = (slot + 1) & ((1 << PART_BITS) - 1);
  return PARTS + (slot << 6) + 4;
}

// @ts-ignore: decorator
@inline
function orderOf(point: u32): u32 {
  return (point >> ORDER_SHIFT) & 0xff;
}

// @ts-ignore: decorator
@inline
function writeCodePoint(codePoint: u32, at: u32): u32 {
  if (codePoint < 0x80) {
    store<u8>(at, codePoint);
    return at + 1;
  }
  if (codePoint < 0x800) {
    store<u16>(at, 0x80c0 | (codePoint >> 6) | ((codePoint & 0x3f) << 8));
    return at + 2;
  }
  if (codePoint < 0x10000) {
    store<u32>(at, 0x8080e0 | (codePoint >> 12) | ((codePoint & 0xfc0) << 2) | ((codePoint & 0x3f) << 16));
    return at + 3;
  }
  store<u32>(
    at,
    0x808080f0 |
      (codePoint >> 18) |
      ((codePoint & 0x3f000) >> 4) |
      ((codePoint & 0xfc0) << 10) |
      ((codePoint & 0x3f) << 24),
  );
  return at + 4;
}

/** Puts the marks from `from` to `end` of ORDERED in the order of their classes, equal ones as they stand. */
function orderMarks(from: u32, end: u32): void {
  if (end - from <= 12) {
    for (let i = from + 1; i < end; i++) {
      const point = load<u32>(ORDERED + (i << 2));
      let j = i;
      for (; j > from && orderOf(load<u32>(ORDERED + (j << 2) - 4)) > orderOf(point); j--)
        store<u32>(ORDERED + (j << 2), load<u32>(ORDERED + (j << 2) - 4));
      store<u32>(ORDERED + (j << 2), point);
    }
    return;
  }
  // By counting, so that the time is linear.
  let lowest: u32 = 255;
  let highest: u32 = 0;
  for (let i = from; i < end; i++) {
    const order = orderOf(load<u32>(ORDERED + (i << 2)));
    lowest = min(lowest, order);
    highest = max(highest, order);
  }
  memory.fill(STARTS + (lowest << 2), 0, (highest - lowest + 1) << 2);
  for (let i = from; i < end; i++) {
    const place = STARTS + (orderOf(load<u32>(ORDERED + (i << 2))) << 2);
    store<u32>(place, load<u32>(place) + 1);
  }
  let sum: u32 = 0;
  for (let order = lowest; order <= highest; order++) {
    const place = STARTS + (order << 2);
    const size = load<u32>(place);
    store<u32>(place, sum);
    sum += size;
  }
  for (let i = from; i < end; i++) {
    const point = load<u32>(ORDERED + (i << 2));
    const place = STARTS + (orderOf(point) << 2);
    const to = load<u32>(place);
    store<u32>(place, to + 1);
    store<u32>(SORTED + (to << 2), point);
  }
  memory.copy(ORDERED + (from << 2), SORTED, (end - from) << 2);
}

/** NRM-3 for a segment of `size` code points, two or more, that do not all compose; returns where the result ends. */
function writeSegment(size: u32, at: u32): u32 {
  if (size == 2) {
    const first = load<u32>(POINTS);
    const second = load<u32>(POINTS, 4);
    if (((first | second) & POINT_DECOMPOSES) == 0 && orderOf(first) == 0)
      return writeCodePoint(second & POINT, writeCodePoint(first & POINT, at));
  }
  const count = composeOrdered(decomposeInOrder(size));
  for (let i: u32 = 0; i < count; i++) at = writeCodePoint(load<u32>(ORDERED + (i << 2)) & POINT, at);
  return at;
}

/** Decomposes the `size` code points of a segment and puts them in canonical order; returns how many there are then. */
function decomposeInOrder(size: u32): u32 {
  let count: u32 = 0;
  let last: u32 = 0;
  let run: u32 = 0;
  let ordered = true;
  for (let i: u32 = 0; i < size; i++) {
    let point = load<u32>(POINTS + (i << 2));
    let parts: u32 = 0;
    let left: u32 = 1;
    if ((point & POINT_DECOMPOSES) != 0) {
      parts = partsOf(point & POINT);
      left = load<u32>(parts);
    }
    while (left-- > 0) {
      if (parts != 0) {
        parts += 4;
        point = load<u32>(parts);
      }
      const order = orderOf(point);
      if (order == 0) {
        if (!ordered) orderMarks(run, count);
        run = count + 1;
        ordered = true;
      } else if (order < last) ordered = false;
      last = order;
      store<u32>(ORDERED + (count++ << 2), point);
    }
  }
  if (!ordered) orderMarks(run, count);
  return count;
}

/**
 * Composes each of `count` code points in order with the last starter before it, unless something of the same class or none
 * stands between; returns how many are left.
 */
function composeOrdered(count: u32): u32 {
  let starter = NO_POINT;
  let kept: u32 = 0;
  let last: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const point = load<u32>(ORDERED + (i << 2));
    const order = orderOf(point);
    if (starter != NO_POINT && (point & POINT_COMPOSES) != 0 && (kept - 1 == starter || last < order)) {
      const composed = composePair(load<u32>(ORDERED + (starter << 2)) & POINT, point & POINT);
      if (composed != 0) {
        store<u32>(ORDERED + (starter << 2), composed);
        continue;
      }
    }
    if (order == 0) starter = kept;
    last = order;
    store<u32>(ORDERED + (kept++ << 2), point);
  }
  return kept;
}

/** The composite so far of a segment that begins with a code point: NO_POINT if that has to be decomposed or is a mark. */
// @ts-ignore: decorator
@inline
function beginComposing(point: u32): u32 {
  return (point & POINT_DECOMPOSES) == 0 && orderOf(point) == 0 ? point & POINT : NO_POINT;
}

/** The composite of a segment with one code point more: NO_POINT unless all of it stands in order and composes. */
// @ts-ignore: decorator
@inline
function composeNext(composed: u32, before: u32, point: u32): u32 {
  const isNext = (point & (POINT_COMPOSES | POINT_DECOMPOSES)) == POINT_COMPOSES && orderOf(before) <= orderOf(point);
  const next = isNext ? composePair(composed, point & POINT) : 0;
  return next != 0 ? next : NO_POINT;
}

/** Steps 1 and 3 for the octets between two addresses, a span; writes the result and returns where it ends. */
function normalise(from: u32, end: u32, to: u32): u32 {
  /** The first code point of the segment, the last one, how many follow the first, and what they compose to. */
  let starter = NO_POINT;
  let last: u32 = 0;
  let marks: u32 = 0;
  let composed = NO_POINT;
  for (let at = from; at < end; ) {
    const octets = load<u64>(at);
    let point = <u32>octets & 0xff;
    let ascii: u32 = 0;
    if (point < 0x80) {
      // Only the last octet of ASCII may compose with what follows it.
      const high = octets & 0x8080808080808080;
      ascii = min(high == 0 ? 8 : <u32>ctz(high) >> 3, end - at);
      at += ascii;
    } else {
      const read = readCodePoint(<u32>octets);
      if (read == 0) {
        // Ill-formed: U+FFFD, which is a break that nothing composes with, as a space is.
        point = 0x20;
        at++;
      } else {
        at += read & 7;
        const entry = <u32>load<u16>(TABLE + ((read >> 3) << 1));
        if ((entry & IGNORABLE) != 0) continue;
        point = toPoint(read >> 3, entry);
        if (!beginsSegment(entry) && starter != NO_POINT) {
          store<u32>(POINTS + (++marks << 2), point);
          if (composed != NO_POINT) composed = composeNext(composed, last, point);
          last = point;
          continue;
        }
      }
    }
    // A new segment.
    to = endSegment(starter, marks, composed, to);
    if (ascii > 0) {
      store<u64>(to, octets);
      to += ascii - 1;
      point = <u32>load<u8>(at - 1);
    }
    marks = 0;
    starter = last = point;
    composed = beginComposing(point);
  }
  return endSegment(starter, marks, composed, to);
}

/** A code point of a segment. (The flags are also side by side in the entry.) */
// @ts-ignore: decorator
@inline
function toPoint(codePoint: u32, entry: u32): u32 {
  return (
    codePoint | ((entry >> 8) << ORDER_SHIFT) | ((entry & (COMPOSES | DECOMPOSES)) << 23) | ((entry & UNSURE) << 29)
  );
}

/** Writes the segment that begins with `starter`, if there is one, and has `marks` after it. */
// @ts-ignore: decorator
@inline
function endSegment(starter: u32, marks: u32, composed: u32, at: u32): u32 {
  if (marks == 0) return starter != NO_POINT ? writeAlone(starter, at) : at;
  if (composed != NO_POINT) return writeCodePoint(composed, at);
  store<u32>(POINTS, starter);
  return writeSegment(marks + 1, at);
}

/** NRM-3 for a segment of one code point. */
// @ts-ignore: decorator
@inline
function writeAlone(point: u32, at: u32): u32 {
  if ((point & POINT_UNSURE) == 0) return writeCodePoint(point & POINT, at);
  return writeDecomposing(point, at);
}

function writeDecomposing(point: u32, at: u32): u32 {
  if ((point & POINT_DECOMPOSES) == 0) return writeCodePoint(point & POINT, at);
  const parts = partsOf(point & POINT);
  v128.store(at, v128.load(parts, 24));
  return at + load<u32>(parts, 20);
}

/** Text between two spans is put in NFC with them if it is shorter: that is faster than skipping it. */
const GAP: u32 = 32;

/** Puts the spans that need it in NFC, takes their words away, and returns how many octets that gave. */
function normaliseSpans(end: u32): u32 {
  let written = NORMALISED;
  let from: u32 = 0;
  let to: u32 = 0;
  for (let block: u32 = 0; block << 6 < end; block++) {
    const unsures = load<u64>(UNSURES + (block << 3));
    const base = block << 6;
    // All places of a block are in one span, from the first that no span has.
    const left = to <= base ? unsures : to >= base + 64 ? 0 : unsures & ~((<u64>1 << (to & 63)) - 1);
    if (left == 0) continue;
    const at = base + <u32>ctz(left);
    if (at >= end) break;
    if (at - to > GAP) {
      if (to != 0) written = normaliseSpan(from, to, written);
      // It may belong to the separator before it: begin there.
      from = max(separatorBefore(INPUT, at), to);
    }
    to = separatorBehind(INPUT, min(base + 63 - <u32>clz(left), end - 1), end);
  }
  if (to != 0) written = normaliseSpan(from, to, written);
  return written - NORMALISED;
}

function normaliseSpan(from: u32, end: u32, to: u32): u32 {
  clear(WORDS, from, end);
  clear(LOCATORS, from, end);
  to = normalise(INPUT + from, INPUT + end, to);
  store<u8>(to, 0x20);
  return to + 1;
}

// ------------------------------------------------------------------------------------------------------------- locators

// @ts-ignore: decorator
@inline
function isIn(set: u32, at: u32): bool {
  return (<u32>load<u8>(SETS + <u32>load<u8>(at)) & set) != 0;
}

// @ts-ignore: decorator
@inline
function skip(set: u32, at: u32): u32 {
  while (isIn(set, at)) at++;
  return at;
}

/** The octets among 16 that are not in URIC: separators of ASCII, DEL, and all beyond. */
// @ts-ignore: decorator
@inline
function notUric(at: u32): u32 {
  const x = v128.load(at);
  return <u32>i8x16.bitmask(v128.or(separatorOf(x), i8x16.ge_u(x, i8x16.splat(0x7f))));
}

/** As `skip`, for URIC: most of a locator. */
function skipUric(at: u32): u32 {
  let others = notUric(at);
  while (others == 0) {
    at += 16;
    others = notUric(at);
  }
  return at + <u32>ctz(others);
}

/** The run of LOCAL octets last measured, and what its end decides: as in scheme/strip-locators.ts, with addresses. */
let runEnd: u32 = 0;
/** The places up to which the end of a run, and of the label after its `@`, was looked for in a long span. */
let measured: u32 = 0;
let labelMeasured: u32 = 0;
let schemeStart: u32 = 0;
let labelEnd: u32 = 0;
let colon: bool = false;
let colonSlashSlash: bool = false;
let domain: bool = false;
let chainStart: u32 = 0;
let plain: bool = false;

/** Measures the run that begins at an address. What ends a span is in none of the sets, so nothing is read after it. */
function measure(at: u32): void {
  schemeStart = at;
  let i = at;
  for (;;) {
    const sets = <u32>load<u8>(SETS + <u32>load<u8>(i));
    if ((sets & LOCAL) == 0) break;
    i++;
    if ((sets & SCHEME) == 0) schemeStart = i;
  }
  judge(at, i);
}

/** Sets what is known of the run between two addresses. */
function judge(at: u32, i: u32): void {
  runEnd = i;
  colon = colonSlashSlash = domain = false;
  chainStart = 0xffffffff;
  plain = true;
  const next = <u32>load<u8>(i);
  if (next == 0x3a) {
    colon = isIn(URIC, i + 1);
    colonSlashSlash = colon && load<u8>(i + 1) == 0x2f && load<u8>(i + 2) == 0x2f && isIn(URIC, i + 3);
    plain = !colon;
  } else if (next == 0x2f) {
    if (isIn(URIC, i + 1)) {
      for (let j = i - 1; j >= at; j--) {
        if (isIn(DIGIT, j)) chainStart = j;
        else if (load<u8>(j) != 0x2e || chainStart != j + 1) break;
      }
    }
    plain = chainStart == 0xffffffff;
  } else if (next == 0x40) {
    labelEnd = skip(LABEL, i + 1);
    domain = labelEnd > i + 1 && load<u8>(labelEnd) == 0x2e && isIn(LABEL, labelEnd + 1);
    plain = !domain;
  }
}

/** LOC-7: whether the octets from an address to the end of the run, which a colon follows, are a prefix. */
function isPrefix(at: u32): bool {
  const size = runEnd - at;
  if (size < MIN_PREFIX || size > MAX_PREFIX) return false;
  let word: u64 = 0;
  for (let i = at; i < runEnd; i++) {
    if (!isIn(ASCII_LETTER, i)) return false;
    word = (word << 8) | <u64>(<u32>load<u8>(i) | 0x20);
  }
  return isPrefixWord(word);
}

/** LOC-8, without what the end of the run decides. */
function isDoi(at: u32): bool {
  if (at < chainStart || runEnd - at < 7) return false;
  if (load<u8>(at) != 0x31 || load<u8>(at + 1) != 0x30 || load<u8>(at + 2) != 0x2e) return false;
  const digits = skip(DIGIT, at + 3) - at - 3;
  return digits >= 4 && digits <= 9;
}

/** LOC-10. */
function isUuid(at: u32): bool {
  if (runEnd - at < 36) return false;
  for (let i: u32 = 0; i < 36; i++)
    if (i == 8 || i == 13 || i == 18 || i == 23) {
      if (load<u8>(at + i) != 0x2d) return false;
    } else if (!isIn(HEX, at + i)) return false;
  return !isIn(ALPHANUMERIC, at + 36);
}

/** LOC-11: the end of a digest, or 0. */
function digestEnd(at: u32): u32 {
  const end = skip(HEX, at);
  if (end - at < 32 || isIn(ALPHANUMERIC, end)) return 0;
  for (let i = at; i < end; i++) if (isIn(DIGIT, i)) return end;
  return 0;
}

/** The octets with which the last locator goes on as long as it can: URIC, LABEL, or none. */
let swallows: u32 = 0;

/** LOC-3: the end of the locator that begins at an address, or 0. The run that it begins in has been measured. */
function locatorEnd(at: u32): u32 {
  // Most words end here: forms 6 and 7 take 32 octets and more, form 2 begins with a w.
  if (plain && runEnd - at < 32 && (<u32>load<u8>(at) | 0x20) != 0x77) return 0;
  swallows = URIC;
  if (colonSlashSlash && at >= schemeStart && isIn(ASCII_LETTER, at)) return skipUric(runEnd + 3);
  if ((load<u32>(at) | 0x202020) == 0x2e777777 && isIn(URIC, at + 4)) return skipUric(at + 4);
  if (colon && isPrefix(at)) return skipUric(runEnd + 1);
  if (isDoi(at)) return skipUric(runEnd + 1);
  if (domain) {
    swallows = LABEL;
    return skipLabels(labelEnd + 1);
  }
  swallows = 0;
  if (isUuid(at)) return at + 36;
  return digestEnd(at);
}

/** The end of the labels, with dots between, that go on at an address. */
function skipLabels(at: u32): u32 {
  let end = skip(LABEL, at);
  while (load<u8>(end) == 0x2e && isIn(LABEL, end + 1)) end = skip(LABEL, end + 1);
  return end;
}

/**
 * Step 4 for what may be the sign of a locator: takes away the words of the locator that begins before it, if there is one. All
 * forms begin in the run of LOCAL octets that the sign ends, or is in.
 * @param from - up to where it is decided what is a locator: no address before
 * @returns the same for the next sign
 */
function stripAt(text: u32, sign: u32, from: u32): u32 {
  let at = sign;
  while (at > from && isIn(LOCAL, at - 1)) at--;
  // LOC-1, LOC-2: after a letter or digit nothing begins, nor at what ends a run of them.
  if (at == from && isIn(ALPHANUMERIC, at - 1)) at = skip(ALPHANUMERIC, at) + 1;
  if (at > sign) return from;
  measure(at);
  while (at < runEnd) {
    const behind = locatorEnd(at);
    if (behind != 0) {
      clear(WORDS, at - text, behind - text);
      return behind;
    }
    at = skip(ALPHANUMERIC, at) + 1;
  }
  return runEnd;
}

/** Step 4 for the first `end` octets of a piece. */
function stripLocators(text: u32, end: u32): void {
  let from = text;
  for (let block: u32 = 0; block << 6 < end; block++)
    for (let bits = load<u64>(LOCATORS + (block << 3)); bits != 0; bits &= bits - 1) {
      const sign = text + (block << 6) + <u32>ctz(bits);
      if (sign >= text + end) return;
      if (sign >= from) from = stripAt(text, sign, from);
    }
}

// ----------------------------------------------------------------------------------------------------------- hashing

// @ts-ignore: decorator
@inline
function rotate4(x: v128, bits: i32): v128 {
  return v128.or(i32x4.shl(x, bits), i32x4.shr_u(x, 32 - bits));
}

/** HSH-1, HSH-3 for four tokens of up to 12 octets. */
// @ts-ignore: decorator
@inline
function hashFour(at: u32, index: u32): void {
  const r0 = v128.load(at);
  const r1 = v128.load(at, 16);
  const r2 = v128.load(at, 32);
  const r3 = v128.load(at, 48);
  const t0 = v128.shuffle<i32>(r0, r1, 0, 4, 1, 5);
  const t1 = v128.shuffle<i32>(r2, r3, 0, 4, 1, 5);
  const t2 = v128.shuffle<i32>(r0, r1, 2, 6, 3, 7);
  const t3 = v128.shuffle<i32>(r2, r3, 2, 6, 3, 7);
  const n = i32x4.add(v128.shuffle<i32>(t2, t3, 2, 3, 6, 7), i32x4.splat(<i32>INITIAL));
  let a = i32x4.add(v128.shuffle<i32>(t0, t1, 0, 1, 4, 5), n);
  let b = i32x4.add(v128.shuffle<i32>(t0, t1, 2, 3, 6, 7), n);
  let c = i32x4.add(v128.shuffle<i32>(t2, t3, 0, 1, 4, 5), n);
  c = i32x4.sub(v128.xor(c, b), rotate4(b, 14));
  a = i32x4.sub(v128.xor(a, c), rotate4(c, 11));
  b = i32x4.sub(v128.xor(b, a), rotate4(a, 25));
  c = i32x4.sub(v128.xor(c, b), rotate4(b, 16));
  a = i32x4.sub(v128.xor(a, c), rotate4(c, 4));
  b = i32x4.sub(v128.xor(b, a), rotate4(a, 14));
  c = i32x4.sub(v128.xor(c, b), rotate4(b, 24));
  v128.store(HASHES_C + (index << 2), c);
  v128.store(HASHES_B + (index << 2), b);
}

/** Hashes the waiting short tokens, `count` of them rounded up to four. */
function drain(count: u32): void {
  for (let i: u32 = 0; i < count; i += 4) hashFour(TOKENS + (i << 4), hashes + i);
  hashes += count;
}

/** HSH-1, HSH-3 for one token of any length. */
function hashLong(at: u32, size: u32): void {
  let a: u32 = INITIAL + size;
  let b = a;
  let c = a;
  let k = at;
  let left = size;
  while (left > 12) {
    a += load<u32>(k);
    b += load<u32>(k, 4);
    c += load<u32>(k, 8);
    a -= c;
    a ^= rotl(c, 4);
    c += b;
    b -= a;
    b ^= rotl(a, 6);
    a += c;
    c -= b;
    c ^= rotl(b, 8);
    b += a;
    a -= c;
    a ^= rotl(c, 16);
    c += b;
    b -= a;
    b ^= rotl(a, 19);
    a += c;
    c -= b;
    c ^= rotl(b, 4);
    b += a;
    left -= 12;
    k += 12;
  }
  const tail = v128.and(v128.load(k), v128.load(MASKS + (left << 4)));
  a += i32x4.extract_lane(tail, 0);
  b += i32x4.extract_lane(tail, 1);
  c += i32x4.extract_lane(tail, 2);
  c ^= b;
  c -= rotl(b, 14);
  a ^= c;
  a -= rotl(c, 11);
  b ^= a;
  b -= rotl(a, 25);
  c ^= b;
  c -= rotl(b, 16);
  a ^= c;
  a -= rotl(c, 4);
  b ^= a;
  b -= rotl(a, 14);
  c ^= b;
  c -= rotl(b, 24);
  store<u32>(HASHES_C + (hashes << 2), c);
  store<u32>(HASHES_B + (hashes << 2), b);
  hashes++;
  total++;
}

// ---------------------------------------------------------------------------------------------------------- counting

/** SIM-2: adds BATCH hash words to bit planes, by carry-save adders. */
function addToPlanes(words: u32, planes: u32): void {
  let low = v128.load(planes);
  for (let i: u32 = 0; i < BATCH / 8; i++) {
    const x = v128.load(words + (i << 5));
    const y = v128.load(words + (i << 5), 16);
    const u = v128.xor(low, x);
    v128.store(SCRATCH + (i << 4), v128.or(v128.and(low, x), v128.and(u, y)));
    low = v128.xor(u, y);
  }
  v128.store(planes, low);
  let level: u32 = 1;
  for (let n: u32 = BATCH / 16; n >= 1; n >>= 1, level++) {
    let q = v128.load(planes + (level << 4));
    for (let i: u32 = 0; i < n; i++) {
      const x = v128.load(SCRATCH + (i << 5));
      const y = v128.load(SCRATCH + (i << 5), 16);
      const u = v128.xor(q, x);
      v128.store(SCRATCH + (i << 4), v128.or(v128.and(q, x), v128.and(u, y)));
      q = v128.xor(u, y);
    }
    v128.store(planes + (level << 4), q);
  }
  let carry = v128.load(SCRATCH);
  while (v128.any_true(carry)) {
    const q = v128.load(planes + (level << 4));
    v128.store(planes + (level << 4), v128.xor(q, carry));
    carry = v128.and(carry, q);
    level++;
  }
  if (level > planesUsed) planesUsed = level;
}

/** Counts the waiting hashes when there is a batch of them. */
// @ts-ignore: decorator
@inline
function countHashes(): void {
  if (hashes >= BATCH) countBatch();
}

function countBatch(): void {
  if (minhashWords != 0) {
    takeElements();
    return;
  }
  if (shows) showHashes(BATCH);
  addToPlanes(HASHES_C, PLANES_C);
  addToPlanes(HASHES_B, PLANES_B);
  hashes -= BATCH;
  memory.copy(HASHES_C, HASHES_C + 4 * BATCH, hashes << 2);
  memory.copy(HASHES_B, HASHES_B + 4 * BATCH, hashes << 2);
}

/** MIN-1 to MIN-4 for the waiting hashes. */
function takeElements(): void {
  if (shows) showHashes(hashes);
  addElements(hashes);
  hashes = 0;
}

/** Writes the places of eight bits that are set, and something after them; returns where these end. */
// @ts-ignore: decorator
@inline
function storePlaces(to: u32, base: u32, bits: u32): u32 {
  v128.store(to, i16x8.add(i16x8.splat(<i16>base), v128.load(PLACES + (bits << 4))));
  return to + (popcnt(bits) << 1);
}

/**
 * Writes where runs of word characters begin and end, in turn, in some blocks: the places after `first`, 16 bits each, from EDGES on.
 * Returns where these end.
 */
// @ts-ignore: decorator
@inline
function findEdges(first: u32, end: u32): u32 {
  let at: u32 = EDGES;
  let carry: u64 = first == 0 ? 0 : load<u64>(WORDS - 8 + (first << 3)) >> 63;
  for (let block = first; block < end; block++) {
    const w = load<u64>(WORDS + (block << 3));
    const t = w ^ ((w << 1) | carry);
    carry = w >> 63;
    const base = (block - first) << 6;
    at = storePlaces(at, base, <u32>t & 0xff);
    at = storePlaces(at, base + 8, <u32>(t >> 8) & 0xff);
    at = storePlaces(at, base + 16, <u32>(t >> 16) & 0xff);
    at = storePlaces(at, base + 24, <u32>(t >> 24) & 0xff);
    at = storePlaces(at, base + 32, <u32>(t >> 32) & 0xff);
    at = storePlaces(at, base + 40, <u32>(t >> 40) & 0xff);
    at = storePlaces(at, base + 48, <u32>(t >> 48) & 0xff);
    at = storePlaces(at, base + 56, <u32>(t >> 56));
  }
  return at;
}

/** Steps 5, 7 and 8 for what the word bits show. */
function count(text: u32, size: u32): void {
  // (The bitmaps end with a block of zeros.)
  const blocks = ((size + 63) >> 6) + 1;
  let open: u32 = NO_POINT;
  for (let first: u32 = 0; first < blocks; first += EDGE_BLOCKS) {
    const edges = findEdges(first, min(first + EDGE_BLOCKS, blocks));
    const base = first << 6;
    let at: u32 = EDGES;
    if (open != NO_POINT && at < edges) {
      countRun(text, open, base + <u32>load<u16>(at));
      open = NO_POINT;
      at += 2;
    }
    const last = at + ((edges - at) & ~3);
    if (pairs && joins)
      for (; at < last; at += 4) countRun(text, base + <u32>load<u16>(at), base + <u32>load<u16>(at, 2));
    else countRuns(text, base, at, last);
    if (last < edges) open = base + <u32>load<u16>(last);
  }
}

/** TOK-3 and steps 7 and 8, with bg1 its own steps before, for a run of word characters. */
function countRun(text: u32, start: u32, end: u32): void {
  if (pairs && joins && mayJoin(text + start, text + end)) countPairs(text + start, text + end);
  else if (hasLetterIn(start, end)) addToken(text + start, text + end);
}

/** {@link countRun} for all runs whose edges stand between two addresses, without bg1. */
// @ts-ignore: decorator
@inline
function countRuns(text: u32, base: u32, from: u32, last: u32): void {
  // (In a variable, as the compiler reads and writes globals each time.)
  let place = TOKENS + (tokens << 4);
  total -= tokens;
  for (let at = from; at < last; at += 4) {
    const edges = load<u32>(at);
    const start = base + (edges & 0xffff);
    const length = (edges >> 16) - (edges & 0xffff);
    if (length <= 12) {
      const mask = MASKS + (length << 4);
      v128.store(place, v128.and(v128.load(text + start), v128.load(mask)));
      store<u32>(place, length, 12);
      place += ((load<u32>(LETTERS + (start >> 3)) >> (start & 7)) & load<u32>(mask, 12)) != 0 ? 16 : 0;
      if (place == TOKENS + (BATCH << 4)) {
        total += BATCH;
        drain(BATCH);
        place = TOKENS;
        countHashes();
      }
    } else if (hasLetterIn(start, start + length)) {
      hashLong(text + start, length);
      countHashes();
    }
  }
  tokens = (place - TOKENS) >> 4;
  total += tokens;
}

function hasLetterIn(from: u32, end: u32): bool {
  for (let i = from; i < end; i++) if ((load<u8>(LETTERS + (i >> 3)) >> <u8>(i & 7)) & 1) return true;
  return false;
}

let normalised: u32 = 0;

/**
 * Takes the next piece of a document: `size` octets at the input's address, with PAD octets of zeros after them. Counts
 * its tokens up to the last separator (all, when `final`), but for the spans that it put in NFC: `normalisedSize` says
 * how many octets that gave, and `countNormalised` counts them. `taken` says up to where the piece is done with. Returns
 * false, and has done nothing, when the table lacks a code point of the piece.
 */
export function update(size: u32, final: bool): bool {
  if (!classify(INPUT, size, true)) return false;
  let end = size;
  if (!final) {
    end = size == 0 ? 0 : separatorBefore(INPUT, size - 1);
    const block = end >> 6;
    // From the separator on, everything belongs to the next piece.
    if (end < size) {
      store<u64>(WORDS + (block << 3), load<u64>(WORDS + (block << 3)) & ((<u64>1 << (end & 63)) - 1));
      store<u64>(WORDS + (block << 3), 0, 8);
    }
  }
  done = end;
  normalised = unsure ? normaliseSpans(end) : 0;
  if (located) stripLocators(INPUT, end);
  count(INPUT, end);
  return true;
}

export function normalisedSize(): u32 {
  return normalised;
}

/** Counts the tokens of the spans in NFC. Returns false, and has done nothing, when the table lacks a code point. */
export function countNormalised(): bool {
  memory.fill(NORMALISED + normalised, 0, PAD);
  if (!classify(NORMALISED, normalised, true)) return false;
  if (located) stripLocators(NORMALISED, normalised);
  count(NORMALISED, normalised);
  return true;
}

let done: u32 = 0;

export function taken(): u32 {
  return done;
}

// ------------------------------------------------------------------------------------------------------ long spans

// A span that is longer than the input comes in pieces that end where a segment of step 3 does. What is in NFC is held
// from an address on as long as a locator or a token that has not ended may need it, and steps 4 and 5 go on from piece
// to piece, as in stream.ts.

/** The beginning and the end of the held octets. Octets of no set follow them. */
let hold: u32 = 0;
let held: u32 = 0;
/** Up to where steps 4 and 5 are done. */
let scanned: u32 = 0;
/** The beginning of the token that has not ended, or 0; and whether it has a letter. */
let tokenStart: u32 = 0;
let tokenHasLetter: bool = false;
/** True if the octet before `scanned` is a letter or digit (LOC-1). */
let preceded: bool = false;
/** True if the table has all code points of what is fed next. */
let allKnownFed: bool = false;
/** True if the span has begun; and, after a piece, if it ends with that. */
let begun: bool = false;
let ends: bool = false;

/** Once: from which address on memory may be taken, to the end of it, which is moved when necessary. */
export function setHold(address: u32): void {
  hold = address;
}

/** Before a long span, of which the input has the beginning. */
export function beginLong(): void {
  held = hold;
  scanned = hold;
  tokenStart = 0;
  preceded = false;
  swallows = 0;
  runEnd = 0;
  measured = 0;
  labelMeasured = 0;
  begun = false;
}

/** Tests whether a segment begins with a code point, by its entry. */
// @ts-ignore: decorator
@inline
function beginsSegment(entry: u32): bool {
  return (entry & BEGINS) == BEGINS || ((entry & UNSURE) | (entry >> 8)) == 0;
}

function isComposingStarter(entry: u32): bool {
  return (entry & (COMPOSES | DECOMPOSES)) == COMPOSES && entry >> 8 == 0;
}

/** Tests whether a code point composes neither with the one before it nor with anything that that one has composed to. */
function staysApart(before: u32, point: u32): bool {
  // Hangul vowels compose with L only, final consonants with LV.
  if (point - 0x1161 < 21) return before - 0x1161 < 21 || before - 0x11a8 < 27;
  if (point - 0x11a8 < 27) return before - 0x11a8 < 27;
  if (composePair(before, point) != 0) return false;
  for (let at: u32 = PAIRS; at < PAIRS + (16 << PAIR_BITS); at += 16)
    if (load<u32>(at, 4) == before && composePair(load<u32>(at, 8), point) != 0) return false;
  return true;
}

/** Before the last place in the input where a segment begins, all is decided for step 3; 0 where there is none. */
function boundaryBefore(size: u32): u32 {
  let tries: u32 = 4;
  for (let at = size - 1; at > 0; at--) {
    const octets = load<u32>(INPUT + at);
    const lead = octets & 0xff;
    if (lead < 0x80) return at;
    if (lead < 0xc0) continue;
    const read = readCodePoint(octets);
    if (read == 0) continue;
    const entry = <u32>load<u16>(TABLE + ((read >> 3) << 1));
    if (beginsSegment(entry)) return at;
    // Starters that may compose, but not with one another. (All of them that do not decompose take three octets or four.)
    if (isComposingStarter(entry) && tries > 0) {
      const before = readCodePoint(load<u32>(INPUT + at - 3));
      if ((before & 7) != 3 || at < 3 || !isComposingStarter(<u32>load<u16>(TABLE + ((before >> 3) << 1)))) continue;
      if (staysApart(before >> 3, read >> 3)) return at;
      tries--;
    }
  }
  return 0;
}

/**
 * Steps 1 and 3 for the next piece of a long span, which has `size` octets at the input's address. The result is for
 * `feed`; `taken` says up to where the piece is done with. Returns 0, and has done nothing, when the table lacks a code
 * point, or 2 when one segment fills the whole input.
 */
export function normaliseLong(size: u32, final: bool): u32 {
  if (!classify(INPUT, size, false)) return 0;
  let end = size;
  if (begun && size > 0) {
    const first = separatorsOf(INPUT, 0) & 1;
    end = first != 0 ? 0 : separatorBehind(INPUT, 0, size);
  }
  ends = final || end < size;
  if (!ends) {
    end = boundaryBefore(size);
    if (end == 0) return 2;
  }
  begun = true;
  done = end;
  if (unsure) normalised = normalise(INPUT, INPUT + end, NORMALISED) - NORMALISED;
  else {
    memory.copy(NORMALISED, INPUT, end);
    normalised = end;
    allKnownFed = true;
  }
  return 1;
}

/**
 * Takes marks from a place in the input on that need only be put in order: writes them where spans in NFC are, one
 * class after the other, and where each ends at `endsAddress`. Returns the place after them.
 */
export function takeMarks(from: u32, size: u32): u32 {
  memory.fill(STARTS, 0, 4 * 256);
  const last = INPUT + size;
  let count: u32 = 0;
  let at = INPUT + from;
  while (at < last) {
    const read = readCodePoint(load<u32>(at));
    if (read == 0) break;
    const entry = <u32>load<u16>(TABLE + ((read >> 3) << 1));
    if ((entry & DECOMPOSES) != 0) {
      const parts = partsOf(read >> 3);
      if (orderOf(load<u32>(parts, 4)) == 0) break;
      for (let i: u32 = 1; i <= load<u32>(parts); i++) addMark(load<u32>(parts + (i << 2)), count++);
    } else if ((entry & IGNORABLE) == 0) {
      if (entry >> 8 == 0) break;
      addMark((read >> 3) | (entry >> 8 << ORDER_SHIFT), count++);
    }
    at += read & 7;
  }
  let sum: u32 = NORMALISED;
  for (let place = STARTS; place < STARTS + 4 * 256; place += 4) {
    const octets = load<u32>(place);
    store<u32>(place, sum);
    sum += octets;
  }
  for (let i: u32 = 0; i < count; i++) {
    const point = load<u32>(ORDERED + (i << 2));
    const place = STARTS + (orderOf(point) << 2);
    const to = load<u32>(place);
    // (Three octets are written as four: what stands after them must stay.)
    const behind = load<u8>(to, 3);
    const end = writeCodePoint(point & POINT, to);
    if (end == to + 3) store<u8>(end, behind);
    store<u32>(place, end);
  }
  return at - INPUT;
}

// @ts-ignore: decorator
@inline
function addMark(point: u32, index: u32): void {
  const codePoint = point & POINT;
  const place = STARTS + (orderOf(point) << 2);
  store<u32>(place, load<u32>(place) + (codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4));
  store<u32>(ORDERED + (index << 2), point);
}

/** The address of the ends of the classes. */
export function endsAddress(): u32 {
  return STARTS;
}

/** Tests whether the last piece is the last one of the span. */
export function longEnds(): bool {
  return ends;
}

/** The host has put a segment in NFC that fills more than the input. */
export function setBegun(): void {
  begun = true;
}

/**
 * Steps 4, 5, 7 and 8 for octets in NFC at their address that go on with the span. Returns 0, and has done nothing, when
 * the table lacks a code point, or 2 when there is no memory to hold them.
 * @param last - whether the span ends with them
 */
export function feed(size: u32, last: bool): u32 {
  memory.fill(NORMALISED + size, 0, PAD);
  if (!allKnownFed && !classify(NORMALISED, size, false)) return 0;
  allKnownFed = false;
  const needed = <u64>held + size + PAD;
  const there = <u64>memory.size() << 16;
  // Half as much again, so that it is not asked for often.
  if (needed > there) {
    const least = <i32>((needed - there + 0xffff) >> 16);
    if (memory.grow(max(least, memory.size() >> 1)) < 0 && memory.grow(least) < 0) return 2;
  }
  memory.copy(held, NORMALISED, size + PAD);
  held += size;
  scanLong(last);
  return 1;
}

/** Measures the run at an address. Returns whether all is there that its forms depend on. */
function measureLong(at: u32, last: bool): bool {
  if (measured < at) {
    measured = at;
    schemeStart = at;
  }
  let i = measured;
  for (;;) {
    const sets = <u32>load<u8>(SETS + <u32>load<u8>(i));
    if ((sets & LOCAL) == 0) break;
    i++;
    if ((sets & SCHEME) == 0) schemeStart = i;
  }
  measured = i;
  if (!last) {
    if (i == held) return false;
    const next = <u32>load<u8>(i);
    if (next == 0x3a && i + 3 >= held) return false;
    if (next == 0x2f && i + 1 >= held) return false;
    if (next == 0x40) {
      labelMeasured = skip(LABEL, max(labelMeasured, i + 1));
      if (labelMeasured + 1 >= held) return false;
    }
  }
  judge(at, i);
  return true;
}

/** Tests whether a locator that reaches up to an address may go on with what is still to come. */
function goesOn(at: u32, last: bool): bool {
  return !last && (swallows == URIC ? at == held : swallows == LABEL && at + 1 >= held);
}

/** Steps 4 and 5 for what is held, as far as it is decided. */
function scanLong(last: bool): void {
  let from = scanned;
  let at = scanned;
  if (swallows != 0) {
    at = swallows == URIC ? skipUric(at) : skipLabels(at);
    if (at > from) preceded = isIn(ALPHANUMERIC, at - 1);
    if (!goesOn(at, last)) swallows = 0;
    from = at;
  }
  while (at < held && swallows == 0) {
    if (preceded) {
      at = skip(ALPHANUMERIC, at);
      if (at == held) break;
      at++;
      preceded = false;
      continue;
    }
    const sets = <u32>load<u8>(SETS + <u32>load<u8>(at));
    if ((sets & LOCAL) != 0) {
      if (at >= runEnd && !measureLong(at, last)) break;
      const behind = locatorEnd(at);
      if (behind != 0) {
        countLong(from, at);
        endToken(at);
        at = behind;
        from = at;
        preceded = isIn(ALPHANUMERIC, at - 1);
        if (!goesOn(at, last)) swallows = 0;
        continue;
      }
      swallows = 0;
      preceded = (sets & ALPHANUMERIC) != 0;
    } else if (sets == 0) while ((load<u64>(at, 1) & 0x8080808080808080) == 0x8080808080808080) at += 8;
    at++;
  }
  countLong(from, at);
  scanned = at;
  if (last) {
    endToken(at);
    return;
  }
  dropHeld(tokenStart != 0 ? tokenStart : at);
}

/** Frees what is held up to an address. */
function dropHeld(keep: u32): void {
  const by = keep - hold;
  if (by == 0) return;
  memory.copy(hold, keep, held - keep + PAD);
  held -= by;
  scanned -= by;
  if (tokenStart != 0) tokenStart = hold;
  // (All that was known of the last run is used up; of the next one, how far it was looked at.)
  runEnd = 0;
  measured = max(measured, by) - by;
  labelMeasured = max(labelMeasured, by) - by;
  schemeStart = max(schemeStart, by) - by;
}

/** Step 5 for octets that are free of locators. */
function countLong(from: u32, end: u32): void {
  let start = tokenStart;
  let letter: u32 = tokenHasLetter ? LETTER : 0;
  let at = from;
  while (at < end) {
    const octets = load<u32>(at);
    const lead = octets & 0xff;
    let flags: u32;
    let next = at + 1;
    if (lead < 0x80) {
      const sets = <u32>load<u8>(SETS + lead);
      flags = (sets & ASCII_LETTER) | (sets & ALPHANUMERIC) | (lead == 0x5f ? WORD : 0);
    } else {
      const read = readCodePoint(octets);
      // (Ill-formed: a break.)
      flags = read == 0 ? 0 : <u32>load<u16>(TABLE + ((read >> 3) << 1));
      if (read != 0) next = at + (read & 7);
    }
    if ((flags & WORD) != 0) {
      if (start == 0) {
        start = at;
        letter = 0;
      }
      letter |= flags & LETTER;
    } else if (start != 0) {
      if (letter != 0) endWord(start, at);
      start = 0;
    }
    at = next;
  }
  tokenStart = start;
  tokenHasLetter = letter != 0;
}

/** Ends the token that has begun, if there is one. */
function endToken(end: u32): void {
  if (tokenStart != 0 && tokenHasLetter) endWord(tokenStart, end);
  tokenStart = 0;
}

/** Steps 7 and 8 for one token of step 5; before, its cut into pairs (bg1). */
function endWord(start: u32, end: u32): void {
  if (pairs && mayJoin(start, end)) countPairs(start, end);
  else addToken(start, end);
}

/** Tests whether octets among those between two addresses may belong to joined code points: their first ones are at least E0. */
// @ts-ignore: decorator
@inline
function mayJoin(start: u32, end: u32): bool {
  for (let at = start; at < end; at += 16) {
    let bits = <u32>i8x16.bitmask(i8x16.ge_u(v128.load(at), i8x16.splat(<i8>0xe0)));
    if (end - at < 16) bits &= (1 << (end - at)) - 1;
    if (bits != 0) return true;
  }
  return false;
}

/** TOK-3 and BIG-1 to BIG-4 for a run of word characters, then steps 7 and 8. */
function countPairs(start: u32, end: u32): void {
  // The units of a joined part: where the one before began, or 0, and where the last one begins; or a part of others.
  let before: u32 = 0;
  let unit: u32 = 0;
  let others: u32 = 0;
  let letter: u32 = 0;
  let at = start;
  while (at < end) {
    const octets = load<u32>(at);
    // (One octet of ASCII is read as a code point is: 8 times that, plus 1.)
    const read = (octets & 0x80) == 0 ? ((octets & 0x7f) << 3) | 1 : readCodePoint(octets);
    const kind = <u32>load<u8>(KINDS + (read >> 3));
    if (kind == 1) {
      if (others != 0) {
        if (letter != 0) addToken(others, at);
        others = 0;
        letter = 0;
      } else if (before != 0) addToken(before, at);
      before = unit;
      unit = at;
    } else if (kind != 2 || unit == 0) {
      if (unit != 0) addToken(before != 0 ? before : unit, at);
      before = 0;
      unit = 0;
      if (others == 0) others = at;
      letter |= isLetter(read >> 3);
    }
    at += read & 7;
  }
  if (unit != 0) addToken(before != 0 ? before : unit, end);
  else if (letter != 0) addToken(others, end);
}

/** Not 0 for a letter. */
// @ts-ignore: decorator
@inline
function isLetter(codePoint: u32): u32 {
  if (codePoint < 0x80) return <u32>load<u8>(SETS + codePoint) & ASCII_LETTER;
  return <u32>load<u16>(TABLE + (codePoint << 1)) & LETTER;
}

/** Steps 7 and 8 for one token. */
function addToken(start: u32, end: u32): void {
  const length = end - start;
  if (length <= 12) {
    const octets = v128.and(v128.load(start), v128.load(MASKS + (length << 4)));
    v128.store(TOKENS + (tokens << 4), i32x4.replace_lane(octets, 3, length));
    tokens++;
    total++;
    if (tokens < BATCH) return;
    drain(BATCH);
    tokens = 0;
  } else hashLong(start, length);
  countHashes();
}

/** Ends the document: `sums` holds the planes then. Returns the number of planes. */
export function finish(): u32 {
  if (tokens > 0) {
    // The lanes that round up to four are overwritten or cut off: they are not counted.
    const count = tokens;
    drain(count);
    tokens = 0;
  }
  if (minhashWords != 0) {
    takeElements();
    drawHeld();
    return 0;
  }
  while (hashes >= BATCH) countBatch();
  if (hashes > 0) {
    if (shows) showHashes(hashes);
    memory.fill(HASHES_C + (hashes << 2), 0, (BATCH - hashes) << 2);
    memory.fill(HASHES_B + (hashes << 2), 0, (BATCH - hashes) << 2);
    addToPlanes(HASHES_C, PLANES_C);
    addToPlanes(HASHES_B, PLANES_B);
    hashes = 0;
  }
  // Four lanes are added, bit by bit, 64 sums at a time.
  const planes = planesUsed + 3;
  memory.fill(SUMS, 0, planes << 3);
  for (let lane: u32 = 0; lane < 4; lane++) {
    let carry: u64 = 0;
    for (let p: u32 = 0; p < planes; p++) {
      const at = (p << 4) + (lane << 2);
      const x = p < PLANES ? ((<u64>load<u32>(PLANES_B + at)) << 32) | <u64>load<u32>(PLANES_C + at) : 0;
      const s = load<u64>(SUMS + (p << 3));
      const u = s ^ x;
      store<u64>(SUMS + (p << 3), u ^ carry);
      carry = (s & x) | (u & carry);
    }
  }
  return planes;
}

/** SIM-4 for what was counted here alone: bit is 1 where ones > total / 2. */
export function majority(planes: u32): u64 {
  const half = total >> 1;
  let greater: u64 = 0;
  let equal: u64 = 0xffffffffffffffff;
  for (let p: i32 = <i32>planes - 1; p >= 0; p--) {
    const bit: u64 = ((half >> <u64>p) & 1) != 0 ? 0xffffffffffffffff : 0;
    const s = load<u64>(SUMS + (<u32>p << 3));
    greater |= equal & s & ~bit;
    equal &= ~(s ^ bit);
  }
  return greater;
}

export { minhash, minhashBytes } from './minhash.as';
