import { type BitStatistics, type CandidateOdds, THRESHOLDS, type ThresholdCurve } from '../results.ts';
import { type Candidate, distanceBetween, distanceHistogram, type Fingerprints, within } from './candidates.ts';
import type { Corpus } from './corpus.ts';
import { FALSE_OVERLAP, TRUE_OVERLAP } from './overlaps.ts';
import { shareWithin } from './tail.ts';

/** Reported pairs of which at most this share is false are good enough for a place in the registry. */
const MAX_FALSE = 0.01;

/** How many pairs of each kind lie at each distance. */
export interface PairHistograms {
  readonly true: Float64Array;
  readonly between: Float64Array;
  readonly confirmed: Float64Array;
  readonly false: Float64Array;
}

/** Tells the distances of true, false and other pairs apart. */
export function histogramsOf(corpus: Corpus, fingerprints: Fingerprints): PairHistograms {
  const empty = () => new Float64Array(65);
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
  candidate: Candidate,
  histograms: PairHistograms,
  truePairs: number,
): ThresholdCurve {
  const curve = {
    true: within(histograms.true, THRESHOLDS),
    between: within(histograms.between, THRESHOLDS),
    false: within(histograms.false, THRESHOLDS),
    confirmed: within(histograms.confirmed, THRESHOLDS),
  };
  let best: ThresholdCurve['best'] = null;
  for (const k of THRESHOLDS) {
    const reported = curve.true[k]! + curve.between[k]! + curve.false[k]!;
    if (reported > 0 && curve.false[k]! <= MAX_FALSE * reported) best = { k, recall: curve.true[k]! / truePairs };
  }
  return { collection, candidate: candidate.name, ...curve, best };
}

/** What a search with this candidate has to check. */
export function measureCandidates(
  collection: string,
  candidate: Candidate,
  histograms: PairHistograms,
  truePairs: number,
): CandidateOdds[] {
  return [1, 3, 6, 7, 8].map((k) => {
    const { share, isModelled } = shareWithin(histograms.false, k);
    const found = within(histograms.true, [k])[0]!;
    const falsePairs = within(histograms.false, [64])[0]!;
    return {
      collection,
      candidate: candidate.name,
      k,
      recall: found / truePairs,
      falseShare: share,
      isModelled,
      falsePerTrue: found === 0 ? null : (share * falsePairs) / found,
      perLookup: { million: share * 1e6, billion: share * 1e9 },
    };
  });
}

/** How evenly fingerprints use their bits, and what follows for the odds of unrelated documents. */
export function measureBits(
  collection: string,
  candidate: Candidate,
  fingerprints: Fingerprints,
  unrelated: Float64Array,
): BitStatistics {
  const bits = columnsOf(fingerprints);
  const documents = bits[0]!.length;
  const shares = bits.map((column) => column.reduce((sum, bit) => sum + bit, 0) / documents);
  const uniform = { collisions: 2 ** -64, within3: (1 + 64 + 2016 + 41664) * 2 ** -64 };
  const measured = { collisions: shareWithin(unrelated, 0).share, within3: shareWithin(unrelated, 3).share };
  const oddsOf = (odds: typeof uniform, all: number) => ({
    collisions: all * -Math.expm1(-all * odds.collisions),
    within3: all * odds.within3,
  });
  return {
    collection,
    candidate: candidate.name,
    documents,
    meanBias: mean(shares.map((share) => Math.abs(share - 0.5))),
    meanCorrelation: meanCorrelation(bits, shares),
    // n even independent bits, stretched to 64, have a variance of 64² / 4n.
    effectiveBits: 1024 / varianceOf(unrelated),
    odds: [1e6, 1e9, 8e9].map((all) => ({
      documents: all,
      uniform: oddsOf(uniform, all),
      measured: oddsOf(measured, all),
    })),
  };
}

function columnsOf({ highs, lows, exists }: Fingerprints): Uint8Array[] {
  const documents = [...exists.keys()].filter((document) => exists[document]);
  return Array.from({ length: 64 }, (_, bit) =>
    Uint8Array.from(documents, (document) => ((bit < 32 ? highs : lows)[document]! >>> (31 - (bit & 31))) & 1),
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
