import { HIGH_LANE, LOW_LANE } from '../../common/lanes.ts';
import { type CountedPart, type HashPart, sumCounts } from '../../fingerprint/token-counts.ts';
import type { Held } from './held-tokens.ts';

/** Computes the overlap of two documents (VER-1); -1 if it is less than `min`, which a part of the tokens decides for most pairs. */
export function overlapAtLeast(a: Held, b: Held, min: number): number {
  // The common part c has c / (total - c) >= min; so a larger rest cannot be missing.
  const needed = (min * (a.total + b.total)) / (1 + min) - 1e-6;
  let [spareA, spareB] = [a.total - needed, b.total - needed];
  const [left, right] = [a.data, b.data];
  const [endA, endB] = [2 * a.size, 2 * b.size];
  let [i, j, common] = [0, 0, 0];
  while (i < a.size && j < b.size) {
    const highs = left[2 * i + HIGH_LANE]! - right[2 * j + HIGH_LANE]!;
    const order = highs === 0 ? left[2 * i + LOW_LANE]! - right[2 * j + LOW_LANE]! : highs;
    if (order === 0) {
      const [x, y] = [left[endA + i++]!, right[endB + j++]!];
      common += Math.min(x, y);
      if (x > y) spareA -= x - y;
      else spareB -= y - x;
    } else if (order < 0) spareA -= left[endA + i++]!;
    else spareB -= right[endB + j++]!;
    if (spareA < 0 || spareB < 0) return -1;
  }
  const overlap = common / (a.total + b.total - common);
  return overlap >= min ? overlap : -1;
}

/** Computes the overlap of two documents that are read in parts, which may have too many tokens; null if one cannot be read. */
export async function overlapInParts(
  bits: number,
  read: (part: HashPart) => Promise<readonly [CountedPart, CountedPart] | null>,
): Promise<number | null> {
  let [common, all] = [0, 0];
  for (let part = 0; part < 2 ** bits; part++) {
    const counts = await read({ bits, part });
    if (counts === null) return null;
    const sums = sumCounts(...counts);
    common += sums.common;
    all += sums.all;
  }
  return common / all;
}
