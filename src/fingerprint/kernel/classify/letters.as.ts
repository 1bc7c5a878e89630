// Letters that NFC leaves alone, in long ranges: 16 places at once, by the lead byte, its least second one and how many.
import { pairs } from '../count/planes.as';
import { TABLE } from '../layout.as';
import {
  IDEOGRAPHS,
  IDEOGRAPHS_END,
  KNOWN,
  LETTER,
  SYLLABLES,
  SYLLABLES_END,
  THREE_COUNT,
  THREE_LEAST,
  TWO_COUNT,
  TWO_LEAST,
  WORD,
} from '../scheme.generated.as';
import { allKnown, carryLetters, carryTaken, carryWords, joins, letters, unsures, words } from './block.as';
import { bitsOf, inRange, bytesBelow } from './vectors.as';

/** The places where letters of two bytes begin, D0 to D7: Cyrillic, Armenian, Hebrew. All are in one block of the table. */
@inline
function lettersOfTwo(at: u32): v128 {
  const lead = v128.xor(v128.load(at), i8x16.splat(<i8>0xd0));
  const least = i8x16.swizzle(TWO_LEAST, lead);
  const count = i8x16.swizzle(TWO_COUNT, lead);
  return i8x16.lt_u(i8x16.sub(v128.load(at, 1), least), count);
}

/** The places where letters of three bytes begin, E3 to ED: kana, ideographs, Hangul syllables. */
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
  // Excludes U+3040, U+3097 to U+30A0 and U+30FB of the kana.
  const others = v128.or(
    v128.and(i8x16.eq(second, i8x16.splat(<i8>0x81)), i8x16.eq(third, i8x16.splat(<i8>0x80))),
    v128.or(
      v128.and(i8x16.eq(second, i8x16.splat(<i8>0x82)), inRange(third, 0x97, 10)),
      v128.and(i8x16.eq(second, i8x16.splat(<i8>0x83)), i8x16.eq(third, i8x16.splat(<i8>0xbb))),
    ),
  );
  return v128.andnot(ranges, v128.and(others, i8x16.eq(lead, i8x16.splat(3))));
}

/** Tests whether one of 64 bytes is one of `count` from `first` on. */
@inline
function hasOf(at: u32, first: u8, count: u8): bool {
  return v128.any_true(
    v128.or(
      v128.or(inRange(v128.load(at), first, count), inRange(v128.load(at, 16), first, count)),
      v128.or(inRange(v128.load(at, 32), first, count), inRange(v128.load(at, 48), first, count)),
    ),
  );
}

let hasLetters: bool = false;

/** Fills in the table for letters of `lettersOfThree`, and sets `joins`. */
function ensureLetterTable(at: u32, three: u64): void {
  if (!hasLetters) {
    fillLetters(IDEOGRAPHS, IDEOGRAPHS_END);
    fillLetters(SYLLABLES, SYLLABLES_END);
    hasLetters = true;
  }
  // (Kana are in one block, which the host fills in.)
  if ((load<u16>(TABLE + 2 * 0x3000) & KNOWN) == 0 && (three & bytesBelow(at, <i8>0xe4)) != 0) allKnown = 0;
  if (pairs && !joins) joins = (three & bytesBelow(at, <i8>0xea)) != 0;
}

function fillLetters(first: u32, end: u32): void {
  const entries = i16x8.splat(<i16>(KNOWN | LETTER | WORD));
  for (let at = TABLE + 2 * first; at < TABLE + 2 * end; at += 16) v128.store(at, entries);
}

/** The places where U+0300 to U+033F begin, the marks that are most frequent in NFD. All are in one block of the table. */
@inline
function frequentMarks(at: u32): v128 {
  return v128.and(i8x16.eq(v128.load(at), i8x16.splat(<i8>0xcc)), i8x16.lt_s(v128.load(at, 1), i8x16.splat(-64)));
}

/** The places where Latin letters of two bytes begin, C3 to C7: U+00C0 to U+01FF but two signs, all in one block of the table. */
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

/** The places of code points of three bytes with E1 and one of four second bytes: jamo with 84, more Latin letters with B8. */
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

/** Classifies letters in long ranges and `frequentMarks` among 64 bytes, and returns them. */
export function classifyLetters(at: u32): u64 {
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
