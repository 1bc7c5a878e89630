import type { Medium } from '../extract/types.ts';
import type { Slip } from './judge/slips.ts';
import type { Operation } from './vector.ts';

/** The result of running one vector. */
export type Status = 'pass' | 'fail' | 'unsupported' | 'crash' | 'timeout' | 'protocol' | 'not-run';

/** The behaviour of one step when it is given the correct input, whatever the earlier steps did. */
export interface StepFinding {
  readonly step: number;
  readonly operation: Operation;
  readonly state: 'right' | 'wrong' | 'unknown';
  /** For a wrong step: its input, the expected and the returned result. */
  readonly input?: unknown;
  readonly expected?: unknown;
  readonly actual?: unknown;
}

/** The place where a document's fingerprint goes wrong. */
export interface Location {
  /** The first step with a wrong result; undefined if the adapter does not reveal it. */
  readonly step: number | undefined;
  /**
   * The evidence. `step`: the step itself was asked. `intermediates`: the reply contains a wrong one. `documents`:
   * fingerprints of the texts that the steps should have produced. `composition`: each step by itself is right.
   */
  readonly by: 'step' | 'intermediates' | 'documents' | 'composition' | 'unknown';
  /** The steps that could be asked by themselves. */
  readonly steps: readonly StepFinding[];
}

/** The scalar values that make the digest of many cases wrong. */
export interface ScalarFinding {
  readonly cases: number;
  /** The number of cases answered wrongly. */
  readonly differing: number;
  /** First and last scalar value of each range that is answered wrongly, ascending. */
  readonly ranges: readonly (readonly [first: number, last: number])[];
  /** True if all of them were found. */
  readonly isComplete: boolean;
  /** The smallest wrong input, if one is smaller than a case. */
  readonly input?: unknown;
  readonly expected?: unknown;
  readonly actual?: unknown;
}

/** One vector and its result. */
export interface VectorOutcome {
  readonly id: string;
  readonly group: string;
  readonly operation: Operation;
  /** For an accumulated vector: the operation of its cases. */
  readonly about?: Operation;
  /** True for an accumulated vector that is run on demand only. */
  readonly isLarge?: true;
  /** For a document to extract: its medium. */
  readonly medium?: Medium;
  /** The label, if it is not `simhash-doc`. */
  readonly label?: string;
  /** For a lookup that is not refused: its k. */
  readonly k?: number;
  readonly title: string;
  readonly rules: readonly string[];
  readonly flags: readonly string[];
  readonly status: Status;
  /** For a vector that was not answered: the kind of its input, if the adapter declined it in advance. */
  readonly kind?: string;
  /** For a failure: the place of the first difference in the result; `''` for the whole. */
  readonly place?: string;
  /** For a vector that did not pass: its input. */
  readonly input?: unknown;
  readonly expected?: unknown;
  readonly actual?: unknown;
  /** For a wrong answer: a short name, by which known mistakes identify it. */
  readonly outcome?: string;
  /** For a wrong answer: the fault of its form. */
  readonly slip?: Slip;
  /** For a vector that was not run: whether it is on the skip list. */
  readonly skipped?: true;
  /** The failure of the adapter instead of an answer, and the end of its standard error. */
  readonly detail?: string;
  readonly stderr?: string;
  /** For a wrong document: the place where it goes wrong. */
  readonly location?: Location;
  /** For a wrong digest over scalar values: the scalar values that are wrong. */
  readonly scalars?: ScalarFinding;
}
