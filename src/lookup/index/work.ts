import type { TooMuchWorkError } from '../types.ts';

/** The default of `maxWork`. */
export const MAX_WORK = 100_000_000;

/** The error of a query that compares more than `maxWork` fingerprints. */
export function tooMuchWork(work: number, maxWork: number): TooMuchWorkError {
  const error = new RangeError(
    `the query compares ${work} fingerprints, more than maxWork = ${maxWork}: ask for a smaller k, or raise maxWork`,
  );
  return Object.assign(error, { code: 'too-much-work' as const, work });
}
