import { ones } from '../../scheme/compare.ts';

/**
 * Returns the smallest k with which a lookup in one table probes another key (LKP-5): with e1 flips in the 16 high bits and e2 in
 * the 12 low ones, e1 ≤ ⌊k/4⌋ and e2 ≤ ⌊(k − e1)/4⌋.
 */
export function probedFrom(key: number, other: number): number {
  const flips = key ^ other;
  const e1 = ones(flips >>> 12);
  const e2 = ones(flips & 0xfff);
  return Math.max(4 * e1, e2 === 0 ? 0 : 4 * e2 + e1);
}
