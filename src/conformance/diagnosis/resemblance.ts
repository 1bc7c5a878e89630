import { abbreviate } from '../judge/outcome-name.ts';
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
  /** How many failures of the implementation the mutant may share: its outcome is not known. */
  readonly unrecorded: number;
}

/** Tells whether a mistake explains every failure, most of them by the same outcome, and would fail no other vector. */
export function isCertain(found: Resemblance): boolean {
  return countUnexplained(found) === 0 && found.missing === 0 && found.same > found.unrecorded;
}

/** The failures that a mistake cannot explain. */
function countUnexplained({ same, failed, unrecorded }: Resemblance): number {
  return failed - same - unrecorded;
}

/** Resemblances to report. */
const MAX_RESEMBLANCES = 3;

/**
 * Finds the known mistakes that have the same failures.
 * @param failures - the names of the outcomes by the ids of failed vectors
 * @param ran - the ids of the vectors that were answered
 * @param mutants - from vectors/mutants.json
 * @returns the best first, at most three: those that may explain all failures; or else those that may explain a third of
 * them, without one that explains no failure but those of a better one
 */
export function findResemblances(
  failures: ReadonlyMap<string, string>,
  ran: ReadonlySet<string>,
  mutants: readonly Mutant[],
): Resemblance[] {
  if (failures.size === 0) return [];
  const found = mutants
    .map((mutant) => compare(failures, ran, mutant))
    .filter(({ same, failed, unrecorded }) => same > 0 && 3 * same >= failed - unrecorded)
    .sort((x, y) => y.same - y.missing - (x.same - x.missing) || countUnexplained(x) - countUnexplained(y));
  const complete = found.filter((each) => countUnexplained(each) === 0 && each.missing === 0);
  const best = complete.filter(({ same }) => same === complete[0]!.same);
  const shown = best.length > 0 ? best : dropDominated(found);
  return shown.slice(0, MAX_RESEMBLANCES).map(({ explained: _, ...resemblance }) => resemblance);
}

/** Drops mistakes that explain no failure but those of a better one. Equally good ones stay. */
function dropDominated(found: readonly Comparison[]): Comparison[] {
  const kept: Comparison[] = [];
  for (const each of found) {
    const isEqual = kept.some(({ same, missing }) => same === each.same && missing === each.missing);
    const isNew = each.explained.some((id) => !kept.some(({ explained }) => explained.includes(id)));
    if (isEqual || isNew) kept.push(each);
  }
  return kept;
}

/** A resemblance, and the failures that have the outcome that is recorded for the mutant. */
interface Comparison extends Resemblance {
  readonly explained: readonly string[];
}

function compare(
  failures: ReadonlyMap<string, string>,
  ran: ReadonlySet<string>,
  { name, title, step, outcomes, unknown }: Mutant,
): Comparison {
  const recorded = Object.entries(outcomes).filter(([id]) => ran.has(id));
  const explained = recorded.flatMap(([id, outcome]) => (abbreviate(failures.get(id) ?? '') === outcome ? [id] : []));
  return {
    ...{ mutant: name, title, step, explained },
    same: explained.length,
    failed: failures.size,
    missing: recorded.filter(([id]) => !failures.has(id)).length,
    unrecorded: unknown.filter((id) => failures.has(id)).length,
  };
}
