// The marks of step 4: places among 64 bytes where a locator may begin or have its sign.
import { isAlphanumeric } from '../code-points.as';
import { endsPrefix } from '../scheme.generated.as';
import { bitsOf, hasSixteen, inRange, letterOf } from './vectors.as';

/** Tests for the `:`, `@`, third `.` or last `-` of a locator. (There are 64 zeros before a text.) */
function mayLocate(at: u32): bool {
  const before = <u32>load<u8>(at - 1);
  switch (load<u8>(at)) {
    case 0x2e:
      // `10.` and `www.`: forms 4 and 2.
      if (before == 0x30) return load<u8>(at - 2) == 0x31;
      return (before | 0x20) == 0x77 && (<u32>load<u16>(at - 3) | 0x2020) == 0x7777;
    case 0x2d:
      // Four hyphens with four bytes between them: form 6.
      return load<u8>(at - 5) == 0x2d && load<u8>(at - 10) == 0x2d && load<u8>(at - 15) == 0x2d;
    case 0x40: {
      if (!isAlphanumeric(before) && (before <= 0x20 || before >= 0x60)) return false;
      // A label and a dot have to follow; after a long label this is not checked.
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

@inline
export function triggerOf(x: v128): v128 {
  return v128.or(inRange(x, 0x2d, 2), v128.or(i8x16.eq(x, i8x16.splat(0x3a)), i8x16.eq(x, i8x16.splat(0x40))));
}

/** The triggers among 16 that `mayLocate` has to check: few `.` and `-` follow what they need. */
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

/** The places among 64 bytes at `from` where a locator may begin or have its sign, given the answer of `triggerOf`. */
@inline
function locatorsAmong(from: u32, triggers: u64): u64 {
  let locators: u64 = 0;
  for (; triggers != 0; triggers &= triggers - 1) {
    const j = <u32>ctz(triggers);
    if (mayLocate(from + j)) locators |= <u64>1 << j;
  }
  return locators;
}

/** The places among 64 bytes where a locator may be; `before` has the word characters of the 64 before. */
@inline
export function findLocators(from: u32, t0: v128, t1: v128, t2: v128, t3: v128, words: u64, before: u64): u64 {
  const triggers = bitsOf(likelyTriggers(from), likelyTriggers(from + 16), likelyTriggers(from + 32), likelyTriggers(from + 48));
  let locators = triggers == 0 ? 0 : locatorsAmong(from, triggers);
  // Thirty-two letters and digits in a row: form 7. (In two blocks, sixteen or more of them are in one.)
  if (hasSixteen(words) || before >> 48 == 0xffff) locators |= digestsAmong(from, words, before);
  return locators;
}

/** The places among 64 bytes at `from` where a digest may be. (Exported, so that it is not inlined: it is rarely needed.) */
export function digestsAmong(from: u32, words: u64, before: u64): u64 {
  return endsOf32(words, before) == 0 ? 0 : endsOf32(alphanumerics(from), alphanumerics(from - 64));
}

/** The places among 64 bytes up to which 32 bits or more in a row are set. `before` has the bits before. */
function endsOf32(bits: u64, before: u64): u64 {
  for (let count: u64 = 1; count < 32; count <<= 1) {
    bits &= (bits << count) | (before >> (64 - count));
    before &= before << count;
  }
  return bits;
}
