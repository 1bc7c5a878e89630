// All pairs within a distance.
import { blockOf, fingerprintsAt, out, outCapacity, sumCounts } from './common.as';
import { countsOf, flips, most, withoutThree, written } from './query.as';

// Pairs within the buckets of one table at a time, by the layout of `partition` with 16 bits. Results are (i, j, distance)
// with i < j.
export let pairTable: u32 = 0;
let pairBucket: u32 = 0;
let pairProbe: u32 = 0;
let pairI: u32 = 0;
let pairJ: u32 = 0;
let pairSub: u32 = 0;
let subBucket: u32 = 0;
export let starts: u32 = 0;
export let filters: u32 = 0;
export let positions: u32 = 0;
// Room for the second level: counts, and a bucket sorted by one sub-block.
let subStarts: u32 = 0;
let subFilters: u32 = 0;
let subPositions: u32 = 0;
let subReady: bool = false;
export let large: u32 = 0;
let huge: u32 = 0;

/**
 * `t` is the table whose arrays `partition` makes at these addresses. Larger buckets than `threshold` are paired by
 * the second level if k is 3 or less; its buckets larger than `limit` are left to the host.
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

function leave(at: u32, count: u32, other: u32, itsCount: u32, sub: u32): void {
  splitAt = at;
  splitCount = count;
  otherAt = other;
  otherCount = itsCount;
  splitSub = sub;
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

/** The 48 bits other than the block of a table, as TAB-2 has them. */
@inline
function othersOf(fingerprint: u64, t: u32): u64 {
  const below: u64 = <u64>(48 - 16 * t);
  return (t == 0 ? 0 : (fingerprint >> (below + 16)) << below) | (fingerprint & ((<u64>1 << below) - 1));
}

/** Compares the fingerprints at two places, and writes the pair if no table before finds it. */
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
@inline
function checkFour(p: u32, i: u32, stop: u32, sub: u32): void {
  for (let a = i; a < stop; a++) for (let b = a + 1; b < stop; b++) checkPair(p, a, b, sub);
}

/** Compares four places from `i` on with four from `j` on, where bits are set: 4 times the first plus the second. */
@inline
function checkMarked(bits: u32, p: u32, i: u32, end: u32, j: u32, otherEnd: u32, sub: u32): void {
  for (; bits != 0; bits &= bits - 1) {
    const lane = ctz<u32>(bits);
    const a = i + (lane >> 2);
    const b = j + (lane & 3);
    if (a < end && b < otherEnd) checkPair(p, a, b, sub);
  }
}

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
 * `otherEnd`; four places with four at a time, going on at place `pairJ` of the others, unless that is 0. Returns
 * whether there may be no room for the results of the next 16.
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
  sumCounts(subStarts, 4096);
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
 * Goes on pairing; returns how many pairs were written. All is done when there are none and nothing is left to the
 * host. `done` is true if the host has done the work left to it; otherwise it is done here.
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

/**
 * The number of comparisons of two buckets, for k above 3, above which they are left to the host. Fewer take less
 * time here than splitting.
 */
const MAX_COMPARISONS: u64 = 1 << 28;

/** True if the work left to the host is to be done here; and true if the host has done it. */
let isKept: bool = false;
let isDone: bool = false;

/** Pairs a bucket with itself and with those that differ in a bit; returns whether the host has work to do first. */
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

/** Pairs a large bucket by the 12-bit second level of the 16 tables; returns whether the host has work to do first. */
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
