import { TABLES } from '../../../../src/index.ts';
import { type BitStatistics, type ThresholdCurve, thresholdsOf } from '../results.ts';
import { type Candidate, distanceBetween, distanceHistogram, type Fingerprints, within } from './candidates.ts';
import type { Corpus } from './corpus.ts';
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
export function histogramsOf(corpus: Corpus, fingerprints: Fingerprints): PairHistograms {
  const empty = () => new Float64Array(fingerprints.bits + 1);
  const histograms = { true: empty(), between: empty(), false: distanceHistogram(fingerprints) };
  for (const { i, j, overlap } of corpus.related()) {
    if (!fingerprints.exists[i] || !fingerprints.exists[j]) continue;
    const distance = distanceBetween(fingerprints, i, j);
    histograms.false[distance]!--;
    histograms[overlap >= TRUE_OVERLAP ? 'true' : 'between'][distance]!++;
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

/** Counts the false pairs with the same key in at least one of the 16 tables of one of the words. */
function countSharedKeys({ lanes, exists }: Fingerprints, related: readonly RelatedPair[]): number {
  const documents = [...exists.keys()].filter((document) => exists[document]);
  const isRelated = new Set(related.map(({ i, j }) => j * exists.length + i));
  const shared = new Set<number>();
  for (let word = 0; word < lanes.length; word += 2)
    for (let table = 0; table < TABLES; table++) {
      const sameKey = new Map<number, number[]>();
      for (const document of documents) {
        const key = keyOf(lanes[word]![document]!, lanes[word + 1]![document]!, table);
        const before = sameKey.get(key) ?? [];
        for (const other of before) {
          const pair = document * exists.length + other;
          if (!isRelated.has(pair)) shared.add(pair);
        }
        before.push(document);
        sameKey.set(key, before);
      }
    }
  return shared.size;
}

/** `tableKey` for two halves: the block of a table and 12 of the other 48 bits. */
export function keyOf(high: number, low: number, table: number): number {
  const blocks = [high >>> 16, high & 0xffff, low >>> 16, low & 0xffff];
  const [chosen] = blocks.splice(table >> 2, 1);
  const [a, b, c] = blocks as [number, number, number];
  const subBlocks = [a >>> 4, ((a & 0xf) << 8) | (b >>> 8), ((b & 0xff) << 4) | (c >>> 12), c & 0xfff];
  return chosen! * 2 ** 12 + subBlocks[table & 3]!;
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
