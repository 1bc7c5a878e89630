// A span that is longer than the input comes in pieces that end where a segment of step 3 does. Text in NFC is held as long
// as an unfinished locator or token may need it, and steps 4 and 5 go on from piece to piece, as in stream.ts.
import { classify, unsure } from './classify/classify.as';
import { separatorBehind, separatorsOf } from './classify/separators.as';
import { POINT, beginsSegment, classIn, readCodePoint, writeCodePoint } from './code-points.as';
import { endWord } from './count/tokens.as';
import { INPUT, NORMALISED, ORDERED, PAD, PAIRS, PAIR_BITS, SETS, STARTS, TABLE } from './layout.as';
import {
  isIn,
  judge,
  labelMeasured,
  locatorEnd,
  measured,
  runEnd,
  schemeStart,
  skip,
  skipLabels,
  skipUric,
  swallows,
} from './locators.as';
import { composePair, normalise, orderOf, partsOf } from './normalise.as';
import {
  ALPHANUMERIC,
  ASCII_LETTER,
  COMPOSES,
  DECOMPOSES,
  IGNORABLE,
  LABEL,
  LETTER,
  LOCAL,
  ORDER_SHIFT,
  SCHEME,
  URIC,
  WORD,
} from './scheme.generated.as';
import { done, normalised } from './spans.as';

/** The beginning and the end of the held bytes. Bytes of no set follow them. */
let hold: u32 = 0;
let held: u32 = 0;
/** The address up to which steps 4 and 5 are done. */
let scanned: u32 = 0;
/** The beginning of the token that has not ended, or 0; and whether it has a letter. */
let tokenStart: u32 = 0;
let tokenHasLetter: bool = false;
/** True if the byte before `scanned` is a letter or digit (LOC-1). */
let preceded: bool = false;
/** True if the table has all code points of the next bytes to feed. */
let allKnownFed: bool = false;
/** True if the span has begun; and, after a piece, if the span ends with it. */
let begun: bool = false;
export let ends: bool = false;

/** Called once with the first address of memory that may be used, up to the end, which is moved when necessary. */
export function setHold(address: u32): void {
  hold = address;
}

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

function isComposingStarter(entry: u32): bool {
  return (entry & (COMPOSES | DECOMPOSES)) == COMPOSES && classIn(entry) == 0;
}

/** Tests whether a code point composes neither with the one before it nor with a composite of that one. */
function staysApart(before: u32, point: u32): bool {
  // Hangul vowels compose with L only, final consonants with LV.
  if (point - 0x1161 < 21) return before - 0x1161 < 21 || before - 0x11a8 < 27;
  if (point - 0x11a8 < 27) return before - 0x11a8 < 27;
  if (composePair(before, point) != 0) return false;
  for (let at: u32 = PAIRS; at < PAIRS + (16 << PAIR_BITS); at += 16)
    if (load<u32>(at, 4) == before && composePair(load<u32>(at, 8), point) != 0) return false;
  return true;
}

/** Returns the last place in the input where a segment begins, before which step 3 is complete; 0 if there is none. */
function boundaryBefore(size: u32): u32 {
  let tries: u32 = 4;
  for (let at = size - 1; at > 0; at--) {
    const bytes = load<u32>(INPUT + at);
    const lead = bytes & 0xff;
    if (lead < 0x80) return at;
    if (lead < 0xc0) continue;
    const read = readCodePoint(bytes);
    if (read == 0) continue;
    const entry = <u32>load<u16>(TABLE + ((read >> 3) << 1));
    if (beginsSegment(entry)) return at;
    // Starters that may compose, but not with each other. (All of them that do not decompose take three bytes or four.)
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
 * Steps 1 and 3 for the `size` bytes of input, up to `done`; the result is for `feed`. Returns 0, and has done nothing, when the
 * table lacks a code point, or 2 when one segment fills the whole input.
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
 * Takes marks that only need sorting from a place on, and returns the place after them. Writes them to the place of spans in NFC,
 * one class after the other, and the end of each class to STARTS.
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
      if (classIn(entry) == 0) break;
      addMark((read >> 3) | (classIn(entry) << ORDER_SHIFT), count++);
    }
    at += read & 7;
  }
  let sum: u32 = NORMALISED;
  for (let place = STARTS; place < STARTS + 4 * 256; place += 4) {
    const bytes = load<u32>(place);
    store<u32>(place, sum);
    sum += bytes;
  }
  for (let i: u32 = 0; i < count; i++) {
    const point = load<u32>(ORDERED + (i << 2));
    const place = STARTS + (orderOf(point) << 2);
    const to = load<u32>(place);
    // (Three bytes are written as four: the bytes after them must not change.)
    const behind = load<u8>(to, 3);
    const end = writeCodePoint(point & POINT, to);
    if (end == to + 3) store<u8>(end, behind);
    store<u32>(place, end);
  }
  return at - INPUT;
}

@inline
function addMark(point: u32, index: u32): void {
  const codePoint = point & POINT;
  const place = STARTS + (orderOf(point) << 2);
  store<u32>(place, load<u32>(place) + (codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4));
  store<u32>(ORDERED + (index << 2), point);
}

/** The host has put a segment in NFC that fills more than the input. */
export function setBegun(): void {
  begun = true;
}

/**
 * Steps 4, 5, 7 and 8 for bytes in NFC at their address. Returns 0, and has done nothing, when the table lacks a code point, or 2
 * when there is no memory to hold them.
 */
export function feed(size: u32, last: bool): u32 {
  memory.fill(NORMALISED + size, 0, PAD);
  if (!allKnownFed && !classify(NORMALISED, size, false)) return 0;
  allKnownFed = false;
  const needed = <u64>held + size + PAD;
  const there = <u64>memory.size() << 16;
  // By half, so that growth is rare.
  if (needed > there) {
    const least = <i32>((needed - there + 0xffff) >> 16);
    if (memory.grow(max(least, memory.size() >> 1)) < 0 && memory.grow(least) < 0) return 2;
  }
  memory.copy(held, NORMALISED, size + PAD);
  held += size;
  scanLong(last);
  return 1;
}

/** Measures the run at an address. Returns whether everything is there that its forms depend on. */
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

function goesOn(at: u32, last: bool): bool {
  return !last && (swallows == URIC ? at == held : swallows == LABEL && at + 1 >= held);
}

/** Steps 4 and 5 for the held text, as far as it is decided. */
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

function dropHeld(keep: u32): void {
  const by = keep - hold;
  if (by == 0) return;
  memory.copy(hold, keep, held - keep + PAD);
  held -= by;
  scanned -= by;
  if (tokenStart != 0) tokenStart = hold;
  // (The last run is done; of the next one, only the measured length is kept.)
  runEnd = 0;
  measured = max(measured, by) - by;
  labelMeasured = max(labelMeasured, by) - by;
  schemeStart = max(schemeStart, by) - by;
}

/** Step 5 for bytes that are free of locators. */
function countLong(from: u32, end: u32): void {
  let start = tokenStart;
  let letter: u32 = tokenHasLetter ? LETTER : 0;
  let at = from;
  while (at < end) {
    const bytes = load<u32>(at);
    const lead = bytes & 0xff;
    let flags: u32;
    let next = at + 1;
    if (lead < 0x80) {
      const sets = <u32>load<u8>(SETS + lead);
      flags = (sets & ASCII_LETTER) | (sets & ALPHANUMERIC) | (lead == 0x5f ? WORD : 0);
    } else {
      const read = readCodePoint(bytes);
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

function endToken(end: u32): void {
  if (tokenStart != 0 && tokenHasLetter) endWord(tokenStart, end);
  tokenStart = 0;
}
