// Variant cap8, in step 8: what a document says over and over counts no more than what it says eight times.

/** How often a hash counts at most (CAP-1). */
export const MAX_OCCURRENCES = 8;

/**
 * Variant cap8: leaves out the hashes that occurred eight times before (CAP-1).
 * @param hashes - hashes of 64 bits, one for every occurrence of a token
 * @returns of equal hashes the first eight, of others all, in their order
 * @see spec/variants.md#cap8
 */
export function capHashes(hashes: Iterable<bigint>): bigint[] {
  const times = new Map<bigint, number>();
  const kept: bigint[] = [];
  for (const hash of hashes) {
    const time = (times.get(hash) ?? 0) + 1;
    if (time > MAX_OCCURRENCES) continue;
    times.set(hash, time);
    kept.push(hash);
  }
  return kept;
}
