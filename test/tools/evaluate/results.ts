import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the results: one file for each part, `spec/evaluation/PART.json`. */
const FOLDER = 'spec/evaluation';

/** Distances 0 to a quarter of the bits: arrays by threshold have one entry for each, the number of pairs *within* k bits. */
export function thresholdsOf(bits: number): readonly number[] {
  return Array.from({ length: bits / 4 + 1 }, (_, k) => k);
}

/** Everything the evaluation measures. */
export interface Results {
  collections: readonly CollectionSummary[];
  thresholds: readonly ThresholdCurve[];
  /** True, false and other pairs by 5-grams of words instead. */
  grams: readonly ThresholdCurve[];
  /** Fingerprints of a million documents. */
  lookups: readonly LookupCost[];
  /** The curves of each hash seed of one-bit MinHash; the candidates are `word 0` to `word 7`. */
  seeds: readonly ThresholdCurve[];
  strangers: readonly StrangerDistances[];
  edits: readonly EditedDistances[];
  media: readonly MediaDistances[];
  rivals: readonly RivalMeasurement[];
  removals: readonly Removal[];
  judged: readonly JudgedPairs[];
}

export type ResultPart = keyof Results;

/** A collection of documents, and its pairs by the exact overlap of tokens. */
export interface CollectionSummary {
  readonly name: string;
  readonly title: string;
  readonly kind: 'generated' | 'packages' | 'revisions' | 'folder';
  readonly documents: number;
  readonly pairs: number;
  /** Weighted Jaccard similarity 0.8 or more. */
  readonly truePairs: number;
  /** Neither true nor false. All other pairs are false: below 0.5 both as multisets and as sets. */
  readonly betweenPairs: number;
}

/** Pairs that a candidate reports within k bits; entry k of each array, k as in {@link thresholdsOf}. */
export interface ThresholdCurve {
  readonly collection: string;
  /** A label, or another name in measure/candidates.ts. */
  readonly candidate: string;
  /** The number of true pairs at any distance. */
  readonly truePairs: number;
  readonly true: readonly number[];
  readonly between: readonly number[];
  readonly false: readonly number[];
  /** The largest recall at which at most 1 % of the reported pairs are false, and its k; `null` if there is none. */
  readonly best: { readonly k: number; readonly recall: number } | null;
}

/** Entries of the tables that a lookup within 3 bits reads. */
export interface LookupCost {
  readonly source: string;
  /** `ordinary`, `skewed` or `templated`. */
  readonly set: string;
  readonly candidate: string;
  readonly documents: number;
  /**
   * Entries of other documents with the key of the query, in all tables: the mean, and the 99th percentile of the
   * lookups.
   */
  readonly mean: number;
  readonly most99: number;
  /** The maximum number of entries under one key of one table. */
  readonly largestKey: number;
}

/** Distances of pairs that are false: documents of one language, cut or joined to one length. */
export interface StrangerDistances {
  readonly source: string;
  readonly language: string;
  /** The approximate number of tokens of each document: a page 400, ten pages 4,000, a hundred 40,000. */
  readonly tokens: number;
  readonly candidate: string;
  readonly documents: number;
  /** The number of pairs at each distance, 0 to all bits, without the zeros at the end. */
  readonly histogram: readonly number[];
}

/** Documents and their edited copies. */
export interface EditedDistances {
  readonly language: string;
  readonly tokens: number;
  /** One of the EDITS in sources/edits.ts. */
  readonly edit: string;
  /** The share of words that is changed or added. */
  readonly share: number;
  readonly candidate: string;
  readonly documents: number;
  /** Copies within k bits; entry k. */
  readonly within: readonly number[];
  readonly meanDistance: number;
  /** Mean weighted Jaccard similarity of document and copy. */
  readonly meanOverlap: number;
}

/** One document in two media. */
export interface MediaDistances {
  readonly manual: string;
  readonly language: string;
  readonly media: readonly [string, string];
  /** Bits apart, by label. */
  readonly distances: Readonly<Record<string, number>>;
  /** Bits apart, by hash seed of one-bit MinHash. */
  readonly seeds: readonly number[];
}

/** Numbers of pairs that a method reports, by what they are. */
export interface PairCounts {
  readonly true: number;
  readonly between: number;
  readonly false: number;
}

/** The share of true pairs that another method, or a label, finds in a collection. */
export interface RivalMeasurement {
  readonly collection: string;
  readonly method: string;
  readonly documents: number;
  readonly truePairs: number;
  /** Name and version. */
  readonly package: string;
  /** Mean size of what is kept of a document. */
  readonly bytes: number;
  /** On one core, from texts in memory; from tokens in memory for MinHash. */
  readonly documentsPerSecond: number;
  /** The largest recall at which at most 1 % of the reported pairs are false, and the threshold of the method. */
  readonly best: { readonly at: number; readonly recall: number } | null;
}

/** Documents that a program removes from a collection as duplicates. */
export interface Removal {
  readonly collection: string;
  readonly method: string;
  readonly documents: number;
  readonly removed: number;
  /** Removed, and a true pair with a document that is kept. */
  readonly right: number;
  /** Removed, and a false pair with every document that is kept. */
  readonly wrong: number;
  /** Kept, and a true pair with an earlier one that is kept. */
  readonly missed: number;
  /** Removed, and the same document as a kept one in another version. */
  readonly versions: number;
}

/** Pairs of records that people judged, and what a method reports of them. */
export interface JudgedPairs {
  readonly records: string;
  readonly pairs: number;
  /** The pairs that people called the same. */
  readonly same: number;
  /** A label, or `overlap`. */
  readonly method: string;
  readonly found: number;
  readonly false: number;
}

/** Reads a part of the results. */
export function readPart<P extends ResultPart>(part: P): Results[P] {
  return JSON.parse(readFileSync(fileOf(part), 'utf8')) as Results[P];
}

/** Keeps a part of the results: one entry a line, numbers with four significant digits. */
export function keepPart<P extends ResultPart>(part: P, entries: Results[P]): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(fileOf(part), `[\n${entries.map((entry) => JSON.stringify(entry, shortNumber)).join(',\n')}\n]\n`);
}

function shortNumber(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
}

function fileOf(part: ResultPart): string {
  return join(FOLDER, `${part}.json`);
}
