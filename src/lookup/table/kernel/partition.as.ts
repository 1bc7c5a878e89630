// Building: sorts fingerprints into the buckets of a table.
import { UNITED, rotationOf, sumCounts } from './common.as';
import { copiesAt } from './copies.as';

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

// Engines begin with code that is compiled fast and runs slowly, and switch to better code at the next call of a
// function. So each function works only for a short time: the long loops call others, which are exported so that they
// are not inlined.
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

// For many fingerprints, 65,536 buckets are too many to write to at once: each entry would wait for memory twice. So
// they are sorted by the upper half of the block first, and each of the 256 parts by the lower half while the caches
// hold it. The room holds counts of the parts, counts within a part, the lower half for each entry, and the entries
// of the largest part.
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
 * Like `partition` with 16 bits, for many fingerprints, after `countParts`: `room` has 2,176 bytes, one for each
 * fingerprint up to a multiple of 64, and 8 for each of the largest part.
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
 * Makes the 2^bits + 1 numbers at `starts` shorter: for every two buckets 6 bytes, with the place where the first
 * begins (32 bits) and how many entries it has (16 bits); then the place where the last one ends. If the first bucket
 * of a pair has 65,535 entries or more, both are one. Each entry is checked, so entries of the other bucket are not
 * reported.
 */
export function shorten(starts: u32, bits: u32): void {
  const buckets: u32 = 1 << bits;
  const total = load<u32>(starts + (buckets << 2));
  // Never overwrites numbers that are yet to be read.
  for (let b: u32 = 0; b < buckets; b += 2) {
    const from = load<u32>(starts + (b << 2));
    const middle = load<u32>(starts + (b << 2), 4);
    const at = starts + b * 3;
    store<u32>(at, from);
    store<u16>(at, min<u32>(middle - from, UNITED), 4);
  }
  store<u32>(starts + buckets * 3, total);
}
