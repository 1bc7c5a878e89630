// Comparisons of 16 bytes at once, and bitmaps of 64.

@inline
export function inRange(x: v128, first: u8, count: u8): v128 {
  // Engines have one instruction to compare signed bytes, and need four for others.
  return i8x16.lt_s(i8x16.add(x, i8x16.splat(<i8>(0x80 - first))), i8x16.splat(<i8>(0x80 + count)));
}

@inline
export function letterOf(x: v128): v128 {
  return inRange(v128.or(x, i8x16.splat(0x20)), 0x61, 26);
}

@inline
export function wordOf(x: v128, letter: v128): v128 {
  return v128.or(v128.or(letter, inRange(x, 0x30, 10)), i8x16.eq(x, i8x16.splat(0x5f)));
}

/** ASCII before which a text can be cut: what is neither uric nor part of a word. */
@inline
export function separatorOf(x: v128): v128 {
  const lessOrGreater = i8x16.eq(v128.and(x, i8x16.splat(-3)), i8x16.splat(0x3c));
  const backslashOrCircumflex = i8x16.eq(v128.and(x, i8x16.splat(-3)), i8x16.splat(0x5c));
  const quote = v128.or(i8x16.eq(x, i8x16.splat(0x22)), i8x16.eq(x, i8x16.splat(0x60)));
  return v128.or(
    v128.or(inRange(x, 0, 0x21), inRange(x, 0x7b, 3)),
    v128.or(v128.or(lessOrGreater, backslashOrCircumflex), quote),
  );
}

@inline
export function bitsOf(a: v128, b: v128, c: v128, d: v128): u64 {
  return (
    <u64>(<u32>i8x16.bitmask(a) | (<u32>i8x16.bitmask(b) << 16)) |
    (<u64>(<u32>i8x16.bitmask(c) | (<u32>i8x16.bitmask(d) << 16)) << 32)
  );
}

@inline
export function hasSixteen(bits: u64): bool {
  bits &= bits >> 1;
  bits &= bits >> 2;
  bits &= bits >> 4;
  return (bits & (bits >> 8)) != 0;
}

/** The bytes among 64 that are less than a bound, as signed numbers: those that continue a sequence are less than -64. */
export function bytesBelow(at: u32, bound: i8): u64 {
  const x = i8x16.splat(bound);
  return bitsOf(
    i8x16.lt_s(v128.load(at), x),
    i8x16.lt_s(v128.load(at, 16), x),
    i8x16.lt_s(v128.load(at, 32), x),
    i8x16.lt_s(v128.load(at, 48), x),
  );
}
