import { addElement, type Bins, createBins } from '../../../../src/fingerprint/bins.ts';
import { type Fingerprint, fingerprint, LABELS, type Label } from '../../../../src/index.ts';
import { wordsOf } from '../../../../src/scheme/labels/fingerprint.ts';
import { STEP } from '../../../../src/scheme/minhash.ts';
import type { Document } from '../sources/files.ts';
import type { Corpus } from './corpus.ts';

/** A way to make fingerprints and to compare them. */
export interface Candidate {
  readonly name: string;
  /** The label whose fingerprints are compared. */
  readonly label: Label;
  /** The number of bits that a distance counts. With fewer than the fingerprint has, the nearest word counts (MIN-11). */
  readonly bits: 64 | 256;
}

/** The lookup of minhash-doc-256: the distance of the word that is nearest. */
export const ANY_WORD = 'minhash-doc-256, any word';

/** Every candidate: the registered labels by their own names, and the lookup. */
export const CANDIDATES: readonly Candidate[] = [
  ...LABELS.map((label): Candidate => ({ name: label, label, bits: label === 'minhash-doc-256' ? 256 : 64 })),
  { name: ANY_WORD, label: 'minhash-doc-256', bits: 64 },
];

/** The candidates of these names, in their own order. */
export function candidatesOf(names: readonly string[]): Candidate[] {
  return CANDIDATES.filter(({ name }) => names.includes(name));
}

/** Fingerprints of documents; documents without tokens have none. */
export interface Fingerprints {
  readonly bits: 64 | 256;
  /** Their parts of 32 bits, the most significant first: one array for all documents each. */
  readonly lanes: readonly Int32Array[];
  /** 1 for documents that have a fingerprint. */
  readonly exists: Uint8Array;
}

function createFingerprints(bits: 64 | 256, words: number, documents: number): Fingerprints {
  const lanes = Array.from({ length: 2 * words }, () => new Int32Array(documents));
  return { bits, lanes, exists: new Uint8Array(documents) };
}

/** Makes the fingerprints of documents with the library. */
export function makeFingerprints(
  { label, bits }: Pick<Candidate, 'label' | 'bits'>,
  documents: Iterable<Document> & { readonly length: number },
): Fingerprints {
  const made = createFingerprints(bits, label === 'minhash-doc-256' ? 4 : 1, documents.length);
  let next = 0;
  for (const { text } of documents) {
    const document = next++;
    const value: Fingerprint | null = fingerprint(text, { label: label as string });
    if (value === null) continue;
    made.exists[document] = 1;
    for (const [word, bitsOfWord] of wordsOf('fingerprint', value).entries()) {
      made.lanes[2 * word]![document] = Number(bitsOfWord >> 32n);
      made.lanes[2 * word + 1]![document] = Number(bitsOfWord & 0xffffffffn);
    }
  }
  return made;
}

/** The number of words of 64 bits with draws of their own. */
const SEEDS = 8;

/**
 * Makes one-bit MinHash with {@link SEEDS} hash seeds: the words 0 to 3 of minhash-doc-256, and the words 4 to 7 that would follow.
 * S(x + 512 · STEP, n) is S(x, n + 512), so that the latter are the words 0 to 3 of other elements.
 * @returns the fingerprints of each word
 */
export function makeSeeded({ counted, vocabulary }: Corpus): Fingerprints[] {
  const made = Array.from({ length: SEEDS }, () => createFingerprints(64, 1, counted.length));
  const shift = BigInt.asUintN(64, 512n * STEP);
  for (const [document, { ids }] of counted.entries()) {
    const bins = [createBins(4), createBins(4)] as const;
    for (const id of ids) {
      const [high, low] = [vocabulary.highs[id]!, vocabulary.lows[id]!];
      addElement(bins[0], low, high);
      const shifted = BigInt.asUintN(64, ((BigInt(high) << 32n) | BigInt(low)) + shift);
      addElement(bins[1], Number(shifted & 0xffffffffn), Number(shifted >> 32n));
    }
    for (const [word, { lanes, exists }] of made.entries()) {
      exists[document] = ids.length > 0 ? 1 : 0;
      for (const lane of [0, 1]) lanes[lane]![document] = laneOf(bins[word >> 2]!, 2 * (word & 3) + lane);
    }
  }
  return made;
}

/** MIN-5, 32 bits at a time. */
function laneOf({ lows }: Bins, lane: number): number {
  return lows.subarray(32 * lane, 32 * (lane + 1)).reduce((bits, low) => (bits << 1) | (low & 1), 0);
}

/** The distance of documents i and j: that of all bits, or of the word that is nearest. */
export function distanceBetween({ bits, lanes }: Fingerprints, i: number, j: number): number {
  const width = bits / 32;
  let nearest = bits as number;
  for (let first = 0; first < lanes.length; first += width) {
    let distance = 0;
    for (let at = first; at < first + width; at++) distance += popcount(lanes[at]![i]! ^ lanes[at]![j]!);
    if (distance < nearest) nearest = distance;
  }
  return nearest;
}

function popcount(bits: number): number {
  bits -= (bits >>> 1) & 0x55555555;
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Counts the pairs of documents at each distance, 0 to all bits. */
export function distanceHistogram(fingerprints: Fingerprints): Float64Array {
  const histogram = new Float64Array(fingerprints.bits + 1);
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
