import type { Mutant } from '../suite/load.ts';

/** A known mistake whose failures are like those of an implementation. */
export interface Resemblance {
  readonly mutant: string;
  readonly title: string;
  readonly step: number;
  /** How many failures of the implementation have the outcome that is recorded for the mutant. */
  readonly same: number;
  /** How many vectors the implementation answers wrongly. */
  readonly failed: number;
  /** How many of the vectors that were run the mutant fails and the implementation does not. */
  readonly missing: number;
  /** How many vectors the mutant fails, or may fail, without a recorded outcome. */
  readonly unrecorded: number;
}

/** Tells whether a mistake explains every failure, and would fail no other vector. */
export function isCertain({ same, failed, missing, unrecorded }: Resemblance): boolean {
  return same === failed && missing === 0 && unrecorded === 0;
}

/** The failures that a mistake cannot explain, even if each of its unrecorded outcomes were the same. */
function countUnexplained({ same, failed, unrecorded }: Resemblance): number {
  return Math.max(0, failed - same - unrecorded);
}

/** Resemblances to report. */
const MAX_RESEMBLANCES = 3;

/**
 * Finds the known mistakes that have the same failures.
 * @param failures - the names of the outcomes by the ids of failed vectors
 * @param ran - the ids of the vectors that were answered
 * @param mutants - from vectors/mutants.json
 * @returns the best first: those that are certain, or else those that may explain all failures, or else those that may
 * explain a third of them; at most three
 */
export function findResemblances(
  failures: ReadonlyMap<string, string>,
  ran: ReadonlySet<string>,
  mutants: readonly Mutant[],
): Resemblance[] {
  if (failures.size === 0) return [];
  const found = mutants
    .map((mutant) => compare(failures, ran, mutant))
    .filter(({ same, failed, unrecorded }) => same > 0 && 3 * same >= failed - Math.min(unrecorded, failed - same))
    .sort((x, y) => y.same - y.missing - (x.same - x.missing) || countUnexplained(x) - countUnexplained(y));
  const certain = found.filter(isCertain);
  if (certain.length > 0) return certain.slice(0, MAX_RESEMBLANCES);
  const complete = found.filter((each) => countUnexplained(each) === 0 && each.missing === 0);
  const best = complete.filter(({ same }) => same === complete[0]!.same);
  return (best.length > 0 ? best : found).slice(0, MAX_RESEMBLANCES);
}

function compare(
  failures: ReadonlyMap<string, string>,
  ran: ReadonlySet<string>,
  { name, title, step, outcomes, more = 0 }: Mutant,
): Resemblance {
  const recorded = Object.entries(outcomes).filter(([id]) => ran.has(id));
  return {
    ...{ mutant: name, title, step },
    same: recorded.filter(([id, outcome]) => failures.get(id) === outcome).length,
    failed: failures.size,
    missing: recorded.filter(([id]) => !failures.has(id)).length,
    unrecorded: more,
  };
}
