import { TABLES, tableKeys } from '../../../src/index.ts';
import { type BitStatistics, type ThresholdCurve, thresholdsOf } from '../results.ts';
import { type Candidate, distanceBetween, distanceHistogram, type Fingerprints, within } from './candidates.ts';
import type { Corpus } from './corpus.ts';
import { FALSE_OVERLAP, type RelatedPair, TRUE_OVERLAP } from './overlaps.ts';

/** Reported pairs of which at most this share is false are good enough for a place in the registry. */
const MAX_FALSE = 0.01;

/** The numbers of pairs of each kind at each distance. */
export interface PairHistograms {
  readonly true: Float64Array;
  readonly between: Float64Array;
  readonly confirmed: Float64Array;
  readonly false: Float64Array;
}

/** Tells the distances of true, false and other pairs apart. */
export function histogramsOf(corpus: Corpus, fingerprints: Fingerprints): PairHistograms {
  const empty = () => new Float64Array(fingerprints.bits + 1);
  const histograms = { true: empty(), between: empty(), confirmed: empty(), false: distanceHistogram(fingerprints) };
  for (const { i, j, overlap } of corpus.related()) {
    if (!fingerprints.exists[i] || !fingerprints.exists[j]) continue;
    const distance = distanceBetween(fingerprints, i, j);
    histograms.false[distance]!--;
    histograms[overlap >= TRUE_OVERLAP ? 'true' : 'between'][distance]!++;
    if (overlap >= FALSE_OVERLAP) histograms.confirmed[distance]!++;
  }
  return histograms;
}

/** Precision and recall at every threshold. */
export function measureThresholds(
  collection: string,
  { name, bits }: Pick<Candidate, 'name' | 'bits'>,
  histograms: PairHistograms,
  truePairs: number,
): ThresholdCurve {
  const thresholds = thresholdsOf(bits);
  const curve = {
    true: within(histograms.true, thresholds),
    between: within(histograms.between, thresholds),
    false: within(histograms.false, thresholds),
    confirmed: within(histograms.confirmed, thresholds),
  };
  let best: ThresholdCurve['best'] = null;
  for (const k of thresholds) {
    const reported = curve.true[k]! + curve.between[k]! + curve.false[k]!;
    if (reported > 0 && curve.false[k]! <= MAX_FALSE * reported) best = { k, recall: curve.true[k]! / truePairs };
  }
  return { collection, candidate: name, ...curve, best };
}

/** Measures bias and correlation of the bits of 64-bit fingerprints, and the false pairs that share a key. */
export function measureBits(
  collection: string,
  candidate: Candidate,
  fingerprints: Fingerprints,
  unrelated: Float64Array,
  related: readonly RelatedPair[],
): BitStatistics {
  const bits = columnsOf(fingerprints);
  const documents = bits[0]!.length;
  const shares = bits.map((column) => column.reduce((sum, bit) => sum + bit, 0) / documents);
  return {
    collection,
    candidate: candidate.name,
    documents,
    meanBias: mean(shares.map((share) => Math.abs(share - 0.5))),
    meanCorrelation: meanCorrelation(bits, shares),
    // n even independent bits, stretched to 64, have a variance of 64² / 4n.
    effectiveBits: 1024 / varianceOf(unrelated),
    sharedKeys: countSharedKeys(fingerprints, related) / unrelated.reduce((sum, pairs) => sum + pairs, 0),
  };
}

/** Counts the false pairs with the same key in at least one of the 16 tables. */
function countSharedKeys({ lanes: [highs, lows], exists }: Fingerprints, related: readonly RelatedPair[]): number {
  const documents = [...exists.keys()].filter((document) => exists[document]);
  const keys = documents.map((at) => tableKeys((BigInt(highs![at]! >>> 0) << 32n) | BigInt(lows![at]! >>> 0)));
  const isRelated = new Set(related.map(({ i, j }) => j * exists.length + i));
  const shared = new Set<number>();
  for (let table = 0; table < TABLES; table++) {
    const sameKey = new Map<number, number[]>();
    for (const [at, document] of documents.entries()) {
      const before = sameKey.get(keys[at]![table]!) ?? [];
      for (const other of before) {
        const pair = document * exists.length + other;
        if (!isRelated.has(pair)) shared.add(pair);
      }
      before.push(document);
      sameKey.set(keys[at]![table]!, before);
    }
  }
  return shared.size;
}

function columnsOf({ lanes, exists }: Fingerprints): Uint8Array[] {
  const documents = [...exists.keys()].filter((document) => exists[document]);
  return Array.from({ length: 64 }, (_, bit) =>
    Uint8Array.from(documents, (document) => (lanes[bit >> 5]![document]! >>> (31 - (bit & 31))) & 1),
  );
}

function meanCorrelation(bits: readonly Uint8Array[], shares: readonly number[]): number {
  const correlations: number[] = [];
  for (let a = 0; a < 64; a++)
    for (let b = 0; b < a; b++) {
      const spread = Math.sqrt(shares[a]! * (1 - shares[a]!) * shares[b]! * (1 - shares[b]!));
      if (spread === 0) continue;
      let both = 0;
      for (let document = 0; document < bits[a]!.length; document++) both += bits[a]![document]! & bits[b]![document]!;
      correlations.push(Math.abs(both / bits[a]!.length - shares[a]! * shares[b]!) / spread);
    }
  return mean(correlations);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function varianceOf(histogram: Float64Array): number {
  let [count, sum, squares] = [0, 0, 0];
  histogram.forEach((pairs, distance) => {
    count += pairs;
    sum += pairs * distance;
    squares += pairs * distance ** 2;
  });
  return squares / count - (sum / count) ** 2;
}
