// Compares fingerprints of 256 bits, in AssemblyScript. The host sizes the memory and passes the addresses.

/** The beginning of the memory that the kernel does not use for itself. */
export const heapBase: u32 = <u32>__heap_base;

/**
 * Finds the fingerprints `from` to `to - 1` of those at `fingerprints` that are within `k` bits of fingerprint `own`. Writes the
 * number and the distance of each to `out`. Returns how many there are.
 */
export function near(fingerprints: u32, own: u32, from: u32, to: u32, k: u32, out: u32): u32 {
  const left = v128.load(fingerprints + (own << 5));
  const right = v128.load(fingerprints + (own << 5), 16);
  const ones = i16x8.splat(1);
  let at = fingerprints + (from << 5);
  let end = out;
  for (let other = from; other < to; other++, at += 32) {
    const counts = i8x16.add(
      i8x16.popcnt(v128.xor(left, v128.load(at))),
      i8x16.popcnt(v128.xor(right, v128.load(at, 16))),
    );
    const sums = i32x4.dot_i16x8_s(i16x8.extadd_pairwise_i8x16_u(counts), ones);
    const halves = i64x2.add(sums, i64x2.shr_u(sums, 32));
    const distance = <u32>(i64x2.extract_lane(halves, 0) + i64x2.extract_lane(halves, 1));
    if (distance > k) continue;
    store<u32>(end, other);
    store<u32>(end, distance, 4);
    end += 8;
  }
  return (end - out) >> 3;
}
