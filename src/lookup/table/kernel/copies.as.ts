// Copies: equal fingerprints in the buckets of a table, only one of which is paired with others.
import { fingerprintsAt } from './common.as';
import { filters, large, positions, starts } from './pairs.as';

/** The address where `group` noted which fingerprints are copies, or 0 if there are none. */
export let copiesAt: u32 = 0;

/**
 * Finds equal fingerprints, by the arrays that `partition` made: they share every bucket. For each but the first of
 * them (by position) the number at `firsts` becomes the position of the first, plus 1; the others are left alone.
 * `slots` is room for a hash table of at least twice as many numbers as the largest bucket has, rounded up to a power
 * of two; `key` is odd and random. Returns the number of copies.
 */
export function group(firsts: u32, slots: u32, key: u64): u32 {
  hashKey = key;
  let copies: u32 = 0;
  let from: u32 = 0;
  for (let b: u32 = 0; b < 65536; b++) {
    const end = load<u32>(starts + (b << 2), 4);
    const isSmall = end - from <= COMPARED;
    if (end - from >= 2 && !(isSmall && !hasEqualFilters(from, end))) copies += groupBucket(from, end, firsts, slots);
    from = end;
  }
  return copies;
}

/** Random and odd, so that an attacker cannot choose fingerprints that collide. */
let hashKey: u64 = 1;

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

/** Moves the fingerprints that are not copies to the places from `kept` on; returns the place after the last. */
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

/** The size of buckets up to which comparing all filters with each other takes less time than a hash table. */
const COMPARED: u32 = 64;

/** Tests whether two filters of a bucket are equal, or one is equal to one of the few after the bucket. */
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

export function groupBucket(from: u32, end: u32, firsts: u32, slots: u32): u32 {
  // Reading the fingerprints themselves is slow, since they are scattered over the memory. The half in the filter is
  // enough, unless many fingerprints share it: then they would all follow the same sequence of slots.
  const whole = end - from > large;
  let copies: u32 = 0;
  const bits = clearSlots(slots, end - from);
  for (let i = from; i < end; i++) copies += noteCopy(i, firsts, slots, bits, whole);
  return copies;
}

/** Empties the slots for a number of entries, 2 or more: at least half of them stay free. Returns the logarithm of their number. */
@inline
function clearSlots(slots: u32, entries: u32): u32 {
  const bits = 33 - clz<u32>(entries - 1);
  // Not memory.fill: engines call a function for it, and most buckets are small.
  for (let at = slots, to = slots + (4 << bits); at < to; at += 16) v128.store(at, i32x4.splat(0));
  return bits;
}

/** Notes the entry at place `i` if it is a copy; returns how many copies that is. */
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
