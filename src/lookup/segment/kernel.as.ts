// The lookup kernel, in AssemblyScript. See README.md for the layout of its memory. Nothing is allocated here: the host
// sizes the memory and says where things are. All addresses and counts are unsigned 32-bit numbers.

/** The beginning of the memory that the kernel does not use for itself. */
export const heapBase: u32 = <u32>__heap_base;

/** Results of queries and pairs are written here, `outCapacity` of them at most before they return to be emptied. */
let out: u32 = 0;
let outCapacity: u32 = 0;

export function setOut(address: u32, capacity: u32): void {
  out = address;
  outCapacity = capacity;
}

// @ts-ignore: decorator
@inline
function blockOf(fingerprint: u64, table: u32): u32 {
  return <u32>(fingerprint >> (48 - 16 * table)) & 0xffff;
}

/**
 * Returns by how many bits a fingerprint is rotated to have its filter in its lower half: two of the blocks that are not that
 * of the table.
 * The blocks of earlier tables come first, so that of most entries that an earlier table reports nothing more is read: B2‖B3
 * for table 0, B3‖B0 for table 1, B0‖B1 for the others.
 */
// @ts-ignore: decorator
@inline
function rotationOf(table: u32): u64 {
  return table == 0 ? 0 : table == 1 ? 16 : 32;
}

// ------------------------------------------------------------------------------------------------------- building

/**
 * Sorts `count` fingerprints at `fingerprints` by the upper `bits` of block `table`: `starts` gets 2^bits + 1 numbers (and
 * needs room for one more), `filters` and `positions` one for each fingerprint that is not a copy. Within a bucket the positions
 * ascend. Returns the size of the largest bucket.
 */
export function partition(
  fingerprints: u32,
  count: u32,
  table: u32,
  bits: u32,
  starts: u32,
  filters: u32,
  positions: u32,
): u32 {
  const buckets: u32 = 1 << bits;
  memory.fill(starts, 0, (buckets + 2) << 2);
  for (let from: u32 = 0; from < count; from += PART)
    countPart(fingerprints, from, min(from + PART, count), table, bits, starts);
  const largest = sumCounts(starts, buckets);
  for (let from: u32 = 0; from < count; from += PART)
    placePart(fingerprints, from, min(from + PART, count), table, bits, starts, filters, positions);
  return largest;
}

/** The address where `group` noted which fingerprints are copies, or 0 if there are none. */
let copiesAt: u32 = 0;

// Engines begin with code that is compiled fast and runs slowly, and change to better code at the next call of a function.
// So no function here works for long: the long loops call others, which are exported so that they are not inlined.
const PART: u32 = 1 << 14;

/** Counts two places further on, so that after the sums, starts[b + 1] is where bucket b begins and can be moved on. */
export function countPart(fingerprints: u32, from: u32, end: u32, table: u32, bits: u32, starts: u32): void {
  const shift: u64 = <u64>(64 - 16 * table - bits);
  const mask: u64 = (1 << bits) - 1;
  const copies = copiesAt;
  for (let i = from; i < end; i++) {
    if (copies != 0 && load<u32>(copies + (i << 2)) != 0) continue;
    const b = <u32>((load<u64>(fingerprints + (i << 3)) >> shift) & mask);
    const at = starts + (b << 2);
    store<u32>(at, load<u32>(at, 8) + 1, 8);
  }
}

/** Adds up what was counted two places further on; returns the largest count. */
function sumCounts(counts: u32, buckets: u32): u32 {
  let sum: u32 = 0;
  let largest: u32 = 0;
  for (let b: u32 = 0; b < buckets; b++) {
    const at = counts + (b << 2);
    const bucket = load<u32>(at, 8);
    largest = max(largest, bucket);
    sum += bucket;
    store<u32>(at, sum, 8);
  }
  return largest;
}

export function placePart(
  fingerprints: u32,
  from: u32,
  end: u32,
  table: u32,
  bits: u32,
  starts: u32,
  filters: u32,
  positions: u32,
): void {
  const shift: u64 = <u64>(64 - 16 * table - bits);
  const mask: u64 = (1 << bits) - 1;
  const copies = copiesAt;
  const rotation = rotationOf(table);
  for (let i = from; i < end; i++) {
    if (copies != 0 && load<u32>(copies + (i << 2)) != 0) continue;
    const fingerprint = load<u64>(fingerprints + (i << 3));
    const b = <u32>((fingerprint >> shift) & mask);
    const at = starts + (b << 2);
    const place = load<u32>(at, 4);
    store<u32>(at, place + 1, 4);
    store<u32>(filters + (place << 2), <u32>rotl<u64>(fingerprint, rotation));
    store<u32>(positions + (place << 2), i);
  }
}

// For many fingerprints, 65,536 buckets are too many to write to at once: each entry would wait for memory twice. So they are
// sorted by the upper half of the block first, and each of the 256 parts by the lower half while the caches hold it. Room
// for that: counts of the parts, counts within a part, the lower half for each entry, and the entries of the largest part.
const FINE_AT: u32 = 1088;
const LOWS_AT: u32 = FINE_AT + 1088;

/** Counts the 256 parts for `partitionParts`, at `room`; returns the size of the largest. */
export function countParts(fingerprints: u32, count: u32, table: u32, room: u32): u32 {
  memory.fill(room, 0, 258 << 2);
  for (let from: u32 = 0; from < count; from += PART)
    countPart(fingerprints, from, min(from + PART, count), table, 8, room);
  return sumCounts(room, 256);
}

/**
 * As `partition` with 16 bits, for many fingerprints, after `countParts`: `room` has 2,176 bytes, one for each fingerprint up
 * to a multiple of 64, and 8 for each of the largest part.
 */
export function partitionParts(
  fingerprints: u32,
  count: u32,
  table: u32,
  starts: u32,
  filters: u32,
  positions: u32,
  room: u32,
): u32 {
  const lows = room + LOWS_AT;
  for (let from: u32 = 0; from < count; from += PART)
    placeCoarse(fingerprints, from, min(from + PART, count), table, room, lows, filters, positions);
  let largest: u32 = 0;
  let from: u32 = 0;
  const copied = lows + ((count + 63) & ~63);
  for (let part: u32 = 0; part < 256; part++) {
    const end = load<u32>(room + (part << 2), 4);
    largest = max(largest, sortPart(from, end, starts + (part << 10), room + FINE_AT, lows, filters, positions, copied));
    from = end;
  }
  store<u32>(starts + (65536 << 2), from);
  return largest;
}

export function placeCoarse(
  fingerprints: u32,
  from: u32,
  end: u32,
  table: u32,
  counts: u32,
  lows: u32,
  filters: u32,
  positions: u32,
): void {
  const shift: u64 = <u64>(48 - 16 * table);
  const copies = copiesAt;
  const rotation = rotationOf(table);
  for (let i = from; i < end; i++) {
    if (copies != 0 && load<u32>(copies + (i << 2)) != 0) continue;
    const fingerprint = load<u64>(fingerprints + (i << 3));
    const block = <u32>(fingerprint >> shift) & 0xffff;
    const at = counts + ((block >> 8) << 2);
    const place = load<u32>(at, 4);
    store<u32>(at, place + 1, 4);
    store<u8>(lows + place, block);
    store<u32>(filters + (place << 2), <u32>rotl<u64>(fingerprint, rotation));
    store<u32>(positions + (place << 2), i);
  }
}

/** Sorts one part by the lower half of the block; returns the size of the largest bucket. */
export function sortPart(
  from: u32,
  end: u32,
  starts: u32,
  counts: u32,
  lows: u32,
  filters: u32,
  positions: u32,
  copied: u32,
): u32 {
  const copiedPositions = copied + ((end - from) << 2);
  memory.copy(copied, filters + (from << 2), (end - from) << 2);
  memory.copy(copiedPositions, positions + (from << 2), (end - from) << 2);
  memory.fill(counts, 0, 258 << 2);
  for (let at: u32 = from; at < end; at += PART) countLows(lows + at, lows + min(at + PART, end), counts);
  const largest = sumCounts(counts, 256);
  for (let b: u32 = 0; b < 256; b++) store<u32>(starts + (b << 2), from + load<u32>(counts + (b << 2), 4));
  const entries = copied - (from << 2);
  const itsPositions = copiedPositions - (from << 2);
  for (let at: u32 = from; at < end; at += PART)
    placeFine(at, min(at + PART, end), from, counts, lows, entries, itsPositions, filters, positions);
  return largest;
}

/** Counts bytes, as `countPart` does. */
export function countLows(from: u32, end: u32, counts: u32): void {
  for (let i = from; i < end; i++) {
    const at = counts + (<u32>load<u8>(i) << 2);
    store<u32>(at, load<u32>(at, 8) + 1, 8);
  }
}

export function placeFine(
  from: u32,
  end: u32,
  first: u32,
  counts: u32,
  lows: u32,
  copiedFilters: u32,
  copiedPositions: u32,
  filters: u32,
  positions: u32,
): void {
  for (let i = from; i < end; i++) {
    const at = counts + (<u32>load<u8>(lows + i) << 2);
    const place = load<u32>(at, 4);
    store<u32>(at, place + 1, 4);
    store<u32>(filters + ((first + place) << 2), load<u32>(copiedFilters + (i << 2)));
    store<u32>(positions + ((first + place) << 2), load<u32>(copiedPositions + (i << 2)));
  }
}

/**
 * Makes the 2^bits + 1 numbers at `starts` shorter: for every two buckets 6 bytes, with the place where the first begins
 * (32 bits) and how many entries it has (16 bits); then the place where the last one ends. If the first bucket of a pair has
 * 65,535 entries or more, both are one: what the other one holds is not reported, for each entry is checked.
 */
export function shorten(starts: u32, bits: u32): void {
  const buckets: u32 = 1 << bits;
  const total = load<u32>(starts + (buckets << 2));
  // Never writes where it has yet to read.
  for (let b: u32 = 0; b < buckets; b += 2) {
    const from = load<u32>(starts + (b << 2));
    const middle = load<u32>(starts + (b << 2), 4);
    const at = starts + b * 3;
    store<u32>(at, from);
    store<u16>(at, min<u32>(middle - from, UNITED), 4);
  }
  store<u32>(starts + buckets * 3, total);
}

const UNITED: u32 = 0xffff;

// ------------------------------------------------------------------------------------------------------- querying

// The tables of the segment: for table t, starts, filters and positions.
let fingerprintsAt: u32 = 0;
let size: u32 = 0;
let directoryBits: u32 = 16;
const startsAt = memory.data(16);
const filtersAt = memory.data(16);
const positionsAt = memory.data(16);

export function setSegment(fingerprints: u32, count: u32, bits: u32): void {
  fingerprintsAt = fingerprints;
  size = count;
  directoryBits = bits;
}

export function setTable(table: u32, starts: u32, filters: u32, positions: u32): void {
  store<u32>(<u32>startsAt + (table << 2), starts);
  store<u32>(<u32>filtersAt + (table << 2), filters);
  store<u32>(<u32>positionsAt + (table << 2), positions);
}

// The state from which a query that filled the output goes on.
let query: u64 = 0;
let most: u32 = 0;
let flips: u32 = 0;
let table: u32 = 0;
let probe: u32 = 0;
let next: u32 = 0;
let written: u32 = 0;

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

/** Takes three bits away: lanes that had no more become 0. */
// @ts-ignore: decorator
@inline
function withoutThree(y: v128): v128 {
  const one = i32x4.splat(1);
  y = v128.and(y, i32x4.sub(y, one));
  y = v128.and(y, i32x4.sub(y, one));
  return v128.and(y, i32x4.sub(y, one));
}

/** Counts the bits of each lane. */
// @ts-ignore: decorator
@inline
function countsOf(y: v128): v128 {
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
// @ts-ignore: decorator
@inline
function recordOf(t: u32, bucket: u32): u32 {
  return load<u32>(<u32>startsAt + (t << 2)) + (bucket >> 1) * 6;
}

/** Tests whether a bucket and its neighbour are one. */
// @ts-ignore: decorator
@inline
function isUnited(record: u32): bool {
  return load<u16>(record, 4) == <u16>UNITED;
}

// @ts-ignore: decorator
@inline
function bucketFrom(record: u32, bucket: u32): u32 {
  const count = <u32>load<u16>(record, 4);
  return load<u32>(record) + select<u32>(count, 0, (bucket & 1) != 0 && count != UNITED);
}

// @ts-ignore: decorator
@inline
function bucketEnd(record: u32, bucket: u32): u32 {
  const count = <u32>load<u16>(record, 4);
  return select<u32>(load<u32>(record, 6), load<u32>(record) + count, (bucket & 1) != 0 || count == UNITED);
}

/** Reads something of each cache line of a bucket's filters, the first two of which are read in any case. */
// @ts-ignore: decorator
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
  // The four buckets are far apart in memory: reading all their lines at once lets the delays overlap.
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
      // The first probe has gone through both.
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
 * Compares a fingerprint with `count` ones at `fingerprints`, from `from` on; results as of `begin`. Returns how many were
 * written; `scanned` says how far it came.
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

// -------------------------------------------------------------------------------------------------------- all pairs

// Pairs within the buckets of one table at a time, by the layout of `partition` with 16 bits. Results are (i, j, distance)
// with i < j.
let pairTable: u32 = 0;
let pairBucket: u32 = 0;
let pairProbe: u32 = 0;
let pairI: u32 = 0;
let pairJ: u32 = 0;
let pairSub: u32 = 0;
let subBucket: u32 = 0;
let starts: u32 = 0;
let filters: u32 = 0;
let positions: u32 = 0;
// Room for the second level: counts, and a bucket sorted by one sub-block.
let subStarts: u32 = 0;
let subFilters: u32 = 0;
let subPositions: u32 = 0;
let subReady: bool = false;
let large: u32 = 0;
let huge: u32 = 0;

/**
 * `t` is the table whose arrays `partition` makes at these addresses. Larger buckets than `threshold` are paired by the second level
 * if k is 3 or less; of that, larger ones than `limit` are left to the host.
 */
export function setPairs(t: u32, startsOf: u32, filtersOf: u32, positionsOf: u32, threshold: u32, limit: u32): void {
  pairTable = t;
  starts = startsOf;
  filters = filtersOf;
  positions = positionsOf;
  large = threshold;
  huge = limit;
}

/**
 * The work left to the host when `resumePairs` returns, if `splitCount` is not 0: so many positions at `splitAt`, to be paired
 * with each other or, if `otherCount` is not 0, with so many at `otherAt`. For k of 3 and less they share sub-block `splitSub`.
 */
export let splitAt: u32 = 0;
export let splitCount: u32 = 0;
export let otherAt: u32 = 0;
export let otherCount: u32 = 0;
export let splitSub: u32 = 0;

/** Notes what is left to the host. */
function leave(at: u32, count: u32, other: u32, itsCount: u32, sub: u32): void {
  splitAt = at;
  splitCount = count;
  otherAt = other;
  otherCount = itsCount;
  splitSub = sub;
}

/**
 * Finds equal fingerprints, by the arrays that `partition` made: they share every bucket. For each but the first of them (by
 * position) the number at `firsts` becomes the position of the first, plus 1; the others are left alone. `slots` is room for a
 * hash table of at least twice as many numbers as the largest bucket has, rounded up to a power of two, and for as many numbers as
 * the threshold of `setPairs` says; `key` is odd and random. Of `shares` equal shares of all fingerprints only number `share` is looked at. Returns how many copies there are.
 */
export function group(firsts: u32, slots: u32, key: u64, share: u32, shares: u32): u32 {
  hashKey = key;
  let copies: u32 = 0;
  let from: u32 = 0;
  for (let b: u32 = 0; b < 65536; b++) {
    const end = load<u32>(starts + (b << 2), 4);
    const isSmall = end - from <= COMPARED;
    const isSkipped = end - from < 2 || (pairTable == 0 && shareOf(b, shares) != share);
    if (!isSkipped && !(isSmall && !hasEqualFilters(from, end)))
      copies += groupBucket(from, end, firsts, slots, share, pairTable == 0 ? 1 : shares);
    from = end;
  }
  return copies;
}

/** Random and odd, so that nobody can choose fingerprints that collide. */
let hashKey: u64 = 1;

/** To which of the shares a fingerprint belongs, by its block 0, which every table has in its buckets or filters. */
// @ts-ignore: decorator
@inline
function shareOf(block: u32, shares: u32): u32 {
  // The product is a fraction of 2^32; a remainder would take longer than all else that is done for a fingerprint.
  return (((block * 0x9e3779b1) >> 16) * shares) >> 16;
}

/** {@link shareOf} by the filter of the table that is paired: any but that of block 0. */
// @ts-ignore: decorator
@inline
function shareOfFilter(filter: u32, shares: u32): u32 {
  return shareOf(pairTable == 1 ? filter & 0xffff : filter >> 16, shares);
}

/**
 * Takes the copies that `group` noted at `firsts` out of the buckets, and of those that `partition` makes from now on. Returns the
 * size of the largest bucket.
 */
export function dropCopies(firsts: u32): u32 {
  let kept: u32 = 0;
  let largest: u32 = 0;
  let from: u32 = 0;
  for (let b: u32 = 0; b < 65536; b++) {
    const end = load<u32>(starts + (b << 2), 4);
    const first = kept;
    kept = keepFirsts(from, end, firsts, kept);
    store<u32>(starts + (b << 2), first);
    largest = max(largest, kept - first);
    from = end;
  }
  store<u32>(starts + (65536 << 2), kept);
  copiesAt = firsts;
  return largest;
}

/** Moves what is not a copy to the places from `kept` on; returns the place after the last. */
export function keepFirsts(from: u32, end: u32, firsts: u32, kept: u32): u32 {
  for (let i = from; i < end; i++) {
    const position = load<u32>(positions + (i << 2));
    if (load<u32>(firsts + (position << 2)) != 0) continue;
    store<u32>(filters + (kept << 2), load<u32>(filters + (i << 2)));
    store<u32>(positions + (kept << 2), position);
    kept++;
  }
  return kept;
}

/** In buckets up to this size filters are compared with each other, which takes less time than a hash table. */
const COMPARED: u32 = 64;

/** Tests whether two filters of a bucket are equal, or one is equal to one of the few after the bucket. */
// @ts-ignore: decorator
@inline
function hasEqualFilters(from: u32, end: u32): bool {
  let equal = i32x4.splat(0);
  const last = filters + (end << 2);
  for (let at = filters + (from << 2); at < last; at += 16) {
    const v = v128.load(at);
    const once = i8x16.shuffle(v, v, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3);
    const twice = i8x16.shuffle(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
    equal = v128.or(equal, v128.or(i32x4.eq(v, once), i32x4.eq(v, twice)));
    const x0 = i32x4.splat(load<u32>(at));
    const x1 = i32x4.splat(load<u32>(at, 4));
    const x2 = i32x4.splat(load<u32>(at, 8));
    const x3 = i32x4.splat(load<u32>(at, 12));
    for (let to = at + 16; to < last; to += 16) {
      const w = v128.load(to);
      equal = v128.or(equal, v128.or(i32x4.eq(w, x0), i32x4.eq(w, x1)));
      equal = v128.or(equal, v128.or(i32x4.eq(w, x2), i32x4.eq(w, x3)));
    }
  }
  return v128.any_true(equal);
}

/** Finds the copies in one bucket, of one share. */
export function groupBucket(from: u32, end: u32, firsts: u32, slots: u32, share: u32, shares: u32): u32 {
  // Reading the fingerprints themselves is slow, for they are all over the memory. The half that a filter has does, but
  // where many fingerprints share it, the slots after each other would be gone through again and again.
  const whole = end - from > large;
  let copies: u32 = 0;
  if (shares != 1 && !whole) {
    const places = slots + (4 << slotBits(end - from));
    const count = placesOfShare(from, end, places, share, shares);
    if (count < 2) return 0;
    const bits = clearSlots(slots, count);
    for (let at = places, to = places + (count << 2); at < to; at += 4)
      copies += noteCopy(load<u32>(at), firsts, slots, bits, false);
    return copies;
  }
  const bits = clearSlots(slots, end - from);
  for (let i = from; i < end; i++)
    if (shares == 1 || shareOfFilter(load<u32>(filters + (i << 2)), shares) == share)
      copies += noteCopy(i, firsts, slots, bits, whole);
  return copies;
}

/** The logarithm of the number of slots for so many entries, 2 or more: at least half of them stay free. */
// @ts-ignore: decorator
@inline
function slotBits(entries: u32): u32 {
  return 33 - clz<u32>(entries - 1);
}

/** Empties the slots for so many entries; returns {@link slotBits}. */
// @ts-ignore: decorator
@inline
function clearSlots(slots: u32, entries: u32): u32 {
  const bits = slotBits(entries);
  // Not memory.fill: engines call a function for it, and most buckets are small.
  for (let at = slots, to = slots + (4 << bits); at < to; at += 16) v128.store(at, i32x4.splat(0));
  return bits;
}

/** Writes which places of a bucket are of a share, without a branch, which nobody could predict; returns how many. */
// @ts-ignore: decorator
@inline
function placesOfShare(from: u32, end: u32, places: u32, share: u32, shares: u32): u32 {
  let count: u32 = 0;
  for (let i = from; i < end; i++) {
    store<u32>(places + (count << 2), i);
    count += u32(shareOfFilter(load<u32>(filters + (i << 2)), shares) == share);
  }
  return count;
}

/** Notes the entry at place `i` if it is a copy; returns how many copies that is. */
// @ts-ignore: decorator
@inline
function noteCopy(i: u32, firsts: u32, slots: u32, bits: u32, whole: bool): u32 {
  const filter = load<u32>(filters + (i << 2));
  const position = load<u32>(positions + (i << 2));
  const value = whole ? load<u64>(fingerprintsAt + (position << 3)) : <u64>filter;
  const first = firstOf(i, filter, position, slots, <u32>((value * hashKey) >> (64 - bits)), (1 << bits) - 1);
  if (first == NONE) return 0;
  store<u32>(firsts + (position << 2), first + 1);
  return 1;
}

const NONE: u32 = 0xffffffff;

/** The position of the first fingerprint equal to that at place `i`; if it is the first, it gets a slot from `slot` on. */
// @ts-ignore: decorator
@inline
function firstOf(i: u32, filter: u32, position: u32, slots: u32, slot: u32, mask: u32): u32 {
  let seen = load<u32>(slots + (slot << 2));
  while (seen != 0) {
    if (load<u32>(filters + ((seen - 1) << 2)) == filter) {
      const first = load<u32>(positions + ((seen - 1) << 2));
      if (load<u64>(fingerprintsAt + (first << 3)) == load<u64>(fingerprintsAt + (position << 3))) return first;
    }
    slot = (slot + 1) & mask;
    seen = load<u32>(slots + (slot << 2));
  }
  store<u32>(slots + (slot << 2), i + 1);
  return NONE;
}

/**
 * Begins to pair the fingerprints that the table brings together, by the arrays of `setPairs`. `second` is room for the
 * second level, which is used when `k` is 3 or less and `largest`, the size of the largest bucket, is above the threshold:
 * 4100 numbers and, after them, 2 · (largest + 4).
 */
export function beginPairs(k: u32, second: u32, largest: u32): u32 {
  pairBucket = 0;
  most = k;
  flips = k >> 2;
  subStarts = second;
  subFilters = second + (4100 << 2);
  subPositions = subFilters + ((largest + 4) << 2);
  pairProbe = 0;
  pairI = 0xffffffff;
  pairJ = 0;
  pairSub = 0;
  subBucket = 0;
  subReady = false;
  return resumePairs(false);
}

/** The 48 bits beside the block of a table, as TAB-2 has them. */
// @ts-ignore: decorator
@inline
function othersOf(fingerprint: u64, t: u32): u64 {
  const below: u64 = <u64>(48 - 16 * t);
  return (t == 0 ? 0 : (fingerprint >> (below + 16)) << below) | (fingerprint & ((<u64>1 << below) - 1));
}

/** Compares what stands at two places, and writes the pair if it is one that no table before finds. */
function checkPair(p: u32, placeA: u32, placeB: u32, sub: u32): void {
  const a = load<u32>(p + (placeA << 2));
  const b = load<u32>(p + (placeB << 2));
  const difference = load<u64>(fingerprintsAt + (a << 3)) ^ load<u64>(fingerprintsAt + (b << 3));
  const distance = <u32>popcnt<u64>(difference);
  if (distance > most) return;
  for (let z: u32 = 0; z < pairTable; z++) if (<u32>popcnt<u32>(blockOf(difference, z)) <= flips) return;
  if (sub != 0) {
    const others = othersOf(difference, pairTable);
    for (let z: u32 = 0; z < sub; z++) if (((others >> (36 - 12 * <u64>z)) & 0xfff) == 0) return;
  }
  const at = out + written * 12;
  store<u32>(at, a < b ? a : b);
  store<u32>(at, a < b ? b : a, 4);
  store<u32>(at, distance, 8);
  written++;
}

/** Tests whether no two of the four filters at an address are close; one after the bucket may be among them. */
// @ts-ignore: decorator
@inline
function areApart(at: u32, few: bool, limit: v128): bool {
  const v = v128.load(at);
  const once = v128.xor(v, i8x16.shuffle(v, v, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3));
  const twice = v128.xor(v, i8x16.shuffle(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
  return few
    ? i32x4.all_true(i32x4.min_u(withoutThree(once), withoutThree(twice)))
    : i32x4.all_true(i32x4.gt_s(i32x4.min_u(countsOf(once), countsOf(twice)), limit));
}

/** Compares the places from `i` to `stop` with each other. */
// @ts-ignore: decorator
@inline
function checkFour(p: u32, i: u32, stop: u32, sub: u32): void {
  for (let a = i; a < stop; a++) for (let b = a + 1; b < stop; b++) checkPair(p, a, b, sub);
}

/** Compares those of four places from `i` on with four from `j` on whose bits are set: 4 times the first plus the second. */
// @ts-ignore: decorator
@inline
function checkMarked(bits: u32, p: u32, i: u32, end: u32, j: u32, otherEnd: u32, sub: u32): void {
  for (; bits != 0; bits &= bits - 1) {
    const lane = ctz<u32>(bits);
    const a = i + (lane >> 2);
    const b = j + (lane & 3);
    if (a < end && b < otherEnd) checkPair(p, a, b, sub);
  }
}

/** The bits of four comparisons of four. */
// @ts-ignore: decorator
@inline
function bitmaskOf(y0: v128, y1: v128, y2: v128, y3: v128): u32 {
  return (
    <u32>i32x4.bitmask(y0) |
    (<u32>i32x4.bitmask(y1) << 4) |
    (<u32>i32x4.bitmask(y2) << 8) |
    (<u32>i32x4.bitmask(y3) << 12)
  );
}

/**
 * Pairs the places from `pairI` to `end` with those after them (`within`) or with all from `otherFrom` on, up to
 * `otherEnd`; four places with four at a time, going on at place `pairJ` of the others, unless that is 0. Returns whether
 * there may be no room for what the next 16 give.
 */
export function comparePlaces(end: u32, within: bool, otherFrom: u32, otherEnd: u32, f: u32, p: u32, sub: u32): bool {
  const few = most <= 3;
  for (let i = pairI; i < end; i += 4) {
    let j = otherFrom;
    if (pairJ != 0) {
      j = pairJ;
      pairJ = 0;
    } else if (within) {
      j = i + 4;
      if (!areApart(f + (i << 2), few, i32x4.splat(most))) {
        if (written + 16 > outCapacity) {
          pairI = i;
          return true;
        }
        checkFour(p, i, min(i + 4, end), sub);
      }
    }
    const full = few ? compareFew(i, end, j, otherEnd, f, p, sub) : compareMany(i, end, j, otherEnd, f, p, sub);
    if (full != 0) {
      pairI = i;
      pairJ = full;
      return true;
    }
  }
  pairI = 0xffffffff;
  return false;
}

/** Pairs four places with those from `j` on, for 3 or less. Returns where to go on if there may be no room, or 0. */
// @ts-ignore: decorator
@inline
function compareFew(i: u32, end: u32, j: u32, otherEnd: u32, f: u32, p: u32, sub: u32): u32 {
  const at = f + (i << 2);
  const x0 = i32x4.splat(load<u32>(at));
  const x1 = i32x4.splat(load<u32>(at, 4));
  const x2 = i32x4.splat(load<u32>(at, 8));
  const x3 = i32x4.splat(load<u32>(at, 12));
  const zero = i32x4.splat(0);
  for (; j < otherEnd; j += 4) {
    const w = v128.load(f + (j << 2));
    const y0 = withoutThree(v128.xor(w, x0));
    const y1 = withoutThree(v128.xor(w, x1));
    const y2 = withoutThree(v128.xor(w, x2));
    const y3 = withoutThree(v128.xor(w, x3));
    if (i32x4.all_true(i32x4.min_u(i32x4.min_u(y0, y1), i32x4.min_u(y2, y3)))) continue;
    if (written + 16 > outCapacity) return j;
    const bits = bitmaskOf(i32x4.eq(y0, zero), i32x4.eq(y1, zero), i32x4.eq(y2, zero), i32x4.eq(y3, zero));
    checkMarked(bits, p, i, end, j, otherEnd, sub);
  }
  return 0;
}

/** {@link compareFew} for more than 3. */
// @ts-ignore: decorator
@inline
function compareMany(i: u32, end: u32, j: u32, otherEnd: u32, f: u32, p: u32, sub: u32): u32 {
  const at = f + (i << 2);
  const x0 = i32x4.splat(load<u32>(at));
  const x1 = i32x4.splat(load<u32>(at, 4));
  const x2 = i32x4.splat(load<u32>(at, 8));
  const x3 = i32x4.splat(load<u32>(at, 12));
  const limit = i32x4.splat(most);
  for (; j < otherEnd; j += 4) {
    const w = v128.load(f + (j << 2));
    const y0 = i32x4.le_s(countsOf(v128.xor(w, x0)), limit);
    const y1 = i32x4.le_s(countsOf(v128.xor(w, x1)), limit);
    const y2 = i32x4.le_s(countsOf(v128.xor(w, x2)), limit);
    const y3 = i32x4.le_s(countsOf(v128.xor(w, x3)), limit);
    if (!v128.any_true(v128.or(v128.or(y0, y1), v128.or(y2, y3)))) continue;
    if (written + 16 > outCapacity) return j;
    checkMarked(bitmaskOf(y0, y1, y2, y3), p, i, end, j, otherEnd, sub);
  }
  return 0;
}

/** Sorts a bucket by sub-block `sub` into the room for the second level. */
function partitionBucket(from: u32, end: u32, sub: u32): void {
  memory.fill(subStarts, 0, 4098 << 2);
  const shift: u64 = 36 - 12 * <u64>sub;
  for (let i = from; i < end; i++) {
    const fingerprint = load<u64>(fingerprintsAt + (load<u32>(positions + (i << 2)) << 3));
    const at = subStarts + (<u32>((othersOf(fingerprint, pairTable) >> shift) & 0xfff) << 2);
    store<u32>(at, load<u32>(at, 8) + 1, 8);
  }
  let sum: u32 = 0;
  for (let b: u32 = 0; b < 4096; b++) {
    const at = subStarts + (b << 2);
    sum += load<u32>(at, 8);
    store<u32>(at, sum, 8);
  }
  for (let i = from; i < end; i++) {
    const position = load<u32>(positions + (i << 2));
    const fingerprint = load<u64>(fingerprintsAt + (position << 3));
    const at = subStarts + (<u32>((othersOf(fingerprint, pairTable) >> shift) & 0xfff) << 2);
    const place = load<u32>(at, 4);
    store<u32>(at, place + 1, 4);
    store<u32>(subFilters + (place << 2), load<u32>(filters + (i << 2)));
    store<u32>(subPositions + (place << 2), position);
  }
}

/**
 * Goes on pairing; returns how many pairs were written. All is done when there are none, and nothing is left to the host.
 * `done` says whether the host has paired what was left to it; otherwise it is compared here.
 */
export function resumePairs(done: bool): u32 {
  written = 0;
  isKept = splitCount != 0 && !done;
  isDone = splitCount != 0 && done;
  splitCount = 0;
  for (; pairBucket < 65536; pairBucket++) {
    const at = starts + (pairBucket << 2);
    const from = load<u32>(at);
    const end = load<u32>(at, 4);
    if (from == end) continue;
    const isFull = flips == 0 && end - from > large ? compareLargeBucket(from, end) : compareBuckets(from, end);
    if (isFull) return written;
  }
  return written;
}

/** For k above 3, two buckets that take more comparisons are left to the host: fewer take less time here than to split. */
const MAX_COMPARISONS: u64 = 1 << 28;

/** True if what was left to the host before is to be compared here; and true if it has been paired. */
let isKept: bool = false;
let isDone: bool = false;

/** Pairs a bucket with itself and with those that differ in a bit; returns whether the host has to do something first. */
// @ts-ignore: decorator
@inline
function compareBuckets(from: u32, end: u32): bool {
  const probes: u32 = flips == 0 ? 1 : 17;
  for (; pairProbe < probes; pairProbe++) {
    const other = pairProbe == 0 ? pairBucket : pairBucket ^ (1 << (pairProbe - 1));
    if (other < pairBucket) continue;
    if (isDone) {
      isDone = false;
      continue;
    }
    const otherFrom = load<u32>(starts + (other << 2));
    const otherEnd = load<u32>(starts + (other << 2), 4);
    if (pairI == 0xffffffff) {
      if (<u64>(end - from) * (otherEnd - otherFrom) > MAX_COMPARISONS && !isKept) {
        const itsCount = pairProbe == 0 ? 0 : otherEnd - otherFrom;
        leave(positions + (from << 2), end - from, positions + (otherFrom << 2), itsCount, 0);
        return true;
      }
      pairI = from;
    }
    isKept = false;
    if (comparePlaces(end, pairProbe == 0, otherFrom, otherEnd, filters, positions, 0)) return true;
  }
  pairProbe = 0;
  return false;
}

/** Pairs a large bucket by the 12-bit second level of the 16 tables; returns whether the host has to do something first. */
function compareLargeBucket(from: u32, end: u32): bool {
  for (; pairSub < 4; pairSub++) {
    if (!subReady) partitionBucket(from, end, pairSub);
    subReady = true;
    for (; subBucket < 4096; subBucket++) {
      if (isDone) {
        isDone = false;
        continue;
      }
      const a = load<u32>(subStarts + (subBucket << 2));
      const b = load<u32>(subStarts + (subBucket << 2), 4);
      if (pairI == 0xffffffff) {
        if (b - a > huge && !isKept) {
          leave(subPositions + (a << 2), b - a, 0, 0, pairSub);
          return true;
        }
        pairI = a;
      }
      isKept = false;
      if (comparePlaces(b, true, 0, b, subFilters, subPositions, pairSub)) return true;
    }
    subBucket = 0;
    subReady = false;
  }
  pairSub = 0;
  return false;
}
