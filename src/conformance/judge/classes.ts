import type { Hello } from '../adapter/protocol.ts';
import type { Status, VectorOutcome } from '../outcome.ts';
import type { Operation } from '../types.ts';

/** A conformance class (spec/simhash-doc.md, "Conformance"). */
export type ConformanceClass = 'hash' | 'text' | 'lookup' | 'extraction';

/** The operations that test each class. The needed ones have to be answered; the others are tested if they are offered. */
export const CLASSES: {
  readonly [C in ConformanceClass]: { readonly needed: readonly Operation[]; readonly others: readonly Operation[] };
} = {
  hash: {
    needed: ['token-hash', 'simhash', 'serialise'],
    others: ['lookup3', 'parse', 'parse-hex', 'parse-label', 'parse-labelled', 'format-labelled', 'compare'],
  },
  text: {
    needed: ['fingerprint'],
    others: ['decode', 'classify', 'normalise', 'strip-locators', 'tokenise', 'token-hash', 'simhash', 'serialise'],
  },
  lookup: { needed: ['tables', 'lookup'], others: ['unpermute', 'probe', 'parse', 'compare'] },
  extraction: { needed: ['extract-html'], others: ['extract'] },
};

/** How many vectors passed, failed, were not offered, or were not run because the adapter failed too often. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly unsupported: number;
  readonly notRun: number;
}

/** Counts outcomes. */
export function countOutcomes(outcomes: readonly Pick<VectorOutcome, 'status'>[]): Counts {
  const count = (wanted: Status): number => outcomes.filter(({ status }) => status === wanted).length;
  const [passed, unsupported, notRun] = [count('pass'), count('unsupported'), count('not-run')];
  return { passed, failed: outcomes.length - passed - unsupported - notRun, unsupported, notRun };
}

/** The verdict on a conformance class. */
export interface ClassVerdict {
  readonly class: ConformanceClass;
  /**
   * `conforms`: all vectors passed; `fails`: a vector or a random case failed; `untested`: a needed operation is not
   * offered or was not answered, or not all vectors were run.
   */
  readonly verdict: 'conforms' | 'fails' | 'untested';
  readonly counts: Counts;
  /** Operations of the class that the adapter does not offer. */
  readonly missing: readonly Operation[];
}

/**
 * Judges an implementation by the classes.
 * @param outcomes - of the vectors
 * @param hello - what the implementation offers
 * @param differing - the operations in which random cases differ
 * @param isWhole - whether all vectors were run
 */
export function judgeClasses(
  outcomes: readonly VectorOutcome[],
  hello: Hello,
  differing: ReadonlySet<Operation>,
  isWhole: boolean,
): ClassVerdict[] {
  const passed = new Set(outcomes.filter(({ status }) => status === 'pass').map(({ operation }) => operation));
  return Object.entries(CLASSES).map(([name, { needed, others }]) => {
    const all: readonly Operation[] = [...needed, ...others];
    const missing = all.filter((operation) => !hello.operations.includes(operation));
    const counts = countOutcomes(outcomes.filter(({ operation, about = operation }) => all.includes(about)));
    const isTested = isWhole && counts.notRun === 0 && needed.every((operation) => passed.has(operation));
    const fails = counts.failed > 0 || all.some((operation) => differing.has(operation));
    const verdict = fails ? 'fails' : isTested ? 'conforms' : 'untested';
    return { class: name as ConformanceClass, verdict, counts, missing };
  });
}
