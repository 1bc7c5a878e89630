/** A wrong implementation that is known, and what the vectors come to under it. */
export interface Mutant {
  readonly name: string;
  /** What it does wrong, one sentence. */
  readonly title: string;
  /** The first step that it gets wrong. */
  readonly step: number;
  /** A library, or a kind of library, that does or did so. */
  readonly source?: string;
  /** Per vector that it fails, the name of the outcome (see `nameOfOutcome`). */
  readonly outcomes: Readonly<Record<string, string>>;
  /** How many vectors it fails, or may fail, besides: of these no outcome is recorded. */
  readonly more?: number;
}

/** A known mistake whose failures look like those of an implementation. */
export interface Resemblance {
  readonly mutant: string;
  readonly title: string;
  readonly step: number;
  /** How many of the implementation's failures have the very outcome that the mutant has. */
  readonly same: number;
  /** How many vectors the implementation fails, without those that the mutant may fail too in a way not recorded. */
  readonly failed: number;
  /** How many vectors the mutant fails and the implementation does not, of those that were run. */
  readonly missing: number;
}

/**
 * Finds the known mistakes whose failures are the same.
 * @param failures - per failed vector the name of its outcome
 * @param ran - the ids of the vectors that were answered
 * @param mutants - from vectors/mutants.json
 * @returns those that explain at least a third of the failures, the best first; at most three
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
