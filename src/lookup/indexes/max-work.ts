import type { Fingerprint } from '../../scheme/labels/fingerprint.ts';
import type { TooMuchWorkError } from '../document-index.ts';
import { assertCount } from '../options.ts';
import type { FingerprintTable } from '../segment/table.ts';

/** The default of `maxWork`. */
export const MAX_WORK = 100_000_000;

/** Throws `too-much-work` if a query of a table compares more than `maxWork` fingerprints. */
export function assertWork(
  table: FingerprintTable<Fingerprint>,
  fingerprint: Fingerprint,
  k: number,
  maxWork: number,
): void {
  assertCount('maxWork', maxWork);
  // Each of the four tables of a word has every fingerprint once.
  if (4 * table.words * table.length <= maxWork) return;
  const work = table.work(fingerprint, k);
  if (work > maxWork) throw tooMuchWork(work, maxWork);
}

/** Returns the error of a query that compares more than `maxWork` fingerprints. */
export function tooMuchWork(work: number, maxWork: number): TooMuchWorkError {
  const error = new RangeError(
    `the query compares ${work} fingerprints, more than maxWork = ${maxWork}: ask for a smaller k, or raise maxWork`,
  );
  return Object.assign(error, { code: 'too-much-work' as const, work });
}
