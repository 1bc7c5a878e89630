import { type ThresholdCurve, thresholdsOf } from '../results.ts';
import { distanceBetween, distanceHistogram, type Fingerprints, within } from './candidates.ts';
import { type RelatedPair, TRUE_OVERLAP } from './overlaps.ts';

/** The maximum share of false pairs among those reported for a place in the registry. */
const MAX_FALSE = 0.01;

/** The numbers of pairs of each kind at each distance. */
interface PairHistograms {
  readonly true: Float64Array;
  readonly between: Float64Array;
  readonly false: Float64Array;
}

/** Separates the distances of true, false and other pairs. */
export function histogramsOf(related: readonly RelatedPair[], fingerprints: Fingerprints): PairHistograms {
  const empty = () => new Float64Array(fingerprints.bits + 1);
  const histograms = { true: empty(), between: empty(), false: distanceHistogram(fingerprints) };
  for (const { i, j, overlap } of related) {
    if (!fingerprints.exists[i] || !fingerprints.exists[j]) continue;
    const distance = distanceBetween(fingerprints, i, j);
    histograms.false[distance]!--;
    histograms[overlap >= TRUE_OVERLAP ? 'true' : 'between'][distance]!++;
  }
  return histograms;
}

/** Precision and recall at every threshold, from fingerprints and the pairs that are not false. */
export function measureThresholds(
  collection: string,
  candidate: string,
  related: readonly RelatedPair[],
  fingerprints: Fingerprints,
): ThresholdCurve {
  const histograms = histogramsOf(related, fingerprints);
  const truePairs = related.filter(({ overlap }) => overlap >= TRUE_OVERLAP).length;
  const thresholds = thresholdsOf(fingerprints.bits);
  const curve = {
    true: within(histograms.true, thresholds),
    between: within(histograms.between, thresholds),
    false: within(histograms.false, thresholds),
  };
  let best: ThresholdCurve['best'] = null;
  for (const k of thresholds) {
    const reported = curve.true[k]! + curve.between[k]! + curve.false[k]!;
    if (reported > 0 && curve.false[k]! <= MAX_FALSE * reported) best = { k, recall: curve.true[k]! / truePairs };
  }
  return { collection, candidate, truePairs, ...curve, best };
}

/** `tableKey` for two halves: the block of a table and 12 of the other 48 bits. */
export function keyOf(high: number, low: number, table: number): number {
  const blocks = [high >>> 16, high & 0xffff, low >>> 16, low & 0xffff];
  const [chosen] = blocks.splice(table >> 2, 1);
  const [a, b, c] = blocks as [number, number, number];
  const subBlocks = [a >>> 4, ((a & 0xf) << 8) | (b >>> 8), ((b & 0xff) << 4) | (c >>> 12), c & 0xfff];
  return chosen! * 2 ** 12 + subBlocks[table & 3]!;
}
