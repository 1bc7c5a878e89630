// The state that the steps share: the room for results, the tables of the segment, and the parts of a fingerprint.

/** The beginning of the memory that the kernel does not use for itself. */
export const heapBase: u32 = <u32>__heap_base;

/** Results of queries and pairs are written here, `outCapacity` of them at most before they return to be emptied. */
export let out: u32 = 0;
export let outCapacity: u32 = 0;

export function setOut(address: u32, capacity: u32): void {
  out = address;
  outCapacity = capacity;
}

@inline
export function blockOf(fingerprint: u64, table: u32): u32 {
  return <u32>(fingerprint >> (48 - 16 * table)) & 0xffff;
}

/**
 * Returns the number of bits by which a fingerprint is rotated to have its filter in its lower half: two of the
 * blocks other than the block of the table. The blocks of earlier tables come first, so that nothing more is read of most
 * entries that an earlier table reports: B2‖B3 for table 0, B3‖B0 for table 1, B0‖B1 for the others.
 */
@inline
export function rotationOf(table: u32): u64 {
  return table == 0 ? 0 : table == 1 ? 16 : 32;
}

// The tables of the segment: for table t, starts, filters and positions.
export let fingerprintsAt: u32 = 0;
export let directoryBits: u32 = 16;
export const startsAt = memory.data(16);
export const filtersAt = memory.data(16);
export const positionsAt = memory.data(16);

/** The size in a record of the directory that stands for this many entries or more; both buckets are then one. */
export const UNITED: u32 = 0xffff;

export function setSegment(fingerprints: u32, bits: u32): void {
  fingerprintsAt = fingerprints;
  directoryBits = bits;
}

export function setTable(table: u32, starts: u32, filters: u32, positions: u32): void {
  store<u32>(<u32>startsAt + (table << 2), starts);
  store<u32>(<u32>filtersAt + (table << 2), filters);
  store<u32>(<u32>positionsAt + (table << 2), positions);
}

/** Adds up the counts, which are two places further on; returns the largest count. */
export function sumCounts(counts: u32, buckets: u32): u32 {
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
