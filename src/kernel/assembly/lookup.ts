// The lookup kernel, in AssemblyScript. See ../README.md for the layout of its memory. Nothing is allocated here: the host
// sizes the memory and says where things are. All addresses and counts are unsigned 32-bit numbers.

/** Where the memory begins that the kernel does not use for itself. */
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

/** The half of a fingerprint that does not hold the block of the table: the filter. */
// @ts-ignore: decorator
@inline
function filterOf(fingerprint: u64, table: u32): u32 {
  return table < 2 ? <u32>fingerprint : <u32>(fingerprint >> 32);
}

// ------------------------------------------------------------------------------------------------------- building

/**
 * Sorts `count` fingerprints at `fingerprints` by the upper `bits` of block `table`: `starts` gets 2^bits + 1 numbers (and
 * needs room for one more), `filters` and `positions` one for each fingerprint. Within a bucket the positions ascend.
 * Returns the size of the largest bucket.
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
  let sum: u32 = 0;
  let largest: u32 = 0;
  for (let b: u32 = 0; b < buckets; b++) {
    const at = starts + (b << 2);
    const bucket = load<u32>(at, 8);
    largest = max(largest, bucket);
    sum += bucket;
    store<u32>(at, sum, 8);
  }
  for (let from: u32 = 0; from < count; from += PART)
    placePart(fingerprints, from, min(from + PART, count), table, bits, starts, filters, positions);
  return largest;
}

// Engines begin with code that is compiled fast and runs slowly, and change to better code at the next call of a function.
// So no function here works for long: the long loops call others, which are exported so that they are not inlined.
const PART: u32 = 1 << 14;

/** Counts two places further on, so that after the sums, starts[b + 1] is where bucket b begins and can be moved on. */
export function countPart(fingerprints: u32, from: u32, end: u32, table: u32, bits: u32, starts: u32): void {
  const shift: u64 = <u64>(64 - 16 * table - bits);
  const mask: u64 = (1 << bits) - 1;
  for (let i = from; i < end; i++) {
    const b = <u32>((load<u64>(fingerprints + (i << 3)) >> shift) & mask);
    const at = starts + (b << 2);
    store<u32>(at, load<u32>(at, 8) + 1, 8);
  }
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
  for (let i = from; i < end; i++) {
    const fingerprint = load<u64>(fingerprints + (i << 3));
    const b = <u32>((fingerprint >> shift) & mask);
    const at = starts + (b << 2);
    const place = load<u32>(at, 4);
    store<u32>(at, place + 1, 4);
    store<u32>(filters + (place << 2), filterOf(fingerprint, table));
    store<u32>(positions + (place << 2), i);
  }
}

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

// What a query that filled the output goes on with.
let query: u64 = 0;
let most: u32 = 0;
let flips: u32 = 0;
let table: u32 = 0;
let probe: u32 = 0;
let next: u32 = 0;
let written: u32 = 0;

/** Checks one candidate; returns whether the output is full. */
// @ts-ignore: decorator
@inline
function check(t: u32, place: u32): bool {
  const position = load<u32>(load<u32>(<u32>positionsAt + (t << 2)) + (place << 2));
  const difference = load<u64>(fingerprintsAt + (position << 3)) ^ query;
  const distance = <u32>popcnt<u64>(difference);
  if (distance > most) return false;
  // Reported by the first table that can hold it, and by no other.
  for (let z: u32 = 0; z < t; z++) if (<u32>popcnt<u32>(blockOf(difference, z)) <= flips) return false;
  if (<u32>popcnt<u32>(blockOf(difference, t)) > flips) return false;
  const at = out + (written << 3);
  store<u32>(at, position);
  store<u32>(at, distance, 4);
  written++;
  return written == outCapacity;
}

// @ts-ignore: decorator
@inline
function threeOrLess(y: v128): v128 {
  const one = i32x4.splat(1);
  y = v128.and(y, i32x4.sub(y, one));
  y = v128.and(y, i32x4.sub(y, one));
  y = v128.and(y, i32x4.sub(y, one));
  return i32x4.eq(y, i32x4.splat(0));
}

// @ts-ignore: decorator
@inline
function atMost(y: v128, limit: v128): v128 {
  const counts = i32x4.extadd_pairwise_i16x8_s(i16x8.extadd_pairwise_i8x16_u(i8x16.popcnt(y)));
  return i32x4.le_s(counts, limit);
}

/** Goes through one bucket from `from`; returns the place to go on at when the output is full, else 0xffffffff. */
function scanBucket(t: u32, from: u32, end: u32): u32 {
  const filters = load<u32>(<u32>filtersAt + (t << 2));
  const x = i32x4.splat(filterOf(query, t));
  let i = from;
  if (most == 3) {
    for (; i + 16 <= end; i += 16) {
      const at = filters + (i << 2);
      const m0 = threeOrLess(v128.xor(v128.load(at), x));
      const m1 = threeOrLess(v128.xor(v128.load(at, 16), x));
      const m2 = threeOrLess(v128.xor(v128.load(at, 32), x));
      const m3 = threeOrLess(v128.xor(v128.load(at, 48), x));
      if (v128.any_true(v128.or(v128.or(m0, m1), v128.or(m2, m3)))) {
        let bits: u32 =
          <u32>i32x4.bitmask(m0) | (<u32>i32x4.bitmask(m1) << 4) | (<u32>i32x4.bitmask(m2) << 8) | (<u32>i32x4.bitmask(m3) << 12);
        while (bits != 0) {
          const lane = ctz<u32>(bits);
          bits &= bits - 1;
          if (check(t, i + lane)) return i + lane + 1;
        }
      }
    }
    for (; i < end; i += 4) {
      let bits: u32 = <u32>i32x4.bitmask(threeOrLess(v128.xor(v128.load(filters + (i << 2)), x)));
      while (bits != 0) {
        const lane = ctz<u32>(bits);
        bits &= bits - 1;
        if (i + lane < end && check(t, i + lane)) return i + lane + 1;
      }
    }
    return 0xffffffff;
  }
  const limit = i32x4.splat(most);
  for (; i < end; i += 4) {
    let bits: u32 = <u32>i32x4.bitmask(atMost(v128.xor(v128.load(filters + (i << 2)), x), limit));
    while (bits != 0) {
      const lane = ctz<u32>(bits);
      bits &= bits - 1;
      if (i + lane < end && check(t, i + lane)) return i + lane + 1;
    }
  }
  return 0xffffffff;
}

/** Begins a query for distance `k` (0 to 7); the results are (position, distance). Returns how many were written. */
export function begin(fingerprint: u64, k: u32): u32 {
  query = fingerprint;
  most = k;
  flips = k >> 2;
  table = 0;
  probe = 0;
  next = 0xffffffff;
  written = 0;
  if (flips == 0) {
    // The four buckets are far apart in memory: reading a line of each at once lets their delays overlap.
    const shift: u32 = 16 - directoryBits;
    const s0 = load<u32>(load<u32>(<u32>startsAt) + ((blockOf(fingerprint, 0) >> shift) << 2));
    const s1 = load<u32>(load<u32>(<u32>startsAt, 4) + ((blockOf(fingerprint, 1) >> shift) << 2));
    const s2 = load<u32>(load<u32>(<u32>startsAt, 8) + ((blockOf(fingerprint, 2) >> shift) << 2));
    const s3 = load<u32>(load<u32>(<u32>startsAt, 12) + ((blockOf(fingerprint, 3) >> shift) << 2));
    touched =
      load<u32>(load<u32>(<u32>filtersAt) + (s0 << 2)) ^
      load<u32>(load<u32>(<u32>filtersAt, 4) + (s1 << 2)) ^
      load<u32>(load<u32>(<u32>filtersAt, 8) + (s2 << 2)) ^
      load<u32>(load<u32>(<u32>filtersAt, 12) + (s3 << 2));
  }
  return proceed();
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
    const starts = load<u32>(<u32>startsAt + (table << 2));
    const own = blockOf(query, table) >> shift;
    for (; probe < probes; probe++) {
      const bucket = probe == 0 ? own : own ^ (1 << (probe - 1));
      const at = starts + (bucket << 2);
      const end = load<u32>(at, 4);
      const from = next != 0xffffffff ? next : load<u32>(at);
      next = 0xffffffff;
      if (from >= end) continue;
      const stopped = scanBucket(table, from, end);
      if (stopped != 0xffffffff) {
        next = stopped;
        return written;
      }
    }
  }
  return written;
}

/**
 * Compares a fingerprint with `count` ones at `fingerprints`, from `from` on; results as of `begin`. Returns how many were
 * written; `scanned` tells how far it came.
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
/** Where each fingerprint stood before copies were dropped, or 0 where none were. */
let origins: u32 = 0;
// Room for the second level: counts, and a bucket sorted by one sub-block.
let subStarts: u32 = 0;
let subFilters: u32 = 0;
let subPositions: u32 = 0;
let subReady: bool = false;
let large: u32 = 0;

export function setPairs(startsOf: u32, filtersOf: u32, positionsOf: u32, threshold: u32): void {
  starts = startsOf;
  filters = filtersOf;
  positions = positionsOf;
  large = threshold;
  origins = 0;
}

/**
 * Finds equal fingerprints: they share every bucket. For each but the first of them (by position) the number at `firsts`
 * becomes the position of the first, plus 1; the others are left alone. `slots` is room for a hash table of at least twice
 * as many numbers as the largest bucket has, rounded up to a power of two. Returns how many such copies there are.
 */
export function group(firsts: u32, slots: u32): u32 {
  let copies: u32 = 0;
  for (let b: u32 = 0; b < 65536; b++) {
    const from = load<u32>(starts + (b << 2));
    const end = load<u32>(starts + (b << 2), 4);
    if (end - from > 1) copies += groupBucket(from, end, firsts, slots);
  }
  return copies;
}

export function groupBucket(from: u32, end: u32, firsts: u32, slots: u32): u32 {
  let copies: u32 = 0;
  const bits: u32 = 33 - clz<u32>(end - from - 1);
  const mask: u32 = (1 << bits) - 1;
  const zero = i32x4.splat(0);
  for (let at = slots, to = slots + (4 << bits); at < to; at += 16) v128.store(at, zero);
  // Reading the fingerprints themselves is slow, for they are all over the memory. The half that a filter has does, but
  // where many fingerprints share it, the slots behind each other would be gone through again and again.
  const whole = end - from > large;
  for (let i = from; i < end; i++) {
    const filter = load<u32>(filters + (i << 2));
    const position = load<u32>(positions + (i << 2));
    let key = filter;
    if (whole) key = <u32>((load<u64>(fingerprintsAt + (position << 3)) * 0x9e3779b97f4a7c15) >> 32);
    let slot = (key * 0x9e3779b1) >> (32 - bits);
    for (;;) {
      const at = slots + (slot << 2);
      const seen = load<u32>(at);
      if (seen == 0) {
        store<u32>(at, i + 1);
        break;
      }
      if (load<u32>(filters + ((seen - 1) << 2)) == filter) {
        const first = load<u32>(positions + ((seen - 1) << 2));
        if (load<u64>(fingerprintsAt + (first << 3)) == load<u64>(fingerprintsAt + (position << 3))) {
          store<u32>(firsts + (position << 2), first + 1);
          copies++;
          break;
        }
      }
      slot = (slot + 1) & mask;
    }
  }
  return copies;
}

/**
 * Moves the fingerprints that are no copies together; from then on pairs are given by the places where they stood. Returns
 * how many are left. `partition` has to follow.
 */
export function dropCopies(firsts: u32): u32 {
  let kept: u32 = 0;
  for (let i: u32 = 0; i < size; i++) {
    if (load<u32>(firsts + (i << 2)) != 0) continue;
    store<u64>(fingerprintsAt + (kept << 3), load<u64>(fingerprintsAt + (i << 3)));
    store<u32>(firsts + (kept << 2), i);
    kept++;
  }
  size = kept;
  origins = firsts;
  return kept;
}

/**
 * Begins to pair the fingerprints that the table brings together, by the arrays of `setPairs`. `second` is room for the
 * second level, which is used when `k` is 3 or less and `largest`, the size of the largest bucket, is above the threshold:
 * 4100 numbers and, behind them, 2 · (largest + 4).
 */
export function beginPairs(t: u32, k: u32, second: u32, largest: u32): u32 {
  pairTable = t;
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
  return resumePairs();
}

/** The 48 bits beside the block of a table, as TAB-2 has them. */
// @ts-ignore: decorator
@inline
function othersOf(fingerprint: u64, t: u32): u64 {
  const below: u64 = <u64>(48 - 16 * t);
  return (t == 0 ? 0 : (fingerprint >> (below + 16)) << below) | (fingerprint & ((<u64>1 << below) - 1));
}

// @ts-ignore: decorator
@inline
function checkPair(a: u32, b: u32, sub: u32): bool {
  const difference = load<u64>(fingerprintsAt + (a << 3)) ^ load<u64>(fingerprintsAt + (b << 3));
  const distance = <u32>popcnt<u64>(difference);
  if (distance > most) return false;
  for (let z: u32 = 0; z < pairTable; z++) if (<u32>popcnt<u32>(blockOf(difference, z)) <= flips) return false;
  if (sub != 0) {
    const others = othersOf(difference, pairTable);
    for (let z: u32 = 0; z < sub; z++) if (((others >> (36 - 12 * <u64>z)) & 0xfff) == 0) return false;
  }
  const i = a < b ? a : b;
  const j = a < b ? b : a;
  const at = out + written * 12;
  store<u32>(at, origins == 0 ? i : load<u32>(origins + (i << 2)));
  store<u32>(at, origins == 0 ? j : load<u32>(origins + (j << 2)), 4);
  store<u32>(at, distance, 8);
  written++;
  return written == outCapacity;
}

/**
 * Pairs the places from `pairI` to `end` with those behind them (`within`) or with all from `otherFrom` on, up to
 * `otherEnd`, and the first of them from `pairJ` on, unless that is 0. Returns whether the output is full.
 */
export function pairRange(end: u32, within: bool, otherFrom: u32, otherEnd: u32, f: u32, p: u32, sub: u32): bool {
  const three = most == 3;
  const limit = i32x4.splat(most);
  for (let i = pairI; i < end; i++) {
    const x = i32x4.splat(load<u32>(f + (i << 2)));
    let j = pairJ != 0 ? pairJ : within ? i + 1 : otherFrom;
    pairJ = 0;
    for (; j < otherEnd; j += 4) {
      const y = v128.xor(v128.load(f + (j << 2)), x);
      let bits: u32 = <u32>i32x4.bitmask(three ? threeOrLess(y) : atMost(y, limit));
      while (bits != 0) {
        const lane = ctz<u32>(bits);
        bits &= bits - 1;
        if (j + lane < otherEnd && checkPair(load<u32>(p + (i << 2)), load<u32>(p + ((j + lane) << 2)), sub)) {
          pairI = i;
          pairJ = j + lane + 1;
          return true;
        }
      }
    }
  }
  pairI = 0xffffffff;
  return false;
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

/** Goes on pairing; returns how many pairs were written, fewer than the output holds when all is done. */
export function resumePairs(): u32 {
  written = 0;
  const probes: u32 = flips == 0 ? 1 : 17;
  for (; pairBucket < 65536; pairBucket++) {
    const at = starts + (pairBucket << 2);
    const from = load<u32>(at);
    const end = load<u32>(at, 4);
    if (from == end) continue;
    if (flips == 0 && end - from > large) {
      if (pairLarge(from, end)) return written;
      continue;
    }
    for (; pairProbe < probes; pairProbe++) {
      const other = pairProbe == 0 ? pairBucket : pairBucket ^ (1 << (pairProbe - 1));
      if (other < pairBucket) continue;
      const otherFrom = load<u32>(starts + (other << 2));
      const otherEnd = load<u32>(starts + (other << 2), 4);
      if (pairI == 0xffffffff) pairI = from;
      if (pairRange(end, pairProbe == 0, otherFrom, otherEnd, filters, positions, 0)) return written;
    }
    pairProbe = 0;
  }
  return written;
}

/** Pairs a large bucket by the 12-bit second level of the 16 tables; returns whether the output is full. */
function pairLarge(from: u32, end: u32): bool {
  for (; pairSub < 4; pairSub++) {
    if (!subReady) partitionBucket(from, end, pairSub);
    subReady = true;
    for (; subBucket < 4096; subBucket++) {
      const a = load<u32>(subStarts + (subBucket << 2));
      const b = load<u32>(subStarts + (subBucket << 2), 4);
      if (pairI == 0xffffffff) pairI = a;
      if (pairRange(b, true, 0, b, subFilters, subPositions, pairSub)) return true;
    }
    subBucket = 0;
    subReady = false;
  }
  pairSub = 0;
  return false;
}
