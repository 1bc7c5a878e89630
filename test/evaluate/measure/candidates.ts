import type { CountedTokens, Reading, Vocabulary } from './readings.ts';
import { readStopList } from './stop-list.ts';

/** A way to make fingerprints: a reading of the tokens and the weight of each. None of them is an option of the library. */
export interface Candidate {
  readonly name: string;
  readonly reading: Reading;
  /** The weight of a token that occurs `count` times, and in this share of the documents. */
  readonly weigh: (count: number, documentShare: number) => number;
  /** Leaves out the tokens of the stop list. */
  readonly isStopped?: boolean;
}

const asIs = (count: number): number => count;
const capped = (most: number) => (count: number) => Math.min(count, most);

/** Every candidate; the first is the scheme without variants. */
export const CANDIDATES: readonly Candidate[] = [
  { name: 'bare', reading: 'bare', weigh: asIs },
  ...[2, 4, 8, 16, 32].map((most): Candidate => ({ name: `cap${most}`, reading: 'bare', weigh: capped(most) })),
  { name: 'once', reading: 'bare', weigh: () => 1 },
  { name: 'log', reading: 'bare', weigh: (count) => 1 + Math.log2(count) },
  { name: 'sqrt', reading: 'bare', weigh: Math.sqrt },
  { name: 'idf', reading: 'bare', weigh: (count, share) => count * Math.log(1 / share) },
  { name: 'sw1', reading: 'bare', weigh: asIs, isStopped: true },
  { name: 'bg1', reading: 'bg1', weigh: asIs },
  { name: 'bg1+once', reading: 'bg1', weigh: () => 1 },
  { name: 'bg1+cap2', reading: 'bg1', weigh: capped(2) },
  { name: 'bg1+cap4', reading: 'bg1', weigh: capped(4) },
  { name: 'bg1+cap8', reading: 'bg1', weigh: capped(8) },
  { name: 'bg1+cap16', reading: 'bg1', weigh: capped(16) },
  { name: 'folded', reading: 'folded', weigh: asIs },
  { name: 'folded+cap8', reading: 'folded', weigh: capped(8) },
  { name: 'folded+once', reading: 'folded', weigh: () => 1 },
  { name: 'shingle2', reading: 'shingle2', weigh: asIs },
  { name: 'shingle3', reading: 'shingle3', weigh: asIs },
  { name: 'shingle4', reading: 'shingle4', weigh: asIs },
];

/** The candidates of these names, in their own order. */
export function candidatesOf(names: readonly string[]): Candidate[] {
  return CANDIDATES.filter(({ name }) => names.includes(name));
}

/** Fingerprints in two 32-bit halves; documents without tokens have none. */
export interface Fingerprints {
  readonly highs: Int32Array;
  readonly lows: Int32Array;
  /** 1 for documents that have a fingerprint. */
  readonly exists: Uint8Array;
}

/**
 * The fingerprints of documents as a candidate makes them (step 8).
 * @param documents - counted in the reading of the candidate
 * @param vocabulary - that of the counts
 * @param shareOf - the share of the documents of the collection in which a token occurs; only IDF asks for it
 */
export function makeFingerprints(
  { weigh, isStopped }: Candidate,
  documents: readonly CountedTokens[],
  vocabulary: Vocabulary,
  shareOf: (id: number) => number = () => 1,
): Fingerprints {
  const stopped = isStopped ? readStopList(vocabulary) : undefined;
  const [highs, lows] = [new Int32Array(documents.length), new Int32Array(documents.length)];
  const exists = new Uint8Array(documents.length);
  const sums = new Float64Array(64);
  documents.forEach(({ ids, counts }, document) => {
    sums.fill(0);
    for (let at = 0; at < ids.length; at++) {
      const id = ids[at]!;
      if (stopped?.has(id)) continue;
      addWeight(sums, vocabulary.highs[id]!, vocabulary.lows[id]!, weigh(counts[at]!, shareOf(id)));
      exists[document] = 1;
    }
    highs[document] = bitsOf(sums, 0);
    lows[document] = bitsOf(sums, 32);
  });
  return { highs, lows, exists };
}

function addWeight(sums: Float64Array, high: number, low: number, weight: number): void {
  for (let bit = 0; bit < 32; bit++) {
    sums[bit]! += (high >>> (31 - bit)) & 1 ? weight : -weight;
    sums[32 + bit]! += (low >>> (31 - bit)) & 1 ? weight : -weight;
  }
}

function bitsOf(sums: Float64Array, from: number): number {
  let bits = 0;
  for (let bit = 0; bit < 32; bit++) bits = (bits << 1) | (sums[from + bit]! > 0 ? 1 : 0);
  return bits;
}

/** In what share of the documents each token occurs. */
export function documentShares(documents: readonly CountedTokens[], vocabulary: Vocabulary): (id: number) => number {
  const frequencies = new Int32Array(vocabulary.size);
  for (const { ids } of documents) for (const id of ids) frequencies[id]!++;
  return (id) => frequencies[id]! / documents.length;
}

/** The Hamming distance of documents i and j. */
export function distanceBetween({ highs, lows }: Fingerprints, i: number, j: number): number {
  return popcount(highs[i]! ^ highs[j]!) + popcount(lows[i]! ^ lows[j]!);
}

function popcount(bits: number): number {
  bits -= (bits >>> 1) & 0x55555555;
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** How many pairs of documents lie at each distance, 0 to 64. */
export function distanceHistogram(fingerprints: Fingerprints): Float64Array {
  const histogram = new Float64Array(65);
  const { exists } = fingerprints;
  for (let j = 0; j < exists.length; j++) {
    if (!exists[j]) continue;
    for (let i = 0; i < j; i++) if (exists[i]) histogram[distanceBetween(fingerprints, i, j)]!++;
  }
  return histogram;
}

/** The sums of a histogram up to each k, as results have them. */
export function within(histogram: ArrayLike<number>, thresholds: readonly number[]): number[] {
  let [sum, next] = [0, 0];
  return thresholds.map((k) => {
    for (; next <= k; next++) sum += histogram[next] ?? 0;
    return sum;
  });
}
