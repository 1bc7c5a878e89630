import { abbreviate } from '../judge/outcome-name.ts';
import type { Mutant } from '../suite/load-suite.ts';

/** A known mistake, or two together, that fails like an implementation. */
export interface Resemblance {
  readonly mutant: string;
  readonly title: string;
  readonly step: number;
  /** The second of two mistakes, in the same or a later step. The numbers below are of both together. */
  readonly and?: { readonly mutant: string; readonly title: string; readonly step: number };
  /** The number of failures of the implementation with the outcome that is recorded for the mutant. */
  readonly same: number;
  /** The number of vectors that the implementation answers wrongly. */
  readonly failed: number;
  /** The number of vectors run that the mutant fails and the implementation does not. */
  readonly missing: number;
  /** The number of failures of the implementation that the mutant may share: its outcome is not known. */
  readonly unrecorded: number;
}

export function nameOfResemblance({ mutant, and }: Pick<Resemblance, 'mutant' | 'and'>): string {
  return and === undefined ? mutant : `${mutant} and ${and.mutant} together`;
}

export function titleOfResemblance({ title, and }: Pick<Resemblance, 'title' | 'and'>): string {
  return and === undefined ? title : `${title}; and ${and.title}`;
}

/** Tests whether a mistake explains every failure, most of them by the same outcome, and would fail no other vector. */
export function isCertain(found: Resemblance): boolean {
  return countUnexplained(found) === 0 && found.missing === 0 && found.same > found.unrecorded;
}

const countUnexplained = ({ same, failed, unrecorded }: Resemblance): number => failed - same - unrecorded;

const MAX_RESEMBLANCES = 3;

/**
 * Finds at most three known mistakes: those that may explain all failures, or else pairs that do, or else those that may explain
 * a third of them. `failures` maps ids to the names of outcomes.
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
  if (best.length > 0) return present(best);
  const pairs = findPairs(failures, ran, mutants);
  return present(pairs.length > 0 ? pairs : dropDominated(found.filter(({ same, missing }) => missing <= same)));
}

function present(comparisons: readonly Comparison[]): Resemblance[] {
  return comparisons.slice(0, MAX_RESEMBLANCES).map(({ explained: _, ...resemblance }) => resemblance);
}

/** The maximum share of misfits: of the failures, and of the vectors that two mistakes together should fail. */
const MAX_MISFIT = 0.02;

function findPairs(
  failures: ReadonlyMap<string, string>,
  ran: ReadonlySet<string>,
  mutants: readonly Mutant[],
): Comparison[] {
  const names = new Map([...failures].map(([id, name]) => [id, abbreviate(name)]));
  const candidates = mutants
    .map((mutant): Candidate => ({ ...compare(failures, ran, mutant), mutant, unknown: new Set(mutant.unknown) }))
    .filter(({ same, missing }) => same > 0 && missing <= MAX_MISFIT * same);
  const pairs = candidates.flatMap((one, i) =>
    candidates.slice(i + 1).flatMap((two) => {
      const pair = comparePair(names, one, two);
      const isDue = [one, two].every(({ explained }) => explained.length < pair.same);
      const misfit = countUnexplained(pair) + pair.missing;
      return isDue && misfit <= MAX_MISFIT * failures.size && 2 * pair.same > failures.size
        ? [{ ...pair, misfit }]
        : [];
    }),
  );
  const least = Math.min(...pairs.map(({ misfit }) => misfit));
  return pairs
    .filter(({ misfit }) => misfit === least)
    .sort((x, y) => y.same - x.same)
    .filter(({ same }, _, [first]) => same === first!.same)
    .map(({ misfit: _, ...pair }) => pair);
}

type Candidate = Omit<Comparison, 'mutant'> & { readonly mutant: Mutant; readonly unknown: ReadonlySet<string> };

/** Compares failures with two mistakes together. Where both fail, the outcome may differ from both. */
function comparePair(names: ReadonlyMap<string, string>, one: Candidate, two: Candidate): Comparison {
  const [first, second] = one.mutant.step <= two.mutant.step ? [one, two] : [two, one];
  const explained: string[] = [];
  let unrecorded = 0;
  for (const [id, name] of names) {
    const expected = [one, two].map(({ mutant }) => mutant.outcomes[id]);
    const fails = [one, two].map(({ unknown }, i) => expected[i] !== undefined || unknown.has(id));
    if (expected.includes(name)) explained.push(id);
    else if (fails.every(Boolean) || one.unknown.has(id) || two.unknown.has(id)) unrecorded++;
  }
  const { name: mutant, title, step } = first.mutant;
  return {
    ...{ mutant, title, step, explained },
    and: { mutant: second.mutant.name, title: second.mutant.title, step: second.mutant.step },
    same: explained.length,
    failed: names.size,
    missing: one.missing + two.missing,
    unrecorded,
  };
}

function dropDominated(found: readonly Comparison[]): Comparison[] {
  const kept: Comparison[] = [];
  for (const each of found) {
    const isEqual = kept.some(({ same, missing }) => same === each.same && missing === each.missing);
    const isNew = each.explained.some((id) => !kept.some(({ explained }) => explained.includes(id)));
    if (isEqual || isNew) kept.push(each);
  }
  return kept;
}

type Comparison = Resemblance & { readonly explained: readonly string[] };

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
