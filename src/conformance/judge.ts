import { difference } from './equal.ts';
import type { Operation } from './types.ts';

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
  return difference(expected, actual);
}
