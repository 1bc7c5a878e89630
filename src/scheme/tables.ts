import { assertFingerprint, assertInteger } from '../errors.ts';

/** The number of tables (TAB-2). */
export const TABLES = 16;
/** The number of bits in a key: a block of 16 and a sub-block of 12 (TAB-3). */
export const KEY_BITS = 28;
const BLOCK_BITS = 16;
const SUB_BLOCK_BITS = 12;

/** Returns the block of table t, and the other three as one number of 48 bits (TAB-1, TAB-2). */
function split(fingerprint: bigint, block: number): { chosen: bigint; others: bigint } {
  const below = BigInt(48 - 16 * block);
  const chosen = (fingerprint >> below) & 0xffffn;
  const others = ((fingerprint >> (below + 16n)) << below) | (fingerprint & ((1n << below) - 1n));
  return { chosen, others };
}

/**
 * Permutes a fingerprint for a table: block Bi, sub-block Sj, the three other sub-blocks in order (step 11; TAB-4).
 * Its 28 highest bits are the key. Sorted as unsigned numbers, these are the table (TAB-5).
 * @param fingerprint - 0 to 2^64 - 1
 * @param table - 0 to 15: 4·i + j
 * @returns 0 to 2^64 - 1
 * @throws TypeError `wrong-type`, RangeError `out-of-range` or `no-fingerprint`
 * @see spec/lookup.md#TAB-4
 * @example
 * unpermute(permute(5n, 3), 3); // 5n
 */
export function permute(fingerprint: bigint, table: number): bigint {
  assertFingerprint('fingerprint', fingerprint);
  assertInteger('table', table, 0, TABLES - 1);
  const { chosen, others } = split(fingerprint, table >> 2);
  const below = BigInt(36 - 12 * (table & 3));
  const sub = (others >> below) & 0xfffn;
  const rest = ((others >> (below + 12n)) << below) | (others & ((1n << below) - 1n));
  return (chosen << 48n) | (sub << 36n) | rest;
}

/**
 * Returns the fingerprint that {@link permute} has permuted for a table: the inverse.
 * @param permuted - 0 to 2^64 - 1
 * @param table - 0 to 15
 * @returns 0 to 2^64 - 1
 * @throws TypeError `wrong-type`, RangeError `out-of-range`
 * @see spec/lookup.md#TAB-4
 * @example
 * unpermute(permute(5n, 3), 3); // 5n
 */
export function unpermute(permuted: bigint, table: number): bigint {
  assertFingerprint('permuted', permuted);
  assertInteger('table', table, 0, TABLES - 1);
  const chosen = permuted >> 48n;
  const sub = (permuted >> 36n) & 0xfffn;
  const rest = permuted & 0xfffffffffn;
  const belowSub = BigInt(36 - 12 * (table & 3));
  const others = ((rest >> belowSub) << (belowSub + 12n)) | (sub << belowSub) | (rest & ((1n << belowSub) - 1n));
  const belowBlock = BigInt(48 - 16 * (table >> 2));
  return ((others >> belowBlock) << (belowBlock + 16n)) | (chosen << belowBlock) | (others & ((1n << belowBlock) - 1n));
}

/**
 * Returns the key of a fingerprint in one table: Bi·2^12 + Sj (TAB-3).
 * @param fingerprint - 0 to 2^64 - 1
 * @param table - 0 to 15
 * @returns 0 to 2^28 - 1
 * @throws TypeError `wrong-type`, RangeError `out-of-range` or `no-fingerprint`
 * @see spec/lookup.md#TAB-3
 * @example
 * tableKey(0xffff000000000abcn, 3); // 0xffffabc
 */
export function tableKey(fingerprint: bigint, table: number): number {
  return Number(permute(fingerprint, table) >> BigInt(64 - KEY_BITS));
}

/**
 * Returns the 16 keys of a fingerprint, table 0 first. Two fingerprints at distance 3 or less share at least one (LKP-6).
 * @param fingerprint - 0 to 2^64 - 1
 * @returns 16 numbers of 28 bits
 * @throws TypeError `wrong-type`, RangeError `out-of-range` or `no-fingerprint`
 * @see spec/lookup.md#TAB-3
 * @example
 * tableKeys(5n).length; // 16
 */
export function tableKeys(fingerprint: bigint): number[] {
  return Array.from({ length: TABLES }, (_, table) => tableKey(fingerprint, table));
}

/** Yields every number of `width` bits with exactly `weight` ones, ascending. */
function* masks(width: number, weight: number): Generator<number> {
  if (weight === 0) {
    yield 0;
    return;
  }
  const limit = 1 << width;
  // The next number with as many ones: the lowest run of ones moves its highest one up by one, and the others to the
  // bottom.
  for (let mask = (1 << weight) - 1; mask < limit; ) {
    yield mask;
    const lowest = mask & -mask;
    const carried = mask + lowest;
    mask = (((mask ^ carried) >>> 2) / lowest) | carried;
  }
}

/**
 * Yields the keys to look up in one table for every match at distance k or less, each once: those with exactly e1 bits flipped
 * in the 16-bit part and e2 in the 12-bit part, for e1 from 0 to ⌊k/4⌋ and e2 from 0 to ⌊(k - e1)/4⌋ (LKP-5). All the
 * tables must be probed.
 * @param fingerprint - 0 to 2^64 - 1
 * @param table - 0 to 15
 * @param k - the distance, 0 to 64; the number of probes grows fast, see {@link probesPerTable}
 * @returns numbers of 28 bits, the fingerprint's own key first
 * @throws TypeError `wrong-type`, RangeError `out-of-range` or `no-fingerprint`
 * @see spec/lookup.md#LKP-5
 * @example
 * [...probeKeys(5n, 0, 4)].length; // 29
 */
export function* probeKeys(fingerprint: bigint, table: number, k: number): Generator<number> {
  const key = tableKey(fingerprint, table);
  for (const [e1, e2] of flips(k))
    for (const high of masks(BLOCK_BITS, e1))
      for (const low of masks(SUB_BLOCK_BITS, e2)) yield (key ^ ((high << SUB_BLOCK_BITS) | low)) >>> 0;
}

/**
 * Lists the numbers of flips in the two parts of a key, for distance k (LKP-5), without those beyond the bits of a
 * part.
 */
function flips(k: number): [e1: number, e2: number][] {
  assertInteger('k', k, 0, 64);
  const pairs: [number, number][] = [];
  for (let e1 = 0; e1 <= Math.min(BLOCK_BITS, Math.floor(k / 4)); e1++)
    for (let e2 = 0; e2 <= Math.min(SUB_BLOCK_BITS, Math.floor((k - e1) / 4)); e2++) pairs.push([e1, e2]);
  return pairs;
}

/**
 * Returns the number of keys that {@link probeKeys} yields in each table: 1 for k ≤ 3, 29 for 4, 221 for 5 to 7, 1847 for 8.
 * @param k - the distance, 0 to 64
 * @throws TypeError `wrong-type`, RangeError `out-of-range`
 * @see spec/lookup.md#LKP-5
 * @example
 * probesPerTable(8); // 1847
 */
export function probesPerTable(k: number): number {
  return flips(k).reduce((sum, [e1, e2]) => sum + binomial(BLOCK_BITS, e1) * binomial(SUB_BLOCK_BITS, e2), 0);
}

function binomial(n: number, r: number): number {
  let value = 1;
  for (let i = 1; i <= r; i++) value = (value * (n - r + i)) / i;
  return value;
}
