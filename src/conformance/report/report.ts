import type { Hello } from '../adapter/protocol.ts';
import type { FirstStep } from '../diagnosis/first-step.ts';
import type { Resemblance } from '../diagnosis/resemblance.ts';
import type { ClassVerdict, Counts } from '../judge/conformance-classes.ts';
import type { Grade } from '../judge/grade.ts';
import type { RandomReport } from '../random/compare-random.ts';
import type { Suite } from '../suite/load-suite.ts';
import type { VectorOutcome } from '../vector-outcome.ts';

/** The outcome of a run. */
export interface Report {
  readonly format: 1;
  readonly suite: Suite;
  readonly adapter: Hello & { readonly command: readonly string[] };
  /** The part of the vectors that was run; null for all. */
  readonly selection: string | null;
  /** `untested`: nothing is wrong, but no class was answered as a whole. */
  readonly verdict: 'conforms' | 'fails' | 'untested';
  readonly counts: Counts;
  readonly classes: readonly ClassVerdict[];
  readonly firstStep: FirstStep | null;
  readonly resemblances: readonly Resemblance[];
  /** True if newer Unicode data would explain every failure. */
  readonly newerUnicodeOnly: boolean;
  readonly grade: Grade | null;
  readonly random: RandomReport | null;
  /** The number of times that the adapter's process failed. */
  readonly restarts: number;
  /** The fault in how the adapter's process ended (rule 7 of the protocol); null for a process without a fault. */
  readonly exit: string | null;
  /** The damage to texts on their way into or out of the adapter; null if no damage was found. */
  readonly encoding: string | null;
  readonly outcomes: readonly VectorOutcome[];
}
