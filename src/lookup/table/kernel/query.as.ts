// Querying: the entries within some bits of a fingerprint.
import {
  UNITED,
  blockOf,
  directoryBits,
  filtersAt,
  fingerprintsAt,
  out,
  outCapacity,
  positionsAt,
  rotationOf,
  startsAt,
} from './common.as';

// The state from which a query that filled the output goes on.
let query: u64 = 0;
export let most: u32 = 0;
export let flips: u32 = 0;
let table: u32 = 0;
let probe: u32 = 0;
let next: u32 = 0;
export let written: u32 = 0;

/** Checks one candidate; returns whether the output is full. */
function check(t: u32, place: u32): bool {
  if (t != 0) {
    // Reported by the first table that can hold it, and by no other.
    const filter = load<u32>(load<u32>(<u32>filtersAt + (t << 2)) + (place << 2));
    const known = filter ^ <u32>rotl<u64>(query, rotationOf(t));
    if (<u32>popcnt<u32>(known & 0xffff) <= flips) return false;
    if (t != 1 && <u32>popcnt<u32>(known >> 16) <= flips) return false;
  }
  const position = load<u32>(load<u32>(<u32>positionsAt + (t << 2)) + (place << 2));
  const difference = load<u64>(fingerprintsAt + (position << 3)) ^ query;
  const distance = <u32>popcnt<u64>(difference);
  if (distance > most) return false;
  if (t == 3 && <u32>popcnt<u32>(blockOf(difference, 2)) <= flips) return false;
  if (<u32>popcnt<u32>(blockOf(difference, t)) > flips) return false;
  const at = out + (written << 3);
  store<u32>(at, position);
  store<u32>(at, distance, 4);
  written++;
  return written == outCapacity;
}

/** Takes three bits away: lanes with three or fewer become 0. */
@inline
export function withoutThree(y: v128): v128 {
  const one = i32x4.splat(1);
  y = v128.and(y, i32x4.sub(y, one));
  y = v128.and(y, i32x4.sub(y, one));
  return v128.and(y, i32x4.sub(y, one));
}

/** Counts the bits of each lane. */
@inline
export function countsOf(y: v128): v128 {
  return i32x4.extadd_pairwise_i16x8_s(i16x8.extadd_pairwise_i8x16_u(i8x16.popcnt(y)));
}

/** Goes through one bucket from `from`, for 3 or less; returns the place to go on at when the output is full, else 0xffffffff. */
function scanFew(t: u32, from: u32, end: u32): u32 {
  const filters = load<u32>(<u32>filtersAt + (t << 2));
  const x = i32x4.splat(<u32>rotl<u64>(query, rotationOf(t)));
  // 24 at a time: in a million, the buckets of 15 are rarely longer, so that the processor predicts the end of the loop.
  for (let i = from; i < end; i += 24) {
    const at = filters + (i << 2);
    const y0 = withoutThree(v128.xor(v128.load(at), x));
    const y1 = withoutThree(v128.xor(v128.load(at, 16), x));
    const y2 = withoutThree(v128.xor(v128.load(at, 32), x));
    const y3 = withoutThree(v128.xor(v128.load(at, 48), x));
    const y4 = withoutThree(v128.xor(v128.load(at, 64), x));
    const y5 = withoutThree(v128.xor(v128.load(at, 80), x));
    if (i32x4.all_true(i32x4.min_u(i32x4.min_u(i32x4.min_u(y0, y1), i32x4.min_u(y2, y3)), i32x4.min_u(y4, y5)))) continue;
    const zero = i32x4.splat(0);
    let bits: u32 =
      <u32>i32x4.bitmask(i32x4.eq(y0, zero)) |
      (<u32>i32x4.bitmask(i32x4.eq(y1, zero)) << 4) |
      (<u32>i32x4.bitmask(i32x4.eq(y2, zero)) << 8) |
      (<u32>i32x4.bitmask(i32x4.eq(y3, zero)) << 12) |
      (<u32>i32x4.bitmask(i32x4.eq(y4, zero)) << 16) |
      (<u32>i32x4.bitmask(i32x4.eq(y5, zero)) << 20);
    if (end - i < 24) bits &= (1 << (end - i)) - 1;
    while (bits != 0) {
      const lane = ctz<u32>(bits);
      bits &= bits - 1;
      if (check(t, i + lane)) return i + lane + 1;
    }
  }
  return 0xffffffff;
}

/** {@link scanFew} for more than 3. */
function scanMany(t: u32, from: u32, end: u32): u32 {
  const filters = load<u32>(<u32>filtersAt + (t << 2));
  const x = i32x4.splat(<u32>rotl<u64>(query, rotationOf(t)));
  const limit = i32x4.splat(most);
  for (let i = from; i < end; i += 16) {
    const at = filters + (i << 2);
    const y0 = i32x4.le_s(countsOf(v128.xor(v128.load(at), x)), limit);
    const y1 = i32x4.le_s(countsOf(v128.xor(v128.load(at, 16), x)), limit);
    const y2 = i32x4.le_s(countsOf(v128.xor(v128.load(at, 32), x)), limit);
    const y3 = i32x4.le_s(countsOf(v128.xor(v128.load(at, 48), x)), limit);
    if (!v128.any_true(v128.or(v128.or(y0, y1), v128.or(y2, y3)))) continue;
    let bits: u32 =
      <u32>i32x4.bitmask(y0) |
      (<u32>i32x4.bitmask(y1) << 4) |
      (<u32>i32x4.bitmask(y2) << 8) |
      (<u32>i32x4.bitmask(y3) << 12);
    if (end - i < 16) bits &= (1 << (end - i)) - 1;
    while (bits != 0) {
      const lane = ctz<u32>(bits);
      bits &= bits - 1;
      if (check(t, i + lane)) return i + lane + 1;
    }
  }
  return 0xffffffff;
}

/** The record of a bucket and its neighbour in the directory of a table, as `shorten` made it. */
@inline
function recordOf(t: u32, bucket: u32): u32 {
  return load<u32>(<u32>startsAt + (t << 2)) + (bucket >> 1) * 6;
}

/** Tests whether a bucket and its neighbour are one. */
@inline
function isUnited(record: u32): bool {
  return load<u16>(record, 4) == <u16>UNITED;
}

@inline
function bucketFrom(record: u32, bucket: u32): u32 {
  const count = <u32>load<u16>(record, 4);
  return load<u32>(record) + select<u32>(count, 0, (bucket & 1) != 0 && count != UNITED);
}

@inline
function bucketEnd(record: u32, bucket: u32): u32 {
  const count = <u32>load<u16>(record, 4);
  return select<u32>(load<u32>(record, 6), load<u32>(record) + count, (bucket & 1) != 0 || count == UNITED);
}

/** Reads a word of each cache line of a bucket's filters, at least of the first two. */
@inline
function touch(t: u32, from: u32, end: u32): u32 {
  const filters = load<u32>(<u32>filtersAt + (t << 2));
  const at = filters + (from << 2);
  let sum = load<u32>(at) ^ load<u32>(at, 64);
  for (let line = at + 128, last = filters + (min(end, from + MAX_TOUCHED) << 2); line < last; line += 64)
    sum ^= load<u32>(line);
  return sum;
}

/** The processor itself detects that longer buckets are read from one end to the other. */
const MAX_TOUCHED: u32 = 256;

/** Begins a query for distance `k` (0 to 7); the results are (position, distance). Returns how many were written. */
export function begin(fingerprint: u64, k: u32): u32 {
  query = fingerprint;
  most = k;
  flips = k >> 2;
  written = 0;
  next = 0xffffffff;
  probe = 0;
  if (flips != 0) {
    table = 0;
    return proceed();
  }
  const shift: u32 = 16 - directoryBits;
  const b0 = blockOf(fingerprint, 0) >> shift;
  const b1 = blockOf(fingerprint, 1) >> shift;
  const b2 = blockOf(fingerprint, 2) >> shift;
  const b3 = blockOf(fingerprint, 3) >> shift;
  const r0 = recordOf(0, b0);
  const r1 = recordOf(1, b1);
  const r2 = recordOf(2, b2);
  const r3 = recordOf(3, b3);
  const f0 = bucketFrom(r0, b0);
  const f1 = bucketFrom(r1, b1);
  const f2 = bucketFrom(r2, b2);
  const f3 = bucketFrom(r3, b3);
  const e0 = bucketEnd(r0, b0);
  const e1 = bucketEnd(r1, b1);
  const e2 = bucketEnd(r2, b2);
  const e3 = bucketEnd(r3, b3);
  // The four buckets are far apart in memory; reading all their lines at once overlaps the delays.
  touched = touch(0, f0, e0) ^ touch(1, f1, e1) ^ touch(2, f2, e2) ^ touch(3, f3, e3);
  table = 0;
  next = scanFew(0, f0, e0);
  if (next != 0xffffffff) return written;
  table = 1;
  next = scanFew(1, f1, e1);
  if (next != 0xffffffff) return written;
  table = 2;
  next = scanFew(2, f2, e2);
  if (next != 0xffffffff) return written;
  table = 3;
  next = scanFew(3, f3, e3);
  return written;
}

/** The number of entries that a query for distance `k` (0 to 7) compares. */
export function workOf(fingerprint: u64, k: u32): u32 {
  const shift: u32 = 16 - directoryBits;
  const probes: u32 = k >> 2 == 0 ? 1 : 1 + directoryBits;
  let sum: u32 = 0;
  for (let t: u32 = 0; t < 4; t++) {
    const own = blockOf(fingerprint, t) >> shift;
    for (let p: u32 = 0; p < probes; p++) {
      const bucket = p == 0 ? own : own ^ (1 << (p - 1));
      const record = recordOf(t, bucket);
      if (p == 1 && isUnited(record)) continue;
      sum += bucketEnd(record, bucket) - bucketFrom(record, bucket);
    }
  }
  return sum;
}

/** Keeps the reads of `begin` from being optimised away. */
export let touched: u32 = 0;

/** Goes on with a query whose output was full and has been emptied. */
export function resume(): u32 {
  written = 0;
  return proceed();
}

function proceed(): u32 {
  const shift: u32 = 16 - directoryBits;
  const probes: u32 = flips == 0 ? 1 : 1 + directoryBits;
  for (; table < 4; table++, probe = 0) {
    const own = blockOf(query, table) >> shift;
    for (; probe < probes; probe++) {
      const bucket = probe == 0 ? own : own ^ (1 << (probe - 1));
      const record = recordOf(table, bucket);
      // The first probe has read both.
      if (probe == 1 && isUnited(record)) continue;
      const from = next != 0xffffffff ? next : bucketFrom(record, bucket);
      const end = bucketEnd(record, bucket);
      next = from < end ? (most <= 3 ? scanFew(table, from, end) : scanMany(table, from, end)) : 0xffffffff;
      if (next != 0xffffffff) return written;
    }
  }
  return written;
}

/**
 * Compares a fingerprint with `count` ones at `fingerprints`, from `from` on; results as of `begin`. Returns how many
 * were written; `scanned` is the place after the last one compared.
 */
export function scan(fingerprints: u32, count: u32, fingerprint: u64, k: u32, from: u32): u32 {
  let found: u32 = 0;
  let i = from;
  for (; i < count && found < outCapacity; i++) {
    const distance = <u32>popcnt<u64>(load<u64>(fingerprints + (i << 3)) ^ fingerprint);
    if (distance > k) continue;
    const at = out + (found << 3);
    store<u32>(at, i);
    store<u32>(at, distance, 4);
    found++;
  }
  scanned = i;
  return found;
}

export let scanned: u32 = 0;
