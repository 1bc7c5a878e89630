// Step 4: where locators begin and end.
import { clear } from './classify/separators.as';
import { separatorOf } from './classify/vectors.as';
import { LOCATORS, SETS, WORDS } from './layout.as';
import {
  ALPHANUMERIC,
  ASCII_LETTER,
  DIGIT,
  HEX,
  LABEL,
  LOCAL,
  MAX_PREFIX,
  MIN_PREFIX,
  SCHEME,
  URIC,
  isPrefixWord,
} from './scheme.generated.as';

@inline
function isIn(set: u32, at: u32): bool {
  return (<u32>load<u8>(SETS + <u32>load<u8>(at)) & set) != 0;
}

@inline
function skip(set: u32, at: u32): u32 {
  while (isIn(set, at)) at++;
  return at;
}

/** The bytes among 16 that are not in URIC: separators of ASCII, DEL, and all beyond. */
@inline
function notUric(at: u32): u32 {
  const x = v128.load(at);
  return <u32>i8x16.bitmask(v128.or(separatorOf(x), i8x16.ge_u(x, i8x16.splat(0x7f))));
}

/** Like `skip`, for URIC, which most bytes of a locator are. */
function skipUric(at: u32): u32 {
  let others = notUric(at);
  while (others == 0) {
    at += 16;
    others = notUric(at);
  }
  return at + <u32>ctz(others);
}

/** The run of LOCAL bytes last measured, and the forms that its end decides, as in scheme/strip-locators.ts. */
let runEnd: u32 = 0;
let schemeStart: u32 = 0;
let labelEnd: u32 = 0;
let colon: bool = false;
let colonSlashSlash: bool = false;
let domain: bool = false;
let chainStart: u32 = 0;
let plain: bool = false;

/** Measures the run that begins at an address. No set contains the end of a span, so nothing after it is read. */
function measure(at: u32): void {
  schemeStart = at;
  let i = at;
  for (;;) {
    const sets = <u32>load<u8>(SETS + <u32>load<u8>(i));
    if ((sets & LOCAL) == 0) break;
    i++;
    if ((sets & SCHEME) == 0) schemeStart = i;
  }
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

/** LOC-8, except for the part that the end of the run decides. */
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

/** Returns the end of a digest, or 0 (LOC-11). */
function digestEnd(at: u32): u32 {
  const end = skip(HEX, at);
  if (end - at < 32 || isIn(ALPHANUMERIC, end)) return 0;
  for (let i = at; i < end; i++) if (isIn(DIGIT, i)) return end;
  return 0;
}

/** Returns the end of the locator that begins at an address, or 0 (LOC-3). The run that it begins in has been measured. */
function locatorEnd(at: u32): u32 {
  // Most words end here: forms 6 and 7 need at least 32 bytes, and form 2 begins with a w.
  if (plain && runEnd - at < 32 && (<u32>load<u8>(at) | 0x20) != 0x77) return 0;
  if (colonSlashSlash && at >= schemeStart && isIn(ASCII_LETTER, at)) return skipUric(runEnd + 3);
  if ((load<u32>(at) | 0x202020) == 0x2e777777 && isIn(URIC, at + 4)) return skipUric(at + 4);
  if (colon && isPrefix(at)) return skipUric(runEnd + 1);
  if (isDoi(at)) return skipUric(runEnd + 1);
  if (domain) return skipLabels(labelEnd + 1);
  if (isUuid(at)) return at + 36;
  return digestEnd(at);
}

function skipLabels(at: u32): u32 {
  let end = skip(LABEL, at);
  while (load<u8>(end) == 0x2e && isIn(LABEL, end + 1)) end = skip(LABEL, end + 1);
  return end;
}

/**
 * Removes the words of the locator that begins before a possible sign, if there is one: all forms begin in the run of LOCAL bytes
 * that the sign ends, or is in. Everything before `from` is decided; returns the same for the next sign.
 */
function stripAt(text: u32, sign: u32, from: u32): u32 {
  let at = sign;
  while (at > from && isIn(LOCAL, at - 1)) at--;
  // LOC-1, LOC-2: nothing begins after a letter or digit, nor at the end of a run of them.
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

/** Step 4 for the first `end` bytes of a piece. */
export function stripLocators(text: u32, end: u32): void {
  let from = text;
  for (let block: u32 = 0; block << 6 < end; block++)
    for (let bits = load<u64>(LOCATORS + (block << 3)); bits != 0; bits &= bits - 1) {
      const sign = text + (block << 6) + <u32>ctz(bits);
      if (sign >= text + end) return;
      if (sign >= from) from = stripAt(text, sign, from);
    }
}
