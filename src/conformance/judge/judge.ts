import { distance, parse } from '../../index.ts';
import type { Operation } from '../types.ts';
import { difference } from './difference.ts';

/**
 * Judges a result of an implementation under test by the whole result of the reference (spec/conformance.md,
 * "Operations"). Of a fingerprint's intermediates those are compared that the implementation gives; the answer of a
 * lookup may be complete to more than it was asked for.
 * @param operation - what was asked for
 * @param expected - the result of the reference, or of a vector
 * @param actual - what the implementation gave
 * @returns the place of the first difference (`''` for the whole), or `null` when there is none
 */
export function judgeResult(operation: Operation, expected: unknown, actual: unknown): string | null {
  if (typeof actual !== 'object' || actual === null || typeof expected !== 'object' || expected === null)
    return difference(expected, actual);
  if (operation === 'fingerprint') {
    const given = Object.entries(expected).filter(([key]) => key === 'fingerprint' || Object.hasOwn(actual, key));
    return difference(Object.fromEntries(given), actual);
  }
  if (operation === 'lookup') {
    const { completeTo: least, ...rest } = expected as { readonly completeTo: number };
    const { completeTo } = actual as { readonly completeTo?: unknown };
    const complete = typeof completeTo === 'number' && Number.isInteger(completeTo) && completeTo >= least;
    return complete ? difference(rest, actual) : 'completeTo';
  }
  if (operation === 'extract') return judgeExtraction(expected, actual);
  return difference(expected, actual);
}

type Graded = { readonly fingerprint?: unknown; readonly within?: unknown };

/** Two extractors need not agree to the last space: the distance of the fingerprints counts (EXT-3). */
function judgeExtraction({ fingerprint, within = 0 }: Graded, actual: Graded): string | null {
  if (typeof within !== 'number') return 'within';
  const [right, own] = [numberOf(fingerprint), numberOf(actual.fingerprint)];
  if (right === null || own === null) return fingerprint === null && actual.fingerprint === null ? null : 'fingerprint';
  return distance(right, own) <= within ? null : 'fingerprint';
}

/** The number that 13 characters stand for; null for what is no fingerprint. */
function numberOf(characters: unknown): bigint | null {
  if (typeof characters !== 'string' || !/^[A-Za-z2-7]{13}$/.test(characters)) return null;
  try {
    return parse(characters);
  } catch {
    // The spare bit of the last character is set: a wrong answer like any other.
    return null;
  }
}
