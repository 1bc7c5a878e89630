import type { Mutant } from '../suite/load.ts';

/** A known mistake whose failures are like those of an implementation. */
export interface Resemblance {
  readonly mutant: string;
  readonly title: string;
  readonly step: number;
  /** How many failures of the implementation have the same outcome under the mutant. */
  readonly same: number;
  /** How many vectors the implementation fails, without those that the mutant may fail with an unrecorded outcome. */
  readonly failed: number;
  /** How many of the vectors that were run the mutant fails and the implementation does not. */
  readonly missing: number;
}

/**
 * Finds the known mistakes that have the same failures.
 * @param failures - the names of the outcomes by the ids of failed vectors
 * @param ran - the ids of the vectors that were answered
 * @param mutants - from vectors/mutants.json
 * @returns at most three that explain at least a third of the failures, the best first
 */
export function findResemblances(
  failures: ReadonlyMap<string, string>,
  ran: ReadonlySet<string>,
  mutants: readonly Mutant[],
): Resemblance[] {
  if (failures.size === 0) return [];
  return mutants
    .map(({ name, title, step, outcomes, more = 0 }) => {
      const expected = Object.entries(outcomes).filter(([id]) => ran.has(id));
      const same = expected.filter(([id, outcome]) => failures.get(id) === outcome).length;
      const missing = expected.filter(([id]) => !failures.has(id)).length;
      const others = failures.size - expected.length + missing;
      return { mutant: name, title, step, same, failed: failures.size - Math.min(others, more), missing };
    })
    .filter(({ same, failed }) => same > 0 && same * 3 >= failed)
    .sort((x, y) => y.same - y.missing - (x.same - x.missing) || x.failed - x.same - (y.failed - y.same))
    .slice(0, 3);
}
