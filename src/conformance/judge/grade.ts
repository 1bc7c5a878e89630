import { distance, parse } from '../../index.ts';

/** The distances of fingerprints from the reference's (spec/conformance.md, "Graded interoperability"). */
export interface Grade {
  readonly documents: number;
  /** The number of documents that have no fingerprint, in either implementation. */
  readonly bothNone: number;
  /** The number of documents of which only the reference has a fingerprint. */
  readonly missing: number;
  /** The number of documents of which only the implementation has a fingerprint. */
  readonly extra: number;
  /** The number of documents by distance, for the distances that occur. */
  readonly distances: Readonly<Record<number, number>>;
  readonly mean: number | null;
  readonly largest: number | null;
  /** The shares of documents with distance 0, at most 1, 3 and 6. */
  readonly shares: Readonly<Record<0 | 1 | 3 | 6, number>> | null;
}

export type FingerprintPair = readonly [expected: string | null, actual: string | null];

export function gradeOf(pairs: readonly FingerprintPair[]): Grade {
  const distances: Record<number, number> = {};
  const all: number[] = [];
  for (const [expected, actual] of pairs) {
    if (expected === null || actual === null) continue;
    const d = distance(parse(expected), parse(actual));
    distances[d] = (distances[d] ?? 0) + 1;
    all.push(d);
  }
  const count = (isCounted: (pair: FingerprintPair) => boolean): number => pairs.filter(isCounted).length;
  const share = (most: number): number => all.filter((d) => d <= most).length / all.length;
  return {
    documents: pairs.length,
    bothNone: count(([expected, actual]) => expected === null && actual === null),
    missing: count(([expected, actual]) => expected !== null && actual === null),
    extra: count(([expected, actual]) => expected === null && actual !== null),
    distances,
    mean: all.length === 0 ? null : all.reduce((sum, d) => sum + d, 0) / all.length,
    largest: all.length === 0 ? null : Math.max(...all),
    shares: all.length === 0 ? null : { 0: share(0), 1: share(1), 3: share(3), 6: share(6) },
  };
}

export function fingerprintIn(result: unknown): string | null | undefined {
  const value = (result as { fingerprint?: unknown } | undefined)?.fingerprint;
  if (value === null) return null;
  if (typeof value !== 'string') return undefined;
  try {
    parse(value);
    return value;
  } catch {
    return undefined;
  }
}
